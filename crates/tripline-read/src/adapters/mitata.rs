//! Reads mitata's JSON, `run({ format: 'json' })`, or `run({ json: true })` of versions before 1.0, the table that both
//! print, the tables of `run({ format: 'markdown' })`, and what `deno bench` writes, whose tables began as mitata's.
//!
//! The raw times are in the JSON of both, sorted and without the outermost ones. A benchmark with arguments has a run for
//! each of their values. Tested by `fixtures/mitata`.

mod beside;
mod deno;
mod deno_files;
mod deno_json;
mod deno_lines;
mod markdown;
mod memory;
mod table;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tripline_model::SuiteName;

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::file_names::has_extension;
use crate::gathered::Gathered;
use crate::input::Input;
use crate::js_times::{BENCHMARK, Times, entry};
use crate::json::Text;
use crate::naming::bench_id;
use crate::place::{Place, ReadError, shown};
use crate::quantity::as_it_is;
use crate::reports::{Report, read_documents, read_hollow, read_marked};
use deno_files::{FILE, Files};
use table::Row;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "mitata",
    about: "mitata 0.1 and 1.0: the JSON of `run({ format: 'json' })`, or the tables of `run()`, as text or Markdown; the tables of `deno bench` up to 2.9, and its `--json`",
    files: |path| has_extension(path, &["json", "txt"]),
    mark: Mark::Text(|text| {
        is_marked(text)
            || deno_json::is_marked(text)
            || table::is_text(text)
            || deno::is_text(text)
            || deno_lines::is_text(text)
            || text.lines().any(markdown::is_line)
    }),
    hint: "call `run({ format: 'json' })`, or where that is too large `run({ format: { json: { debug: false, samples: false } } })`, and give the standard output",
    read,
};

/// Each of these stands in every report, so one of them may be damaged.
fn is_marked(text: &str) -> bool {
    let marks = [
        "\"benchmarks\"",
        "\"group\"",
        "\"baseline\"",
        "\"runtime\"",
        "\"p999\"",
        "\"layout\"",
    ];
    let count = || marks.iter().filter(|mark| text.contains(**mark)).count();
    text.contains("\"stats\"") && count() >= 4
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_documents(input, &ADAPTER, |document, gathered| {
        let document = &document;
        let files = Files::of(document);
        let take = |row: &Row, place: Place, gathered: &mut Gathered| {
            let mut entry = entry(suite, BENCHMARK, &row.name, &[], row.readings());
            if let (Ok(entry), Some(file)) = (&mut entry, files.of_line(place.line)) {
                entry.facts.insert(FILE, file.to_owned());
            }
            gathered.take(entry, place);
        };
        table::read(document, gathered, take);
        deno::read(document, gathered, take);
        deno_lines::read(document, gathered, take);
        markdown::read(document, gathered, take);
        let read = |report: &mut Report<'_, '_>, gathered: &mut Gathered| {
            read_report(suite, report, gathered);
        };
        read_marked(document, is_marked, gathered, read);
        read_hollow(document, is_marked, "\"benchmarks\"", gathered, read);
        deno_json::read(document, suite, gathered);
    })
}

fn read_report(suite: &SuiteName, report: &mut Report<'_, '_>, gathered: &mut Gathered) {
    let Some(Export { layout, benchmarks }) = report.parse(gathered) else {
        return;
    };
    for benchmark in benchmarks {
        let group = group_of(benchmark.group.as_ref(), &layout);
        let alone = Run {
            name: None,
            args: None,
            stats: benchmark.stats,
            error: benchmark.error,
        };
        let own = benchmark.alias.or(benchmark.name);
        for run in benchmark.runs.unwrap_or_else(|| vec![alone]) {
            let (name, pairs) = named(group.as_ref(), own.as_deref(), &run);
            if run.stats.is_none() {
                let why = run.error.as_ref().map(why).unwrap_or_default();
                // Runs of one benchmark differ by their arguments alone.
                let bench = bench_id(suite, &name, &pairs);
                let name = bench.map_or_else(|_| shown(&name), |bench| bench.within_suite());
                let text = format!("benchmark `{name}` failed: {why}");
                gathered.problem(report.start(), text);
            }
            report.each(run.stats, gathered, |times: Times<'_>, place, gathered| {
                let mut readings = times.readings(as_it_is());
                match (&mut readings, beside::readings(&times)) {
                    (Ok(readings), Ok(beside)) => readings.extend(beside),
                    (Ok(_), Err(error)) => {
                        let name = shown(&name);
                        let text = format!(
                            "what stands beside the times of benchmark `{name}` cannot be used: {error}"
                        );
                        gathered.problem(place.clone(), text);
                    }
                    (Err(_), _) => {}
                }
                entry(suite, BENCHMARK, &name, &pairs, readings)
            });
        }
    }
}

#[derive(Deserialize)]
struct Export<'t> {
    #[serde(borrow, default)]
    layout: Vec<Group<'t>>,
    #[serde(borrow)]
    benchmarks: Vec<Benchmark<'t>>,
}

#[derive(Deserialize)]
struct Group<'t> {
    #[serde(borrow)]
    name: Option<Text<'t>>,
}

/// A benchmark; before version 1.0 it was its only run as well.
#[derive(Deserialize)]
struct Benchmark<'t> {
    group: Option<Value>,
    #[serde(borrow)]
    alias: Option<Text<'t>>,
    #[serde(borrow)]
    name: Option<Text<'t>>,
    #[serde(borrow)]
    runs: Option<Vec<Run<'t>>>,
    #[serde(borrow)]
    stats: Option<&'t RawValue>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Run<'t> {
    #[serde(borrow)]
    name: Option<Text<'t>>,
    #[serde(default)]
    args: Option<serde_json::Map<String, Value>>,
    #[serde(borrow)]
    stats: Option<&'t RawValue>,
    error: Option<Value>,
}

/// What the name of a group begins with that was given none.
const UNNAMED: &str = "$mitata_group";

/// Returns the name of a benchmark's group, which newer reports keep in a list of their own.
fn group_of(group: Option<&Value>, layout: &[Group<'_>]) -> Option<String> {
    match group? {
        // Before version 1.0 a group without a name has one by which mitata tells it from others.
        Value::String(name) if name.starts_with(UNNAMED) => None,
        Value::String(name) => Some(name.clone()),
        Value::Number(index) => {
            let index = usize::try_from(index.as_u64()?).ok()?;
            layout.get(index)?.name.as_deref().map(str::to_owned)
        }
        _ => None,
    }
}

/// Returns name and params of a run.
fn named(
    group: Option<&String>,
    own: Option<&str>,
    run: &Run<'_>,
) -> (String, Vec<(String, String)>) {
    let args = run.args.iter().flatten();
    // The alias has the arguments' names in it, where the run has their values, which are params.
    let name = match (own, &run.name) {
        (Some(own), _) => without_arguments(own, args.clone().map(|(key, _)| key)),
        (None, Some(name)) => name.to_string(),
        (None, None) => String::new(),
    };
    let parts: Vec<&str> = group
        .into_iter()
        .chain([&name])
        .map(String::as_str)
        .collect();
    let pairs = args.map(|(key, value)| (key.clone(), text(value)));
    (parts.join("/"), pairs.collect())
}

/// What is left of an alias beside its words, where arguments are taken out of it.
const BESIDE_WORDS: [char; 8] = [' ', ',', '(', ')', ':', '/', '=', '-'];

/// Takes `$size` and the brackets around it out of `fill($size)`. An alias of arguments alone is a name as it is.
fn without_arguments<'a>(alias: &str, names: impl Iterator<Item = &'a String>) -> String {
    let mut text = alias.to_owned();
    for name in names {
        text = text.replace(&format!("${name}"), "");
    }
    if text.len() == alias.len() || !text.contains(char::is_alphanumeric) {
        return alias.to_owned();
    }
    let begins_with_one = alias.trim_start_matches(BESIDE_WORDS).starts_with('$');
    let text = match begins_with_one {
        true => text.trim_start_matches(BESIDE_WORDS),
        false => &text,
    };
    text.trim_end_matches(BESIDE_WORDS).to_owned()
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns what an error says. Most errors lose everything on their way into JSON.
fn why(error: &Value) -> String {
    let message = error.get("message").unwrap_or(error);
    shown(&text(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_an_alias_says_beside_its_arguments() {
        let names = ["n".to_owned(), "k".to_owned()];
        for (alias, expected) in [
            ("get", "get"),
            ("get($n)", "get"),
            ("get[0] $n", "get[0]"),
            ("$n items", "items"),
            ("($n) items", "items"),
            ("(fast) sum $n", "(fast) sum"),
            ("price $n$", "price $"),
            ("$n", "$n"),
            ("$n-$k", "$n-$k"),
            ("[$n]", "[$n]"),
            ("get $other", "get $other"),
        ] {
            assert_eq!(without_arguments(alias, names.iter()), expected);
        }
    }

    #[test]
    fn a_group_without_a_name_gives_none() {
        let name = |name: &str| group_of(Some(&Value::from(name)), &[]);
        assert_eq!(name("$mitata_group1"), None);
        assert_eq!(name("sorts").as_deref(), Some("sorts"));
    }
}
