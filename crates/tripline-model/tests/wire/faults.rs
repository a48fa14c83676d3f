//! The tables of faults: one row is a change to a small good file, and the error that must come of it.
//!
//! A new fault is a new row. `bad_input` compares the errors to the letter, place included.

/// One row: what is replaced in `run-small.jsonl` (all of the file where it is empty), by what, and the error.
pub(crate) type Row = (&'static str, &'static str, &'static str);

/// The file as a whole, and its header.
pub(crate) const HEADERS: &[Row] = &[
    ("", "", "EOF while parsing a value at line 1 column 1"),
    ("", "\n", "EOF while parsing a value at line 1 column 1"),
    (
        "",
        "Benchmarking kv/get\n",
        "expected value at line 1 column 1",
    ),
    (
        "",
        "{}\n",
        "the first line is no `tripline_run` header, so this is no run file at line 1 column 1",
    ),
    (
        "",
        "{\"tripline_run\":null}\n",
        "the first line is no `tripline_run` header, so this is no run file at line 1 column 1",
    ),
    (
        "",
        "[]\n",
        "invalid length 0, expected an object at line 1 column 2",
    ),
    (
        "",
        "\u{FEFF}{\"end\":{}}\n",
        "expected value at line 1 column 1",
    ),
    (
        "\"version\":1",
        "\"version\":2",
        "the file is of version 2, and this program reads version 1: use a newer tripline at line 1 column 28",
    ),
    // A later version may describe itself in any other way: its number is all that is looked at.
    (
        "\"version\":1,\"suite\":\"kv\"",
        "\"version\":7,\"suites\":[\"kv\"]",
        "the file is of version 7, and this program reads version 1: use a newer tripline at line 1 column 28",
    ),
    (
        "\"version\":1,",
        "",
        "missing field `version` at line 1 column 328",
    ),
    (
        "\"suite\":\"kv\",",
        "",
        "missing field `suite` at line 1 column 327",
    ),
    (
        "\"suite\":\"kv\"",
        "\"suite\":\"../kv\"",
        "the suite name `../kv` is not of the form lower-case letters, digits and hyphens, at most 64 at line 1 column 1",
    ),
    (
        "2026-01-02T03:04:05Z",
        "yesterday",
        "`measured_at` is no RFC 3339 time (failed to parse four digit integer as year: invalid digit, expected 0-9 but got y) at line 1 column 1",
    ),
    (
        "\"suite\":\"kv\"",
        "\"suite\":\"kv\",\"suit\":1",
        "unknown field `suit`, expected one of `version`, `suite`, `revision`, `measured_at`, `session`, `part`, `producer`, `environment`, `metrics` at line 1 column 48",
    ),
    (
        "\"suite\":\"kv\"",
        "\"suite\":\"kv\",\"a\\u001b[31m\\n\":1",
        "unknown field `a\\u{1b}[31m\\u{a}`, expected one of `version`, `suite`, `revision`, `measured_at`, `session`, `part`, `producer`, `environment`, `metrics` at line 1 column 57",
    ),
    (
        "{\"libc\":\"glibc 2.36\"}",
        "{\"libc\":\"glibc 2.36\",\"libc\":\"musl\"}",
        "key `libc` stands twice at line 1 column 204",
    ),
    (
        "\"glibc 2.36\"",
        "\"glibc\\u0000\"",
        "the fact value holds the character U+0000 at byte 5, which cannot be shown safely at line 1 column 1",
    ),
    (
        "\"unit\":\"ns\"",
        "\"unit\":\"\\n\"",
        "the unit is empty at line 1 column 1",
    ),
    (
        "\"better\":\"lower\"",
        "\"better\":\"less\"",
        "unknown variant `less`, expected one of `lower`, `higher`, `neither` at line 1 column 257",
    ),
];

/// The member of the header that only a part of a run has: one row is what stands there, and the error.
pub(crate) const PARTS: &[(&str, &str)] = &[
    (
        r#"{"steps":[],"of":["counts"],"how":"x"}"#,
        "a part holds no step at line 1 column 1",
    ),
    (
        r#"{"steps":["times"],"of":["counts"],"how":"x"}"#,
        "step `times` is in a part of a suite that does not have it at line 1 column 1",
    ),
    (
        r#"{"steps":["counts","counts"],"of":["counts"],"how":"x"}"#,
        "step `counts` stands twice at line 1 column 1",
    ),
    (
        r#"{"steps":["../counts"],"of":["../counts"],"how":"x"}"#,
        "the step name `../counts` is not of the form lower-case letters, digits and hyphens, at most 64 at line 1 column 1",
    ),
    (
        r#"{"steps":["counts"],"of":["counts"],"how":""}"#,
        "the fact value is empty at line 1 column 1",
    ),
    (
        r#"{"steps":["counts"],"of":["counts"],"how":"x","unmeasured":[{"benchmark":"","step":"counts"}]}"#,
        "the benchmark name is empty at line 1 column 1",
    ),
    (
        r#"{"steps":["counts"],"of":["counts"]}"#,
        "missing field `how` at line 1 column 85",
    ),
];

/// The lines after it, up to the end mark.
pub(crate) const LINES: &[Row] = &[
    (
        "{\"failed\":",
        "{\"tripline_run\":{\"version\":1,\"suite\":\"kv\",\"measured_at\":\"2026-01-02T03:04:05Z\",\"producer\":{\"name\":\"\",\"version\":\"\"},\"environment\":{\"name\":\"e\",\"facts\":{}},\"metrics\":{}}}\n{\"failed\":",
        "a second header at line 4 column 1",
    ),
    (
        "{\"failed\":",
        "\n{\"failed\":",
        "EOF while parsing a value at line 4 column 1",
    ),
    (
        "{\"failed\":",
        "{\"skipped\":",
        "unknown variant `skipped`, expected one of `tripline_run`, `measured`, `failed`, `end` at line 4 column 10",
    ),
    (
        "{\"end\":{}}\n",
        "",
        "the file ends without its end mark: it was cut, or is still being written at line 5 column 1",
    ),
    (
        "{\"end\":{}}",
        "{\"end\":{}}\n",
        "something follows the end mark at line 6 column 1",
    ),
    (
        "{\"end\":{}}",
        "{\"end\":{}}\n{\"end\":{}}",
        "something follows the end mark at line 6 column 1",
    ),
    (
        "{\"end\":{}}",
        "{\"end\":{}} {\"end\":{}}",
        "trailing characters at line 5 column 12",
    ),
    (
        "{\"end\":{}}",
        "{\"end\":{\"ok\":true}}",
        "unknown field `ok`, there are no fields at line 5 column 12",
    ),
    (
        "\"benchmark\":\"get\",\"params\":{\"bytes\":\"64\"},\"readings\":{\"instructions\":{\"values\":[1234]}}",
        "\"benchmark\":\"set\",\"readings\":{\"instructions\":{\"values\":[1234]}}",
        "benchmark `kv/set` stands twice at line 3 column 1",
    ),
    (
        "\"benchmark\":\"get\"",
        "\"benchmark\":\"\"",
        "the benchmark name is empty at line 2 column 1",
    ),
    (
        "\"benchmark\":\"get\"",
        "\"benchmark\":\" \"",
        "the benchmark name is empty at line 2 column 1",
    ),
    (
        "\"benchmark\":\"get\"",
        "\"benchmark\":\"g\\u001b[2Jet\"",
        "the benchmark name holds the character U+001B at byte 1, which cannot be shown safely at line 2 column 1",
    ),
    (
        "\"benchmark\":\"get\"",
        "\"benchmark\":\"g\u{1b}et\"",
        "control character (\\u0000-\\u001F) found while parsing a string at line 2 column 28",
    ),
    (
        "\"benchmark\":\"get\"",
        "\"benchmark\":\"g\u{202E}et\"",
        "the benchmark name holds the character U+202E at byte 1, which cannot be shown safely at line 2 column 1",
    ),
    (
        "\"benchmark\":\"get\"",
        "\"benchmark\":\"\\ud800\"",
        "unexpected end of hex escape at line 2 column 33",
    ),
    (
        "\"benchmark\":\"get\"",
        "\"benchmark\":\"get\",\"benchmark\":\"set\"",
        "duplicate field `benchmark` at line 2 column 42",
    ),
    (
        "\"benchmark\":\"get\"",
        "\"bench\":\"get\"",
        "unknown field `bench`, expected one of `benchmark`, `params`, `readings`, `answer`, `caveats` at line 2 column 20",
    ),
    (
        "{\"bytes\":\"64\"}",
        "{\"bytes\":64}",
        "invalid type: integer `64`, expected a string at line 2 column 51",
    ),
    (
        "{\"bytes\":\"64\"}",
        "{\"bytes\":\"64\",\"bytes\":\"65\"}",
        "key `bytes` stands twice at line 2 column 61",
    ),
    (
        "{\"bytes\":\"64\"}",
        "{\"\":\"64\"}",
        "the param key is empty at line 2 column 1",
    ),
    (
        "\"answer\":\"00ff\"",
        "\"answer\":\"00FF\"",
        "the answer digest `00FF` is not of the form lower-case hexadecimal digits, at most 128 at line 2 column 1",
    ),
    (
        "{\"code\":\"single-sample\"}",
        "{\"code\":\"single-sample\",\"count\":1}",
        "unknown field `count`, there are no fields at line 3 column 146",
    ),
    (
        "{\"code\":\"single-sample\"}",
        "{\"code\":\"hearsay\"}",
        "unknown variant `hearsay`, expected one of `no-baseline`, `environment-differs`, `answer-differs`, `answer-missing`, `metric-differs`, `not-deterministic`, `too-few-repeats`, `single-sample`, `baseline-only`, `tiny-count`, `threads-not-counted`, `collection-changed`, `step-failed`, `modified-work-tree`, `too-few-pairs`, `disturbed`, `cannot-gate`, `base-beyond-too`, `weak-evidence`, `measured-again`, `controls-moved`, `most-moved`, `not-comparable`, `canary-failed`, `counters-missing`, `baseline-stale`, `acceptance-ended`, `acceptance-idle`, `unbounded-ratio`, `no-number`, `term-missing`, `suite-gone` at line 3 column 128",
    ),
    (
        "\"step\":\"times\"",
        "\"step\":\"a/b\"",
        "the step name `a/b` is not of the form lower-case letters, digits and hyphens, at most 64 at line 4 column 1",
    ),
    (
        "{\"exit\":101}",
        "{\"exit\":4294967296}",
        "invalid value: integer `4294967296`, expected i32 at line 4 column 51",
    ),
    (
        "{\"exit\":101}",
        "\"exit\"",
        "invalid type: unit variant, expected newtype variant at line 4 column 39",
    ),
];

/// The numbers.
pub(crate) const VALUES: &[Row] = &[
    (
        "[1234]",
        "[]",
        "metric `instructions` of benchmark `kv/get{bytes=64}`: a sample needs at least one value at line 2 column 1",
    ),
    (
        "[1234]",
        "[1234,-1]",
        "metric `instructions` of benchmark `kv/get{bytes=64}`: value 1 is -1, below zero at line 2 column 1",
    ),
    (
        "[1234]",
        "[-0.5]",
        "metric `instructions` of benchmark `kv/get{bytes=64}`: value 0 is -0.5, below zero at line 2 column 1",
    ),
    ("[1234]", "[NaN]", "expected value at line 2 column 94"),
    ("[1234]", "[Infinity]", "expected value at line 2 column 94"),
    (
        "[1234]",
        "[-Infinity]",
        "invalid number at line 2 column 95",
    ),
    (
        "[1234]",
        "[1e999]",
        "number out of range at line 2 column 98",
    ),
    (
        "[1234]",
        "[null]",
        "invalid type: null, expected a number of at most 2^53 at line 2 column 97",
    ),
    (
        "[1234]",
        "[\"1234\"]",
        "invalid type: string \"1234\", expected a number of at most 2^53 at line 2 column 99",
    ),
    (
        "[1234]",
        "[[1234]]",
        "invalid type: sequence, expected a number of at most 2^53 at line 2 column 94",
    ),
    (
        "[1234]",
        "[9007199254740993]",
        "invalid value: integer `9007199254740993`, expected a number of at most 2^53 at line 2 column 109",
    ),
    (
        "[1234]",
        "[1e16]",
        "metric `instructions` of benchmark `kv/get{bytes=64}`: value 0 is 10000000000000000, too large to be kept exactly (the limit is 2^53) at line 2 column 1",
    ),
    (
        "[1234]",
        "[99999999999999999999]",
        "metric `instructions` of benchmark `kv/get{bytes=64}`: value 0 is 100000000000000000000, too large to be kept exactly (the limit is 2^53) at line 2 column 1",
    ),
    (
        "[100,200]",
        "[100]",
        "metric `wall_time` of benchmark `kv/set`: there are 1 iteration counts for 2 values at line 3 column 1",
    ),
    (
        "[100,200]",
        "[100,0]",
        "metric `wall_time` of benchmark `kv/set`: value 1 was taken over 0 iterations at line 3 column 1",
    ),
    (
        "[100,200]",
        "[100,-200]",
        "invalid value: integer `-200`, expected u64 at line 3 column 97",
    ),
    (
        "[100,200]",
        "[100,2.5]",
        "invalid type: floating point `2.5`, expected u64 at line 3 column 96",
    ),
    (
        "{\"instructions\":{\"values\":[1234]}}",
        "{}",
        "benchmark `kv/get{bytes=64}` has no reading at line 2 column 1",
    ),
    (
        "{\"instructions\":{\"values\"",
        "{\"branches\":{\"values\"",
        "metric `branches` of benchmark `kv/get{bytes=64}` is not described in the header at line 2 column 1",
    ),
    (
        "{\"instructions\":{\"values\":[1234]}}",
        "{\"instructions\":{\"values\":[1234]},\"instructions\":{\"values\":[1235]}}",
        "key `instructions` stands twice at line 2 column 114",
    ),
];

/// Rows for `report-small.jsonl`.
pub(crate) const REPORTS: &[Row] = &[
    ("", "", "EOF while parsing a value at line 1 column 1"),
    (
        "",
        "{}\n",
        "there is no `tripline_report`, so this is no report file at line 1 column 1",
    ),
    (
        "",
        "{\"tripline_run\":{\"version\":1}}\n",
        "there is no `tripline_report`, so this is no report file at line 1 column 1",
    ),
    (
        "{\"version\":1}",
        "{\"version\":3}",
        "the file is of version 3, and this program reads version 1: use a newer tripline at line 1 column 32",
    ),
    (
        "\"base\":",
        "\"basis\":",
        "unknown field `basis`, expected one of `tripline_report`, `suite`, `gate`, `counts`, `base`, `head`, `findings`, `failures`, `caveats` at line 1 column 106",
    ),
    (
        "\"count\":9",
        "\"count\":-9",
        "invalid value: integer `-9`, expected usize at line 1 column 1269",
    ),
    (
        "\"ratio\":1,",
        "\"ratio\":1e999,",
        "number out of range at line 1 column 1345",
    ),
    (
        "\"ratio\":1,",
        "\"ratio\":null,",
        "invalid type: null, expected a number of at most 2^53 at line 1 column 1344",
    ),
    (
        "\"verdict\":\"regressed\"",
        "\"verdict\":\"fine\"",
        "unknown variant `fine`, expected one of `broken`, `regressed`, `removed`, `inconclusive`, `improved`, `added`, `unchanged` at line 1 column 659",
    ),
];
