//! What git said, made safe to repeat: short, without secrets, and without what steers a terminal.
//!
//! git repeats addresses, and a remote says whatever it likes. Tested below.

use std::fmt;

use crate::text::shown;

/// The last so many lines are kept: the reason comes last.
const LINES_MAX: usize = 12;
const LINE_CHARS_MAX: usize = 300;

/// What git adds to every failure of a kind, whatever the reason.
const NOISE: &[&str] = &[
    "hint:",
    "error: failed to push some refs to",
    "Please make sure you have the correct access rights",
    "and the repository exists.",
];

/// Words of git or of the remote, safe to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said(String);

impl Said {
    /// Keeps what matters of what was said, and puts stars in place of the secrets.
    pub(super) fn new(words: &[u8], secrets: &[String]) -> Self {
        let mut words = String::from_utf8_lossy(words).into_owned();
        for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
            words = words.replace(secret.as_str(), "***");
        }
        let lines = words.split(['\n', '\r']).map(str::trim);
        let mut lines: Vec<&str> = lines
            .filter(|line| !line.is_empty() && !NOISE.iter().any(|noise| line.starts_with(noise)))
            .collect();
        let cut = lines.len().saturating_sub(LINES_MAX);
        lines.drain(..cut);
        let lines = lines
            .into_iter()
            .map(|line| shown(&without_passwords(line), LINE_CHARS_MAX));
        let said = lines.collect::<Vec<_>>().join("; ");
        Self(if said.is_empty() {
            "git said nothing".to_owned()
        } else {
            said
        })
    }

    /// Returns whether these words are in it.
    pub(super) fn says(&self, words: &str) -> bool {
        self.0.contains(words)
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Puts stars in place of what stands before the host in every address of a line.
fn without_passwords(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after
            .find(|c: char| c == '/' || c == '\'' || c.is_whitespace())
            .unwrap_or(after.len());
        let (authority, after) = after.split_at(end);
        let host = authority.rsplit_once('@').map(|(_, host)| host);
        if host.is_some() {
            out.push_str("***@");
        }
        out.push_str(host.unwrap_or(authority));
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &str, secrets: &[&str]) -> String {
        let secrets: Vec<String> = secrets.iter().map(|text| (*text).to_owned()).collect();
        Said::new(words.as_bytes(), &secrets).to_string()
    }

    #[test]
    fn secrets_become_stars() {
        assert_eq!(
            said(
                "remote: got ghs_abc, no ghs_abcd",
                &["", "ghs_abcd", "ghs_abc"]
            ),
            "remote: got ***, no ***"
        );
        assert_eq!(
            said(
                "fatal: unable to access 'https://x:y@z@github.com/a/b@c/': 403",
                &[]
            ),
            "fatal: unable to access 'https://***@github.com/a/b@c/': 403"
        );
        assert_eq!(
            said("from https://a@b to ssh://git@c:22/d", &[]),
            "from https://***@b to ssh://***@c:22/d"
        );
    }

    #[test]
    fn words_are_bounded_and_harmless() {
        let long = format!("{}\nlast\u{1b}[31m", "x\n".repeat(1000));
        assert!(said(&long, &[]).ends_with("x; last\\u{1b}[31m"));
        assert_eq!(said(&long, &[]).matches("x;").count(), LINES_MAX - 1);
        assert!(said(&"y".repeat(100_000), &[]).len() < 1000);
        assert_eq!(said("a\r\nhint: try\n\nb\n", &[]), "a; b");
        assert_eq!(said("\n", &[]), "git said nothing");
    }
}
