//! Caveats on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parts::{GateV1, Number};
use crate::{Caveat, Digest, FactDifference, FactName, FactValue, MetricName, NameError, Refusal};

/// A reason to trust something less; its code says which.
///
/// *Note:* a kind without fields is written with empty braces, because serde refuses unknown keys only there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum CaveatV1 {
    NoBaseline {},
    EnvironmentDiffers {
        facts: Vec<FactDifferenceV1>,
    },
    AnswerDiffers {
        base: String,
        head: String,
    },
    AnswerMissing {},
    MetricDiffers {},
    NotDeterministic {
        spread: Number,
    },
    TooFewRepeats {
        repeats: usize,
    },
    SingleSample {},
    BaselineOnly {},
    TinyCount {
        count: Number,
    },
    ThreadsNotCounted {
        threads: u32,
    },
    CollectionChanged {},
    StepFailed {},
    ModifiedWorkTree {},
    TooFewPairs {
        pairs: usize,
    },
    Disturbed {
        pairs: usize,
    },
    CannotGate {
        detectable: Number,
        pairs_needed: u32,
    },
    BaseBeyondToo {},
    WeakEvidence {},
    MeasuredAgain {
        metric: String,
        change: Number,
    },
    ControlsMoved {
        change: Number,
    },
    MostMoved {
        share: Number,
        change: Number,
    },
    NotComparable {
        why: RefusalV1,
    },
    CanaryFailed {
        what: String,
    },
    CountersMissing {
        counters: String,
    },
    BaselineStale {},
    AcceptanceEnded {
        accepted: Number,
    },
    AcceptanceIdle {
        accepted: Number,
    },
    UnboundedRatio {},
    NoNumber {},
    TermMissing {
        term: String,
    },
    SuiteGone {
        gate: GateV1,
    },
}

/// Why times from two machines are not compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum RefusalV1 {
    NoControls { controls: usize },
    Hardware { facts: Vec<FactDifferenceV1> },
    ControlsDisagree { spread: Number },
    ControlOff { change: Number },
    TooNoisy { detectable: Number },
}

/// A fact in which base and head differ; a side that does not state it is absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct FactDifferenceV1 {
    fact: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    head: Option<String>,
}

impl FactDifferenceV1 {
    fn of(difference: &FactDifference) -> Self {
        let text = |value: &Option<FactValue>| value.as_ref().map(ToString::to_string);
        Self {
            fact: difference.fact.to_string(),
            base: text(&difference.base),
            head: text(&difference.head),
        }
    }

    fn into_domain(self) -> Result<FactDifference, NameError> {
        Ok(FactDifference {
            fact: FactName::new(self.fact)?,
            base: self.base.map(FactValue::new).transpose()?,
            head: self.head.map(FactValue::new).transpose()?,
        })
    }
}

impl CaveatV1 {
    pub(super) fn of(caveat: &Caveat) -> Self {
        match caveat {
            Caveat::NoBaseline => Self::NoBaseline {},
            Caveat::EnvironmentDiffers(facts) => Self::environment_differs(facts),
            Caveat::AnswerDiffers { base, head } => Self::AnswerDiffers {
                base: base.to_string(),
                head: head.to_string(),
            },
            Caveat::AnswerMissing => Self::AnswerMissing {},
            Caveat::MetricDiffers => Self::MetricDiffers {},
            Caveat::NotDeterministic { spread } => Self::NotDeterministic {
                spread: Number(*spread),
            },
            Caveat::TooFewRepeats { repeats } => Self::TooFewRepeats { repeats: *repeats },
            Caveat::SingleSample => Self::SingleSample {},
            Caveat::BaselineOnly => Self::BaselineOnly {},
            Caveat::TinyCount { count } => Self::TinyCount {
                count: Number(*count),
            },
            Caveat::ThreadsNotCounted { threads } => Self::ThreadsNotCounted { threads: *threads },
            Caveat::CollectionChanged => Self::CollectionChanged {},
            Caveat::StepFailed => Self::StepFailed {},
            Caveat::ModifiedWorkTree => Self::ModifiedWorkTree {},
            Caveat::TooFewPairs { pairs } => Self::TooFewPairs { pairs: *pairs },
            Caveat::Disturbed { pairs } => Self::Disturbed { pairs: *pairs },
            Caveat::CannotGate {
                detectable,
                pairs_needed,
            } => Self::CannotGate {
                detectable: Number(*detectable),
                pairs_needed: *pairs_needed,
            },
            Caveat::BaseBeyondToo => Self::BaseBeyondToo {},
            Caveat::WeakEvidence => Self::WeakEvidence {},
            Caveat::MeasuredAgain { metric, change } => Self::measured_again(metric, *change),
            Caveat::ControlsMoved { change } => Self::ControlsMoved {
                change: Number(*change),
            },
            Caveat::MostMoved { share, change } => Self::MostMoved {
                share: Number(*share),
                change: Number(*change),
            },
            Caveat::NotComparable(why) => Self::NotComparable {
                why: RefusalV1::of(why),
            },
            Caveat::CanaryFailed { what } => Self::CanaryFailed {
                what: what.to_string(),
            },
            Caveat::CountersMissing { counters } => Self::CountersMissing {
                counters: counters.to_string(),
            },
            Caveat::BaselineStale => Self::BaselineStale {},
            Caveat::AcceptanceEnded { accepted } => Self::AcceptanceEnded {
                accepted: Number(*accepted),
            },
            Caveat::AcceptanceIdle { accepted } => Self::AcceptanceIdle {
                accepted: Number(*accepted),
            },
            Caveat::UnboundedRatio => Self::UnboundedRatio {},
            Caveat::NoNumber => Self::NoNumber {},
            Caveat::TermMissing { term } => Self::TermMissing {
                term: term.to_string(),
            },
            Caveat::SuiteGone { gate } => Self::SuiteGone {
                gate: (*gate).into(),
            },
        }
    }

    fn measured_again(metric: &MetricName, change: f64) -> Self {
        Self::MeasuredAgain {
            metric: metric.to_string(),
            change: Number(change),
        }
    }

    fn environment_differs(facts: &[FactDifference]) -> Self {
        Self::EnvironmentDiffers {
            facts: facts.iter().map(FactDifferenceV1::of).collect(),
        }
    }

    pub(super) fn into_domain(self) -> Result<Caveat, NameError> {
        Ok(match self {
            Self::NoBaseline {} => Caveat::NoBaseline,
            Self::EnvironmentDiffers { facts } => Caveat::EnvironmentDiffers(
                facts
                    .into_iter()
                    .map(FactDifferenceV1::into_domain)
                    .collect::<Result<_, _>>()?,
            ),
            Self::AnswerDiffers { base, head } => Caveat::AnswerDiffers {
                base: Digest::new(base)?,
                head: Digest::new(head)?,
            },
            Self::AnswerMissing {} => Caveat::AnswerMissing,
            Self::MetricDiffers {} => Caveat::MetricDiffers,
            Self::NotDeterministic { spread } => Caveat::NotDeterministic { spread: spread.0 },
            Self::TooFewRepeats { repeats } => Caveat::TooFewRepeats { repeats },
            Self::SingleSample {} => Caveat::SingleSample,
            Self::BaselineOnly {} => Caveat::BaselineOnly,
            Self::TinyCount { count } => Caveat::TinyCount { count: count.0 },
            Self::ThreadsNotCounted { threads } => Caveat::ThreadsNotCounted { threads },
            Self::CollectionChanged {} => Caveat::CollectionChanged,
            Self::StepFailed {} => Caveat::StepFailed,
            Self::ModifiedWorkTree {} => Caveat::ModifiedWorkTree,
            Self::TooFewPairs { pairs } => Caveat::TooFewPairs { pairs },
            Self::Disturbed { pairs } => Caveat::Disturbed { pairs },
            Self::CannotGate {
                detectable,
                pairs_needed,
            } => Caveat::CannotGate {
                detectable: detectable.0,
                pairs_needed,
            },
            Self::BaseBeyondToo {} => Caveat::BaseBeyondToo,
            Self::WeakEvidence {} => Caveat::WeakEvidence,
            Self::MeasuredAgain { metric, change } => Caveat::MeasuredAgain {
                metric: MetricName::new(metric)?,
                change: change.0,
            },
            Self::ControlsMoved { change } => Caveat::ControlsMoved { change: change.0 },
            Self::MostMoved { share, change } => Caveat::MostMoved {
                share: share.0,
                change: change.0,
            },
            Self::NotComparable { why } => Caveat::NotComparable(why.into_domain()?),
            Self::CanaryFailed { what } => Caveat::CanaryFailed {
                what: FactValue::new(what)?,
            },
            Self::CountersMissing { counters } => Caveat::CountersMissing {
                counters: FactValue::new(counters)?,
            },
            Self::BaselineStale {} => Caveat::BaselineStale,
            Self::AcceptanceEnded { accepted } => Caveat::AcceptanceEnded {
                accepted: accepted.0,
            },
            Self::AcceptanceIdle { accepted } => Caveat::AcceptanceIdle {
                accepted: accepted.0,
            },
            Self::UnboundedRatio {} => Caveat::UnboundedRatio,
            Self::NoNumber {} => Caveat::NoNumber,
            Self::TermMissing { term } => Caveat::TermMissing {
                term: FactValue::new(term)?,
            },
            Self::SuiteGone { gate } => Caveat::SuiteGone { gate: gate.into() },
        })
    }
}

impl RefusalV1 {
    fn of(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::NoControls { controls } => Self::NoControls {
                controls: *controls,
            },
            Refusal::Hardware(facts) => Self::Hardware {
                facts: facts.iter().map(FactDifferenceV1::of).collect(),
            },
            Refusal::ControlsDisagree { spread } => Self::ControlsDisagree {
                spread: Number(*spread),
            },
            Refusal::ControlOff { change } => Self::ControlOff {
                change: Number(*change),
            },
            Refusal::TooNoisy { detectable } => Self::TooNoisy {
                detectable: Number(*detectable),
            },
        }
    }

    fn into_domain(self) -> Result<Refusal, NameError> {
        Ok(match self {
            Self::NoControls { controls } => Refusal::NoControls { controls },
            Self::Hardware { facts } => Refusal::Hardware(
                facts
                    .into_iter()
                    .map(FactDifferenceV1::into_domain)
                    .collect::<Result<_, _>>()?,
            ),
            Self::ControlsDisagree { spread } => Refusal::ControlsDisagree { spread: spread.0 },
            Self::ControlOff { change } => Refusal::ControlOff { change: change.0 },
            Self::TooNoisy { detectable } => Refusal::TooNoisy {
                detectable: detectable.0,
            },
        })
    }
}
