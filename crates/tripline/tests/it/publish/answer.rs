//! Requests in comments, and what becomes of them. What is taken is what was read, and whoever asks hears why not.

use fake_github::{Fault, FaultKind, PullState};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::json;

use super::stage::{FORK, HOME, Stage};
use crate::project::Ended;

const KEPT: &str = "tune:baselines/kv/accepted.jsonl";

/// A stage on which the report was told, and the report's number.
fn red() -> (Stage, u64) {
    let stage = Stage::new();
    let number = stage.uploaded(41, HOME, &stage.report);
    (stage, number)
}

/// Fails the test unless the branch is where it was, and this was said last, with this reaction.
#[track_caller]
fn assert_refused(stage: &Stage, reaction: &str, why: &str) {
    assert_eq!(stage.there(&["rev-parse", "tune"]), stage.head);
    assert_eq!(stage.reactions().last().unwrap(), reaction);
    let said = stage.said(7);
    let last = &said.last().unwrap().body;
    assert!(last.contains(why), "`{why}` is not in\n{last}");
}

#[test]
fn what_was_read_is_accepted_and_how_to_go_on_is_said() {
    let (stage, number) = red();
    let before = stage.requests();
    let asked = format!("/tripline accept get --report {number} because the cache went");
    let ended = stage.answered(7, "ada", &asked).with(0);
    assert!(
        ended.out.contains("1000000 became 1500000"),
        "{}",
        ended.out
    );
    assert!(stage.requests() - before <= 9, "{:#?}", stage.fake.seen());
    let kept = stage.there(&["show", KEPT]);
    assert!(
        kept.contains("the cache went") && kept.contains("\"ada <ada@users"),
        "{kept}"
    );
    assert_eq!(stage.there(&["rev-parse", "tune~1"]), stage.head);
    assert_eq!(stage.reactions(), ["+1"]);
    let said = stage.said(7);
    let [reply] = &said[..] else {
        panic!("{said:#?}")
    };
    let comment = stage.fake.world().comments_on(7)[0].id;
    for part in [
        "**Accepted**",
        &format!("https://github.com/acme/demo/pull/7#issuecomment-{comment}"),
        "kv/get instructions: 1000000 became 1500000 count, accepted",
        "close and reopen this pull request",
    ] {
        assert!(
            reply.body.contains(part),
            "`{part}` is not in\n{}",
            reply.body
        );
    }
}

#[test]
fn a_job_that_runs_again_says_it_once() {
    let (stage, number) = red();
    let asked = format!("/tripline accept gett --report {number} because x");
    let comment = stage.fake.world().add_comment(7, "ada", &asked);
    for _ in 0..2 {
        stage.answer(7, "ada", (comment, &asked), &[]).with(0);
    }
    assert_refused(&stage, "-1", "nothing that got worse in report");
    assert_eq!((stage.said(7).len(), stage.reactions().len()), (1, 1));
}

#[test]
fn of_two_reports_on_one_commit_the_one_that_was_read_counts() {
    let (stage, number) = red();
    let worse = stage.measured(1_900_000);
    stage.git(&["checkout", "--quiet", "--", "."]);
    stage.uploaded(42, HOME, &worse);
    let asked = format!("/tripline accept get --report {number} because x");
    stage.answered(7, "ada", &asked).with(0);
    let kept = stage.there(&["show", KEPT]);
    assert!(
        kept.contains("1500000") && !kept.contains("1900000"),
        "{kept}"
    );
}

#[test]
fn a_push_in_between_is_not_accepted_along() {
    let (mut stage, number) = red();
    stage.git(&["switch", "--quiet", "tune"]);
    let worse = stage.measured(1_900_000);
    stage.head = stage.commit("slip something in");
    stage.git(&["push", "--quiet", "origin", "tune"]);
    stage.git(&["switch", "--quiet", "main"]);
    stage.uploaded(42, HOME, &worse);
    let asked = format!("/tripline accept get --report {number} because x");
    stage.answered(7, "ada", &asked).with(0);
    assert_refused(&stage, "-1", "read the newest report of this pull request");
}

/// A stage on which the report of two regressions was told, and the report's number.
fn both() -> (Stage, u64) {
    let stage = Stage::new();
    let both = [("get", 1_500_000), ("set", 3_000_000)];
    stage.project.measures(&both);
    stage.project.tripline(&["check"]).with(10);
    let report = std::fs::read(stage.project.at("target/tripline/report.jsonl")).unwrap();
    stage.git(&["checkout", "--quiet", "--", "."]);
    let number = stage.uploaded(41, HOME, &report);
    (stage, number)
}

fn ask(stage: &Stage, number: u64, bench: &str, why: &str) -> Ended {
    let asked = format!("/tripline accept {bench} --report {number} because {why}");
    stage.answered(7, "ada", &asked).with(0)
}

/// The lines of what the branch accepts, one for each regression.
fn accepted(stage: &Stage) -> Vec<String> {
    let kept = stage.there(&["show", KEPT]);
    let lines = kept.lines().filter(|line| line.contains("because"));
    lines.map(str::to_owned).collect()
}

#[test]
fn two_regressions_are_taken_from_one_report_for_two_reasons() {
    let (mut stage, number) = both();
    ask(&stage, number, "get", "the cache went");
    ask(&stage, number, "set", "it syncs now");
    assert_eq!(stage.reactions(), ["+1", "+1"]);
    let kept = accepted(&stage);
    assert!(kept[0].contains("the cache went") && kept[1].contains("it syncs now"));
    // With anything else on top, the report is of something else.
    stage.git(&["fetch", "--quiet", "origin", "tune"]);
    stage.git(&["switch", "--quiet", "--detach", "FETCH_HEAD"]);
    stage.project.write("more.rs", "");
    stage.head = stage.commit("more");
    stage.git(&["push", "--quiet", "origin", "HEAD:tune"]);
    stage.git(&["switch", "--quiet", "main"]);
    ask(&stage, number, "set", "it syncs now");
    assert_refused(&stage, "-1", "read the newest report of this pull request");
}

#[test]
fn what_was_accepted_keeps_its_reason_where_more_is_accepted() {
    let (stage, number) = both();
    ask(&stage, number, "get", "the cache went");
    let ended = ask(&stage, number, "*", "it syncs now");
    for line in [
        "kv/get instructions: accepted already, because the cache went\n",
        "kv/set instructions: 2000000 became 3000000 count, accepted\n",
    ] {
        assert!(ended.out.contains(line), "{}", ended.out);
    }
    let kept = accepted(&stage);
    assert_eq!(kept.len(), 2, "{kept:#?}");
    assert!(kept[0].contains("the cache went") && kept[1].contains("it syncs now"));
}

#[test]
fn a_job_that_runs_again_accepts_once() {
    let (stage, number) = red();
    let asked = format!("/tripline accept get --report {number} because the cache went");
    let comment = stage.fake.world().add_comment(7, "ada", &asked);
    stage.answer(7, "ada", (comment, &asked), &[]).with(0);
    let tip = stage.there(&["rev-parse", "tune"]);
    let ended = stage.answer(7, "ada", (comment, &asked), &[]).with(0);
    assert!(
        ended
            .out
            .contains("accepted already, because the cache went"),
        "{}",
        ended.out
    );
    assert_eq!(stage.there(&["rev-parse", "tune"]), tip);
    assert_eq!(
        (stage.said(7).len(), stage.reactions()),
        (1, vec!["+1".to_owned()])
    );
    assert!(stage.said(7)[0].body.contains("**Accepted**"));
}

#[test]
fn whoever_is_overtaken_reads_again_and_keeps_what_the_other_wrote() {
    let (stage, number) = both();
    ask(&stage, number, "set", "it syncs now");
    let other = stage.there(&["rev-parse", "tune"]);
    // The other is there from the moment that ours is pushed, and before it.
    stage.there(&["update-ref", "refs/heads/tune", &stage.head]);
    stage.overtake(&other);
    let ended = ask(&stage, number, "get", "the cache went");
    assert!(
        ended.out.contains("1000000 became 1500000"),
        "{}",
        ended.out
    );
    assert_eq!(stage.there(&["rev-parse", "tune~1"]), other);
    let kept = accepted(&stage);
    assert!(kept[0].contains("the cache went") && kept[1].contains("it syncs now"));
    assert_eq!(stage.reactions(), ["+1", "+1"]);
}

#[test]
fn a_report_that_no_run_here_left_is_none() {
    let (stage, number) = red();
    let of_fork = stage.uploaded(43, FORK, &stage.report);
    for wrong in [number + 500, of_fork, 0] {
        let asked = format!("/tripline accept get --report {wrong} because x");
        stage.answered(7, "ada", &asked).with(0);
        assert_refused(&stage, "-1", "is none to accept from");
    }
    stage.fake.world().artifacts[0].expired = true;
    let asked = format!("/tripline accept get --report {number} because x");
    stage.answered(7, "ada", &asked).with(0);
    assert_refused(&stage, "-1", "it has expired");
}

#[test]
fn a_request_that_was_edited_or_taken_back_is_not_done() {
    let (stage, number) = red();
    let asked = format!("/tripline accept get --report {number} because x");
    let comment = stage
        .fake
        .world()
        .add_comment(7, "ada", "/tripline accept something else");
    stage.answer(7, "ada", (comment, &asked), &[]).with(0);
    assert_refused(&stage, "-1", "was edited after it was made");

    let comment = stage.fake.world().add_comment(7, "ada", &asked);
    stage.fake.world().comments.retain(|it| it.id != comment);
    let writes = stage.writes();
    let ended = stage.answer(7, "ada", (comment, &asked), &[]).with(0);
    assert!(ended.out.contains("the comment is gone"), "{}", ended.out);
    assert_eq!(stage.writes(), writes);
    assert_eq!(stage.there(&["rev-parse", "tune"]), stage.head);
}

#[test]
fn who_may_not_write_gets_a_reaction_and_makes_nobody_talk() {
    let (stage, number) = red();
    let asked = format!("/tripline accept get --report {number} because I say so");
    let why = "only who may write to this repository can accept a regression\n";
    for _ in 0..3 {
        let ended = stage.answered(7, "mallory", &asked).with(0);
        assert_eq!(ended.out, why);
    }
    assert_eq!(stage.there(&["rev-parse", "tune"]), stage.head);
    // Whatever runs at the same moment, a reaction is there once for each comment, and there is nothing to be doubled.
    assert_eq!(
        (stage.said(7).len(), stage.reactions()),
        (0, vec!["-1".to_owned(); 3])
    );
    assert_eq!(stage.writes(), 3);
    let summary = stage.project.read("target/summary.md");
    assert!(
        summary.contains("**Not accepted**") && summary.contains(why),
        "{summary}"
    );
}

#[test]
fn what_is_not_understood_is_answered_with_the_form() {
    let (stage, _) = red();
    stage
        .answered(7, "ada", "/tripline accept get because x")
        .with(0);
    assert_refused(&stage, "confused", "it does not say which report was read");
    stage.answered(7, "ada", "/tripline dance").with(0);
    let form = "/tripline accept BENCHMARK [--metric METRIC] --report NUMBER because REASON";
    assert_refused(&stage, "confused", form);
}

#[test]
fn a_fork_or_a_closed_pull_request_is_told_what_to_do_instead() {
    let (stage, number) = red();
    let asked = format!("/tripline accept get --report {number} because x");
    stage.answered(8, "ada", &asked).with(0);
    let said = stage.said(8);
    assert!(
        said[0].body.contains("`tripline baseline accept`"),
        "{said:#?}"
    );
    stage.fake.world().pull_mut(7).unwrap().state = PullState::Closed;
    stage.answered(7, "ada", &asked).with(0);
    assert_refused(&stage, "-1", "the pull request is closed");
}

#[test]
fn what_fails_is_answered_too() {
    let (stage, number) = red();
    let asked = |number| format!("/tripline accept get --report {number} because x");
    // Bad input.
    let hostile = stage.uploaded_zip(42, HOME, b"no zip".to_vec());
    stage.answered(7, "ada", &asked(hostile)).with(4);
    assert_refused(&stage, "confused", "it is no zip file as runners make it");
    assert_refused(&stage, "confused", "/actions/runs/9000/attempts/1)");
    // The hub refuses something on the way.
    let refused = Fault::on("GET", "/repos/acme/demo/pulls/7", FaultKind::Status(403));
    stage.fake.fail_next(refused);
    stage.answered(7, "ada", &asked(number)).with(5);
    assert_refused(&stage, "confused", "pull request 7 was not looked at");
    // The branch moved on between our question and our push: GitHub does not know yet.
    stage.fake.world().repository_mut(HOME).unwrap().git = None;
    stage.git(&["switch", "--quiet", "tune"]);
    stage.git(&["commit", "--quiet", "--allow-empty", "--message", "more"]);
    stage.git(&["push", "--quiet", "origin", "tune"]);
    stage.answered(7, "ada", &asked(number)).with(5);
    let said = stage.said(7);
    assert!(said[2].body.contains("something went wrong"), "{said:#?}");
    assert_eq!(stage.reactions(), ["confused"; 3]);
    assert_ne!(stage.there(&["rev-parse", "tune"]), stage.head);
    assert_eq!(stage.there(&["log", "--format=%s", "-1", "tune"]), "more");
}

#[test]
fn what_cannot_be_told_ends_with_what_went_wrong_first() {
    let (stage, number) = red();
    let refuse = |method, path: &str| {
        let path = format!("/repos/acme/demo/{path}");
        stage
            .fake
            .fail_next(Fault::on(method, &path, FaultKind::Status(403)));
    };
    refuse("GET", "pulls/7");
    refuse("POST", "issues/comments");
    let asked = format!("/tripline accept get --report {number} because x");
    let ended = stage.answered(7, "ada", &asked).with(5);
    let first = ended.err.find("pull request 7 was not looked at").unwrap();
    assert!(ended.err.contains("react to comment"), "{}", ended.err);
    let last = ended.err.rfind("error: ").unwrap();
    assert!(last < first, "it ends with it:\n{}", ended.err);
}

#[test]
fn nothing_that_was_asked_is_markup_in_the_answer() {
    let (stage, number) = red();
    for hostile in [
        "```@mallory<b>[x](http://x.example)",
        "@mallory",
        "<img/src=x>@mallory",
        "a{@mallory",
        "a{b=`@mallory`}",
    ] {
        let asked = format!("/tripline accept {hostile} --report {number} because x");
        stage.answered(7, "ada", &asked).with(0);
        let said = stage.said(7);
        let body = &said.last().unwrap().body;
        let mut is_code = false;
        for event in Parser::new(body) {
            match event {
                Event::Start(Tag::CodeBlock(_)) => is_code = true,
                Event::End(TagEnd::CodeBlock) => is_code = false,
                Event::Html(html) | Event::InlineHtml(html) => {
                    assert!(html.starts_with("<!-- tripline:comment "), "{html}");
                }
                Event::Text(text) => assert!(is_code || !text.contains("mallory"), "{body}"),
                _ => {}
            }
        }
        assert!(body.contains("mallory"), "{body}");
    }
    let long = format!("/tripline accept {} because x", "x ".repeat(9_000));
    stage.answered(7, "ada", &long).with(0);
    assert!(stage.said(7).last().unwrap().body.len() < 2_000);
}

#[test]
fn by_hand_it_is_answered_on_the_page_of_the_run() {
    let (stage, number) = red();
    let command = format!("/tripline accept get --report {number} because x");
    let payload = json!({
        "inputs": { "pull": "7", "command": command },
        "repository": { "id": 1, "full_name": HOME, "default_branch": "main" },
    });
    let answer = ["baseline", "answer"];
    stage.job("workflow_dispatch", &payload, &answer).with(0);
    assert!(stage.there(&["show", KEPT]).contains("ada"));
    let summary = stage.project.read("target/summary.md");
    assert!(summary.contains("**Accepted**"), "{summary}");
    assert!(stage.said(7).is_empty() && stage.reactions().is_empty());
}

#[test]
fn a_dry_run_says_all_of_it_and_does_nothing() {
    let (stage, number) = red();
    let asked = format!("/tripline accept get --report {number} because x");
    let comment = stage.fake.world().add_comment(7, "ada", &asked);
    let ended = stage
        .answer(7, "ada", (comment, &asked), &["--dry-run"])
        .with(0);
    let planned = ended.out.lines().filter(|line| line.starts_with("would "));
    assert_eq!(planned.count(), 3, "{}", ended.out);
    assert_eq!(stage.writes(), 0);
    assert_eq!(stage.there(&["rev-parse", "tune"]), stage.head);
}
