//! Reads what `go test -bench` writes: a text in which each line may be a result, and much else stands between them.
//!
//! Lines of one benchmark in one file are one sample, in order, as `-count` makes them. The package is a param, because
//! packages know nothing of one another's names. What else is stated of results is one where they differ in it. Tested by
//! `fixtures/go` and `tests/it/refusals/fixtures/go.txt`.

mod events;
mod line;
mod metrics;
mod naming;
mod processors;
mod repeats;
mod transcript;
mod words;

use std::rc::Rc;

use tripline_model::SuiteName;
use tripline_model::few;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::apart::{Facts, tell_apart};
use crate::file_names::is_text;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::place::ReadError;
use crate::reports::held_documents;
use crate::vocabulary::Vocabulary;
use events::Unwrapped;
use line::Line;
use processors::Processors;
use repeats::{Entry, joined, observe};
use transcript::Transcript;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "go",
    about: "Go 1.26: the text of `go test -bench`, with `-benchmem`, `-count`, `-cpu`, `-v` and `-json` too",
    files: is_text,
    mark: Mark::Line(is_marked),
    hint: "run `go test -bench .` and give all that it writes",
    read,
};

fn is_marked(text: &str) -> bool {
    match events::output(text) {
        Some(output) => output.lines().any(is_marked_line),
        None => is_marked_line(text),
    }
}

fn is_marked_line(text: &str) -> bool {
    match Line::of(text) {
        Line::Result { run, .. } => !run.is_empty(),
        Line::Begun { .. } => true,
        // Without tabs, other programs write much the same.
        Line::Ended { .. } => text.contains('\t'),
        Line::Broken { package, .. } => package.is_some() && text.contains('\t'),
        Line::Setting { key, .. } => key == "goos",
        _ => false,
    }
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    let mut gathered = Gathered::default();
    let documents = held_documents(input, &ADAPTER, &mut gathered)?;
    let unwrapped: Vec<_> = documents.iter().map(Unwrapped::of).collect();
    let both = documents.iter().zip(&unwrapped);
    let mut transcripts: Vec<Transcript<'_>> = both
        .map(|(document, unwrapped)| match unwrapped {
            Some(unwrapped) => {
                let mut transcript = Transcript::of(unwrapped.lines(), unwrapped.cut_line);
                transcript.problems.extend(unwrapped.problems.clone());
                transcript
            }
            None => Transcript::of(document.lines(), document.cut_line()),
        })
        .collect();
    let mut entries = Vec::new();
    for (document, transcript) in transcripts.iter_mut().enumerate() {
        let is_one_of_many = matches!(input, Input::Tree { .. });
        if is_one_of_many && documents[document].text().trim().is_empty() {
            let problem = (1, "the file is empty".to_owned());
            transcript.problems.push(problem);
        }
        entries.extend(entries_of(transcript, document, suite));
    }
    tell_apart(&mut entries, |entry| (&mut entry.bench, &entry.facts));
    let mut vocabulary = Vocabulary::default();
    let mut entries = entries.into_iter().peekable();
    for (index, (document, transcript)) in documents.iter().zip(transcripts).enumerate() {
        let own = std::iter::from_fn(|| entries.next_if(|entry| entry.document == index));
        let mut problems = transcript.problems;
        let joined = joined(own, &mut problems);
        let observed: Vec<_> = joined
            .iter()
            .filter_map(|entry| observe(entry, &transcript.units, &mut vocabulary, &mut problems))
            .collect();
        few::sort_by_key(&mut problems, |(line, _)| *line);
        for (line, text) in problems {
            gathered.problem(document.place(line, 1), text);
        }
        for (line, observation) in observed {
            gathered.add(observation, document.place(line, 1));
        }
    }
    gathered.settle(&vocabulary);
    gathered.finish(input, ADAPTER.hint)
}

/// Says which benchmarks the results of an output are of, and what cannot be one.
fn entries_of<'t>(
    transcript: &mut Transcript<'t>,
    document: usize,
    suite: &SuiteName,
) -> Vec<Entry<'t>> {
    let processes = std::mem::take(&mut transcript.processes);
    let together = Processors::of_all(&processes);
    let judged = processes.iter().map(|process| {
        let of_all = together.get(&*process.settings).cloned();
        of_all.unwrap_or_else(|| Rc::new(Processors::of(process)))
    });
    let judged: Vec<_> = judged.collect();
    let mut entries = Vec::new();
    for (process, processors) in processes.into_iter().zip(judged) {
        let mut settings: Facts<&str> = Facts::new();
        for (key, value) in &process.settings {
            settings.entry(*key).or_insert_with(|| (*value).to_owned());
        }
        for (name, runs) in process.results.into_all() {
            let (name, number) = processors.split(process.package, name);
            let bench = match naming::bench(suite, process.package, name) {
                Ok(bench) => bench,
                Err(error) => {
                    transcript.problems.push((runs[0].line, error));
                    continue;
                }
            };
            for runs in runs.chunk_by(|one, next| one.stated == next.stated) {
                let stated = transcript.stated[runs[0].stated].iter();
                let mut facts = settings.clone();
                facts.extend(stated.map(|(key, value)| (*key, (*value).to_owned())));
                facts.insert("gomaxprocs", number.unwrap_or(1).to_string());
                entries.push(Entry {
                    document,
                    bench: bench.clone(),
                    facts,
                    name,
                    runs: runs.to_vec(),
                });
            }
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_cut_between_objects_is_told_and_takes_none_with_it() {
        let text = [
            "goos: linux",
            "pkg: a/b",
            r#"{"Action":"output","Package":"a/c","Output":"BenchmarkSet-8 \t 100\t 12 ns/op\n"}"#,
            r#"{"Action":"pass","Package":"a/c"}"#,
            "BenchmarkGet-8 \t 100\t 12",
        ];
        let input = Input::from_bytes("out", text.join("\n").into_bytes());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        let problems: Vec<_> = observed.problems.iter().map(ToString::to_string).collect();
        let expected = ["the output is cut off here: its last line has no end at out:5:1"];
        assert_eq!(problems, expected);
        assert_eq!(observed.observations.len(), 1);
    }

    #[test]
    fn seconds_and_nanoseconds_of_one_unit_are_one_metric() {
        let text = "Unit p99-ns better=lower\nBenchmarkGet 100 12 ns/op 7 p99-ns\nBenchmarkGet 100 0 sec/op 0 p99-sec\nBenchmarkGet 100 2e-9 sec/op 5 p99-ns\n";
        let input = Input::from_bytes("out", text.into());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        assert!(observed.problems.is_empty(), "{:?}", observed.problems);
        let readings = observed.observations[0].readings.iter();
        let shown = readings.map(|reading| (reading.metric.name.as_str(), reading.sample.values()));
        let expected = [
            ("wall_time", &[12.0, 0.0, 2.0][..]),
            ("p99-ns", &[7.0, 0.0, 5.0]),
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn no_more_is_kept_of_what_is_stated_than_may_hold_at_once() {
        let stated = (0..34).map(|key| format!("key-{key}: 1\n"));
        let text = stated.collect::<String>() + "BenchmarkGet-8 \t 100\t 12 ns/op\n";
        let input = Input::from_bytes("out", text.into_bytes());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        let problems: Vec<_> = observed.problems.iter().map(ToString::to_string).collect();
        let expected = |key: u32, line: u32| {
            format!("`key-{key}` is not kept: more than 32 such lines hold at once at out:{line}:1")
        };
        assert_eq!(problems, [expected(32, 33), expected(33, 34)]);
        assert_eq!(observed.observations.len(), 1);
    }
}
