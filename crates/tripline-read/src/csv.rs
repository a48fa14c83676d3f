//! Lines of fields between commas, or whatever stands there instead. A field in quotes holds a quote as two.
//!
//! Tested below.

use std::borrow::Cow;

/// Returns the fields of a line; none where a quote is not closed, or something follows one that is.
pub(crate) fn fields(line: &str, delimiter: char) -> Option<Vec<Cow<'_, str>>> {
    let placed = placed_fields(line, delimiter)?;
    Some(placed.into_iter().map(|(_, field)| field).collect())
}

/// Returns the fields of a line as [`fields`] does, each with the byte at which it begins.
pub(crate) fn placed_fields(line: &str, delimiter: char) -> Option<Vec<(usize, Cow<'_, str>)>> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let at = line.len() - rest.len();
        let (field, after) = match rest.strip_prefix('"') {
            Some(inside) => quoted(inside)?,
            None => {
                let end = rest.find(delimiter).unwrap_or(rest.len());
                (Cow::Borrowed(&rest[..end]), &rest[end..])
            }
        };
        fields.push((at, field));
        match after.strip_prefix(delimiter) {
            Some(after) => rest = after,
            None => return after.is_empty().then_some(fields),
        }
    }
}

/// Reads up to the quote that closes a field, and returns what follows it as well.
fn quoted(inside: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut from = 0;
    loop {
        let end = from + inside[from..].find('"')?;
        let after = &inside[end + 1..];
        if after.starts_with('"') {
            from = end + 2;
            continue;
        }
        let text = &inside[..end];
        let field = match from {
            0 => Cow::Borrowed(text),
            _ => Cow::Owned(text.replace("\"\"", "\"")),
        };
        return Some((field, after));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_taken_out_of_their_quotes() {
        for (line, expected) in [
            ("a,b", Some(&["a", "b"][..])),
            ("", Some(&[""])),
            (",", Some(&["", ""])),
            (r#""a,b",c"#, Some(&["a,b", "c"])),
            (r#"a,"b ""c"" d""#, Some(&["a", r#"b "c" d"#])),
            (r#""""a","""#, Some(&[r#""a"#, ""])),
            (r#""""#, Some(&[""])),
            (r#""a"b,c"#, None),
            (r#"a,"b"#, None),
            (r#"a"b,c"#, Some(&[r#"a"b"#, "c"])),
        ] {
            let found = fields(line, ',');
            let found = found.as_ref().map(|all| all.iter().map(|f| &**f).collect());
            assert_eq!(found, expected.map(<[&str]>::to_vec), "{line}");
        }
        assert_eq!(fields("a,1;b", ';').unwrap().len(), 2);
    }
}
