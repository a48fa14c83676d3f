//! What cannot be used, each with what is said about it: one wrong thing at a time, in an input that is else good.
//!
//! `refusals/fixtures/<adapter>.txt` holds the inputs: a line `# …` says what is wrong with the one below it, `GOOD` stands for
//! the first, and `## …` names a file of a tree. The answers are snapshots, because their words are what somebody with a
//! broken pipeline has to go by.

use std::fmt::Write as _;
use std::fs;

use tripline_read::{ADAPTERS, Adapter, Content, Input, TreeFile};

use crate::support::{read, shown};

#[test]
fn what_is_wrong_is_said() {
    for adapter in ADAPTERS {
        let folder = adapter.name.replace('-', "_");
        let path = format!("tests/it/refusals/fixtures/{folder}.txt");
        let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{path} is missing"));
        insta::assert_snapshot!(folder, said(adapter, &text));
    }
}

fn said(adapter: &Adapter, text: &str) -> String {
    let mut said = String::new();
    let mut good = None;
    for section in format!("\n{text}").split("\n# ").skip(1) {
        let (label, body) = section.split_once('\n').unwrap();
        // The end of the last line belongs to the input; the empty line after it does not.
        let body = format!("{}\n", body.trim_end_matches('\n'));
        let good = good.get_or_insert_with(|| body.clone());
        let input = input(&body.replace("GOOD\n", good));
        writeln!(said, "# {label}\n{}", shown(&read(adapter, &input))).unwrap();
    }
    said
}

fn input(body: &str) -> Input {
    let files: Vec<TreeFile> = format!("\n{body}")
        .split("\n## ")
        .skip(1)
        .map(|file| {
            let (path, text) = file.split_once('\n').unwrap();
            TreeFile {
                path: path.into(),
                content: Content::Held(text.as_bytes().to_vec()),
            }
        })
        .collect();
    if files.is_empty() {
        return Input::from_bytes("out", body.as_bytes().to_vec());
    }
    Input::Tree {
        root: "criterion".into(),
        files,
    }
}
