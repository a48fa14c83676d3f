//! What is kept of who made a commit and of what they wrote: names and words, and no address at which anybody is reached.
//!
//! Tested below.

use std::borrow::Cow;

use tripline_model::{OriginCommit, Person};

use super::loose::Loose;
use super::shape::{Commit, Somebody};

/// What stands in the place of an address.
const ADDRESS: &str = "(address)";

/// The longest address there is, in bytes, and more.
const ADDRESS_BYTES_MAX: usize = 512;

/// The longest message that is kept, in bytes.
const MESSAGE_BYTES_MAX: usize = 16 * 1024;

/// The longest other text that is kept of a commit, in bytes.
const TEXT_BYTES_MAX: usize = 1024;

/// Returns the message of a commit without addresses, as long as it may be.
pub(super) fn message_of<'c>(message: &'c Loose<'_>) -> Option<Cow<'c, str>> {
    let text = message.text()?;
    Some(begun(without_addresses(text), MESSAGE_BYTES_MAX))
}

/// Returns whether a commit says more than is kept of it.
pub(super) fn is_cut(commit: &Commit<'_>) -> bool {
    let is_long = |value: &Loose<'_>, most| value.text().is_some_and(|text| text.len() > most);
    let people = [&commit.author, &commit.committer].into_iter().flatten();
    let mut names = people.flat_map(|somebody| [&somebody.name, &somebody.username]);
    is_long(&commit.message, MESSAGE_BYTES_MAX)
        || names.any(|name| is_long(name, TEXT_BYTES_MAX))
        || [&commit.timestamp, &commit.tree, &commit.url]
            .iter()
            .any(|text| is_long(text, TEXT_BYTES_MAX))
        || commit
            .url
            .text()
            .is_some_and(|page| matches!(without_user(page), Cow::Owned(_)))
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
        id: None,
        author: commit.author.as_ref().map(person),
        committer: commit.committer.as_ref().map(person),
        is_distinct,
        message: message
            .filter(|message| Some(*message) != subject)
            .map(Into::into),
        timestamp: text(&commit.timestamp).filter(|written| Some(&**written) != committed_at),
        tree: text(&commit.tree),
        page: commit.url.text().map(|page| kept(&without_user(page))),
    }
}

fn kept(text: &str) -> Box<str> {
    begun(without_addresses(text), TEXT_BYTES_MAX).into()
}

/// Cuts a text. After addresses are gone: of one that is cut, a part would stay.
fn begun(text: Cow<'_, str>, bytes: usize) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..text.floor_char_boundary(bytes)]),
        Cow::Owned(mut text) => {
            text.truncate(text.floor_char_boundary(bytes));
            Cow::Owned(text)
        }
    }
}

/// Returns the address of a page without who asks for it and with which password: `https://user:token@host/` may hold a
/// token in either place. What git itself is called, as in `git@host:path`, lets nobody in.
pub(super) fn without_user(page: &str) -> Cow<'_, str> {
    // So it is with nearly all, and every run names the page of its commit.
    if !page.as_bytes().contains(&b'@') {
        return Cow::Borrowed(page);
    }
    let scheme = page.find("://").map_or(0, |scheme| scheme + "://".len());
    // A browser takes any number of them, of either kind.
    let behind = page[scheme..].trim_start_matches(['/', '\\']);
    let begin = page.len() - behind.len();
    let host_end = behind.find(['/', '?', '#', '\\']);
    let user = behind[..host_end.unwrap_or(behind.len())].rfind('@');
    match user {
        Some(user) if &behind[..user] != "git" => {
            format!("{}{}", &page[..begin], &behind[user + 1..]).into()
        }
        _ => Cow::Borrowed(page),
    }
}

/// Returns a text with something else in the place of whatever looks like an address of electronic mail.
pub(super) fn without_addresses(text: &str) -> Cow<'_, str> {
    // So it is with nearly all, and every range and extra is asked.
    if !text.as_bytes().contains(&b'@') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut rest = 0;
    for (at, _) in text.match_indices('@') {
        if at < rest {
            continue;
        }
        let found = framed(text, rest, at).or_else(|| with_password(text, rest, at));
        if let Some((begin, end)) = found.or_else(|| plain(text, rest, at)) {
            out.push_str(&text[rest..begin]);
            out.push_str(ADDRESS);
            rest = end;
        }
    }
    if rest == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[rest..]);
    Cow::Owned(out)
}

/// Returns the ends of what stands between `<` and `>` around a sign, behind a name: whatever a machine calls itself, it is
/// an address there.
fn framed(text: &str, rest: usize, at: usize) -> Option<(usize, usize)> {
    let is_end = |c: char| matches!(c, '<' | '>' | '\n');
    // No further than any address goes, or a text of such signs alone would be gone through for each.
    let from = text.ceil_char_boundary(rest.max(at.saturating_sub(ADDRESS_BYTES_MAX)));
    let to = text.floor_char_boundary(at + ADDRESS_BYTES_MAX);
    let begin = text[from..at].rfind(is_end)? + from;
    let end = text[at..to].find(is_end)? + at;
    let is_behind_name = text[..begin]
        .chars()
        .next_back()
        .is_none_or(char::is_whitespace);
    let is_version = text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let is_framed = text[begin..].starts_with('<')
        && text[end..].starts_with('>')
        && is_behind_name
        && !is_version;
    let is_someone = begin + 1 < at && !text[begin + 1..].starts_with(' ');
    (is_framed && is_someone).then_some((begin + 1, end))
}

/// Returns the ends of who asks for a page, with which password, and of whom: `https://user:token@host`.
fn with_password(text: &str, rest: usize, at: usize) -> Option<(usize, usize)> {
    let from = text.ceil_char_boundary(rest.max(at.saturating_sub(ADDRESS_BYTES_MAX)));
    let begin = from + text[from..at].rfind("://")? + "://".len();
    let user = &text[begin..at];
    let is_end = |c: char| c == '/' || c.is_whitespace();
    let behind = &text[at + 1..];
    let host = behind.len() - behind.trim_start_matches(is_domain).len();
    (user.contains(':') && !user.contains(is_end)).then_some((begin, at + 1 + host))
}

/// Returns the ends of an address that stands between other words.
fn plain(text: &str, rest: usize, at: usize) -> Option<(usize, usize)> {
    let local = text[rest..at].trim_end_matches(is_local).len() + rest;
    let behind = &text[at + 1..];
    let domain = behind.len() - behind.trim_start_matches(is_domain).len();
    let domain = behind[..domain].trim_end_matches(['.', '-']);
    (local < at && is_host(domain)).then_some((local, at + 1 + domain.len()))
}

fn is_local(c: char) -> bool {
    // The brackets are those of `dependabot[bot]`.
    c.is_alphanumeric() || "!#$%&'*+=?^_`{|}~.-[]".contains(c)
}

fn is_domain(c: char) -> bool {
    c.is_alphanumeric() || c == '.' || c == '-'
}

/// Returns whether a text is the name of a host: labels with dots between them, the last of which is no number; or the one
/// that every host has for itself.
fn is_host(text: &str) -> bool {
    text == "localhost"
        || text.rsplit_once('.').is_some_and(|(labels, last)| {
            let is_written_out = last.chars().all(char::is_alphabetic) || last.starts_with("xn--");
            !labels.is_empty() && last.chars().count() > 1 && is_written_out
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
            ("ada@xn--e1afmkfd.xn--p1ai", "(address)"),
            ("https://git@example.org/o/r", "https://(address)/o/r"),
            (
                "http://u:p@ci/o @ http://a/b:c@d",
                "http://(address)/o @ http://a/b:c@d",
            ),
            ("@ada and ada@ and a@b", "@ada and ada@ and a@b"),
            ("bump left-pad@1.2.3", "bump left-pad@1.2.3"),
            ("no sign at all", "no sign at all"),
            (
                "x[bot] <1+x[bot]@users.noreply.github.com>",
                "x[bot] <(address)>",
            ),
            ("by 1+x[bot]@users.noreply.github.com", "by (address)"),
            ("u <u@host.(none)>, r@localhost", "u <(address)>, (address)"),
            ("<\"a b\"@c>", "<(address)>"),
            ("see <left-pad@1.2.3>", "see <left-pad@1.2.3>"),
            ("Tensor<f32@gpu>", "Tensor<f32@gpu>"),
            ("x < @y > z <@ada>\n<a\nb@c>", "x < @y > z <@ada>\n<a\nb@c>"),
        ] {
            assert_eq!(without_addresses(text), expected, "{text}");
        }
    }

    #[test]
    fn nobody_gets_in_by_the_address_of_a_page() {
        for (page, expected) in [
            ("https://ada:ghp_0@github.com/o/r", "https://github.com/o/r"),
            ("https://ghp_0@github.com/o/r", "https://github.com/o/r"),
            ("https://a:b@c:d@[::1]:8080", "https://[::1]:8080"),
            ("https://a:b@host?c@d", "https://host?c@d"),
            ("https:///a:b@host/o", "https:///host/o"),
            ("//a:b@host/o", "//host/o"),
            ("ada:ghp_0@github.com/o/r", "github.com/o/r"),
            ("https://github.com/@o/r@1", "https://github.com/@o/r@1"),
            ("git@github.com:o/r.git", "git@github.com:o/r.git"),
            ("ssh://git@github.com/o/r", "ssh://git@github.com/o/r"),
            ("https://@github.com/o/r", "https://github.com/o/r"),
            ("", ""),
        ] {
            assert_eq!(without_user(page), expected, "{page}");
        }
    }

    /// So many that going through all for each would take minutes.
    #[test]
    fn signs_alone_are_soon_gone_through() {
        let signs = "@".repeat(1_000_000);
        assert_eq!(without_addresses(&signs), signs);
        let framed = "<@".repeat(500_000);
        assert_eq!(without_addresses(&framed), framed);
    }

    #[test]
    fn a_text_ends_where_it_may_be_no_longer() {
        assert_eq!(begun("größe".into(), 3), "gr");
        let cut_within = format!("{} ada@example.org", "x".repeat(TEXT_BYTES_MAX - 10));
        assert!(!kept(&cut_within).contains("ada"), "{}", kept(&cut_within));
        let long = Loose::Text("x".repeat(MESSAGE_BYTES_MAX + 1).into());
        assert_eq!(message_of(&long).unwrap().len(), MESSAGE_BYTES_MAX);
        assert_eq!(kept(&"x".repeat(TEXT_BYTES_MAX + 1)).len(), TEXT_BYTES_MAX);
    }
}
