//! JSON as `JSON.stringify` writes it with two blanks, so that the action that adds to a file next leaves it as it is.
//!
//! Tested below, and by `tests/render/export`.

use crate::{Exported, escape};

pub(super) fn quoted(text: &str) -> String {
    escape::json(serde_json::Value::from(text).to_string())
}

/// Writes a value.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    match value.abs() {
        // JavaScript gives an exponent a sign.
        1e21.. => format!("{value:e}").replace('e', "e+"),
        1e-6.. => value.to_string(),
        _ => format!("{value:e}"),
    }
}

/// Writes an object whose beginning is so far in.
pub(super) fn object(indent: usize, members: &[(&str, String)]) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|(name, text)| format!("{}: {text}", quoted(name)))
        .collect();
    framed(indent, '{', &members, '}')
}

pub(super) fn list(indent: usize, elements: &[String]) -> String {
    framed(indent, '[', elements, ']')
}

fn framed(indent: usize, begin: char, parts: &[String], end: char) -> String {
    if parts.is_empty() {
        return format!("{begin}{end}");
    }
    let between = format!(",\n{}", " ".repeat(indent + 2));
    let bytes: usize = parts.iter().map(|part| between.len() + part.len()).sum();
    // A whole history is held in such texts, so none takes more room than it needs.
    let mut text = String::with_capacity(bytes + indent + 3);
    text.push(begin);
    let mut before = &between[1..];
    for part in parts {
        text.extend([before, part]);
        before = &between;
    }
    text.extend(["\n", &between[2..2 + indent]]);
    text.push(end);
    text
}

/// Writes an object in pieces, whose members begin so far in.
pub(super) fn enclosed<'a, T>(
    out: &mut Exported<'a>,
    indent: usize,
    members: Vec<T>,
    mut write: impl FnMut(&mut Exported<'a>, T),
) {
    if members.is_empty() {
        out.push("{}");
        return;
    }
    let margin = " ".repeat(indent);
    let mut before = "{\n";
    for member in members {
        out.push(format!("{before}{margin}"));
        write(out, member);
        before = ",\n";
    }
    out.push(format!("\n{}}}", " ".repeat(indent - 2)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_as_javascript_writes_it() {
        for (value, expected) in [
            (-0.0, "0"),
            (2.0, "2"),
            (-1.5, "-1.5"),
            (1e-6, "0.000001"),
            (-1.5e-7, "-1.5e-7"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (-1.25e300, "-1.25e+300"),
        ] {
            assert_eq!(number(value), expected);
        }
    }
}
