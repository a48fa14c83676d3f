//! What is planned, how it is told, and that it is done.

use std::path::Path;
use std::process::Command;

use fake_github::{Pull, Side};
use tripline_hub::check::{Check, Conclusion};
use tripline_hub::git::{Change, Git, Identity, NewFile, Place, Pushed, Tries};
use tripline_hub::issue::Reaction;
use tripline_hub::pulls::Proposal;
use tripline_hub::runner::commands::{Annotation, Level};
use tripline_hub::{Address, Done, Effect, Hands};

use crate::comment::comment;
use crate::support::{BASE, HEAD, HOME, Hub, told, world};

fn change() -> Change {
    let file = NewFile {
        path: "runs/42.jsonl".parse().unwrap(),
        bytes: b"{}\n".to_vec(),
    };
    Change::new(vec![file], "A run", Identity::actions_bot()).unwrap()
}

fn plan() -> Vec<Effect> {
    vec![
        Effect::Comment(comment(1)),
        Effect::Check(Box::new(Check {
            name: "tripline".to_owned(),
            head: HEAD.parse().unwrap(),
            conclusion: Conclusion::Neutral,
            title: "x".to_owned(),
            summary: "x".to_owned(),
            text: None,
            annotations: Vec::new(),
            details_page: None,
        })),
        Effect::Propose(Proposal {
            branch: "tripline/baselines".parse().unwrap(),
            base: "main".parse().unwrap(),
            title: "Bring baselines up to date\u{1b}[2J".to_owned(),
            body: "x".to_owned(),
        }),
        Effect::React {
            comment: 5,
            reaction: Reaction::ThumbsUp,
        },
        Effect::Append {
            branch: "history".parse().unwrap(),
            change: change(),
        },
        Effect::Put {
            branch: "tripline/baselines".parse().unwrap(),
            base: BASE.parse().unwrap(),
            change: change(),
        },
        Effect::Summary("# Nothing got slower\n".to_owned()),
        Effect::Outputs(vec![
            ("verdict".to_owned(), "unchanged".to_owned()),
            ("gate".to_owned(), "pass".to_owned()),
        ]),
        Effect::Annotate(vec![Annotation {
            level: Level::Warning,
            file: None,
            line: None,
            title: None,
            message: "slower".to_owned(),
        }]),
    ]
}

const NO_HANDS: Hands<'static> = Hands {
    client: None,
    server: None,
    place: None,
    summary_file: None,
    output_file: None,
};

#[test]
fn a_plan_is_a_line_for_each_write() {
    let lines: Vec<String> = plan().iter().map(Effect::describe).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    write the comment about `all` on pull request 7, for 1111111111: 44 characters
    make the check `tripline` on 1111111111: neutral, 0 annotations
    open or refresh a pull request from `tripline/baselines` to `main`: Bring baselines up to date\u{1b}[2J
    react to comment 5 with `+1`
    add `runs/42.jsonl` to the branch `history`
    put `runs/42.jsonl` on the branch `tripline/baselines`, on top of 2222222222
    add 21 bytes to the summary
    set the outputs verdict, gate
    print 1 annotation
    ");
}

#[test]
fn what_has_nowhere_to_go_is_an_error() {
    let told = plan()
        .into_iter()
        .map(|effect| match effect.carry_out(NO_HANDS) {
            Ok(done) => format!("{done}"),
            Err(error) => told(&error),
        });
    insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r"
    the comment has nowhere to go: a token for GitHub is not known
    the check has nowhere to go: a token for GitHub is not known
    the pull request has nowhere to go: the address of GitHub's pages is not known
    the reaction has nowhere to go: a token for GitHub is not known
    the change has nowhere to go: where to push is not known
    the change has nowhere to go: where to push is not known
    the summary has nowhere to go: `GITHUB_STEP_SUMMARY` is not known
    the output has nowhere to go: `GITHUB_OUTPUT` is not known
    1 line to print
    ");
}

#[test]
fn effects_are_carried_out() {
    let head = Side::new(HOME, "tripline/baselines", HEAD);
    let mut world = world().with_pull(Pull::new(8, head, Side::new(HOME, "main", BASE)));
    let remark = world.add_comment(7, "ada", "/tripline accept kv");
    let hub = Hub::start(world);
    let folder = tempfile::tempdir().unwrap();
    let [summary, output] = ["summary", "output"].map(|name| folder.path().join(name));
    let client = hub.client();
    let server: Address = "https://github.com".parse().unwrap();
    let hands = Hands {
        client: Some(&client),
        server: Some(&server),
        place: None,
        summary_file: Some(&summary),
        output_file: Some(&output),
    };
    let mut plan = plan();
    plan.retain(|effect| !matches!(effect, Effect::Append { .. } | Effect::Put { .. }));
    plan[3] = Effect::React {
        comment: remark,
        reaction: Reaction::ThumbsUp,
    };
    let done: Vec<Done> = plan
        .iter()
        .map(|effect| effect.carry_out(hands).unwrap())
        .collect();
    let lines: Vec<String> = done.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    wrote https://github.com/acme/demo/pull/7#issuecomment-1003
    made check 1004
    brought pull request 8 up to date
    written
    written
    written
    1 line to print
    ");
    assert_eq!(
        done.last(),
        Some(&Done::Print("::warning::slower\n".to_owned()))
    );
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&summary), "# Nothing got slower\n");
    assert_eq!(read(&output), "verdict=unchanged\ngate=pass\n");
    let world = hub.fake.world();
    assert_eq!(
        (
            world.comments_on(7).len(),
            world.check_runs.len(),
            world.reactions.len()
        ),
        (2, 1, 1)
    );
}

/// Runs git as nobody in particular.
fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    let command = command.args(args).current_dir(folder);
    let command = command.env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = command.env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
    assert!(output.status.success(), "git {args:?}: {output:?}");
}

#[test]
fn changes_are_pushed() {
    let folder = tempfile::tempdir().unwrap();
    git(
        folder.path(),
        &[
            "init",
            "--quiet",
            "--bare",
            "--initial-branch=main",
            "remote.git",
        ],
    );
    git(folder.path(), &["init", "--quiet", "here"]);
    let (here, remote) = (folder.path().join("here"), folder.path().join("remote.git"));
    let clock = crate::support::clock();
    let place = Place {
        git: &Git::on_path(),
        repository: &here,
        remote: &format!("file://{}", remote.display()),
        token: None,
        tries: Tries::of_a_job(7),
        clock: &*clock,
    };
    let hands = Hands {
        place: Some(&place),
        ..NO_HANDS
    };
    let append = &plan()[4];
    let Ok(Done::Pushed(Pushed::Commit { id, tries: 1 })) = append.carry_out(hands) else {
        panic!("nothing was there");
    };
    let again = append.carry_out(hands).unwrap();
    assert_eq!(
        again.to_string(),
        format!("all of it was in {}", id.short())
    );
    let nothing_new = Effect::Put {
        branch: "tripline/baselines".parse().unwrap(),
        base: id,
        change: change(),
    };
    let done = nothing_new.carry_out(hands).unwrap();
    assert_eq!(done.to_string(), "the base says all of it already");
    let error = plan()[5]
        .carry_out(hands)
        .expect_err("the base is not there");
    assert!(error.hint().is_some(), "{}", told(&error));
}
