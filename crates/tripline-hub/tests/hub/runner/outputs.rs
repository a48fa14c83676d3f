//! Outputs: read back as they were set, and no other.

use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;
use tripline_hub::runner::outputs::{OutputError, VALUE_BYTES_MAX, output, set};

use super::model::read_outputs;

fn value() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("=".to_owned()),
        Just("<<".to_owned()),
        Just("<<EOF\n".to_owned()),
        Just("EOF\n".to_owned()),
        Just("tripline-".to_owned()),
        Just("\nother=x\n".to_owned()),
        any::<char>().prop_map(String::from),
        "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn what_is_set_is_what_is_read(
        values in prop::collection::vec(value(), 1..5),
        before in prop_oneof![Just(""), Just("a=b"), Just("a=b\n"), Just("a<<X\nb\nX")],
        seed in any::<u64>(),
    ) {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("output");
        fs::write(&file, before).unwrap();
        let names: Vec<String> = (0..values.len()).map(|at| format!("name-{at}")).collect();
        let outputs: Vec<(&str, &str)> = names.iter().zip(&values).map(|(name, value)| (&**name, &**value)).collect();
        set(&file, &outputs, &mut fastrand::Rng::with_seed(seed)).unwrap();
        let read = read_outputs(&fs::read_to_string(&file).unwrap()).unwrap();
        let ours = &read[read.len() - outputs.len()..];
        let ours: Vec<(&str, &str)> = ours.iter().map(|(name, value)| (&**name, &**value)).collect();
        prop_assert_eq!(ours, outputs);
        prop_assert_eq!(read.len() - values.len(), usize::from(!before.is_empty()));
    }

    #[test]
    fn a_name_that_is_taken_cannot_be_misread(name in "[a-c_=<\\-\n\r 0.]{0,6}") {
        if let Ok(line) = output(&name, "x", &mut fastrand::Rng::with_seed(1)) {
            prop_assert_eq!(read_outputs(&line).unwrap(), [(name, "x".to_owned())]);
        }
    }
}

#[test]
fn names_are_identifiers() {
    let mut random = fastrand::Rng::with_seed(1);
    for good in ["verdict", "_a", "a-b_C9"] {
        assert_eq!(
            output(good, "x", &mut random).unwrap(),
            format!("{good}=x\n")
        );
    }
    for bad in [
        "",
        "9a",
        "-a",
        "a b",
        "a=b",
        "a<<b",
        "a\nb",
        "größe",
        &"a".repeat(101),
    ] {
        let error = output(bad, "x", &mut random).expect_err(bad);
        assert!(matches!(error, OutputError::Name { .. }), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

#[test]
fn if_one_cannot_be_set_none_is() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("output");
    let mut random = fastrand::Rng::with_seed(1);
    set(&file, &[("good", "x"), ("not good", "y")], &mut random).expect_err("a name");
    let long = "x".repeat(VALUE_BYTES_MAX + 1);
    let error = set(&file, &[("good", "x"), ("long", &long)], &mut random).expect_err("a value");
    assert!(error.to_string().len() < 200, "{error}");
    assert!(!file.exists());
    let error =
        set(&folder.path().join("no/folder"), &[("a", "b")], &mut random).expect_err("no folder");
    assert!(
        error.to_string().starts_with("nothing was added to `"),
        "{error}"
    );
}

/// The mark is drawn anew when the text has it: here the text was written by somebody who knew the seed.
#[test]
fn a_mark_that_is_in_the_value_is_not_taken() {
    let first = output("a", "\n", &mut fastrand::Rng::with_seed(1)).unwrap();
    let mark = first
        .lines()
        .next()
        .unwrap()
        .trim_start_matches("a<<")
        .to_owned();
    let value = format!("x\n{mark}\nother=y");
    let line = output("a", &value, &mut fastrand::Rng::with_seed(1)).unwrap();
    assert_eq!(read_outputs(&line).unwrap(), [("a".to_owned(), value)]);
}
