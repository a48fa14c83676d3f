//! What is made of a whole history that github-action-benchmark kept, good and bad.

mod rows;
mod script;
mod suites;

use std::fmt::Write as _;

use tripline_model::Row;
use tripline_read::{Imported, read_data_js, split_data_js};

/// What three versions of the action and four tools left behind: values that are texts or nothing, a commit that was
/// measured twice, and one that is older than the last.
const HISTORY: &str = include_str!("../data_js/data.js");

fn shown(imported: &Imported) -> String {
    let mut text = String::new();
    for (name, title) in &imported.suites {
        writeln!(text, "suite {name}: {title}").unwrap();
    }
    for entry in &imported.entries {
        let commit = entry.commit.short();
        let subject = entry
            .subject
            .as_ref()
            .map_or("-", |subject| subject.as_str());
        let (at, tool) = (entry.measured_at, &entry.producer.version);
        writeln!(text, "{commit} {at} by {tool}: {subject}").unwrap();
        let series = imported.series[entry.series].all();
        for (series, point) in series.iter().zip(&entry.points) {
            let (low, high) = point.ends();
            let (metric, unit) = (&series.metric.name, series.metric.unit.symbol());
            let (bench, better) = (&series.bench, series.metric.better);
            let center = point.center;
            writeln!(
                text,
                "  {bench} {metric}: {center} {unit} ({low} to {high}, {better:?})"
            )
            .unwrap();
        }
        let origin = entry.origin.as_deref().unwrap();
        for (row, at) in imported.series[entry.series].rows().iter().enumerate() {
            let Row { series, name, unit } = at;
            let (value, range) = (origin.value(row), origin.ranges.of(row));
            let (extra, members) = (origin.extras.of(row), origin.members.of(row));
            writeln!(
                text,
                "  row {series} {name:?} {unit:?} {value:?} {range:?} {extra:?} {members:?}"
            )
            .unwrap();
        }
        writeln!(text, "  {:?} {:?}", origin.behind, origin.commit).unwrap();
    }
    for problem in &imported.problems {
        writeln!(text, "problem: {problem}").unwrap();
    }
    text
}

#[test]
fn a_history_of_years_is_read_value_by_value() {
    let imported = read_data_js("data.js", HISTORY.as_bytes()).unwrap();
    insta::assert_snapshot!(shown(&imported));
    // What is odd and is kept is none of them.
    let told = imported.problems.iter().map(|problem| &problem.text);
    let is_left_out = |text: &&String| text.contains(" is left out: ");
    assert_eq!(told.filter(is_left_out).count(), imported.left_out);
}

#[test]
fn script_and_plain_json_are_the_same() {
    let whole = read_data_js("data.js", HISTORY.as_bytes()).unwrap();
    let json = HISTORY.split_once(" = ").unwrap().1;
    for text in [
        json.to_owned(),
        format!("\u{feff}window.BENCHMARK_DATA={json};\n"),
    ] {
        let read = read_data_js("data.js", text.as_bytes()).unwrap();
        assert_eq!(
            (&read.entries, &read.series),
            (&whole.entries, &whole.series)
        );
        assert_eq!(read.problems.len(), whole.problems.len());
    }
}

/// Returns a text as PowerShell writes it.
fn utf16(text: &str) -> Vec<u8> {
    let text = format!("\u{feff}{}", text.trim_start_matches('\u{feff}'));
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn a_history_in_utf_16_is_the_same() {
    let whole = read_data_js("data.js", HISTORY.as_bytes()).unwrap();
    let read = read_data_js("data.js", &utf16(HISTORY)).unwrap();
    assert_eq!(read, whole);
    let mut cut = utf16(HISTORY);
    cut.pop();
    let error = read_data_js("data.js", &cut).expect_err("it is cut");
    assert!(error.to_string().contains("cut off here"), "{error}");
}

#[test]
fn no_address_of_an_author_is_read() {
    let imported = read_data_js("data.js", HISTORY.as_bytes()).unwrap();
    assert!(HISTORY.contains("ada@example.org"));
    assert!(!format!("{imported:?}").contains("example.org"));
}

#[test]
fn a_cut_history_is_an_error_with_a_place() {
    for at in (0..HISTORY.trim_end().len()).step_by(7) {
        let Some(cut) = HISTORY.get(..at) else {
            continue;
        };
        let error = read_data_js("data.js", cut.as_bytes()).expect_err("it is cut");
        assert!(error.place.line >= 1, "{error}");
        assert!(!error.to_string().contains(char::is_control));
    }
}

#[test]
fn a_wrong_byte_is_no_panic_and_loses_no_value_without_a_word() {
    let whole = read_data_js("data.js", HISTORY.as_bytes()).unwrap();
    let values = |imported: &Imported| -> usize {
        imported
            .entries
            .iter()
            .map(|entry| entry.points.len())
            .sum()
    };
    for at in (0..HISTORY.len()).filter(|at| HISTORY.is_char_boundary(*at)) {
        let mut bytes = HISTORY.as_bytes().to_vec();
        bytes[at] ^= 1 << (at % 7);
        if let Ok(read) = read_data_js("data.js", &bytes) {
            let is_all = values(&read) >= values(&whole);
            let is_told = read
                .problems
                .iter()
                .any(|new| whole.problems.iter().all(|known| known.text != new.text));
            // A member under another key is not looked for; nobody can know that it was to be one.
            let is_key = key_at(at);
            assert!(is_all || is_told || is_key, "byte {at}");
        }
    }
}

/// Returns whether a byte lies in a key or in its quotes.
fn key_at(at: usize) -> bool {
    let line_start = HISTORY[..at].rfind('\n').map_or(0, |at| at + 1);
    let line = HISTORY[line_start..].lines().next().unwrap();
    let at = at - line_start;
    line.match_indices("\": ").any(|(end, _)| {
        let start = line[..end].rfind('"').unwrap();
        (start..=end + 1).contains(&at)
    })
}

/// So many that trying the names of all others for each would take minutes.
#[test]
fn suites_of_titles_that_make_one_name_are_told_apart_however_many_there_are() {
    let letter = |at: u32| char::from_u32(0x4e00 + at).unwrap();
    let title = |at: u32| format!(r#""a {}{}": [], "#, letter(at / 400), letter(at % 400));
    let suites: String = (0..100_000).map(title).collect();
    let run = r#"{"commit": {"id": "0123456789abcdef0123456789abcdef01234567"}, "date": 1, "benches": [{"name": "b", "value": 1, "unit": "ns"}]}"#;
    let history = format!(r#"{{"entries": {{{suites}"a-7": [], "a": [{run}]}}}}"#);
    let imported = read_data_js("data.js", history.as_bytes()).unwrap();
    let mut names = imported.suites.iter().map(|(name, _)| name.as_str());
    let first: Vec<&str> = names.by_ref().take(3).collect();
    assert_eq!(first, ["a", "a-2", "a-3"]);
    let last: Vec<&str> = names.skip(99_997).collect();
    assert_eq!(last, ["a-7-2", "a-100001"]);
}

#[test]
fn a_range_that_cannot_be_read_is_told_once_a_suite() {
    let neither = "that are neither numbers nor texts, which are kept as they are";
    for (range, expected) in [
        ("null", None),
        ("0", None),
        ("true", Some(neither)),
        ("[1]", Some(neither)),
        (r#"{"low": 1}"#, Some(neither)),
        ("1e300", Some("such as `1e300`, which are kept as they are")),
        (
            r#""1e300""#,
            Some("such as `1e300`, which are kept as they are"),
        ),
    ] {
        let bench =
            |name| format!(r#"{{"name": "{name}", "value": 1, "unit": "s", "range": {range}}}"#);
        let benches = [bench("a"), bench("b")].join(", ");
        let history = of_one_run(&benches);
        let imported = read_data_js("data.js", history.as_bytes()).unwrap();
        let problems: Vec<&str> = imported.problems.iter().map(|one| &*one.text).collect();
        let expected =
            expected.map(|like| format!("run 1 of suite `kv` and maybe others have ranges {like}"));
        assert_eq!(problems, expected.as_slice(), "{range}");
    }
}

/// Returns a history of one run of benchmarks that are written so.
fn of_one_run(benches: &str) -> String {
    let commit = r#"{"id": "0123456789abcdef0123456789abcdef01234567"}"#;
    format!(
        r#"{{"entries": {{"kv": [{{"commit": {commit}, "date": 1, "tool": "cargo", "benches": [{benches}]}}]}}}}"#
    )
}

#[test]
fn a_run_of_more_values_than_a_record_holds_is_told_of() {
    let bench = |number| format!(r#"{{"name": "b{number}", "value": 1, "unit": "ns"}}"#);
    let benches: Vec<String> = (0..50_003).map(bench).collect();
    let imported = read_data_js("data.js", of_one_run(&benches.join(",")).as_bytes()).unwrap();
    assert_eq!(imported.entries[0].points.len(), 50_000);
    let told = "run 1 of suite `kv` has more than 50000 values, and the last 3 are left out";
    assert_eq!(imported.problems[0].text, told);
    assert_eq!(imported.left_out, 3);
}

#[test]
fn a_run_of_more_text_than_a_record_holds_is_told_of() {
    let extra = "x".repeat(1_000_000);
    let bench = |number| {
        format!(r#"{{"name": "b{number}", "value": 1, "unit": "ns", "extra": "{number}{extra}"}}"#)
    };
    let benches: Vec<String> = (0..5).map(bench).collect();
    let imported = read_data_js("data.js", of_one_run(&benches.join(",")).as_bytes()).unwrap();
    let entry = &imported.entries[0];
    assert_eq!(entry.points.len(), 5);
    assert_eq!(entry.origin.as_ref().unwrap().extras.spans().len(), 2);
    let told = "run 1 of suite `kv` has more than 2097152 bytes of ranges, extras and other members, and those from here on are left out";
    let problems: Vec<&str> = imported.problems.iter().map(|one| &*one.text).collect();
    assert_eq!(problems, [told]);
}

#[test]
fn what_is_not_kept_of_a_run_is_told() {
    let bench = r#"{"name": "a", "value": 1, "unit": "ns", "extra": [12]}"#;
    let history = of_one_run(bench).replace("{\"id\"", "{\"message\": \"MESSAGE\", \"id\"");
    let imported = |message: &str| {
        let history = history.replace("MESSAGE", message);
        let imported = read_data_js("data.js", history.as_bytes()).unwrap();
        let problems = imported.problems.into_iter().map(|one| one.text);
        problems.collect::<Vec<_>>().join("\n")
    };
    let told = imported("short");
    assert!(
        told.contains("an `extra` that is neither text nor number"),
        "{told}"
    );
    assert!(!told.contains("says more than is kept"), "{told}");
    let told = imported(&"long ".repeat(4_000));
    assert!(told.contains("says more than is kept"), "{told}");
}

#[test]
fn what_is_not_kept_of_a_commit_is_told() {
    let history = of_one_run(r#"{"name": "a", "value": 1, "unit": "ns"}"#);
    for (member, is_told) in [
        (r#""author": "Ada""#, true),
        (
            r#""author": {"name": "Ada", "email": "ada@example.org"}"#,
            false,
        ),
        (r#""author": {"name": "Ada", "date": "2020-01-01"}"#, true),
        (r#""committer": {"name": 5}"#, true),
        (r#""message": 5"#, true),
        (r#""message": null, "distinct": false"#, false),
        (r#""distinct": "true""#, true),
        (r#""parents": []"#, true),
    ] {
        let history = history.replace("{\"id\"", &format!("{{{member}, \"id\""));
        let imported = read_data_js("data.js", history.as_bytes()).unwrap();
        let problems: Vec<&str> = imported.problems.iter().map(|one| &*one.text).collect();
        let told = problems
            .iter()
            .any(|text| text.contains("have members that are not kept"));
        assert_eq!(
            (told, problems.len()),
            (is_told, usize::from(is_told)),
            "{member}"
        );
    }
}

#[test]
fn the_time_of_the_whole_is_read_in_every_form() {
    let history = of_one_run(r#"{"name": "a", "value": 1, "unit": "ns"}"#);
    for (time, expected) in [
        ("1600000000123", Some(1_600_000_000_123.0)),
        ("1600000000123.25", Some(1_600_000_000_123.25)),
        ("\"1600000000123\"", Some(1_600_000_000_123.0)),
        ("\"2020-09-13T12:26:40Z\"", Some(1_600_000_000_000.0)),
        ("null", None),
        ("\"soon\"", None),
    ] {
        let history = history.replacen('{', &format!("{{\"lastUpdate\": {time}, "), 1);
        let imported = read_data_js("data.js", history.as_bytes()).unwrap();
        assert_eq!(imported.last_update, expected, "{time}");
        let is_told = imported.problems.iter().any(|problem| {
            let text = &problem.text;
            text.starts_with("`lastUpdate` is no time that can be read")
        });
        assert_eq!(is_told, expected.is_none(), "{time}");
    }
}

#[test]
fn nobody_gets_in_by_what_is_kept_of_a_page() {
    let history = of_one_run(r#"{"name": "a", "value": 1, "unit": "ns"}"#);
    let none = "`repoUrl` is no address of a page, and is not kept";
    let told = "`repoUrl` says by whom and with which password the page is read, which is not kept";
    let long = format!("\"https://{}\"", "x".repeat(1024));
    for (page, expected, problem) in [
        (
            "\"https://github.com/o/r\"",
            Some("https://github.com/o/r"),
            None,
        ),
        (
            "\"https://ada:ghp_0@github.com/o/r\"",
            Some("https://github.com/o/r"),
            Some(told),
        ),
        (
            "\"git@github.com:o/r.git\"",
            Some("git@github.com:o/r.git"),
            None,
        ),
        ("\"\"", None, None),
        ("null", None, None),
        ("5", None, Some(none)),
        (&long, None, Some(none)),
    ] {
        let url = page.replace("/o/r", "/o/r/commit/0");
        let history = history.replacen('{', &format!("{{\"repoUrl\": {page}, "), 1);
        let history = history.replacen("{\"id\"", &format!("{{\"url\": {url}, \"id\""), 1);
        let imported = read_data_js("data.js", history.as_bytes()).unwrap();
        assert_eq!(imported.repository.as_deref(), expected, "{page}");
        assert_eq!(
            imported.problems.first().map(|one| &*one.text),
            problem,
            "{page}"
        );
        assert!(!format!("{imported:?}").contains("ghp_0"), "{imported:?}");
    }
}

#[test]
fn a_member_of_the_whole_that_is_not_kept_is_told() {
    let history = of_one_run(r#"{"name": "a", "value": 1, "unit": "ns"}"#);
    let history = history.replacen('{', r#"{"xAxis": "id", "lastUpdate": 1, "#, 1);
    let imported = read_data_js("data.js", history.as_bytes()).unwrap();
    let problems: Vec<&str> = imported.problems.iter().map(|one| &*one.text).collect();
    assert_eq!(
        problems,
        ["the history has a member `xAxis`, which is not kept"]
    );
    assert_eq!(imported.left_out, 0);
}

#[test]
fn suites_that_a_bad_merge_left_twice_are_all_kept_and_told() {
    let run = |digit: char| {
        let id = digit.to_string().repeat(40);
        format!(
            r#"{{"commit": {{"id": "{id}"}}, "date": 1600000000000, "tool": "cargo", "benches": [{{"name": "b", "value": 1, "unit": "ns"}}]}}"#
        )
    };
    let again = "`entries` stands once more, and its suites are kept beside those before: a browser sees the last `entries` alone at data.js:2:3";
    let once_more = "suite `a` stands once more, and its runs are kept behind those before: a browser sees the last one alone at data.js:2:15";
    let late = "in suite `a`, 1 of the runs (run 2) stand behind a run that was measured later, or at the same time, and keep their place at data.js:2:39";
    let (one, other) = (run('1'), run('2'));
    for (first, runs, told) in [
        (
            format!(r#"{{"a": [{one}]}}"#),
            2,
            &[again, once_more, late][..],
        ),
        ("{}".to_owned(), 1, &[again]),
        ("3".to_owned(), 1, &[again]),
    ] {
        let text = format!("{{\"entries\": {first},\n \"entries\": {{\"a\": [{other}]}}}}");
        let imported = read_data_js("data.js", text.as_bytes()).unwrap();
        let found: Vec<&str> = imported
            .suites
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(found, ["a"]);
        assert_eq!(imported.entries.len(), runs);
        let problems: Vec<String> = imported.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, told);
    }
}

#[test]
fn a_suite_that_stands_once_more_without_a_run_has_those_before() {
    let history = of_one_run(r#"{"name": "b", "value": 1, "unit": "ns"}"#);
    let history = history.replace("]}]}}", "]}], \"kv\": []}}");
    let imported = read_data_js("data.js", history.as_bytes()).unwrap();
    assert_eq!(imported.entries.len(), 1);
    let problems: Vec<&str> = imported.problems.iter().map(|one| &*one.text).collect();
    let once_more = "suite `kv` stands once more, and its runs are kept behind those before: a browser sees the last one alone";
    assert_eq!(problems, [once_more]);
}

#[test]
fn a_member_that_stands_twice_in_one_object_is_told() {
    let id = "0123456789abcdef0123456789abcdef01234567";
    let of = |run: &str| {
        let text = format!("window[\"BENCHMARK_DATA\"] = {{\"entries\": {{\"a\": [{run}]}}}}");
        let imported = read_data_js("data.js", text.as_bytes()).unwrap();
        let told = imported.problems.iter();
        told.filter(|told| told.text.contains("stands twice in one object"))
            .count()
    };
    let run = |commit: &str, bench: &str, more: &str| {
        format!(
            r#"{{"commit": {{"id": "{id}"{commit}}}, "date": 1600000000000, "tool": "cargo", "benches": [{{"name": "b", "value": 1, "unit": "ns"{bench}}}]{more}}}"#
        )
    };
    assert_eq!(of(&run("", "", "")), 0);
    for twice in [
        run(r#", "id": "1""#, "", ""),
        run(r#", "author": {"name": "a", "name": "b"}"#, "", ""),
        run("", r#", "value": 2"#, ""),
        run("", r#", "unit": "s""#, ""),
        run(
            "",
            "",
            r#", "benches": [{"name": "c", "value": 1, "unit": "ns"}]"#,
        ),
        run("", "", r#", "date": 1"#),
        run("", "", &format!(r#", "commit": {{"id": "{id}"}}"#)),
    ] {
        assert_eq!(of(&twice), 1, "{twice}");
    }
}

#[test]
fn what_is_no_history_is_an_error_that_says_why() {
    for (text, expected) in [
        (
            "",
            "the history cannot be read: EOF while parsing a value at data.js:1:1",
        ),
        (
            "[]",
            "the history cannot be read: invalid type: sequence, expected an object with `entries` at data.js:1:2",
        ),
        (
            "{}",
            "the history cannot be read: there are no `entries`, which hold suites by name at data.js:1:2",
        ),
        (
            "{\"entries\": 3}",
            "the history cannot be read: there are no `entries`, which hold suites by name at data.js:1:14",
        ),
        (
            "{\"entries\": {}}",
            "the history holds no suite at data.js:1:1",
        ),
        (
            "{\"entries\": {\"a\": []}}",
            "suite `a` holds no run, so nothing of it is kept, and nothing else can be used at data.js:1:15",
        ),
        (
            "{\"entries\":\n {\"a\": {}}}",
            "suite `a` is left out: it is no list of runs, and nothing else can be used at data.js:2:4",
        ),
        (
            "{\"entries\":\n {\"a\": [1]}}",
            "run 1 of suite `a` is left out: it is no object, and nothing else can be used at data.js:2:4",
        ),
        (
            "{\"entries\":\n {\"a\": [\n{\"date\": 1, \"benches\": []}]}}",
            "run 1 of suite `a` is left out: it names no commit, and nothing else can be used at data.js:3:3",
        ),
        (
            "\u{feff}{\"entries\": {\"a\": {}}}",
            "suite `a` is left out: it is no list of runs, and nothing else can be used at data.js:1:18",
        ),
        (
            "window.BENCHMARK_DATA = {\"entries\": {}} x",
            "the history cannot be read: trailing characters at data.js:1:41",
        ),
    ] {
        let error = read_data_js("data.js", text.as_bytes()).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
    let error = read_data_js("data.js", b"{\"entries\":\n \xff").expect_err("it is no text");
    assert_eq!(error.to_string(), "a byte that is not UTF-8 at data.js:2:2");
}

#[test]
fn a_history_comes_apart_into_the_texts_it_is_made_of() {
    let text = "\u{feff}window.BENCHMARK_DATA = {\"a\\u0062\": 1.50, \"entries\": {\"x\": [ 1 ], \"y\": []}};\n";
    for bytes in [text.as_bytes(), &utf16(text)] {
        let split = split_data_js("data.js", bytes).unwrap();
        let names: Vec<&str> = split.members.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["ab", "entries"]);
        assert_eq!(split.members[0].1, "1.50");
        let suites: Vec<(&str, &str)> = split
            .suites
            .iter()
            .map(|(name, list)| (&**name, &**list))
            .collect();
        assert_eq!(suites, [("x", "[ 1 ]"), ("y", "[]")]);
    }
}

#[test]
fn what_cannot_be_taken_apart_is_an_error_with_a_place() {
    for (text, expected) in [
        (
            "{",
            "the history cannot be read: EOF while parsing an object at data.js:1:1",
        ),
        (
            "{}",
            "there are no `entries`, which hold suites by name at data.js:1:1",
        ),
        (
            "{\"entries\":\n {\"a\": {}}}",
            "suite `a` is no list of runs at data.js:2:8",
        ),
        (
            "{\"entries\":\n 3}",
            "the history cannot be read: invalid type: integer `3`, expected an object at data.js:2:2",
        ),
        (
            "{\"entries\": {}} x",
            "the history cannot be read: trailing characters at data.js:1:17",
        ),
        (
            "{\"entries\": {\"a\": []},\n \"entries\": {\"b\": []}}",
            "`entries` stands twice, first with what is at data.js:1:13 at data.js:2:13",
        ),
        (
            "{entries: {a: [],\n 'a': [1]}}",
            "`a` stands twice, first with what is at data.js:1:15 at data.js:2:7",
        ),
    ] {
        let error = split_data_js("data.js", text.as_bytes()).expect_err(text);
        assert_eq!(error.to_string(), expected, "{text}");
    }
    for at in (0..HISTORY.trim_end().len()).step_by(11) {
        let _ = HISTORY
            .get(..at)
            .map(|cut| split_data_js("data.js", cut.as_bytes()).expect_err("it is cut"));
    }
}
