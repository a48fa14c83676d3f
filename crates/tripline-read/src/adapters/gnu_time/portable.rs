//! The three lines that every `time -p` prints, and that shells print by themselves: the clock on the wall, and what the
//! program and the kernel worked. Nothing says the command. Tested below and by `fixtures/gnu_time`.

use super::block::{Values, spelled};
use crate::quantity;

/// How the lines begin, in their order.
const LABELS: [&str; 3] = ["real", "user", "sys"];

/// How many digits `time -p` writes behind the point.
const DECIMALS: usize = 2;

/// Lines that have begun.
#[derive(Debug)]
pub(super) struct Begun {
    /// Where the first of them stands.
    pub(super) line: usize,
    times: Vec<f64>,
}

/// What a line is to those before it.
#[derive(Debug)]
pub(super) enum Taken {
    /// More lines belong to it.
    Begun(Begun),
    /// It was the last of the three.
    Ended(usize, Values),
    /// It does not follow the one before it.
    Stray,
}

/// Returns whether a line of a text begins such a block.
pub(super) fn is_in(text: &str) -> bool {
    let is_first = |line: &str| matches!(parse(line.trim_start()), Some((0, _)));
    text.lines().any(is_first)
}

/// Takes a line; none where it is none of the three.
pub(super) fn take(begun: &mut Option<Begun>, line: usize, text: &str) -> Option<Taken> {
    let (index, time) = parse(text)?;
    let mut block = match (index, begun.take()) {
        (0, open) => {
            let new = Begun {
                line,
                times: vec![time],
            };
            // The one before is incomplete, and this begins another.
            if open.is_some() {
                *begun = Some(new);
                return Some(Taken::Stray);
            }
            return Some(Taken::Begun(new));
        }
        (_, Some(open)) if open.times.len() == index => open,
        (_, open) => {
            *begun = open;
            return Some(Taken::Stray);
        }
    };
    block.times.push(time);
    Some(match block.times[..] {
        [wall, user, system] => Taken::Ended(block.line, Values::of_times(wall, user, system)),
        _ => Taken::Begun(block),
    })
}

/// Reads `real 0.10`, or `real\t0m0.102s` as shells print it.
fn parse(text: &str) -> Option<(usize, f64)> {
    let (label, number) = text.split_once([' ', '\t'])?;
    let index = LABELS.iter().position(|known| *known == label)?;
    let number = number.trim_start().replace(',', ".");
    let has_digits = |number: &str| number.starts_with(|c: char| c.is_ascii_digit());
    let seconds = quantity::nanoseconds("s")?;
    if let Some(time) = spelled(&number) {
        return Some((index, time));
    }
    let (_, fraction) = number.split_once('.')?;
    let is_whole = fraction.len() == DECIMALS && has_digits(&number);
    let time = seconds.of_text(&number).filter(|_| is_whole)?;
    Some((index, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_times() {
        for (text, expected) in [
            ("real 0.10", Some((0, 0.1e9))),
            ("user 12,50", Some((1, 12.5e9))),
            ("sys\t1m2.500s", Some((2, 62.5e9))),
            ("real\t0m0,102s", Some((0, 0.102e9))),
            ("real\t0m 0.10s", Some((0, 0.1e9))),
            ("real\t1h 02m 03s", Some((0, 3723e9))),
            ("real 0.1", None),
            ("real world 1.00", None),
            ("real 0m0.102", None),
            ("users 1.00", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
