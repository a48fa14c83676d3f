//! Reads Criterion's files on disk: `target/criterion/**/new/{benchmark,sample}.json`.
//!
//! The raw sample is read, not the estimates made of it. Only `new` directories count: `base` and named baselines are
//! earlier runs, and `change` compares with them. Tested by `fixtures/criterion`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use tripline_model::{BenchId, Reading, SuiteName};

use crate::adapter::{Adapter, Mark};
use crate::criterion_files::{is_criterions, is_newest, is_newest_table};
use crate::document::{Block, Document, Opened};
use crate::gathered::Gathered;
use crate::input::{Input, InputFile, shown_path};
use crate::json::{self, OBJECT_BYTES_MAX, Text, plain_numbers};
use crate::naming::{bench_id, params_of_value};
use crate::own;
use crate::place::{Place, Problem, ReadError, shown};
use crate::worked_through::Kept;
use crate::{Observation, Observed, wall_time};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "criterion",
    about: "Criterion 0.2 to 0.8: the directory `target/criterion` with its raw samples",
    files: is_newest,
    mark: Mark::Path(is_criterions),
    hint: "give the directory `target/criterion` after `cargo bench`; `cargo criterion` leaves no samples there",
    read,
};

/// The files of one benchmark's newest run.
struct Newest<'t> {
    root: &'t Path,
    /// Their directory's path below the root.
    below: &'t Path,
    files: Vec<(&'t OsStr, InputFile<'t>)>,
}

/// Returns the directories of the newest runs, in order.
fn newest(input: &Input) -> Vec<Newest<'_>> {
    let mut all: Vec<Newest<'_>> = Vec::new();
    for file in input.files() {
        let is_newest = |path: Cow<'_, Path>| is_newest(&path) || is_newest_table(&path);
        let InputFile::OfTree { root, file: entry } = file else {
            continue;
        };
        if !file.path_from_directory().is_some_and(is_newest) {
            continue;
        }
        let (Some(below), Some(name)) = (entry.path.parent(), entry.path.file_name()) else {
            continue;
        };
        // Files stand in the order of their paths, so those of a directory follow one another.
        match all.last_mut() {
            Some(last) if last.below.as_os_str() == below.as_os_str() => {
                last.files.push((name, file));
            }
            _ => all.push(Newest {
                root,
                below,
                files: vec![(name, file)],
            }),
        }
    }
    all
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    let mut titles: BTreeMap<String, Newest<'_>> = BTreeMap::new();
    for newest in newest(input) {
        match observe(&newest, suite, &mut gathered) {
            Ok((title, observation)) => {
                let place = newest.place("benchmark.json");
                if let Some(first) = titles.get(&title) {
                    return Err(twice(&title, &first.directory(), place));
                }
                titles.insert(title, newest);
                gathered.add(observation, place);
            }
            Err(problem) => gathered.note(problem),
        }
    }
    gathered.finish(input, ADAPTER.hint)
}

/// Two directories of one key: nobody can say which of them the last run wrote, so neither is read.
fn twice(title: &str, first: &Path, place: Place) -> ReadError {
    ReadError {
        place,
        problem: format!(
            "benchmark `{}` stands twice, here and in {}",
            shown(title),
            shown_path(first)
        ),
        hint: Some("remove the directory that an older version of the benches left behind"),
    }
}

/// `benchmark.json`: the parts of the name, and the key they are joined to.
#[derive(Deserialize)]
struct BenchmarkFile<'t> {
    #[serde(borrow)]
    group_id: Text<'t>,
    #[serde(borrow)]
    function_id: Option<Text<'t>>,
    #[serde(borrow)]
    value_str: Option<Text<'t>>,
    #[serde(borrow)]
    full_id: Text<'t>,
    #[serde(borrow)]
    throughput: Option<&'t RawValue>,
}

/// `sample.json`. How the iterations were spread over the totals does not matter once each total has its count.
#[derive(Debug, PartialEq, Deserialize)]
struct SampleFile {
    /// How often the benchmark ran for each total; a float in the file, though it counts.
    iters: Vec<f64>,
    /// The totals, in nanoseconds.
    times: Vec<f64>,
}

impl SampleFile {
    fn of(document: &Document<'_>) -> Result<Self, Problem> {
        let text = document.text();
        let is_read = text.len() <= OBJECT_BYTES_MAX;
        let written = || Self::as_written(text).or_else(|| Self::as_lists(text));
        let written = is_read.then(written).flatten();
        written.map_or_else(|| parse(document), Ok)
    }

    /// Reads the file if every byte stands as Criterion puts it. Most of all that is read of a tree are these numbers.
    fn as_written(text: &str) -> Option<Self> {
        let text = text.strip_prefix("{\"sampling_mode\":\"")?;
        let (mode, text) = text.split_once("\",\"iters\":[")?;
        let (iters, text) = plain_numbers(text.as_bytes())?;
        let (times, text) = plain_numbers(text.strip_prefix(b"],\"times\":[")?)?;
        let is_whole = text == b"]}" && mode.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_whole.then_some(Self { iters, times })
    }

    /// Reads the two lists alone, as the first versions of Criterion wrote them.
    fn as_lists(text: &str) -> Option<Self> {
        if !text.starts_with("[[") {
            return None;
        }
        let (iters, times) = serde_json::from_str(text).ok()?;
        Some(Self { iters, times })
    }
}

impl<'t> Newest<'t> {
    fn directory(&self) -> PathBuf {
        self.root.join(self.below)
    }

    fn place(&self, name: &str) -> Place {
        Place::start(&shown_path(&self.directory().join(name)))
    }

    /// Opens one of the files. Whatever is wrong with it concerns this benchmark alone, so it is no error of the tree.
    fn document(
        &self,
        name: &'static str,
        gathered: &mut Gathered,
    ) -> Result<Document<'t>, Problem> {
        let Some((_, file)) = self.files.iter().find(|(found, _)| *found == name) else {
            let place = self.place(name);
            let text = format!("`{name}` is missing, so its benchmark is not read");
            return Err(Problem { place, text });
        };
        let opened = Opened::of(*file).map_err(|error| Problem {
            place: error.place,
            text: error.problem,
        })?;
        Ok(opened.told(gathered))
    }

    /// Returns the unit of a measurement of the author's own, where the sample's table says one. Without a table it is the
    /// time that Criterion itself takes.
    fn unit(&self, gathered: &mut Gathered) -> Result<Option<String>, Problem> {
        if self.files.iter().all(|(found, _)| *found != TABLE) {
            return Ok(None);
        }
        let table = self.document(TABLE, gathered)?;
        let mut lines = table.text().lines();
        let column = |line: Option<&str>| {
            line.and_then(|line| line.rsplit(',').nth(1))
                .map(str::to_owned)
        };
        match (column(lines.next()).as_deref(), column(lines.next())) {
            (Some("unit"), Some(unit)) => Ok(Some(unit).filter(|unit| unit != "ns")),
            _ => Err(Problem {
                place: table.place(1, 1),
                text: format!(
                    "`{TABLE}` does not say the unit of its benchmark, which is not read"
                ),
            }),
        }
    }
}

/// The sample as a table.
const TABLE: &str = "raw.csv";

/// Reads a document that is one object.
fn parse<'t, T: Deserialize<'t>>(document: &'t Document<'_>) -> Result<T, Problem> {
    // The end of the last line would be taken for a part of a text that was cut.
    let text = document.text().trim_end();
    json::parse(document, &Block { line: 1, text })
}

fn observe(
    newest: &Newest<'_>,
    suite: &SuiteName,
    gathered: &mut Gathered,
) -> Result<(String, Observation), Problem> {
    let document = newest.document("benchmark.json", gathered)?;
    let benchmark: BenchmarkFile<'_> = parse(&document)?;
    let bench = benchmark.bench_id(suite).map_err(|text| Problem {
        place: document.place(1, 1),
        text,
    })?;
    let document = newest.document("sample.json", gathered)?;
    let sample = SampleFile::of(&document)?;
    let unit = newest.unit(gathered)?;
    let reading = sample.reading(unit.as_deref()).map_err(|error| Problem {
        place: document.place(1, 1),
        text: format!(
            "the times of benchmark `{}` cannot be used: {error}",
            bench.within_suite()
        ),
    })?;
    let caveats = wall_time::caveats(&reading);
    let mut readings = vec![reading];
    match benchmark.rates(&sample) {
        // A rate is of a time.
        Ok(_) if unit.is_some() => {}
        Ok(rates) => readings.extend(rates),
        // The time is none the worse for it.
        Err(error) => gathered.problem(
            newest.place("benchmark.json"),
            format!("of benchmark `{}` {error}", bench.within_suite()),
        ),
    }
    let observation = Observation {
        bench,
        caveats,
        readings,
        answer: None,
    };
    Ok((benchmark.full_id.to_string(), observation))
}

impl BenchmarkFile<'_> {
    fn bench_id(&self, suite: &SuiteName) -> Result<BenchId, String> {
        let name = match &self.function_id {
            Some(function) => format!("{}/{}", &*self.group_id, &**function),
            None => self.group_id.to_string(),
        };
        let params = self.value_str.as_deref().map(params_of_value);
        bench_id(suite, &name, &params.unwrap_or_default())
    }
}

impl BenchmarkFile<'_> {
    /// Returns how much was worked through, where the benchmark states it.
    fn rates(&self, sample: &SampleFile) -> Result<Vec<Reading>, String> {
        let Some(throughput) = self.throughput else {
            return Ok(Vec::new());
        };
        let kept: Option<Kept<'_>> = json::part(throughput)
            .map_err(|error| format!("its throughput cannot be read: {error}"))?;
        let all = kept.map_or(Ok(Vec::new()), |kept| kept.per_iteration())?;
        let (iterations, nanoseconds) = (sample.iters.iter().sum(), sample.times.iter().sum());
        all.iter()
            .map(|one| one.rate(iterations, nanoseconds))
            .collect()
    }
}

impl SampleFile {
    /// Returns what was taken, in a unit of the author's own or in nanoseconds.
    fn reading(&self, unit: Option<&str>) -> Result<Reading, String> {
        let mut iterations = Vec::with_capacity(self.iters.len());
        for (index, count) in self.iters.iter().enumerate() {
            iterations.push(wall_time::whole(*count).ok_or_else(|| {
                format!("iteration count {index} is {count}, not a whole number from 1 to 2^53")
            })?);
        }
        let reading = wall_time::reading(&self.times, iterations, 1.0)?;
        match unit {
            Some(unit) => Ok(Reading {
                metric: own::cost(unit)?,
                ..reading
            }),
            None => Ok(reading),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r#"{"sampling_mode":"Linear","iters":[3.0,6.0],"times":[291.0,582.25]}"#;

    #[test]
    fn a_sample_as_criterion_writes_it_is_what_serde_reads() {
        let fixture =
            include_str!("../../fixtures/criterion/params_and_baselines/alone/new/sample.json");
        for text in [SAMPLE, fixture] {
            let read: SampleFile = serde_json::from_str(text).unwrap();
            assert_eq!(SampleFile::as_written(text), Some(read));
        }
    }

    #[test]
    fn a_sample_as_the_first_versions_wrote_it_is_the_same() {
        let read = |text: &str| {
            let bytes = text.as_bytes().to_vec();
            let opened = Opened::new("sample.json".to_owned(), bytes).unwrap();
            let document = opened.told(&mut Gathered::default());
            SampleFile::of(&document).map_err(|problem| problem.text)
        };
        assert_eq!(read("[[3.0,6.0],[291.0,582.25]]"), read(SAMPLE));
        for damaged in [
            "[[3.0,6.0],[291.0,582.25]",
            "[[3.0,6.0],[291.0,582.25],[1.0]]",
            "[[3.0,6.0]]",
            "[[3.0,\"6.0\"],[291.0,582.25]]",
        ] {
            assert!(read(damaged).is_err(), "{damaged}");
        }
    }

    #[test]
    fn a_sample_that_is_too_large_is_refused_however_plainly_it_is_written() {
        let many = "1,".repeat(OBJECT_BYTES_MAX / 2);
        let text = SAMPLE.replace("3.0,", &many);
        let opened = Opened::new("sample.json".to_owned(), text.into_bytes()).unwrap();
        let document = opened.told(&mut Gathered::default());
        let problem = SampleFile::of(&document).unwrap_err();
        assert!(
            problem.text.ends_with("more than the 67108864 allowed"),
            "{}",
            problem.text
        );
    }

    #[test]
    fn a_sample_that_differs_in_a_byte_is_left_to_serde() {
        for (from, to) in [
            ("\"Linear\"", "\"Li\\\"near\""),
            ("\"Linear\"", "null"),
            ("\"iters\":", "\"iters\": "),
            (",\"times\"", ",\"iters\""),
            ("3.0", "-3.0"),
            ("291.0", "291.0e1"),
            ("]}", "]},"),
            ("]}", "]"),
        ] {
            let text = SAMPLE.replace(from, to);
            assert_eq!(SampleFile::as_written(&text), None, "{text}");
        }
    }
}
