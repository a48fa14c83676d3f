//! Entries of one name and one unit: what else is said of each tells them apart, as it does where a history is taken over.
//!
//! Tested below.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::Text;
use tripline_model::few;

/// The member that holds whatever its author likes.
pub(super) const EXTRA: &str = "extra";

/// The longest text that is taken for a label, in bytes.
const LABEL_BYTES_MAX: usize = 128;

/// What tells an entry from others.
#[derive(Deserialize)]
struct Said<'t> {
    #[serde(borrow)]
    name: Text<'t>,
    #[serde(borrow)]
    unit: Option<Text<'t>>,
    #[serde(borrow)]
    extra: Option<Text<'t>>,
}

/// The names and units of which a list holds several entries that are labelled.
pub(super) struct Twins(BTreeSet<(String, String)>);

impl Twins {
    pub(super) fn of(list: &[&RawValue]) -> Self {
        let mut all: BTreeMap<(String, String), Vec<Option<String>>> = BTreeMap::new();
        for entry in list {
            // Of what cannot be read, the reading of it says so.
            let Ok(Said { name, unit, extra }) = serde_json::from_str(entry.get()) else {
                continue;
            };
            let label = extra.filter(|extra| is_label(extra));
            let key = (
                name.to_string(),
                unit.as_deref().unwrap_or_default().to_owned(),
            );
            let labels = all.entry(key).or_default();
            labels.push(label.map(|label| label.to_string()));
        }
        all.retain(|_, labels| {
            let different = few::set_of(labels.iter().flatten());
            labels.len() > 1 && different.len() == labels.len()
        });
        Self(all.into_keys().collect())
    }

    /// Returns whether an entry of that name and unit is told from others by its label.
    pub(super) fn has(&self, name: &str, unit: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&(name.to_owned(), unit.to_owned()))
    }
}

/// Returns whether a text may be a label: not what was measured, which is another text in every run, and no address.
fn is_label(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let is_decimal = |part: &[u8]| is_digit(part[0]) && part[1] == b'.' && is_digit(part[2]);
    !text.trim().is_empty()
        && text.len() <= LABEL_BYTES_MAX
        && !text.contains(['\n', '@'])
        && !text.as_bytes().windows(3).any(is_decimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(entries: &[&str]) -> bool {
        let list = format!("[{}]", entries.join(","));
        let list: Vec<&RawValue> = serde_json::from_str(&list).unwrap();
        Twins::of(&list).has("ram", "MiB")
    }

    #[test]
    fn entries_of_one_name_and_unit_are_told_apart_where_each_has_a_label() {
        let ram = |extra: &str| format!(r#"{{"name": "ram", "unit": "MiB", "extra": {extra}}}"#);
        for (extras, expected) in [
            (&[r#""TCP""#, r#""UDP""#][..], true),
            (&[r#""100k TCP""#, r#""100k UDP""#, r#""SCTP""#], true),
            (&[r#""TCP""#], false),
            (&[r#""TCP""#, r#""TCP""#], false),
            (&[r#""TCP""#, "null"], false),
            (&[r#""TCP""#, r#"["UDP"]"#], false),
            (&[r#""TCP""#, r#""mean 1.5""#], false),
            (&[r#""TCP""#, r#""two\nlines""#], false),
            (&[r#""TCP""#, r#""ada@example.org""#], false),
            (&[r#""TCP""#, r#"" ""#], false),
        ] {
            let entries: Vec<String> = extras.iter().map(|extra| ram(extra)).collect();
            let entries: Vec<&str> = entries.iter().map(|entry| &**entry).collect();
            assert_eq!(has(&entries), expected, "{extras:?}");
        }
        let other = r#"{"name": "ram", "unit": "%", "extra": "UDP"}"#;
        assert!(!has(&[&ram(r#""TCP""#), other]));
        assert!(!has(&["1", "{}"]));
    }
}
