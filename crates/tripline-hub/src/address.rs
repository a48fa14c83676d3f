//! The address of GitHub's interface or of its pages: `https`, or `http` to this machine alone, since a token travels
//! there. Addresses below it are put together by rule, so that no name can lead anywhere else. Tested below.

use std::fmt;
use std::str::FromStr;

use url::{Host, Url};

use crate::text::shown;

/// An address that others are below of. It ends without a slash and holds no secret, question or fragment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(Url);

/// Says why a text is no address of GitHub.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no address of GitHub: {why}")]
pub struct AddressError {
    given: String,
    why: &'static str,
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        const SHOWN_CHARS_MAX: usize = 120;
        let wrong = |why| AddressError {
            given: shown(text, SHOWN_CHARS_MAX),
            why,
        };
        let Ok(mut url) = Url::parse(text) else {
            return Err(wrong("it cannot be parsed"));
        };
        if !url.username().is_empty() || url.password().is_some() {
            // What stands there is a secret.
            return Err(AddressError {
                given: "***".to_owned(),
                why: "there is a user in it",
            });
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("there is a question or a fragment in it"));
        }
        if !may_carry_secrets(&url) {
            return Err(wrong("it is neither `https` nor `http` to this machine"));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        Ok(Self(url))
    }
}

impl Address {
    /// Returns the address of something below, each segment written so that it stays one.
    pub(crate) fn below<'a>(&self, segments: impl IntoIterator<Item = &'a str>) -> Url {
        let mut url = self.0.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// Returns whether another address leads to the same host in the same way.
    pub(crate) fn is_host_of(&self, other: &Url) -> bool {
        self.0.origin() == other.origin()
    }

    /// Returns whether it leads to this machine.
    pub(crate) fn is_local(&self) -> bool {
        is_local(&self.0)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

/// Returns whether nobody on the way can read along.
pub(crate) fn may_carry_secrets(url: &Url) -> bool {
    url.has_host() && (url.scheme() == "https" || (url.scheme() == "http" && is_local(url)))
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_their_path_and_lose_their_last_slash() {
        for (text, expected) in [
            ("https://api.github.com", "https://api.github.com"),
            ("https://api.github.com/", "https://api.github.com"),
            ("https://ghe.example/api/v3", "https://ghe.example/api/v3"),
            ("https://ghe.example/api/v3/", "https://ghe.example/api/v3"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("http://localhost", "http://localhost"),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string(), expected);
        }
    }

    #[test]
    fn a_token_is_sent_to_no_other_kind_of_address() {
        for bad in [
            "",
            "api.github.com",
            "http://api.github.com",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "file:///etc/passwd",
            "https://api.github.com?x=1",
            "https://api.github.com#x",
        ] {
            bad.parse::<Address>().expect_err(bad);
        }
        let error = "https://ada:s3cret@github.com".parse::<Address>();
        let error = error.expect_err("a secret is in it");
        assert!(!format!("{error} {error:?}").contains("s3cret"));
    }

    #[test]
    fn no_segment_leaves_its_place() {
        for base in ["https://api.github.com", "https://ghe.example/api/v3/"] {
            let address: Address = base.parse().unwrap();
            let url = address.below(["repos", "a/../b", "..", "x?y#z", "%2e%2e", "ä b"]);
            let rest = "/repos/a%2F..%2Fb/x%3Fy%23z/%252e%252e/%C3%A4%20b";
            assert_eq!(url.as_str(), format!("{address}{rest}"));
            assert!(address.is_host_of(&url));
        }
    }
}
