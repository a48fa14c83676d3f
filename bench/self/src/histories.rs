//! What comes from elsewhere and grows large: a tree of Criterion's results, and the history that another service kept.
//!
//! Both are made up from the number of benchmarks alone, the same every time. Tests: the stages find all of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tripline_model::wire::write_run;
use tripline_model::{CommitId, Revision, Run, WorkTree};
use tripline_read::{Content, Input, TreeFile};

use crate::inputs::{Random, parts};
use crate::prepared::runs;
use crate::stages::Runs;

/// How many commits a history has.
pub(crate) const COMMITS: usize = 100;

/// How many commits a long one has: with 500 benchmarks it is a file of more than 84 MB.
pub const LONG: usize = 1_000;

/// How many totals Criterion takes of a benchmark.
pub(crate) const SAMPLES: usize = 100;

/// What Criterion says of a run, and of how it differs from the one before.
const ESTIMATES: [&str; 5] = ["mean", "median", "median_abs_dev", "slope", "std_dev"];
const CHANGES: [&str; 2] = ["mean", "median"];

/// Writes of what Criterion leaves in `target/criterion` the files that are read, with those of the run before.
#[must_use]
pub fn criterion_tree(benchmarks: usize) -> Input {
    tree(benchmarks, &["base", "new"], |random, _, index| {
        let sample = sample(random, |total| total);
        vec![("benchmark.json", about(index)), ("sample.json", sample)]
    })
}

/// Writes all that Criterion leaves there where it draws no plots, in whole nanoseconds as its clock gives them.
#[must_use]
pub fn criterion_directory(benchmarks: usize) -> Input {
    tree(
        benchmarks,
        &["base", "change", "new"],
        |random, run, index| match run {
            "change" => vec![("estimates.json", estimates(random, &CHANGES))],
            _ => vec![
                ("benchmark.json", about(index)),
                ("estimates.json", estimates(random, &ESTIMATES)),
                ("sample.json", sample(random, f64::round)),
                (
                    "tukey.json",
                    format!("{:?}", [(); 4].map(|()| level(random))),
                ),
            ],
        },
    )
}

fn tree(
    benchmarks: usize,
    runs: &[&str],
    files_of: impl Fn(&mut Random, &str, usize) -> Vec<(&'static str, String)>,
) -> Input {
    let mut random = Random::new();
    let mut files = Vec::new();
    for index in 0..benchmarks {
        let (group, function, bytes) = parts(index);
        for run in runs {
            for (name, text) in files_of(&mut random, run, index) {
                files.push(TreeFile {
                    path: PathBuf::from(format!("{group}/{function}/{bytes}/{run}/{name}")),
                    content: Content::Held(text.into_bytes()),
                });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let root = "criterion".into();
    Input::Tree { root, files }
}

fn about(index: usize) -> String {
    let (group, function, bytes) = parts(index);
    let id = format!("{group}/{function}/bytes={bytes}");
    format!(
        "{{\"group_id\":\"{group}\",\"function_id\":\"{function}\",\"value_str\":\"bytes={bytes}\",\
         \"throughput\":{{\"Bytes\":{bytes}}},\"full_id\":\"{id}\",\"directory_name\":\"{id}\",\"title\":\"{id}\"}}"
    )
}

/// Writes totals that grow with their iterations.
fn sample(random: &mut Random, total: fn(f64) -> f64) -> String {
    let step = 1 + random.below(1_000);
    let each = level(random);
    let mut iterations = Vec::new();
    let mut times = Vec::new();
    for index in 1..=SAMPLES as u64 {
        let count = (index * step) as f64;
        iterations.push(format!("{count:?}"));
        times.push(format!("{:?}", total(count * each * noise(random))));
    }
    format!(
        "{{\"sampling_mode\":\"Linear\",\"iters\":[{}],\"times\":[{}]}}",
        iterations.join(","),
        times.join(",")
    )
}

fn level(random: &mut Random) -> f64 {
    50.0 + random.below(1_000_000) as f64 / 7.0
}

fn estimates(random: &mut Random, names: &[&str]) -> String {
    let estimates = names.iter().map(|name| {
        let [low, high, point, error] = [(); 4].map(|()| level(random));
        format!(
            "\"{name}\":{{\"confidence_interval\":{{\"confidence_level\":0.95,\"lower_bound\":{low:?},\"upper_bound\":{high:?}}},\
             \"point_estimate\":{point:?},\"standard_error\":{error:?}}}"
        )
    });
    format!("{{{}}}", estimates.collect::<Vec<String>>().join(","))
}

/// Returns a factor near one.
pub(crate) fn noise(random: &mut Random) -> f64 {
    1.0 + random.below(1_000_000) as f64 / 3e7
}

/// Makes a baseline as it lies in a repository, and a run that is compared with it and appended to the history.
///
/// # Panics
/// The commit is none, which it is.
#[must_use]
pub fn appended(benchmarks: usize) -> (String, Run) {
    let Runs { base, mut head } = runs(benchmarks);
    let commit = CommitId::new(&"c".repeat(40)).expect("the text is a hash");
    head.revision = Some(Revision {
        commit,
        work_tree: WorkTree::Clean,
    });
    (write_run(&base), head)
}

/// Puts a tree on the disk, as Criterion does.
///
/// # Errors
/// A file cannot be written.
pub fn write_tree(tree: &Input, place: &Path) -> io::Result<u64> {
    let Input::Tree { files, .. } = tree else {
        return Ok(0);
    };
    let mut bytes = 0;
    for TreeFile { path, content } in files {
        let path = place.join(path);
        if let (Some(folder), Content::Held(text)) = (path.parent(), content) {
            fs::create_dir_all(folder)?;
            fs::write(&path, text)?;
            bytes += text.len() as u64;
        }
    }
    Ok(bytes)
}

/// Goes through a directory and reads what is read of Criterion's, and makes nothing of it: what the disk takes at the
/// least, without a look at earlier runs. Returns how many bytes it read.
///
/// # Errors
/// Something cannot be read.
pub fn read_bytes(place: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(place)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            if !path.ends_with("base") && !path.ends_with("change") {
                bytes += read_bytes(&path)?;
            }
        } else if path.ends_with("new/benchmark.json") || path.ends_with("new/sample.json") {
            bytes += fs::read(&path)?.len() as u64;
        }
    }
    Ok(bytes)
}

/// Writes a history of some commits.
#[must_use]
pub fn data_js(benchmarks: usize) -> String {
    data_js_of(benchmarks, COMMITS)
}

/// Writes the `data.js` that github-action-benchmark keeps: every benchmark again for each commit, and who made it.
#[must_use]
pub fn data_js_of(benchmarks: usize, commits: usize) -> String {
    let mut random = Random::new();
    let base: Vec<f64> = (0..benchmarks)
        .map(|_| 50.0 + random.below(10_000_000) as f64 / 7.0)
        .collect();
    let mut text = String::from(
        "window.BENCHMARK_DATA = {\n  \"lastUpdate\": 1767323045000,\n  \"repoUrl\": \"https://github.com/example/store\",\n  \"entries\": {\n    \"Store\": [\n",
    );
    for commit in 0..commits {
        entry(&mut text, commit, &base, &mut random);
        text.push_str(if commit + 1 < commits { ",\n" } else { "\n" });
    }
    text.push_str("    ]\n  }\n}");
    text
}

fn entry(text: &mut String, commit: usize, base: &[f64], random: &mut Random) {
    const WHO: &str = r#"{ "email": "ada@example.org", "name": "Ada", "username": "ada" }"#;
    let hash = format!("{:040x}", commit + 1);
    let milliseconds = 1_700_000_000_000 + commit * 3_600_000;
    let (days, hour) = (commit / 24, commit % 24);
    let (month, day) = (1 + days / 28, 1 + days % 28);
    let benches: Vec<String> = base
        .iter()
        .enumerate()
        .map(|(index, base)| bench(index, base * noise(random)))
        .collect();
    let benches = benches.join(",\n");
    write!(
        text,
        "      {{\n        \"commit\": {{\n          \"author\": {WHO},\n          \"committer\": {WHO},\n          \
         \"id\": \"{hash}\",\n          \"message\": \"Change {commit} of the store\",\n          \
         \"timestamp\": \"2026-{month:02}-{day:02}T{hour:02}:00:00Z\",\n          \
         \"url\": \"https://github.com/example/store/commit/{hash}\"\n        }},\n        \"date\": {milliseconds},\n        \
         \"tool\": \"customSmallerIsBetter\",\n        \"benches\": [\n{benches}\n        ]\n      }}"
    )
    .expect("a text takes all that is written");
}

fn bench(index: usize, value: f64) -> String {
    let (group, function, bytes) = parts(index);
    format!(
        "          {{\n            \"name\": \"{group}/{function}/{bytes}\",\n            \"value\": {value:?},\n            \
         \"range\": \"± {:.2}\",\n            \"unit\": \"ns/iter\",\n            \"extra\": \"100 samples\"\n          }}",
        value / 50.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SMOKE;

    #[test]
    fn the_floor_reads_what_the_adapter_reads() {
        let folder = tempfile::tempdir().unwrap();
        let tree = criterion_directory(SMOKE);
        let all = write_tree(&tree, folder.path()).unwrap();
        let Input::Tree { files, .. } = &tree else {
            panic!("a directory is a tree");
        };
        let read = files.iter().filter(|file| {
            let names = ["new/benchmark.json", "new/sample.json"];
            names.iter().any(|name| file.path.ends_with(name))
        });
        let read: Vec<usize> = read
            .map(|file| match &file.content {
                Content::Held(bytes) => bytes.len(),
                Content::OnDisk { .. } => 0,
            })
            .collect();
        assert_eq!(read.len(), 2 * SMOKE);
        let bytes = read_bytes(folder.path()).unwrap();
        assert_eq!(bytes, read.iter().sum::<usize>() as u64);
        assert!(bytes < all);
    }
}
