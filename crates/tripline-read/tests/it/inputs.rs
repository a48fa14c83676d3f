//! Files and directories as they come: links, limits, what is gone, and how text is written on other systems.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;
use tripline_read::{ADAPTERS, INPUT_BYTES_MAX, Input, InputError, TREE_DEPTH_MAX};

use crate::support::{cases, read, shown};

/// Opens a path below a directory, and returns the error's text without the directory's own name.
fn refused(directory: &TempDir, path: &str) -> String {
    let error = Input::open(&directory.path().join(path)).expect_err("the input is refused");
    let root = directory.path().to_str().unwrap();
    error.to_string().replace(root, "<dir>")
}

fn write(directory: &TempDir, path: &str, text: &str) {
    let path = directory.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn what_cannot_be_opened_is_named() {
    let directory = TempDir::new().unwrap();
    assert_eq!(
        refused(&directory, "gone.json"),
        "cannot read `<dir>/gone.json`"
    );
    write(&directory, "file", "");
    assert_eq!(
        refused(&directory, "file/x.json"),
        "cannot read `<dir>/file/x.json`"
    );
    // The name is somebody else's, and must not reach a terminal as it is.
    assert_eq!(
        refused(&directory, "a\u{1b}[31m"),
        "cannot read `<dir>/a\\u{1b}[31m`"
    );
}

#[test]
fn the_reason_is_the_source_and_not_in_the_text() {
    let error = Input::open(Path::new("gone.json")).unwrap_err();
    let InputError::Read { source, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
    assert!(!error.to_string().contains(&source.to_string()));
}

#[test]
fn a_file_beyond_the_limit_is_refused_before_it_is_read() {
    let directory = TempDir::new().unwrap();
    let file = File::create(directory.path().join("large.json")).unwrap();
    file.set_len(INPUT_BYTES_MAX + 1).unwrap();
    let text = "`<dir>/large.json` has more than the 268435456 bytes allowed";
    assert_eq!(refused(&directory, "large.json"), text);
    assert_eq!(refused(&directory, "."), text);
}

#[test]
fn a_link_in_a_circle_is_refused_and_named() {
    for (link, target) in [
        ("loop", "loop"),
        ("loop.json", "loop.json"),
        ("sub/up", ".."),
        ("sub/here", "."),
        ("sub/far", "../../"),
    ] {
        let directory = TempDir::new().unwrap();
        write(&directory, "sub/summary.json", "{}");
        symlink(target, directory.path().join(link)).unwrap();
        assert_eq!(
            refused(&directory, ""),
            format!(
                "the link `<dir>/{link}` leads back to itself or to a directory it lies in: remove it"
            )
        );
    }
    let directory = TempDir::new().unwrap();
    symlink("loop", directory.path().join("loop")).unwrap();
    assert!(refused(&directory, "loop").contains("leads back to itself"));
}

#[test]
fn links_are_not_followed_out_of_the_directory() {
    let outside = TempDir::new().unwrap();
    write(&outside, "summary.json", "{}");
    let directory = TempDir::new().unwrap();
    write(&directory, "real/summary.json", "{}");
    symlink(outside.path(), directory.path().join("elsewhere")).unwrap();
    symlink("real", directory.path().join("again")).unwrap();
    symlink("real/summary.json", directory.path().join("again.json")).unwrap();
    symlink("nothing", directory.path().join("dangling")).unwrap();
    let Input::Tree { files, .. } = Input::open(directory.path()).unwrap() else {
        panic!("a directory is a tree");
    };
    let paths: Vec<&Path> = files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, [Path::new("real/summary.json")]);

    // A result that is a link is not passed over in silence.
    symlink("gone.json", directory.path().join("dangling.json")).unwrap();
    assert_eq!(refused(&directory, ""), "cannot read `<dir>/dangling.json`");
    fs::remove_file(directory.path().join("dangling.json")).unwrap();
    symlink(
        outside.path().join("summary.json"),
        directory.path().join("x.json"),
    )
    .unwrap();
    assert_eq!(
        refused(&directory, ""),
        "the link `<dir>/x.json` leads out of the directory: put the file itself there"
    );
}

#[test]
fn a_tree_is_read_in_order_and_without_what_nobody_reads() {
    let directory = TempDir::new().unwrap();
    for path in [
        "b/summary.json",
        "a/z.jsonl",
        "a/report.html",
        "a/b/x.json",
        "flame.svg",
    ] {
        write(&directory, path, "");
    }
    let Input::Tree { files, .. } = Input::open(directory.path()).unwrap() else {
        panic!("a directory is a tree");
    };
    let paths: Vec<&str> = files
        .iter()
        .map(|file| file.path.to_str().unwrap())
        .collect();
    assert_eq!(paths, ["a/b/x.json", "a/z.jsonl", "b/summary.json"]);
}

#[test]
fn a_tree_without_bottom_is_refused() {
    let directory = TempDir::new().unwrap();
    write(
        &directory,
        &format!("{}x.json", "d/".repeat(TREE_DEPTH_MAX)),
        "",
    );
    assert!(Input::open(directory.path()).is_ok());
    write(
        &directory,
        &format!("{}x.json", "d/".repeat(TREE_DEPTH_MAX + 1)),
        "",
    );
    assert!(refused(&directory, "").ends_with("lies more than 32 directories deep"));
}

#[test]
fn a_directory_without_results_is_an_error_that_says_what_to_do() {
    let directory = TempDir::new().unwrap();
    write(&directory, "report/index.html", "");
    write(&directory, "package.json", "{}");
    let input = Input::open(directory.path()).unwrap();
    for adapter in ADAPTERS {
        let error = read(adapter, &input).expect_err("there is no result");
        assert!(error.hint.is_some(), "{}", adapter.name);
    }
}

#[test]
fn marks_line_ends_and_colours_change_nothing() {
    for case in cases() {
        let Input::Text { name, bytes } = &case.input else {
            continue;
        };
        let expected = shown(&read(case.adapter, &case.input));
        let text = std::str::from_utf8(bytes).unwrap();
        let coloured = text.replace('\n', "\u{1b}[0m\n");
        for other in [
            format!("\u{feff}{text}"),
            text.replace('\n', "\r\n"),
            format!("{}\n\n", text.trim_end()),
            text.trim_end().to_owned(),
            format!("\u{1b}[1;32m{coloured}"),
        ] {
            // Our own file has no colours and no empty lines; whoever adds some has changed it.
            if case.adapter.name == "run-file"
                && (other.contains('\u{1b}') || other.ends_with("\n\n"))
            {
                continue;
            }
            let input = Input::from_bytes(name.clone(), other.into_bytes());
            assert_eq!(
                shown(&read(case.adapter, &input)),
                expected,
                "{}",
                case.name
            );
        }
    }
}
