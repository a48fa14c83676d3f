//! Files and directories as they come: links, limits, what is gone, and how text is written on other systems.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;
use tripline_read::{
    ADAPTERS, INPUT_BYTES_MAX, Input, InputError, Observed, TREE_DEPTH_MAX, TreeFile, recognized,
    sniff,
};

use crate::support::{cases, read, shown};

/// Opens a path below a directory, and returns the error's text without the directory's own name.
fn refused(directory: &TempDir, path: &str) -> String {
    let error = Input::open(&directory.path().join(path)).expect_err("the input is refused");
    let root = directory.path().to_str().unwrap();
    error.to_string().replace(root, "<dir>")
}

fn write(directory: &TempDir, path: &str, text: &str) {
    let path = directory.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn what_cannot_be_opened_is_named() {
    let directory = TempDir::new().unwrap();
    assert_eq!(
        refused(&directory, "gone.json"),
        "cannot read `<dir>/gone.json`"
    );
    write(&directory, "file", "");
    assert_eq!(
        refused(&directory, "file/x.json"),
        "cannot read `<dir>/file/x.json`"
    );
    // The name is somebody else's, and must not reach a terminal as it is.
    assert_eq!(
        refused(&directory, "a\u{1b}[31m"),
        "cannot read `<dir>/a\\u{1b}[31m`"
    );
}

#[test]
fn the_reason_is_the_source_and_not_in_the_text() {
    let error = Input::open(Path::new("gone.json")).unwrap_err();
    let InputError::Read { source, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
    assert!(!error.to_string().contains(&source.to_string()));
}

#[test]
fn a_file_beyond_the_limit_is_refused_before_it_is_read() {
    let directory = TempDir::new().unwrap();
    let file = File::create(directory.path().join("large.json")).unwrap();
    file.set_len(INPUT_BYTES_MAX + 1).unwrap();
    let text = "`<dir>/large.json` has more than the 268435456 bytes allowed";
    assert_eq!(refused(&directory, "large.json"), text);
    assert_eq!(refused(&directory, "."), text);
}

#[test]
fn a_link_in_a_circle_is_refused_and_named() {
    for (link, target) in [
        ("loop", "loop"),
        ("loop.json", "loop.json"),
        ("sub/up", ".."),
        ("sub/here", "."),
        ("sub/far", "../../"),
    ] {
        let directory = TempDir::new().unwrap();
        write(&directory, "sub/summary.json", "{}");
        symlink(target, directory.path().join(link)).unwrap();
        assert_eq!(
            refused(&directory, ""),
            format!(
                "the link `<dir>/{link}` leads back to itself or to a directory it lies in: remove it"
            )
        );
    }
    let directory = TempDir::new().unwrap();
    symlink("loop", directory.path().join("loop")).unwrap();
    assert!(refused(&directory, "loop").contains("leads back to itself"));
}

#[test]
fn links_are_not_followed_out_of_the_directory() {
    let outside = TempDir::new().unwrap();
    write(&outside, "summary.json", "{}");
    let directory = TempDir::new().unwrap();
    write(&directory, "real/summary.json", "{}");
    symlink(outside.path(), directory.path().join("elsewhere")).unwrap();
    symlink("real", directory.path().join("again")).unwrap();
    symlink("real/summary.json", directory.path().join("again.json")).unwrap();
    symlink("nothing", directory.path().join("dangling")).unwrap();
    let Input::Tree { files, .. } = Input::open(directory.path()).unwrap() else {
        panic!("a directory is a tree");
    };
    let paths: Vec<&Path> = files.iter().map(|file| &*file.path).collect();
    assert_eq!(paths, [Path::new("real/summary.json")]);

    // A result that is a link is not passed over in silence.
    symlink("gone.json", directory.path().join("dangling.json")).unwrap();
    assert_eq!(refused(&directory, ""), "cannot read `<dir>/dangling.json`");
    fs::remove_file(directory.path().join("dangling.json")).unwrap();
    symlink(
        outside.path().join("summary.json"),
        directory.path().join("x.json"),
    )
    .unwrap();
    assert_eq!(
        refused(&directory, ""),
        "the link `<dir>/x.json` leads out of the directory: put the file itself there"
    );
}

#[test]
fn a_tree_is_read_in_order_and_without_what_nobody_reads() {
    let directory = TempDir::new().unwrap();
    for path in [
        "b/summary.json",
        "a/z.jsonl",
        "a/report.html",
        "a/b/x.json",
        "a/b.json",
        "a-b/x.json",
        "flame.svg",
    ] {
        write(&directory, path, "");
    }
    let Input::Tree { files, .. } = Input::open(directory.path()).unwrap() else {
        panic!("a directory is a tree");
    };
    let paths: Vec<&Path> = files.iter().map(|file| &*file.path).collect();
    // What lies in `a` stands before what is called `a-b`, though a slash comes after that sign.
    let expected = [
        "a/b/x.json",
        "a/b.json",
        "a/z.jsonl",
        "a-b/x.json",
        "b/summary.json",
    ];
    assert_eq!(paths, expected.map(Path::new));
    assert!(paths.is_sorted(), "files are looked up by their order");
}

/// The number in the names that valgrind gives is the process's, so they have no extension to be known by.
#[test]
fn the_files_that_valgrind_names_are_found_in_a_tree() {
    for (tool, adapter, case) in [
        ("callgrind", "callgrind", "callgrind"),
        ("cachegrind", "callgrind", "cachegrind"),
        ("massif", "massif", "heap"),
        ("dhat", "dhat", "heap"),
    ] {
        let case = cases()
            .into_iter()
            .find(|one| one.name == format!("{adapter}__{case}"))
            .unwrap();
        let Input::Text { bytes, .. } = &case.input else {
            panic!("{} is one file", case.name);
        };
        let text = std::str::from_utf8(bytes).unwrap();
        let directory = TempDir::new().unwrap();
        write(&directory, &format!("sub/{tool}.out.1234"), text);
        write(&directory, &format!("{tool}.out.1234.old"), text);
        write(&directory, "memcheck.out.1234", "");
        let tree = Input::open(directory.path()).unwrap();
        assert_eq!(sniff(&tree).unwrap().name, adapter);
        let found = read(case.adapter, &tree).unwrap();
        assert_eq!(
            found.observations,
            read(case.adapter, &case.input).unwrap().observations
        );
    }
}

/// Whatever ending a harness gives its file, a directory with that file is read as the file is.
#[test]
fn what_a_directory_holds_is_read_as_the_file_alone() {
    let of_many_forms = ["google-benchmark", "jmh"];
    for case in cases() {
        let Input::Text { name, bytes } = &case.input else {
            continue;
        };
        if !of_many_forms.contains(&case.adapter.name) {
            continue;
        }
        let directory = TempDir::new().unwrap();
        let file = Path::new(name).file_name().unwrap();
        fs::write(directory.path().join(file), bytes).unwrap();
        let tree = Input::open(directory.path()).unwrap();
        assert_eq!(sniff(&tree).unwrap().name, case.adapter.name);
        assert_eq!(
            read(case.adapter, &tree).unwrap().observations,
            read(case.adapter, &case.input).unwrap().observations,
            "{}",
            case.name
        );
    }
}

#[test]
fn a_file_that_goes_before_it_is_read_is_missed() {
    let directory = TempDir::new().unwrap();
    write(&directory, "sub/summary.json", "{}");
    let input = Input::open(directory.path()).unwrap();
    fs::remove_file(directory.path().join("sub/summary.json")).unwrap();
    let adapter = tripline_read::adapter("iai-callgrind").unwrap();
    let root = directory.path().to_str().unwrap();
    let without_root = |text: String| text.replace(root, "<dir>");
    let error = read(adapter, &input).expect_err("the file is gone");
    let said = without_root(error.to_string());
    assert!(
        said.starts_with("cannot read `<dir>/sub/summary.json`: No such file"),
        "{said}"
    );
    assert!(error.hint.is_some());
    let error = sniff(&input).expect_err("the file is gone");
    assert_eq!(
        without_root(error.to_string()),
        "cannot read `<dir>/sub/summary.json`"
    );
}

/// A pipe would be waited for without end, and a link leads to whatever somebody likes.
#[test]
fn a_file_that_is_replaced_before_it_is_read_is_refused() {
    let outside = TempDir::new().unwrap();
    write(&outside, "summary.json", "{}");
    let put_link = |path: &Path| symlink(outside.path().join("summary.json"), path).unwrap();
    let put_pipe = |path: &Path| {
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    };
    let put_directory = |path: &Path| fs::create_dir(path).unwrap();
    for put in [&put_link as &dyn Fn(&Path), &put_pipe, &put_directory] {
        let directory = TempDir::new().unwrap();
        write(&directory, "summary.json", "{}");
        let input = Input::open(directory.path()).unwrap();
        let path = directory.path().join("summary.json");
        fs::remove_file(&path).unwrap();
        put(&path);
        let error = sniff(&input).expect_err("it is no file any more");
        assert_eq!(
            error
                .to_string()
                .replace(directory.path().to_str().unwrap(), "<dir>"),
            "`<dir>/summary.json` was a file, and now it is none or lies behind a link: read the directory when nothing changes it"
        );
    }
}

#[test]
fn a_directory_that_became_a_link_is_not_followed_to_the_file() {
    let outside = TempDir::new().unwrap();
    write(&outside, "new/summary.json", "{}");
    let directory = TempDir::new().unwrap();
    write(&directory, "get/new/summary.json", "{}");
    let input = Input::open(directory.path()).unwrap();
    fs::remove_dir_all(directory.path().join("get")).unwrap();
    symlink(outside.path(), directory.path().join("get")).unwrap();
    let error = sniff(&input)
        .expect_err("it lies elsewhere now")
        .to_string();
    assert_eq!(
        error.replace(directory.path().to_str().unwrap(), "<dir>"),
        "`<dir>/get/new/summary.json` was a file, and now it is none or lies behind a link: read the directory when nothing changes it"
    );
}

/// Otherwise all results would have to be in memory until that file is met.
#[test]
fn what_asv_says_of_its_benchmarks_is_read_before_their_results() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("a.json"), b"\xFF").unwrap();
    let asv = tripline_read::adapter("asv").unwrap();
    for (benchmarks, expected) in [("{", "benchmarks.json"), ("{}", "a.json")] {
        write(&directory, "benchmarks.json", benchmarks);
        let input = Input::open(directory.path()).unwrap();
        let error = read(asv, &input).expect_err("one of them is damaged");
        assert!(error.place.file.ends_with(expected), "{error}");
    }
}

/// Reads what asv found in two environments: rows of `time_get` in each.
fn in_two_environments(of_first: &str, of_second: &str) -> Observed {
    let directory = TempDir::new().unwrap();
    for (environment, rows) in [("py3.11", of_first), ("py3.12", of_second)] {
        let text = format!(
            r#"{{"commit_hash": "0123456789abcdef0123456789abcdef01234567", "env_name": "{environment}", "params": {{"machine": "m"}}, "result_columns": ["result", "params"], "results": {{"kv.time_get": {rows}, "kv.time_set": [[1], []]}}}}"#
        );
        write(&directory, &format!("m/01234567-{environment}.json"), &text);
    }
    let asv = tripline_read::adapter("asv").unwrap();
    read(asv, &Input::open(directory.path()).unwrap()).unwrap()
}

/// Otherwise a line would end where a benchmark fails in one of two environments.
#[test]
fn of_asv_a_benchmark_that_failed_elsewhere_is_told_from_the_other_all_the_same() {
    let names = |observed: &Observed| {
        let benches = observed.observations.iter();
        let names = benches.map(|one| one.bench.within_suite().to_string());
        let of_first = names.filter(|name| name.contains("environment=py3.11"));
        of_first.collect::<Vec<_>>()
    };
    for (whole, without) in [
        ("[[1], []]", &["[null, []]", "[[NaN], []]"][..]),
        (
            r#"[[1, 2], [["10", "20"]]]"#,
            &[
                r#"[[1, null], [["10", "20"]]]"#,
                r#"[[NaN, 2], [["10", "20"]]]"#,
                r#"[null, [["10", "20"]]]"#,
                r#"[[NaN], [["10", "20"]]]"#,
            ],
        ),
    ] {
        let expected = names(&in_two_environments(whole, whole));
        assert!(expected.len() > 1, "{expected:?}");
        for rows in without {
            let observed = in_two_environments(whole, rows);
            assert_eq!(names(&observed), expected, "{rows}");
            let told = (observed.problems.len(), observed.remarks.len());
            let is_skipped = rows.contains("NaN");
            assert_eq!(
                told,
                (usize::from(!is_skipped), usize::from(is_skipped)),
                "{rows}"
            );
        }
    }
}

#[test]
fn of_what_asv_printed_one_that_failed_elsewhere_is_told_apart_too() {
    let printed = |value: &str| {
        let text = format!(
            "\u{b7} Running 4 total benchmarks (1 commits * 2 environments * 2 benchmarks)
[  0.00%] \u{b7} For commit 01234567 <main>:
[  0.00%] \u{b7}\u{b7} Benchmarking py3.11
[ 25.00%] \u{b7}\u{b7}\u{b7} kv.time_get  1.00\u{b1}0.1ms
[ 50.00%] \u{b7}\u{b7} Benchmarking py3.12
[ 75.00%] \u{b7}\u{b7}\u{b7} kv.time_get  {value}
"
        );
        let asv = tripline_read::adapter("asv").unwrap();
        let observed = read(asv, &Input::from_bytes("out.txt", text.into_bytes())).unwrap();
        observed.observations[0].bench.within_suite().to_string()
    };
    assert_eq!(
        printed("2.00\u{b1}0.1ms"),
        "kv.time_get{environment=py3.11}"
    );
    assert_eq!(printed("failed"), "kv.time_get{environment=py3.11}");
    assert_eq!(printed("n/a"), "kv.time_get{environment=py3.11}");
}

/// A failed benchmark is written in a few bytes, and may have a million combinations.
#[test]
fn of_asv_what_failed_as_a_whole_is_told_once_however_many_combinations_it_has() {
    let many = (0..400)
        .map(|value| format!("\"{value}\""))
        .collect::<Vec<_>>()
        .join(",");
    let many = format!("[{many}]");
    for params in ["[[]]", &format!("[{many}]"), &format!("[{many}, {many}]")] {
        let observed = in_two_environments("[[1], []]", &format!("[null, {params}]"));
        let told: Vec<_> = observed.problems.iter().map(|one| &*one.text).collect();
        let expected = "benchmark `kv.time_get` cannot be used: it failed, or was skipped";
        assert_eq!(told, [expected], "{}", params.len());
    }
}

#[test]
fn what_lies_where_criterion_writes_is_criterions_whatever_it_holds() {
    let directory = TempDir::new().unwrap();
    let hyperfine = r#"{"results": [{"command": "a", "mean": 1, "user": 1}]}"#;
    write(&directory, "get/new/tukey.json", hyperfine);
    write(&directory, "get/base/estimates.json", hyperfine);
    let input = Input::open(directory.path()).unwrap();
    assert_eq!(sniff(&input).unwrap().name, "criterion");
    write(&directory, "get/report/other.json", hyperfine);
    let input = Input::open(directory.path()).unwrap();
    let said = sniff(&input).expect_err("two harnesses wrote").to_string();
    let both = "criterion (`get/base/estimates.json`) or hyperfine (`get/report/other.json`)";
    assert!(said.contains(both), "{said}");
}

#[test]
fn beside_a_newest_run_of_criterions_the_earlier_ones_are_not_gone_into() {
    let directory = TempDir::new().unwrap();
    let found = |paths: &[&str]| {
        for path in paths {
            write(&directory, &format!("get/{path}"), "{}");
        }
        let Input::Tree { files, .. } = Input::open(directory.path()).unwrap() else {
            panic!("a directory is a tree");
        };
        let below = |file: &TreeFile| file.path.strip_prefix("get").unwrap().to_owned();
        files.iter().map(below).collect::<Vec<PathBuf>>()
    };
    let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
    let [base, change, about, sample, named] = [
        "base/sample.json",
        "change/estimates.json",
        "new/benchmark.json",
        "new/sample.json",
        "old/sample.json",
    ];
    let without_newest = [base, change, about, named];
    assert_eq!(found(&without_newest), paths(&without_newest));

    // Where the file system does not say how many directories lie in one, all are gone into.
    let counted = fs::metadata(directory.path().join("get")).unwrap().nlink() == 2 + 4;
    let left = match counted {
        true => paths(&[about, sample, named]),
        false => paths(&[base, change, about, sample, named]),
    };
    assert_eq!(found(&[sample]), left);

    // A function, and a group of functions, that are called as Criterion calls its directories.
    let called = ["base/new/sample.json", "change/8/new/sample.json"];
    let all = [base, change, about, sample, named];
    let mut all = paths(&[&called[..], &all].concat());
    all.sort();
    assert_eq!(found(&called), all);
}

/// The first in the order of paths, wherever the system has it: so that two runs say the same.
#[test]
fn of_two_faults_the_first_is_named() {
    let directory = TempDir::new().unwrap();
    for path in ["c.json", "b/x.json", "a/d/x.json"] {
        write(&directory, path, "");
        let large = File::create(directory.path().join(path)).unwrap();
        large.set_len(INPUT_BYTES_MAX + 1).unwrap();
        let text = format!("`<dir>/{path}` has more than the 268435456 bytes allowed");
        assert_eq!(refused(&directory, ""), text);
    }
}

#[test]
fn a_tree_without_bottom_is_refused() {
    let directory = TempDir::new().unwrap();
    write(
        &directory,
        &format!("{}x.json", "d/".repeat(TREE_DEPTH_MAX)),
        "",
    );
    assert!(Input::open(directory.path()).is_ok());
    write(
        &directory,
        &format!("{}x.json", "d/".repeat(TREE_DEPTH_MAX + 1)),
        "",
    );
    assert!(refused(&directory, "").ends_with("lies more than 32 directories deep"));
}

#[test]
fn a_directory_without_results_is_an_error_that_says_what_to_do() {
    let directory = TempDir::new().unwrap();
    write(&directory, "report/index.html", "");
    write(&directory, "package.json", "{}");
    let input = Input::open(directory.path()).unwrap();
    for adapter in ADAPTERS {
        let error = read(adapter, &input).expect_err("there is no result");
        assert!(error.hint.is_some(), "{}", adapter.name);
    }
}

#[test]
fn line_ends_and_colours_change_nothing() {
    for case in cases() {
        let Input::Text { name, bytes } = &case.input else {
            continue;
        };
        let expected = shown(&read(case.adapter, &case.input));
        let text = std::str::from_utf8(bytes).unwrap();
        let coloured = text.replace('\n', "\u{1b}[0m\n");
        for other in [
            text.replace('\n', "\r\n"),
            format!("{}\n\n", text.trim_end()),
            text.trim_end().to_owned(),
            format!("\u{1b}[1;32m{coloured}"),
        ] {
            // Our own file has no colours and no empty lines; whoever adds some has changed it.
            if case.adapter.name == "run-file"
                && (other.contains('\u{1b}') || other.ends_with("\n\n"))
            {
                continue;
            }
            // Its last column is a count, which may have lost digits where no line end is behind it.
            if case.name == "pytest_benchmark__csv" && !other.ends_with('\n') {
                continue;
            }
            let input = Input::from_bytes(name.clone(), other.into_bytes());
            let found = shown(&read(case.adapter, &input));
            assert_eq!(found, expected, "{}", case.name);
        }
    }
}

/// It is three bytes of the file, so that what stands in its first line does so behind them.
#[test]
fn a_mark_moves_places_of_the_first_line_and_changes_nothing_else() {
    for case in cases() {
        let Input::Text { name, bytes } = &case.input else {
            continue;
        };
        let marked = [&b"\xEF\xBB\xBF"[..], bytes].concat();
        let input = Input::from_bytes(name.clone(), marked);
        let expected = shown(&read(case.adapter, &case.input));
        let found = shown(&read(case.adapter, &input));
        assert_eq!(found, behind_a_mark(&expected, name), "{}", case.name);
    }
}

/// Returns what is said once a file begins with a mark. The first line as a whole begins where the file does.
fn behind_a_mark(said: &str, name: &str) -> String {
    let first_line = format!("{name}:1:");
    let mut parts = said.split(&first_line);
    let mut moved = parts.next().unwrap().to_owned();
    for part in parts {
        let digits = part
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(part.len());
        let (column, rest) = part.split_at(digits);
        let column = match column.parse::<usize>().unwrap() {
            1 => 1,
            column => column + 3,
        };
        write!(moved, "{first_line}{column}{rest}").unwrap();
    }
    moved
}

/// PowerShell writes what a program prints as UTF-16 when it is sent to a file.
#[test]
fn utf_16_is_read_as_utf_8_is() {
    for case in cases() {
        let Input::Text { name, bytes } = &case.input else {
            continue;
        };
        let text = std::str::from_utf8(bytes).unwrap();
        let units = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes = units.encode_utf16().flat_map(unit).collect();
            let input = Input::from_bytes(name.clone(), bytes);
            let expected = shown(&read(case.adapter, &case.input));
            assert_eq!(
                shown(&read(case.adapter, &input)),
                expected,
                "{}",
                case.name
            );
            let found = recognized(&input).unwrap();
            let found = found.iter().map(|adapter| adapter.name);
            assert!(
                found.into_iter().any(|name| name == case.adapter.name),
                "{}",
                case.name
            );
        }
    }
}
