//! `tripline baseline propose`: offers the baselines that changed here as a pull request, one that is kept up to date.
//!
//! Tested by `tests/it/publish` and by the plays of the workflows.

use std::path::Path;

use tripline_hub::git::{Change, Identity, NewFile, Pushed};
use tripline_hub::pulls::{Proposal, Proposed};
use tripline_hub::{CommitId, Done, Effect};

use crate::actions::{Job, say_planned};
use crate::cli::BaselinePropose;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files;
use crate::git::git;
use crate::project::Project;
use crate::talk;

const NOT_DONE: &str = "no baselines were proposed";

pub(super) fn run(project: &Project, args: &BaselinePropose) -> Outcome<Exit> {
    let root = project.root();
    let changed = changed(root)?;
    if changed.is_empty() {
        talk::data("the baselines are as they are committed: there is nothing to propose\n")?;
        return Ok(Exit::Pass);
    }
    let wrong = |error| CommandError::new(Exit::BadInput, NOT_DONE).because(error);
    let branch = args.branch.clone();
    let head = asked(root, &["rev-parse", "HEAD"])?;
    let base: CommitId = head
        .trim()
        .parse()
        .map_err(|error: tripline_hub::NameError| {
            CommandError::new(Exit::BadInput, NOT_DONE).because(error)
        })?;
    let mut files = Vec::new();
    let prefix = prefix(root)?;
    for place in &changed {
        let path = place.parse().map_err(wrong)?;
        let below = place.strip_prefix(&prefix).unwrap_or(place);
        let bytes = files::read(&root.join(below))?;
        files.push(NewFile { path, bytes });
    }
    let title = format!("baselines: as measured at {}", base.short());
    let change = Change::new(files, title.clone(), Identity::actions_bot()).map_err(wrong)?;
    let put = Effect::Put {
        branch: branch.clone(),
        base,
        change,
    };
    if args.dry_run {
        say_planned(&[put])?;
        talk::data(&format!(
            "would open or refresh a pull request from `{branch}`: {title}\n"
        ))?;
        return Ok(Exit::Pass);
    }
    let job = Job::here(NOT_DONE)?;
    // Whoever cannot open the pull request is told before anything is pushed.
    job.client(NOT_DONE)?;
    let default = job.context.default_branch.clone().ok_or_else(|| {
        let what = "the event does not say which branch is the default one";
        CommandError::new(Exit::BadInput, NOT_DONE).because(what)
    })?;
    let body = body(&changed, &job.context.run_page());
    let propose = Effect::Propose(Proposal {
        branch,
        base: default,
        title,
        body,
    });
    let done = job.carry_out(&[put], Some(root))?;
    if matches!(done[..], [Done::Pushed(Pushed::NothingToPropose)]) {
        return Ok(Exit::Pass);
    }
    match &job.carry_out(&[propose], None)?[..] {
        [Done::Proposed(proposed)] => permitted(proposed),
        _ => Ok(Exit::Pass),
    }
}

/// Returns the baseline files that are otherwise than committed, from the top of the repository.
fn changed(root: &Path) -> Outcome<Vec<String>> {
    let listed = asked(
        root,
        &[
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--",
            "baselines",
        ],
    )?;
    let entries = listed.split('\0').filter(|entry| !entry.is_empty());
    let mut places = Vec::new();
    for entry in entries {
        let (state, place) = entry.split_at_checked(3).unwrap_or_default();
        if state.contains('D') {
            talk::say(&format!(
                "note: `{place}` is gone, which is for people to commit"
            ));
        } else {
            places.push(place.to_owned());
        }
    }
    Ok(places)
}

/// Returns where the project lies in its repository: nothing, or a path that ends with a slash.
pub(super) fn prefix(root: &Path) -> Outcome<String> {
    Ok(asked(root, &["rev-parse", "--show-prefix"])?
        .trim_end_matches('\n')
        .to_owned())
}

fn body(changed: &[String], run_page: &str) -> String {
    let files: Vec<String> = changed
        .iter()
        .map(|place| format!("- `{place}`\n"))
        .collect();
    format!(
        "Measured by {run_page}. Each changed line is one benchmark that got better, is new, or was measured in another \
         environment; what got worse is not in here and stays to be mended or accepted.\n\nWhat the token of a \
         workflow opens or pushes starts no workflow: where a check is required, close and reopen this pull request to have \
         it run.\n\n{}",
        files.concat()
    )
}

/// A repository that lets no workflow open a pull request has the branch, and a link.
fn permitted(proposed: &Proposed) -> Outcome<Exit> {
    let Proposed::NotPermitted { page, why } = proposed else {
        return Ok(Exit::Pass);
    };
    let what = "the branch was pushed, and no pull request was opened";
    let setting =
        "Settings, Actions, General, \"Allow GitHub Actions to create and approve pull requests\"";
    Err(CommandError::new(Exit::HubFailed, what)
        .because(why.clone())
        .hint(format!("open it by hand: {page}"))
        .hint(format!("or allow it: {setting}")))
}

fn asked(root: &Path, args: &[&str]) -> Outcome<String> {
    let said = git(root, args, &[]).map_err(|why| {
        CommandError::new(Exit::BadInput, NOT_DONE)
            .because(why)
            .hint("run it in the project's git repository")
    })?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_a_check_is_told_how_it_comes() {
        let body = body(&["baselines/kv/x.jsonl".to_owned()], "page");
        assert!(
            body.contains("close and reopen this pull request"),
            "{body}"
        );
    }
}
