//! What the canaries did is kept with the history, also of a job of which nothing else is, and the first page says it.

use super::put_in_a_job;
use crate::canary::{bench, with_canary};
use crate::project::Ended;
use crate::repository::Repository;

/// A repository with a canary that sings, and a remote.
pub(super) fn repository() -> Repository {
    let repository = with_canary(1_000, 1_050);
    repository.write(".gitignore", "target\n");
    repository.commit();
    let remote = repository.outside("remote.git").display().to_string();
    repository.git(&["init", "--quiet", "--bare", &remote]);
    repository.git(&["remote", "add", "origin", &remote]);
    repository
}

/// Measures the last commit beside itself.
pub(super) fn measure(repository: &Repository, more: &[&str]) {
    let args = ["measure", "--against", "HEAD", "--seed", "7"];
    repository.tripline(&[&args[..], more].concat()).with(0);
}

/// Records what was measured last, as the job of `bench-main` does for an exit code of the gate.
pub(super) fn record(repository: &Repository, code: u8) -> Ended {
    let workflow = include_str!("../../../../../.github/workflows/bench-main.yml");
    let said = "TRIPLINE_ONLY_CANARY: ${{ needs.bench.outputs.exit-code == '11' }}";
    assert!(workflow.contains(said), "the workflow does otherwise");
    let mut command = repository.command(&["record"]);
    command.env("TRIPLINE_ONLY_CANARY", (code == 11).to_string());
    let place = repository.at("target/event.json");
    let head = repository.git(&["rev-parse", "HEAD"]);
    put_in_a_job(&mut command, &place, "main", &head);
    Ended::of(command.output().unwrap(), &repository.at("")).with(0)
}

/// Returns how many records there are of a suite.
pub(super) fn records(repository: &Repository, suite: &str) -> usize {
    let branch = "tripline-data:refs/remotes/origin/tripline-data";
    repository.git(&["fetch", "--quiet", "origin", branch]);
    let place = format!("records/{suite}");
    let tree = ["ls-tree", "-r", "--name-only", "origin/tripline-data"];
    let listed = repository.git(&[&tree[..], &[&place]].concat());
    listed.lines().count()
}

/// Makes the pages, and returns what the first says of the canary: its false alarms, and what it missed.
fn told(repository: &Repository) -> [String; 2] {
    repository
        .tripline(&["site", "--out", "target/pages"])
        .with(0);
    let read = |page: &str| std::fs::read_to_string(repository.at(page)).unwrap();
    let all = read("target/pages/data/benchmarks.json");
    assert!(!all.contains("canary_"), "a tally is no benchmark: {all}");
    let home = read("target/pages/index.html");
    ["its false alarms", "slowdowns it missed"].map(|what| {
        let rest = home.split(what).nth(1).expect(what);
        let rest = rest.split("<dd>").nth(1).expect("it is said");
        let said = rest.split("</dd>").next().expect("it ends");
        said.replace("<span class=\"aside\">", " ")
            .replace("</span>", "")
    })
}

#[test]
fn a_false_alarm_and_a_missed_slowdown_show_on_the_first_page() {
    let repository = repository();
    measure(&repository, &[]);
    record(&repository, 0);
    assert_eq!(
        [records(&repository, "kv"), records(&repository, "watch")],
        [2, 2]
    );
    assert_eq!(told(&repository), ["not known", "not known"]);

    // Each job is of its own commit: the same numbers of the same commit in the same second are one record.
    repository.write("notes.txt", "another commit\n");
    repository.commit();
    measure(&repository, &["--canary"]);
    record(&repository, 0);
    assert_eq!(
        [records(&repository, "kv"), records(&repository, "watch")],
        [4, 5]
    );
    assert_eq!(told(&repository), ["0 of 1 in 1 run", "0 of 1 in 1 run"]);

    // It cries wolf and sleeps: the report is no verdict, and of the job no more is kept than that.
    repository.write("bench/watch/benches/times.rs", &bench(1_100, 1_000));
    repository.commit();
    measure(&repository, &["--canary"]);
    let judge = [
        "judge",
        "--from",
        "target/tripline",
        "--out",
        "target/report",
    ];
    repository.tripline(&judge).with(11);
    record(&repository, 11);
    assert_eq!(
        [records(&repository, "kv"), records(&repository, "watch")],
        [4, 6]
    );
    assert_eq!(told(&repository), ["1 of 2 in 2 runs", "1 of 2 in 2 runs"]);
}

#[test]
fn where_no_canary_was_measured_there_is_nothing_to_keep_of_it() {
    let repository = repository();
    measure(&repository, &[]);
    let ended = record(&repository, 11);
    assert!(
        ended.err.contains("note: no canary was measured"),
        "{}",
        ended.err
    );
    assert_eq!(repository.git(&["ls-remote", "origin"]), "");
}
