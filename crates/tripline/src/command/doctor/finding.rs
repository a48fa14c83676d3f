//! What was found about one thing, and how it is shown.

/// What was found about one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Finding {
    /// It is as it should be.
    Good(String),
    /// It works, and something about it should be known.
    Note(String, String),
    /// It is missing or does not fit: what is the matter, and what mends it.
    Bad(String, String),
}

impl Finding {
    /// Says that all is well.
    pub(super) fn good(what: impl Into<String>) -> Self {
        Self::Good(what.into())
    }

    /// Says what should be known, and what follows from it.
    pub(super) fn note(what: impl Into<String>, more: impl Into<String>) -> Self {
        Self::Note(what.into(), more.into())
    }

    /// Says what is the matter, and what mends it.
    pub(super) fn bad(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::Bad(what.into(), fix.into())
    }

    /// Returns whether something has to be mended.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self, Self::Bad(..))
    }

    /// Returns the finding as it is shown, each text on a line of its own.
    pub(super) fn lines(&self) -> String {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self {
            Self::Good(what) => format!("good  {}\n", line(what)),
            Self::Note(what, more) => format!("note  {}\n      {}\n", line(what), line(more)),
            Self::Bad(what, fix) => format!("bad   {}\n      -> {}\n", line(what), line(fix)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_stays_on_its_line() {
        let bad = Finding::bad("x\nbad   y", "z\n");
        assert_eq!(bad.lines(), "bad   x bad y\n      -> z\n");
        assert!(bad.is_bad() && !Finding::good("x").is_bad());
    }
}
