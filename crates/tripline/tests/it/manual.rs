//! The manual is executed: every command block of README, CONTRIBUTING, ARCHITECTURE and docs is run, page by page, in a
//! copy of this repository. The tables that are made from code are compared with the code.

use std::collections::BTreeSet;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::checkout::{Checkout, repository};

/// Commands that cannot be run inside a test, and what is run in their place.
const STAND_INS: &[(&str, &str, &str)] = &[(
    "tools/test",
    "tools/test --help",
    "it is what runs this test, and would never end",
)];

/// Returns the commands of a page, in order.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut in_console = false;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                in_console = &*info == "console";
            }
            Event::End(TagEnd::CodeBlock) => in_console = false,
            Event::Text(text) if in_console => {
                commands.extend(
                    text.lines()
                        .filter_map(|line| line.strip_prefix("$ "))
                        .map(str::to_owned),
                );
            }
            _ => {}
        }
    }
    commands
}

/// Runs a page's commands in one shell, as a reader would, and fails at the first that fails.
#[track_caller]
fn runs(page: &str) -> Checkout {
    let checkout = Checkout::new("manual");
    let text = std::fs::read_to_string(checkout.path().join(page)).unwrap();
    let commands = commands(&text);
    assert!(!commands.is_empty(), "{page} shows no command");
    let lines = commands.iter().map(|command| {
        let stand_in = STAND_INS.iter().find(|(shown, _, _)| shown == command);
        let run = stand_in.map_or(command.as_str(), |(_, run, _)| run);
        format!("echo '$ {}' >&2\n{run}\n", command.replace('\'', "'\\''"))
    });
    let output = checkout.shell(&lines.collect::<String>()).output().unwrap();
    // What stops a gate is said at the end of stderr, and the end of a log is what is kept of it.
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{page}: a command failed ({})\n{said}",
        output.status
    );
    checkout
}

#[test]
fn the_commands_of_the_comparison_run() {
    runs("docs/COMPARISON.md");
}

#[test]
fn the_commands_of_the_readme_run_and_the_binary_they_build_is_small() {
    const BINARY_BYTES_MAX: u64 = 12 * 1000 * 1000;
    let checkout = runs("README.md");
    let bytes = std::fs::metadata(checkout.path().join("target/release/tripline"))
        .unwrap()
        .len();
    assert!(bytes <= BINARY_BYTES_MAX, "the binary has {bytes} bytes");
}

/// Last by its name, as tests run one at a time: its commands change what was built for the others, who have no use for it
/// then. The page itself makes a suite before it changes a crate of the program.
#[test]
fn the_commands_on_how_to_contribute_run() {
    runs("CONTRIBUTING.md");
}

#[test]
fn no_page_with_commands_is_left_out() {
    let pages = |folder: &'static str| {
        let entries = std::fs::read_dir(repository().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        let places = names.map(move |name| format!("{folder}/{}", name.to_string_lossy()));
        places.filter(|place| place.ends_with(".md"))
    };
    let docs = pages("docs").chain(pages("docs/workloads"));
    for page in ["ARCHITECTURE.md".to_owned(), "CHANGELOG.md".to_owned()]
        .into_iter()
        .chain(docs)
        .filter(|page| page != "docs/COMPARISON.md")
    {
        let text = std::fs::read_to_string(repository().join(&page)).unwrap();
        assert_eq!(
            commands(&text),
            Vec::<String>::new(),
            "{page} shows commands: add a test that runs them"
        );
    }
}

/// Compares the lines between two marks with what they are made from; with TRIPLINE_BLESS=1 writes them.
#[track_caller]
fn is_made_from_code(page: &str, mark: &str, rows: &str) {
    let path = repository().join(page);
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (
        format!("<!-- {mark}: begin -->\n"),
        format!("<!-- {mark}: end -->"),
    );
    let (before, rest) = text.split_once(&begin).expect("the page has the mark");
    let (shown, after) = rest.split_once(&end).expect("the page has the mark");
    if std::env::var_os("TRIPLINE_BLESS").is_some() {
        std::fs::write(path, format!("{before}{begin}{rows}{end}{after}")).unwrap();
        return;
    }
    assert_eq!(
        shown, rows,
        "{page} is not what the code says: run this test with TRIPLINE_BLESS=1"
    );
}

/// Writes a table.
fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let rule: Vec<String> = columns.iter().map(|_| "---".to_owned()).collect();
    let header = columns.iter().map(|&column| column.to_owned()).collect();
    let lines = [header, rule].into_iter().chain(rows);
    lines
        .map(|cells| format!("| {} |\n", cells.join(" | ")))
        .collect()
}

#[test]
fn the_readme_lists_the_harnesses_there_are() {
    let rows = tripline_read::ADAPTERS.iter();
    let rows = rows.map(|adapter| vec![format!("`{}`", adapter.name), adapter.about.to_owned()]);
    is_made_from_code(
        "README.md",
        "harnesses",
        &table(&["harness", "what is read"], rows),
    );
}

#[test]
fn the_readme_lists_the_formats_there_are() {
    let rows = tripline_render::RENDERERS.iter();
    let rows = rows.map(|renderer| vec![format!("`{}`", renderer.name), renderer.about.to_owned()]);
    is_made_from_code(
        "README.md",
        "formats",
        &table(&["format", "what it is for"], rows),
    );
}

#[test]
fn the_readme_lists_the_exit_codes_there_are() {
    let help = crate::project::Project::new()
        .tripline(&["--help"])
        .with(0)
        .out;
    let codes = help.split_once("Exit codes:\n").unwrap().1;
    let rows = codes
        .lines()
        .filter_map(|line| line.trim().split_once("  "));
    let rows = rows.map(|(code, meaning)| vec![code.to_owned(), meaning.to_owned()]);
    is_made_from_code(
        "README.md",
        "exit codes",
        &table(&["code", "meaning"], rows),
    );
}

/// Constants of the judge's files by which a number is computed, whatever it is about: where rounding ends, a series is cut
/// off, a sum scaled, a list sorted the one way or the other.
const OF_ARITHMETIC: [(&str, &str); 16] = [
    ("derived/dimension.rs", "BITS"),
    ("derived/dimension.rs", "PER_SECOND"),
    ("paired.rs", "ROUNDING"),
    ("policy.rs", "NEVER"),
    ("stats/distribution.rs", "DEGREES_MAX"),
    ("stats/distribution.rs", "POLISHED"),
    ("stats/distribution.rs", "POLISHES_MAX"),
    ("stats/pairwise.rs", "SIGN"),
    ("stats/rank_sum.rs", "ROUNDING"),
    ("stats/sign_process.rs", "LARGE"),
    ("stats/signed_rank.rs", "ROUNDING"),
    ("threshold.rs", "BILLION"),
    ("threshold.rs", "ROUNDING"),
    ("trend/evidence.rs", "ROUNDING"),
    ("trend/search.rs", "NOISE_LEAST"),
    ("trend/series.rs", "SORTED_FROM"),
];

/// A number in prose ages; so each is held against the constant it is about, and each constant of the judge has its row.
#[test]
fn the_methodology_states_the_numbers_there_are() {
    let page = std::fs::read_to_string(repository().join("docs/METHODOLOGY.md")).unwrap();
    let (_, rest) = page.split_once("<!-- numbers: begin -->\n").unwrap();
    let (rows, _) = rest.split_once("<!-- numbers: end -->").unwrap();
    let mut stated = BTreeSet::new();
    for row in rows.lines().skip(2) {
        let cells: Vec<&str> = row
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        let [_, name, value, file, why, _] = cells[..] else {
            panic!("not a row of four cells: {row}");
        };
        let source = std::fs::read_to_string(repository().join(file)).unwrap();
        let mut constants = numbers_of(&source);
        assert!(
            constants.any(|constant| constant == (name, value)),
            "{file} has no constant {name} of {value}"
        );
        assert!(!why.is_empty(), "{name} has no reason");
        assert!(stated.insert((file.to_owned(), name.to_owned())), "{row}");
    }
    let mut of_arithmetic = 0;
    for (file, source) in sources_of_the_judge() {
        let within = file.trim_start_matches("crates/tripline-judge/src/");
        for (name, value) in numbers_of(&source) {
            let is_stated = stated.contains(&(file.clone(), name.to_owned()));
            let is_of_arithmetic = OF_ARITHMETIC.contains(&(within, name));
            of_arithmetic += usize::from(is_of_arithmetic);
            assert!(
                is_stated || is_of_arithmetic,
                "docs/METHODOLOGY.md does not state {name} = {value} of {file}"
            );
        }
    }
    assert_eq!(of_arithmetic, OF_ARITHMETIC.len(), "one of them is gone");
}

/// Returns the constants of a file that are numbers or spans of time, with what they are.
fn numbers_of(source: &str) -> impl Iterator<Item = (&str, &str)> {
    source.lines().filter_map(|line| {
        let (before, rest) = line.split_once("const ")?;
        let (name, rest) = rest.split_once(": ")?;
        // What does not fit on its line has no value here, and cannot be stated.
        let (kind, value) = rest.split_once(" =")?;
        let numbers = [
            "f32", "f64", "usize", "u8", "u16", "u32", "u64", "i32", "i64", "Duration",
        ];
        let is_number = numbers.iter().any(|number| kind.contains(number));
        // What is indented is a function's own.
        let is_item = before.is_empty() || before.starts_with("pub");
        (is_number && is_item).then(|| (name, value.trim_start().trim_end_matches(';')))
    })
}

fn sources_of_the_judge() -> Vec<(String, String)> {
    let root = repository();
    let mut folders = vec![root.join("crates/tripline-judge/src")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            let file = path.strip_prefix(&root).unwrap();
            sources.push((file.to_str().unwrap().to_owned(), source));
        }
    }
    assert!(sources.len() > 30, "the judge was moved");
    sources
}

/// How a metric is judged by a method, and what the standard table says of it: a row without its name.
fn ruled(metric: &tripline_model::Metric) -> Vec<[String; 6]> {
    use tripline_model::{Method, Nature};
    let policy = tripline_judge::Policy::standard();
    let bench = tripline_model::BenchId {
        suite: tripline_model::SuiteName::new("any").unwrap(),
        name: tripline_model::BenchName::new("any").unwrap(),
        params: tripline_model::Params::new(),
    };
    let percent = |share: f64| match share {
        _ if share.is_infinite() => "never".to_owned(),
        _ => format!("{} %", share * 100.0),
    };
    let methods = match metric.nature {
        Nature::Exact => vec![("", Method::Exact)],
        _ => vec![
            (" in a session", Method::Paired),
            (" against its history", Method::Historical),
            (" against a kept run", Method::BaselineOnly),
        ],
    };
    let row = |(how, method): (&str, Method)| {
        let rule = policy.rule(&bench, metric, method);
        let warns = if rule.warn_from == 0.0 {
            "any".to_owned()
        } else {
            percent(rule.warn_from)
        };
        [
            how.to_owned(),
            percent(rule.tolerance.relative),
            rule.tolerance.floor.to_string(),
            warns,
            percent(rule.fail_from),
            policy.reason(&bench, metric, method).to_owned(),
        ]
    };
    methods.into_iter().map(row).collect()
}

#[test]
fn the_methodology_states_the_policy_there_is() {
    use tripline_model::{KNOWN_METRICS, Metric, MetricName};
    let other = |like: &str| Metric {
        name: MetricName::new("other").unwrap(),
        ..Metric::known(like).unwrap()
    };
    let others = [
        ("any other count", other("instructions")),
        ("times, and all else that is no count,", other("wall_time")),
    ];
    let of_others = others.iter().flat_map(|(name, metric)| {
        ruled(metric)
            .into_iter()
            .map(|row| ((*name).to_owned(), row))
    });
    let of_others: Vec<(String, [String; 6])> = of_others.collect();
    let mut rows: Vec<(String, [String; 6])> = Vec::new();
    for known in KNOWN_METRICS {
        let name = format!("`{}`", known.name);
        for row in ruled(&Metric::known(known.name).unwrap()) {
            let is_row = |(_, of): &&mut (String, [String; 6])| *of == row;
            if let Some((names, _)) = rows.iter_mut().find(is_row) {
                *names = [names, ", ", &name].concat();
            } else if !of_others.iter().any(|(_, of)| *of == row) {
                rows.push((name.clone(), row));
            }
        }
    }
    rows.extend(of_others);
    let rows = rows.into_iter().map(|(names, [how, rest @ ..])| {
        let mut cells = vec![names + &how];
        cells.extend(rest);
        cells
    });
    let columns = [
        "metric",
        "tolerance",
        "floor",
        "warns from",
        "fails from",
        "because",
    ];
    is_made_from_code("docs/METHODOLOGY.md", "policy", &table(&columns, rows));
}
