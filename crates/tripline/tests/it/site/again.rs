//! Pages made again where there are pages: whatever happened meanwhile, they are those that are made anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::project;
use crate::project::{Ended, Project, git};

/// Where copies of the history's files are kept.
const COPIES: &str = "pages/.tripline-history";

/// A project with pages, and what pages were made anew of it.
struct Scene {
    project: Project,
    commits: Vec<String>,
    anew: usize,
    before: BTreeMap<String, String>,
}

impl Scene {
    fn new() -> Self {
        let (project, commits) = project();
        let mut scene = Self {
            project,
            commits,
            anew: 0,
            before: BTreeMap::new(),
        };
        scene.assert_same("nothing", &[]);
        scene
    }

    /// Makes pages again and anew, and fails the test unless they are the same, and others than before.
    #[track_caller]
    fn assert_same(&mut self, what: &str, options: &[&str]) {
        self.anew += 1;
        let anew = format!("anew-{}", self.anew);
        let site = ["site", "--out"];
        self.project
            .tripline(&[&site[..], &["pages"], options].concat())
            .with(0);
        self.project
            .tripline(&[&site[..], &[&anew], options].concat())
            .with(0);
        let [again, anew] = ["pages", &anew].map(|folder| pages(&self.project.at(folder)));
        let names = |pages: &BTreeMap<String, String>| pages.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&again), names(&anew), "after {what}");
        for (name, text) in &anew {
            assert_eq!(again[name], *text, "`{name}` after {what}");
        }
        assert_ne!(anew, self.before, "after {what}");
        self.before = anew;
    }

    /// Adds a run of a commit to the history, which was measured at some second.
    fn add(&self, number: usize, second: i64, benches: &[(&str, u64)]) {
        let bench = |(name, value): &(&str, u64)| json!({ "name": name, "value": value, "unit": "ns/iter" });
        let run = json!({
            "commit": { "id": self.commits[number], "message": "m", "timestamp": "2024-05-06T07:08:09Z" },
            "date": 1_700_000_000_000_i64 + 1_000 * second,
            "tool": "cargo",
            "benches": benches.iter().map(bench).collect::<Vec<Value>>(),
        });
        let history = json!({ "lastUpdate": 1, "repoUrl": "https://github.com/acme/demo", "entries": { "kv": [run] } });
        let text = format!("window.BENCHMARK_DATA = {history}");
        self.project.write("more.js", &text);
        self.project
            .tripline(&["record", "--import", "more.js"])
            .with(0);
        self.fetch();
    }

    fn commit(&mut self) -> usize {
        let at = self.project.path();
        git(
            at,
            &["commit", "--quiet", "--allow-empty", "-m", "one more"],
        );
        self.commits.push(git(at, &["rev-parse", "HEAD"]));
        self.commits.len() - 1
    }

    fn fetch(&self) {
        let branch = "tripline-data:refs/remotes/origin/tripline-data";
        git(self.project.path(), &["fetch", "--quiet", "origin", branch]);
    }

    /// Takes the only record of a commit out of the history. Of a commit that has a newer one nobody would miss it.
    fn remove_record(&self, number: usize) {
        let (at, work) = (self.project.path(), self.project.at("work"));
        let clone = ["clone", "--quiet", "--branch", "tripline-data"];
        git(at, &[&clone[..], &["remote.git", "work"]].concat());
        let records = git(&work, &["ls-files", "records"]);
        let commit = &self.commits[number][..12];
        let is_of_commit = |path: &&str| path.contains(commit);
        let of_commit: Vec<&str> = records.lines().filter(is_of_commit).collect();
        assert_eq!(of_commit.len(), 1, "{of_commit:?}");
        git(&work, &["rm", "--quiet", of_commit[0]]);
        let who = ["-c", "user.name=x", "-c", "user.email=x@example.org"];
        let commit = ["commit", "--quiet", "--message", "x"];
        git(&work, &[&who[..], &commit].concat());
        git(&work, &["push", "--quiet"]);
        self.fetch();
    }

    fn site(&self, folder: &str) -> Ended {
        self.project.tripline(&["site", "--out", folder])
    }
}

/// Returns the files below a folder but for the copies, and for when the first page was made.
fn pages(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let below = pages(&entry.path()).into_iter();
            all.extend(below.map(|(path, text)| (format!("{name}/{path}"), text)));
        } else if !COPIES.ends_with(&name) {
            let mut text = fs::read_to_string(entry.path()).unwrap();
            if let Some((before, after)) = text.rsplit_once("<p>Made <time") {
                let (_, after) = after.split_once("</time>").unwrap();
                text = [before, after].concat();
            }
            all.insert(name, text);
        }
    }
    all
}

#[test]
fn pages_made_again_are_those_that_are_made_anew() {
    let mut scene = Scene::new();
    let number = scene.commit();
    scene.add(number, 100, &[("get <b>", 125)]);
    scene.assert_same("a commit", &[]);
    scene.add(number, 101, &[("get <b>", 125), ("set", 7)]);
    scene.assert_same("a new benchmark", &[]);
    scene.add(3, 102, &[("get <b>", 101)]);
    scene.assert_same("a correction", &[]);
    scene.remove_record(5);
    scene.assert_same("a record that is gone", &[]);
    let lines = "{\"tripline_acceptances\":{\"version\":1,\"suite\":\"kv\"}}\n\
                 {\"accepted\":{\"benchmark\":\"get <b>\",\"metric\":\"wall_time\",\"from\":100,\"to\":125,\
                 \"who\":\"Ada\",\"because\":\"it is worth it\"}}\n{\"end\":{}}\n";
    scene.project.write("baselines/kv/accepted.jsonl", lines);
    scene.assert_same("an acceptance", &[]);
    let suite = scene.project.read("bench/kv/suite.toml");
    let budget = "[[policy]]\nbecause = \"a test\"\nmetric = \"wall_time\"\nmax = 110\n";
    let suite = format!("{suite}\n{budget}");
    scene.project.write("bench/kv/suite.toml", &suite);
    scene.assert_same("a budget", &[]);
    scene
        .project
        .write("tripline.toml", "[trend]\nmethod = \"one-by-one\"\n");
    scene.add(number, 103, &[("get <b>", 300), ("set", 9)]);
    scene.assert_same("another method, and a second correction", &[]);
    scene.assert_same("another title", &["--title", "another"]);
}

/// Whoever damages the copies loses the time they save.
#[test]
fn copies_spare_git_the_work_and_are_never_believed_when_damaged() {
    let mut scene = Scene::new();
    let copies = fs::read(scene.project.at(COPIES)).unwrap();
    let mut damaged = copies.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for bytes in [&damaged[..], &copies[..middle], b""] {
        fs::write(scene.project.at(COPIES), bytes).unwrap();
        scene.before.clear();
        scene.assert_same("damage", &[]);
        assert_eq!(fs::read(scene.project.at(COPIES)).unwrap(), copies);
    }
    // A file that git can no longer give is there as a copy, and nowhere else.
    let tree = "refs/remotes/origin/tripline-data";
    let listed = git(scene.project.path(), &["ls-tree", "-r", tree, "records"]);
    let id = listed.split_whitespace().nth(2).unwrap();
    let object = format!(".git/objects/{}/{}", &id[..2], &id[2..]);
    fs::remove_file(scene.project.at(&object)).unwrap();
    scene.site("pages").with(0);
    let ended = scene.site("anew").with(4);
    assert!(ended.err.contains("was not read"), "{}", ended.err);
    // Of a run that came no further there are copies without pages.
    fs::create_dir(scene.project.at("early")).unwrap();
    fs::copy(
        scene.project.at(COPIES),
        scene.project.at("early/.tripline-history"),
    )
    .unwrap();
    scene.site("early").with(0);
}
