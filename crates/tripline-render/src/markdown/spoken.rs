//! What a footnote says in Markdown, with what to do about it.
//!
//! Our own words stand as they are, and data stands in code, cut where it is longer than anybody reads. Tested by the
//! snapshots, and with a Markdown parser over hostile data.

use tripline_model::{Acceptance, Caveat, FactDifference, FactValue, Refusal, Unit};

use crate::escape::{markdown_code, shortened};
use crate::footnote::{Footnote, accepted_values};
use tripline_model::number::{self, plural};

/// The most of a fact or a reason that is shown.
const DATA_CHARS_MAX: usize = 300;

/// The facts that are named.
const FACTS_MAX: usize = 8;

/// Returns data as code within a line.
pub(super) fn code(text: &str) -> String {
    markdown_code(&shortened(text, DATA_CHARS_MAX))
}

/// Says a footnote, with what to do about it.
pub(super) fn spoken(note: &Footnote<'_>) -> String {
    match note {
        Footnote::Caveat(caveat, advice) => [&caveat_text(caveat), " → ", advice].concat(),
        Footnote::OfValue(caveat, unit) => {
            let text = caveat.text_of(&|value| in_unit(number::value(value, unit), unit));
            [&text, " → ", caveat.advice()].concat()
        }
        Footnote::Accepted(acceptance, unit) => accepted(acceptance, unit),
    }
}

fn accepted(acceptance: &Acceptance, unit: &Unit) -> String {
    let (who, because) = (code(&acceptance.who), code(&acceptance.because));
    // A hash in prose may become a link.
    let commit = acceptance.commit.as_ref();
    let place = commit.map_or(String::new(), |commit| {
        [" at ", &code(commit.short())].concat()
    });
    let [from, to] = accepted_values(acceptance, unit).map(|value| in_unit(value, unit));
    [
        "accepted by ",
        &who,
        &place,
        ", ",
        &from,
        " → ",
        &to,
        ": ",
        &because,
    ]
    .concat()
}

/// Returns a value with its unit, of which the symbol of an unknown one is data.
fn in_unit(value: String, unit: &Unit) -> String {
    match unit {
        Unit::Other(_) => code(&value),
        _ => value,
    }
}

/// Says a caveat. Each is listed by name: whoever adds one decides here whether its words hold data.
fn caveat_text(caveat: &Caveat) -> String {
    match caveat {
        Caveat::EnvironmentDiffers(facts) => {
            let what = "base and head were measured in different environments: ";
            [what, &differences(facts)].concat()
        }
        // A digest in prose may become a link to the commit of that name.
        Caveat::AnswerDiffers { base, head } => {
            let (base, head) = (code(base.as_str()), code(head.as_str()));
            let what = "base and head computed different things: answer ";
            [what, &base, " became ", &head].concat()
        }
        Caveat::NotComparable(Refusal::Hardware(facts)) => {
            let what = "times from two machines were not compared: the machines differ in kind: ";
            [what, &differences(facts)].concat()
        }
        Caveat::CanaryFailed { what } => {
            let what = code(what.as_str());
            ["this report cannot be trusted, the canary failed: ", &what].concat()
        }
        Caveat::MeasuredAgain { metric, change } => {
            let (metric, change) = (code(metric.as_str()), change * 100.0);
            let how = format!(" of equal sides seemed {change:+.1} % apart at first, ");
            [&metric, how.as_str(), "and was measured again"].concat()
        }
        Caveat::CountersMissing { counters } => {
            let counters = code(counters.as_str());
            [
                "the processor's counters could not be read here: ",
                &counters,
            ]
            .concat()
        }
        Caveat::TermMissing { term } => {
            let term = code(term.as_str());
            ["it is computed from ", &term, ", which the head lacks"].concat()
        }
        // These hold our own words and numbers.
        Caveat::NoBaseline
        | Caveat::AnswerMissing
        | Caveat::MetricDiffers
        | Caveat::NotDeterministic { .. }
        | Caveat::TooFewRepeats { .. }
        | Caveat::SingleSample
        | Caveat::BaselineOnly
        | Caveat::TinyCount { .. }
        | Caveat::ThreadsNotCounted { .. }
        | Caveat::CollectionChanged
        | Caveat::StepFailed
        | Caveat::ModifiedWorkTree
        | Caveat::TooFewPairs { .. }
        | Caveat::Disturbed { .. }
        | Caveat::CannotGate { .. }
        | Caveat::BaseBeyondToo
        | Caveat::WeakEvidence
        | Caveat::ControlsMoved { .. }
        | Caveat::MostMoved { .. }
        | Caveat::NotComparable(_)
        | Caveat::BaselineStale
        | Caveat::AcceptanceEnded { .. }
        | Caveat::AcceptanceIdle { .. }
        | Caveat::UnboundedRatio
        | Caveat::NoNumber
        | Caveat::SuiteGone { .. } => caveat.text(),
    }
}

fn differences(differences: &[FactDifference]) -> String {
    let named = differences.iter().take(FACTS_MAX).map(difference);
    let mut named: Vec<String> = named.collect();
    let more = differences.len().saturating_sub(FACTS_MAX);
    if more > 0 {
        named.push(["and ", &plural(more, "fact", "facts"), " more"].concat());
    }
    named.join("; ")
}

/// Says in what two environments differ.
pub(super) fn difference(difference: &FactDifference) -> String {
    let said = |value: &Option<FactValue>| match value {
        Some(value) => code(value.as_str()),
        None => "not stated".to_owned(),
    };
    let fact = code(difference.fact.as_str());
    let (base, head) = (said(&difference.base), said(&difference.head));
    [&fact, " was ", &base, ", is ", &head].concat()
}
