//! What was to be measured and was not. A failure travels with the run, so that no stage can mistake it for silence.

use crate::names::{StepName, is_harmless};

/// The most of a harness's output that a failure keeps: the end of it, where the reason usually stands.
pub const TAIL_BYTES_MAX: usize = 4096;

/// Says how a step failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FailureKind {
    /// The benchmark did not compile.
    Build,
    /// The harness ended with this code.
    Exit(i32),
    /// The harness was killed by this signal.
    Signal(i32),
    /// The harness was stopped after this many seconds.
    Timeout(u64),
    /// The harness could not be started.
    Start,
    /// The harness ended well and measured nothing.
    Nothing,
    /// The benchmark was built without optimization.
    DebugBuild,
    /// What the harness wrote cannot be read.
    Output,
    /// The benchmark computed something, but nothing was measured of it.
    NoReading,
    /// Measuring was interrupted before this step ended.
    Interrupted,
}

impl FailureKind {
    /// Says in words what happened, to follow "step `x`".
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Build => "did not build".to_owned(),
            Self::Exit(code) => format!("ended with exit code {code}"),
            Self::Signal(signal) => format!("was killed by signal {signal}"),
            Self::Timeout(seconds) => format!("was stopped after {seconds} s"),
            Self::Start => "could not be started".to_owned(),
            Self::Nothing => "ended well and measured nothing".to_owned(),
            Self::DebugBuild => "was built without optimization".to_owned(),
            Self::Output => "wrote what cannot be read".to_owned(),
            Self::NoReading => "gave answers for benchmarks that nothing measured".to_owned(),
            Self::Interrupted => "was interrupted".to_owned(),
        }
    }

    /// Says what to do about it.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Build => "build the suite's benches by hand and mend the errors",
            Self::Exit(_) | Self::Signal(_) => {
                "run the step's command by hand; the log holds all it wrote"
            }
            Self::Timeout(_) => {
                "raise the step's `timeout_seconds`, or make its benchmarks smaller"
            }
            Self::Start => "run `tripline doctor`, which says what is missing and how to get it",
            Self::Nothing => {
                "check the step's filter: a selection that matches no benchmark still ends well"
            }
            Self::DebugBuild => {
                "measure an optimized build: remove `opt-level = 0` from the bench profile"
            }
            Self::Output => {
                "run the step again if it was interrupted; check that `harness` names the right one"
            }
            Self::NoReading => {
                "give the measuring bench the same names and params, or remove the answer"
            }
            Self::Interrupted => {
                "measure again; the previous run and baseline were left as they were"
            }
        }
    }
}

/// What the detail of a failure begins with where it happened to the base.
pub const OF_THE_BASE: &str = "of the base";

/// Describes a step, or a part of one, that gave no measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The step of the suite.
    pub step: StepName,
    /// How it failed.
    pub kind: FailureKind,
    /// One sentence more, where there is one to say.
    pub detail: Option<String>,
    /// The end of what the harness wrote, without control characters.
    pub tail: String,
}

impl Failure {
    /// Describes a failure, keeping the end of the harness's output.
    #[must_use]
    pub fn new(step: StepName, kind: FailureKind, detail: Option<String>, output: &str) -> Self {
        Self {
            step,
            kind,
            detail: detail.map(|d| printable(&d)),
            tail: printable(tail_of(output)).trim_end().to_owned(),
        }
    }
}

impl Failure {
    /// Returns whether it happened to the base, which was to be measured beside.
    #[must_use]
    pub fn is_of_base(&self) -> bool {
        let detail = self.detail.as_deref().unwrap_or_default();
        let rest = detail.strip_prefix(OF_THE_BASE);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
    }

    /// Says what to do about it.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        if self.is_of_base() {
            "mend the base first, in a change of its own: what this one mends besides has nothing to be compared with"
        } else {
            self.kind.advice()
        }
    }
}

/// Returns the last bytes of a text, cut between characters.
fn tail_of(output: &str) -> &str {
    let output = output.trim_end();
    let mut start = output.len().saturating_sub(TAIL_BYTES_MAX);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    &output[start..]
}

/// Drops what no name may hold, other than line breaks: a harness's colours have no meaning in a report, and a hostile
/// one must not reorder the text around it. A tab becomes a space, so that the words beside it stay apart.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| *c == '\n' || is_harmless(*c))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_output_is_kept_and_harmless() {
        let output = format!("{}ä\u{1b}[31mpanicked\n", "x".repeat(10_000));
        let failure = Failure::new(
            StepName::new("counts").unwrap(),
            FailureKind::Exit(101),
            None,
            &output,
        );
        assert!(failure.tail.ends_with("ä[31mpanicked"));
        assert!(failure.tail.len() <= TAIL_BYTES_MAX);
    }

    #[test]
    fn a_failure_made_of_a_failure_is_the_same() {
        for output in [
            "ends with an escape \u{1b}",
            "a\tb\u{202E}c\n\n",
            "\r\n",
            "\u{85}",
        ] {
            let step = StepName::new("counts").unwrap();
            let detail = Some(output.to_owned());
            let once = Failure::new(step.clone(), FailureKind::Start, detail, output);
            let twice = Failure::new(step, FailureKind::Start, once.detail.clone(), &once.tail);
            assert_eq!(once, twice);
        }
        let output = format!("panicked{}", "\n".repeat(2 * TAIL_BYTES_MAX));
        let step = StepName::new("counts").unwrap();
        assert_eq!(
            Failure::new(step, FailureKind::Start, None, &output).tail,
            "panicked"
        );
    }
}
