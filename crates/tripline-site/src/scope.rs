//! The history with what every page asks of it: benchmarks with their lines, their addresses, and who was measured where.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tripline_model::few;
use tripline_model::{BenchId, BenchName, EnvironmentName, MetricName, SuiteName};

use crate::slug;
use crate::trends::{About, Commit, Line, Status, Trends};

/// A benchmark with all its lines.
#[derive(Debug)]
pub(crate) struct Bench<'t> {
    /// Which it is.
    pub(crate) id: &'t BenchId,
    /// What it is called in addresses.
    pub(crate) slug: String,
    /// Its lines: most telling metric first, and then by environment, latest first.
    pub(crate) lines: Vec<&'t Line>,
}

impl<'t> Bench<'t> {
    /// Returns the line that stands for the benchmark where that should not change from day to day.
    pub(crate) fn main(&self) -> &'t Line {
        self.lines[0]
    }

    /// Returns the line that has most to tell: the one whose level changed last, or else the main one.
    pub(crate) fn telling(&self) -> &'t Line {
        let changed = |line: &Line| {
            let standing = line.changes.iter();
            let mut standing = standing.filter(|change| change.status != Status::Reverted);
            standing
                .next_back()
                .map(|change| line.points[change.at].place)
        };
        // Of equals the last one is the largest, and the first line is the most telling.
        let latest = self.lines.iter().rev().max_by_key(|line| changed(line));
        latest.copied().unwrap_or(self.main())
    }

    /// Returns its name without the suite.
    pub(crate) fn name(&self) -> String {
        self.id.within_suite()
    }

    /// Returns the address of its page, from the root.
    pub(crate) fn page(&self) -> String {
        format!("b/{}/index.html", self.slug)
    }
}

/// What all pages are about.
#[derive(Debug)]
pub(crate) struct Scope<'t> {
    /// The history.
    pub(crate) trends: &'t Trends,
    /// What the pages say about themselves.
    pub(crate) about: &'t About,
    /// The benchmarks, in order.
    pub(crate) benches: Vec<Bench<'t>>,
    /// Which commits were measured, of each suite in each environment.
    measured: BTreeMap<(&'t SuiteName, &'t EnvironmentName), Vec<usize>>,
    /// The newest place of each metric of benchmarks of a name, whatever their params, in each environment.
    newest: BTreeMap<Kind<'t>, usize>,
}

/// What lines of one family have in common that can be drawn together.
type Kind<'t> = (
    &'t SuiteName,
    &'t BenchName,
    &'t MetricName,
    &'t EnvironmentName,
);

fn kind(line: &Line) -> Kind<'_> {
    let (bench, metric) = (&line.series.bench, &line.series.metric);
    (&bench.suite, &bench.name, &metric.name, &line.environment)
}

impl<'t> Scope<'t> {
    /// Looks at the whole history once. A line without points is no line.
    pub(crate) fn new(trends: &'t Trends, about: &'t About) -> Self {
        let mut by_bench: BTreeMap<&BenchId, Vec<&Line>> = BTreeMap::new();
        let mut measured: BTreeMap<_, Vec<bool>> = BTreeMap::new();
        let mut newest: BTreeMap<Kind<'_>, usize> = BTreeMap::new();
        for line in trends.lines.iter().filter(|line| !line.points.is_empty()) {
            let newest = newest.entry(kind(line)).or_default();
            *newest = line
                .points
                .last()
                .map_or(0, |placed| placed.place)
                .max(*newest);
            let bench = &line.series.bench;
            by_bench.entry(bench).or_default().push(line);
            let measured = measured
                .entry((&bench.suite, &line.environment))
                .or_insert_with(|| vec![false; trends.commits.len()]);
            for placed in &line.points {
                measured[placed.place] = true;
            }
        }
        let benches = by_bench.into_iter().map(|(id, mut lines)| {
            few::sort_by(&mut lines, |a, b| order(a).cmp(&order(b)));
            let slug = slug::of_bench(id);
            Bench { id, slug, lines }
        });
        Self {
            trends,
            about,
            benches: benches.collect(),
            measured: few::map_of(
                measured
                    .into_iter()
                    .map(|(key, is_measured)| (key, places(&is_measured))),
            ),
            newest,
        }
    }

    /// Returns whether a benchmark with other params was measured after this one was measured last, in the same way.
    pub(crate) fn is_behind(&self, line: &Line) -> bool {
        let last = line.points.last().map(|placed| placed.place);
        self.newest.get(&kind(line)).copied() > last
    }

    /// Returns a commit.
    pub(crate) fn commit(&self, place: usize) -> &'t Commit {
        &self.trends.commits[place]
    }

    /// Returns the newest commit that was measured.
    pub(crate) fn latest(&self) -> Option<&'t Commit> {
        self.trends.commits.last()
    }

    /// Returns whether something of a line's suite was measured between two commits: then the line has a gap there.
    pub(crate) fn has_gap(&self, line: &Line, from: usize, to: usize) -> bool {
        // Most points have a neighbour, and nothing lies between neighbours.
        if to <= from + 1 {
            return false;
        }
        let key = (&line.series.bench.suite, &line.environment);
        let Some(places) = self.measured.get(&key) else {
            return false;
        };
        let next = places.partition_point(|place| *place <= from);
        places.get(next).is_some_and(|place| *place < to)
    }

    /// Returns a benchmark.
    pub(crate) fn bench(&self, id: &BenchId) -> Option<&Bench<'t>> {
        let at = self
            .benches
            .binary_search_by(|bench| bench.id.cmp(id))
            .ok()?;
        Some(&self.benches[at])
    }

    /// Returns what a line is computed from: lines of the same environment, with their benchmarks.
    pub(crate) fn terms(&self, line: &Line) -> impl Iterator<Item = (&Bench<'t>, &'t Line)> {
        line.terms.iter().filter_map(|(id, metric)| {
            let bench = self.bench(id)?;
            let is_term = |other: &&&Line| {
                other.series.metric.name == *metric && other.environment == line.environment
            };
            Some((bench, *bench.lines.iter().find(is_term)?))
        })
    }

    /// Returns the benchmarks of a name, whatever their params.
    pub(crate) fn family(&self, bench: &Bench<'_>) -> &[Bench<'t>] {
        let key = (&bench.id.suite, &bench.id.name);
        let of = |other: &Bench<'_>| (&other.id.suite, &other.id.name).cmp(&key);
        let first = self.benches.partition_point(|other| of(other).is_lt());
        let rest = &self.benches[first..];
        &rest[..rest.partition_point(|other| of(other).is_eq())]
    }

    /// Returns the suites with their benchmarks.
    pub(crate) fn suites(&self) -> impl Iterator<Item = &[Bench<'t>]> {
        self.benches.chunk_by(|a, b| a.id.suite == b.id.suite)
    }
}

/// Returns the places that are marked.
fn places(marks: &[bool]) -> Vec<usize> {
    let marked = marks
        .iter()
        .enumerate()
        .filter(|(_, is_marked)| **is_marked);
    marked.map(|(place, _)| place).collect()
}

/// What the lines of a benchmark are ordered by.
fn order(line: &Line) -> (usize, &str, Reverse<usize>, &str) {
    let metric = &line.series.metric;
    let latest = line.points.last().map_or(0, |placed| placed.place);
    (
        metric.rank(),
        metric.name.as_str(),
        Reverse(latest),
        line.environment.as_str(),
    )
}
