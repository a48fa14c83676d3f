//! What is checked out, by whom, and what stays in the folder.
//!
//! What may write runs the default branch alone, and so does all that it is made of: the workflows that it calls and the
//! actions beside them, as deep as they go. And no checkout leaves the token where whatever runs next could read it: what
//! pushes is handed it for itself. Tested on the real files, each changed in one line.

use std::collections::{BTreeMap, BTreeSet};

use super::{Complaint, Rule};
use crate::{
    tree::Tree,
    workflow::{self, Value, Workflow},
};

pub(super) static RULE: Rule = Rule {
    name: "checkouts",
    about: "What may write checks out the default branch alone, and no checkout leaves the token in the folder.",
    check,
};

/// By what a job would get at somebody else's code.
const FOREIGN: [&str; 4] = [
    "workflow_run.head_sha",
    "workflow_run.head_branch",
    "pull_request.head",
    "refs/pull/",
];

/// The folder's beginning, where a workflow or an action lies beside the one that uses it.
const BESIDE: &str = "./";

type Files<'a> = BTreeMap<&'a str, Workflow>;

fn check(tree: &Tree) -> Vec<Complaint> {
    let mut files = workflow::all(tree);
    files.extend(workflow::actions(tree));
    let privileged = files
        .iter()
        .filter(|(_, file)| file.is_started_by_anybody());
    let privileged = privileged.map(|(path, _)| *path).collect();
    let mut complaints: Vec<Complaint> = made_of(privileged, &files)
        .into_iter()
        .flat_map(|path| without_code(path, &files[path]))
        .collect();
    for (path, file) in &files {
        complaints.extend(uses(file).filter_map(|uses| missing(path, uses, &files)));
        complaints.extend(without_token(path, file));
    }
    complaints
}

/// Returns some files with all that they are made of.
fn made_of<'a>(mut open: Vec<&'a str>, files: &Files<'a>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    while let Some(path) = open.pop() {
        if found.insert(path) {
            let beside = uses(&files[path]).filter_map(beside);
            open.extend(beside.filter_map(|used| Some(*files.get_key_value(&*used)?.0)));
        }
    }
    found
}

/// Returns what a file is made of: what its steps use, and what its jobs call.
fn uses(file: &Workflow) -> impl Iterator<Item = &Value> {
    let is_use = |value: &&Value| {
        let is_of_step = value.in_step().is_some_and(|(_, rest)| rest == ["uses"]);
        is_of_step || value.is_at(&["jobs", "*", "uses"])
    };
    file.values.iter().filter(is_use)
}

/// Returns the file that is used, if it is one of ours.
fn beside(uses: &Value) -> Option<String> {
    let path = uses.text.strip_prefix(BESIDE)?;
    let is_workflow = path.ends_with(".yml");
    Some(match is_workflow {
        true => path.to_owned(),
        false => format!("{}/action.yml", path.trim_end_matches('/')),
    })
}

/// What is not where it is looked for would be looked at by no rule.
fn missing(path: &str, uses: &Value, files: &Files<'_>) -> Option<Complaint> {
    let used = beside(uses).filter(|used| !files.contains_key(&**used))?;
    let what = format!("uses `{}`, and there is no `{used}`", uses.text);
    Some(Complaint::new(
        path,
        uses.line,
        what,
        "name it as it is called",
    ))
}

/// Returns the steps that check something out, each with its line.
fn checkouts(file: &Workflow) -> impl Iterator<Item = (&[String], usize)> {
    let checkouts = uses(file).filter(|uses| uses.text.starts_with("actions/checkout@"));
    checkouts.filter_map(|uses| Some((uses.in_step()?.0, uses.line)))
}

/// What may write runs the code of the default branch, and nothing that whoever caused it has chosen.
fn without_code(path: &str, file: &Workflow) -> Vec<Complaint> {
    let instead = "check out what GitHub gives, the default branch, and take the rest as data";
    let mut complaints = Vec::new();
    for value in &file.values {
        let foreign = FOREIGN.iter().find(|name| value.text.contains(**name));
        let Some((step, rest)) = value.in_step() else {
            // What a called workflow is given comes to its steps.
            if let Some(name) = foreign.filter(|_| value.is_at(&["jobs", "*", "with", "*"])) {
                let what = format!("may write and calls a workflow with `{name}`");
                complaints.push(Complaint::new(path, value.line, what, instead));
            }
            continue;
        };
        if let Some(name) = foreign {
            let what = format!("may write and has a step with `{name}`");
            complaints.push(Complaint::new(path, value.line, what, instead));
        }
        let is_checkout = || checkouts(file).any(|(checkout, _)| checkout == step);
        if let [with, name] = rest
            && with == "with"
            && ["ref", "repository"].contains(&&**name)
            && is_checkout()
        {
            let what = format!("may write and checks out another `{name}`");
            complaints.push(Complaint::new(path, value.line, what, instead));
        }
    }
    complaints
}

/// The token would lie in the folder for whatever runs there next.
fn without_token(path: &str, file: &Workflow) -> Vec<Complaint> {
    let keeps = |(step, line): (&[String], usize)| {
        let credentials = file.values.iter().find(|value| {
            let here = value.in_step();
            here.is_some_and(|(of, rest)| of == step && rest == ["with", "persist-credentials"])
        });
        let is_none = credentials.is_some_and(|value| value.text == "false");
        let instead =
            "write `persist-credentials: false`; what pushes is handed the token for itself";
        (!is_none).then(|| {
            let what = "checks out and leaves the token in the folder";
            Complaint::new(path, line, what, instead)
        })
    };
    checkouts(file).filter_map(keeps).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{assert_kept, complaints, repository};

    #[test]
    fn the_tree_keeps_it() {
        assert_kept(&RULE);
    }

    /// Returns what is said of our files where some of them have another line.
    fn with(changes: &[(&str, &str, &str)]) -> Vec<String> {
        let tree = repository();
        let files = tree
            .below(".github")
            .filter_map(|path| Some((path, tree.text(path)?)));
        let mut files: BTreeMap<&str, String> =
            files.map(|(path, text)| (path, text.to_owned())).collect();
        for (file, from, to) in changes {
            let path = format!(".github/{file}");
            let text = files.get_mut(&*path).unwrap();
            assert!(text.contains(from), "`{from}` is not in {file}");
            *text = text.replacen(from, to, 1);
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
        let found = complaints(&RULE, &files).into_iter();
        // Which line it is does not matter here.
        let shown = found.map(|it| {
            let mut parts = it.splitn(3, ':');
            let file = parts
                .next()
                .unwrap()
                .trim_start_matches(".github/")
                .to_owned();
            format!("{file}: {}", parts.nth(1).unwrap().trim())
        });
        shown.collect()
    }

    const CHECKOUT: &str = "persist-credentials: false\n";

    #[test]
    fn catches_foreign_code_beside_a_token_that_may_write() {
        for (more, said) in [
            ("ref: v1\n", "may write and checks out another `ref`"),
            (
                "repository: a/b\n",
                "may write and checks out another `repository`",
            ),
        ] {
            let changed = format!("{CHECKOUT}          {more}");
            for file in ["workflows/bench-publish.yml", "workflows/baseline.yml"] {
                assert_eq!(
                    with(&[(file, CHECKOUT, &changed)]),
                    [format!("{file}: {said}")]
                );
            }
        }
        let file = "workflows/bench-publish.yml";
        let sha = "trend: ${{ github.event.workflow_run.head_sha }}";
        let found = with(&[(file, "trend: ${{ vars.TRIPLINE_TREND }}", sha)]);
        assert_eq!(
            found,
            ["workflows/bench-publish.yml: may write and has a step with `workflow_run.head_sha`"]
        );
    }

    #[test]
    fn catches_it_in_what_is_called() {
        let first = "  using: composite\n  steps:\n";
        let step = format!(
            "{first}    - uses: actions/checkout@0 # v0\n      with:\n        persist-credentials: false\n        ref: a\n"
        );
        let action = ("actions/publish/action.yml", first, &*step);
        let said = "actions/publish/action.yml: may write and checks out another `ref`";
        assert_eq!(with(&[action]), [said]);
        // What runs a pull request's code may check out what it likes.
        let harmless = ("actions/measure/action.yml", first, &*step);
        assert_eq!(with(&[harmless]), [""; 0]);

        // A workflow that calls another, which uses an action.
        let jobs = "jobs:\n  called:\n    uses: ./.github/workflows/bench.yml\n    with:\n      against: ${{ github.event.workflow_run.head_sha }}\n";
        let calls = ("workflows/bench-publish.yml", "jobs:\n", jobs);
        let of_call = "workflows/bench-publish.yml: may write and calls a workflow with `workflow_run.head_sha`";
        assert_eq!(
            with(&[calls, harmless]),
            [said.replace("publish/", "measure/"), of_call.to_owned()]
        );
    }

    #[test]
    fn catches_what_is_used_and_not_there() {
        let uses = "uses: ./.github/actions/publish\n";
        let gone = "uses: ./.github/actions/tell\n";
        assert_eq!(
            with(&[("workflows/bench-publish.yml", uses, gone)]),
            [
                "workflows/bench-publish.yml: uses `./.github/actions/tell`, and there is no `.github/actions/tell/action.yml`"
            ]
        );
    }

    #[test]
    fn catches_a_token_that_is_left_in_the_folder() {
        for (file, from) in [
            (
                "workflows/ci.yml",
                "        with:\n          persist-credentials: false\n",
            ),
            ("workflows/bench.yml", "persist-credentials: false\n"),
        ] {
            let said = format!("{file}: checks out and leaves the token in the folder");
            assert_eq!(with(&[(file, from, "\n")]), [&*said]);
        }
        let file = "workflows/bench-main.yml";
        let found = with(&[(
            file,
            "persist-credentials: false",
            "persist-credentials: true",
        )]);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
