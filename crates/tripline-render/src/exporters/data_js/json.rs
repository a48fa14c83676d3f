//! JSON as `JSON.stringify` writes it with two blanks, so that the action that adds to a file next leaves it as it is.

use crate::{Exported, escape};

pub(super) fn quoted(text: &str) -> String {
    escape::json(serde_json::Value::from(text).to_string())
}

/// Writes a value. What is so large that JavaScript would write it with an exponent is left as it is.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e-6 {
        value.to_string()
    } else {
        format!("{value:e}")
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
