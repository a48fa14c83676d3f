//! The token: held so that it cannot be shown.
//!
//! It leaves this type in one place, the header of a request to the address it belongs to. Tested below, and by a scan
//! over everything the crate says in `tests/hub/secrecy.rs`.

use std::fmt;

/// A secret that lets its bearer write. Whatever prints it prints stars.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Box<str>);

/// Says why a value is no token, without repeating it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// There is nothing in it.
    #[error("the token is empty")]
    Empty,
    /// It holds what no header may hold.
    #[error("the token has blanks or unprintable characters in it")]
    Unprintable,
    /// It is longer than any token.
    #[error("the token is longer than {} characters", Token::CHARS_MAX)]
    TooLong,
}

impl Token {
    /// The longest token that is taken; a header has to hold it.
    const CHARS_MAX: usize = 4096;

    /// Takes the value of an environment variable; blanks and line ends around it are dropped.
    ///
    /// # Errors
    /// The value can be no token.
    pub fn new(value: &str) -> Result<Self, TokenError> {
        let value = value.trim();
        if value.is_empty() {
            return Err(TokenError::Empty);
        }
        if value.len() > Self::CHARS_MAX {
            return Err(TokenError::TooLong);
        }
        if !value.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(TokenError::Unprintable);
        }
        Ok(Self(value.into()))
    }

    /// Returns the secret, for the header of a request or the standard input of a child process.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Writes stars over the secret wherever it stands.
    pub(crate) fn blot_out(&self, bytes: &mut [u8]) {
        let secret = self.0.as_bytes();
        let mut at = 0;
        while let Some(part) = bytes.get_mut(at..at + secret.len()) {
            if part == secret {
                part.fill(b'*');
            }
            at += 1;
        }
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_prints_a_token_prints_stars() {
        let token = Token::new(" ghs_verysecret\n").unwrap();
        assert_eq!(token.reveal(), "ghs_verysecret");
        assert_eq!(
            format!("{token} {token:?} {token:#?} {:?}", Some(&token)),
            "*** *** *** Some(***)"
        );
    }

    #[test]
    fn a_token_in_somebodys_answer_is_blotted_out() {
        let token = Token::new("abc").unwrap();
        for (before, after) in [
            ("", ""),
            ("ab", "ab"),
            ("abc", "***"),
            ("ababcabcab", "ab******ab"),
        ] {
            let mut bytes = before.as_bytes().to_vec();
            token.blot_out(&mut bytes);
            assert_eq!(bytes, after.as_bytes());
        }
    }

    #[test]
    fn what_no_header_holds_is_no_token() {
        for (value, expected) in [
            (" \n", TokenError::Empty),
            ("two words", TokenError::Unprintable),
            ("two\r\nlines", TokenError::Unprintable),
            ("nön", TokenError::Unprintable),
            (&"x".repeat(5000), TokenError::TooLong),
        ] {
            assert_eq!(Token::new(value), Err(expected), "{value:?}");
        }
    }
}
