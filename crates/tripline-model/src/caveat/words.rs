//! What each caveat says, and what to do about it.
//!
//! Tested by the renderers' snapshots, and by the fixtures, which show every one of them.

use super::{Caveat, Refusal};
use crate::environment::FactDifference;
use crate::metric::Unit;
use crate::names::{FactValue, MetricName};
use crate::number;

/// What to do about a machine that did something else meanwhile.
const QUIET: &str = "let nothing else run beside the benchmarks";

impl Caveat {
    /// Says in words what is the matter.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_in(&Unit::Count)
    }

    /// Says the same of a metric whose values are in a unit.
    #[must_use]
    pub fn text_in(&self, unit: &Unit) -> String {
        self.text_of(&|value| number::value(value, unit))
    }

    /// Says the same, and the metric's values as it is said.
    #[must_use]
    pub fn text_of(&self, said: &dyn Fn(f64) -> String) -> String {
        let words = match self {
            Self::NoBaseline => "there is no baseline to compare with",
            Self::EnvironmentDiffers(facts) => return environment_differs_text(facts),
            Self::AnswerDiffers { base, head } => {
                return format!(
                    "base and head computed different things (answer {base} became {head})"
                );
            }
            Self::AnswerMissing => "the base states what it computed and the head does not",
            Self::MetricDiffers => "base and head describe this metric differently",
            Self::NotDeterministic { spread } => return not_deterministic_text(*spread),
            Self::TooFewRepeats { repeats } => return too_few_repeats_text(*repeats),
            Self::SingleSample => "a noisy metric was measured only once",
            Self::BaselineOnly => {
                "the base was measured at another time, so a difference may be the machine's"
            }
            Self::TinyCount { count } => {
                return tiny_count_text(*count);
            }
            Self::ThreadsNotCounted { threads } => {
                return threads_not_counted_text(*threads);
            }
            Self::CollectionChanged => "the benchmark changes by itself what is counted",
            Self::CountersMissing { counters } => {
                return format!("the processor's counters could not be read here: {counters}");
            }
            Self::StepFailed => "it was not measured, and a step of the suite failed",
            Self::ModifiedWorkTree => "the work tree held changes that are in no commit",
            Self::TooFewPairs { pairs } => return too_few_pairs_text(*pairs),
            Self::Disturbed { pairs } => return disturbed_text(*pairs),
            Self::CannotGate {
                detectable,
                pairs_needed,
            } => return cannot_gate_text(*detectable, *pairs_needed),
            Self::BaseBeyondToo => "the base, measured beside it, is beyond the limit too",
            Self::WeakEvidence => "likely, and not certain enough to fail",
            Self::MeasuredAgain { metric, change } => {
                return measured_again_text(metric, *change);
            }
            Self::ControlsMoved { change } => return controls_moved_text(*change),
            Self::MostMoved { share, change } => return most_moved_text(*share, *change),
            Self::NotComparable(refusal) => return refusal_text(refusal),
            Self::CanaryFailed { what } => {
                return format!("this report cannot be trusted, the canary failed: {what}");
            }
            Self::BaselineStale => {
                "the baseline allows more than the code needs: a gain has not been kept"
            }
            Self::AcceptanceEnded { accepted } => return acceptance_ended_text(&said(*accepted)),
            Self::AcceptanceIdle { accepted } => return acceptance_idle_text(&said(*accepted)),
            Self::UnboundedRatio => "its terms are too uncertain for it to have bounds",
            Self::NoNumber => "it divides by zero or comes out below zero, so it has no value",
            Self::TermMissing { term } => {
                return format!("it is computed from {term}, which the head lacks");
            }
            Self::SuiteGone { .. } => {
                "the base measures this suite and the head does not, so nothing of it was compared"
            }
        };
        words.to_owned()
    }

    /// Says what to do about it.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NoBaseline => "keep this run as the baseline with `tripline baseline update`",
            Self::EnvironmentDiffers(_) => {
                "measure the base here too: `tripline check --against <revision>`; or keep a baseline with `tripline baseline update`"
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
            Self::BaselineOnly | Self::NotComparable(_) => {
                "measure base and head side by side: `tripline check --against <revision>`"
            }
            Self::TinyCount { .. } => {
                "check that the optimizer did not remove the work and that collection is not inverted"
            }
            Self::ThreadsNotCounted { .. } => {
                "count the whole process instead of the benchmark's function, or measure by the clock"
            }
            Self::CollectionChanged => {
                "with the harness's default entry point a second toggle inverts the counting: use its entry-point setting instead"
            }
            Self::CountersMissing { .. } => {
                "rely on processor time and on what valgrind counts, or measure where perf may count"
            }
            Self::StepFailed => "mend the failed step first",
            Self::ModifiedWorkTree => "commit before keeping a baseline",
            Self::TooFewPairs { pairs: 0 } => {
                "let one step measure it on both sides, without `repeats = 1` and with nothing else running"
            }
            Self::BaseBeyondToo => {
                "this change did not cross it: look at the machine, and then at the default branch"
            }
            Self::TooFewPairs { .. } | Self::WeakEvidence => "measure more pairs with `--pairs`",
            Self::Disturbed { .. } | Self::MeasuredAgain { .. } => QUIET,
            Self::CannotGate { .. } => {
                "make the benchmark steadier, measure more pairs, or allow a larger change"
            }
            Self::ControlsMoved { .. } => "measure again: no code is to blame for this",
            Self::MostMoved { .. } => {
                "look for a changed compiler, setting or machine before looking at the code"
            }
            Self::CanaryFailed { .. } => "find out what disturbs the measurement before using it",
            Self::BaselineStale => "keep the gain with `tripline baseline update`",
            Self::AcceptanceEnded { .. } => {
                "mend the regression, or accept the new value with `tripline baseline accept`"
            }
            Self::AcceptanceIdle { .. } => {
                "let `tripline baseline update` end the acceptance, or tighten it"
            }
            Self::UnboundedRatio => "measure its terms more often, above all one that divides",
            Self::NoNumber => {
                "look at its terms, or take away from a definition what can exceed the rest"
            }
            Self::TermMissing { .. } => {
                "measure that again, or change the definition in the suite's file"
            }
            Self::SuiteGone { .. } => {
                "bring the suite back, unless it was taken away on purpose: after this change nothing is said of it any more"
            }
        }
    }
}

fn environment_differs_text(facts: &[FactDifference]) -> String {
    let named = differences_text(facts);
    format!("base and head were measured in different environments: {named}")
}

fn not_deterministic_text(spread: f64) -> String {
    let spread = number::percent(spread, 3);
    format!("the count is not deterministic: it varies by {spread} between repeats")
}

fn tiny_count_text(count: f64) -> String {
    let were = if count == 1.0 { "was" } else { "were" };
    let count = number::value(count, &Unit::Count);
    format!("only {count} {were} counted, hardly the work that is meant")
}

fn threads_not_counted_text(threads: u32) -> String {
    let threads = number::plural(threads as usize, "thread", "threads");
    format!("the work of {threads} was counted as zero")
}

fn too_few_repeats_text(repeats: usize) -> String {
    let taken = match repeats {
        1 => "once".to_owned(),
        repeats => format!("{repeats} times"),
    };
    format!("the count varies and was taken only {taken}, so a change warns and does not fail")
}

fn too_few_pairs_text(pairs: usize) -> String {
    match pairs {
        0 => "base and head were not measured in the same rounds".to_owned(),
        pairs => {
            let pairs = number::plural(pairs, "pair is", "pairs are");
            format!("{pairs} too few to tell a change from noise")
        }
    }
}

fn disturbed_text(pairs: usize) -> String {
    let were = if pairs == 1 { "was" } else { "were" };
    let pairs = number::plural(pairs, "pair", "pairs");
    format!("the host was disturbed during {pairs}, which {were} dropped unseen")
}

fn cannot_gate_text(detectable: f64, pairs_needed: u32) -> String {
    let hidden = percent(detectable);
    let needed = number::plural(pairs_needed as usize, "pair", "pairs");
    format!("the noise hides changes below {hidden}; to gate, {needed} would be needed")
}

fn measured_again_text(metric: &MetricName, change: f64) -> String {
    let change = change * 100.0;
    format!("{metric} of equal sides seemed {change:+.1} % apart at first, and was measured again")
}

fn controls_moved_text(change: f64) -> String {
    let change = percent(change);
    format!(
        "benchmarks that hold nothing of the change moved by {change} as well, so the machine did"
    )
}

fn most_moved_text(share: f64, change: f64) -> String {
    let (share, change) = (percent(share), change * 100.0);
    format!(
        "{share} of the benchmarks moved the same way, by {change:+.1} % in the middle: the environment may have changed"
    )
}

fn acceptance_ended_text(accepted: &str) -> String {
    format!("a regression was accepted at {accepted}, and the value has moved since")
}

fn acceptance_idle_text(accepted: &str) -> String {
    format!(
        "a regression was accepted at {accepted}, and the value is better by now: as bad again, it would still pass"
    )
}

/// Says why times from two machines are not compared.
fn refusal_text(refusal: &Refusal) -> String {
    let why = match refusal {
        Refusal::NoControls { controls } => {
            let (one, many) = ("control benchmark was", "control benchmarks were");
            let controls = number::plural(*controls, one, many);
            format!("only {controls} measured on both")
        }
        Refusal::Hardware(facts) => {
            format!("the machines differ in kind: {}", differences_text(facts))
        }
        Refusal::ControlsDisagree { spread } => {
            format!("the control benchmarks disagree by {}", percent(*spread))
        }
        Refusal::ControlOff { change } => {
            format!("a control benchmark is off by {}", percent(*change))
        }
        Refusal::TooNoisy { detectable } => {
            format!("only changes above {} could be seen", percent(*detectable))
        }
    };
    format!("times from two machines were not compared: {why}")
}

/// Says a share in percent.
fn percent(share: f64) -> String {
    number::percent(share, 1)
}

fn differences_text(differences: &[FactDifference]) -> String {
    let named: Vec<String> = differences.iter().map(difference_text).collect();
    named.join("; ")
}

/// Says one difference in a few words.
fn difference_text(difference: &FactDifference) -> String {
    let said = |value: &Option<FactValue>| match value {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_everywhere_else() {
        let pairs_needed = 1;
        let detectable = 0.031;
        for (caveat, expected) in [
            (
                Caveat::NotDeterministic { spread: 7.0 / 3e9 },
                "varies by <0.001 % between",
            ),
            (
                Caveat::NotDeterministic { spread: 0.25 },
                "varies by 25.000 % between",
            ),
            (Caveat::TinyCount { count: 1.0 }, "only 1 was counted"),
            (Caveat::TinyCount { count: 20.0 }, "only 20 were counted"),
            (
                Caveat::ThreadsNotCounted { threads: 1 },
                "work of 1 thread was",
            ),
            (
                Caveat::CannotGate {
                    detectable,
                    pairs_needed,
                },
                "below 3.1 %; to gate, 1 pair would",
            ),
            (Caveat::TooFewPairs { pairs: 1_200 }, "1,200 pairs are"),
            (
                Caveat::NotComparable(Refusal::NoControls { controls: 1 }),
                "only 1 control benchmark was measured",
            ),
        ] {
            let text = caveat.text();
            assert!(text.contains(expected), "{text}");
        }
        let accepted = 90_909_125.772_714_56;
        let ended = Caveat::AcceptanceEnded { accepted };
        let text = ended.text_in(&Unit::Nanosecond);
        assert!(text.contains("accepted at 90.91 ms, and"), "{text}");
    }
}
