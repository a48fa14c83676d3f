//! What a suite was called elsewhere, as a fact: whole, so that two titles stay two however late they differ.
//!
//! A fact holds no character that a terminal would obey, and a title may. Such a title is kept as JSON writes it, within
//! quotes. Tested below.

use std::borrow::Cow;
use std::fmt::Write as _;

use tripline_model::is_harmless;

/// Returns a title as a fact can hold it.
pub(crate) fn written_title(title: &str) -> Cow<'_, str> {
    let is_plain = !title.starts_with('"') && !title.trim().is_empty();
    if is_plain && title.chars().all(is_harmless) {
        return title.into();
    }
    let mut written = "\"".to_owned();
    for c in title.chars() {
        if is_harmless(c) && !matches!(c, '"' | '\\') {
            written.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(written, "\\u{unit:04x}").expect("writing to a text cannot fail");
        }
    }
    written.push('"');
    written.into()
}

/// Returns the title that a fact holds.
pub(crate) fn read_title(written: &str) -> Cow<'_, str> {
    match serde_json::from_str::<String>(written) {
        Ok(title) => title.into(),
        Err(_) => written.into(),
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::FactValue;

    use super::*;

    #[test]
    fn a_title_comes_back_whatever_it_holds() {
        let long = "x".repeat(4096);
        for title in [
            "Rust Benchmark",
            " größe ",
            "",
            " ",
            "\"quoted\"",
            "a\\b",
            "\"a\\b",
            "two\nlines \u{202E}and \u{E0001} more",
            &long,
        ] {
            let written = written_title(title);
            assert!(FactValue::new(&*written).is_ok(), "{written}");
            assert_eq!(read_title(&written), title);
        }
    }
}
