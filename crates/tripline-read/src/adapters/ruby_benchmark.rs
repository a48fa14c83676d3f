//! Reads the table of Ruby's own `Benchmark.bm` and `bmbm`: processor time of user and system, their sum, and real time.
//!
//! A rehearsal is no result: it is done so that the run after it is not the first. Tested by `fixtures/ruby_benchmark`.

use tripline_model::{Metric, Reading, Unit};

use crate::adapter::{Adapter, Mark};
use crate::file_names::is_text;
use crate::place::shown;
use crate::quantity::{Scale, nanoseconds};
use crate::result_lines::{self, Line, uncommented};
use crate::summary;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "ruby-benchmark",
    about: "Ruby's Benchmark: the tables of `bm` and `bmbm`",
    files: is_text,
    mark: Mark::Line(|line| {
        let line = uncommented(line);
        is_header(line) || is_rehearsal(line.trim_start())
    }),
    hint: "run `Benchmark.bm` and give its standard output",
    read: |input, suite| {
        result_lines::read(input, suite, &ADAPTER, || {
            let mut table = Table::None;
            move |text| table.line_of(uncommented(text))
        })
    },
};

fn is_header(text: &str) -> bool {
    text.split_ascii_whitespace()
        .eq(["user", "system", "total", "real"])
}

fn is_rehearsal(text: &str) -> bool {
    let rest = text.strip_prefix("Rehearsal ");
    rest.is_some_and(|rest| !rest.is_empty() && rest.trim_end().bytes().all(|byte| byte == b'-'))
}

/// The table a line stands in.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Table {
    None,
    Rehearsal,
    Results,
}

impl Table {
    fn line_of(&mut self, text: &str) -> Line {
        if is_header(text) {
            *self = Self::Results;
            return Line::Other;
        }
        if is_rehearsal(text.trim_start()) {
            *self = Self::Rehearsal;
            return Line::Other;
        }
        match Times::parse(text) {
            Some(_) if *self == Self::Rehearsal => Line::Known,
            Some(times) if looks_like_times(times.name) => {
                Line::Problem(format!("two results on one line: `{}`", shown(text)))
            }
            Some(times) if times.name.is_empty() => {
                Line::Problem("a result without a name: give `report` a label".to_owned())
            }
            Some(times) => Line::Result {
                is_closed: true,
                readings: times.readings(),
                name: times.name.to_owned(),
            },
            None if *self != Self::Rehearsal && looks_like_times(text) => {
                Line::Problem(format!("a damaged result: `{}`", shown(text)))
            }
            None => Line::Other,
        }
    }
}

/// Returns whether a line has three of the four times, or the brackets of the last.
fn looks_like_times(text: &str) -> bool {
    let is_time = |word: &&str| {
        let word = word.trim_matches(['(', ')']);
        word.split_once('.')
            .is_some_and(|(_, fraction)| fraction.len() >= 5)
            && seconds().of_text(word).is_some()
    };
    text.split_ascii_whitespace().filter(is_time).count() >= 2
}

fn seconds() -> Scale {
    nanoseconds("s").expect("the second is in the table")
}

/// One row.
struct Times<'t> {
    name: &'t str,
    user: f64,
    system: f64,
    total: f64,
    real: f64,
}

impl<'t> Times<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let (rest, real) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        let time = |word: &str| {
            let is_whole = word
                .split_once('.')
                .is_some_and(|(_, fraction)| fraction.len() == 6);
            is_whole.then(|| seconds().of_text(word)).flatten()
        };
        let (rest, total) = rest.trim_end().rsplit_once(' ')?;
        let (rest, system) = rest.trim_end().rsplit_once(' ')?;
        let rest = rest.trim_end();
        let (name, user) = rest.rsplit_once(' ').unwrap_or(("", rest));
        let name = name.trim();
        Some(Self {
            name: name.strip_suffix(':').unwrap_or(name),
            user: time(user)?,
            system: time(system)?,
            total: time(total)?,
            real: time(real.trim())?,
        })
    }

    fn readings(&self) -> Result<Vec<Reading>, String> {
        let known = |name| Metric::known(name).expect("the metric is in the table");
        Ok(vec![
            summary::standing_for(&known("wall_time"), self.real, None)?,
            summary::standing_for(&known("cpu_time"), self.total, None)?,
            summary::beside("cpu_time_user", Unit::Nanosecond, self.user)?,
            summary::beside("cpu_time_system", Unit::Nanosecond, self.system)?,
        ])
    }
}
