//! The clone: whether it has the commits that are compared, which branch is the default one, and whether what the workflows
//! run is in it.

use super::finding::Finding;
use crate::command::checkout::{Checkout, Known};
use crate::command::init::PREPARE;

pub(super) fn look(checkout: Result<&Checkout, &String>) -> Vec<Finding> {
    match checkout {
        Ok(checkout) => {
            let known = [history(checkout), default_branch(checkout)];
            known.into_iter().chain(prepare(checkout)).collect()
        }
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

/// The workflows run what is committed, and what is not there they do not miss.
fn prepare(checkout: &Checkout) -> Option<Finding> {
    let is_there = checkout.root().join(PREPARE).is_file();
    is_there.then(|| {
        if checkout.holds(PREPARE) {
            Finding::good(format!("the workflows run `{PREPARE}` before they measure"))
        } else {
            Finding::bad(
                format!("`{PREPARE}` is not in the repository, so that no workflow runs it"),
                format!("run `git add --force {PREPARE}`, and commit it"),
            )
        }
    })
}
