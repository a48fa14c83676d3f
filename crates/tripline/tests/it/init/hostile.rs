//! Names that nobody should give, and people give.

use super::*;

const NAMES: [&str; 6] = [
    "with space",
    "quo\"te's",
    "$(touch x)`touch y`",
    "line\nend: [x]",
    "${{ github.token }}",
    "-rf \\ # ::error::x",
];

#[test]
fn folders_of_any_name_break_nothing_and_are_run_nowhere() {
    let repository = Repository::for_cargo();
    for (at, name) in NAMES.iter().enumerate() {
        repository.write(
            &format!("{name}/go.mod"),
            &format!("module example.org/m{at}\n"),
        );
        repository.write(
            &format!("{name}/x_test.go"),
            "package x\nfunc BenchmarkX(b *testing.B) {}\n",
        );
        repository.write(&format!("py {name}/pyproject.toml"), "");
        repository.write(
            &format!("py {name}/test_x.py"),
            "def test_x(benchmark): ...\n",
        );
    }
    with_criterion(&repository, "crate $(touch x) it's/", "kv");
    let ended = init(&repository, &[]).with(0);
    let listed = ended.out.lines().filter(|line| line.starts_with("found"));
    assert_eq!(listed.count(), 2 * NAMES.len() + 1, "{}", ended.out);
    let planned = repository
        .tripline(&["plan", "--format", "json"])
        .with(0)
        .out;
    assert_eq!(planned.lines().count(), 2 * NAMES.len() + 1, "{planned}");
    for name in NAMES {
        let quoted = name
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\U0000000A");
        let suites = files(&repository.at("bench"));
        let mut texts = suites.values().map(|text| String::from_utf8_lossy(text));
        assert!(
            texts.any(|text| text.contains(&format!("folder = \"{quoted}\"\n"))),
            "{name}"
        );
    }
    is_clean(&repository);
    for (name, text) in files(&repository.at(".github")) {
        let text = String::from_utf8(text).unwrap();
        assert!(!text.contains("touch"), "{name}: {text}");
    }
    for made in ["x", "y"] {
        assert!(!repository.at(made).exists(), "a name was run");
    }
    let again = init(&repository, &[]).with(0).out;
    assert!(!again.contains("wrote"), "{again}");
}

#[test]
fn a_folder_that_no_suite_can_name_is_said() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let repository = Repository::for_cargo();
    let folder = repository.at("").join(OsStr::from_bytes(b"m\xff"));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("go.mod"), "module m\n").unwrap();
    std::fs::write(
        folder.join("x_test.go"),
        "func BenchmarkX(b *testing.B) {}\n",
    )
    .unwrap();
    let ended = init(&repository, &[]).with(3);
    assert!(
        ended.err.contains("whose name is no UTF-8"),
        "{}",
        ended.err
    );
}

#[test]
fn a_default_branch_of_any_name_is_a_filter_and_nothing_else() {
    for branch in [
        "it's",
        "a,b",
        "c++",
        "#1",
        "true",
        "release/1.x",
        "!x",
        "&a",
        "a]b",
    ] {
        let repository = Repository::for_cargo();
        with_criterion(&repository, "", "kv");
        init(&repository, &["--branch", branch]).with(0);
        is_clean(&repository);
        let main =
            std::fs::read_to_string(repository.at(".github/workflows/bench-main.yml")).unwrap();
        let filters = main
            .lines()
            .filter(|line| line.trim().starts_with("branches: ['"));
        assert_eq!(filters.count(), 1, "{main}");
    }
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    for branch in ["a b", "a\nb", "-x", "${{github.token}}"] {
        init(&repository, &["--branch", branch]).with(2);
    }
}
