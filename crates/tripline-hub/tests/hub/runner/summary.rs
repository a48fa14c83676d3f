//! The summary: whole while it fits, and else cut so that what is left is well formed and says so.

use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;
use tripline_hub::runner::summary::{BYTES_MAX, append, fitting};

/// So many bytes are taken that only this many are left.
fn taken_but(room: u64) -> u64 {
    BYTES_MAX - room
}

#[test]
fn what_fits_is_added_on_a_line_of_its_own() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("summary");
    append(&file, "# One\n").unwrap();
    append(&file, "two").unwrap();
    append(&file, "").unwrap();
    fs::write(&file, fs::read_to_string(&file).unwrap().trim_end()).unwrap();
    append(&file, "three\n").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "# One\ntwo\nthree\n");
}

#[test]
fn exactly_the_limit_fits_and_no_more() {
    let line = "0123456789abcde\n";
    let whole = line.repeat(1 << 16);
    assert_eq!(whole.len() as u64, BYTES_MAX);
    assert_eq!(fitting(&whole, 0), whole);
    let cut = fitting(&whole, 1);
    assert!((cut.len() as u64) < BYTES_MAX && cut.len() > whole.len() - 200);
    assert!(
        cut.starts_with(line)
            && cut.ends_with("left out: the summary of a step may hold 1 MiB._\n")
    );
    let counted = cut.trim_end().rsplit_once("\n_").unwrap().1;
    let missing: usize = counted.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(cut.matches(line).count() + missing, 1 << 16);
}

#[test]
fn a_file_that_is_full_is_left_as_it_is() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("summary");
    let full = "x".repeat(BYTES_MAX as usize);
    fs::write(&file, &full).unwrap();
    append(&file, "more\n").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), full);
    assert_eq!(fitting("more\n", BYTES_MAX + 5), "");
}

#[test]
fn what_the_cut_leaves_open_is_closed() {
    let many = "row\n".repeat(500);
    let text = format!("<details>\n\n````text\n```\n{many}");
    insta::assert_snapshot!(fitting(&text, taken_but(150)), @r"
    <details>

    ````text
    ```
    row
    row
    row
    row
    row
    row
    row
    row
    row
    ````

    </details>

    _491 more lines are left out: the summary of a step may hold 1 MiB._
    ");
    let closed = format!("<details>\n```\n<details>\n```\n</details>\n{many}");
    insta::assert_snapshot!(fitting(&closed, taken_but(140)), @r"
    <details>
    ```
    <details>
    ```
    </details>
    row
    row
    row
    row
    row
    row
    row

    _493 more lines are left out: the summary of a step may hold 1 MiB._
    ");
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn it_never_grows_beyond_the_limit(
        lines in prop::collection::vec(prop_oneof![
            Just("```".to_owned()),
            Just("~~~~ text".to_owned()),
            Just("<details><summary>x</summary>".to_owned()),
            Just("</details>".to_owned()),
            "\\PC{0,40}",
        ], 0..40),
        room in 0_u64..600,
    ) {
        let text = lines.join("\n");
        let fitted = fitting(&text, taken_but(room));
        prop_assert!(fitted.len() as u64 <= room || text.is_empty());
        prop_assert!(fitted.is_empty() || fitted.ends_with('\n'));
        // What is kept is a beginning of whole lines.
        if !fitted.trim_end().ends_with("1 MiB._") {
            prop_assert!(fitted.is_empty() || fitted.trim_end_matches('\n') == text.trim_end_matches('\n'));
        } else {
            let counted = fitted.trim_end().rsplit_once("\n_").unwrap().1;
            let word = counted.split(' ').next().unwrap();
            let missing = if word == "One" { 1 } else { word.parse().unwrap() };
            let all: Vec<&str> = text.split_inclusive('\n').collect();
            let kept = all[..all.len() - missing].concat();
            prop_assert!(fitted.starts_with(&kept), "{kept:?}");
        }
    }
}

/// A long summary is looked at once, not once per line.
#[test]
fn a_very_long_text_is_cut() {
    let text = "| a | b |\n".repeat(1_000_000);
    let cut = fitting(&text, 0);
    assert!(cut.len() as u64 <= BYTES_MAX && cut.len() > 1_000_000);
}
