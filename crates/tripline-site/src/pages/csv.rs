//! Tables for spreadsheets, quoted as RFC 4180 says; and so that no cell is taken for a formula.

/// Adds a row.
pub(super) fn row(out: &mut String, fields: &[&str]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        // A spreadsheet calculates what begins so; a number may begin with a sign.
        let is_formula =
            field.starts_with(['=', '+', '-', '@', '\t', '\r']) && field.parse::<f64>().is_err();
        let field = if is_formula {
            ["'", field].concat()
        } else {
            (*field).to_owned()
        };
        if field.contains(['"', ',', '\n', '\r']) {
            out.push('"');
            out.push_str(&field.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&field);
        }
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_calculate_nothing() {
        let mut out = String::new();
        row(&mut out, &["a,b", "say \"x\"", "=1+1", "-2.5", "@SUM(A1)"]);
        assert_eq!(out, "\"a,b\",\"say \"\"x\"\"\",'=1+1,-2.5,'@SUM(A1)\r\n");
    }
}
