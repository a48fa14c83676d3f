//! The series of a suite that are there already, by what was written of them: whoever takes a history over again goes on
//! with them, also where the runs are gone by which they were told apart.
//!
//! Tested by `tests/it/data_js/suites.rs`.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::{BenchId, Metric, Series, SeriesSet};

use super::names::Names;
use super::rows::in_a_row;

/// What those of one name and unit were told apart by that stood in one run, and its texts; or their order alone.
type Apart = (Option<String>, BTreeSet<String>);

/// The series of one name and unit.
#[derive(Debug)]
struct OfUnit {
    unit: Option<String>,
    /// Those that were not met yet.
    series: Vec<Series>,
    apart: Option<Apart>,
}

/// What is known of the series that are there, by their names.
#[derive(Debug, Default)]
pub(super) struct Known(BTreeMap<String, Vec<OfUnit>>);

impl Known {
    /// Takes the sets of series that are there of a suite, of which those that were taken over say what they were called.
    pub(super) fn of<'s>(sets: impl IntoIterator<Item = &'s SeriesSet>) -> Self {
        let mut known = Self::default();
        for set in sets {
            let mut in_set = BTreeSet::new();
            for row in set.rows() {
                let series = &set.all()[row.series];
                let name = row.name.as_deref().unwrap_or(series.bench.name.as_str());
                let unit = row.unit.as_deref();
                let is_another = !in_set.insert((name, unit));
                known.of_unit(name, unit).take(series, is_another);
            }
        }
        known
    }

    fn of_unit(&mut self, name: &str, unit: Option<&str>) -> &mut OfUnit {
        let all = self.0.entry(name.to_owned()).or_default();
        let at = all.iter().position(|one| one.unit.as_deref() == unit);
        let at = at.unwrap_or_else(|| {
            all.push(OfUnit {
                unit: unit.map(str::to_owned),
                series: Vec::new(),
                apart: None,
            });
            all.len() - 1
        });
        &mut all[at]
    }

    /// Returns whether nothing is there.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the names of metrics that are taken.
    pub(super) fn names(&self) -> Names {
        let mut names = Names::default();
        for series in self.0.values().flatten().flat_map(|one| &one.series) {
            names.take(series);
        }
        names
    }

    /// Returns whether a name is known with a unit that is not among these, of which another is not known. Series that were
    /// not taken over have none that was written.
    pub(super) fn has_others(&self, name: &str, units: &BTreeSet<Option<&str>>) -> bool {
        let all = self.0.get(in_a_row(name)).map_or(&[][..], Vec::as_slice);
        let is_known = |unit: Option<&str>| all.iter().any(|one| one.unit.as_deref() == unit);
        let is_now = |known: &str| units.iter().flatten().any(|unit| in_a_row(unit) == known);
        let mut written = all.iter().filter_map(|one| one.unit.as_deref());
        written.any(|known| !is_now(known))
            && !units.iter().all(|unit| is_known(unit.map(in_a_row)))
    }

    /// Returns what those of a name and a unit were told apart by, if ever several stood in one run.
    pub(super) fn apart(&self, name: &str, unit: Option<&str>) -> Option<&Apart> {
        let mut all = self.0.get(in_a_row(name))?.iter();
        let of_unit = all.find(|one| one.unit.as_deref() == unit.map(in_a_row))?;
        of_unit.apart.as_ref()
    }

    /// Returns the first series of a benchmark and a metric that was written so; the next time, the next one.
    pub(super) fn next(
        &mut self,
        name: &str,
        unit: Option<&str>,
        bench: &BenchId,
        metric: &Metric,
    ) -> Option<Series> {
        let mut all = self.0.get_mut(in_a_row(name))?.iter_mut();
        let of_unit = all.find(|one| one.unit.as_deref() == unit.map(in_a_row))?;
        let found = of_unit.series.iter().enumerate();
        let found =
            found.filter(|(_, series)| series.bench == *bench && is_of(&series.metric, metric));
        let (at, _) = found.min_by_key(|(_, series)| {
            let name = series.metric.name.as_str();
            (name.len(), name)
        })?;
        Some(of_unit.series.swap_remove(at))
    }
}

impl OfUnit {
    /// Takes a series, which may be another one of its name and unit in one run.
    fn take(&mut self, series: &Series, is_another: bool) {
        if !self.series.contains(series) {
            self.series.push(series.clone());
        }
        let param = series.bench.params.iter().next();
        if is_another || param.is_some() {
            let (member, texts) = self.apart.get_or_insert_default();
            if let Some((key, text)) = param {
                member.get_or_insert_with(|| key.as_str().to_owned());
                texts.insert(text.as_str().to_owned());
            }
        }
    }
}

/// Returns whether a metric is another one, by its name or that and a number.
pub(super) fn is_of(metric: &Metric, other: &Metric) -> bool {
    let rest = metric.name.as_str().strip_prefix(other.name.as_str());
    let is_named_so = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let renamed = Metric {
        name: other.name.clone(),
        ..metric.clone()
    };
    is_named_so && renamed == *other
}
