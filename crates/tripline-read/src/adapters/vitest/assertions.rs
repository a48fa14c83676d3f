//! The JSON that vitest writes of tests from version 5 on, where a benchmark is part of a test: `--reporter=json`.
//!
//! A file is named by its whole path, which is another on every machine; so of that only the last part counts, and where
//! two files would be one, what lies below the folder that all are in. Tested below and by `fixtures/vitest`.

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::SuiteName;

use super::{Named, timed};
use crate::apart::Facts;
use crate::gathered::Gathered;
use crate::js_times::Times;
use crate::json::Text;
use crate::place::shown;
use crate::reports::Report;

/// What every file of tests has, those of version 1 that were of benchmarks alone left out.
const ASSERTIONS: &str = "\"assertionResults\"";

/// What every test has, also one without any.
const BENCHMARKS: &str = "\"benchmarks\"";

/// Returns whether a text is such a report, though perhaps all its benchmarks failed.
pub(super) fn is_report(text: &str) -> bool {
    text.contains(ASSERTIONS) && text.contains(BENCHMARKS)
}

/// Returns whether a text is a report of tests, in one of which was a benchmark.
pub(super) fn is_marked(text: &str) -> bool {
    let marks = [
        ASSERTIONS,
        BENCHMARKS,
        "\"tasks\"",
        "\"latency\"",
        "\"samplesCount\"",
    ];
    marks.iter().filter(|mark| text.contains(**mark)).count() >= 4
}

/// How a file and a test say that they failed.
const FAILED: &str = "failed";

/// The files of a report.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Export<'t> {
    #[serde(borrow)]
    test_results: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<'t> {
    /// Its path.
    #[serde(borrow)]
    name: Text<'t>,
    #[serde(borrow)]
    status: Text<'t>,
    /// Why it failed, if that was outside its tests.
    #[serde(borrow)]
    message: Option<Text<'t>>,
    #[serde(borrow)]
    assertion_results: Vec<&'t RawValue>,
}

/// A test.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test<'t> {
    #[serde(borrow)]
    ancestor_titles: Vec<Text<'t>>,
    #[serde(borrow)]
    title: Text<'t>,
    #[serde(borrow)]
    status: Text<'t>,
    /// Those of all its tries, of which the last may have passed.
    #[serde(borrow)]
    failure_messages: Vec<Text<'t>>,
    #[serde(borrow, default)]
    benchmarks: Vec<Compared<'t>>,
}

/// What was compared within a test.
#[derive(Deserialize)]
struct Compared<'t> {
    #[serde(borrow)]
    tasks: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
struct Task<'t> {
    #[serde(borrow)]
    latency: Times<'t>,
}

pub(super) fn read(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(Export { test_results }) = report.parse(gathered) else {
        return;
    };
    let named = test_results
        .iter()
        .filter_map(|part| serde_json::from_str(part.get()).ok());
    let named: Vec<Named<'_>> = named.collect();
    let shared = shared_folder(named.iter().map(|file| &*file.name)).len();
    for part in test_results {
        let Some((file, place)) = report.part::<File<'_>>(part, gathered) else {
            continue;
        };
        let has_failed_test = read_tests(suite, &file, shared, report, gathered);
        if *file.status == *FAILED && !has_failed_test {
            let why = file.message.as_deref().unwrap_or_default();
            let why = match why.lines().next() {
                Some(why) => format!("outside its tests: {}", shown(why)),
                None => "outside its tests".to_owned(),
            };
            let name = shown(&file.name[shared..]);
            gathered.problem(place, format!("file `{name}` failed {why}"));
        }
    }
}

/// Reads the tests of a file, and returns whether one of them failed.
fn read_tests<'t>(
    suite: &SuiteName,
    file: &File<'t>,
    shared: usize,
    report: &mut Report<'_, 't>,
    gathered: &mut Gathered,
) -> bool {
    let mut has_failed = false;
    for part in &file.assertion_results {
        let Some((test, place)) = report.part::<Test<'_>>(part, gathered) else {
            continue;
        };
        let path = &file.name[shared..];
        let group = test.group(path);
        for task in test.benchmarks.iter().flat_map(|compared| &compared.tasks) {
            read_task(suite, path, &group, task, report, gathered);
        }
        if *test.status == *FAILED {
            has_failed = true;
            let why = test.failure_messages.first();
            let why = why.and_then(|why| why.lines().next()).unwrap_or_default();
            let (group, why) = (shown(&group), shown(why));
            gathered.problem(place, format!("test `{group}` failed: {why}"));
        }
    }
    has_failed
}

fn read_task<'t>(
    suite: &SuiteName,
    path: &str,
    group: &str,
    part: &'t RawValue,
    report: &mut Report<'_, 't>,
    gathered: &mut Gathered,
) {
    let Some((Named { name }, place)) = report.part::<Named<'_>>(part, gathered) else {
        return;
    };
    if let Some((Task { latency }, _)) = report.part::<Task<'_>>(part, gathered) {
        let facts = Facts::from([("file", path.to_owned())]);
        gathered.take(timed(suite, group, &name, &latency, facts), place);
    }
}

impl Test<'_> {
    /// Returns the names above those of the benchmarks.
    fn group(&self, path: &str) -> String {
        let mut group = path.rsplit(SEPARATORS).next().unwrap_or(path).to_owned();
        for title in self.ancestor_titles.iter().chain([&self.title]) {
            group.push('/');
            group.push_str(title);
        }
        group
    }
}

/// What parts the folders of a path.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// Returns what all paths begin with, up to the end of a folder.
pub(super) fn shared_folder<'p>(mut paths: impl Iterator<Item = &'p str>) -> &'p str {
    let folder = |path: &'p str| &path[..path.rfind(SEPARATORS).map_or(0, |at| at + 1)];
    let first = paths.next().map_or("", folder);
    paths.fold(first, |shared, path| {
        let mut pairs = shared.char_indices().zip(path.chars());
        let differs = pairs.find(|((_, a), b)| a != b);
        let end = differs.map_or(shared.len().min(path.len()), |((at, _), _)| at);
        folder(&shared[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_share_whole_folders() {
        for (paths, expected) in [
            (&["/repo/a.mjs"][..], "/repo/"),
            (&["/repo/a.mjs", "/repo/b/a.mjs"], "/repo/"),
            (&["/repo/ab/x.mjs", "/repo/ac/x.mjs"], "/repo/"),
            (&["/repo/a/x.mjs", "/repo/a"], "/repo/"),
            (&["/repo/x.mjs", "/x.mjs", "/repo/x.mjs"], "/"),
            (&["C:\\r\\a.mjs", "C:\\r\\b.mjs"], "C:\\r\\"),
            (&["a.mjs", "b/a.mjs"], ""),
            (&["/\u{e4}/x", "/\u{e4}\u{e5}/x"], "/"),
            (&[], ""),
        ] {
            assert_eq!(shared_folder(paths.iter().copied()), expected, "{paths:?}");
        }
    }
}
