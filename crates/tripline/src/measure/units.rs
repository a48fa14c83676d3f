//! How much a program worked through, as it says itself: a line of stdout with nothing but `{"units":{"port":10000}}`.
//!
//! Tested below.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The most that is counted exactly.
const UNITS_MAX: u64 = 1 << 53;

/// How the line begins, but for blanks.
const BEGIN: &str = "{\"units\":";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    units: BTreeMap<String, u64>,
}

/// Returns how many of a unit a program worked through, as its stdout says.
pub(super) fn count(stdout: &[u8], unit: &str) -> Result<u64, String> {
    let text = String::from_utf8_lossy(stdout);
    let without_blanks = |line: &str| {
        line.chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
    };
    let mut said: Option<Line> = None;
    for line in text.lines().filter(|line| line.contains("\"units\"")) {
        if !without_blanks(line).starts_with(BEGIN) {
            continue;
        }
        let read = serde_json::from_str(line).map_err(|error| {
            let text = error.to_string();
            let why = text.split(" at line ").next().unwrap_or_default();
            format!("its line of units cannot be read: {why}; {}", advice(unit))
        })?;
        if said.replace(read).is_some() {
            return Err(format!(
                "it has two lines of units, and one was expected; {}",
                advice(unit)
            ));
        }
    }
    let Some(Line { units }) = said else {
        return Err(format!(
            "it did not say how many units of `{unit}` it worked through; {}",
            advice(unit)
        ));
    };
    match units.get(unit) {
        Some(count @ 1..=UNITS_MAX) => Ok(*count),
        Some(count) => Err(format!(
            "it says that it worked through {count} units of `{unit}`, by which nothing can be divided"
        )),
        None => {
            let known: Vec<String> = units
                .keys()
                .map(|known| format!("`{}`", known.escape_debug()))
                .collect();
            let known = known.join(", ");
            Err(format!(
                "it counted {known} and no `{unit}`; {}",
                advice(unit)
            ))
        }
    }
}

fn advice(unit: &str) -> String {
    format!(
        "have it write the line {{\"units\":{{\"{unit}\":N}}}} to stdout, or take `per` out of the step"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_found_among_others() {
        let text = b"22 open\n{\"open\":[22]}\n { \"units\" : {\"port\": 10000, \"probe\":3} }\nbye \xff\n";
        assert_eq!(count(text, "port"), Ok(10_000));
    }

    #[test]
    fn a_count_that_is_not_there_is_no_count() {
        let problem = |text: &str| count(text.as_bytes(), "port").expect_err(text);
        insta::assert_snapshot!(problem("22 open\n"), @r#"it did not say how many units of `port` it worked through; have it write the line {"units":{"port":N}} to stdout, or take `per` out of the step"#);
        insta::assert_snapshot!(problem("{\"units\":{\"probe\":3}}"), @r#"it counted `probe` and no `port`; have it write the line {"units":{"port":N}} to stdout, or take `per` out of the step"#);
        insta::assert_snapshot!(problem("{\"units\":{\"port\":0}}"), @"it says that it worked through 0 units of `port`, by which nothing can be divided");
        insta::assert_snapshot!(problem("{\"units\":{\"port\":1.5}}"), @r#"its line of units cannot be read: invalid type: floating point `1.5`, expected u64; have it write the line {"units":{"port":N}} to stdout, or take `per` out of the step"#);
        insta::assert_snapshot!(problem("{\"units\":{\"port\":1}}\n{\"units\":{\"port\":1}}"), @r#"it has two lines of units, and one was expected; have it write the line {"units":{"port":N}} to stdout, or take `per` out of the step"#);
    }
}
