//! The clone: whether it has the commits that are compared, and which branch is the default one.

use super::finding::Finding;
use crate::command::checkout::{Checkout, Known};

pub(super) fn look(checkout: Result<&Checkout, &String>) -> Vec<Finding> {
    match checkout {
        Ok(checkout) => vec![history(checkout), default_branch(checkout)],
        Err(why) => vec![Finding::note(
            "the project is in no git repository: a run does not say of which commit it is, and no base can be measured \
             beside it (`--against`)",
            why,
        )],
    }
}

fn history(checkout: &Checkout) -> Finding {
    if !checkout.is_shallow() {
        return Finding::good("the clone has the whole history");
    }
    Finding::note(
        "the clone is shallow: a base that was not fetched cannot be measured (`--against`), and of commits that are not \
         there nobody knows which came first",
        "run `git fetch --unshallow`; in a workflow, give the checkout `fetch-depth: 0`",
    )
}

fn default_branch(checkout: &Checkout) -> Finding {
    match checkout.default_branch() {
        Some(branch) if branch.known == Known::FromRemote => Finding::good(format!(
            "the default branch is `{}`, {}",
            branch.name, branch.known
        )),
        Some(branch) => Finding::note(
            format!(
                "the default branch seems to be `{}`, {}",
                branch.name, branch.known
            ),
            "with a remote, `git remote set-head origin --auto` asks it",
        ),
        None => Finding::note(
            "which branch is the default one is not known here",
            "run `git remote set-head origin --auto`, or name it where it is asked for (`tripline init --branch`)",
        ),
    }
}
