//! Real series in which people marked what they took for change points: the Turing Change Point Dataset.
//!
//! The dataset is not ours to ship. Whoever has a copy can score the detectors on it. Series of several variables are
//! left out, and where a value is missing, as the dataset's own study does for detectors of one variable.
//!
//! Tests: both files of the dataset are read as they are written.

use std::collections::BTreeMap;

use serde_json::Value;

use super::comparison::{DETECTORS, Detector};
use super::score::{cover_of_opinions, f1_of_opinions};
use crate::simulation::Table;

/// A series and what people marked in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotated {
    /// The values.
    pub values: Vec<f64>,
    /// What each person marked.
    pub opinions: Vec<Vec<usize>>,
}

/// Reads what people marked in each series, by its name.
///
/// # Errors
/// The text is not of the dataset's form.
pub fn read_opinions(text: &str) -> serde_json::Result<BTreeMap<String, Vec<Vec<usize>>>> {
    let all: BTreeMap<String, BTreeMap<String, Vec<usize>>> = serde_json::from_str(text)?;
    let opinions = all
        .into_iter()
        .map(|(name, people)| (name, people.into_values().collect()));
    Ok(opinions.collect())
}

/// Reads the values of a series. `None` where there are several variables, or a value is missing.
///
/// # Errors
/// The text is no JSON.
pub fn read_values(text: &str) -> serde_json::Result<Option<Vec<f64>>> {
    let file: Value = serde_json::from_str(text)?;
    let [variable] = file["series"].as_array().map_or(&[][..], Vec::as_slice) else {
        return Ok(None);
    };
    let values = variable["raw"].as_array();
    Ok(values.and_then(|values| values.iter().map(Value::as_f64).collect()))
}

/// Returns the scores of all detectors, and of the one that never finds anything.
#[must_use]
pub fn table(series: &[Annotated]) -> Table {
    let never = Detector {
        name: "never",
        find: |_| Vec::new(),
    };
    let rows = DETECTORS
        .iter()
        .chain([&never])
        .map(|Detector { name, find }| {
            let scores = series.iter().map(|series| {
                let found = find(&series.values);
                let f1 = f1_of_opinions(&series.opinions, &found);
                (
                    f1,
                    cover_of_opinions(&series.opinions, &found, series.values.len()),
                )
            });
            let (f1, cover) =
                scores.fold((0.0, 0.0), |sum, score| (sum.0 + score.0, sum.1 + score.1));
            let count = series.len() as f64;
            vec![
                (*name).to_owned(),
                format!("{:.3}", f1 / count),
                format!("{:.3}", cover / count),
            ]
        });
    Table {
        title: format!("Turing Change Point Dataset ({} series)", series.len()),
        rows: rows.collect(),
        head: ["", "F1", "cover"].map(str::to_owned).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_dataset_are_read() {
        let opinions = read_opinions(r#"{"nile": {"6": [], "7": [28]}}"#).unwrap();
        assert_eq!(opinions["nile"], [vec![], vec![28]]);
        let one = r#"{"name": "nile", "n_obs": 2, "series": [{"label": "V1", "type": "float", "raw": [1120, 1160.5]}]}"#;
        assert_eq!(read_values(one).unwrap(), Some(vec![1120.0, 1160.5]));
        let missing = one.replace("1120,", "null,");
        assert_eq!(read_values(&missing).unwrap(), None);
        assert_eq!(read_values(r#"{"series": [{}, {}]}"#).unwrap(), None);
        assert!(read_values("[").is_err() && read_opinions("[]").is_err());
    }

    #[test]
    fn who_never_finds_anything_is_right_where_nobody_marked_anything() {
        let quiet = Annotated {
            values: vec![1.0; 30],
            opinions: vec![vec![], vec![]],
        };
        let table = table(&[quiet]);
        assert_eq!(table.rows.last().unwrap()[1..], ["1.000", "1.000"]);
        assert_eq!(table.rows[0][1], "1.000");
    }
}
