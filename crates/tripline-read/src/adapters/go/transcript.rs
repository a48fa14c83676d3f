//! The output of one or more test processes, line by line: what each benchmark gave, and what went wrong.
//!
//! A process says first where it runs and last that it passed or failed, so an output that was cut is known by its end.
//! Tested by `fixtures/go` and `tests/it/refusals/fixtures/go.txt`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::line::{Line, Run};
use super::metrics::in_one_unit;
use super::processors::Name;
use super::words::{begins_with_name, failed, is_crash};
use crate::document::Block;
use crate::grouped::Grouped;
use crate::place::shown;

/// How many keys of its own an output may state at once: with each change of one all of them are kept.
const STATED_MAX: usize = 32;

/// All that an output says.
#[derive(Debug, Default)]
pub(super) struct Transcript<'t> {
    /// The processes, in order.
    pub(super) processes: Vec<Process<'t>>,
    /// What holds of results beside the settings of their process, each time that it is another.
    pub(super) stated: Vec<Stated<'t>>,
    /// What it says of units: its unit's properties, by key.
    pub(super) units: BTreeMap<Cow<'t, str>, BTreeMap<&'t str, &'t str>>,
    /// What looks like a result and is none, and what failed, each with its line.
    pub(super) problems: Vec<(usize, String)>,
}

/// One test process, which runs the benchmarks of one package.
#[derive(Debug, Default)]
pub(super) struct Process<'t> {
    /// The package, where it is said.
    pub(super) package: Option<&'t str>,
    /// Where it ran: `goos`, `goarch` and `cpu`.
    pub(super) settings: Vec<(&'static str, &'t str)>,
    /// What its benchmarks gave.
    pub(super) results: Results<'t>,
}

/// What is stated of results, by its key.
pub(super) type Stated<'t> = BTreeMap<&'t str, &'t str>;

/// What one run of a benchmark gave, and where that stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken<'t> {
    pub(super) line: usize,
    /// Which of what is stated holds of it.
    pub(super) stated: usize,
    pub(super) run: Run<'t>,
}

/// The runs of each benchmark, of which there is at least one.
pub(super) type Results<'t> = Grouped<Name<'t>, Vec<Taken<'t>>>;

/// A benchmark that began and has no result yet.
struct Begun<'t> {
    line: usize,
    name: &'t str,
}

/// Reads an output.
#[derive(Default)]
struct Reader<'t> {
    transcript: Transcript<'t>,
    current: Current<'t>,
    /// What is stated of the results that follow, and whether that has changed since the last of them.
    stated: Stated<'t>,
    is_restated: bool,
    /// The processes that said where they ran and not how they ended: the lines on which each begins and stops.
    unended: Vec<(usize, usize)>,
    /// Whether any process said how it ended.
    has_ended: bool,
}

/// The process whose lines are being read.
#[derive(Default)]
struct Current<'t> {
    process: Process<'t>,
    begun: Option<Begun<'t>>,
    /// The last name that stands alone.
    announced: Option<&'t str>,
    /// Whether a benchmark said its name on a line of its own and gave no result since.
    is_running: bool,
    crash: Option<(usize, &'t str)>,
    /// The line on which it said where it runs; whoever says that also says how it ended.
    headed: Option<usize>,
    has_passed: bool,
    /// What is stated behind that, or behind its newest result where it may have written it, each with its line.
    stated_behind: Vec<(usize, &'t str, &'t str)>,
    /// How many problems there were before it.
    problems_before: usize,
}

impl<'t> Transcript<'t> {
    /// Reads the lines of an output, one of which may be cut: the last, or that of the text before another package's.
    pub(super) fn of(lines: impl Iterator<Item = Block<'t>>, cut_line: Option<usize>) -> Self {
        let mut reader = Reader::default();
        let mut last = 0;
        for block in lines {
            last = block.line;
            let line = Line::of(block.text);
            let is_cut = cut_line == Some(block.line);
            if is_cut && !line.is_an_end() && !block.text.trim().is_empty() {
                let said = "the output is cut off here: its last line has no end";
                reader.problem(block.line, said.to_owned());
                reader.next_process();
                continue;
            }
            reader.take(block.line, block.text, line);
        }
        reader.end(last, false);
        reader.tell_unended();
        reader.transcript
    }
}

impl<'t> Reader<'t> {
    fn problem(&mut self, line: usize, text: String) {
        self.transcript.problems.push((line, text));
    }

    fn take(&mut self, number: usize, text: &'t str, line: Line<'t>) {
        match line {
            Line::Setting { key, value } => self.setting(number, key, value),
            Line::Stated { key, value } => self.state(number, key, value),
            Line::Result { name, run } => {
                self.drop_begun();
                self.result(number, name, run);
            }
            Line::Rest(run) => match self.current.begun.take() {
                Some(begun) => self.result(begun.line, begun.name, run),
                None => self.problem(number, "a result without its benchmark's name".to_owned()),
            },
            Line::Announced { name } => {
                self.current.announced = Some(name);
                self.current.is_running = true;
            }
            Line::Begun { name, rest } => self.begin(number, name, rest),
            Line::Failed { what } => self.fail(number, what),
            Line::Crashed => {
                self.current.crash = self.current.crash.or(Some((number, text)));
                self.current.has_passed = false;
            }
            Line::Passed => {
                self.drop_begun();
                self.current.crash = None;
                self.current.has_passed = true;
                self.current.stated_behind.clear();
            }
            Line::Ended { package } => {
                self.current.crash = None;
                self.name_package(number, package);
                self.end(number, true);
            }
            Line::Broken { package, why } => self.broken(number, package, why),
            Line::Unit { unit, properties } => {
                let (unit, _) = in_one_unit(unit);
                let known = self.transcript.units.entry(unit).or_default();
                known.extend(properties);
            }
            Line::Damaged => {
                match begins_with_name(text) {
                    true => self.drop_begun(),
                    false => self.current.begun = None,
                }
                self.problem(number, "a damaged result: it is not of the form `BenchmarkName iterations value unit`, with nothing else on its line".to_owned());
            }
            Line::Other => {}
        }
    }

    /// Takes in what is stated of the results that follow, unless it is a benchmark that wrote it. Where they are announced,
    /// of several runs only the first is, so that any line between the results of a process may be one's.
    fn state(&mut self, line: usize, key: &'t str, value: &'t str) {
        let current = &mut self.current;
        let may_be_ones = current.announced.is_some()
            && current.headed.is_some()
            && !current.process.results.is_empty()
            && !matches!(key, "goarch" | "cpu");
        let is_ones = current.begun.is_some() || current.is_running;
        if current.has_passed || may_be_ones && !is_ones {
            current.stated_behind.push((line, key, value));
        } else if !is_ones {
            self.hold(line, key, value);
        }
    }

    /// Takes in what is stated behind a process, where it did not write that itself before its package was done.
    fn state_behind(&mut self) {
        for (line, key, value) in std::mem::take(&mut self.current.stated_behind) {
            self.hold(line, key, value);
        }
    }

    fn hold(&mut self, line: usize, key: &'t str, value: &'t str) {
        let had = self.stated.len();
        let before = match value {
            "" => self.stated.remove(key),
            _ => self.stated.insert(key, value),
        };
        self.is_restated |= before.unwrap_or_default() != value;
        if self.stated.len() > STATED_MAX.max(had) {
            self.stated.remove(key);
            let key = shown(key);
            let text =
                format!("`{key}` is not kept: more than {STATED_MAX} such lines hold at once");
            self.problem(line, text);
        }
    }

    /// Returns which of what was stated holds of a result.
    fn stated(&mut self) -> usize {
        let known = &mut self.transcript.stated;
        if known.is_empty() || std::mem::take(&mut self.is_restated) {
            known.push(self.stated.clone());
        }
        known.len() - 1
    }

    /// Takes in where the process runs. A benchmark may write such a line, too, but not before it has begun.
    fn setting(&mut self, line: usize, key: &'static str, value: &'t str) {
        let is_new = !self.current.process.results.is_empty()
            || self.current.begun.is_some()
            || self.current.has_passed;
        match key {
            "goos" | "pkg" => {
                if is_new || self.current.process.is_known(key) {
                    self.end(line, false);
                }
                self.current.headed = self.current.headed.or(Some(line));
            }
            _ if is_new => return self.state(line, key, value),
            _ => {}
        }
        // What is said at the head of a process holds for all of it.
        self.is_restated |= self.stated.remove(key).is_some();
        if key == "pkg" {
            self.current.process.package = Some(value);
        } else {
            self.current.process.settings.push((key, value));
        }
    }

    fn result(&mut self, line: usize, name: &'t str, run: Run<'t>) {
        // Whatever crashed before was caught, or there would be no result; and whatever said `PASS` was not the process.
        self.current.crash = None;
        self.current.has_passed = false;
        self.current.is_running = false;
        match self.current.headed.and(self.current.announced) {
            None => self.state_behind(),
            Some(_) => self.current.stated_behind.clear(),
        }
        let why = match run.iterations {
            0 => "gave numbers over 0 iterations",
            _ if run.is_empty() => "ran and gave no number",
            _ => {
                let name = Name::new(name, self.current.announced);
                let stated = self.stated();
                let runs = self.current.process.results.of(name, Vec::new);
                return runs.push(Taken { line, stated, run });
            }
        };
        self.problem(line, format!("`{}` {why}", shown(name)));
    }

    fn begin(&mut self, line: usize, name: &'t str, rest: &'t str) {
        self.drop_begun();
        self.current.has_passed = false;
        if let Some(what) = failed(rest) {
            return self.fail(line, what);
        }
        self.current.begun = Some(Begun { line, name });
        if is_crash(rest) {
            self.current.crash = self.current.crash.or(Some((line, rest)));
        }
        if let unit @ Line::Unit { .. } = Line::of(rest) {
            self.take(line, rest, unit);
        }
    }

    fn fail(&mut self, line: usize, what: &str) {
        self.current.begun = None;
        self.problem(line, format!("`{}` failed", shown(what)));
    }

    /// Says of a benchmark that began and will not end, if there is one, that it gave no result.
    fn drop_begun(&mut self) {
        let Some(Begun { line, name }) = self.current.begun.take() else {
            return;
        };
        let name = shown(name);
        let text = match self.current.crash.take() {
            Some((_, crash)) => format!("`{name}` gave no result: {}", shown(crash)),
            None => format!("`{name}` began and gave no result"),
        };
        self.problem(line, text);
    }

    fn drop_crash(&mut self) {
        if let Some((line, crash)) = self.current.crash.take() {
            self.problem(
                line,
                format!("the benchmarks ended with `{}`", shown(crash)),
            );
        }
    }

    /// A package or process says that it failed. Where what failed is said already, that is enough.
    fn broken(&mut self, line: usize, package: Option<&'t str>, why: &str) {
        self.drop_begun();
        self.drop_crash();
        let problems = &self.transcript.problems;
        let is_told = problems.len() > self.current.problems_before;
        // At its very end an output says once more that something in it failed.
        let has_any = !problems.is_empty() || !self.unended.is_empty();
        let is_repeated = package.is_none() && self.current.process.is_empty() && has_any;
        if !is_told && !is_repeated {
            let whose = match package {
                Some(package) => format!("package `{}`", shown(package)),
                None => "the test process".to_owned(),
            };
            let why = match why.strip_prefix('[').and_then(|why| why.split_once(']')) {
                Some((why, _)) => format!(": {}", shown(why)),
                None => String::new(),
            };
            self.problem(line, format!("{whose} failed{why}"));
        }
        match package {
            Some(package) => {
                self.name_package(line, package);
                self.end(line, true);
            }
            None => self.current.has_passed = true,
        }
    }

    /// Takes in which package ends here, for results of versions that do not say so before, and of outputs that lost
    /// the line.
    fn name_package(&mut self, line: usize, package: &'t str) {
        match self.current.process.package {
            Some(known) if known != package => {
                let (known, package) = (shown(known), shown(package));
                let text = format!(
                    "the results of package `{known}` end as those of `{package}`: lines are missing between them"
                );
                self.problem(line, text);
            }
            Some(_) => {}
            None => self.current.process.package = Some(package),
        }
    }

    /// Ends a process, and begins the next.
    fn end(&mut self, line: usize, is_whole: bool) {
        self.drop_begun();
        if !is_whole {
            self.state_behind();
        }
        if !is_whole && !self.current.has_passed {
            self.drop_crash();
            self.unended
                .extend(self.current.headed.map(|first| (first, line)));
        } else {
            self.has_ended = true;
        }
        self.next_process();
    }

    /// Says which processes have no end. Where none has one, it was left out, as in files that are made for benchstat.
    fn tell_unended(&mut self) {
        let unended = std::mem::take(&mut self.unended);
        if let (false, [_, .., (_, last)]) = (self.has_ended, &unended[..]) {
            let count = unended.len();
            let text = format!(
                "none of the {count} outputs up to here has an end, neither `PASS` nor `FAIL`: that was left out, or they were cut"
            );
            return self.problem(*last, text);
        }
        for (first, line) in unended {
            self.problem(line, format!("the output that begins on line {first} has no end here, neither `PASS` nor `FAIL`: it was cut, or that was left out"));
        }
    }

    fn next_process(&mut self) {
        let next = Current {
            problems_before: self.transcript.problems.len(),
            ..Current::default()
        };
        let done = std::mem::replace(&mut self.current, next);
        self.transcript.processes.push(done.process);
    }
}

impl Process<'_> {
    fn is_known(&self, key: &str) -> bool {
        match key {
            "pkg" => self.package.is_some(),
            _ => self.settings.iter().any(|(known, _)| *known == key),
        }
    }

    fn is_empty(&self) -> bool {
        self.results.is_empty() && self.settings.is_empty() && self.package.is_none()
    }
}
