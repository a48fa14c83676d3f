//! Commands: one line each, read back as they were meant, and none that others wrote.

use std::num::NonZeroU32;

use proptest::prelude::*;
use tripline_hub::runner::commands::{Annotation, Level, PER_LEVEL_MAX, annotations};

use super::model::{Command, Line, read};

fn remark(level: Level, message: &str) -> Annotation {
    Annotation {
        level,
        file: None,
        line: None,
        title: None,
        message: message.to_owned(),
    }
}

/// Returns the commands in a text, all of whose lines must be such.
fn followed(text: &str) -> Vec<Command> {
    let lines = read(text).into_iter().map(|line| match line {
        Line::Followed(command) => command,
        Line::Printed(line) => panic!("printed: {line:?}"),
    });
    lines.collect()
}

/// Text with what means something to the runner in it.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("::".to_owned()),
        Just("::error::".to_owned()),
        Just("::set-output name=a::b".to_owned()),
        Just("::stop-commands::x".to_owned()),
        Just("##[add-mask]a".to_owned()),
        Just("##[".to_owned()),
        Just("]".to_owned()),
        Just("\n".to_owned()),
        Just("\r".to_owned()),
        Just("\r\n".to_owned()),
        Just("%".to_owned()),
        Just("%0A".to_owned()),
        Just("%25".to_owned()),
        Just("%250D".to_owned()),
        Just("%3A%2C".to_owned()),
        Just(",".to_owned()),
        Just("=".to_owned()),
        Just(" ".to_owned()),
        Just("file=x,line=7".to_owned()),
        "\\PC{0,4}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// What is left of a property: blanks around it and signs of equality before it are nothing to the runner.
fn as_property(text: &str) -> Option<&str> {
    let text = text.trim().trim_start_matches('=');
    (!text.is_empty()).then_some(text)
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn an_annotation_is_read_as_it_was_meant(
        file in prop::option::of(hostile()),
        line in prop::option::of(1..u32::MAX),
        title in prop::option::of(hostile()),
        message in hostile(),
    ) {
        let annotation = Annotation {
            level: Level::Warning,
            file: file.clone(),
            line: line.and_then(NonZeroU32::new),
            title: title.clone(),
            message: message.clone(),
        };
        let text = annotation.to_string();
        prop_assert!(!text.contains(['\r', '\n']), "{text:?}");
        let commands = followed(&text);
        prop_assert_eq!(commands.len(), 1);
        let command = &commands[0];
        prop_assert_eq!(&command.name, "warning");
        prop_assert_eq!(&command.data, &message);
        let property = |key: &str| command.properties.get(key).map(String::as_str);
        prop_assert_eq!(property("title"), title.as_deref().and_then(as_property));
        let file = file.as_deref().map(str::trim).filter(|file| !file.is_empty());
        prop_assert_eq!(property("file"), file.and_then(as_property));
        let line = line.filter(|_| file.is_some()).map(|line| line.to_string());
        prop_assert_eq!(property("line"), line.as_deref());
        prop_assert!(command.properties.keys().all(|key| ["file", "line", "title"].contains(&key.as_str())));
    }

}

#[test]
fn a_command_looks_like_this() {
    let annotation = Annotation {
        level: Level::Error,
        file: Some("benches/a,b:c.rs".to_owned()),
        line: NonZeroU32::new(12),
        title: Some("get: 5 % slower".to_owned()),
        message: "100 %\n::error::not a second one".to_owned(),
    };
    assert_eq!(
        annotation.to_string(),
        "::error file=benches/a%2Cb%3Ac.rs,line=12,title=get%3A 5 %25 slower::100 %25%0A::error::not a second one"
    );
    assert_eq!(remark(Level::Notice, "").to_string(), "::notice::");
}

/// The model is of use only if it follows what must not be printed.
#[test]
fn the_model_follows_what_is_printed_carelessly() {
    for careless in [
        "::error::x",
        "  ::set-output name=a::b",
        "name ##[add-mask]x",
        "a\r::error::x",
        "##[Set-Env name=a;]b",
    ] {
        let lines = read(careless);
        assert!(
            lines.iter().any(|line| matches!(line, Line::Followed(_))),
            "{careless:?}"
        );
    }
    let stopped = read("::stop-commands::word\n::error::x\n::word::\n::error::y\n");
    assert!(matches!(&stopped[1], Line::Printed(_)) && matches!(&stopped[3], Line::Followed(_)));
}

#[test]
fn the_worst_come_first_and_the_others_are_counted() {
    let mut all = Vec::new();
    for at in 0..PER_LEVEL_MAX + 3 {
        all.push(remark(Level::Notice, &format!("n{at}")));
        all.push(remark(Level::Error, &format!("e{at}")));
    }
    all.extend((0..PER_LEVEL_MAX + 1).map(|at| remark(Level::Warning, &format!("w{at}"))));
    let text = annotations(&all);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3 * PER_LEVEL_MAX + 1);
    assert_eq!((lines[0], lines[9]), ("::error::e0", "::error::e9"));
    assert_eq!((lines[10], lines[20]), ("::warning::w0", "::notice::n0"));
    assert_eq!(
        lines[30],
        "Left out, because the runner shows ten of each: 3 errors, 1 warning, 3 notices."
    );
    assert_eq!(annotations(&all[..2]), "::error::e0\n::notice::n0\n");
    assert_eq!(annotations(&[]), "");
}

#[test]
fn long_ones_are_cut_as_the_runner_counts() {
    let whole = "x".repeat(4096);
    assert!(remark(Level::Error, &whole).to_string().ends_with(&whole));
    let long = remark(Level::Error, &"𝄞".repeat(5000)).to_string();
    let message = long.trim_start_matches("::error::");
    assert_eq!(
        message.encode_utf16().count(),
        4095,
        "half a character does not fit"
    );
    assert!(message.ends_with("𝄞…"));
    let titled = Annotation {
        title: Some("t".repeat(1000)),
        ..remark(Level::Error, "")
    };
    let commands = followed(&titled.to_string());
    assert_eq!(commands[0].properties["title"].chars().count(), 255);
}
