//! Takes out the times that GitHub puts before each line of a job's log, and the job and the step that its command line puts
//! before those.
//!
//! Who keeps such a log has the output of a harness in it, and nothing else writes such times at the beginning of a line.
//! Tested below.

use std::borrow::Cow;

use crate::colours::{ESCAPE, without_colours};

/// What a time looks like, a digit standing for any.
const STAMP: &[u8] = b"0000-00-00T00:00:00.0000000Z";

/// What a text of UTF-8 may begin with, to say that it is.
const MARK: &str = "\u{feff}";

/// How many lines are looked at for a time: a log has one in each, but for what somebody wrote above it.
const LOOKED_AT: usize = 64;

/// Returns a text without what is only told of its lines: when they were written, in which colour, and that their bytes are
/// UTF-8, where texts of which each says so were put together.
pub(crate) fn bare(text: Cow<'_, str>) -> Cow<'_, str> {
    let text = without(text, without_stamps);
    // Nearly every text has neither, which one look at its bytes tells.
    if memchr::memchr2(ESCAPE, MARK.as_bytes()[0], text.as_bytes()).is_none() {
        return text;
    }
    without(without(text, without_colours), without_marks)
}

/// Takes something out of a text. What has nothing of it is not copied.
fn without(text: Cow<'_, str>, step: fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    let text = match text {
        Cow::Borrowed(text) => return step(text),
        Cow::Owned(text) => text,
    };
    let changed = match step(&text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(changed) => Some(changed),
    };
    Cow::Owned(changed.unwrap_or(text))
}

/// Takes out the marks at the beginnings of lines.
fn without_marks(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive('\n');
    Cow::Owned(lines.map(|line| line.trim_start_matches(MARK)).collect())
}

/// Takes the times out of a text, if it is such a log.
fn without_stamps(text: &str) -> Cow<'_, str> {
    // Most of what is read is JSON in one line.
    let is_json = text.starts_with(['{', '[']);
    let is_log = !is_json
        && text
            .lines()
            .take(LOOKED_AT)
            .any(|line| behind(line).is_some());
    if !is_log {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive('\n');
    Cow::Owned(lines.map(|line| behind(line).unwrap_or(line)).collect())
}

/// Returns what stands behind the time of a line, if it has one.
fn behind(line: &str) -> Option<&str> {
    behind_stamp(line).or_else(|| {
        let mut parts = line.splitn(3, '\t');
        let (_job, _step) = (parts.next()?, parts.next()?);
        behind_stamp(parts.next()?)
    })
}

fn behind_stamp(text: &str) -> Option<&str> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let (stamp, rest) = text.split_at_checked(STAMP.len())?;
    let is_like = |(byte, like): (u8, &u8)| match like {
        b'0' => byte.is_ascii_digit(),
        _ => byte == *like,
    };
    let is_stamp = stamp.bytes().zip(STAMP).all(is_like);
    // An editor may have taken the blank away where nothing follows.
    let is_alone = rest
        .trim_start_matches('\r')
        .trim_start_matches('\n')
        .is_empty();
    let rest = rest.strip_prefix(' ').or(is_alone.then_some(rest))?;
    is_stamp.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_loses_its_times() {
        for (log, expected) in [
            (
                "\u{feff}2024-05-06T07:08:09.1234567Z a\n2024-05-06T07:08:09.1234567Z   b\r\n2024-05-06T07:08:09.1234567Z\nc",
                "a\n  b\r\n\nc",
            ),
            (
                "bench\tRun it\t\u{feff}2024-05-06T07:08:09.1234567Z a\tb\nbench\tRun it\t2024-05-06T07:08:09.1234567Z \n",
                "a\tb\n\n",
            ),
            (
                "# Ours\n```\n2024-05-06T07:08:09.1234567Z a\n```\n",
                "# Ours\n```\na\n```\n",
            ),
        ] {
            assert_eq!(without_stamps(log), expected);
        }
        let coloured = "2024-05-06T07:08:09.1234567Z \u{1b}[1ma\u{1b}[0m";
        assert_eq!(bare(coloured.into()), "a");
    }

    #[test]
    fn texts_that_were_put_together_lose_their_marks() {
        for text in [
            "a\r\n\u{feff}b\n",
            "\u{feff}a\r\n\u{feff}\u{feff}b\n",
            "a\r\n\u{1b}[1m\u{feff}b\n",
            "2024-05-06T07:08:09.1234567Z \u{feff}a\r\nb\n",
        ] {
            assert_eq!(bare(text.into()), "a\r\nb\n", "{text:?}");
            assert_eq!(bare(text.to_owned().into()), "a\r\nb\n", "{text:?}");
        }
        assert_eq!(bare("a\u{feff}b".into()), "a\u{feff}b");
    }

    #[test]
    fn what_is_no_log_stays_as_it_is() {
        let late = format!("{}2024-05-06T07:08:09.1234567Z a", "x\n".repeat(LOOKED_AT));
        for text in [
            "",
            "a\nb",
            "2024-05-06T07:08:09Z a",
            "2024-05-06T07:08:09.1234567+ a",
            "2024-05-06T07:08:09.1234567Za",
            "at 2024-05-06T07:08:09.1234567Z a",
            "2024-05-06 07:08:09.1234567Z a",
            "größe größe größe größe größe",
            "{\n2024-05-06T07:08:09.1234567Z a",
            &late,
        ] {
            assert!(matches!(without_stamps(text), Cow::Borrowed(same) if same == text));
        }
    }
}
