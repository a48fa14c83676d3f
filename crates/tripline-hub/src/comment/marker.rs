//! The hidden line at the end of a comment of ours: whose it is, and what it is about.
//!
//! It stands last, so that the first line of a comment is its verdict also in an e-mail. Only a whole last line is one:
//! a marker that somebody's text brings along within a comment of ours is none. Tested below.

use std::fmt;

use crate::event::RunId;
use crate::names::{CommitId, SetName};

/// What a comment of ours is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// The suites it speaks of.
    pub set: SetName,
    /// The commit it speaks of.
    pub head: CommitId,
    /// The run that measured. Later runs have the say.
    pub run: RunId,
    /// Whether it says that something is wrong.
    pub is_red: bool,
}

const START: &str = "<!-- tripline:comment ";
const END: &str = " -->";
const RED: &str = "red";
const GREEN: &str = "green";

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunId { id, attempt } = self.run;
        write!(
            f,
            "{START}set={} head={} run={id} attempt={attempt} says={}{END}",
            self.set,
            self.head,
            if self.is_red { RED } else { GREEN }
        )
    }
}

impl Marker {
    /// Finds the marker of a comment.
    pub(super) fn of(body: &str) -> Option<Self> {
        let line = body.trim_end().lines().next_back()?;
        let inner = line.strip_prefix(START)?.strip_suffix(END)?;
        let mut words = inner.split(' ');
        let mut value = |name: &str| words.next()?.strip_prefix(name)?.strip_prefix('=');
        let marker = Self {
            set: value("set")?.parse().ok()?,
            head: value("head")?.parse().ok()?,
            run: RunId {
                id: value("run")?.parse().ok()?,
                attempt: value("attempt")?.parse().ok()?,
            },
            is_red: value("says")? == RED,
        };
        // What is not written as we write it is not ours.
        (marker.to_string() == line).then_some(marker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker() -> Marker {
        Marker {
            set: "main.suites".parse().unwrap(),
            head: "ab".repeat(20).parse().unwrap(),
            run: RunId { id: 42, attempt: 2 },
            is_red: true,
        }
    }

    #[test]
    fn a_marker_is_found_as_the_last_line() {
        let line = marker().to_string();
        insta::assert_snapshot!(line, @"<!-- tripline:comment set=main.suites head=abababababababababababababababababababab run=42 attempt=2 says=red -->");
        for body in [
            line.clone(),
            format!("verdict\n\n{line}"),
            format!("verdict\r\n\r\n{line}\r\n "),
        ] {
            assert_eq!(Marker::of(&body), Some(marker()), "{body:?}");
        }
    }

    #[test]
    fn what_only_looks_like_a_marker_is_none() {
        let line = marker().to_string();
        for body in [
            String::new(),
            format!("{line}\nmore"),
            format!("> {line}"),
            format!("{line} x"),
            line.replace(" run=", "  run="),
            line.replace("attempt=2", "attempt=02"),
            line.replace("attempt=2", "attempt=+2"),
            line.replace("run=42", "run=99999999999999999999999"),
            line.replace("head=ab", "head=zz"),
            line.replace(" -->", " x=1 -->"),
            line.replace("set=", "name="),
        ] {
            assert_eq!(Marker::of(&body), None, "{body:?}");
        }
    }
}
