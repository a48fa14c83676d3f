//! What our workflows may do, and how they find one another.
//!
//! None of the programs that check or play workflows knows what we promise of ours: that what runs a pull request's code can
//! only read, that no run takes the place of another which waits, that one file finds the other by its name. A right that is
//! added is a decision, so each stands in a table here. Tested on the real files, each changed in one line.

use std::collections::{BTreeMap, BTreeSet};

use super::{Complaint, Rule, line_where};
use crate::{
    tree::Tree,
    workflow::{self, RIGHTS, Value, Workflow, given},
};

pub(super) static RULE: Rule = Rule {
    name: "workflows",
    about: "Jobs have the rights of a table, a pull request's code has none, and workflows name files that are there.",
    check,
};

const FOLDER: &str = ".github/workflows/";

/// Where the program names workflows by their files.
const PROGRAM: &str = "crates/tripline/src/";

/// By what a step would get at a token or a secret.
const KEYS: [&str; 3] = ["github.token", "secrets", "GITHUB_TOKEN"];

type Workflows<'a> = BTreeMap<&'a str, Workflow>;

fn check(tree: &Tree) -> Vec<Complaint> {
    let all = workflow::all(tree);
    let strangers = of_strangers(&all);
    let mut complaints = Vec::new();
    for (path, workflow) in &all {
        complaints.extend(shape(path, workflow));
        complaints.extend(rights(path, workflow));
        if strangers.contains(path) {
            complaints.extend(without_rights(path, workflow));
        }
        complaints.extend(started_by(path, workflow, &all));
        complaints.extend(requests(path, workflow));
        complaints.extend(groups_of_all(path, workflow));
        complaints.extend(groups_of_branches(path, workflow));
    }
    complaints.extend(named_by_the_program(tree));
    complaints
}

/// Returns the workflows that run code of pull requests: those that start on one, and those that these call.
fn of_strangers<'a>(all: &Workflows<'a>) -> BTreeSet<&'a str> {
    let starts = |(path, workflow): (&&'a str, &Workflow)| {
        workflow.starts_on("pull_request").then_some(*path)
    };
    let mut open: Vec<&str> = all.iter().filter_map(starts).collect();
    let mut found = BTreeSet::new();
    while let Some(path) = open.pop() {
        if found.insert(path) {
            let uses = all[path].at(&["jobs", "*", "uses"]);
            let called: Vec<&str> = uses
                .filter_map(|uses| uses.text.strip_prefix("./"))
                .collect();
            open.extend(all.keys().copied().filter(|path| called.contains(path)));
        }
    }
    found
}

/// Whatever is not asked for is not given, and a pull request never runs with the rights of its target.
fn shape(path: &str, workflow: &Workflow) -> Vec<Complaint> {
    let unread = workflow.unread.iter();
    let mut complaints: Vec<Complaint> = unread
        .map(|line| {
            Complaint::new(
                path,
                *line,
                "is YAML that no rule can read",
                "write it as the rest: a key, a colon, a value",
            )
        })
        .collect();
    if workflow.text(&["permissions"]) != Some("{}") {
        let instead = "write `permissions: {}` at the top, and give each job what it needs";
        complaints.push(Complaint::new(
            path,
            1,
            "gives rights to all of its jobs",
            instead,
        ));
    }
    // An event that stands as a word or in a list is none to whoever asks for keys.
    let has_words = workflow.text(&["on"]) != Some("") || workflow.text(&["on", "0"]).is_some();
    if has_words {
        let instead = "write each event as a key below `on:`";
        complaints.push(Complaint::new(
            path,
            1,
            "starts on events that are no keys",
            instead,
        ));
    }
    if let Some(value) = workflow.at(&["on", "pull_request_target"]).next() {
        let what = "starts on `pull_request_target`";
        let instead = "start on `pull_request`, and tell from a `workflow_run`";
        complaints.push(Complaint::new(path, value.line, what, instead));
    }
    complaints
}

fn rights(path: &str, workflow: &Workflow) -> Vec<Complaint> {
    let file = path.trim_start_matches(FOLDER);
    let differing = workflow.jobs().filter_map(|(job, line)| {
        let row = RIGHTS.iter().find(|row| (row.0, row.1) == (file, job));
        let given = given(workflow, job);
        let is_allowed = row
            .zip(given.as_ref())
            .is_some_and(|(row, given)| row.2 == *given);
        (!is_allowed).then(|| {
            let given = given.map_or("all that the repository gives".to_owned(), |given| {
                given.join(", ")
            });
            let what = format!("job `{job}` may do what the table does not say: `{given}`");
            let instead =
                "take it back, or argue for it in the table of tools/xtask/src/workflow/rights.rs";
            Complaint::new(path, line, what, instead)
        })
    });
    let there: Vec<&str> = workflow.jobs().map(|(job, _)| job).collect();
    let gone = RIGHTS
        .iter()
        .filter(|row| row.0 == file && !there.contains(&row.1));
    let gone = gone.map(|row| {
        let what = format!("has no job `{}`, which the table gives rights", row.1);
        Complaint::new(
            path,
            1,
            what,
            "take its row out of tools/xtask/src/workflow/rights.rs",
        )
    });
    differing.chain(gone).collect()
}

/// What runs anybody's code can read, and holds nothing else.
fn without_rights(path: &str, workflow: &Workflow) -> Vec<Complaint> {
    let held = workflow.values.iter().filter_map(|value| {
        let holds =
            |key: &&&str| value.text.contains(**key) || value.path.iter().any(|it| it == **key);
        let key = KEYS.iter().find(holds)?;
        let what = format!("runs code of pull requests and has `{key}`");
        Some(Complaint::new(
            path,
            value.line,
            what,
            "leave it to a workflow that starts on `workflow_run`",
        ))
    });
    let more = workflow
        .at(&["jobs", "*", "permissions", "*"])
        .filter(|right| !is_read(right));
    let more = more.map(|right| {
        let what = format!("runs code of pull requests and may `{}`", right.path[3]);
        Complaint::new(
            path,
            right.line,
            what,
            "give it `contents: read` and nothing else",
        )
    });
    held.chain(more).collect()
}

fn is_read(right: &Value) -> bool {
    (right.path[3].as_str(), right.text.as_str()) == ("contents", "read")
}

/// A workflow that starts after another knows it by its name: a name that nobody has starts nothing, in silence.
fn started_by(path: &str, workflow: &Workflow, all: &Workflows<'_>) -> Option<Complaint> {
    let value = workflow.at(&["on", "workflow_run", "workflows"]).next()?;
    let names = value
        .text
        .trim_matches(['[', ']'])
        .split(',')
        .map(str::trim);
    let known = |name: &str| {
        all.values()
            .any(|other| other.text(&["name"]) == Some(name))
    };
    let unknown = names.clone().find(|name| !known(name))?;
    let what = format!("starts after `{unknown}`, and no workflow has this name");
    Some(Complaint::new(
        path,
        value.line,
        what,
        "name it as its `name:` says",
    ))
}

/// Of the jobs of one group that wait, GitHub keeps the last: requests of several people must not share one.
fn requests(path: &str, workflow: &Workflow) -> Vec<Complaint> {
    if !workflow.starts_on("issue_comment") {
        return Vec::new();
    }
    let shared = groups(workflow);
    let shared = shared.filter(|group| !group.text.contains("github.event.comment.id"));
    let shared = shared.map(|group| {
        let what = "lets one request take the place of another that waits";
        Complaint::new(
            path,
            group.line,
            what,
            "give each comment a group of its own, by `github.event.comment.id`",
        )
    });
    shared.collect()
}

/// Returns the groups of a workflow and of its jobs.
fn groups(workflow: &Workflow) -> impl Iterator<Item = &Value> {
    // A group may be all that `concurrency` says.
    workflow.values.iter().filter(|value| {
        let is_whole = value.path.ends_with(&["concurrency".to_owned()]) && !value.text.is_empty();
        is_whole
            || value
                .path
                .ends_with(&["concurrency".to_owned(), "group".to_owned()])
    })
}

/// Forks name their branches alike, and none of them may take the place of another that waits.
fn groups_of_branches(path: &str, workflow: &Workflow) -> Vec<Complaint> {
    let by_branch = |group: &&Value| {
        let is_by = ["head_branch", "head_ref"]
            .iter()
            .any(|name| group.text.contains(name));
        is_by && !group.text.contains("head_repository.id")
    };
    let shared = groups(workflow).filter(by_branch).map(|group| {
        let what = "lets one repository take the place of another whose branch is called alike";
        let instead = "name the repository in the group, by `head_repository.id`";
        Complaint::new(path, group.line, what, instead)
    });
    shared.collect()
}

/// Anybody's doing starts these, also where no job of theirs has anything to do: a group of the whole workflow would let such
/// a run take the place of one that waits and has.
fn groups_of_all(path: &str, workflow: &Workflow) -> Option<Complaint> {
    let group = workflow.at(&["concurrency"]).next();
    let group = group.filter(|_| workflow.is_started_by_anybody())?;
    let what = "lets a run that has nothing to do take the place of one that waits";
    Some(Complaint::new(
        path,
        group.line,
        what,
        "write `concurrency:` in the job, behind its `if:`",
    ))
}

/// The program asks of a run which file it is of.
fn named_by_the_program(tree: &Tree) -> Vec<Complaint> {
    let sources = tree.texts().filter(|(path, _)| path.starts_with(PROGRAM));
    let named = sources.flat_map(|(path, text)| {
        let names = text
            .split(['"', '`'])
            .filter(|name| name.starts_with(FOLDER));
        let files = names.filter(|name| name.ends_with(".yml"));
        let gone = files.filter(|name| !tree.has_file(name));
        gone.map(move |name| {
            let line = line_where(text, |line| line.contains(name));
            Complaint::new(
                path,
                line,
                format!("names `{name}`, which is not there"),
                "name the file as it is called",
            )
        })
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::testing::{assert_kept, complaints, repository};

    #[test]
    fn the_tree_keeps_it() {
        assert_kept(&RULE);
    }

    /// Returns what is said of our workflows where one of them has another line.
    fn with(file: &str, from: &str, to: &str) -> Vec<String> {
        let tree = repository();
        let path = format!("{FOLDER}{file}");
        let text = tree.text(&path).unwrap();
        assert!(text.contains(from), "`{from}` is not in {file}");
        let changed = text.replacen(from, to, 1);
        let files = tree.below(FOLDER.trim_end_matches('/'));
        let files: Vec<(&str, &str)> = files
            .map(|it| {
                (
                    it,
                    if it == path {
                        &changed
                    } else {
                        tree.text(it).unwrap()
                    },
                )
            })
            .collect();
        let found = complaints(&RULE, &files).into_iter();
        // Where a line is does not matter here.
        let what = found.map(|it| it.splitn(3, ':').last().unwrap().trim().to_owned());
        what.collect()
    }

    const READS: &str = "contents: read # to check the code out";

    #[test]
    fn catches_a_right_that_was_added() {
        for file in ["bench.yml", "bench-pr.yml"] {
            let found = with(file, READS, "contents: write # to check the code out");
            assert!(
                found[0].contains("the table does not say: `contents: write`"),
                "{found:?}"
            );
            assert!(
                found[1].contains("runs code of pull requests and may `contents`"),
                "{found:?}"
            );
        }
        let found = with(
            "bench-main.yml",
            "id-token: write",
            "id-token: write\n      contents: write",
        );
        assert!(
            found[0].contains("`contents: write, id-token: write, pages: write`"),
            "{found:?}"
        );
        let found = with("ci.yml", "permissions: {}", "permissions: read-all");
        assert_eq!(found, ["gives rights to all of its jobs"]);
        let found = with(
            "ci.yml",
            "    permissions:\n      contents: read # to check the code out\n",
            "",
        );
        assert!(
            found[0].contains("`all that the repository gives`"),
            "{found:?}"
        );
        let found = with("ci.yml", "  test:\n", "  tests:\n");
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn catches_a_key_in_reach_of_a_pull_request() {
        let report = "report: ${{ runner.temp }}/report.jsonl\n      - name: gate";
        let token = "report: x\n          token: ${{ github.token }}\n      - name: gate";
        let found = with("bench.yml", report, token);
        assert_eq!(found, ["runs code of pull requests and has `github.token`"]);
        let found = with(
            "bench-pr.yml",
            "    with:\n",
            "    secrets: inherit\n    with:\n",
        );
        assert_eq!(found, ["runs code of pull requests and has `secrets`"]);
        let found = with("bench-pr.yml", "  pull_request:", "  pull_request_target:");
        assert_eq!(found, ["starts on `pull_request_target`"]);
        for hidden in [
            "on: pull_request_target\n",
            "on: [pull_request_target]\n",
            "on:\n  - pull_request_target\n",
        ] {
            let found = with(
                "bench-pr.yml",
                "on:\n  pull_request:",
                &format!("{hidden}x:\n  y:"),
            );
            assert_eq!(found, ["starts on events that are no keys"], "{hidden}");
        }
    }

    #[test]
    fn catches_a_name_that_leads_nowhere() {
        let found = with("bench-pr.yml", "name: bench-pr", "name: measure");
        assert_eq!(
            found,
            ["starts after `bench-pr`, and no workflow has this name"]
        );
        let program = (
            "crates/tripline/src/a.rs",
            "const A: &str = \".github/workflows/gone.yml\";\n",
        );
        let found = complaints(&RULE, &[program]);
        assert_eq!(
            found,
            ["crates/tripline/src/a.rs:1: names `.github/workflows/gone.yml`, which is not there"]
        );
    }

    #[test]
    fn catches_a_group_that_runs_without_work_are_in() {
        for file in ["bench-publish.yml", "baseline.yml"] {
            let changed =
                "permissions: {}\n\nconcurrency:\n  group: ${{ github.event.comment.id }}\n";
            let found = with(file, "permissions: {}\n", changed);
            let what = "lets a run that has nothing to do take the place of one that waits";
            assert_eq!(found, [what]);
        }
    }

    #[test]
    fn catches_requests_that_push_one_another_out() {
        let group = "group: baseline-${{ github.event.comment.id || github.run_id }}";
        let shared = "group: baseline-${{ github.event.issue.number || inputs.pull }}";
        let found = with("baseline.yml", group, shared);
        assert_eq!(
            found,
            ["lets one request take the place of another that waits"]
        );
    }

    #[test]
    fn catches_forks_that_push_one_another_out() {
        let repository = "${{ github.event.workflow_run.head_repository.id }}-";
        let found = with("bench-publish.yml", repository, "");
        let what = "lets one repository take the place of another whose branch is called alike";
        assert_eq!(found, [what]);
        let number = "group: bench-pr-${{ github.event.pull_request.number }}";
        let found = with("bench-pr.yml", number, "group: ${{ github.head_ref }}");
        assert_eq!(found, [what]);
    }
}
