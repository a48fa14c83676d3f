//! The exit codes: one table, from which `--help` and the README are made.

use std::process::ExitCode;

/// Says how the program ended. A regression and an outage never share a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All gates pass.
    Pass,
    /// A bug in Tripline.
    Bug,
    /// The command line does not make sense.
    Usage,
    /// Nothing was measured.
    NothingMeasured,
    /// A file is unreadable, or says what cannot be.
    BadInput,
    /// The hub did not take what was to be published.
    HubFailed,
    /// Something got worse by more than is allowed.
    GateFailed,
    /// Something that was to be measured could not be.
    Broken,
}

/// The table: each way to end, its code and its meaning.
pub(crate) const TABLE: &[(Exit, u8, &str)] = &[
    (Exit::Pass, 0, "pass"),
    (Exit::Bug, 1, "a bug in tripline"),
    (
        Exit::Usage,
        2,
        "usage: the command line does not make sense",
    ),
    (Exit::NothingMeasured, 3, "nothing measured"),
    (
        Exit::BadInput,
        4,
        "bad input: a file is unreadable, or says what cannot be",
    ),
    (
        Exit::HubFailed,
        5,
        "the hub failed: nothing was published, or only a part",
    ),
    (
        Exit::GateFailed,
        10,
        "the gate failed: something got worse by more than is allowed",
    ),
    (
        Exit::Broken,
        11,
        "broken: a benchmark could not be measured, or the canary failed",
    ),
];

impl Exit {
    /// Returns the number the shell sees.
    pub(crate) fn code(self) -> u8 {
        let row = TABLE.iter().find(|(exit, _, _)| *exit == self);
        row.expect("every way to end is in the table").1
    }

    /// Returns the worse of two ways to end: what is broken hides what a gate says, because the report is incomplete.
    pub(crate) fn worst(self, other: Self) -> Self {
        if other.code() > self.code() {
            other
        } else {
            self
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Returns the table as it stands at the end of `--help`.
pub(crate) fn help() -> String {
    let rows = TABLE
        .iter()
        .map(|(_, code, meaning)| format!("  {code:>2}  {meaning}"));
    format!("Exit codes:\n{}", rows.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_are_the_documented_ones() {
        insta::assert_snapshot!(help(), @r"
        Exit codes:
           0  pass
           1  a bug in tripline
           2  usage: the command line does not make sense
           3  nothing measured
           4  bad input: a file is unreadable, or says what cannot be
           5  the hub failed: nothing was published, or only a part
          10  the gate failed: something got worse by more than is allowed
          11  broken: a benchmark could not be measured, or the canary failed
        ");
    }

    #[test]
    fn what_is_broken_hides_what_a_gate_says() {
        assert_eq!(Exit::GateFailed.worst(Exit::Broken), Exit::Broken);
        assert_eq!(Exit::Pass.worst(Exit::GateFailed), Exit::GateFailed);
    }
}
