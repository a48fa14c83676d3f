//! What the tests share: the fixtures, and observations as text.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use tripline_model::SuiteName;
use tripline_read::{ADAPTERS, Adapter, Content, Input, Observation, Observed, Place, ReadError};

/// Two adapters of one form, which does not say which of them is meant: somebody has to.
pub(crate) const TWINS: &[&str] = &["custom-bigger-is-better", "custom-smaller-is-better"];

/// Fixtures of a form that others write as well: one file is taken for it, and in a directory none is by its form alone.
pub(crate) const FAINT: &[&str] = &[
    "gnu_time__portable",
    "gnu_time__shell",
    "gnu_time__usual",
    "hyperfine__asciidoc",
    "hyperfine__markdown",
    "hyperfine__orgmode",
    "tango__dump",
];

/// One fixture.
pub(crate) struct Case {
    /// The adapter it belongs to.
    pub(crate) adapter: &'static Adapter,
    /// Adapter and case.
    pub(crate) name: String,
    /// The input.
    pub(crate) input: Input,
}

/// Returns all fixtures, in order.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for adapter in ADAPTERS {
        let folder = adapter.name.replace('-', "_");
        let cases_of = entries(&PathBuf::from("fixtures").join(&folder));
        // Beside the cases stands how they were made.
        for path in cases_of.iter().filter(|path| path.is_dir()) {
            let case = path.file_name().unwrap().to_str().unwrap().to_owned();
            let inside = entries(path);
            let input = match &inside[..] {
                [only] if only.is_file() => Input::open(only),
                _ => Input::open(path),
            };
            cases.push(Case {
                adapter,
                name: format!("{folder}__{case}"),
                input: held(input.unwrap()),
            });
        }
    }
    cases
}

/// Reads the files of a tree, so that they can be damaged and read again without the disk.
fn held(input: Input) -> Input {
    let Input::Tree { root, mut files } = input else {
        return input;
    };
    for file in &mut files {
        file.content = Content::Held(fs::read(root.join(&file.path)).unwrap());
    }
    Input::Tree { root, files }
}

/// Returns what a directory holds, in order; nothing if there is no such directory.
pub(crate) fn entries(path: &PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Returns the suite all fixtures are results of.
pub(crate) fn suite() -> SuiteName {
    SuiteName::new("kv").unwrap()
}

/// Reads an input, and checks what holds for every result of every adapter.
pub(crate) fn read(adapter: &Adapter, input: &Input) -> Result<Observed, ReadError> {
    let result = adapter.read(input, &suite());
    match &result {
        Ok(observed) => {
            assert!(
                !observed.observations.is_empty(),
                "{}: an empty success",
                adapter.name
            );
            for problem in observed.problems.iter().chain(&observed.remarks) {
                check_place(&problem.place);
                check_text(&problem.to_string());
            }
            observed.observations.iter().for_each(check_observation);
            let benches = observed.observations.iter().map(|o| &o.bench);
            let distinct: std::collections::BTreeSet<_> = benches.collect();
            assert_eq!(distinct.len(), observed.observations.len());
        }
        Err(error) => {
            check_place(&error.place);
            check_text(&error.to_string());
        }
    }
    result
}

fn check_place(place: &Place) {
    let is_place = !place.file.is_empty() && place.line > 0 && place.column > 0;
    assert!(is_place, "{place:?}");
}

/// Checks that a message is harmless, begins with a small letter or a name, and does not end in a full stop.
pub(crate) fn check_text(text: &str) {
    assert!(!text.chars().any(char::is_control), "{text:?}");
    assert!(!text.starts_with(char::is_uppercase), "{text}");
    assert!(!text.ends_with('.'), "{text}");
}

fn check_observation(observation: &Observation) {
    let names = observation.readings.iter().map(|r| &r.metric.name);
    let distinct: std::collections::BTreeSet<_> = names.collect();
    assert_eq!(distinct.len(), observation.readings.len());
    assert!(!observation.readings.is_empty() || observation.answer.is_some());
    assert_eq!(observation.bench.suite, suite());
}

/// Shows a result as text.
pub(crate) fn shown(result: &Result<Observed, ReadError>) -> String {
    match result {
        Ok(observed) => observed_text(observed),
        Err(error) => {
            let hint = error.hint.unwrap_or("none");
            format!("error: {error}\nhint: {hint}\n")
        }
    }
}

fn observed_text(observed: &Observed) -> String {
    let mut text = String::new();
    for observation in &observed.observations {
        writeln!(text, "{}", observation.bench).unwrap();
        for reading in &observation.readings {
            let metric = &reading.metric;
            let unit = metric.unit.symbol();
            let (better, nature) = (metric.better, metric.nature);
            let values: Vec<_> = reading.sample.values().iter().map(f64::to_string).collect();
            let values = values.join(" ");
            let name = &metric.name;
            writeln!(text, "  {name}: {values} {unit} ({better:?}, {nature:?})").unwrap();
            if let Some(iterations) = reading.sample.iterations() {
                writeln!(text, "    over {iterations:?}").unwrap();
            }
        }
        if let Some(answer) = &observation.answer {
            writeln!(text, "  answer: {answer}").unwrap();
        }
        for caveat in &observation.caveats {
            writeln!(text, "  caveat: {}", caveat.text()).unwrap();
        }
    }
    for problem in &observed.problems {
        writeln!(text, "problem: {problem}").unwrap();
    }
    for remark in &observed.remarks {
        writeln!(text, "remark: {remark}").unwrap();
    }
    text
}

/// Returns how many files an input has.
pub(crate) fn files(input: &Input) -> usize {
    match input {
        Input::Text { .. } => 1,
        Input::Tree { files, .. } => files.len(),
    }
}

/// Returns what a file of an input holds.
pub(crate) fn file_bytes(input: &Input, file: usize) -> &[u8] {
    match input {
        Input::Text { bytes, .. } => bytes,
        Input::Tree { files, .. } => match &files[file].content {
            Content::Held(bytes) => bytes,
            Content::OnDisk { .. } => unreachable!("cases hold their files"),
        },
    }
}

/// Returns the input with another file in the place of one of its own.
pub(crate) fn with_bytes(input: &Input, file: usize, new: Vec<u8>) -> Input {
    let mut input = input.clone();
    match &mut input {
        Input::Text { bytes, .. } => *bytes = new,
        Input::Tree { files, .. } => files[file].content = Content::Held(new),
    }
    input
}
