//! What a finding counts as for a reader: its verdict, unless something else says more.
//!
//! Three things do. What crosses an absolute limit is outside its budget, whatever it was before. What somebody took on
//! purpose is accepted. And what was measured side by side, and is too noisy to tell either way without failing for it,
//! is undecided: nobody has to act on it, so it is counted apart and takes no row of its own. Tested by the snapshots, and by `tests/render/undecided`.

use tripline_model::{Better, Caveat, Finding, Gate, Method, Verdict};

/// What a finding counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Its verdict.
    Is(Verdict),
    /// It crosses an absolute limit.
    OutsideBudget,
    /// Somebody took it on purpose, and that still holds.
    Accepted,
    /// It is too noisy to tell, and nothing hangs on it.
    Undecided,
}

impl Standing {
    /// All there are, the ones to look at first.
    pub(crate) const ALL: [Self; 10] = [
        Self::Is(Verdict::Broken),
        Self::OutsideBudget,
        Self::Is(Verdict::Regressed),
        Self::Is(Verdict::Removed),
        Self::Accepted,
        Self::Is(Verdict::Inconclusive),
        Self::Is(Verdict::Improved),
        Self::Is(Verdict::Added),
        Self::Is(Verdict::Unchanged),
        Self::Undecided,
    ];

    /// Returns what a finding counts as.
    pub(crate) fn of(finding: &Finding) -> Self {
        let is_of_budget = finding.evidence.method == Method::Budget;
        match finding.verdict {
            Verdict::Regressed if is_of_budget => Self::OutsideBudget,
            Verdict::Inconclusive if is_undecided(finding) => Self::Undecided,
            verdict => Self::Is(verdict),
        }
    }

    /// Returns what a benchmark is counted as, of which this finding decides. In its row it is still worse than it was.
    pub(crate) fn counted(finding: &Finding) -> Self {
        if finding.acceptance.is_some() && finding.gate == Gate::Pass {
            return Self::Accepted;
        }
        Self::of(finding)
    }

    /// Returns the words by which it is counted.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Is(verdict) => verdict.word(),
            Self::OutsideBudget => "outside budget",
            Self::Accepted => "accepted",
            Self::Undecided => "undecided",
        }
    }
}

/// Returns whether nobody has to act on a finding, as long as it does not gate.
pub(crate) fn is_quiet(finding: &Finding) -> bool {
    matches!(
        Standing::of(finding),
        Standing::Is(Verdict::Unchanged) | Standing::Undecided
    )
}

/// Returns how telling a finding is by itself, the more telling the larger: what is decided before what is not, and last
/// what has no direction, of which nothing was asked.
pub(crate) fn weight(finding: &Finding) -> u8 {
    let has_direction = finding.metric.better != Better::Neither;
    let is_decided = Standing::of(finding) != Standing::Undecided;
    u8::from(has_direction) << 1 | u8::from(is_decided)
}

/// Returns whether a caveat only says how noisy pairs were: of interest to who looks closer.
pub(crate) fn is_about_noise(caveat: &Caveat) -> bool {
    matches!(
        caveat,
        Caveat::TooFewPairs { .. } | Caveat::CannotGate { .. } | Caveat::Disturbed { .. }
    )
}

fn is_undecided(finding: &Finding) -> bool {
    let is_paired = finding.evidence.method == Method::Paired;
    is_paired && finding.gate == Gate::Pass && finding.caveats.iter().all(is_about_noise)
}
