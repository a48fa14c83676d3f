//! A figure and a fact as they stand in a page of Markdown, harmless in a sentence and in a cell of a table.
//!
//! Tested below.

use tripline_model::{Summary, Unit};

use tripline_model::number;

use crate::escape;

/// Returns a number with its unit and, where it was measured more than once and varied, by how much the value farthest
/// from the middle differs from it, in whole percent.
#[must_use]
pub fn figure(summary: &Summary, unit: &Unit) -> String {
    let value = number::value(summary.center, unit);
    let value = match unit {
        // A symbol that we do not know may be anything.
        Unit::Other(_) => escape::markdown_cell(&value),
        _ => value,
    };
    let farthest = (summary.high - summary.center).max(summary.center - summary.low);
    let percent = (100.0 * farthest / summary.center).ceil();
    if farthest > 0.0 && percent.is_finite() {
        format!("{value} ± {percent} %")
    } else {
        value
    }
}

/// Returns a text that somebody else wrote, as code.
#[must_use]
pub fn fact(text: &str) -> String {
    escape::markdown_cell(text)
}

#[cfg(test)]
mod tests {
    use tripline_model::{Summary, Unit, UnitSymbol};

    use super::{fact, figure};

    #[test]
    fn figures_say_how_far_they_spread() {
        for (center, low, high, unit, wanted) in [
            (68.8, 68.8, 68.8, Unit::Nanosecond, "68.80 ns"),
            (2000.0, 1900.0, 2050.0, Unit::Nanosecond, "2.000 µs ± 5 %"),
            (2000.0, 1999.0, 2001.0, Unit::Nanosecond, "2.000 µs ± 1 %"),
            (415_035.0, 415_035.0, 415_035.0, Unit::Count, "415,035"),
            (0.0, 0.0, 7.0, Unit::Count, "0"),
            (0.0, 0.0, 0.0, Unit::Byte, "0 B"),
            (1.5, 1.5, 1.5, Unit::Ratio, "1.500"),
        ] {
            let summary = Summary {
                center,
                low,
                high,
                count: 3,
            };
            assert_eq!(figure(&summary, &unit), wanted);
        }
    }

    #[test]
    fn what_others_wrote_is_code() {
        assert_eq!(fact("a | [b](c) @d"), "`a \\| [b](c) @d`");
        let summary = Summary {
            center: 7.0,
            low: 7.0,
            high: 7.0,
            count: 1,
        };
        let unit = Unit::Other(UnitSymbol::new("|<b>").unwrap());
        assert_eq!(figure(&summary, &unit), "`7 \\|<b>`");
    }
}
