//! The samples of `perf script`: a line that begins with the program's name, its stack below it, innermost first, and an
//! empty line.

use tripline_model::{Frame, Profile};

use super::{DEPTH_MAX, Wrong};

const ALL: &str = "all";

/// What perf writes where it has no name.
const UNKNOWN: &str = "[unknown]";

pub(super) fn is_one(text: &str) -> bool {
    let mut lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_head = lines.next().is_some_and(|line| program_of(line).is_some());
    is_head
        && lines
            .next()
            .is_none_or(|line| function_of(line).is_some() || program_of(line).is_some())
}

pub(super) fn read(text: &str) -> Result<Profile, Wrong> {
    let mut root = Frame::new(ALL);
    let mut stack: Vec<&str> = Vec::new();
    let mut last = 1;
    for (line, text) in (1..).zip(text.lines()) {
        last = line;
        if text.starts_with('#') {
            continue;
        }
        if text.trim().is_empty() {
            add(&mut root, &mut stack);
        } else if text.starts_with([' ', '\t']) && !stack.is_empty() {
            let function =
                function_of(text).ok_or_else(|| (line, "a damaged line of a stack".to_owned()))?;
            stack.push(function);
        } else {
            add(&mut root, &mut stack);
            let program = program_of(text).ok_or_else(|| {
                (
                    line,
                    "a damaged sample: its program, number and time are missing".to_owned(),
                )
            })?;
            if names_a_function(text) {
                let what = "its samples have no stacks: record them with `perf record -g`";
                return Err((line, what.to_owned()));
            }
            stack.push(program);
        }
    }
    // perf ends every sample with an empty line.
    if !stack.is_empty() {
        return Err((last, "the profile is cut off in a sample".to_owned()));
    }
    add(&mut root, &mut stack);
    Ok(Profile {
        unit: "samples".to_owned(),
        root,
    })
}

/// Adds a sample, whose program stands first and whose innermost function second.
fn add(root: &mut Frame, stack: &mut Vec<&str>) {
    let Some((program, functions)) = stack.split_first() else {
        return;
    };
    root.cost += 1;
    let mut frame = root.call(program);
    frame.cost += 1;
    for function in functions.iter().rev().take(DEPTH_MAX) {
        frame = frame.call(function);
        frame.cost += 1;
    }
    stack.clear();
}

/// Returns the program of a line such as `scan 123 [001] 12.5: 1 cpu-clock:`: its name may have blanks, its number ends it.
fn program_of(line: &str) -> Option<&str> {
    let is_time = |word: &str| {
        let parts = word.strip_suffix(':').and_then(|time| time.split_once('.'));
        parts.is_some_and(|(seconds, rest)| {
            seconds.parse::<u64>().is_ok() && rest.parse::<u64>().is_ok()
        })
    };
    if !line.split_ascii_whitespace().any(is_time) {
        return None;
    }
    let is_number = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'/')
    };
    let words = line.split_ascii_whitespace();
    let number = words.skip(1).find(|word| is_number(word))?;
    let at = number.as_ptr().addr() - line.as_ptr().addr();
    Some(line[..at].trim()).filter(|name| !name.is_empty())
}

/// Returns whether a sample's function stands in its first line, as it does where no stacks were recorded.
fn names_a_function(line: &str) -> bool {
    let rest = line.trim_end().rsplit_once(": ").map(|(_, rest)| rest);
    rest.is_some_and(|rest| rest.ends_with(')') && function_of(rest).is_some())
}

/// Returns the function of a line such as `  7f3a scan::probe+0x12 (/usr/bin/scan)`.
fn function_of(line: &str) -> Option<&str> {
    let (address, rest) = line.trim().split_once(' ')?;
    if address.is_empty() || !address.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let symbol = rest
        .rsplit_once(" (")
        .map_or(rest, |(symbol, _)| symbol)
        .trim();
    let name = match symbol.rsplit_once("+0x") {
        Some((name, offset)) if offset.bytes().all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => symbol,
    };
    Some(if name.is_empty() { UNKNOWN } else { name })
}
