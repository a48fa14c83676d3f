//! Reasons to trust a finding less. They are values: a finding carries them, and every renderer shows them, each with
//! what to do next.

use crate::environment::FactDifference;
use crate::names::Digest;

/// A reason to trust a measurement, a finding or a report less.
#[derive(Debug, Clone, PartialEq)]
pub enum Caveat {
    /// There is nothing to compare with.
    NoBaseline,
    /// Base and head were measured in environments that differ in what matters.
    EnvironmentDiffers(Vec<FactDifference>),
    /// Base and head computed different things.
    AnswerDiffers {
        /// What the base computed.
        base: Digest,
        /// What the head computed.
        head: Digest,
    },
    /// The base states what it computed, and the head does not.
    AnswerMissing,
    /// Base and head describe the metric differently.
    MetricDiffers,
    /// A count came out differently when it was taken again.
    NotDeterministic {
        /// The spread relative to the smallest value.
        spread: f64,
    },
    /// A count that varies was taken too rarely for a change of it to fail a gate.
    TooFewRepeats {
        /// How often it was taken, on the side that took it more rarely.
        repeats: usize,
    },
    /// A noisy metric was measured once.
    SingleSample,
    /// The base was measured at another time, and perhaps on another machine.
    BaselineOnly,
    /// The count is so small that it is hardly the work the benchmark means.
    TinyCount {
        /// The count.
        count: f64,
    },
    /// The benchmark runs threads whose work was counted as zero.
    ThreadsNotCounted {
        /// How many threads.
        threads: u32,
    },
    /// The benchmark itself switches the counting on or off.
    CollectionChanged,
    /// The benchmark is missing, and a step that may have held it failed.
    StepFailed,
    /// The work tree held changes that are in no commit.
    ModifiedWorkTree,
}

impl Caveat {
    /// Returns the short name under which files and tables know it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoBaseline => "no-baseline",
            Self::EnvironmentDiffers(_) => "environment-differs",
            Self::AnswerDiffers { .. } => "answer-differs",
            Self::AnswerMissing => "answer-missing",
            Self::MetricDiffers => "metric-differs",
            Self::NotDeterministic { .. } => "not-deterministic",
            Self::TooFewRepeats { .. } => "too-few-repeats",
            Self::SingleSample => "single-sample",
            Self::BaselineOnly => "baseline-only",
            Self::TinyCount { .. } => "tiny-count",
            Self::ThreadsNotCounted { .. } => "threads-not-counted",
            Self::CollectionChanged => "collection-changed",
            Self::StepFailed => "step-failed",
            Self::ModifiedWorkTree => "modified-work-tree",
        }
    }

    /// Returns whether it says that a count is not of the work that is meant. Such a count is neither better nor worse
    /// than another, whatever the numbers are.
    #[must_use]
    pub fn doubts_the_count(&self) -> bool {
        matches!(
            self,
            Self::TinyCount { .. } | Self::ThreadsNotCounted { .. } | Self::CollectionChanged
        )
    }

    /// Says in words what is the matter.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::NoBaseline => "there is no baseline to compare with".to_owned(),
            Self::EnvironmentDiffers(facts) => {
                let named: Vec<String> = facts.iter().map(difference_text).collect();
                format!(
                    "base and head were measured in different environments: {}",
                    named.join("; ")
                )
            }
            Self::AnswerDiffers { base, head } => {
                format!("base and head computed different things (answer {base} became {head})")
            }
            Self::AnswerMissing => {
                "the base states what it computed and the head does not".to_owned()
            }
            Self::MetricDiffers => "base and head describe this metric differently".to_owned(),
            Self::NotDeterministic { spread } => {
                format!(
                    "the count is not deterministic: it varies by {:.3} % between repeats",
                    spread * 100.0
                )
            }
            Self::TooFewRepeats { repeats } => {
                let taken = match repeats {
                    1 => "once".to_owned(),
                    repeats => format!("{repeats} times"),
                };
                format!(
                    "the count varies and was taken only {taken}, so a change warns and does not fail"
                )
            }
            Self::SingleSample => "a noisy metric was measured only once".to_owned(),
            Self::BaselineOnly => {
                "the base was measured at another time, so a difference may be the machine's"
                    .to_owned()
            }
            Self::TinyCount { count } => {
                format!("only {count} were counted, hardly the work that is meant")
            }
            Self::ThreadsNotCounted { threads } => {
                format!("the work of {threads} threads was counted as zero")
            }
            Self::CollectionChanged => "the benchmark changes by itself what is counted".to_owned(),
            Self::StepFailed => "it was not measured, and a step of the suite failed".to_owned(),
            Self::ModifiedWorkTree => "the work tree held changes that are in no commit".to_owned(),
        }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NoBaseline => "keep this run as the baseline with `tripline baseline update`",
            Self::EnvironmentDiffers(_) => {
                "measure the base again in this environment, or keep a baseline for it with `tripline baseline update`"
            }
            Self::AnswerDiffers { .. } => {
                "if the new answer is right, keep it with `tripline baseline update`; if not, the code is wrong"
            }
            Self::AnswerMissing => {
                "let the suite's answers step state it again, or keep a new baseline with `tripline baseline update`"
            }
            Self::MetricDiffers => "keep a new baseline with `tripline baseline update`",
            Self::NotDeterministic { .. } => {
                "fix the hasher's seed and anything random; std's HashMap is the usual reason"
            }
            Self::TooFewRepeats { .. } => "count with `--repeats 5`",
            Self::SingleSample => "let the harness repeat the measurement",
            Self::BaselineOnly => "gate on a count, or measure base and head side by side",
            Self::TinyCount { .. } => {
                "check that the optimizer did not remove the work and that collection is not inverted"
            }
            Self::ThreadsNotCounted { .. } => {
                "count the whole process instead of the benchmark's function, or measure by the clock"
            }
            Self::CollectionChanged => {
                "with the harness's default entry point a second toggle inverts the counting: use its entry-point setting instead"
            }
            Self::StepFailed => "mend the failed step first",
            Self::ModifiedWorkTree => "commit before keeping a baseline",
        }
    }
}

/// Says one difference in a few words.
fn difference_text(difference: &FactDifference) -> String {
    let said = |value: &Option<crate::names::FactValue>| match value {
        Some(value) => format!("`{value}`"),
        None => "not stated".to_owned(),
    };
    format!(
        "{} was {}, is {}",
        difference.fact,
        said(&difference.base),
        said(&difference.head)
    )
}
