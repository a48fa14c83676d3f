//! Pages whose blanks are filled with what a run measured; and that those in `docs/workloads` are, by the benches that are
//! here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::checkout::repository;
use crate::project::{Project, run_file, said, scrubbed};

fn project() -> Project {
    let project = Project::new();
    let run = run_file(&[("get", 1_000_000), ("set", 2_000_000)]);
    let facts = r#""facts":{"cpu_model":"a | b"}"#;
    project.write("run.jsonl", &run.replace(r#""facts":{}"#, facts));
    project
}

#[test]
fn blanks_are_filled_and_all_else_stays() {
    let project = project();
    let page = "# {{ suite }} on {{ cpu_model }}\r\n\n| get | {{= get:instructions / 1000 }} |\n\
        {{= get:instructions{} }} of {{= get:instructions / set:instructions }}, {not} }} a blank";
    project.write("page.md", &page.replace("{} }}", " }}"));
    let filled = project
        .tripline(&["fill", "page.md", "--run", "run.jsonl"])
        .with(0);
    let expected =
        "# `kv` on `a \\| b`\r\n\n| get | 1,000 |\n1,000,000 of 0.5000, {not} }} a blank";
    assert_eq!(filled.out, expected);
    let args = [
        "fill",
        "page.md",
        "--run",
        "run.jsonl",
        "--out",
        "filled.md",
    ];
    project.tripline(&args).with(0);
    assert_eq!(project.read("filled.md"), expected);
}

#[test]
fn what_cannot_be_filled_is_named_with_its_line_and_nothing_is_written() {
    let project = project();
    project.write("filled.md", "what was there");
    for (blank, said) in [
        ("{{= get:instructions", "begins with `{{` and does not end"),
        (
            "{{= got:instructions }}",
            "`got:instructions` is nothing that was measured",
        ),
        ("{{= instructions }}", "means both `get` and `set`"),
        (
            "{{= get:instructions / }}",
            "expected a number, a metric or `(`",
        ),
        (
            "{{= get:instructions * set:instructions - 1e300 }}",
            "no number",
        ),
        ("{{ weather }}", "nothing by the name `weather`"),
        ("{{ commit }}", "nothing by the name `commit`"),
    ] {
        project.write("page.md", &format!("one\ntwo {blank}\nthree }}}}\n"));
        let args = [
            "fill",
            "page.md",
            "--run",
            "run.jsonl",
            "--out",
            "filled.md",
        ];
        let ended = project.tripline(&args).with(4);
        for word in ["the page was not written: `page.md`:2", said, "hint:"] {
            assert!(ended.err.contains(word), "{blank}: {}", ended.err);
        }
        assert_eq!(project.read("filled.md"), "what was there");
    }
}

#[test]
fn a_page_that_is_no_text_is_named_with_its_line() {
    let project = project();
    std::fs::write(project.at("page.md"), b"one\ntwo \xff").unwrap();
    let ended = project
        .tripline(&["fill", "page.md", "--run", "run.jsonl"])
        .with(4);
    assert!(ended.err.contains("`page.md`:2"), "{}", ended.err);
}

/// The suites that have a page.
const PAGES: [&str; 5] = ["p2p", "peers", "scan", "store", "transport"];

/// What was published is a matter of record, and what we measured one of a run: neither is written by hand.
#[test]
fn the_pages_of_the_workloads_are_their_templates_filled_with_their_runs() {
    let root = repository();
    for suite in PAGES {
        let (template, run) = (
            format!("bench/{suite}/page.md"),
            format!("docs/workloads/{suite}.jsonl"),
        );
        let command = ["fill", &template, "--run", &run];
        let filled = said(
            scrubbed(env!("CARGO_BIN_EXE_tripline"))
                .args(command)
                .current_dir(&root),
        );
        let page = std::fs::read(root.join(format!("docs/workloads/{suite}.md"))).unwrap();
        assert!(
            page == filled,
            "run `tripline {} --out docs/workloads/{suite}.md`",
            command.join(" ")
        );
    }
}

/// A page says how its numbers came about, in words and by naming its benches: they have to be those that it was measured
/// with. Digests of them lie beside the run, so that neither a history nor a network is asked.
#[test]
fn the_pages_of_the_workloads_were_measured_with_the_benches_that_are_here() {
    let root = repository();
    for suite in PAGES {
        let file = format!("docs/workloads/{suite}.benches");
        let here = digests(&root, suite);
        if std::env::var_os("TRIPLINE_BLESS").is_some() {
            std::fs::write(root.join(&file), &here).unwrap();
        }
        let measured = std::fs::read_to_string(root.join(&file)).unwrap();
        let others = differing(&measured, &here);
        assert!(
            others.is_empty(),
            "docs/workloads/{suite}.md was measured with other benches: {others:?} differ from {file}; measure the suite \
             and fill the page, or make sure that the change alters no number; then run this test with TRIPLINE_BLESS=1"
        );
    }
}

#[test]
fn a_bench_that_changed_came_or_went_is_named() {
    let measured = "1a  benches/a.rs\n1b  benches/b.rs\n";
    assert_eq!(differing(measured, measured), [""; 0]);
    for (here, named) in [
        ("1a  benches/a.rs\n", "benches/b.rs"),
        ("1a  benches/a.rs\n2b  benches/b.rs\n", "benches/b.rs"),
        (
            "1a  benches/a.rs\n1b  benches/b.rs\n1c  benches/c.rs\n",
            "benches/c.rs",
        ),
    ] {
        assert_eq!(differing(measured, here), [named]);
    }
}

/// Returns what `sha256sum` says of a suite's sources.
fn digests(root: &Path, suite: &str) -> String {
    let mut sources = Vec::new();
    for folder in ["src", "benches"] {
        sources_in(&root.join("bench").join(suite).join(folder), &mut sources);
    }
    sources.sort();
    assert!(sources.len() > 5, "the suite `{suite}` has sources");
    let mut digests = String::new();
    for source in sources {
        for byte in Sha256::digest(std::fs::read(&source).unwrap()) {
            write!(digests, "{byte:02x}").unwrap();
        }
        let path = source.strip_prefix(root).unwrap();
        writeln!(digests, "  {}", path.display()).unwrap();
    }
    digests
}

fn sources_in(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources_in(&path, sources);
        } else {
            sources.push(path);
        }
    }
}

/// Names the files that one list has and the other has not, or has otherwise.
fn differing<'a>(measured: &'a str, here: &'a str) -> Vec<&'a str> {
    let only_in = |one: &'a str, other: &'a str| {
        let lines = one.lines();
        lines.filter(move |line| !other.lines().any(|it| it == *line))
    };
    let lines = only_in(measured, here).chain(only_in(here, measured));
    let mut paths: Vec<&str> = lines.filter_map(|line| line.split("  ").nth(1)).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}
