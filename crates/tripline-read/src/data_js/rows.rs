//! The values of a run, as they are taken, and what stood beside each.
//!
//! Tested by `tests/it/data_js/rows.rs`.

use std::borrow::Cow;

use serde_json::value::RawValue;
use tripline_model::{Origin, Point, Said};

use super::loose::{Loose, quoted};
use super::meaning::stem;
use super::people::without_addresses;
use super::shape::Bench;
use super::value::Taken;

/// The most bytes of texts that are kept of a run, so that its record can be read again.
pub(super) const TEXT_BYTES_MAX: usize = 2 * 1024 * 1024;

/// The most bytes of a name or a unit that stand in the row of a series, and so in each set that the series is in.
const ROW_BYTES_MAX: usize = 2 * 1024;

/// A member that is there and holds nothing.
const NULL: &str = "null";

/// The values so far.
pub(super) struct Rows {
    points: Vec<(usize, Point)>,
    values: Vec<(usize, f64)>,
    ranges: Said,
    extras: Said,
    members: Said,
    /// How many bytes of text may still be taken; none where there were too many.
    left: Option<usize>,
}

impl Rows {
    pub(super) fn of(count: usize) -> Self {
        Self {
            points: Vec::with_capacity(count),
            values: Vec::new(),
            ranges: Said::default(),
            extras: Said::default(),
            members: Said::default(),
            left: Some(TEXT_BYTES_MAX),
        }
    }

    /// Takes a value of a series, and says no where from here on texts are left out.
    pub(super) fn push(
        &mut self,
        series: usize,
        taken: &Taken<'_>,
        extra: Option<&str>,
        members: Option<&str>,
    ) -> bool {
        let row = self.points.len();
        self.points.push((series, taken.point));
        self.values.extend(taken.value.map(|value| (row, value)));
        let had_room = self.left.is_some();
        let extra = extra.map(without_addresses);
        let texts = [
            (&mut self.ranges, taken.range.as_deref()),
            (&mut self.extras, extra.as_deref()),
            (&mut self.members, members),
        ];
        for (said, text) in texts {
            let Some(text) = text else { continue };
            self.left = self.left.and_then(|left| left.checked_sub(text.len()));
            if self.left.is_some() {
                said.push(row, text);
            }
        }
        self.left.is_some() || !had_room
    }

    pub(super) fn end(self) -> (Vec<(usize, Point)>, Origin) {
        let origin = Origin {
            values: self.values.into(),
            ranges: self.ranges,
            extras: self.extras,
            members: self.members,
            ..Origin::default()
        };
        (self.points, origin)
    }
}

/// Returns a name or a unit as far as it stands in the row of a series; the same in whichever run it is met.
pub(super) fn in_a_row(text: &str) -> &str {
    &text[..text.floor_char_boundary(ROW_BYTES_MAX)]
}

/// Returns the members of a benchmark that nothing else keeps, as pairs of JSON, and whether one of them is left out: what
/// holds the sign of an address may be one.
pub(super) fn members_of(bench: &Bench<'_>) -> (Option<String>, bool) {
    let mut pairs: Vec<(&str, Cow<'_, str>)> = Vec::new();
    let is_cut = |text: &Cow<'_, str>, row: &str| row.len() != text.len();
    if let Some(name) = bench
        .name
        .text()
        .filter(|name| is_cut(name, in_a_row(name)))
    {
        pairs.push(("name", quoted(name).into()));
    }
    if let Some(unit) = bench
        .unit
        .text()
        .filter(|unit| is_cut(unit, in_a_row(stem(unit))))
    {
        pairs.push(("unit", quoted(&without_addresses(unit)).into()));
    }
    // A value that is a text, which says how many digits there were.
    let value = bench.value.map(RawValue::get);
    let value = value.filter(|value| value.starts_with('"'));
    pairs.extend(value.map(|value| ("value", value.into())));
    let members = [
        ("unit", &bench.unit),
        ("range", &bench.range),
        ("extra", &bench.extra),
    ];
    for (name, member) in members {
        let text: Cow<'_, str> = match member {
            Loose::Number(number) => number.to_string().into(),
            Loose::Truth(truth) => truth.to_string().into(),
            Loose::Json(json) => Cow::Borrowed(json),
            Loose::Null => NULL.into(),
            Loose::Text(_) | Loose::Nothing => continue,
        };
        pairs.push((name, text));
    }
    let others = bench.others.iter();
    pairs.extend(others.map(|(name, raw)| (&**name, raw.get().into())));
    let count = pairs.len();
    let may_be_address = |text: &str| text.contains('@') || text.contains("\\u0040");
    // Texts of these are without one already, where none may be.
    let is_cleared = |name, text: &str| matches!(name, "name" | "unit") && text.starts_with('"');
    pairs.retain(|(name, text)| {
        is_cleared(*name, text) || !may_be_address(name) && !may_be_address(text)
    });
    let is_less = bench.has_more || pairs.len() < count;
    let pair = |(name, text): &(&str, Cow<'_, str>)| format!("[{},{text}]", quoted(name));
    let text: Vec<String> = pairs.iter().map(pair).collect();
    let text = (!text.is_empty()).then(|| format!("[{}]", text.join(",")));
    (text, is_less)
}
