//! Gathers what a history says, one run at a time: an entry of each, and a problem for all that cannot be used.
//!
//! Tested by `tests/it/data_js.rs`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tripline_model::{Better, CommitId, Entry, Point, Producer, SeriesSet, SuiteName};

use super::loose::Loose;
use super::meaning::direction;
use super::shape::{Bench, Run};
use super::suite::{Suite, slug};
use super::value::{is_range_unread, point_of, ranges_like, subject_of, time_of};
use crate::place::shown;

/// The most problems that are kept one by one.
const PROBLEMS_MAX: usize = 1000;

/// What wrote the values of such a history.
const PRODUCER: &str = "github-action-benchmark";

/// What a history gave.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) suites: Vec<(SuiteName, String)>,
    pub(super) series: Vec<SeriesSet>,
    pub(super) entries: Vec<Entry>,
    pub(super) problems: Vec<(usize, String)>,
}

/// Takes runs as they are read.
#[derive(Debug)]
pub(super) struct Gather<'t> {
    text: &'t str,
    done: Gathered,
    suite: Option<Suite<'t>>,
    /// The names of suites, and the number that the next title of the same slug may get.
    taken: BTreeMap<SuiteName, u32>,
    beyond: Option<(usize, usize)>,
    /// Where the reader is, as far as that is known: the last text that was borrowed.
    at: usize,
}

impl<'t> Gather<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            done: Gathered::default(),
            suite: None,
            taken: BTreeMap::new(),
            beyond: None,
            at: 0,
        }
    }

    /// Begins a suite. What it is called becomes a name that can be a folder's.
    pub(super) fn suite(&mut self, title: &str) {
        let name = self.free_name(&slug(title));
        self.done.suites.push((name.clone(), shown(title)));
        self.suite = Some(Suite::new(name, shown(title)));
    }

    /// Takes the first name that is free: the slug itself, or it with a number.
    fn free_name(&mut self, slug: &str) -> SuiteName {
        let named = |name: String| SuiteName::new(name).expect("a slug is a name");
        let wanted = named(slug.to_owned());
        let Some(first) = self.taken.get(&wanted).copied() else {
            self.taken.insert(wanted.clone(), 2);
            return wanted;
        };
        let mut numbers = first..;
        let name = numbers
            .by_ref()
            .map(|number| named(format!("{slug}-{number}")))
            .find(|name| !self.taken.contains_key(name))
            .expect("there is always one more number");
        self.taken.insert(wanted, numbers.start);
        self.taken.insert(name.clone(), 2);
        name
    }

    /// Takes note of something that cannot be used, where the reader is.
    pub(super) fn note(&mut self, what: &str) {
        if self.done.problems.len() == PROBLEMS_MAX {
            self.beyond.get_or_insert((self.at, 0)).1 += 1;
            return;
        }
        self.done.problems.push((self.at, what.to_owned()));
    }

    /// Remembers where a borrowed text stands.
    fn see(&mut self, value: &Loose<'t>) {
        if let Loose::Text(Cow::Borrowed(text)) = value {
            let at = text.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
            if at <= self.text.len() {
                self.at = at;
            }
        }
    }

    /// Takes a run of the suite; none is what stands in a run's place and is no object.
    pub(super) fn run(&mut self, run: Option<Run<'t>>) {
        let Some(mut suite) = self.suite.take() else {
            return;
        };
        suite.runs += 1;
        let what = format!("run {} of suite `{}`", suite.runs, suite.title);
        match run {
            None => self.note(&format!("{what} is no object")),
            Some(run) => {
                self.see(&run.commit.id);
                if let Err(why) = self.take(&mut suite, &what, run) {
                    self.note(&format!("{what} {why}"));
                }
            }
        }
        self.suite = Some(suite);
    }

    fn take(&mut self, suite: &mut Suite<'t>, what: &str, run: Run<'t>) -> Result<(), String> {
        let id = run.commit.id.text().ok_or("names no commit")?;
        let commit =
            CommitId::new(id.trim()).map_err(|error| format!("cannot be kept: {error}"))?;
        let committed_at = time_of(&run.commit.timestamp);
        let measured_at = time_of(&run.date)
            .or(committed_at)
            .ok_or("does not say when it was measured")?;
        let tool = run.tool.text().map_or_else(String::new, |tool| shown(tool));
        let said = self.direction_of(suite, what, &tool);
        let benches = run.benches.ok_or("has no list of benchmarks")?;
        let points = self.points(suite, what, benches, said);
        if points.is_empty() {
            return Err("holds no value that can be used".to_owned());
        }
        let (series, points) = suite.in_a_set(&points, &mut self.done.series);
        self.done.entries.push(Entry {
            series,
            commit,
            committed_at,
            subject: subject_of(&run.commit.message),
            measured_at,
            producer: Producer {
                name: PRODUCER.to_owned(),
                version: tool,
            },
            points,
        });
        Ok(())
    }

    /// Returns what the tool of a run takes for better, and says where the tool changes.
    fn direction_of(&mut self, suite: &mut Suite<'t>, what: &str, tool: &str) -> Option<Better> {
        let said = direction(tool);
        if suite.tool.as_deref() != Some(tool) {
            if let Some(before) = &suite.tool {
                self.note(&format!(
                    "{what} was made by `{tool}`, and those before by `{before}`"
                ));
            }
            if said.is_none() {
                self.note(&format!(
                    "{what} was made by `{tool}`, of which nobody knows which direction is better"
                ));
            }
            suite.tool = Some(tool.to_owned());
        }
        said
    }

    /// Returns the points of a run, by the number of their series.
    fn points(
        &mut self,
        suite: &mut Suite<'t>,
        what: &str,
        benches: Vec<Bench<'t>>,
        said: Option<Better>,
    ) -> Vec<(usize, Point)> {
        let mut points = Vec::with_capacity(benches.len());
        let mut seen = vec![false; suite.met().len()];
        let last = std::mem::take(&mut suite.last);
        for (place, bench) in benches.into_iter().enumerate() {
            self.see(&bench.name);
            let expected = last.get(suite.last.len()).copied();
            let series = match suite.series_of(&bench, said, expected) {
                Ok(series) => series,
                Err(why) => {
                    self.note(&format!("benchmark {} of {what} {why}", place + 1));
                    continue;
                }
            };
            suite.last.push(series);
            seen.resize(suite.met().len(), false);
            let met = &suite.met()[series];
            let problem = match point_of(&bench, met.scale) {
                None => "has no value that is a number",
                Some(_) if seen[series] => "stands twice with one unit, and the first is kept",
                Some(point) => {
                    seen[series] = true;
                    let is_unread = is_range_unread(&bench, &point, met.scale);
                    points.push((series, point));
                    if is_unread && !suite.has_unread_ranges {
                        suite.has_unread_ranges = true;
                        let ranges = ranges_like(&bench.range);
                        self.note(&format!(
                            "{what} and maybe others have {ranges}, which are left out"
                        ));
                    }
                    continue;
                }
            };
            let name = shown(met.name());
            self.note(&format!("benchmark `{name}` of {what} {problem}"));
        }
        points
    }

    /// Ends reading.
    pub(super) fn finish(mut self) -> Result<Gathered, String> {
        if self.done.suites.is_empty() {
            return Err("the history holds no suite".to_owned());
        }
        if let Some((at, count)) = self.beyond {
            let text = format!("{count} more problems from here on");
            self.done.problems.push((at, text));
        }
        Ok(self.done)
    }
}
