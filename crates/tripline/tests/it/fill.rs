//! Pages whose blanks are filled with what a run measured; and that those in `docs/workloads` are.

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

/// What was published is a matter of record, and what we measured one of a run: neither is written by hand.
#[test]
fn the_pages_of_the_workloads_are_their_templates_filled_with_their_runs() {
    let root = repository();
    for suite in ["p2p", "peers", "store"] {
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
