//! What `merge` refuses, each time with the files that do not fit, and with nothing written; and what it takes.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tripline_model::wire;

use crate::project::Ended;
use crate::repository::Repository;
use crate::shards::{measured, merged, repository};

/// What shards left, which each case changes in its own way.
struct Parts {
    repository: Repository,
    folder: TempDir,
    whole: Vec<(PathBuf, String)>,
}

impl Parts {
    fn measured(more: &[&str]) -> Self {
        let repository = repository();
        let folder = measured(&repository, more);
        let mut whole = Vec::new();
        for shard in std::fs::read_dir(folder.path()).unwrap() {
            for suite in ["kv", "log"] {
                for file in ["run.jsonl", "base.jsonl"] {
                    let path = shard.as_ref().unwrap().path().join(suite).join(file);
                    whole.extend(std::fs::read_to_string(&path).ok().map(|text| (path, text)));
                }
            }
        }
        Self {
            repository,
            folder,
            whole,
        }
    }

    fn at(&self, place: &str) -> PathBuf {
        self.folder.path().join(place)
    }

    /// Changes one file, and returns why nothing was merged.
    #[track_caller]
    fn refused_with(&self, place: &str, from: &str, to: &str) -> String {
        let path = self.at(place);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from} is not in {text}");
        std::fs::write(&path, text.replace(from, to)).unwrap();
        self.refused()
    }

    /// Returns why nothing was merged, and puts all files back.
    #[track_caller]
    fn refused(&self) -> String {
        let ended = merged(&self.repository, &self.folder).with(4);
        assert!(
            ended.err.contains("nothing was merged") || ended.err.contains("was not read"),
            "{}",
            ended.err
        );
        assert!(
            !self.repository.at("merged").exists(),
            "something was written"
        );
        for (path, text) in &self.whole {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        ended.err
    }

    fn merged(&self) -> Ended {
        merged(&self.repository, &self.folder)
    }
}

#[track_caller]
fn says(err: &str, words: &[&str]) {
    for word in words {
        assert!(err.contains(word), "`{word}` is not said in\n{err}");
    }
}

#[test]
fn parts_that_do_not_make_a_whole_are_refused() {
    let parts = Parts::measured(&[]);
    std::fs::remove_dir_all(parts.at("shard-1")).unwrap();
    says(
        &parts.refused(),
        &["of suite `kv` these steps are in no part: times"],
    );

    std::fs::create_dir_all(parts.at("again/kv")).unwrap();
    let again = parts.at("again/kv/run.jsonl");
    std::fs::copy(parts.at("shard-1/kv/run.jsonl"), &again).unwrap();
    says(
        &parts.refused(),
        &[
            "shard-1/kv/run.jsonl",
            "again/kv/run.jsonl",
            "the same part",
        ],
    );

    let text = std::fs::read_to_string(&again).unwrap();
    std::fs::write(&again, text.replace("[1200]", "[1201]")).unwrap();
    says(
        &parts.refused(),
        &[
            "step `times` of `kv` is in two parts: ",
            "again/kv/run.jsonl",
        ],
    );
    std::fs::remove_file(&again).unwrap();

    let of = "\"of\":[\"first\",\"second\",\"times\"]";
    let err = parts.refused_with("shard-1/kv/run.jsonl", of, "\"of\":[\"first\",\"times\"]");
    says(
        &err,
        &[
            "of different wholes",
            "first, second, times",
            "first, times",
        ],
    );

    let part = text.find("\"part\":").unwrap()..text.find("\"producer\":").unwrap();
    let err = parts.refused_with("shard-1/kv/run.jsonl", &text[part], "");
    says(
        &err,
        &[
            "the whole suite of `kv` is in two parts",
            "shard-1/kv/run.jsonl",
        ],
    );
    parts.merged().with(0);
}

#[test]
fn parts_of_two_measurements_are_refused() {
    let parts = Parts::measured(&[]);
    let text = std::fs::read_to_string(parts.at("shard-1/kv/run.jsonl")).unwrap();
    let commit = text.split_once("\"commit\":\"").unwrap().1[..40].to_owned();
    let other = "0".repeat(40);
    let err = parts.refused_with("shard-1/kv/run.jsonl", &commit, &other);
    says(
        &err,
        &[
            "of different commits",
            "shard-0/kv/run.jsonl",
            "shard-1/kv/run.jsonl",
            "says 0000000000",
        ],
    );
    let err = parts.refused_with("shard-0/log/run.jsonl", "\"clean\"", "\"modified\"");
    says(&err, &["of different commits", "shard-0/log/run.jsonl"]);
    let err = parts.refused_with(
        "shard-1/kv/run.jsonl",
        "\"name\":\"tripline\",\"version\":\"",
        "\"name\":\"tripline\",\"version\":\"9",
    );
    says(&err, &["written by different programs", "tripline 9"]);
    let err = parts.refused_with("shard-1/kv/run.jsonl", "effort quick", "effort full");
    says(
        &err,
        &[
            "measured in different ways",
            "effort full, repeats 2, pairs 30",
            "shard-1/kv/run.jsonl",
        ],
    );
}

#[test]
fn what_counts_depend_on_must_be_the_same_and_what_times_depend_on_is_stated() {
    let parts = Parts::measured(&[]);
    let here = parts.fact("shard-1/kv/run.jsonl", "libc");
    let err = parts.refused_with("shard-1/kv/run.jsonl", &here, "\"libc\":\"glibc 9.9\"");
    says(
        &err,
        &[
            "measured in different environments, which differ in `libc`",
            "glibc 9.9",
            "shard-1/kv/run.jsonl",
        ],
    );
    let err = parts.refused_with("shard-1/kv/run.jsonl", &format!("{here},"), "");
    says(&err, &["which differ in `libc`", "says nothing"]);
    let err = parts.refused_with(
        "shard-1/kv/run.jsonl",
        "\"environment\":{\"name\":\"",
        "\"environment\":{\"name\":\"x",
    );
    says(&err, &["of different environments"]);
    // A part that counts has a say in the facts of counting; one that does not has none.
    for (place, valgrind) in [("shard-0", "3.19"), ("shard-1", "3.20")] {
        parts.state(
            &format!("{place}/kv/run.jsonl"),
            &format!("\"aslr\":\"off\",\"valgrind\":\"{valgrind}\""),
        );
    }
    says(
        &parts.refused(),
        &["which differ in `valgrind`", "3.19", "3.20"],
    );

    parts.state(
        "shard-0/kv/run.jsonl",
        "\"aslr\":\"off\",\"valgrind\":\"3.19\",\"built_with\":\"b; a\"",
    );
    parts.state("shard-1/kv/run.jsonl", "\"built_with\":\"c\"");
    let cores = parts.fact("shard-2/kv/run.jsonl", "cores");
    let text = std::fs::read_to_string(parts.at("shard-2/kv/run.jsonl")).unwrap();
    std::fs::write(
        parts.at("shard-2/kv/run.jsonl"),
        text.replace(&cores, "\"cores\":\"640\""),
    )
    .unwrap();
    parts.merged().with(0);
    let joined = std::fs::read(parts.repository.at("merged/kv/run.jsonl")).unwrap();
    let joined = wire::read_run(&joined).unwrap().environment;
    let fact = |name: &str| joined.fact(name).unwrap().to_string();
    assert_eq!(fact("valgrind"), "3.19");
    assert_eq!(fact("built_with"), "a; b; c");
    let (_, here) = cores.split_once(':').unwrap();
    assert_eq!(
        fact("cores"),
        format!("{} (first, times); 640 (second)", here.trim_matches('"'))
    );
}

impl Parts {
    /// Returns a fact, as it stands in a file.
    fn fact(&self, place: &str, name: &str) -> String {
        let text = std::fs::read_to_string(self.at(place)).unwrap();
        let start = text.find(&format!("\"{name}\":\"")).unwrap();
        let value = start + name.len() + 4;
        let end = value + text[value..].find('"').unwrap();
        text[start..=end].to_owned()
    }

    /// States more facts.
    fn state(&self, place: &str, facts: &str) {
        let text = std::fs::read_to_string(self.at(place)).unwrap();
        let stated = text.replacen("\"facts\":{", &format!("\"facts\":{{{facts},"), 1);
        std::fs::write(self.at(place), stated).unwrap();
    }
}

#[test]
fn benchmarks_that_stand_in_two_parts_must_fit() {
    let parts = Parts::measured(&[]);
    // What one step read, another one must not have read as well.
    let err = parts.refused_with("shard-2/kv/run.jsonl", "branches", "instructions");
    says(
        &err,
        &[
            "what these parts say of `kv/get` does not fit",
            "two readings of `instructions`",
            "shard-0",
            "shard-2",
        ],
    );
    let err = parts.refused_with("shard-1/kv/run.jsonl", "c0ffee", "deed");
    says(
        &err,
        &[
            "`kv/get` does not fit",
            "two answers",
            "shard-1/kv/run.jsonl",
        ],
    );
    let err = parts.refused_with("shard-2/kv/run.jsonl", "\"branches\"", "\"wall_time\"");
    says(
        &err,
        &["described differently elsewhere", "shard-2/kv/run.jsonl"],
    );
}

#[test]
fn both_sides_of_a_session_must_be_there_and_belong_together() {
    let parts = Parts::measured(&["--against", "HEAD~1", "--seed", "7", "--pairs", "9"]);
    std::fs::remove_file(parts.at("shard-1/kv/base.jsonl")).unwrap();
    says(
        &parts.refused(),
        &["the base is missing", "shard-1/kv/run.jsonl"],
    );
    std::fs::remove_file(parts.at("shard-1/kv/run.jsonl")).unwrap();
    says(
        &parts.refused(),
        &[
            "no run was measured beside the base in",
            "shard-1/kv/base.jsonl",
        ],
    );
    std::fs::copy(
        parts.at("shard-2/kv/base.jsonl"),
        parts.at("shard-1/kv/base.jsonl"),
    )
    .unwrap();
    says(
        &parts.refused(),
        &[
            "the same part",
            "shard-1/kv/base.jsonl",
            "shard-2/kv/base.jsonl",
        ],
    );
    let text = std::fs::read_to_string(parts.at("shard-1/kv/base.jsonl")).unwrap();
    let commit = text.split_once("\"commit\":\"").unwrap().1[..40].to_owned();
    let err = parts.refused_with("shard-1/kv/base.jsonl", &commit, &"0".repeat(40));
    says(
        &err,
        &["compared with different commits", "shard-1/kv/base.jsonl"],
    );
    let session = text
        .split_once("\"session\":\"")
        .unwrap()
        .1
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    std::fs::remove_file(parts.at("shard-1/kv/base.jsonl")).unwrap();
    let err = parts.refused_with(
        "shard-1/kv/run.jsonl",
        &format!("\"session\":\"{session}\","),
        "",
    );
    says(
        &err,
        &["measured in different ways", "alone", "beside a base"],
    );
    parts.merged().with(0);
}

#[test]
fn files_that_are_no_runs_are_refused_and_named() {
    let parts = Parts::measured(&[]);
    let place = "shard-1/kv/run.jsonl";
    says(
        &parts.refused_with(place, "{\"end\":{}}\n", ""),
        &["was not read", place, "without its end mark"],
    );
    // The run says which suite it is of, and not its folder.
    says(
        &parts.refused_with(place, "\"suite\":\"kv\"", "\"suite\":\"vk\""),
        &["of suite `kv` these steps are in no part: times"],
    );
    let out = |args: &[&str]| {
        let mut command = parts.repository.command(&["merge", "--out", "merged"]);
        let output = command.args(args).current_dir(parts.folder.path()).output();
        let ended = Ended::of(output.unwrap(), parts.folder.path()).with(4);
        assert!(!parts.at("merged").exists());
        ended.err
    };
    std::fs::create_dir(parts.at("empty")).unwrap();
    says(&out(&["empty"]), &["there is no run in `empty`"]);
    says(
        &out(&["no-such"]),
        &["`no-such` is neither a folder nor named as a run"],
    );
    std::fs::write(parts.at("part.jsonl"), "").unwrap();
    says(
        &out(&["part.jsonl"]),
        &["`part.jsonl` is neither a folder nor named as a run"],
    );
}

#[test]
fn folders_and_files_are_taken_in_any_order_and_once() {
    let parts = Parts::measured(&[]);
    parts.merged().with(0);
    let joined = std::fs::read(parts.repository.at("merged/kv/run.jsonl")).unwrap();
    std::fs::rename(parts.at("shard-1/kv"), parts.at("shard-1/elsewhere")).unwrap();
    let named = [
        "shard-2/kv/run.jsonl",
        "shard-0",
        "./shard-2",
        "shard-1/elsewhere",
    ];
    let mut command = parts.repository.command(&["merge", "--out", "again"]);
    let output = command
        .args(named)
        .current_dir(parts.folder.path())
        .output();
    Ended::of(output.unwrap(), parts.folder.path()).with(0);
    assert_eq!(
        std::fs::read(parts.at("again/kv/run.jsonl")).unwrap(),
        joined
    );
    assert!(parts.at("again/log/run.jsonl").exists());

    let mut command = parts.repository.command(&["merge"]);
    let paths = format!(
        "{},{}",
        parts.at("shard-1").display(),
        parts.folder.path().display()
    );
    let output = command
        .env("TRIPLINE_PARTS", paths)
        .env("TRIPLINE_OUT", "twin")
        .output();
    // The folder holds the joined runs as well, which are of the same suites.
    Ended::of(output.unwrap(), parts.folder.path()).with(4);
    std::fs::remove_dir_all(parts.at("again")).unwrap();
    let mut command = parts.repository.command(&["merge"]);
    let output = command
        .env("TRIPLINE_PARTS", parts.folder.path())
        .env("TRIPLINE_OUT", "twin")
        .output();
    Ended::of(output.unwrap(), parts.folder.path()).with(0);
    assert_eq!(
        std::fs::read(parts.repository.at("twin/kv/run.jsonl")).unwrap(),
        joined
    );
}

#[test]
fn runs_are_never_joined_into_a_folder_of_others() {
    let parts = Parts::measured(&[]);
    parts.merged().with(0);
    let before = std::fs::read(parts.repository.at("merged/kv/run.jsonl")).unwrap();
    let ended = parts.merged().with(4);
    says(
        &ended.err,
        &[
            "there is a run already, in `merged/kv/run.jsonl`",
            "name an empty folder",
        ],
    );
    assert!(Path::new(&parts.repository.at("merged/kv/run.jsonl")).exists());
    assert_eq!(
        std::fs::read(parts.repository.at("merged/kv/run.jsonl")).unwrap(),
        before
    );
}
