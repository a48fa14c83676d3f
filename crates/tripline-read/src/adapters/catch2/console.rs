//! The console reporter: a table below each test case that has benchmarks, three lines for each of them.
//!
//! A long name is wrapped over several lines above its numbers. The summary at the end tells a whole output from one that
//! was cut. Tested by `fixtures/catch2`.

use super::Estimates;
use crate::document::is_fence;
use crate::entry::Entry;
use crate::listing::Listing;
use crate::naming::is_decimal;
use crate::place::shown;
use crate::quantity::nanoseconds;

/// The shortest line of dashes that is a rule.
const RULE_CHARS: usize = 20;

/// The widest column of names, in the table without analysis.
const NAME_CHARS_MAX: usize = 44;

/// How wide a line of a name is, and one of a title.
const NAME_CHARS: usize = 35;
const TITLE_CHARS: usize = 79;

/// What the header has only in versions before 2.9.
const OLDER: &str = " elapsed ns ";

/// By what share of it a printed average, of six digits, may be off.
const ROUNDED: f64 = 1e-5;

/// What stands last in a header, with analysis, in the versions before it, without it, and before 2.9.
const LAST: [&str; 4] = [" estimated", " est run time", " mean", " average"];

/// Returns whether a line is a header without doubt: of a whole one at least the beginning or the end is left.
pub(super) fn is_mark(text: &str) -> bool {
    let ends = |last: &&str| text.trim_end().ends_with(*last);
    (text.starts_with("benchmark name ") || LAST.iter().any(ends)) && is_header(text)
}

/// Returns whether a line begins a table, even where one of its words is damaged. divan's header has two of them too,
/// between bars.
pub(super) fn is_header(text: &str) -> bool {
    let words = [
        "benchmark name ",
        " samples ",
        " iterations ",
        " iters ",
        OLDER,
    ];
    words.iter().filter(|word| text.contains(**word)).count() >= 2 && !text.contains('│')
}

/// Returns whether a line is a rule, even where a sign of it is wrong: a table behind it must not be lost.
fn is_rule(text: &str, sign: char) -> bool {
    let text = text.trim_end();
    let others = text.chars().filter(|c| *c != sign).count();
    text.len() >= RULE_CHARS && others <= 1
}

fn is_summary(text: &str) -> bool {
    ["test cases:", "All tests passed", "assertions:"]
        .iter()
        .any(|word| text.starts_with(word))
}

/// Returns whether a line begins what is told of an assertion, which no row of the table comes behind.
fn is_assertion(text: &str) -> bool {
    text.trim_end().ends_with(": PASSED:") || failed(text).is_some()
}

/// Returns where the assertion stands that a line says failed: `kv.cpp:14: FAILED:`.
fn failed(text: &str) -> Option<&str> {
    text.trim_end().strip_suffix(": FAILED:")
}

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    /// Between everything else.
    Outside,
    /// Between the rules above and below the name of a test case.
    Title,
    /// Below the header of a table and above the rule that ends it.
    Header,
    /// In the table.
    Table,
}

/// What was read so far.
struct State {
    part: Part,
    /// The test case and its sections.
    title: Vec<String>,
    /// The newest line of these, and how far one is indented that goes on with it, where no section is.
    title_line: String,
    title_indent: Option<usize>,
    /// The lines of a name whose numbers are still to come.
    name: Vec<String>,
    /// A benchmark of whose lines some are still to come.
    begun: Option<(usize, Estimates)>,
    has_analysis: bool,
    /// Whether it is a table of a version before 2.9.
    is_older: bool,
    /// The newest result and its line.
    newest: Option<(usize, Entry)>,
}

pub(super) fn read(listing: &mut Listing<'_, '_>) {
    let mut state = State {
        part: Part::Outside,
        title: Vec::new(),
        title_line: String::new(),
        title_indent: None,
        name: Vec::new(),
        begun: None,
        has_analysis: true,
        is_older: false,
        newest: None,
    };
    let (mut is_whole, mut last) = (false, 0);
    for line in listing.document.lines() {
        is_whole |= is_summary(line.text);
        last = line.line;
        state.line(line.line, line.text, listing);
    }
    state.end_table(last, listing);
    if !is_whole {
        // The last line may have lost its end, and with it a part of its unit.
        state.newest.take_if(|(line, _)| *line + 2 >= last);
        listing.problem(last.max(1), "the output ends before its summary");
    }
    listing.close(&mut state.newest);
}

impl State {
    fn line(&mut self, number: usize, text: &str, listing: &mut Listing<'_, '_>) {
        if is_header(text) {
            self.end_table(number, listing);
            self.is_older = text.contains(OLDER);
            self.has_analysis = !self.is_older && !text.trim_end().ends_with("mean");
            self.part = Part::Header;
        } else if is_rule(text, '=') || is_rule(text, '~') || is_assertion(text) || is_fence(text) {
            self.end_table(number, listing);
            self.part = Part::Outside;
            if let Some(assertion) = failed(text) {
                listing.problem(number, self.failure(assertion));
            }
        } else if is_rule(text, '-') {
            self.rule(number, listing);
        } else if self.part == Part::Title && is_rule(text, '.') {
            // It stands below the place of a test case, so the rule above that was the one below the name.
            listing.problem(number, "a table whose test case has no name here");
            self.title.clear();
            self.part = Part::Outside;
        } else {
            match self.part {
                Part::Title if !text.trim().is_empty() => self.title(text),
                Part::Table => self.row(number, text, listing),
                // The rule below the header is damaged, and what comes behind it must not be lost.
                Part::Header if is_row(text) => {
                    listing.problem(number, "a table whose header has no end");
                    self.part = Part::Table;
                }
                Part::Title | Part::Header | Part::Outside => {}
            }
        }
    }

    fn failure(&self, assertion: &str) -> String {
        let assertion = shown(assertion.trim());
        match &self.title[..] {
            [] => format!("an assertion failed, at {assertion}"),
            title => {
                let title = title.join("/");
                let title = shown(&title);
                format!("an assertion of test case `{title}` failed, at {assertion}")
            }
        }
    }

    fn rule(&mut self, number: usize, listing: &mut Listing<'_, '_>) {
        self.part = match self.part {
            Part::Header => Part::Table,
            Part::Title => Part::Outside,
            Part::Outside | Part::Table => {
                self.end_table(number, listing);
                self.title.clear();
                Part::Title
            }
        };
    }

    /// Takes a line of a title: the test case, a section, or more of what stands above it, which is indented behind the colon of
    /// that, or else as far as it. Sections within a section are, too, and so it is only of a test case that this tells.
    fn title(&mut self, text: &str) {
        let line = text.trim();
        let indent = text.len() - text.trim_start().len();
        let word = line.find(is_break).unwrap_or(line.len());
        let is_more = Some(indent) == self.title_indent
            && self.title_line.chars().count() + 1 + word > TITLE_CHARS;
        match self.title.last_mut() {
            Some(above) if is_more => join(above, &self.title_line, line, TITLE_CHARS),
            _ => {
                let behind = line.find(": ").map(|colon| indent + colon + 2);
                self.title_indent = behind.or((indent == 0).then_some(0));
                self.title.push(line.to_owned());
            }
        }
        text.trim_end().clone_into(&mut self.title_line);
    }

    /// Returns the name whose lines were read.
    fn take_name(&mut self) -> String {
        let (mut name, mut above) = (String::new(), "");
        let lines = std::mem::take(&mut self.name);
        for line in &lines {
            join(&mut name, above, line, NAME_CHARS);
            above = line;
        }
        name
    }

    fn end_table(&mut self, number: usize, listing: &mut Listing<'_, '_>) {
        if let Some((line, _)) = self.begun.take() {
            listing.problem(line, "a benchmark whose numbers are not whole");
        }
        let name = self.take_name();
        if !name.is_empty() {
            listing.problem(
                number,
                format!("a line of the table that is no result: `{}`", shown(&name)),
            );
        }
    }

    fn row(&mut self, number: usize, text: &str, listing: &mut Listing<'_, '_>) {
        let text = text.trim_end();
        if text.is_empty() {
            // No name has an empty line in it: what stands above was printed by the program.
            if self.begun.is_none() {
                self.end_table(number, listing);
            }
            return;
        }
        if let Some((line, mut estimates)) = self.begun.take() {
            match (Durations::parse(text), estimates.bounds) {
                (Some([mean, low, high]), None) => {
                    estimates.mean = mean;
                    estimates.bounds = Some((low, high));
                    self.begun = Some((line, estimates));
                }
                (Some([stddev, ..]), Some(_)) => {
                    estimates.stddev = Some(stddev);
                    self.add(line, &estimates, listing);
                }
                (None, _) => {
                    self.begun = Some((line, estimates));
                    self.end_table(number, listing);
                    self.name.push(text.trim().to_owned());
                }
            }
            return;
        }
        if let Some((name, reason)) = text.split_once("Benchmark failed (") {
            self.name.push(name.trim().to_owned());
            let name = self.take_name();
            let names: Vec<&str> = self
                .title
                .iter()
                .map(String::as_str)
                .chain([name.trim()])
                .collect();
            let (name, reason) = (shown(&names.join("/")), shown(reason.trim_end_matches(')')));
            return listing.problem(number, format!("benchmark `{name}` failed: {reason}"));
        }
        if self.name.is_empty() && is_duration(text) {
            return;
        }
        if self.name.is_empty() && Durations::parse(text).is_some() {
            return listing.problem(number, "a row of numbers that belongs to no benchmark");
        }
        let row = match self.is_older {
            true => older_row(text),
            false => first_row(text),
        };
        match row {
            Some((name, estimates)) => {
                if !name.is_empty() {
                    self.name.push(name.to_owned());
                }
                match self.has_analysis {
                    true => self.begun = Some((number, estimates)),
                    false => self.add(number, &estimates, listing),
                }
            }
            None if text.chars().count() > NAME_CHARS_MAX => {
                self.name.push(text.trim().to_owned());
                self.end_table(number, listing);
            }
            None => self.name.push(text.trim().to_owned()),
        }
    }

    fn add(&mut self, line: usize, estimates: &Estimates, listing: &mut Listing<'_, '_>) {
        let mut names = self.title.clone();
        names.push(self.take_name());
        match estimates.entry(listing.suite, &names) {
            Ok(entry) => {
                listing.close(&mut self.newest);
                self.newest = Some((line, entry));
            }
            Err(text) => listing.problem(line, text),
        }
    }
}

/// Adds a line to what stands above it, as it was before it was broken: in a word that is wider than the line, at a blank,
/// or behind a sign. Whether a blank stood behind that is not told: with a blank before it one is likely, and behind `+`, `*`,
/// `&` and `=`, which end words such as `C++` and `int&`.
fn join(whole: &mut String, above: &str, line: &str, width: usize) {
    let before = |end: &str| above.strip_suffix(end).filter(|word| !word.is_empty());
    let is_glued = |end: &&str| before(end).is_some_and(|word| !word.ends_with(' '));
    let is_word = above.chars().count() == width && !above.trim_start().contains(' ');
    if is_word && before("-").is_some_and(|word| !word.trim_start().contains(is_break)) {
        whole.pop();
    } else if !whole.is_empty()
        && !["-", "/", "\\", "::"].iter().any(is_glued)
        && !line.starts_with("::")
    {
        whole.push(' ');
    }
    whole.push_str(line);
}

/// Returns whether a line may be broken at a sign.
fn is_break(sign: char) -> bool {
    sign == ' ' || "[({<|])}>.,:;*+-=&/\\".contains(sign)
}

/// Returns whether a line is what `--durations yes` says of a test case or a section: `0.843 s: Fib`.
fn is_duration(text: &str) -> bool {
    let seconds = text.split_once(" s: ").map(|(seconds, _)| seconds.trim());
    let places = seconds.and_then(|seconds| seconds.split_once('.'));
    places.is_some_and(|(whole, part)| {
        part.len() == 3 && [whole, part].iter().all(|digits| is_decimal(digits))
    })
}

/// Returns whether a line holds numbers of a table.
fn is_row(text: &str) -> bool {
    let text = text.trim_end();
    first_row(text).is_some() || Durations::parse(text).is_some()
}

/// Reads the row with the name: samples, iterations, and an estimated duration or the mean.
fn first_row(text: &str) -> Option<(&str, Estimates)> {
    let (rest, unit) = text.rsplit_once(' ')?;
    let (rest, value) = rest.trim_end().rsplit_once(' ')?;
    let (rest, iterations) = rest.trim_end().rsplit_once(' ')?;
    let rest = rest.trim_end();
    let (name, samples) = rest.rsplit_once(' ').unwrap_or(("", rest));
    let estimates = Estimates {
        samples: samples.parse().ok()?,
        iterations: iterations.parse().ok()?,
        mean: nanoseconds(unit)?.of_text(value)?,
        ..Estimates::default()
    };
    Some((name.trim(), estimates))
}

/// Reads a row of versions before 2.9: iterations, how many nanoseconds they took, and the average of them.
fn older_row(text: &str) -> Option<(&str, Estimates)> {
    let (name, row) = first_row(text)?;
    let (iterations, elapsed) = (row.samples, row.iterations as f64);
    let mean = elapsed / iterations as f64;
    let estimates = Estimates {
        samples: 1,
        iterations,
        mean,
        ..Estimates::default()
    };
    let is_same = (mean - row.mean).abs() <= row.mean * ROUNDED;
    is_same.then_some((name, estimates))
}

struct Durations;

impl Durations {
    /// Reads a row of three durations and nothing else.
    fn parse(text: &str) -> Option<[f64; 3]> {
        let mut words = text.split_ascii_whitespace();
        let mut next = || {
            let value = words.next()?;
            nanoseconds(words.next()?)?.of_text(value)
        };
        let durations = [next()?, next()?, next()?];
        words.next().is_none().then_some(durations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_older_tables_say_one_thing_twice() {
        for (text, expected) in [
            (
                "No virtual calls.                                   1      1303644   1.30364 ms ",
                Some(("No virtual calls.", 1, 1_303_644.0)),
            ),
            (
                "64 by 4                                           400        76054   190.135 ns",
                Some(("64 by 4", 400, 190.135)),
            ),
            (
                "No virtual calls.                                   1      1303644   1.30464 ms ",
                None,
            ),
            (
                "No virtual calls.                                   0      1303644   1.30364 ms ",
                None,
            ),
        ] {
            let row = older_row(text.trim_end());
            let found = row.map(|(name, row)| (name, row.iterations, row.mean));
            assert_eq!(found, expected, "{text}");
        }
    }
}
