//! Links, which come from whoever renders and never out of a report.
//!
//! A link is checked once, so that no text of it can be markup. Tested below, and with a Markdown parser.

/// The longest link that is accepted, in bytes.
const BYTES_MAX: usize = 2_000;

/// What may stand in a link besides letters and digits: no brackets, quotes, blanks or backslashes.
const SIGNS: &str = "-._~:/?#!$&+,;=%@";

/// An address that begins with `http://` or `https://`, and holds nothing that Markdown or HTML would take for its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(Box<str>);

/// Says why a text is no link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkError {
    /// It begins with neither `http://` nor `https://`.
    Scheme,
    /// No host follows, or a name and password stand before it.
    Host,
    /// It is longer than anybody's address.
    TooLong,
    /// A character has to be written with a percent sign.
    Character(char),
}

impl std::error::Error for LinkError {}

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Scheme => f.write_str("it begins with neither `http://` nor `https://`"),
            Self::Host => f.write_str("it names no host, or a user before the host"),
            Self::TooLong => write!(f, "it has more than {BYTES_MAX} bytes"),
            Self::Character(c) => {
                write!(
                    f,
                    "the character {c:?} has to be written with a percent sign"
                )
            }
        }
    }
}

impl Link {
    /// Checks an address and keeps it.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn new(text: &str) -> Result<Self, LinkError> {
        let rest = ["https://", "http://"]
            .iter()
            .find_map(|scheme| text.strip_prefix(scheme));
        let rest = rest.ok_or(LinkError::Scheme)?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if !host.starts_with(|c: char| c.is_ascii_alphanumeric()) || host.contains('@') {
            return Err(LinkError::Host);
        }
        if text.len() > BYTES_MAX {
            return Err(LinkError::TooLong);
        }
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || SIGNS.contains(c);
        match text.chars().find(|c| !is_allowed(*c)) {
            Some(c) => Err(LinkError::Character(c)),
            None => Ok(Self(text.into())),
        }
    }

    /// Returns the address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where a reader finds more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Links {
    /// The run that measured, with its summary.
    pub run: Option<Link>,
    /// The page of trends.
    pub trend: Option<Link>,
    /// The commit that was judged.
    pub head: Option<Link>,
    /// The commit it was compared with.
    pub base: Option<Link>,
}

impl Links {
    /// No links.
    pub const NONE: Self = Self {
        run: None,
        trend: None,
        head: None,
        base: None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_web_are_links() {
        for text in [
            "https://github.com/acme/demo/actions/runs/42?pr=7#summary",
            "http://127.0.0.1:8080/a_b/~c/%28d%29,e;f=g",
            "https://acme.example/@scope/a",
        ] {
            assert_eq!(Link::new(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn nothing_else_is() {
        for (text, error) in [
            ("", LinkError::Scheme),
            ("javascript:alert(1)", LinkError::Scheme),
            ("HTTPS://a.example", LinkError::Scheme),
            ("//a.example", LinkError::Scheme),
            ("https://", LinkError::Host),
            ("https:///a", LinkError::Host),
            ("https://github.com@evil.example/", LinkError::Host),
            ("https://a.example/)x", LinkError::Character(')')),
            ("https://a.example/ x", LinkError::Character(' ')),
            ("https://a.example/\n", LinkError::Character('\n')),
            ("https://a.example/<b>", LinkError::Character('<')),
            ("https://a.example/`", LinkError::Character('`')),
            ("https://a.example/|", LinkError::Character('|')),
            ("https://a.example/ä", LinkError::Character('ä')),
        ] {
            assert_eq!(Link::new(text), Err(error), "{text:?}");
        }
        let long = ["https://a.example/", &"a".repeat(BYTES_MAX)].concat();
        assert_eq!(Link::new(&long), Err(LinkError::TooLong));
    }
}
