//! The suites that are written: one for each group of benches, named after it, unless there is one already.
//!
//! A name found in a repository may be anything; what becomes a path here is made of letters, digits and hyphens, and
//! what stands in the file is escaped. Tested below and by `tests/it/init`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use tripline_model::SuiteName;

use super::find::{Group, Step, Unused, Work};
use super::write::Draft;
use crate::suite::{Suite, Task};

/// The longest name that is made: the names of steps and suites have a limit, and a number may follow.
const NAME_CHARS_MAX: usize = 48;

/// The longest name that a sentence repeats.
const SAID_CHARS_MAX: usize = 80;

/// Returns a file for each group, at the place of the suite that is about it, or at a new one.
pub(super) fn drafts(root: &Path, groups: &[Group], existing: &[Suite]) -> Vec<Draft> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    taken.extend(existing.iter().map(|suite| suite.name.to_string()));
    let mut drafts = Vec::with_capacity(groups.len());
    for group in groups {
        let about = existing.iter().find(|suite| is_about(root, suite, group));
        let name = match about {
            Some(suite) => suite.name.to_string(),
            None => new_name(root, group, &taken),
        };
        drafts.push(Draft {
            place: Path::new("bench").join(&name).join("suite.toml"),
            text: text_of(group, &name),
        });
        taken.insert(name);
    }
    drafts
}

/// Returns whether a suite runs something of a group, in whatever way its writer wants it run.
fn is_about(root: &Path, suite: &Suite, group: &Group) -> bool {
    let same = |step: &Step| {
        suite
            .steps
            .iter()
            .any(|known| match (&known.task, &step.work) {
                (Task::Bench(known), Work::Bench(bench)) => known == bench,
                (Task::Command { .. }, Work::Command(..)) => known.harness.name() == step.harness,
                _ => false,
            })
    };
    suite.folder == inside(root, Path::new(&group.folder)) && group.steps.iter().any(same)
}

/// Returns whether a suite that is there already runs what would be said to be unused.
pub(super) fn is_run(root: &Path, existing: &[Suite], unused: &Unused) -> bool {
    let Some((folder, bench)) = &unused.bench else {
        return false;
    };
    existing.iter().any(|suite| {
        let runs =
            |step: &crate::suite::Step| matches!(&step.task, Task::Bench(known) if known == bench);
        suite.folder == inside(root, folder) && suite.steps.iter().any(runs)
    })
}

/// Returns a folder inside of another one. Joining nothing would leave a slash at the end.
fn inside(root: &Path, folder: &Path) -> PathBuf {
    if folder == Path::new("") {
        root.to_owned()
    } else {
        root.join(folder)
    }
}

/// Returns a name that no suite has, and whose folder is the group's own or not there yet.
fn new_name(root: &Path, group: &Group, taken: &BTreeSet<String>) -> String {
    let own = group.folder.strip_prefix("bench/").unwrap_or_default();
    if SuiteName::new(own).is_ok() && !taken.contains(own) {
        return own.to_owned();
    }
    let is_free = |name: &String| {
        let folder = root.join("bench").join(name);
        !taken.contains(name) && folder.symlink_metadata().is_err()
    };
    numbered(&slug(&group.name, "benches"), is_free)
}

/// Returns the name, or the name with the first number that makes it free.
fn numbered(name: &str, is_free: impl Fn(&String) -> bool) -> String {
    let more = (2_u32..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(more);
    names.find(is_free).unwrap_or_else(|| name.to_owned())
}

/// Makes a name of lower-case letters, digits and hyphens.
fn slug(text: &str, otherwise: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars().take(SAID_CHARS_MAX) {
        let letter = letter.to_ascii_lowercase();
        if letter.is_ascii_lowercase() || letter.is_ascii_digit() {
            slug.push(letter);
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.truncate(NAME_CHARS_MAX);
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { otherwise } else { slug }.to_owned()
}

/// Writes a suite's file.
fn text_of(group: &Group, name: &str) -> String {
    let said: String = group.name.chars().take(SAID_CHARS_MAX).collect();
    let said = said.replace(char::is_control, " ");
    let mut text = format!("about = {}\n", quoted(&format!("The benches of `{said}`.")));
    if group.folder != format!("bench/{name}") {
        let folder = if group.folder.is_empty() {
            "."
        } else {
            &group.folder
        };
        // Writing to a text cannot fail.
        let _ = writeln!(text, "folder = {}", quoted(folder));
    }
    let mut names = BTreeSet::new();
    for step in &group.steps {
        let name = numbered(&slug(&step.name, "bench"), |name| !names.contains(name));
        let _ = write!(
            text,
            "\n[[step]]\nname = {}\nharness = {}\n{}\n",
            quoted(&name),
            quoted(step.harness),
            work_of(step)
        );
        names.insert(name);
    }
    text
}

fn work_of(step: &Step) -> String {
    match &step.work {
        Work::Bench(bench) => format!("bench = {}", quoted(bench)),
        Work::Command(argv, about) => {
            let argv: Vec<String> = argv.iter().map(|word| quoted(word)).collect();
            format!("# {about}\ncommand = [{}]", argv.join(", "))
        }
    }
}

/// Writes a text as TOML. What could hide or reorder its neighbours is written by its number.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            ' '..='~' => quoted.push(letter),
            letter if letter.is_alphanumeric() => quoted.push(letter),
            letter => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(letter));
            }
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use tripline_model::StepName;

    use super::*;

    const HOSTILE: &[&str] = &[
        "",
        " ",
        "kv",
        "A b\"c\"'d'",
        "$(touch x)`id`",
        "a\nb = 1\n[[step]]",
        "\\",
        "${{ github.token }}",
        "../..",
        "-x",
        "ä\u{202e}b\u{0}",
        "日本",
    ];

    #[test]
    fn whatever_something_is_called_its_suite_can_be_read_and_says_it() {
        for name in HOSTILE {
            let group = Group {
                name: (*name).to_owned(),
                folder: format!("crates/{name}"),
                steps: vec![Step {
                    name: (*name).to_owned(),
                    harness: "criterion",
                    work: Work::Bench((*name).to_owned()),
                }],
            };
            let text = text_of(&group, "x");
            let table: toml::Table = text.parse().expect(&text);
            assert_eq!(table["folder"].as_str(), Some(&*group.folder));
            assert_eq!(table["step"][0]["bench"].as_str(), Some(*name));
            assert_eq!(table["step"].as_array().unwrap().len(), 1, "{text}");
            assert!(!table["about"].as_str().unwrap().contains(char::is_control));
            StepName::new(table["step"][0]["name"].as_str().unwrap()).expect(name);
        }
    }

    #[test]
    fn whatever_something_is_called_its_name_is_a_name() {
        let long = "x-".repeat(200);
        for name in HOSTILE.iter().chain([&&*long]) {
            let made = numbered(&slug(name, "benches"), |name| name.ends_with("-12345"));
            SuiteName::new(&made).expect(name);
        }
        assert_eq!(slug("My Crate_2", "x"), "my-crate-2");
    }

    #[test]
    fn two_of_one_name_are_told_apart() {
        let root = tempfile::tempdir().unwrap();
        let group = |folder: &str| Group {
            name: "kv".to_owned(),
            folder: folder.to_owned(),
            steps: Vec::new(),
        };
        let groups = [group("a"), group("b"), group("bench/c")];
        let places = drafts(root.path(), &groups, &[]);
        let places: Vec<_> = places
            .iter()
            .map(|draft| draft.place.to_str().unwrap())
            .collect();
        let wanted = [
            "bench/kv/suite.toml",
            "bench/kv-2/suite.toml",
            "bench/c/suite.toml",
        ];
        assert_eq!(places, wanted);
    }
}
