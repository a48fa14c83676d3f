//! Gathers what an adapter finds, and holds the rules all adapters share: a benchmark stands once, a metric of it stands
//! once, and an input without a result is an error.
//!
//! Tested below; the rules are also held for every fixture by `tests/it`.

use std::collections::{BTreeMap, BTreeSet, btree_map};

use tripline_model::{BenchId, Metric, MetricName, Reading};

use crate::apart::{Facts, PACKAGE, UNSAID, tell_apart};
use crate::document::Document;
use crate::encoding::{self, Fault};
use crate::entry::Entry;
use crate::input::Input;
use crate::json;
use crate::place::{Place, Problem, ReadError, shown};
use crate::vocabulary::Vocabulary;
use crate::{Observation, Observed};

/// The most problems that are kept one by one. Whoever has so many needs the first few and the number.
const PROBLEMS_MAX: usize = 1000;

/// The most benchmarks that are taken from an input: twice as many as the largest suites have.
pub const RESULTS_MAX: usize = 200_000;

/// So many metrics are gone through sooner than a set is kept of them, and few benchmarks have more.
pub(crate) const FEW_METRICS: usize = 64;

/// The most metrics a message about duplicates names.
const NAMED_METRICS_MAX: usize = 3;

/// What an adapter has found so far.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    observed: Observed,
    /// The benchmarks that are known. The map is ordered rather than hashed, so that hostile names cannot make it slow
    /// and counting this code gives the same number each time.
    seen: BTreeMap<BenchId, Seen>,
    /// The first problem beyond the limit, and how many there are.
    beyond: Option<(Place, usize)>,
    /// The files of which some lines are no text.
    doubted: BTreeSet<String>,
    /// Benchmarks that are told apart only when all are known.
    entries: Vec<(Entry, Place)>,
    /// Whether of a metric that stands twice in a file the last is kept.
    last_stays: bool,
    /// What the first benchmark is of that is told apart only where it has to be, and whether others are of something else.
    target: Option<(String, String)>,
    has_targets: bool,
    /// Whether anything stands twice.
    has_twice: bool,
    /// Whether benchmarks of different targets are told apart.
    tells_apart: bool,
}

/// What a benchmark is of that is told apart only where it has to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'t> {
    pub(crate) name: &'t str,
    /// The folder of its package, or nothing.
    pub(crate) package: &'t str,
}

/// What is known of a benchmark.
#[derive(Debug)]
struct Seen {
    /// Where its observation is kept.
    index: usize,
    /// Where in the input it was first seen.
    first: Place,
    /// Its metrics and which of its readings each is, once they are more than a few.
    many: BTreeMap<MetricName, usize>,
}

impl Seen {
    /// Returns which of the readings of the benchmark has a metric, if one has; else the next is taken for it.
    fn known(&mut self, readings: &[Reading], metric: &MetricName) -> Option<usize> {
        if readings.len() < FEW_METRICS {
            return readings
                .iter()
                .position(|known| known.metric.name == *metric);
        }
        if self.many.is_empty() {
            let names = readings.iter().map(|known| known.metric.name.clone());
            self.many.extend(names.zip(0..));
        }
        match self.many.get(metric) {
            Some(index) => Some(*index),
            None => {
                self.many.insert(metric.clone(), readings.len());
                None
            }
        }
    }
}

impl Gathered {
    /// Takes note of something that looks like a result and cannot be used.
    pub(crate) fn problem(&mut self, place: Place, text: impl Into<String>) {
        if self.observed.problems.len() == PROBLEMS_MAX {
            self.beyond.get_or_insert((place, 0)).1 += 1;
            return;
        }
        self.observed.problems.push(Problem {
            place,
            text: text.into(),
        });
    }

    /// Keeps the last of a metric that stands twice in a file, because whoever made the format does.
    pub(crate) fn keep_last(&mut self) {
        self.last_stays = true;
    }

    /// Returns how many problems there are.
    pub(crate) fn problem_count(&self) -> usize {
        let beyond = self.beyond.as_ref().map_or(0, |(_, count)| *count);
        self.observed.problems.len() + beyond
    }

    /// Takes note of a problem.
    pub(crate) fn note(&mut self, problem: Problem) {
        self.problem(problem.place, problem.text);
    }

    /// Takes over what another found of values that are not what they should be. What has results is of somebody else.
    pub(crate) fn blame(&mut self, other: Self) {
        if other.entries.is_empty() && other.observed.observations.is_empty() {
            let problems = other.observed.problems.into_iter();
            problems
                .filter(|problem| json::is_of_other_kind(&problem.text))
                .for_each(|problem| self.note(problem));
        }
    }

    /// Takes over what was found in another form, but for the benchmarks whose names are known, and returns where the first
    /// of those stands.
    pub(crate) fn supplement(&mut self, other: Self) -> Option<Place> {
        let name = |(entry, _): &(Entry, Place)| entry.bench.name.clone();
        let mut known = BTreeSet::new();
        known.extend(self.entries.iter().map(name));
        for problem in other.observed.problems {
            self.note(problem);
        }
        self.observed.remarks.extend(other.observed.remarks);
        let mut first = None;
        for one in other.entries {
            match known.contains(&one.0.bench.name) {
                true => _ = first.get_or_insert(one.1),
                false => self.entries.push(one),
            }
        }
        first
    }

    /// Takes note of what in a document is no text. A line without a digit is no result; where it is part of a name, the
    /// benchmark's own line is told.
    pub(crate) fn doubt(&mut self, document: &Document<'_>, faults: &[Fault]) {
        self.doubted.insert(document.file.clone());
        let mut faults = faults.iter().peekable();
        for block in document.lines() {
            let Some(fault) = faults.next_if(|fault| fault.line == block.line) else {
                continue;
            };
            if block.text.contains(|c: char| c.is_ascii_digit()) {
                let place = Place {
                    file: document.file.clone(),
                    line: fault.line,
                    column: fault.column,
                };
                self.problem(place, fault.problem);
            }
        }
    }

    /// Returns whether a name is of a file that has wrong bytes, and holds one of them.
    fn is_doubted(&self, bench: &BenchId, place: &Place) -> bool {
        self.doubted.contains(&place.file) && bench.to_string().contains(encoding::REPLACEMENT)
    }

    /// Takes over a benchmark, or takes note of why it is none.
    pub(crate) fn take(&mut self, entry: Result<Entry, String>, place: Place) {
        match entry {
            Ok(entry) => self.entries.push((entry, place)),
            Err(text) => self.problem(place, text),
        }
    }

    /// Returns the metrics of all that waits for others.
    pub(crate) fn waiting_metrics(&mut self) -> impl Iterator<Item = &mut Metric> {
        let entries = self.entries.iter_mut();
        let readings = entries.flat_map(|(entry, _)| &mut entry.readings);
        readings.map(|reading| &mut reading.metric)
    }

    /// Returns one that tells benchmarks of different targets apart.
    pub(crate) fn telling_apart() -> Self {
        Self {
            tells_apart: true,
            ..Self::default()
        }
    }

    /// Returns whether something stands twice that may be of different targets. Only then is it worth to keep all until the end.
    pub(crate) fn has_to_tell_apart(&self) -> bool {
        self.has_twice && self.has_targets
    }

    /// Takes over an observation of a target, by which it is told from others of its id if this does so.
    pub(crate) fn add_of(&mut self, target: Target<'_>, observation: Observation, place: Place) {
        let Target { name, package } = target;
        if !self.tells_apart {
            let owned = || (name.to_owned(), package.to_owned());
            let first = self.target.get_or_insert_with(owned);
            self.has_targets |= first.0 != name || first.1 != package;
            return self.add(observation, place);
        }
        // Where the folder lies is another place on each machine.
        let package = package.rsplit(['/', '\\']).next().unwrap_or_default();
        let facts = [("target", name), (PACKAGE, package)];
        let entry = Entry {
            bench: observation.bench,
            facts: Facts::from(facts.map(|(key, value)| (key, value.to_owned()))),
            readings: observation.readings,
            caveats: observation.caveats,
        };
        self.take(Ok(entry), place);
    }

    /// Takes over an observation, joining it with what is known of the same benchmark already.
    ///
    /// Whatever stands a second time is a problem, and the first stays: adding both up, or taking the later one, would
    /// be a guess at what the input means, unless its format says so.
    pub(crate) fn add(&mut self, observation: Observation, place: Place) {
        if self.is_doubted(&observation.bench, &place) {
            let bench = shown(&observation.bench.within_suite().to_string());
            let text = format!("the name of benchmark `{bench}` holds a byte that is not UTF-8");
            return self.problem(place, text);
        }
        let observations = &mut self.observed.observations;
        let seen = match self.seen.entry(observation.bench.clone()) {
            btree_map::Entry::Occupied(seen) => seen.into_mut(),
            btree_map::Entry::Vacant(_) if observations.len() == RESULTS_MAX => {
                let bench = observation.bench.within_suite();
                let text = format!("more than {RESULTS_MAX} benchmarks: `{bench}` is left out");
                return self.problem(place, text);
            }
            btree_map::Entry::Vacant(new) => {
                observations.push(Observation {
                    readings: Vec::with_capacity(observation.readings.len()),
                    answer: None,
                    caveats: Vec::new(),
                    bench: observation.bench.clone(),
                });
                new.insert(Seen {
                    index: observations.len() - 1,
                    first: place.clone(),
                    many: BTreeMap::new(),
                })
            }
        };
        let known = &mut observations[seen.index];
        let mut twice = Vec::new();
        let last_stays = self.last_stays && seen.first.file == place.file;
        for reading in observation.readings {
            let Some(index) = seen.known(&known.readings, &reading.metric.name) else {
                known.readings.push(reading);
                continue;
            };
            twice.push(format!("`{}`", reading.metric.name));
            if last_stays {
                known.readings[index] = reading;
            }
        }
        match observation.answer {
            Some(_) if known.answer.is_some() => twice.push("its answer".to_owned()),
            answer => known.answer = known.answer.take().or(answer),
        }
        if twice.is_empty() {
            known.caveats.extend(observation.caveats);
            return;
        }
        self.has_twice = true;
        let first = &seen.first;
        let kept = match last_stays {
            true => format!("the last is kept, and not the first, {first}"),
            false => format!("the first, {first}, is kept"),
        };
        let text = format!(
            "benchmark `{}` stands twice, with {} ({kept})",
            observation.bench.within_suite(),
            listed(&twice),
        );
        self.problem(place, text);
    }

    /// Adds the benchmarks that were waiting for all others, now told apart.
    fn add_entries(&mut self) {
        let mut entries = std::mem::take(&mut self.entries);
        tell_apart(&mut entries, |(entry, _)| (&mut entry.bench, &entry.facts));
        // The form that leaves facts out is also the one that rounds. What stands first is kept.
        let leaves_out =
            |(entry, _): &(Entry, Place)| entry.facts.values().any(|fact| fact == UNSAID);
        let rounded: Vec<_> = entries.extract_if(.., |one| leaves_out(one)).collect();
        let mut vocabulary = Vocabulary::default();
        for (entry, place) in entries.into_iter().chain(rounded) {
            let problem = |text| self.problem(place.clone(), text);
            if let Some(observation) = entry.observation(&mut vocabulary, problem) {
                self.add(observation, place);
            }
        }
        self.settle(&vocabulary);
    }

    /// Gives each metric the nature that it has in all of the input. Where benchmarks differ in it, this says so once.
    pub(crate) fn settle(&mut self, vocabulary: &Vocabulary) {
        if !vocabulary.is_weakened() {
            return;
        }
        let mut weakened: BTreeMap<MetricName, &Place> = BTreeMap::new();
        for observation in &mut self.observed.observations {
            for reading in &mut observation.readings {
                if vocabulary.settle(reading) {
                    let name = reading.metric.name.clone();
                    let first = &self.seen[&observation.bench].first;
                    weakened.entry(name).or_insert(first);
                }
            }
        }
        let remarks = weakened.into_iter().map(|(name, place)| Problem {
            place: place.clone(),
            text: format!(
                "other benchmarks have a summary of `{name}` and no raw values, so it is taken as summarized here too"
            ),
        });
        self.observed.remarks.extend(remarks);
    }

    /// Takes note of what was decided where the input leaves it open.
    pub(crate) fn remark(&mut self, place: Place, text: String) {
        self.observed.remarks.push(Problem { place, text });
    }

    /// Ends reading: observations, or an error that says why there are none.
    pub(crate) fn finish(
        mut self,
        input: &Input,
        hint: &'static str,
    ) -> Result<Observed, ReadError> {
        self.add_entries();
        if !self.observed.observations.is_empty() {
            if let Some((place, count)) = self.beyond {
                let text = format!("{count} more problems from here on");
                self.observed.problems.push(Problem { place, text });
            }
            return Ok(self.observed);
        }
        let more = self.problem_count().saturating_sub(1);
        let Some(first) = self.observed.problems.into_iter().next() else {
            return Err(ReadError {
                place: Place::start(&input.shown_name()),
                problem: "no benchmark result".to_owned(),
                hint: Some(hint),
            });
        };
        // What another run would say in the same way is of another program, or of another version.
        let hint = match json::is_of_other_kind(&first.text) || json::is_beyond_limits(&first.text)
        {
            true => hint,
            false => "run the suite again if the harness was interrupted",
        };
        let problem = match more {
            0 => first.text,
            1 => format!("{}, and 1 more problem, and no result", first.text),
            _ => format!("{}, and {more} more problems, and no result", first.text),
        };
        Err(ReadError {
            place: first.place,
            problem,
            hint: Some(hint),
        })
    }
}

/// Joins names for a message, leaving out those past the limit.
pub(crate) fn listed(names: &[String]) -> String {
    let shown = names.len().min(NAMED_METRICS_MAX);
    let text = names[..shown].join(", ");
    match names.len() - shown {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use tripline_model::{BenchName, Params, Reading, Sample, SuiteName};

    use super::*;

    const METRICS: usize = 100_000;

    fn observation(name: &str, metric: &str) -> Observation {
        Observation {
            bench: BenchId {
                suite: SuiteName::new("kv").unwrap(),
                name: BenchName::new(name).unwrap(),
                params: Params::new(),
            },
            readings: vec![Reading {
                metric: Metric::known(metric).unwrap(),
                sample: Sample::new([1.0]).unwrap(),
            }],
            answer: None,
            caveats: Vec::new(),
        }
    }

    fn input() -> Input {
        Input::from_bytes("out.json", Vec::new())
    }

    #[test]
    fn two_metrics_of_a_benchmark_are_one_observation() {
        let mut gathered = Gathered::default();
        gathered.add(observation("get", "instructions"), Place::start("a"));
        gathered.add(observation("get", "allocations"), Place::start("b"));
        let observed = gathered.finish(&input(), "").unwrap();
        assert_eq!(observed.observations.len(), 1);
        assert_eq!(observed.observations[0].readings.len(), 2);
        assert!(observed.problems.is_empty());
    }

    #[test]
    fn the_last_is_kept_of_what_one_file_has_twice_where_its_format_says_so() {
        let mut gathered = Gathered::default();
        gathered.keep_last();
        for (file, value) in [("a", 2.0), ("a", 3.0), ("b", 4.0)] {
            let mut observation = observation("get", "instructions");
            observation.readings[0].sample = Sample::new([value]).unwrap();
            gathered.add(observation, Place::start(file));
        }
        let observed = gathered.finish(&input(), "").unwrap();
        let [observation] = &observed.observations[..] else {
            panic!("it is one benchmark");
        };
        assert_eq!(observation.readings.len(), 1);
        assert_eq!(observation.readings[0].sample.values(), [3.0]);
        let problems: Vec<String> = observed.problems.iter().map(ToString::to_string).collect();
        let text = "benchmark `get` stands twice, with `instructions`";
        assert_eq!(
            problems,
            [
                format!("{text} (the last is kept, and not the first, a:1:1) at a:1:1"),
                format!("{text} (the first, a:1:1, is kept) at b:1:1")
            ]
        );
    }

    #[test]
    fn a_metric_that_stands_twice_is_a_problem_that_names_both_places() {
        let mut gathered = Gathered::default();
        gathered.add(observation("get", "instructions"), Place::start("a"));
        gathered.add(observation("get", "instructions"), Place::start("b"));
        let observed = gathered.finish(&input(), "").unwrap();
        assert_eq!(
            observed.problems[0].to_string(),
            "benchmark `get` stands twice, with `instructions` (the first, a:1:1, is kept) at b:1:1"
        );
    }

    /// Searching all metrics for each would take minutes.
    #[test]
    fn many_metrics_of_a_benchmark_are_gathered_soon() {
        let mut gathered = Gathered::default();
        for index in 0..METRICS {
            let mut observation = observation("get", "instructions");
            let name = MetricName::new(format!("m{index}")).unwrap();
            observation.readings[0].metric.name = name;
            gathered.add(observation, Place::start("a"));
        }
        let observed = gathered.finish(&input(), "").unwrap();
        assert_eq!(observed.observations[0].readings.len(), METRICS);
    }

    #[test]
    fn benchmarks_beyond_the_limit_are_problems() {
        let mut gathered = Gathered::default();
        for number in 0..RESULTS_MAX + 2 {
            let bench = format!("b{number}");
            gathered.add(observation(&bench, "instructions"), Place::start("a"));
        }
        // What is known already is still joined.
        gathered.add(observation("b0", "allocations"), Place::start("a"));
        let observed = gathered.finish(&input(), "").unwrap();
        assert_eq!(observed.observations.len(), RESULTS_MAX);
        assert_eq!(observed.observations[0].readings.len(), 2);
        let problems: Vec<String> = observed.problems.iter().map(|p| p.text.clone()).collect();
        let left_out = |bench| format!("more than 200000 benchmarks: `{bench}` is left out");
        assert_eq!(problems, ["b200000", "b200001"].map(left_out));
    }

    #[test]
    fn problems_beyond_the_limit_are_counted() {
        let mut gathered = Gathered::default();
        for line in 1..=PROBLEMS_MAX + 5 {
            let place = Place {
                line,
                ..Place::start("a")
            };
            gathered.problem(place, "damaged");
        }
        gathered.add(observation("get", "instructions"), Place::start("a"));
        let observed = gathered.finish(&input(), "").unwrap();
        assert_eq!(observed.problems.len(), PROBLEMS_MAX + 1);
        assert_eq!(
            observed.problems[PROBLEMS_MAX].to_string(),
            "5 more problems from here on at a:1001:1"
        );
    }

    #[test]
    fn nothing_is_an_error() {
        let error = Gathered::default()
            .finish(&input(), "measure first")
            .expect_err("nothing was found");
        assert_eq!(error.to_string(), "no benchmark result at out.json:1:1");
        assert_eq!(error.hint, Some("measure first"));
    }
}
