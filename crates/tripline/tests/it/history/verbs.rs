//! What a history is asked, on a branch and in a folder; and that compacting it, stopped anywhere, changes no answer.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::json;
use tripline_model::{CommitId, Revision, WorkTree};

use super::{data_branch, fetch, project};
use crate::project::{Ended, Project, git};

const COMPACT: [&str; 4] = ["history", "compact", "--records", "2"];

/// Six commits of the project, measured once each.
fn kept() -> (Project, Vec<String>) {
    let project = project();
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let mut commits = Vec::new();
    for at in 0..6 {
        let message = format!("commit {at}");
        let commit = ["commit", "--quiet", "--allow-empty", "--message", &message];
        git(project.path(), &[&who[..], &commit].concat());
        commits.push(
            git(project.path(), &["rev-parse", "HEAD"])
                .trim()
                .to_owned(),
        );
    }
    for (at, commit) in commits.iter().enumerate() {
        // Measured in another order than they were made, as a file for each.
        let benches =
            json!([{ "name": "get", "value": 100 + at, "range": "± 2", "unit": "ns/iter" }]);
        let run = json!({ "commit": { "id": commit }, "date": 1_700_000_000_000_i64 - 1000 * i64::try_from(at).unwrap(), "tool": "cargo", "benches": benches });
        let history = json!({ "entries": { "kv": [run] } });
        project.write("data.js", &history.to_string());
        project.tripline(&["record", "--import", "data.js"]).with(0);
        fetch(&project);
    }
    (project, commits)
}

fn series(project: &Project, more: &[&str]) -> String {
    let args = ["history", "series", "kv/get", "--metric", "wall_time"];
    project.tripline(&[&args[..], more].concat()).with(0).out
}

#[test]
fn a_series_stands_along_first_parents() {
    let (project, commits) = kept();
    let table = series(&project, &[]);
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("environment,metric,unit,place,commit,measured_at,center,low,high")
    );
    let places: Vec<(usize, &str, f64)> = lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (
                cells[3].parse().unwrap(),
                cells[4],
                cells[6].parse().unwrap(),
            )
        })
        .collect();
    let expected = commits.iter().enumerate();
    let expected: Vec<_> = expected
        .map(|(at, commit)| (at, &**commit, 100.0 + at as f64))
        .collect();
    assert_eq!(places, expected);
    let since = series(&project, &["--since", &commits[4][..10]]);
    assert_eq!(since.lines().count(), 3, "{since}");
    let until = project
        .tripline(&["history", "series", "kv/get", "--until", "HEAD~2"])
        .with(0);
    assert_eq!(until.out.lines().count(), 5, "{}", until.out);
    assert!(
        until.err.contains("2 commits of the history"),
        "{}",
        until.err
    );

    let none = project.tripline(&["history", "series", "kv/put"]).with(2);
    assert!(
        none.err.contains("no such series of `kv/put`"),
        "{}",
        none.err
    );
    // The list of suites that the hint leads to does not say how a benchmark is named.
    let none = project.tripline(&["history", "series", "get"]).with(2);
    assert!(none.err.contains("`SUITE/BENCHMARK`"), "{}", none.err);
    let none = project
        .tripline(&["history", "series", "kv/get", "--since", "feed"])
        .with(2);
    assert!(none.err.contains("no run of `feed`"), "{}", none.err);
}

#[test]
fn two_commits_are_compared() {
    let (project, _) = kept();
    let table = project
        .tripline(&["history", "compare", "HEAD~5", "HEAD"])
        .with(0)
        .out;
    assert_eq!(
        table,
        "environment,benchmark,metric,unit,base,head,change_percent\nimported,kv/get,wall_time,ns,100,105,+5.00\n"
    );
}

#[test]
fn a_history_is_listed_checked_and_exported_to_a_folder() {
    let (project, _) = kept();
    let listed = project.tripline(&["history", "list"]).with(0).out;
    assert_eq!(
        listed,
        "kv in imported: 6 records, 0 of them in segments; 1 series; 2023-11-14 to 2023-11-14\n"
    );
    let whole = project.tripline(&["history", "check"]).with(0).out;
    assert_eq!(whole, "6 records, all whole\n");
    project
        .tripline(&["history", "export", "--out", "all"])
        .with(0);
    let from = ["--from", "all"];
    assert_eq!(series(&project, &from), series(&project, &[]));
    let checked = [&["history", "check"][..], &from].concat();
    assert_eq!(project.tripline(&checked).with(0).out, whole);
    let refused = project
        .tripline(&["history", "export", "--out", "all"])
        .with(4);
    assert!(
        refused.err.contains("there is something in it"),
        "{}",
        refused.err
    );

    // A block that is damaged is named, and what else there is is told.
    let files = files_below(&project.at("all")).into_iter();
    let block = files.filter(|path| path.extension().is_some_and(|it| it == "parquet"));
    let block = block.max().unwrap();
    std::fs::write(&block, "PAR1").unwrap();
    let name = block.file_name().unwrap().to_str().unwrap();
    let checked = project.tripline(&checked).with(4);
    assert!(checked.err.contains(name), "{}", checked.err);
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(files_below(&path)),
            false => files.push(path),
        }
    }
    files
}

/// Puts runs on the branch of data, a file for each, as `record` does.
fn record(project: &Project, count: usize) {
    record_some(project, 0..count);
}

fn record_some(project: &Project, which: Range<usize>) {
    let work = project.at("work");
    git(
        project.path(),
        &["init", "--quiet", "--initial-branch=tripline-data", "work"],
    );
    for at in which {
        project.measures(&[("get", 1_000_000 + at as u64), ("set", 2_000_000)]);
        let text = project.read("bench/kv/head.jsonl");
        let mut run = tripline_model::wire::read_run(text.as_bytes()).unwrap();
        run.revision = Some(Revision {
            commit: CommitId::new(&format!("{:040x}", at + 1)).unwrap(),
            work_tree: WorkTree::Clean,
        });
        for file in tripline_history::keep_run(&run).unwrap() {
            let place = work.join(&file.path);
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            std::fs::write(place, file.bytes).unwrap();
        }
    }
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    git(&work, &["add", "--all"]);
    git(
        &work,
        &[&who[..], &["commit", "--quiet", "--message", "x"]].concat(),
    );
    git(
        &work,
        &["push", "--quiet", "../remote.git", "tripline-data"],
    );
    fetch(project);
}

/// Has the remote take so many more pushes, and refuse the next.
fn allow(project: &Project, pushes: usize) {
    let hooks = project.at("remote.git/hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    let count = hooks.join("left");
    std::fs::write(&count, "x".repeat(pushes)).unwrap();
    let script = format!(
        "#!/bin/sh\nleft=$(cat '{0}')\n[ -n \"$left\" ] || {{ echo enough >&2; exit 1; }}\nprintf %s \"${{left#x}}\" > '{0}'\n",
        count.display()
    );
    let hook = hooks.join("pre-receive");
    // Written by another process: while a thread of ours held it open, another could not start it.
    let shell = format!(
        "cat > '{0}' <<'END'\n{script}END\nchmod +x '{0}'",
        hook.display()
    );
    let done = std::process::Command::new("sh")
        .args(["-c", &shell])
        .status();
    assert!(done.unwrap().success());
}

#[test]
fn compacting_that_is_stopped_anywhere_loses_nothing_and_goes_on() {
    let project = project();
    record(&project, 5);
    let told = || {
        fetch(&project);
        let table = ["convert", "--history", "--to", "csv"];
        let all = project.tripline(&table).with(0).out;
        let get = project
            .tripline(&["history", "series", "kv/get"])
            .with(0)
            .out;
        let pair = [
            "history",
            "compare",
            &"0".repeat(39),
            &format!("{:040x}", 3),
        ];
        assert!(
            project
                .tripline(&pair)
                .with(2)
                .err
                .contains("beginning of 5 commits")
        );
        (all, get)
    };
    let expected = told();
    let listing = || {
        git(
            &project.at("remote.git"),
            &["ls-tree", "-r", "--name-only", "tripline-data"],
        )
    };
    let count = |folder: &str| {
        let listing = listing();
        listing
            .lines()
            .filter(|path| path.starts_with(folder))
            .count()
    };
    let planned = project
        .tripline(&[&COMPACT[..], &["--dry-run"]].concat())
        .with(0)
        .out;
    assert_eq!(
        planned,
        "would add 4 files to the branch `tripline-data`\nwould take 4 files from the branch `tripline-data`, which other files hold too\n"
    );

    // Nothing was pushed; then segments alone; then all.
    for (pushes, code, records, segments) in
        [(0, 5, 5, 0), (1, 5, 5, 4), (1, 0, 1, 4), (0, 0, 1, 4)]
    {
        allow(&project, pushes);
        project.tripline(&COMPACT).with(code);
        assert_eq!((count("records/"), count("segments/")), (records, segments));
        assert_eq!(told(), expected, "after {pushes} pushes");
        project.tripline(&["history", "check"]).with(0);
    }
}

#[test]
fn what_is_damaged_is_left_and_said_and_the_rest_is_compacted() {
    let project = project();
    record(&project, 5);
    let files = files_below(&project.at("work/records/kv")).into_iter();
    let damaged = files.min().unwrap();
    let path = damaged.strip_prefix(project.at("work")).unwrap();
    let path = path.display().to_string();
    damage(&project, &path);

    let said = format!(
        "::warning title=the history is damaged::`{path}` of the branch `tripline-data` was left as it is: "
    );
    // The second is a job of nowhere, which may push nothing: it is said all the same.
    for (args, code) in [
        (&[&COMPACT[..], &["--dry-run"]].concat()[..], 0),
        (&COMPACT, 2),
    ] {
        let mut in_a_job = project.command(args);
        in_a_job.env("GITHUB_ACTIONS", "true");
        let ended = Ended::of(in_a_job.output().unwrap(), project.path()).with(code);
        assert!(ended.out.contains(&said), "{}", ended.out);
    }

    let ended = project.tripline(&COMPACT).with(0);
    assert!(
        ended
            .err
            .contains(&format!("warning: `{path}` is left out"))
            && !ended.out.contains("::"),
        "{}{}",
        ended.out,
        ended.err
    );
    fetch(&project);
    let tree = ["ls-tree", "-r", "--name-only", "origin/tripline-data"];
    let tree = git(project.path(), &tree);
    let records: Vec<&str> = tree
        .lines()
        .filter(|it| it.starts_with("records/"))
        .collect();
    assert_eq!(records, [&*path], "four are in segments");
    let checked = project.tripline(&["history", "check"]).with(4);
    assert_eq!(checked.out, "4 records can be read, 1 file cannot\n");
}

/// Changes a file of the branch of data, where it lies in the remote.
fn damage(project: &Project, path: &str) {
    edit(project, |work| std::fs::write(work.join(path), "{"));
}

/// Changes the branch of data in the remote.
fn edit(project: &Project, change: impl FnOnce(&Path) -> std::io::Result<()>) {
    let work = project.at("work");
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let latest = ["pull", "--quiet", "../remote.git", "tripline-data"];
    git(&work, &[&who[..], &latest].concat());
    change(&work).unwrap();
    let commit = ["commit", "--quiet", "--all", "--message", "damage"];
    git(&work, &[&who[..], &commit].concat());
    git(
        &work,
        &["push", "--quiet", "../remote.git", "tripline-data"],
    );
    fetch(project);
}

/// Four records and the two segments that hold them: compacting was stopped before it took the records away.
fn half_compacted() -> Project {
    let project = project();
    record(&project, 4);
    allow(&project, 1);
    project.tripline(&COMPACT).with(5);
    allow(&project, 9);
    project
}

/// Returns the files that the remote's branch has in a folder.
fn listed(project: &Project, folder: &str) -> Vec<String> {
    let tree = ["ls-tree", "-r", "--name-only", "tripline-data"];
    let tree = git(&project.at("remote.git"), &tree);
    let there = tree.lines().filter(|path| path.starts_with(folder));
    there.map(str::to_owned).collect()
}

/// A segment whose listing is damaged is not pushed again, which the branch would refuse for ever; the others are.
#[test]
fn a_listing_that_is_damaged_beside_its_records_stops_nothing_else() {
    let project = half_compacted();
    let mut listings = listed(&project, "segments/");
    listings.retain(|path| path.ends_with(".json"));
    assert_eq!((listings.len(), listed(&project, "records/").len()), (2, 4));
    damage(&project, &listings[0]);

    for _ in 0..2 {
        project.tripline(&COMPACT).with(0);
        fetch(&project);
        let left = listed(&project, "records/").len();
        assert_eq!(left, 2, "those of the other are in it");
    }
    let checked = project.tripline(&["history", "check"]).with(4);
    assert_eq!(checked.out, "4 records can be read, 1 file cannot\n");
}

/// Neither is a segment whose block lies there damaged, while its listing is gone.
#[test]
fn a_block_that_is_damaged_without_its_listing_stops_nothing_else() {
    let project = half_compacted();
    let segments = listed(&project, "segments/");
    let mut damaged = String::new();
    edit(&project, |work| {
        let is_listing = |path: &&String| path.ends_with(".json");
        let listing = work.join(segments.iter().find(is_listing).unwrap());
        let text = std::fs::read_to_string(&listing)?;
        let is_named = |path: &&String| {
            let name = path.rsplit('/').next().unwrap().strip_suffix(".parquet");
            name.is_some_and(|digest| text.contains(digest))
        };
        damaged.clone_from(segments.iter().find(is_named).unwrap());
        std::fs::remove_file(&listing)?;
        std::fs::write(work.join(&damaged), "{")
    });

    for _ in 0..2 {
        let ended = project.tripline(&COMPACT).with(0);
        let said = format!("warning: `{damaged}` is left out: ");
        assert_eq!(ended.err.matches(&said).count(), 1, "{}", ended.err);
        fetch(&project);
        assert_eq!(
            ["records/", "segments/"].map(|folder| listed(&project, folder).len()),
            [2, 3]
        );
    }
    let checked = project.tripline(&["history", "check"]).with(4);
    assert_eq!(checked.out, "4 records can be read, 1 file cannot\n");
}

/// Checks the branch of data out to a folder.
fn check_out(project: &Project) {
    let remote = project.at("remote.git").display().to_string();
    let clone = ["clone", "--quiet", "--branch", "tripline-data", &remote];
    git(project.path(), &[&clone[..], &["history"]].concat());
}

/// A job has the branch checked out to a folder, and not in its clone.
#[test]
fn a_folder_says_what_is_compacted_where_the_clone_does_not_have_the_branch() {
    let project = project();
    record(&project, 3);
    fetch(&project);
    check_out(&project);
    let gone = ["update-ref", "-d", "refs/remotes/origin/tripline-data"];
    git(project.path(), &gone);
    project.tripline(&COMPACT).with(3);
    project
        .tripline(&[&COMPACT[..], &["--from", "history"]].concat())
        .with(0);
    let remote = project.at("remote.git");
    let files = git(&remote, &["ls-tree", "-r", "--name-only", "tripline-data"]);
    let count = |folder: &str| {
        files
            .lines()
            .filter(|path| path.starts_with(folder))
            .count()
    };
    assert_eq!((count("records/"), count("segments/")), (1, 2), "{files}");
}

/// Nothing of it reaches the branch, and nothing goes from there.
#[test]
fn a_folder_that_is_not_as_the_branch_compacts_nothing() {
    let project = project();
    record(&project, 4);
    let tip = || git(&project.at("remote.git"), &["rev-parse", "tripline-data"]);
    let compact = |code: i32, records: &str| {
        let before = tip();
        let args = ["history", "compact", "--from", "history", "--records"];
        let ended = project
            .tripline(&[&args[..], &[records]].concat())
            .with(code);
        assert_eq!(tip(), before, "{}", ended.err);
        if code != 0 {
            let why = "is not on the branch as it was read";
            assert!(ended.err.contains(why), "{}", ended.err);
            assert!(ended.err.contains("check it out anew"), "{}", ended.err);
        }
    };

    // Of another project.
    let other = self::project();
    record_some(&other, 7..9);
    check_out(&other);
    std::fs::rename(other.at("history"), project.at("history")).unwrap();
    compact(5, "2");
    std::fs::remove_dir_all(project.at("history")).unwrap();

    // Read before segments were added: the files that were to go are others by now.
    check_out(&project);
    allow(&project, 1);
    let args = ["history", "compact", "--records", "2"];
    project.tripline(&args).with(5);
    allow(&project, 9);
    let work = data_branch(&project);
    let records = git(&work, &["ls-files", "records"]);
    let corrected = work.join(records.lines().next().unwrap());
    let text = std::fs::read_to_string(&corrected).unwrap() + "\n";
    std::fs::write(corrected, text).unwrap();
    let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
    let commit = ["commit", "--quiet", "--all", "--message", "x"];
    git(&work, &[&who[..], &commit].concat());
    git(&work, &["push", "--quiet"]);
    compact(5, "2");

    // Read before the files went: segments of them are there, and others are not made.
    fetch(&project);
    project.tripline(&args).with(0);
    compact(0, "2");
    compact(5, "3");
}

/// A variable that leads `judge` to runs leads nobody to a history.
#[test]
fn what_says_where_runs_lie_says_nothing_of_a_history() {
    let (project, _) = kept();
    let mut command = project.command(&["history", "check"]);
    command.env("TRIPLINE_FROM", "target/tripline");
    let checked = Ended::of(command.output().unwrap(), project.path()).with(0);
    assert_eq!(checked.out, "6 records, all whole\n");
}
