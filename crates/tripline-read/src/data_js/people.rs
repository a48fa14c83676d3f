//! What is kept of who made a commit and of what they wrote: names and words, and no address at which anybody is reached.
//!
//! Tested below.

use std::borrow::Cow;

use tripline_model::{OriginCommit, Person};

use super::loose::Loose;
use super::shape::{Commit, Somebody};

/// What stands in the place of an address.
const ADDRESS: &str = "(address)";

/// The longest message that is kept, in bytes.
const MESSAGE_BYTES_MAX: usize = 16 * 1024;

/// The longest other text that is kept of a commit, in bytes.
const TEXT_BYTES_MAX: usize = 1024;

/// Returns the message of a commit without addresses, as long as it may be.
pub(super) fn message_of<'c>(message: &'c Loose<'_>) -> Option<Cow<'c, str>> {
    let text = message.text()?;
    Some(without_addresses(begin(text, MESSAGE_BYTES_MAX)))
}

/// Returns what is kept of a commit besides its hash, its subject and when it was made.
pub(super) fn commit_of(
    commit: &Commit<'_>,
    message: Option<&str>,
    subject: Option<&str>,
    committed_at: Option<&str>,
) -> OriginCommit {
    let text = |value: &Loose<'_>| value.text().map(|text| kept(text));
    let person = |somebody: &Somebody<'_>| Person {
        name: text(&somebody.name),
        username: text(&somebody.username),
    };
    let is_distinct = match commit.distinct {
        Loose::Truth(is_distinct) => Some(is_distinct),
        _ => None,
    };
    OriginCommit {
        author: commit.author.as_ref().map(person),
        committer: commit.committer.as_ref().map(person),
        is_distinct,
        message: message
            .filter(|message| Some(*message) != subject)
            .map(Into::into),
        timestamp: text(&commit.timestamp).filter(|written| Some(&**written) != committed_at),
        tree: text(&commit.tree),
        page: text(&commit.url),
    }
}

fn kept(text: &str) -> Box<str> {
    without_addresses(begin(text, TEXT_BYTES_MAX)).into()
}

fn begin(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Returns a text with something else in the place of whatever looks like an address of electronic mail.
fn without_addresses(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = 0;
    for (at, _) in text.match_indices('@') {
        if at < rest {
            continue;
        }
        let local = text[rest..at].trim_end_matches(is_local).len() + rest;
        let behind = &text[at + 1..];
        let domain = behind.len() - behind.trim_start_matches(is_domain).len();
        let domain = behind[..domain].trim_end_matches(['.', '-']);
        if local < at && is_host(domain) {
            out.push_str(&text[rest..local]);
            out.push_str(ADDRESS);
            rest = at + 1 + domain.len();
        }
    }
    if rest == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[rest..]);
    Cow::Owned(out)
}

fn is_local(c: char) -> bool {
    c.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~.-".contains(c)
}

fn is_domain(c: char) -> bool {
    c.is_alphanumeric() || c == '.' || c == '-'
}

/// Returns whether a text is the name of a host: labels with dots between them, the last of which is no number.
fn is_host(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(labels, last)| {
        !labels.is_empty() && last.chars().count() > 1 && last.chars().all(char::is_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_is_left() {
        for (text, expected) in [
            ("fix, by Ada <ada@example.org>", "fix, by Ada <(address)>"),
            (
                "a.b+c@x-y.example.org, 1+d@users.noreply.github.com.",
                "(address), (address).",
            ),
            ("größe@größe.example", "(address)"),
            ("a@b.org@c.org", "(address)@c.org"),
            ("mailto:ada@example.org", "mailto:(address)"),
            ("@ada and ada@ and a@b", "@ada and ada@ and a@b"),
            ("bump left-pad@1.2.3", "bump left-pad@1.2.3"),
            ("no sign at all", "no sign at all"),
        ] {
            assert_eq!(without_addresses(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_ends_where_it_may_be_no_longer() {
        assert_eq!(begin("größe", 3), "gr");
        let long = Loose::Text("x".repeat(MESSAGE_BYTES_MAX + 1).into());
        assert_eq!(message_of(&long).unwrap().len(), MESSAGE_BYTES_MAX);
        assert_eq!(kept(&"x".repeat(TEXT_BYTES_MAX + 1)).len(), TEXT_BYTES_MAX);
    }
}
