//! What holds for every reader, whatever it is given: it does not panic, succeeds only with a result, tells what is wrong
//! where the input has such a place and in words that no terminal obeys, and says the same when it is asked again.
//!
//! Bytes are one text. Where they begin with a line `=== path` they are a tree besides: such a line begins each file.
//! Compiled into the fuzz targets, and into the tests of the crate, which bring `support` along.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use tripline_read::{
    Adapter, Content, Input, Place, Problem, TreeFile, read_data_js, recognized, sniff,
    split_data_js,
};

use crate::support::{check_text, read};

/// What a line begins with that names a file of a tree.
const FILE: &[u8] = b"=== ";

/// Gives bytes to a reader, and asserts what holds for all of them.
pub(crate) fn check(reader: &str, bytes: &[u8]) {
    if reader == "data-js" {
        return check_history(bytes);
    }
    let text = Input::from_bytes("input", bytes.to_vec());
    for input in [Some(text), tree(bytes)].into_iter().flatten() {
        if reader == "sniff" {
            check_sniffing(&input);
        } else {
            let adapter = tripline_read::adapter(reader);
            check_adapter(adapter.expect("targets have names of readers"), &input);
        }
    }
}

/// Returns the tree that bytes stand for, as opening a directory would: in order, and with paths that lie within.
fn tree(bytes: &[u8]) -> Option<Input> {
    let mut files = BTreeMap::new();
    let mut rest = bytes.strip_prefix(FILE)?;
    while !rest.is_empty() {
        let end = position(rest, &[b"\n", FILE].concat()).unwrap_or(rest.len());
        let (path, text) = rest[..end].split_at(position(&rest[..end], b"\n").unwrap_or(end));
        let path = PathBuf::from(OsStr::from_bytes(path));
        if path.parent().is_some() && is_within(&path) {
            files.insert(path, text.get(1..).unwrap_or_default().to_vec());
        }
        rest = rest.get(end + 1 + FILE.len()..).unwrap_or_default();
    }
    let files = files.into_iter().map(|(path, bytes)| TreeFile {
        path,
        content: Content::Held(bytes),
    });
    Some(Input::Tree {
        root: "tree".into(),
        files: files.collect(),
    })
}

fn is_within(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

fn check_adapter(adapter: &Adapter, input: &Input) {
    let result = read(adapter, input);
    match &result {
        Ok(observed) => {
            for problem in &observed.problems {
                check_lies_in(&problem.place, input);
            }
        }
        Err(error) => check_lies_in(&error.place, input),
    }
    assert!(result == read(adapter, input), "it is read in two ways");
}

fn check_history(bytes: &[u8]) {
    let input = Input::from_bytes("data.js", bytes.to_vec());
    let check_told = |place: &Place, text: &str| {
        check_lies_in(place, &input);
        check_text(text);
    };
    let history = read_data_js("data.js", bytes);
    match &history {
        Ok(imported) => {
            assert!(!imported.entries.is_empty(), "an empty success");
            for problem @ Problem { place, .. } in &imported.problems {
                check_told(place, &problem.to_string());
            }
        }
        Err(error) => check_told(&error.place, &error.to_string()),
    }
    let parts = split_data_js("data.js", bytes);
    if let Err(error) = &parts {
        check_told(&error.place, &error.to_string());
    }
    let is_same =
        history == read_data_js("data.js", bytes) && parts == split_data_js("data.js", bytes);
    assert!(is_same, "it is read in two ways");
}

fn check_sniffing(input: &Input) {
    let name = |adapter: &Adapter| adapter.name;
    let names = || -> Vec<_> {
        let found = recognized(input).expect("nothing is on the disk");
        found.into_iter().map(name).collect()
    };
    let found = names();
    match sniff(input) {
        Ok(adapter) => assert_eq!(found, [adapter.name]),
        Err(error) => {
            assert_ne!(found.len(), 1);
            let text = error.to_string();
            assert!(!text.contains(char::is_control), "{text:?}");
        }
    }
    assert_eq!(found, names());
}

/// Checks that a place exists: in any file of a tree, because a path need not be told as it is written.
fn check_lies_in(place: &Place, input: &Input) {
    let lies_in = match input {
        Input::Text { bytes, .. } => lies_in(place, bytes),
        Input::Tree { files, .. } => files.iter().any(|file| match &file.content {
            Content::Held(bytes) => lies_in(place, bytes),
            Content::OnDisk { .. } => unreachable!("nothing is on the disk"),
        }),
    };
    // Of the whole nothing but its beginning can be told.
    let is_start = (place.line, place.column) == (1, 1);
    assert!(lies_in || is_start, "{place} is not in the input");
}

/// Returns whether bytes have such a line, and it has such a column or ends before it.
fn lies_in(place: &Place, bytes: &[u8]) -> bool {
    let has_column = |line: usize| place.column <= line + 1;
    let units = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks().0.iter().map(|pair| unit(*pair)).collect();
        let text = String::from_utf16_lossy(&units);
        let line = text.split('\n').nth(place.line - 1);
        // Columns count the bytes of the text, or where it is none those of the file.
        line.is_some_and(|line| has_column(line.len().max(2 * line.encode_utf16().count())))
    };
    match bytes {
        [0xFF, 0xFE, ..] => units(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => units(u16::from_be_bytes),
        _ => {
            let mut lines = bytes.split(|byte| *byte == b'\n');
            lines
                .nth(place.line - 1)
                .is_some_and(|line| has_column(line.len()))
        }
    }
}
