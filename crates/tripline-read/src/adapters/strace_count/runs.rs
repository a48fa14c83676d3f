//! Several tables of one benchmark, which are its runs.
//!
//! A table has no row for a call that was not made, which so is a count of zero. Tested by `fixtures/strace_count`.

use tripline_model::{BenchId, Caveat, Metric, MetricName, Reading, Sample, Unit};

use crate::entry::Entry;
use crate::grouped::Grouped;
use crate::listing::Listing;

/// The most values of a benchmark: a call that one table has is counted in all.
const VALUES_MAX: usize = 1_000_000;

/// The metric that no table states in which the calls were chosen, and which so is not zero where it is missing.
const FUTEX_CALLS: &str = "futex_calls";

/// What the tables of one benchmark say.
pub(super) struct Runs {
    /// The line of the first, and its columns.
    line: usize,
    columns: Vec<&'static str>,
    /// How many there were.
    count: usize,
    values: Grouped<MetricName, (Metric, Vec<f64>)>,
    caveats: Vec<Caveat>,
}

impl Runs {
    pub(super) fn of(line: usize, columns: Vec<&'static str>) -> Self {
        Self {
            line,
            columns,
            count: 0,
            values: Grouped::default(),
            caveats: Vec::new(),
        }
    }

    /// Takes a table over, or says what of it is left out.
    pub(super) fn take(&mut self, table: Entry, columns: &[&str]) -> Result<(), String> {
        if columns != self.columns {
            return Err(format!(
                "a table with other columns than the first, of line {}, which is kept: give each command a file of its own",
                self.line
            ));
        }
        let has_futex = |reading: &Reading| reading.metric.name.as_str() == FUTEX_CALLS;
        let has_futex = table.readings.iter().any(has_futex);
        let had_futex = self.values.keys().any(|name| name.as_str() == FUTEX_CALLS);
        if self.count > 0 && has_futex != had_futex {
            return Err(format!(
                "only one of this table and the first, of line {}, which is kept, says how often threads waited, so that their calls may have been chosen: give each command a file of its own",
                self.line
            ));
        }
        let metrics = self.values.values().count() + table.readings.len();
        if metrics * (self.count + 1) > VALUES_MAX {
            return Err(format!(
                "a table beyond the {} that are read of one command with so many calls",
                self.count
            ));
        }
        let before = self.count;
        self.count += 1;
        if self.caveats.is_empty() {
            self.caveats = table.caveats;
        }
        let mut twice = None;
        for Reading { metric, sample } in table.readings {
            let name = metric.name.clone();
            let (metric, values) = self.values.of(name, || (metric, Vec::new()));
            fill(metric, values, before);
            match values.len() > before {
                true => _ = twice.get_or_insert_with(|| metric.name.clone()),
                false => values.extend(sample.values()),
            }
        }
        match twice {
            Some(name) => Err(format!(
                "`{name}` stands twice in this table, and the first is kept"
            )),
            None => Ok(()),
        }
    }

    /// Ends the benchmark, to which no more tables belong.
    pub(super) fn end(self, bench: BenchId, listing: &mut Listing<'_, '_>) {
        let mut readings = Vec::new();
        for (_, (metric, mut values)) in self.values.into_all() {
            fill(&metric, &mut values, self.count);
            match Sample::new(values) {
                Ok(sample) => readings.push(Reading { metric, sample }),
                Err(error) => listing.problem(self.line, format!("{}: {error}", metric.name)),
            }
        }
        if self.count > 1 {
            let text = format!(
                "its {} tables are taken as those of one command, which none of them names; give each command a file of its own",
                self.count
            );
            let place = listing.document.place(self.line, 1);
            listing.gathered.remark(place, text);
        }
        let mut entry = Entry::new(bench, readings);
        entry.caveats = self.caveats;
        listing.keep(self.line, entry);
    }
}

/// Adds that a call was not made in the tables that have no row for it.
fn fill(metric: &Metric, values: &mut Vec<f64>, count: usize) {
    if metric.unit == Unit::Count && values.len() < count {
        values.resize(count, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{Better, Nature, SuiteName};

    use super::*;
    use crate::naming::bench_id;

    fn table() -> Entry {
        let bench = bench_id(&SuiteName::new("kv").unwrap(), "a", &[] as &[(&str, &str)]).unwrap();
        let metric = Metric {
            name: MetricName::new("system_calls").unwrap(),
            unit: Unit::Count,
            better: Better::Lower,
            nature: Nature::Exact,
        };
        let sample = Sample::new(vec![1.0]).unwrap();
        Entry::new(bench, vec![Reading { metric, sample }])
    }

    /// Calls that each stand in one table of many would otherwise take as much memory as there are tables, times calls.
    #[test]
    fn tables_and_calls_are_counted() {
        let mut runs = Runs::of(1, vec!["calls"]);
        runs.take(table(), &["calls"]).unwrap();
        runs.count = VALUES_MAX;
        let said = runs.take(table(), &["calls"]).unwrap_err();
        assert!(said.starts_with("a table beyond the 1000000 "), "{said}");
        assert_eq!(runs.count, VALUES_MAX);
    }
}
