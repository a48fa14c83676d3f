//! Takes out the times that GitHub, GitLab, Jenkins and Kubernetes put before each line of a log, and what they put around
//! those: the job and the step, or the stream.
//!
//! Who keeps such a log has the output of a harness in it, and nothing else writes such times at the beginning of a line.
//! Tested below.

use std::borrow::Cow;

use crate::colours::{ESCAPE, without_colours};

/// What a time looks like up to the digits behind its point, a digit standing for any.
const STAMP: &[u8] = b"0000-00-00T00:00:00.";

/// How many digits GitHub writes behind that, and `kubectl logs --timestamps`. Before Kubernetes 1.27 that left zeros at their
/// end out, so that some of its lines have fewer.
const DIGITS_OF_GITHUB: usize = 7;
const DIGITS_OF_KUBERNETES: usize = 9;

/// What Kubernetes writes behind a time, for a line that is whole.
const STREAMS: [&str; 2] = ["stdout F ", "stderr F "];

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
    let is_json = text.starts_with(['{', '[']) && behind_stamp(text).is_none();
    let looked_at = || text.lines().take(LOOKED_AT);
    if is_json || !looked_at().any(|line| behind(line).is_some()) {
        return Cow::Borrowed(text);
    }
    let may_be_short = looked_at().any(is_of_kubectl);
    let mut bare = String::with_capacity(text.len());
    // What GitLab wrote later of a line leaves an empty one, so that all others keep their numbers. It stands above the line,
    // because what follows may belong to that.
    let mut joined = String::new();
    let mut last = "";
    for line in text.split_inclusive('\n') {
        let short = || behind_short(line).filter(|_| may_be_short);
        let found = behind(line).or_else(|| Some((short()?, "")));
        let (rest, stream) = found.unwrap_or((line, ""));
        match stream.strip_suffix('+') == Some(last) && joined.ends_with('\n') {
            true => {
                joined.pop();
                bare.push('\n');
            }
            false => {
                bare.push_str(&joined);
                joined.clear();
            }
        }
        joined.push_str(rest);
        last = stream.trim_end_matches('+');
    }
    bare.push_str(&joined);
    Cow::Owned(bare)
}

/// Returns what stands behind the time of a line, if it has one, and of GitLab's the stream, as in [`behind_stream`].
fn behind(line: &str) -> Option<(&str, &str)> {
    behind_stamp(line).or_else(|| {
        let mut parts = line.splitn(3, '\t');
        let (_job, _step) = (parts.next()?, parts.next()?);
        behind_stamp(parts.next()?)
    })
}

fn behind_stamp(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    if let Some(inside) = text.strip_prefix('[') {
        let (_, rest) = behind_time(inside)?;
        return Some((behind_blank(rest.strip_prefix(']')?)?, ""));
    }
    let (digits, rest) = behind_time(text)?;
    let rest = behind_blank(rest)?;
    let mut streams = STREAMS.iter();
    if let Some(whole) = streams.find_map(|stream| rest.strip_prefix(stream)) {
        return Some((whole, ""));
    }
    match digits {
        DIGITS_OF_GITHUB => Some((rest, "")),
        DIGITS_OF_KUBERNETES => behind_stream(rest).or(Some((rest, ""))),
        _ => behind_stream(rest),
    }
}

/// Returns whether a line begins with a time as `kubectl` writes it, and with nothing else.
fn is_of_kubectl(line: &str) -> bool {
    let is_alone = || {
        behind_stamp(line).is_some_and(|(rest, stream)| {
            let stamped = &line[..line.len() - rest.len()];
            stream.is_empty() && !STREAMS.iter().any(|stream| stamped.ends_with(stream))
        })
    };
    behind_time(line).is_some_and(|(digits, _)| digits == DIGITS_OF_KUBERNETES) && is_alone()
}

/// Returns what stands behind a time that has lost the zeros at its end.
fn behind_short(line: &str) -> Option<&str> {
    let (digits, rest) = behind_time(line)?;
    behind_blank(rest).filter(|_| (1..DIGITS_OF_KUBERNETES).contains(&digits))
}

/// Returns how many digits the time has that a text begins with, behind its point, and what follows it and its zone.
fn behind_time(text: &str) -> Option<(usize, &str)> {
    let (stamp, rest) = text.split_at_checked(STAMP.len())?;
    let is_like = |(byte, like): (u8, &u8)| match like {
        b'0' => byte.is_ascii_digit(),
        _ => byte == *like,
    };
    if !stamp.bytes().zip(STAMP).all(is_like) {
        return None;
    }
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let zoned = behind.strip_prefix('Z').or_else(|| behind_offset(behind))?;
    Some((rest.len() - behind.len(), zoned))
}

/// Returns what stands behind how far a time is from that of Greenwich: `+02:00`.
fn behind_offset(text: &str) -> Option<&str> {
    let (offset, rest) = text.split_at_checked("+00:00".len())?;
    let [b'+' | b'-', hours @ .., b':', tens, ones] = offset.as_bytes() else {
        return None;
    };
    let mut digits = hours.iter().chain([tens, ones]);
    digits.all(u8::is_ascii_digit).then_some(rest)
}

/// Returns what stands behind the number and the letter of a stream, and these, as GitLab writes them: `00O `, and `00O+`
/// before what belongs to that stream's line before.
fn behind_stream(text: &str) -> Option<(&str, &str)> {
    let (stream, rest) = text.split_at_checked(3)?;
    let [first, second, b'O' | b'E'] = stream.as_bytes() else {
        return None;
    };
    if !(first.is_ascii_hexdigit() && second.is_ascii_hexdigit()) {
        return None;
    }
    match rest.strip_prefix('+') {
        Some(rest) => Some((rest, &text[..stream.len() + 1])),
        None => Some((behind_blank(rest)?, stream)),
    }
}

/// Returns what stands behind a blank, which an editor may have taken away where nothing follows.
fn behind_blank(text: &str) -> Option<&str> {
    let is_alone = || text.trim_end_matches(['\r', '\n']).is_empty();
    let rest = text.strip_prefix(' ');
    rest.or_else(|| is_alone().then_some(text))
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
            (
                "2024-05-22T12:43:46.962646Z 00O  a\n2024-05-22T12:43:46.962646Z 0fE b\r\n2024-05-22T12:43:46.962646Z 00O\n",
                " a\nb\r\n\n",
            ),
            (
                "2024-05-22T12:43:46.962646Z 00O a \n2024-05-22T12:43:47.962646Z 00O+b\n2024-05-22T12:43:48.962646Z 00O+c\nd",
                "\n\na bc\nd",
            ),
            (
                "2024-05-22T12:43:46.962646Z 00O a\n2024-05-22T12:43:46.962646Z 00O\n2024-05-22T12:43:46.962646Z 00O+b\n",
                "a\n\nb\n",
            ),
            (
                "2024-05-22T12:43:46.962646Z 00O a \r\n2024-05-22T12:43:47.962646Z 00O+b",
                "\na \rb",
            ),
            (
                "2024-05-22T12:43:46.962646Z 01E a\r\n2024-05-22T12:43:46.962646Z 01O b\n2024-05-22T12:43:46.962646Z 01E+c\r\n2024-05-22T12:43:46.962646Z 02E+d\n2024-05-22T12:43:46.962646Z 02E+e\n",
                "a\r\nb\nc\r\n\nde\n",
            ),
            (
                "[2024-05-22T12:43:46.962Z] + a\n[2024-05-22T12:43:46.962Z]\n",
                "+ a\n\n",
            ),
            (
                "2024-05-22T12:43:46.962646123Z stdout F a\n2024-05-22T12:43:46.962646Z stderr F b\n",
                "a\nb\n",
            ),
            (
                "2024-05-22T12:43:46.962646123+02:00 stdout F a\n2024-05-22T12:43:46.9626-11:30 stderr F b\n",
                "a\nb\n",
            ),
            (
                "2024-05-22T12:43:46.962646123Z  a\n2024-05-22T12:43:46.96264612Z b\n2024-05-22T12:43:46.962646123Z\n",
                " a\nb\n\n",
            ),
            (
                "2024-05-22T12:43:46.962646123+02:00 a\n2024-05-22T12:43:46.9+02:00 b\n",
                "a\nb\n",
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
            "2024-05-06T07:08:09.123456Z a",
            "2024-05-06T07:08:09.123456Z 0xO a",
            "2024-05-06T07:08:09.123456789+02 a",
            "2024-05-06T07:08:09.123456789+0200: a",
            "2024-05-06T07:08:09.123456789+02:00a",
            "2024-05-06T07:08:09.123456789 a",
            "2024-05-06T07:08:09.123456Z 00Oa",
            "[2024-05-06T07:08:09.123Z a",
            "[2024, 5]",
            &late,
        ] {
            assert!(matches!(without_stamps(text), Cow::Borrowed(same) if same == text));
        }
    }
}
