//! Histories that are scripts and no JSON, as formatters and people write them.

use tripline_read::{read_data_js, split_data_js};

/// As a formatter of scripts leaves it, which goes over a whole repository.
const SCRIPT: &str = r#"// Written by a machine.
window.BENCHMARK_DATA = {
  lastUpdate: 1600000300000,
  repoUrl: 'https://github.com/acme/demo',
  entries: {
    Benchmark: [
      {
        commit: {
          author: { name: 'Ada', username: 'ada' },
          distinct: true,
          id: '1111111111111111111111111111111111111111',
          message:
            "first: it's \"quoted\"\n\nand more",
          timestamp: '2020-09-13T14:00:00+02:00',
        },
        date: 1600000000000,
        tool: 'benchmarkjs',
        benches: [
          { name: 'render /', value: 190, range: '±12.5%', unit: 'ops/sec', extra: '49 samples' },
          { name: "render /news/1", value: 2.5e-7, unit: 'ops/sec' },
          /* It was not measured. */
          { name: 'render /news/2', value: NaN, unit: 'ops/sec' },
        ],
      },
    ],
    'Other One': [],
  },
};
"#;

/// The same as that action writes it.
const JSON: &str = r#"window.BENCHMARK_DATA = {
  "lastUpdate": 1600000300000,
  "repoUrl": "https://github.com/acme/demo",
  "entries": {
    "Benchmark": [
      {
        "commit": {
          "author": { "name": "Ada", "username": "ada" },
          "distinct": true,
          "id": "1111111111111111111111111111111111111111",
          "message": "first: it's \"quoted\"\n\nand more",
          "timestamp": "2020-09-13T14:00:00+02:00"
        },
        "date": 1600000000000,
        "tool": "benchmarkjs",
        "benches": [
          { "name": "render /", "value": 190, "range": "±12.5%", "unit": "ops/sec", "extra": "49 samples" },
          { "name": "render /news/1", "value": 2.5e-7, "unit": "ops/sec" },
          { "name": "render /news/2", "value": null, "unit": "ops/sec" }
        ]
      }
    ],
    "Other One": []
  }
}"#;

#[test]
fn a_script_is_read_as_the_history_that_it_is() {
    let script = read_data_js("data.js", SCRIPT.as_bytes()).unwrap();
    let json = read_data_js("data.js", JSON.as_bytes()).unwrap();
    assert_eq!(
        (&script.entries, &script.series, &script.suites),
        (&json.entries, &json.series, &json.suites)
    );
    assert_eq!(
        (&script.repository, script.last_update, script.left_out),
        (&json.repository, Some(1_600_000_300_000.0), 1)
    );
    let problems: Vec<String> = script.problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "benchmark `render /news/2` of run 1 of suite `Benchmark` is left out: it has no value that is a number at data.js:22:20",
            "suite `Other One` holds no run, so nothing of it is kept at data.js:26:6",
        ]
    );
}

#[test]
fn what_a_script_is_called_does_not_matter() {
    for begin in [
        "",
        "export default ",
        "export const DATA = ",
        "self.BENCHMARK_DATA=",
        "\u{feff}",
    ] {
        let (_, object) = JSON.split_once(" = ").unwrap();
        let imported = read_data_js("data.js", format!("{begin}{object};\r\n").as_bytes()).unwrap();
        assert_eq!(imported.entries[0].points.len(), 2, "{begin}");
    }
}

#[test]
fn a_comma_too_many_loses_nothing() {
    let commas = JSON.replace(
        "null, \"unit\": \"ops/sec\" }",
        "4, \"unit\": \"ops/sec\", },",
    );
    let imported = read_data_js("data.js", commas.as_bytes()).unwrap();
    assert_eq!(
        (imported.entries[0].points.len(), imported.left_out),
        (3, 0)
    );
}

#[test]
fn a_cut_script_is_an_error_with_a_place() {
    for at in (0..SCRIPT.trim_end().len() - 1).step_by(7) {
        let Some(cut) = SCRIPT.get(..at) else {
            continue;
        };
        let error = read_data_js("data.js", cut.as_bytes()).expect_err("it is cut");
        let lines = cut.lines().count().max(1);
        assert!((1..=lines).contains(&error.place.line), "{at}: {error}");
        split_data_js("data.js", cut.as_bytes()).expect_err("it is cut");
    }
    let wrong = SCRIPT.replace("date: 1600000000000", "date: now()");
    let error = read_data_js("data.js", wrong.as_bytes()).expect_err("it calls something");
    assert_eq!(error.place.line, 16, "{error}");
}

#[test]
fn what_would_have_to_be_worked_out_is_passed_by_where_nothing_was_measured() {
    let json = read_data_js("data.js", JSON.as_bytes()).unwrap();
    for expression in ["Date.now()", "+new Date(2020, 8, 13)", "1.6e12 + 3e5"] {
        for text in [SCRIPT, JSON] {
            let text = text.replace("1600000300000", expression);
            let imported = read_data_js("data.js", text.as_bytes()).unwrap();
            assert_eq!(
                (&imported.entries, imported.last_update),
                (&json.entries, None)
            );
            let told = "`lastUpdate` is no time that can be read, and when the newest run was measured stands in for it";
            assert_eq!(imported.problems[0].text, told);
            let split = split_data_js("data.js", text.as_bytes()).unwrap();
            assert_eq!(split.members[0].1, "null");
        }
    }
    let text = JSON.replace("\"https://github.com/acme/demo\"", "'https:' + PAGE");
    let imported = read_data_js("data.js", text.as_bytes()).unwrap();
    let told = "`repoUrl` is no address of a page, and is not kept";
    assert_eq!(imported.problems[0].text, told);
    assert_eq!(imported.entries, json.entries);
}

#[test]
fn a_script_comes_apart_into_texts_of_json() {
    let split = split_data_js("data.js", SCRIPT.as_bytes()).unwrap();
    let names: Vec<&str> = split.members.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["lastUpdate", "repoUrl", "entries"]);
    assert_eq!(split.members[1].1, "\"https://github.com/acme/demo\"");
    assert_eq!(split.suites[1], ("Other One".to_owned(), "[]".into()));
    let runs: serde_json::Value = serde_json::from_str(&split.suites[0].1).unwrap();
    assert_eq!(runs[0]["benches"][0]["range"], "±12.5%");
}
