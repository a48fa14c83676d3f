//! Inputs that no harness wrote: each ends in an error, soon, and with a place.

use tripline_read::{ADAPTERS, Input, JSON_DEPTH_MAX, sniff};

use crate::support::{TWINS, cases, read};

/// Large enough that anything worse than linear would not end within a test's patience.
const LARGE: usize = 20_000_000;

/// A tenth of that, so that many can be tried.
const MEDIUM: usize = LARGE / 10;

/// How deep objects lie in one another.
const NESTED: usize = 100_000;

/// How often a pattern is repeated; reading each repeat to the end of the text would take minutes.
const PATTERNS: usize = 200_000;

/// How often a line is repeated that promises a result; comparing each with all others would take minutes.
const LINES: usize = 20_000;

fn check(name: &str, bytes: Vec<u8>) {
    let input = Input::from_bytes(name, bytes);
    for adapter in ADAPTERS {
        let result = read(adapter, &input);
        assert!(result.is_err(), "{} read {name}", adapter.name);
    }
    // That it ends is the test; whether it is recognized is not.
    drop(sniff(&input));
}

#[test]
fn what_holds_nothing_is_an_error() {
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("mark", b"\xEF\xBB\xBF"),
        ("blank", b" \r\n\n\t"),
        ("prose", b"running 0 tests\n"),
        ("brace", b"{"),
        ("braces", b"{\n{\n{\n}\n"),
        ("object", b"{}\n"),
        ("array", b"[{\"module_path\":\"a::b\"}]"),
        ("zeros", &[0; 4096]),
        ("utf-16", b"\xFF\xFE{\0}\0"),
        ("escape", b"\x1b[31"),
    ] {
        check(name, bytes.to_vec());
    }
}

#[test]
fn garbage_is_an_error() {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    check("garbage", (0..100_000).map(|_| next()).collect());
    // As text, so that not all of it is refused for its bytes.
    let text: Vec<u8> = (0..100_000).map(|_| next() % 128).collect();
    check("text", text);
    let braces: Vec<u8> = (0..100_000)
        .map(|_| b"{}\n\"[]:,1e"[usize::from(next() % 10)])
        .collect();
    check("braces", braces);
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{\"params\":", "}")] {
        let nested = open.repeat(NESTED) + "1" + &close.repeat(NESTED);
        for head in [
            "{\"version\":\"6\",\"module_path\":\"a::b\",\"profiles\":",
            "{\"version\":\"7\",\"module_path\":\"a::b\",\"output_dir\":",
            "{\"reason\":\"benchmark-complete\",\"measured_values\":",
            "{\"benchmark\":\"a\",\"params\":",
            "{\"tripline_run\":",
            "{\"machine_info\":",
            "{\"machine_info\":{},\"benchmarks\":[{\"fullname\":\"a\",\"params\":",
            "",
        ] {
            let tail = if head.is_empty() { "" } else { "}" };
            check("nested", format!("{head}{nested}{tail}").into_bytes());
        }
    }
}

#[test]
fn a_result_may_be_so_deep_and_no_deeper() {
    let adapter = tripline_read::adapter("custom-smaller-is-better").unwrap();
    let with = |depth: usize| {
        let more = "[".repeat(depth) + &"]".repeat(depth);
        let one = r#"{"name": "get", "value": 1, "unit": "ns"}"#;
        let two = r#""name": "set", "value": 1, "unit": "ns""#;
        let text = format!(r#"[{one}, {{{two}, "more": {more}}}]"#);
        read(adapter, &Input::from_bytes("out.json", text.into_bytes()))
    };
    with(JSON_DEPTH_MAX - 2).expect("it is as deep as it may be");
    let error = with(JSON_DEPTH_MAX - 1).expect_err("it is deeper");
    assert!(
        error.to_string().contains("more than the 100 values"),
        "{error}"
    );
}

#[test]
fn a_line_without_end_is_an_error() {
    for (head, length) in [
        ("", MEDIUM),
        ("{", MEDIUM),
        ("{\"", MEDIUM),
        ("{\"module_path\":\"", MEDIUM),
        ("{\"reason\":\"benchmark-complete\",\"id\":\"", LARGE),
        ("{\"machine_info\":\"", MEDIUM),
        ("Benchmark", MEDIUM),
        ("BenchmarkGet \t 100\t 12 ", MEDIUM),
    ] {
        let mut bytes = head.as_bytes().to_vec();
        bytes.resize(length, b'x');
        check("endless", bytes);
    }
}

#[test]
fn a_text_of_nothing_but_escapes_or_openings_is_read_once() {
    for pattern in ["\u{1b}", "\u{1b}[", "\u{1b}]8;;", "{\n", "{\n  \n", "\n"] {
        check("pattern", pattern.repeat(PATTERNS).into_bytes());
    }
}

/// Each value of a table is read with the rest of its row, so a row that is not there must not count as one.
#[test]
fn a_table_of_empty_rows_is_no_larger_than_it_is_long() {
    let border = "=== ".repeat(LINES);
    let border = border.trim_end();
    let rule = border.replace('=', "-");
    let rows = "\n".repeat(LINES);
    let dots = "[50.00%] \u{b7}\u{b7}\u{b7}";
    let downwards = format!("{dots} a.time_get ok\n{dots} {border}\n\n{rule}\n{rows}{border}\n");
    let across =
        format!("{dots} a.time_get ok\n{dots} {border}\n-- a\n---\n\n{border}\n{rows}{border}\n");
    let pipes = "|".repeat(LINES);
    let methods = format!(
        "| Method | Mean {pipes}\n{}",
        format!("{pipes}|||\n").repeat(100)
    );
    check("downwards", downwards.into_bytes());
    check("methods", methods.into_bytes());
    check("across", across.into_bytes());
}

#[test]
fn lines_that_promise_a_result_and_give_none_are_read_once() {
    for pattern in [
        "goos: linux\n",
        "pkg: a\n",
        "BenchmarkGet \t\n",
        "BenchmarkGet \t 0\t 12 ns/op\n",
        "BenchmarkGet \t 100\n",
        "     100\t 12 ns/op\n",
        "--- FAIL: BenchmarkGet\n",
        "FAIL\n",
        "panic: full\n",
        "{\"machine_info\":{},\"benchmarks\":[]}\n",
        "\"fullname\"\n",
    ] {
        check("pattern", pattern.repeat(LINES).into_bytes());
    }
    let parts = "/a=1".repeat(PATTERNS);
    check(
        "parts",
        format!("Benchmark{parts} \t 100\t 12 ns/op\n").into_bytes(),
    );
    let fullnames = "\"fullname\":\"NaN\",".repeat(PATTERNS);
    check(
        "names",
        format!("{{\"machine_info\":{{{fullnames}").into_bytes(),
    );
}

/// Comparing each with all others would take most of a minute.
#[test]
fn very_many_counters_of_a_row_are_read_once() {
    let counters: String = (0..PATTERNS).map(|n| format!(",\"c{n}\":{n}")).collect();
    let text = format!(
        "{{\"context\":{{\"library_build_type\":\"release\"}},\"benchmarks\":[{{\"name\":\"get\",\"iterations\":1,\"real_time\":1{counters}}}]}}"
    );
    let input = Input::from_bytes("out.json", text.into_bytes());
    let adapter = tripline_read::adapter("google-benchmark").unwrap();
    let observed = read(adapter, &input).unwrap();
    assert_eq!(observed.observations[0].readings.len(), PATTERNS + 1);
}

#[test]
fn groups_in_groups_without_end_are_no_name() {
    let titles = "\"a\",".repeat(PATTERNS);
    let test = format!(
        "{{\"ancestorTitles\":[{titles}\"a\"],\"title\":\"a\",\"status\":\"passed\",\"failureMessages\":[],\"benchmarks\":[{{\"tasks\":[{{\"name\":\"a\",\"latency\":{{\"mean\":1,\"samplesCount\":1}}}}]}}]}}"
    );
    let file = format!("{{\"name\":\"a\",\"status\":\"passed\",\"assertionResults\":[{test}]}}");
    check(
        "titles",
        format!("{{\"testResults\":[{file}]}}").into_bytes(),
    );
}

#[test]
fn no_adapter_takes_the_results_of_another_for_a_success() {
    for case in cases() {
        for adapter in ADAPTERS {
            let are_twins = TWINS.contains(&adapter.name) && TWINS.contains(&case.adapter.name);
            if adapter.name != case.adapter.name && !are_twins {
                let result = read(adapter, &case.input);
                assert!(result.is_err(), "{} read {}", adapter.name, case.name);
            }
        }
    }
}
