//! The files of a history: what is written is read back, old files stay readable, the schema is the types', and bad input
//! is an error with a place.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::Value;
use tripline_model::wire::{
    ReadError, history_schema, read_environment, read_record, read_segment, read_series,
    write_environment, write_record, write_segment, write_series,
};
use tripline_model::{
    Behind, CommitSubject, Origin, OriginCommit, Person, Point, Producer, Record, Row, Said,
    Series, SeriesSet, Spread,
};

use crate::bad_input::{assert_rows, flips};
use crate::faults::Row as Fault;
use crate::fixture;
use crate::generate;
use crate::round_trip::config;
use crate::schemas::{committed, complaint, validator, with_unknown_key};

/// Reads a file, and says only whether it could.
pub(crate) type Read = fn(&[u8]) -> Result<(), ReadError>;

/// The files of a history, and what reads them. This list only grows.
pub(crate) const FILES: &[(&str, Read)] = &[
    ("history-record.json", |bytes| read_record(bytes).map(drop)),
    ("history-series.json", |bytes| read_series(bytes).map(drop)),
    ("history-taken-over.json", |bytes| {
        read_record(bytes).map(drop)
    }),
    ("history-rows.json", |bytes| read_series(bytes).map(drop)),
    ("history-environment.json", |bytes| {
        read_environment(bytes).map(drop)
    }),
    ("history-segment.json", |bytes| {
        read_segment(bytes).map(drop)
    }),
];

/// Rows for `history-record.json`.
const OF_A_RECORD: &[Fault] = &[
    ("", "", "EOF while parsing a value at line 1 column 1"),
    (
        "",
        "{}\n",
        "this is no file of a history at line 1 column 1",
    ),
    (
        "",
        "{\"tripline_environment\":{\"version\":1,\"environment\":{\"name\":\"x\",\"facts\":{}}}}\n",
        "the file is no `tripline_record` at line 1 column 1",
    ),
    (
        "\"version\":1",
        "\"version\":2",
        "the file is of version 2, and this program reads version 1: use a newer tripline at line 1 column 31",
    ),
    (
        "\"suite\":\"kv\"",
        "\"suite\":\"../kv\"",
        "the suite name `../kv` is not of the form lower-case letters, digits and hyphens, at most 64 at line 1 column 1",
    ),
    (
        "\"commit\":\"0123456789abcdef0123456789abcdef01234567\"",
        "\"commit\":\"main\"",
        "the commit `main` is not of the form 40 or 64 hexadecimal digits at line 1 column 1",
    ),
    (
        "\"committed_at\":\"2026-11-19T08:00:00Z\"",
        "\"committed_at\":\"1999\"",
        "`committed_at` is no RFC 3339 time (expected two digit month, but found end of input) at line 1 column 1",
    ),
    (
        "\"subject\":\"Größe",
        "\"subject\":\"\\u001b[2JGröße",
        "the commit's subject holds the character U+001B at byte 0, which cannot be shown safely at line 1 column 1",
    ),
    (
        "\"series\":\"c0ffee\"",
        "\"series\":\"../c0ffee\"",
        "the answer digest `../c0ffee` is not of the form lower-case hexadecimal digits, at most 128 at line 1 column 1",
    ),
    (
        "[1234,0.125,-3.0]",
        "[1234,null,-3.0]",
        "invalid type: null, expected f64 at line 1 column 324",
    ),
    (
        "[1,0.1,0.25,30],",
        "[3,0.1,0.25,30],",
        "a spread of series 3 is out of place among 3 series at line 1 column 1",
    ),
    (
        "[2,-3.0,-3.0,2]",
        "[1,0.1,0.25,30]",
        "a spread of series 1 is out of place among 3 series at line 1 column 1",
    ),
    (
        "[1,0.1,0.25,30],",
        "[1,0.2,0.25,30],",
        "the spread of series 1 is none at line 1 column 1",
    ),
];

/// Rows for `history-taken-over.json`.
const OF_A_RECORD_TAKEN_OVER: &[Fault] = &[
    (
        "\"reaches\":[2.5,null]",
        "\"reaches\":[2.5]",
        "there are 1 reaches of 2 series at line 1 column 1",
    ),
    (
        "\"reaches\":[2.5,null]",
        "\"reaches\":[-2.5,null]",
        "the reach of series 0 is none at line 1 column 1",
    ),
    (
        "\"centers\":[1005000,7]",
        "\"centers\":[1005000,7],\"spreads\":[[0,1,1005001,3]]",
        "the spread of series 0 is none at line 1 column 1",
    ),
    (
        "[\"2026-11-20T11:00:00Z\",2]",
        "[\"then\",2]",
        "`behind` is no RFC 3339 time (failed to parse four digit integer as year: invalid digit, expected 0-9 but got t) at line 1 column 1",
    ),
    (
        "\"values\":[[0,1.005]]",
        "\"values\":[[1,7],[0,1.005]]",
        "the `values` are not in order among 2 rows at line 1 column 1",
    ),
    (
        "\"ranges\":[[0,1,",
        "\"ranges\":[[0,3,",
        "the `ranges` are not in order among 2 rows at line 1 column 1",
    ),
    (
        "\"extras\":[[0,2,",
        "\"extras\":[[0,0,",
        "the `extras` are not in order among 2 rows at line 1 column 1",
    ),
    (
        "\"author\":",
        "\"members\":[[0,1,\"{}\"]],\"author\":",
        "the `members` are no lists of names and values at line 1 column 1",
    ),
];

/// Rows for `history-rows.json`.
const OF_ROWS: &[Fault] = &[(
    "[0,\"get\\t64\",\"ms\"]",
    "[1,\"get\\t64\",\"ms\"]",
    "2 rows are not one of each of 2 series at line 1 column 1",
)];

/// Rows for `history-segment.json`.
const OF_A_SEGMENT: &[Fault] = &[
    (
        "[[0,2],[3,1]]",
        "[[0,2],[1,1]]",
        "the numbers of a set are not in order at line 1 column 1",
    ),
    (
        "[\"beef\",3,1]",
        "[\"beef\",4,1]",
        "the blocks do not follow one another at line 1 column 1",
    ),
    (
        "[\"beef\",3,1]",
        "[\"beef\",3,0]",
        "the blocks do not follow one another at line 1 column 1",
    ),
    (
        "\"centers\":[]",
        "\"centers\":[1]",
        "the record of 0123456789abcdef0123456789abcdef01234567 has no place in it at line 1 column 1",
    ),
    (
        "\"series\":\"c0ffee\"",
        "\"series\":\"c0de\"",
        "the record of 0123456789abcdef0123456789abcdef01234567 has no place in it at line 1 column 1",
    ),
];

/// Rows for `history-series.json`.
const OF_SERIES: &[Fault] = &[
    (
        "[\"instructions\",\"power\"]",
        "[\"power\",\"instructions\"]",
        "series `instructions` of benchmark `kv/get{bytes=64}` stands twice, or not in its place at line 1 column 1",
    ),
    (
        "\"metrics\":[\"instructions\"]",
        "\"metrics\":[\"allocations\"]",
        "metric `allocations` of benchmark `kv/set` is not described at line 1 column 1",
    ),
    (
        "\"benchmark\":\"set\"",
        "\"benchmark\":\"\"",
        "the benchmark name is empty at line 1 column 1",
    ),
    (
        "\"power\":{",
        "\"instructions\":{",
        "key `instructions` stands twice at line 1 column 136",
    ),
];

fn point() -> impl Strategy<Value = Point> {
    let single = generate::number().prop_map(Point::single);
    let spread = (vec(generate::number(), 3), 1..=u32::MAX).prop_map(|(mut values, count)| {
        values.sort_by(f64::total_cmp);
        let (low, high) = (values[0], values[2]);
        Point {
            center: values[1],
            spread: Spread::Quartiles { low, high, count },
        }
    });
    let reach = (-1e300..1e300, 0.0..1e300).prop_map(|(center, reach)| Point {
        center,
        spread: Spread::Reach(reach),
    });
    prop_oneof![single, spread, reach]
}

fn words() -> impl Strategy<Value = Option<Box<str>>> {
    option::of(generate::text().prop_map(Into::into))
}

fn person() -> impl Strategy<Value = Option<Person>> {
    option::of((words(), words()).prop_map(|(name, username)| Person { name, username }))
}

/// What is said of so many rows, by whatever there is in a list of words.
fn said(words: &[Option<Box<str>>]) -> Said {
    let mut said = Said::default();
    for (row, text) in words.iter().enumerate() {
        if let Some(text) = text {
            said.push(row, text);
        }
    }
    said
}

fn origin(rows: usize) -> impl Strategy<Value = Origin> {
    let behind = (generate::timestamp(), 0..=u32::MAX);
    let behind = behind.prop_map(|(latest, places)| Behind { latest, places });
    let values = vec(option::of(generate::number()), rows);
    let members = option::of(any::<u16>().prop_map(|n| format!("[[\"n\",{n}]]").into()));
    let texts = (vec(words(), rows), vec(words(), rows), vec(members, rows));
    let people = (person(), person(), option::of(any::<bool>()));
    let commit = (words(), words(), words(), words(), words());
    (option::of(behind), values, texts, people, commit).prop_map(
        |(behind, values, (ranges, extras, members), (author, committer, is_distinct), commit)| {
            let (id, message, timestamp, tree, page) = commit;
            let values = values.into_iter().enumerate();
            let values: Vec<(usize, f64)> = values
                .filter_map(|(row, value)| Some((row, value?)))
                .collect();
            Origin {
                behind,
                values: values.into(),
                ranges: said(&ranges),
                extras: said(&extras),
                members: said(&members),
                commit: OriginCommit {
                    id,
                    author,
                    committer,
                    is_distinct,
                    message,
                    timestamp,
                    tree,
                    page,
                },
            }
        },
    )
}

fn record() -> impl Strategy<Value = Record> {
    let digests = (generate::digest(), generate::digest());
    let times = (generate::timestamp(), option::of(generate::timestamp()));
    let words = (option::of(generate::text()), generate::text());
    let points = vec(point(), 0..6).prop_flat_map(|points| {
        let origin = option::of(origin(points.len()));
        (Just(points), origin)
    });
    let commit = generate::revision().prop_map(|revision| revision.commit);
    (generate::suite(), commit, times, words, digests, points).prop_map(
        |(
            suite,
            commit,
            (measured_at, committed_at),
            (subject, name),
            (environment, series),
            (points, origin),
        )| {
            Record {
                suite,
                commit,
                committed_at,
                subject: subject.map(|text| CommitSubject::new(text).unwrap()),
                measured_at,
                producer: Producer {
                    name,
                    version: "1".to_owned(),
                },
                environment,
                series,
                points: points.into(),
                origin: origin.map(Box::new),
            }
        },
    )
}

fn series() -> impl Strategy<Value = SeriesSet> {
    let rows = option::of((words(), words()));
    (generate::run(), rows).prop_map(|(run, rows)| {
        let mut all: Vec<Series> = run
            .measurements()
            .flat_map(|measurement| {
                measurement.readings().map(|reading| Series {
                    bench: measurement.bench().clone(),
                    metric: reading.metric.clone(),
                })
            })
            .collect();
        all.sort_by(|a, b| (&a.bench, &a.metric.name).cmp(&(&b.bench, &b.metric.name)));
        let row = |(name, unit): (Option<Box<str>>, Option<Box<str>>)| {
            let row = move |series| Row {
                series,
                name: name.clone(),
                unit: unit.clone(),
            };
            (0..all.len()).rev().map(row).collect::<Vec<_>>()
        };
        let rows = rows.map(row).unwrap_or_default();
        let set = SeriesSet::new(run.suite, all).unwrap();
        if rows.is_empty() {
            return set;
        }
        set.with_rows(rows).unwrap()
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_record_comes_back(record in record()) {
        let text = write_record(&record);
        let back = read_record(text.as_bytes());
        prop_assert_eq!(back.as_ref(), Ok(&record), "{}", text);
        prop_assert_eq!(complaint(&validator(&history_schema()), &text), None, "{}", text);
    }

    #[test]
    fn series_come_back(series in series()) {
        let text = write_series(&series);
        let back = read_series(text.as_bytes());
        prop_assert_eq!(back.as_ref(), Ok(&series), "{}", text);
        prop_assert_eq!(complaint(&validator(&history_schema()), &text), None, "{}", text);
    }

    #[test]
    fn an_environment_comes_back(environment in generate::environment()) {
        let text = write_environment(&environment);
        let back = read_environment(text.as_bytes());
        prop_assert_eq!(back.as_ref(), Ok(&environment), "{}", text);
    }
}

#[test]
fn files_of_the_past_stay_readable_and_are_written_the_same() {
    for name in ["history-record.json", "history-taken-over.json"] {
        let record = fixture(name);
        let read = read_record(record.as_bytes()).unwrap();
        assert_eq!(write_record(&read), record);
    }
    for name in ["history-series.json", "history-rows.json"] {
        let series = fixture(name);
        let read = read_series(series.as_bytes()).unwrap();
        assert_eq!(write_series(&read), series);
    }
    let segment = fixture("history-segment.json");
    let read = read_segment(segment.as_bytes()).unwrap();
    assert_eq!(write_segment(&read), segment);
    let environment = fixture("history-environment.json");
    let read = read_environment(environment.as_bytes()).unwrap();
    assert_eq!(write_environment(&read), environment);
}

#[test]
fn the_committed_schema_is_the_types_and_holds() {
    committed("schemas/history.v1.schema.json", &history_schema());
    let validator = validator(&history_schema());
    for (name, _) in FILES {
        assert_eq!(complaint(&validator, &fixture(name)), None, "{name}");
    }
}

#[test]
fn no_object_takes_an_unknown_key() {
    let validator = validator(&history_schema());
    for (name, read) in FILES {
        let file: Value = serde_json::from_str(&fixture(name)).unwrap();
        for changed in with_unknown_key(&file).iter().map(Value::to_string) {
            assert!(
                read(changed.as_bytes()).is_err(),
                "{name} was read with {changed}"
            );
            let complaint = complaint(&validator, &changed);
            assert!(complaint.is_some(), "{name}: the schema allows {changed}");
        }
    }
}

#[test]
fn every_fault_is_named_with_its_place() {
    let of_record: Read = |bytes| read_record(bytes).map(drop);
    let of_series: Read = |bytes| read_series(bytes).map(drop);
    let of_segment: Read = |bytes| read_segment(bytes).map(drop);
    for (name, faults, read) in [
        ("history-record.json", OF_A_RECORD, of_record),
        ("history-taken-over.json", OF_A_RECORD_TAKEN_OVER, of_record),
        ("history-series.json", OF_SERIES, of_series),
        ("history-rows.json", OF_ROWS, of_series),
        ("history-segment.json", OF_A_SEGMENT, of_segment),
    ] {
        assert_rows(&fixture(name), faults.iter(), read);
    }
}

#[test]
fn a_cut_file_is_an_error_and_a_wrong_bit_no_panic() {
    for (name, read) in FILES {
        let text = fixture(name);
        for at in 0..text.len() - 1 {
            assert!(read(&text.as_bytes()[..at]).is_err(), "{name} cut at {at}");
        }
        for flipped in flips(text.as_bytes(), 2) {
            let _ = read(&flipped);
        }
    }
}
