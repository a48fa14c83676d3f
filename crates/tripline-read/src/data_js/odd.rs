//! What is odd about the runs of a suite, and is coped with: how often, and where first. It is told once a suite, because
//! what is odd about one run mostly is about a thousand.
//!
//! Tested through `tests/it/data_js.rs`.

use crate::place::shown;

/// What can be odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Oddity {
    /// A run stands behind one that was measured later.
    Late,
    /// A commit was met before.
    Repeated,
    /// There is no date, and the commit's stands in for it.
    Undated,
    /// A date is a text.
    DateAsText,
    /// A date is a number that was hardly meant in milliseconds.
    EarlyDate,
    /// A value is a text.
    ValueAsText,
    /// Values are of one name and unit.
    Twins,
    /// Benchmarks have another unit than before.
    OtherUnit,
    /// Rates come from a tool that takes less for better.
    Rate,
    /// Times come from a tool that takes more for better.
    RisingTime,
    /// Ranges have no unit, and may be in another than their values.
    BareRange,
    /// Go's further results stand in a unit.
    GoResults,
    /// What is beside a value is neither text nor number.
    OtherExtra,
    /// Some members are not known.
    OtherMember,
    /// A commit says more than is kept.
    LongCommit,
    /// Of a commit only the beginning of its hash is there.
    ShortCommit,
    /// Something stands behind the hash of a commit.
    MarkedCommit,
    /// A commit is called by a word.
    WordCommit,
    /// A member stands twice.
    Twice,
}

impl Oddity {
    const ALL: [Self; 19] = [
        Self::Late,
        Self::Repeated,
        Self::Undated,
        Self::DateAsText,
        Self::EarlyDate,
        Self::ValueAsText,
        Self::Twins,
        Self::OtherUnit,
        Self::Rate,
        Self::RisingTime,
        Self::BareRange,
        Self::GoResults,
        Self::OtherExtra,
        Self::OtherMember,
        Self::LongCommit,
        Self::ShortCommit,
        Self::MarkedCommit,
        Self::WordCommit,
        Self::Twice,
    ];

    /// Says so, of that many runs.
    fn words(self) -> &'static str {
        match self {
            Self::Late => {
                "stand behind a run that was measured later, or at the same time, and keep their place"
            }
            Self::Repeated => "are of a commit that an earlier run is of, and are kept beside it",
            Self::Undated => "have no date that can be read, and are given that of their commit",
            Self::DateAsText => {
                "have a date that is a text, which is taken as the time it says, in UTC where it names no zone"
            }
            Self::EarlyDate => {
                "have a date before the year 2000, because it is taken as milliseconds, which it hardly is"
            }
            Self::ValueAsText => "have values that are texts, which are taken as numbers",
            Self::Twins => {
                "have values of one name and unit, which are told apart by what else is said of each, or by their order"
            }
            Self::OtherUnit => {
                "have benchmarks whose unit was another before, and is that of a series of its own"
            }
            Self::Rate => {
                "have rates, of which more is taken to be better, though their tool says less"
            }
            Self::RisingTime => {
                "have times, of which more is taken to be better, because their tool says so"
            }
            Self::BareRange => {
                "have ranges of which their tool does not say the unit, which are kept as they are"
            }
            Self::GoResults => {
                "have further results behind the unit of one, which are kept as text"
            }
            Self::OtherExtra => {
                "have an `extra` that is neither text nor number, which is kept as it is"
            }
            Self::OtherMember => {
                "have members that are not kept: those nobody here knows, and of a value those that may hold an address or are too many"
            }
            Self::LongCommit => {
                "are of a commit that says more than is kept, and lose the rest of it"
            }
            Self::ShortCommit => {
                "name only the beginning of their commit, which is kept with zeros for the digits that are not there"
            }
            Self::MarkedCommit => {
                "say something behind the hash of their commit, such as that a file was changed, which is kept"
            }
            Self::WordCommit => {
                "call their commit by what is no hash, which is kept, and whose bytes stand in the place of one"
            }
            Self::Twice => {
                "have a member that stands twice in one object, of which the last is taken, as a browser does, and the other is lost"
            }
        }
    }
}

/// How often something was met, and the run and the place of the first few.
#[derive(Debug, Default, Clone)]
struct Met {
    at: usize,
    runs: Vec<usize>,
    count: usize,
}

/// What is called otherwise here than it is there: how many, and what is said of the first.
#[derive(Debug, Default)]
pub(super) struct Renamed {
    count: usize,
    at: usize,
    first: String,
}

impl Renamed {
    /// Takes note of what something is called there and here.
    pub(super) fn meet(&mut self, at: usize, there: &str, here: &str) {
        self.count += 1;
        if self.count == 1 {
            self.at = at;
            self.first = format!(
                "`{}` of {} bytes, which is `{}` of {} bytes here",
                shown(there),
                there.len(),
                shown(here),
                here.len()
            );
        }
    }

    /// Says so, with the place of the first.
    fn told(&self, title: &str, what: &str) -> Option<(usize, String)> {
        let Self { count, at, first } = self;
        let text = format!(
            "in suite `{title}`, {count} of the series have a {what} that is cut or altered, such as {first}; it goes back as it is"
        );
        (*count > 0).then_some((*at, text))
    }
}

/// What was met in a suite.
#[derive(Debug, Default)]
pub(super) struct Odd {
    met: [Met; Oddity::ALL.len()],
    pub(super) names: Renamed,
    pub(super) units: Renamed,
}

impl Odd {
    /// The runs that are named.
    const NAMED_MAX: usize = 3;

    /// Takes note of what is odd about a run, once.
    pub(super) fn meet(&mut self, oddity: Oddity, run: usize, at: usize) {
        let met = &mut self.met[oddity as usize];
        if met.count == 0 {
            met.at = at;
        }
        met.count += 1;
        if met.runs.len() < Self::NAMED_MAX {
            met.runs.push(run);
        }
    }

    /// Returns what was odd about the runs of a suite, with the place of the first.
    pub(super) fn told(self, title: &str) -> Vec<(usize, String)> {
        let all = Oddity::ALL.into_iter().zip(self.met);
        let told = all.filter(|(_, met)| met.count > 0).map(|(oddity, met)| {
            let runs: Vec<String> = met.runs.iter().map(ToString::to_string).collect();
            let more = if met.count > runs.len() { ", …" } else { "" };
            let text = format!(
                "in suite `{title}`, {} of the runs (run {}{more}) {}",
                met.count,
                runs.join(", "),
                oddity.words()
            );
            (met.at, text)
        });
        let renamed = [(&self.names, "name"), (&self.units, "unit")];
        let renamed = renamed
            .into_iter()
            .filter_map(|(one, what)| one.told(title, what));
        told.chain(renamed).collect()
    }
}
