//! Reasons to trust a finding less. They are values: a finding carries them, and every renderer shows them, each with
//! what to do next.

mod words;

use crate::environment::FactDifference;
use crate::names::{Digest, FactValue, MetricName};
use crate::report::Gate;

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
    /// The processor's counters could not be read.
    CountersMissing {
        /// Which, or why none.
        counters: FactValue,
    },
    /// The benchmark is missing, and a step that may have held it failed.
    StepFailed,
    /// The work tree held changes that are in no commit.
    ModifiedWorkTree,
    /// Base and head were paired too rarely to tell either way.
    TooFewPairs {
        /// How many pairs there are.
        pairs: usize,
    },
    /// The host was disturbed while some pairs were measured, and those were dropped before anybody looked at them.
    Disturbed {
        /// How many were dropped.
        pairs: usize,
    },
    /// The benchmark is so noisy that a change large enough to fail would probably be missed.
    CannotGate {
        /// The smallest relative change that would probably be found.
        detectable: f64,
        /// How many pairs it would take to find the change that fails.
        pairs_needed: u32,
    },
    /// The base, measured side by side, is beyond the same limit.
    BaseBeyondToo,
    /// The change is likely enough to be reported, and not certain enough to fail.
    WeakEvidence,
    /// A metric of equal sides was called better or worse by weak evidence, and what is kept was measured after that.
    MeasuredAgain {
        /// The metric.
        metric: MetricName,
        /// By how much the sides seemed to differ the first time: 0.02 is two percent more.
        change: f64,
    },
    /// Benchmarks that hold nothing of the change moved as well, so the machine did.
    ControlsMoved {
        /// By how much: 0.02 is two percent.
        change: f64,
    },
    /// Most benchmarks moved the same way by more than their noise, so the environment may have.
    MostMoved {
        /// The share of benchmarks that did.
        share: f64,
        /// The relative change of these in the middle.
        change: f64,
    },
    /// Times from two machines were not compared, for a reason.
    NotComparable(Refusal),
    /// The canary was not silent where nothing changed, or was silent where a slowdown was planted.
    CanaryFailed {
        /// Which benchmark of it, what was expected, and what was found.
        what: FactValue,
    },
    /// The baseline allows more than the code needs: an improvement has not been kept.
    BaselineStale,
    /// A regression was accepted here, and the value has moved since.
    AcceptanceEnded {
        /// The value that was accepted.
        accepted: f64,
    },
    /// What was accepted here is not needed: a regression was mended, in part at least, or a limit is kept by far.
    AcceptanceIdle {
        /// The value that was accepted.
        accepted: f64,
    },
    /// The terms of what is derived are too uncertain for it to have an interval: a denominator that may be zero, say.
    UnboundedRatio,
    /// What was computed is no number a metric can have: something was divided by zero, or it is below zero.
    NoNumber,
    /// A derived metric of the base could not be computed on the head, because a term of it was not measured there.
    TermMissing {
        /// The benchmark and its metric.
        term: FactValue,
    },
    /// The base measures the whole suite, and the head does not.
    SuiteGone {
        /// What is done about it.
        gate: Gate,
    },
}

/// Why times from two machines are not compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// A side has too few control benchmarks to tell how fast its machine is.
    NoControls {
        /// How many both sides have.
        controls: usize,
    },
    /// The machines differ in kind, not only in speed.
    Hardware(Vec<FactDifference>),
    /// The controls do not agree on how much faster one machine is.
    ControlsDisagree {
        /// The median absolute deviation of their ratios, as a share.
        spread: f64,
    },
    /// A control is far off: one of the machines was disturbed, or is of another kind.
    ControlOff {
        /// By how much the worst differs.
        change: f64,
    },
    /// What could be told apart is far more than what the gate asks for.
    TooNoisy {
        /// The smallest relative change that would probably be found.
        detectable: f64,
    },
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
            Self::CountersMissing { .. } => "counters-missing",
            Self::StepFailed => "step-failed",
            Self::ModifiedWorkTree => "modified-work-tree",
            Self::TooFewPairs { .. } => "too-few-pairs",
            Self::Disturbed { .. } => "disturbed",
            Self::CannotGate { .. } => "cannot-gate",
            Self::BaseBeyondToo => "base-beyond-too",
            Self::WeakEvidence => "weak-evidence",
            Self::MeasuredAgain { .. } => "measured-again",
            Self::ControlsMoved { .. } => "controls-moved",
            Self::MostMoved { .. } => "most-moved",
            Self::NotComparable(_) => "not-comparable",
            Self::CanaryFailed { .. } => "canary-failed",
            Self::BaselineStale => "baseline-stale",
            Self::AcceptanceEnded { .. } => "acceptance-ended",
            Self::AcceptanceIdle { .. } => "acceptance-idle",
            Self::UnboundedRatio => "unbounded-ratio",
            Self::NoNumber => "no-number",
            Self::TermMissing { .. } => "term-missing",
            Self::SuiteGone { .. } => "suite-gone",
        }
    }

    /// Returns whether it says that the two sides were not measured alike, or perhaps not, so that nothing can be told of
    /// them, whatever the change is.
    #[must_use]
    pub fn refuses_comparison(&self) -> bool {
        matches!(
            self,
            Self::EnvironmentDiffers(_)
                | Self::NotComparable(_)
                | Self::ControlsMoved { .. }
                | Self::MostMoved { .. }
        )
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
}
