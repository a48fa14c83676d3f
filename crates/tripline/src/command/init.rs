//! `tripline init`: looks at what benches a repository has, and writes suites and workflows for them.
//!
//! What is there already stays as it is. Everything is decided and checked before the first file is written, so that an
//! error leaves nothing behind. Tested by `tests/it/init`, on whole repositories.

mod actions;
mod find;
mod suites;
mod tree;
mod workflows;
mod workspace;
mod write;

use std::path::Path;

use tripline_hub::Branch;

use self::find::{Found, Group, LOOKED_FOR, Unused, Work};
use self::tree::Tree;
use self::write::{Draft, There};
use super::checkout::{Checkout, Known};
use crate::cli::{Init, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::suite::Suite;
use crate::talk::{self, counted, shown};

pub(crate) use actions::Actions;
pub(super) use workflows::names as workflow_names;

/// What is done next.
const NEXT: &str = "\nnext:\n  tripline doctor\n  tripline check\n";

/// The script by which the workflows make a machine ready to measure.
pub(super) const PREPARE: &str = ".github/tripline-prepare.sh";

/// Something that cargo builds.
const BUILT: &str = "target/release/built";

pub(super) fn run(shared: &Shared, args: &Init) -> Outcome<Exit> {
    let actions = Actions::chosen(args.actions.as_ref())?;
    let checkout = found(shared.root.as_deref())?;
    let (branch, about_branch) = branch(&checkout, args.branch.as_ref())?;
    let files = checkout.files().map_err(|why| {
        CommandError::new(
            Exit::BadInput,
            "nothing was written: git did not list the files",
        )
        .because(why)
    })?;
    let tree = Tree::of(checkout.root(), files);
    let mut found = find::benches(&tree);
    found.notes.extend(about_branch);
    found.notes.extend(notes(&checkout, &tree, &found));
    let existing = existing(checkout.root())?;
    let is_run = |unused: &Unused| suites::is_run(checkout.root(), &existing, unused);
    found.unused.retain(|unused| !is_run(unused));
    if found.groups.is_empty() && existing.is_empty() {
        return Err(nothing_found(checkout.root(), &found.unused));
    }
    let mut drafts = suites::drafts(checkout.root(), &found.groups, &existing);
    let workflows = workflows::all(&actions, &branch);
    let workflows = workflows.into_iter().map(|(name, text)| Draft {
        place: Path::new(workflows::FOLDER).join(name),
        text,
    });
    drafts.extend(workflows);
    let there: Vec<There> = drafts
        .iter()
        .map(|draft| draft.there(checkout.root()))
        .collect::<Outcome<_>>()?;
    check(&tree, drafts.iter().zip(&there))?;
    let mut text = said_of(&found);
    for (draft, there) in drafts.iter().zip(there) {
        text.push_str(&done(draft, there, checkout.root(), args.dry_run)?);
    }
    for note in &found.notes {
        text.push_str(&shown(&format!("note   {note}\n")));
    }
    talk::data(&(text + NEXT))?;
    Ok(Exit::Pass)
}

fn found(root: Option<&Path>) -> Outcome<Checkout> {
    let folder = root.unwrap_or(Path::new("."));
    Checkout::find(folder).map_err(|why| {
        let what = "nothing was written: workflows and baselines live in a git repository, and this is none";
        CommandError::new(Exit::Usage, what)
            .because(why)
            .hint("run it inside of the repository, or name its folder with `--root`; `git init` makes one")
    })
}

/// Returns the default branch, and what is to be said about it.
fn branch(checkout: &Checkout, named: Option<&Branch>) -> Outcome<(Branch, Option<String>)> {
    let (name, note) = match (named, checkout.default_branch()) {
        (Some(named), _) => (named.clone(), None),
        (None, Some(branch)) => {
            let note = match branch.known {
                Known::FromRemote => None,
                known => Some(format!(
                    "`{}` is taken for the default branch, {known}; `--branch` names another one",
                    branch.name
                )),
            };
            (branch.name, note)
        }
        (None, None) => {
            let what = "nothing was written: which branch is the default one is not known here";
            return Err(CommandError::new(Exit::Usage, what).hint(
                "name it with `--branch`, or ask the remote: `git remote set-head origin --auto`",
            ));
        }
    };
    // No quoting helps: where it stands, a workflow takes it for an expression.
    if name.as_str().contains("${{") {
        let what = format!("nothing was written: no workflow can name the branch `{name}`");
        return Err(CommandError::new(Exit::Usage, what).hint("rename the branch"));
    }
    Ok((name, note))
}

/// Returns the suites there are.
fn existing(root: &Path) -> Outcome<Vec<Suite>> {
    match Project::find(Some(root)) {
        Ok(project) => project.suites_on_demand_too(&[]),
        Err(error) if error.exit == Exit::NothingMeasured => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn nothing_found(root: &Path, unused: &[Unused]) -> CommandError {
    let what = format!(
        "nothing was written: no benchmark that can be read was found in `{}`",
        root.display()
    );
    let error = CommandError::new(Exit::NothingMeasured, what);
    let error = unused.iter().fold(error, |error, unused| {
        error.hint(format!("found, and not used: {}", said(unused)))
    });
    error
        .hint(format!("looked for: {LOOKED_FOR}"))
        .hint("whatever can print one of the formats that `tripline read --help` lists can be a suite: write its `bench/<suite>/suite.toml` by hand, then run this again")
}

/// Refuses what would break something: a file of somebody else's under a name that ours call, and a folder that cargo
/// would take for a package.
fn check<'a>(tree: &Tree, drafts: impl Iterator<Item = (&'a Draft, &'a There)>) -> Outcome<()> {
    let mut errors: Vec<(String, String)> = Vec::new();
    for (draft, there) in drafts {
        let place = draft.place.display();
        let is_workflow = draft.place.starts_with(workflows::FOLDER);
        if is_workflow && *there == There::Other && !is_ours(tree.root(), &draft.place) {
            let why = format!(
                "`{place}` is there and is not Tripline's, whose workflows call each other by these names"
            );
            errors.push((why, format!("rename `{place}`")));
        }
        if let (There::Nothing, Some(folder)) = (there, draft.place.parent())
            && !is_workflow
            && !tree.root().join(folder).join("Cargo.toml").is_file()
            && let Some(manifest) = workspace::taking(tree, folder)
        {
            let folder = folder.display();
            let why = format!("the workspace in `{manifest}` would take `{folder}` for a package");
            errors.push((
                why,
                format!("add \"{folder}\" to `exclude` of its `[workspace]`"),
            ));
        }
    }
    let Some((first, _)) = errors.first() else {
        return Ok(());
    };
    let error = CommandError::new(Exit::BadInput, format!("nothing was written: {first}"));
    let hints = errors.into_iter().map(|(_, hint)| hint);
    Err(hints
        .fold(error, CommandError::hint)
        .hint("then run this again"))
}

/// Returns whether a workflow has to do with Tripline.
fn is_ours(root: &Path, place: &Path) -> bool {
    let text = std::fs::read(root.join(place)).unwrap_or_default();
    String::from_utf8_lossy(&text)
        .to_lowercase()
        .contains("tripline")
}

/// Says what else is to be known.
fn notes(checkout: &Checkout, tree: &Tree, found: &Found) -> Vec<String> {
    let mut notes = Vec::new();
    let uses = |harness: &str| {
        let mut steps = found.groups.iter().flat_map(|group| &group.steps);
        steps.any(|step| step.harness == harness)
    };
    let mut steps = found.groups.iter().flat_map(|group| &group.steps);
    if steps.any(|step| matches!(step.work, Work::Bench(_))) && !checkout.ignores(BUILT) {
        notes.push(
            "git does not ignore `target/`, so that whatever is built makes the work tree look changed: add `/target/` \
             to `.gitignore`"
                .to_owned(),
        );
    }
    let counts = ["iai-callgrind", "gungraun"]
        .iter()
        .any(|counter| uses(counter));
    if counts && tree.named("Cargo.lock").next().is_none() {
        notes.push(
            "there is no `Cargo.lock` in the repository: the workflows install the runner of the version that stands in \
             it, and a count belongs to the versions it was taken with; commit it"
                .to_owned(),
        );
    }
    if uses("pytest-benchmark") && !checkout.root().join(PREPARE).is_file() {
        notes.push(format!(
            "the workflows install nothing for Python: write what does into `{PREPARE}`, a script that they run before \
             they measure, and commit it; what it installs is the same for base and head, so that what is measured has to \
             be imported from the tree"
        ));
    }
    notes
}

/// Says what was found.
fn said_of(found: &Found) -> String {
    let mut text = String::new();
    for group in &found.groups {
        text.push_str(&shown(&format!("found  {}\n", said_group(group))));
    }
    for unused in &found.unused {
        text.push_str(&shown(&format!("unused {}\n", said(unused))));
    }
    text
}

fn said_group(group: &Group) -> String {
    let mut harnesses: Vec<&str> = group.steps.iter().map(|step| step.harness).collect();
    harnesses.sort_unstable();
    harnesses.dedup();
    let folder = match group.folder.as_str() {
        "" => String::new(),
        folder => format!(" in `{}`", one_line(folder)),
    };
    let steps = counted(group.steps.len(), "step");
    format!(
        "`{}`{folder}: {steps} of {}",
        one_line(&group.name),
        harnesses.join(", ")
    )
}

fn said(unused: &Unused) -> String {
    let place = match unused.place.display().to_string() {
        place if place.is_empty() => ".".to_owned(),
        place => one_line(&place),
    };
    format!("`{place}`: {}", one_line(&unused.why))
}

/// Names may hold line ends, and would then look like further lines of the list.
fn one_line(text: &str) -> String {
    text.replace('\n', "\\n")
}

/// Writes a file, or says why it does not.
fn done(draft: &Draft, there: There, root: &Path, dry_run: bool) -> Outcome<String> {
    let place = draft.place.display();
    Ok(match (there, dry_run) {
        (There::Same, _) => format!("left   {place}, which is as it would be written\n"),
        (There::Other, _) => {
            format!("left   {place}, which is there and differs from what would be written\n")
        }
        (There::Nothing, true) => {
            let lines = draft.text.lines().map(|line| format!("       | {line}\n"));
            format!("would  {place}\n{}", lines.collect::<String>())
        }
        (There::Nothing, false) => {
            draft.write(root)?;
            format!("wrote  {place}\n")
        }
    })
}
