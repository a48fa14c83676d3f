//! Gathers what a history says, one run at a time: an entry of each, and a problem for all that cannot be used.
//!
//! Tested by `tests/it/data_js.rs`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;
use tripline_model::{
    Better, CommitId, CommitSubject, Entry, Origin, Point, Producer, Said, SeriesSet, SuiteName,
    is_harmless,
};

use super::loose::Loose;
use super::meaning::direction;
use super::odd::Oddity;
use super::people::{commit_of, is_cut, message_of};
use super::shape::{Bench, Commit, Run};
use super::suite::{Suite, slug};
use super::value::{Taken, ranges_like, subject_of, taken, time_of};
use crate::place::shown;

/// The most problems that are kept one by one.
const PROBLEMS_MAX: usize = 100_000;

/// The most values of a run, so that its record can be read again.
const ROWS_MAX: usize = 50_000;

/// The most bytes of ranges and extras that are kept of a run, so that its record can be read again.
const TEXT_BYTES_MAX: usize = 2 * 1024 * 1024;

/// The longest address of a repository that is kept, in bytes.
const ADDRESS_BYTES_MAX: usize = 1024;

/// What wrote the values of such a history.
const PRODUCER: &str = "github-action-benchmark";

/// What a history gave.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) repository: Option<String>,
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

    /// Takes note of the address of the repository's page.
    pub(super) fn repository(&mut self, page: &Loose<'t>) {
        let is_good = |page: &&Cow<'_, str>| {
            !page.trim().is_empty()
                && page.len() <= ADDRESS_BYTES_MAX
                && page.chars().all(is_harmless)
        };
        self.done.repository = page.text().filter(is_good).map(ToString::to_string);
    }

    /// Begins a suite. What it is called becomes a name that can be a folder's.
    pub(super) fn suite(&mut self, title: &str) {
        self.end_suite();
        let name = self.free_name(&slug(title));
        self.done.suites.push((name.clone(), title.to_owned()));
        self.suite = Some(Suite::new(name, shown(title)));
    }

    /// Says what was odd about the suite that ends.
    fn end_suite(&mut self) {
        if let Some(suite) = self.suite.take() {
            let told = suite.odd.told(&suite.title);
            self.done.problems.extend(told);
        }
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
                suite.run_at = self.at;
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
        let date = time_of(&run.date);
        let measured_at = date
            .or(committed_at)
            .ok_or("does not say when it was measured")?;
        let tool = run.tool.text().map_or_else(String::new, |tool| shown(tool));
        let said = self.direction_of(suite, what, &tool);
        let benches = run.benches.ok_or("has no list of benchmarks")?;
        let (points, written) = self.points(suite, what, benches, said);
        if points.is_empty() {
            return Err("holds no value that can be used".to_owned());
        }
        let (series, points) = suite.in_a_set(&points, &mut self.done.series);
        if date.is_none() {
            suite.note(Oddity::Undated);
        } else if run.date.text().is_some() {
            suite.note(Oddity::DateAsText);
        }
        if !suite.commits.insert(commit.clone()) {
            suite.note(Oddity::Repeated);
        }
        let behind = suite.standing.of(measured_at);
        if behind.is_some() {
            suite.note(Oddity::Late);
        }
        if is_cut(&run.commit) {
            suite.note(Oddity::LongCommit);
        }
        let (subject, origin) = origin(&run.commit, committed_at, Origin { behind, ..written });
        self.done.entries.push(Entry {
            series,
            commit,
            committed_at,
            subject,
            measured_at,
            producer: Producer {
                name: PRODUCER.to_owned(),
                version: tool,
            },
            points,
            origin: Some(Box::new(origin)),
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

    /// Returns the points of a run by the number of their series, and what was written of them.
    fn points(
        &mut self,
        suite: &mut Suite<'t>,
        what: &str,
        benches: Vec<Bench<'t>>,
        said: Option<Better>,
    ) -> (Vec<(usize, Point)>, Origin) {
        let mut rows = Rows::of(benches.len());
        let mut seen = vec![false; suite.met().len()];
        let last = std::mem::take(&mut suite.last);
        let (mut has_texts, mut has_other_extras) = (false, false);
        if benches.len() > ROWS_MAX {
            let more = benches.len() - ROWS_MAX;
            self.note(&format!(
                "{what} has more than {ROWS_MAX} values, and the last {more} are left out"
            ));
        }
        for (place, bench) in benches.iter().take(ROWS_MAX).enumerate() {
            self.see(&bench.name);
            let expected = last.get(suite.last.len()).copied();
            let series = match suite.series_of(bench, said, expected) {
                Ok(series) => series,
                Err(why) => {
                    self.note(&format!("benchmark {} of {what} {why}", place + 1));
                    continue;
                }
            };
            suite.last.push(series);
            seen.resize(suite.met().len(), false);
            let met = &suite.met()[series];
            let problem = match taken(bench, met.scale) {
                None => "has no value that is a number",
                Some(_) if seen[series] => "stands twice with one unit, and the first is kept",
                Some(taken) => {
                    seen[series] = true;
                    has_texts |= bench
                        .value
                        .is_some_and(|value| value.get().starts_with('"'));
                    has_other_extras |= is_lost(&bench.extra);
                    if taken.is_range_unread && !suite.has_unread_ranges {
                        suite.has_unread_ranges = true;
                        let ranges = ranges_like(&bench.range);
                        self.note(&format!("{what} and maybe others have {ranges}"));
                    }
                    if !rows.push(series, &taken, &bench.extra) {
                        self.note(&format!(
                            "{what} has more than {TEXT_BYTES_MAX} bytes of ranges and extras, and those from here on are left out"
                        ));
                    }
                    continue;
                }
            };
            let name = shown(met.name());
            self.note(&format!("benchmark `{name}` of {what} {problem}"));
        }
        if has_texts {
            suite.note(Oddity::ValueAsText);
        }
        if has_other_extras {
            suite.note(Oddity::OtherExtra);
        }
        rows.end()
    }

    /// Ends reading.
    pub(super) fn finish(mut self) -> Result<Gathered, String> {
        self.end_suite();
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

/// The values of a run, as they are taken.
struct Rows {
    points: Vec<(usize, Point)>,
    values: Vec<(usize, f64)>,
    ranges: Said,
    extras: Said,
    /// How many bytes of text may still be taken; none where there were too many.
    left: Option<usize>,
}

impl Rows {
    fn of(count: usize) -> Self {
        Self {
            points: Vec::with_capacity(count),
            values: Vec::new(),
            ranges: Said::default(),
            extras: Said::default(),
            left: Some(TEXT_BYTES_MAX),
        }
    }

    /// Takes a value of a series, and says no where from here on texts are left out.
    fn push(&mut self, series: usize, taken: &Taken<'_>, extra: &Loose<'_>) -> bool {
        let row = self.points.len();
        self.points.push((series, taken.point));
        self.values.extend(taken.value.map(|value| (row, value)));
        let had_room = self.left.is_some();
        let range = taken.range.as_deref();
        let extra = extra.text().map(|text| &**text);
        for (said, text) in [(&mut self.ranges, range), (&mut self.extras, extra)] {
            let Some(text) = text else { continue };
            self.left = self.left.and_then(|left| left.checked_sub(text.len()));
            if self.left.is_some() {
                said.push(row, text);
            }
        }
        self.left.is_some() || !had_room
    }

    fn end(self) -> (Vec<(usize, Point)>, Origin) {
        let origin = Origin {
            values: self.values.into(),
            ranges: self.ranges,
            extras: self.extras,
            ..Origin::default()
        };
        (self.points, origin)
    }
}

/// Returns whether there is something that is no text.
fn is_lost(value: &Loose<'_>) -> bool {
    !matches!(value, Loose::Text(_) | Loose::Nothing)
}

/// Adds to what was written of a run what its commit says.
fn origin(
    commit: &Commit<'_>,
    committed_at: Option<Timestamp>,
    written: Origin,
) -> (Option<CommitSubject>, Origin) {
    let message = message_of(&commit.message);
    let subject = message.as_deref().and_then(subject_of);
    let committed_at = committed_at.map(|at| at.to_string());
    let said = subject.as_ref().map(CommitSubject::as_str);
    let commit = commit_of(commit, message.as_deref(), said, committed_at.as_deref());
    (subject, Origin { commit, ..written })
}
