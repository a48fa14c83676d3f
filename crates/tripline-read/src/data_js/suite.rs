//! One suite of a history: what it is called here, and which series its runs have.
//!
//! Series are numbered as they are met. Runs mostly hold the same ones in the same order, so the series at a place in the
//! last run is asked first, and a name is looked up only where it differs. Tested below and through `gather`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use tripline_model::{
    BenchId, BenchName, Better, CommitId, Params, Point, Row, Series, SeriesSet, SuiteName,
    is_harmless,
};

use super::meaning::metric_of;
use super::names::Names;
use super::odd::{Odd, Oddity};
use super::sets::Sets;
use super::shape::Bench;
use super::standing::Standing;
use crate::place::shown;
use crate::quantity::Scale;

/// A series as it is met: by name, unit, and what its tool takes for better.
type Key<'t> = (Cow<'t, str>, Cow<'t, str>, Option<Better>);

/// A series, and how the numbers of its unit are converted.
#[derive(Debug)]
pub(super) struct Met<'t> {
    key: Key<'t>,
    series: Series,
    /// Whether a unit was written, which may have been an empty one.
    has_unit: bool,
    pub(super) scale: Scale,
}

impl Met<'_> {
    /// Returns what its benchmark is called in the history.
    pub(super) fn name(&self) -> &str {
        &self.key.0
    }

    /// Returns its row, where its series has that number in a set.
    pub(super) fn row(&self, series: usize) -> Row {
        let (name, unit, _) = &self.key;
        Row {
            series,
            name: (**name != *self.series.bench.name.as_str()).then(|| (**name).into()),
            unit: self.has_unit.then(|| (**unit).into()),
        }
    }

    pub(super) fn series(&self) -> &Series {
        &self.series
    }
}

/// What is known of the suite that is being read.
#[derive(Debug)]
pub(super) struct Suite<'t> {
    name: SuiteName,
    /// What it is called in the history.
    pub(super) title: String,
    /// How many runs of it were read.
    pub(super) runs: usize,
    /// Where the last run stands.
    pub(super) run_at: usize,
    /// What made the last run.
    pub(super) tool: Option<String>,
    /// Whether it was said that its ranges are not understood.
    pub(super) has_unread_ranges: bool,
    /// The commits that were met.
    pub(super) commits: BTreeSet<CommitId>,
    pub(super) odd: Odd,
    pub(super) standing: Standing,
    /// The series that stood at each place of the last run.
    pub(super) last: Vec<usize>,
    met: Vec<Met<'t>>,
    by_key: BTreeMap<Key<'t>, Option<usize>>,
    names: Names,
    sets: Sets,
}

impl<'t> Suite<'t> {
    pub(super) fn new(name: SuiteName, title: String) -> Self {
        Self {
            sets: Sets::new(name.clone()),
            name,
            title,
            runs: 0,
            run_at: 0,
            tool: None,
            has_unread_ranges: false,
            commits: BTreeSet::new(),
            odd: Odd::default(),
            standing: Standing::default(),
            last: Vec::new(),
            met: Vec::new(),
            by_key: BTreeMap::new(),
            names: Names::default(),
        }
    }

    /// Takes note of what is odd about the last run.
    pub(super) fn note(&mut self, oddity: Oddity) {
        self.odd.meet(oddity, self.runs, self.run_at);
    }

    /// Returns the series that were met, by their numbers.
    pub(super) fn met(&self) -> &[Met<'t>] {
        &self.met
    }

    /// Returns the number of a benchmark's series, which is new where it was not met before.
    pub(super) fn series_of(
        &mut self,
        bench: &Bench<'t>,
        said: Option<Better>,
        expected: Option<usize>,
    ) -> Result<usize, String> {
        let name = bench.name.text().ok_or("has no name")?;
        let no_unit = Cow::Borrowed("");
        let unit = bench.unit.text().unwrap_or(&no_unit);
        if let Some(at) = expected {
            let (known, of_unit, of_tool) = &self.met[at].key;
            if known == name && of_unit == unit && *of_tool == said {
                return Ok(at);
            }
        }
        let key = (name.clone(), unit.clone(), said);
        if let Some(known) = self.by_key.get(&key) {
            return known.ok_or_else(|| format!("`{}` cannot be kept, as was said", shown(name)));
        }
        let new = self.meet(key.clone(), bench.unit.text().is_some());
        let number = new.as_ref().ok().copied();
        self.by_key.insert(key, number);
        new
    }

    fn meet(&mut self, key: Key<'t>, has_unit: bool) -> Result<usize, String> {
        let (name, unit, said) = &key;
        let named = |why: &str| format!("`{}` cannot be kept: {why}", shown(name));
        let (metric, scale) = metric_of(unit, *said).map_err(|why| named(&why))?;
        let harmless: String = name
            .chars()
            .map(|c| if is_harmless(c) { c } else { ' ' })
            .collect();
        let bench = BenchId {
            suite: self.name.clone(),
            name: BenchName::new(harmless.trim()).map_err(|error| named(&error.to_string()))?,
            params: Params::new(),
        };
        let series = self.names.apart(Series { bench, metric });
        self.met.push(Met {
            key,
            series,
            has_unit,
            scale,
        });
        Ok(self.met.len() - 1)
    }

    /// Puts the points of a run into the order of a set of series, and returns which of all sets that is; it may be new.
    pub(super) fn in_a_set(
        &mut self,
        points: &[(usize, Point)],
        all: &mut Vec<SeriesSet>,
    ) -> (usize, Box<[Point]>) {
        let numbers = points.iter().map(|(series, _)| *series).collect();
        let order = self.sets.order(numbers, &self.met, all);
        let in_order = order.places.iter().map(|place| points[*place].1);
        (order.set, in_order.collect())
    }
}

/// Returns a name that can be a folder's, after what a suite is called: lower-case letters, digits and single hyphens.
pub(super) fn slug(title: &str) -> String {
    const MAX: usize = 48;
    let mut slug = String::new();
    for c in title.chars() {
        if slug.len() == MAX {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "imported".to_owned()
    } else {
        slug.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_called_after_its_title() {
        for (title, expected) in [
            ("Rust Benchmark", "rust-benchmark"),
            ("  C++ / CUDA ", "c-cuda"),
            ("名前", "imported"),
        ] {
            assert_eq!(slug(title), expected);
        }
        assert_eq!(slug(&"x".repeat(100)).len(), 48);
    }
}
