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

/// By what a job would get at somebody else's code, in small letters: GitHub takes large ones for the same. They are the ends of
/// names, because what is before may stand in brackets, or in a variable.
const FOREIGN: [&str; 12] = [
    "head_sha",
    "head_branch",
    "head_ref",
    "head_repository",
    "head_commit",
    "pull_request.head",
    "head.sha",
    "head.ref",
    "head.repo",
    "headref",
    "refs/pull/",
    "pr checkout",
];

/// How a ref ends by which GitHub hands a pull request out, whatever its number stands in.
const FOREIGN_ENDS: [&str; 2] = ["/head", "/merge"];

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
    let reaching = file.values.iter().filter(|value| !decides_alone(value));
    let complaints = reaching.filter_map(|value| {
        let what = match foreign(&value.text) {
            Some(name) => format!("{} with `{name}`", role(value)),
            None => format!("checks out another `{}`", another(file, value)?),
        };
        Some(Complaint::new(
            path,
            value.line,
            format!("may write and {what}"),
            "check out what GitHub gives, the default branch, and take the rest as data",
        ))
    });
    complaints.collect()
}

/// Returns by what a text gets at somebody else's code.
fn foreign(text: &str) -> Option<&'static str> {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let spaced = words.join(" ");
    let ends = |end: &&&str| {
        let mut parts = spaced.split(|c: char| c != '/' && !c.is_ascii_alphanumeric());
        parts.any(|part| part.ends_with(**end))
    };
    let named = FOREIGN.iter().find(|name| spaced.contains(**name));
    named.or_else(|| FOREIGN_ENDS.iter().find(ends)).copied()
}

/// Tells whether a value says only if and when something runs, and comes to no step.
fn decides_alone(value: &Value) -> bool {
    let of_job = ["concurrency", "if", "name"];
    let of_step = value.in_step().is_some_and(|(_, rest)| rest == ["if"]);
    of_step || of_job.iter().any(|key| value.is_below(&["jobs", "*", key]))
}

/// Returns what a value is for, as far as it matters here.
fn role(value: &Value) -> &'static str {
    if value.in_step().is_some() {
        "has a step"
    } else if value.is_at(&["jobs", "*", "with", "*"]) {
        // What a called workflow is given comes to its steps.
        "calls a workflow"
    } else {
        "has something around its steps"
    }
}

/// Returns which input of a checkout this is, if it chooses what is checked out.
fn another<'a>(file: &Workflow, value: &'a Value) -> Option<&'a str> {
    let (step, rest) = value.in_step()?;
    let [with, name] = rest else { return None };
    let chooses = with == "with" && ["ref", "repository"].contains(&&**name);
    (chooses && checkouts(file).any(|(checkout, _)| checkout == step)).then_some(name)
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
            ["workflows/bench-publish.yml: may write and has a step with `head_sha`"]
        );
    }

    #[test]
    fn catches_foreign_code_however_it_is_named() {
        let file = "workflows/bench-publish.yml";
        let trend = "${{ vars.TRIPLINE_TREND }}";
        for (text, name) in [
            ("${{ github.event.workflow_run['head_sha'] }}", "head_sha"),
            ("${{ github.event.workflow_run.HEAD_SHA }}", "head_sha"),
            (
                "${{ github.event.workflow_run.head_branch }}",
                "head_branch",
            ),
            (
                "${{ github.event.workflow_run.head_repository.full_name }}",
                "head_repository",
            ),
            (
                "${{ github.event.workflow_run.head_commit.id }}",
                "head_commit",
            ),
            ("$GITHUB_HEAD_REF", "head_ref"),
            (
                "${{ github.event.pull_request.head.sha }}",
                "pull_request.head",
            ),
            (
                "${{ github.event.workflow_run.pull_requests[0].head.sha }}",
                "head.sha",
            ),
            ("gh pr view 7 --json headRefOid", "headref"),
            ("git fetch origin refs/pull/7/merge", "refs/pull/"),
            ("git fetch origin pull/$PULL/head", "/head"),
            (
                "git fetch origin \"pull/$PULL/merge:there\" --depth 1",
                "/merge",
            ),
            ("gh  pr  checkout 7", "pr checkout"),
        ] {
            let found = with(&[(file, trend, text)]);
            let said = format!("{file}: may write and has a step with `{name}`");
            assert_eq!(found, [said], "{text}");
        }
        for harmless in ["refs/heads/main", "a/header", "overhead", "gh pr comment 7"] {
            assert_eq!(with(&[(file, trend, harmless)]), [""; 0]);
        }
    }

    #[test]
    fn catches_foreign_code_that_comes_from_around_the_steps() {
        let file = "workflows/bench-publish.yml";
        let said = format!("{file}: may write and has something around its steps with `head_sha`");
        let sha = "${{ github.event.workflow_run.head_sha }}";
        let of_all = format!("env:\n  AT: {sha}\n\njobs:\n");
        let of_job = format!("    env:\n      AT: {sha}\n    steps:\n");
        let of_matrix =
            format!("    strategy:\n      matrix:\n        at:\n          - {sha}\n    steps:\n");
        for (from, to) in [
            ("jobs:\n", of_all),
            ("    steps:\n", of_job),
            ("    steps:\n", of_matrix),
        ] {
            assert_eq!(with(&[(file, from, &to)]), [&*said], "{to}");
        }
        let action = "actions/publish/action.yml";
        let given = format!("    default: {sha}\n");
        let found = with(&[(action, "    default: ''\n", &given)]);
        assert_eq!(found, [said.replace(file, action)]);
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
        let of_call = "workflows/bench-publish.yml: may write and calls a workflow with `head_sha`";
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
