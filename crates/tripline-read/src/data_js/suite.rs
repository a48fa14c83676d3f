//! One suite of a history: what it is called here, and which series its runs have.
//!
//! Series are numbered as they are met. Runs mostly hold the same ones in the same order, so the series at a place in the
//! last run is asked first, and a name is looked up only where it differs. Tested through `gather`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use tripline_model::{
    BenchId, BenchName, Better, CommitId, Metric, NAME_BYTES_MAX, ParamKey, ParamValue, Params,
    Point, Row, Series, SeriesSet, SuiteName, Unit,
};

use super::fitted;
use super::known::{Known, is_of};
use super::meaning::{Direction, Meaning, Tool, meaning, other_meaning, stem};
use super::names::Names;
use super::odd::{Odd, Oddity};
use super::rows::in_a_row;
use super::sets::Sets;
use super::shape::Bench;
use super::standing::Standing;
use super::twins::{Named, Twin, Twins, kept};
use crate::place::shown;
use crate::quantity::Scale;

/// A series as it is met.
type Key<'t> = (Named<'t>, Twin<'t>);

/// A series, and how the numbers of its unit are converted.
#[derive(Debug)]
pub(super) struct Met<'t> {
    key: Key<'t>,
    series: Series,
    pub(super) scale: Scale,
}

impl<'t> Met<'t> {
    /// Returns what its benchmark is called in the history.
    pub(super) fn name(&self) -> &str {
        &self.key.0.0
    }

    /// Returns whether it is a time.
    pub(super) fn is_time(&self) -> bool {
        self.series.metric.unit == Unit::Nanosecond
    }

    /// Returns whether its direction is another than its tool says.
    pub(super) fn is_turned(&self) -> bool {
        self.key.0.2.is_turned(&self.series.metric)
    }

    /// Returns whether it is a time of which its tool says that more is better.
    pub(super) fn is_rising_time(&self) -> bool {
        let Direction { own, tool } = self.key.0.2;
        self.is_time() && own.is_none() && tool == Some(Better::Higher)
    }

    /// Returns whether a benchmark at its place in a run is of this series.
    fn is_of(&self, bench: &Bench<'t>, tool: Tool) -> bool {
        let ((name, unit, direction), twin) = &self.key;
        bench.name.text() == Some(name)
            && is_unit(bench.unit.text(), unit.as_deref())
            && *direction == direction_of(bench, tool)
            && twin.may_be(bench)
    }

    /// Returns its row, where its series has that number in a set.
    pub(super) fn row(&self, series: usize) -> Row {
        let name = in_a_row(self.name());
        let unit = self.key.0.1.as_deref();
        Row {
            series,
            name: (name != self.series.bench.name.as_str()).then(|| name.into()),
            unit: unit.map(|unit| in_a_row(unit).into()),
        }
    }

    pub(super) fn series(&self) -> &Series {
        &self.series
    }
}

/// The units of one name in a run: all, and those that were not met before.
#[derive(Default)]
struct Units<'u> {
    all: BTreeSet<Option<&'u str>>,
    new: BTreeSet<Option<&'u str>>,
}

/// What is known of the suite that is being read.
#[derive(Debug)]
pub(super) struct Suite<'t> {
    pub(super) name: SuiteName,
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
    twins: Twins<'t>,
    /// Whether the last run had any.
    has_twins: bool,
    known: Known,
    names: Names,
    sets: Sets,
}

impl<'t> Suite<'t> {
    pub(super) fn new(name: SuiteName, title: String, known: Known) -> Self {
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
            twins: Twins::default(),
            has_twins: false,
            names: known.names(),
            known,
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

    /// Returns the numbers of the series that the benchmarks of a run are of, which are new where they were not met before.
    pub(super) fn series_of(
        &mut self,
        run: &[Bench<'t>],
        tool: Tool,
    ) -> Vec<Result<usize, String>> {
        let last = self.last.iter().map(|at| &self.met[*at]);
        let is_as_last = run.len() == self.last.len()
            && run
                .iter()
                .zip(last)
                .all(|(bench, met)| met.is_of(bench, tool));
        if is_as_last {
            if self.has_twins {
                self.note(Oddity::Twins);
            }
            return self.last.iter().copied().map(Ok).collect();
        }
        let names: Vec<_> = run.iter().map(|bench| named(bench, tool)).collect();
        let (twins, has_twins) = self.twins.of(run, &names, tool.is_harness, &self.known);
        self.has_twins = has_twins;
        if has_twins {
            self.note(Oddity::Twins);
        }
        let before = self.met.len();
        let all = names.into_iter().zip(twins);
        let found: Vec<_> = all
            .map(|(named, twin)| {
                let named = named.ok_or("it has no name")?;
                self.known_or_new((named, twin), tool)
            })
            .collect();
        self.last = found.iter().filter_map(|one| one.clone().ok()).collect();
        if self.has_other_units(before) {
            self.note(Oddity::OtherUnit);
        }
        // What has no value may share a series with what has one, and may have one in the next run.
        let different: BTreeSet<&usize> = self.last.iter().collect();
        if different.len() < self.last.len() {
            self.last.clear();
        }
        found
    }

    fn known_or_new(&mut self, key: Key<'t>, tool: Tool) -> Result<usize, String> {
        if let Some(known) = self.by_key.get(&key) {
            let name = &key.0.0;
            return known.ok_or_else(|| format!("`{}` cannot be kept, as was said", shown(name)));
        }
        let new = self.meet(key.clone(), tool);
        let number = new.as_ref().ok().copied();
        self.by_key.insert(key, number);
        new
    }

    /// Returns whether one of the series of the last run, met in it first, has the name of one that is not in it, and
    /// another unit. The other may have been there already.
    fn has_other_units(&self, before: usize) -> bool {
        // Before the first run nothing can have been another.
        if self.met.len() == before || (before == 0 && self.known.is_empty()) {
            return false;
        }
        let now: BTreeSet<usize> = self.last.iter().copied().collect();
        let mut units: BTreeMap<&Cow<'t, str>, Units<'_>> = BTreeMap::new();
        for at in &now {
            let (name, unit, _) = &self.met[*at].key.0;
            let of_name = units.entry(name).or_default();
            of_name.all.insert(unit.as_deref());
            if *at >= before {
                of_name.new.insert(unit.as_deref());
            }
        }
        units.retain(|_, units| !units.new.is_empty());
        units.into_iter().any(|(name, Units { all, new })| {
            if self.known.has_others(name, &all) {
                return true;
            }
            let least = ((name.clone(), None, Direction::default()), Twin::First);
            let of_name = self.by_key.range(least..);
            let mut of_name = of_name.take_while(|((named, _), _)| named.0 == *name);
            of_name.any(|((named, _), number)| {
                let is_gone = number.is_some_and(|at| at < before && !now.contains(&at));
                is_gone && !new.contains(&named.1.as_deref())
            })
        })
    }

    fn meet(&mut self, key: Key<'t>, tool: Tool) -> Result<usize, String> {
        let ((name, unit, direction), twin) = &key;
        let wrong = |why: &str| format!("`{}` cannot be kept: {why}", shown(name));
        let stated = unit.as_deref().unwrap_or_default();
        let meant = meaning(stated, *direction, tool.is_by_hand).map_err(|why| wrong(&why))?;
        let named = BenchName::new(fitted(name, NAME_BYTES_MAX));
        let bench = BenchId {
            suite: self.name.clone(),
            name: named.map_err(|error| wrong(&error.to_string()))?,
            params: params_of(twin),
        };
        if bench.name.as_str() != &**name {
            let here = bench.name.as_str();
            self.odd.names.meet(self.run_at, name, here);
        }
        let written = stem(stated);
        if let Unit::Other(symbol) = &meant.0.unit
            && !written.is_empty()
            && symbol.as_str() != written
        {
            self.odd.units.meet(self.run_at, written, symbol.as_str());
        }
        let is_beside = !self.known.is_empty();
        let mut known = |(metric, scale): &Meaning| {
            let series = self.known.next(name, unit.as_deref(), &bench, metric)?;
            Some((series, *scale))
        };
        // Where nothing is there, as in a first import of thousands of series, no other meaning is made.
        let before = known(&meant).or_else(|| {
            let other = is_beside.then(|| other_meaning(stated, *direction, tool.is_by_hand));
            known(&other.flatten()?)
        });
        let before = before.or_else(|| Some((self.of_another_tool(&key, &meant.0)?, meant.1)));
        let (series, scale) = before.unwrap_or_else(|| {
            let (metric, scale) = meant;
            (self.names.apart(Series { bench, metric }), scale)
        });
        self.met.push(Met { key, series, scale });
        Ok(self.met.len() - 1)
    }

    /// Returns the series that is the same but for what its tool takes for better. One run has one tool, so that they never
    /// meet; and what a benchmark says of itself may differ within one.
    fn of_another_tool(&self, key: &Key<'t>, metric: &Metric) -> Option<Series> {
        let ((name, unit, direction), twin) = key;
        let least = (
            (name.clone(), unit.clone(), Direction::default()),
            Twin::First,
        );
        let of_name = self.by_key.range(least..);
        let mut of_name =
            of_name.take_while(|((named, _), _)| (&named.0, &named.1) == (name, unit));
        let is_other = |other: &Key<'t>| other.0.2.own.is_none() && other.1 == *twin;
        of_name.find_map(|(other, number)| {
            let series = &self.met[number.filter(|_| is_other(other))?].series;
            let is_same = direction.own.is_none() && is_of(&series.metric, metric);
            is_same.then(|| series.clone())
        })
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

/// Returns what a series is mostly told by; none without a name.
fn named<'t>(bench: &Bench<'t>, tool: Tool) -> Option<Named<'t>> {
    let unit = match bench.unit.text() {
        Some(Cow::Borrowed(unit)) => Some(Cow::Borrowed(stem(unit))),
        Some(Cow::Owned(unit)) => Some(Cow::Owned(stem(unit).to_owned())),
        None => None,
    };
    Some((bench.name.text()?.clone(), unit, direction_of(bench, tool)))
}

/// Returns whether a unit as it is written is the one of a series.
fn is_unit(written: Option<&Cow<'_, str>>, own: Option<&str>) -> bool {
    match (written, own) {
        // What is the same already is not cut: all but Go's are.
        (Some(written), Some(own)) => **written == *own || stem(written) == own,
        (written, own) => written.is_none() && own.is_none(),
    }
}

fn direction_of(bench: &Bench<'_>, tool: Tool) -> Direction {
    let better = |is_bigger| match is_bigger {
        true => Better::Higher,
        false => Better::Lower,
    };
    let own = bench.is_bigger_better.map(better);
    // What says the same as its tool says nothing.
    let own = own.filter(|own| Some(*own) != tool.better);
    Direction {
        own,
        tool: tool.better,
    }
}

/// Returns what tells a benchmark from those of the same name; nothing where that cannot be said so.
fn params_of(twin: &Twin<'_>) -> Params {
    let Twin::Labelled(member, text) = twin else {
        return Params::new();
    };
    let key = ParamKey::new(fitted(member, NAME_BYTES_MAX));
    let value = ParamValue::new(kept(text));
    let mut params = Params::new();
    if let (Ok(key), Ok(value)) = (key, value) {
        params.insert(key, value);
    }
    params
}
