//! The two lines that GNU `time` prints where no form is asked for. Nothing says the command. Tested below and by
//! `fixtures/gnu_time`.

use super::block::Values;

/// Lines that have begun.
pub(super) struct Begun<'d> {
    /// Where the first of them stands.
    pub(super) line: usize,
    pub(super) values: Values,
    pub(super) failure: Option<&'d str>,
}

/// Reads `0.20user 0.01system 0:00.31elapsed 70%CPU (0avgtext+0avgdata 2072maxresident)k`.
pub(super) fn first(text: &str) -> Option<Values> {
    let mut words = text.split_ascii_whitespace();
    let mut values = Values::default();
    for (behind, metric) in [
        ("user", "user_time"),
        ("system", "system_time"),
        ("elapsed", "wall_time"),
        ("%CPU", ""),
        ("avgdata", ""),
        ("maxresident)k", "resident_peak"),
    ] {
        let number = words.next()?.strip_suffix(behind)?;
        if !metric.is_empty() {
            values.set(metric, number)?;
        }
    }
    words.next().is_none().then_some(values)
}

/// Reads the line below it into its values: `0inputs+8outputs (0major+124minor)pagefaults 0swaps`.
pub(super) fn second(values: &mut Values, text: &str) -> Option<()> {
    let text = text.strip_suffix("swaps")?;
    let (inputs, rest) = text.split_once("inputs+")?;
    let (outputs, rest) = rest.split_once("outputs (")?;
    let (major, rest) = rest.split_once("major+")?;
    let (minor, _) = rest.split_once("minor)pagefaults ")?;
    values.set("file_system_inputs", inputs)?;
    values.set("file_system_outputs", outputs)?;
    values.set("major_page_faults", major)?;
    values.set("minor_page_faults", minor)
}

/// Returns whether a line is like the first one, or like the second.
pub(super) fn is_like(text: &str) -> bool {
    ["maxresident)k", "inputs+", ")pagefaults "]
        .iter()
        .any(|part| text.contains(part))
}

/// Returns whether a line that a text ends within may be one of the two.
pub(super) fn is_begun(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && !is_like(text)
}

/// Returns whether a text has the first of such lines.
pub(super) fn is_in(text: &str) -> bool {
    text.lines().any(|line| first(line).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_not_whole_are_none() {
        let whole =
            "0.20user 0.01system 1:02:03elapsed 70%CPU (0avgtext+0avgdata 2072maxresident)k";
        assert!(first(whole).is_some());
        assert!(first(&whole.replace("70%", "?%")).is_some());
        for damaged in [
            whole.replace("0.20", "0.2x"),
            whole.replace(" 0.01system", ""),
            whole.replace(")k", ""),
            format!("{whole} x"),
        ] {
            assert!(first(&damaged).is_none(), "{damaged}");
        }
        let whole = "0inputs+8outputs (0major+124minor)pagefaults 0swaps";
        assert!(second(&mut Values::default(), whole).is_some());
        for damaged in [whole.replace("124", ""), whole.replace(" 0swaps", "")] {
            assert!(second(&mut Values::default(), &damaged).is_none());
            assert!(is_like(&damaged), "{damaged}");
        }
    }
}
