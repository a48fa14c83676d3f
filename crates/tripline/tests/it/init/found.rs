//! What is found, and what is written for it.

use super::*;

#[test]
fn a_workspace_of_cargo_gets_a_suite_for_each_package_with_benches() {
    let repository = Repository::for_cargo();
    repository.write(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"crates/*\"]\n",
    );
    repository.write("Cargo.lock", "version = 4\n");
    repository.write(".gitignore", "/target\n");
    let dependencies =
        "measure = { package = \"criterion\", version = \"0.8\" }\niai-callgrind = \"0.16\"\n";
    repository.write(
        "crates/kv/Cargo.toml",
        &package("kv", &["get_set", "counts"], dependencies),
    );
    repository.write("crates/kv/src/lib.rs", "");
    repository.write(
        "crates/kv/benches/get_set.rs",
        "// iai_callgrind::main! counts the same\nuse measure::criterion_group;\n",
    );
    repository.write("crates/kv/benches/counts.rs", "iai_callgrind::main!(x);\n");
    repository.write("crates/plain/Cargo.toml", &package("plain", &[], ""));
    repository.write("crates/plain/src/lib.rs", "");
    // Below what was built there are copies of packages.
    with_criterion(&repository, "target/package/kv/", "kv");
    let ended = init(&repository, &[]).with(0);
    insta::assert_snapshot!(ended.out, @r"
    found  `kv` in `crates/kv`: 2 steps of criterion, iai-callgrind
    wrote  bench/kv/suite.toml
    wrote  .github/workflows/bench.yml
    wrote  .github/workflows/bench-pr.yml
    wrote  .github/workflows/bench-publish.yml
    wrote  .github/workflows/bench-main.yml
    wrote  .github/workflows/bench-export.yml
    wrote  .github/workflows/baseline.yml
    note   `main` is taken for the default branch, going by the branches there are; `--branch` names another one

    next:
      tripline doctor
      tripline check
    ");
    insta::assert_snapshot!(std::fs::read_to_string(repository.at("bench/kv/suite.toml")).unwrap(), @r#"
    about = "The benches of `kv`."
    folder = "crates/kv"

    [[step]]
    name = "counts"
    harness = "iai-callgrind"
    bench = "counts"

    [[step]]
    name = "get-set"
    harness = "criterion"
    bench = "get_set"
    "#);
    insta::assert_snapshot!(repository.tripline(&["plan"]).with(0).out, @r"
    kv: The benches of `kv`.
      counts       iai-callgrind    bench counts
      get-set      criterion        bench get_set
    ");
    is_clean(&repository);
}

#[test]
fn what_will_be_missed_later_is_said_at_once() {
    let repository = Repository::for_cargo();
    repository.write(
        "Cargo.toml",
        &package("kv", &["counts"], "iai-callgrind = \"0.16\""),
    );
    repository.write("src/lib.rs", "");
    repository.write("benches/counts.rs", "iai_callgrind::main!(x);\n");
    let said = |place: &str, text: &str, words: &str| {
        let before = init(&repository, &["--dry-run"]).with(0).out;
        repository.write(place, text);
        let after = init(&repository, &["--dry-run"]).with(0).out;
        assert!(
            before.contains(words) && !after.contains(words),
            "{before}{after}"
        );
    };
    said(
        ".gitignore",
        "/target/\n",
        "note   git does not ignore `target/`",
    );
    said(
        "Cargo.lock",
        "version = 4\n",
        "note   there is no `Cargo.lock` in the repository",
    );
}

#[test]
fn a_module_of_go_gets_a_suite() {
    let repository = Repository::for_cargo();
    let test = "package kv\n\nimport \"testing\"\n\nfunc BenchmarkGet(b *testing.B) {}\n";
    repository.write("go.mod", "module example.org/acme/kv/v2\n\ngo 1.24\n");
    repository.write("store/store_test.go", test);
    repository.write("tools/go.mod", "module example.org/acme/tools\n");
    repository.write(
        "tools/x_test.go",
        "package tools\n\n// func BenchmarkX(b *testing.B) {}\n",
    );
    repository.write("vendor/example.org/other/x_test.go", test);
    let ended = init(&repository, &["--branch", "trunk"]).with(0);
    let found = ended.out.lines().next();
    assert_eq!(found, Some("found  `kv`: 1 step of go"), "{}", ended.out);
    assert!(!ended.out.contains("note"), "{}", ended.out);
    insta::assert_snapshot!(std::fs::read_to_string(repository.at("bench/kv/suite.toml")).unwrap(), @r#"
    about = "The benches of `kv`."
    folder = "."

    [[step]]
    name = "go"
    harness = "go"
    # Many short turns instead of few long ones: base and head take turns, and are run again and again.
    command = ["go", "test", "-run=^$", "-bench=.", "-benchmem", "-benchtime=50ms", "-count=5", "./..."]
    "#);
    assert_eq!(
        std::fs::read_dir(repository.at("bench")).unwrap().count(),
        1
    );
    let main = std::fs::read_to_string(repository.at(".github/workflows/bench-main.yml")).unwrap();
    assert!(main.contains("branches: [trunk]"), "{main}");
    repository.tripline(&["plan"]).with(0);
    is_clean(&repository);
}

#[test]
fn a_project_of_pytest_gets_a_suite() {
    let repository = Repository::for_cargo();
    repository.write(
        "py/pyproject.toml",
        "[project]\nname = \"fast_kv\"\ndependencies = [\"pytest_benchmark>=5\"]\n",
    );
    repository.write(
        "py/tests/test_kv.py",
        "def test_get(benchmark):\n    benchmark(get)\n",
    );
    repository.write("py/tests/test_plain.py", "def test_get():\n    pass\n");
    let ended = init(&repository, &[]).with(0);
    assert!(
        ended
            .out
            .contains("found  `fast_kv` in `py`: 1 step of pytest-benchmark\n")
            && ended
                .out
                .contains("the workflows install nothing for Python: write what does into `.github/tripline-prepare.sh`")
            && ended.out.contains("what it installs is the same for base and head"),
        "{}",
        ended.out
    );
    let planned = repository.tripline(&["plan"]).with(0).out;
    assert!(planned.contains("--benchmark-json=/dev/fd/3"), "{planned}");
    repository.write(".github/tripline-prepare.sh", "pip install .\n");
    let again = init(&repository, &[]).with(0).out;
    assert!(!again.contains("install nothing"), "{again}");
    let suite = std::fs::read_to_string(repository.at("bench/fast-kv/suite.toml")).unwrap();
    assert!(suite.contains("folder = \"py\"\n"), "{suite}");
    is_clean(&repository);
}

#[test]
fn packages_of_javascript_get_suites() {
    let repository = Repository::for_cargo();
    let package = |name: &str, needs: &str, scripts: &str| {
        format!(
            "{{\"name\": \"{name}\", \"devDependencies\": {{{needs}}}, \"scripts\": {{{scripts}}}}}"
        )
    };
    let vitest = package("@acme/kv", "\"vitest\": \"^3\"", "");
    repository.write("package.json", &vitest);
    // A package of the workspace has what the top one has.
    repository.write("packages/store/package.json", &package("store", "", ""));
    repository.write(
        "packages/store/src/get.bench.ts",
        "bench('get', () => {})\n",
    );
    repository.write("src/set.benchmark.mjs", "bench('set', () => {})\n");
    let tinybench = package(
        "scan",
        "\"tinybench\": \"^4\"",
        "\"bench\": \"node bench.js\"",
    );
    repository.write("packages/scan/package.json", &tinybench);
    let prints = "import { Bench } from 'tinybench'\nconsole.table(bench.table())\n";
    repository.write("packages/scan/bench.js", prints);
    repository.write("packages/scan/package-lock.json", "{}\n");
    // Nobody knows how to run this one.
    repository.write(
        "packages/own/package.json",
        &tinybench
            .replace("bench.js", "own.js")
            .replace("scan", "own"),
    );
    let ended = init(&repository, &["--branch", "main"]).with(0);
    let said = ended.out.lines().filter(|line| !line.starts_with("wrote"));
    let said: Vec<&str> = said.take_while(|line| !line.is_empty()).collect();
    insta::assert_snapshot!(said.join("\n").replace('\u{a0}', " "), @r"
    found  `@acme/kv`: 1 step of vitest
    found  `scan` in `packages/scan`: 1 step of tinybench
    unused `packages/own/package.json`: benches of tinybench, which can be read: write a step for them by hand
    note   no `package-lock.json` is committed for `@acme/kv`, and `npm ci`, by which its steps install, needs one: commit it, or change the command in the suite's file
    ");
    insta::assert_snapshot!(std::fs::read_to_string(repository.at("bench/acme-kv/suite.toml")).unwrap(), @r#"
    about = "The benches of `@acme/kv`."
    folder = "."

    [[step]]
    name = "vitest"
    harness = "vitest"
    # What is not installed in the tree that is measured, npm installs first: by another program, change it here.
    command = ["sh", "-c", "set -e; node -p \"require.resolve('vitest/package.json')\" >/dev/null 2>&1 || npm ci >&2 || { echo 'npm ci failed: is a package-lock.json committed?' >&2; exit 1; }; out=$(mktemp -d); trap 'rm -r \"$out\"' EXIT; npx --no-install vitest bench --run --outputJson=\"$out/vitest.json\" >&2; cat \"$out/vitest.json\""]
    "#);
    let scan = std::fs::read_to_string(repository.at("bench/scan/suite.toml")).unwrap();
    assert!(scan.contains("exec npm run --silent bench\"]\n"), "{scan}");
    repository.tripline(&["plan"]).with(0);
    // A second time there is nothing new.
    repository.write("package-lock.json", "{}\n");
    let again = init(&repository, &["--branch", "main"]).with(0);
    assert!(!again.out.contains("wrote"), "{}", again.out);
    assert!(!again.out.contains("package-lock"), "{}", again.out);
}

#[test]
fn what_gets_no_suite_is_named_beside_what_does() {
    let repository = Repository::for_cargo();
    with_criterion(&repository, "", "kv");
    let more = "divan = \"0.1\"\niai-callgrind = \"0.16\"\nbencher = \"0.1\"";
    let manifest = package("more", &["divans", "old", "own", "locked"], more);
    let features = "name = \"locked\"\nrequired-features = [\"fast\"]";
    let manifest =
        manifest.replace("name = \"locked\"", features) + "[features]\nfast = []\n[workspace]\n";
    repository.write("more/Cargo.toml", &manifest);
    repository.write("more/src/lib.rs", "");
    repository.write("more/benches/divans.rs", "fn main() { divan::main(); }\n");
    let old = "bencher::benchmark_main!(x);\n";
    repository.write("more/benches/old.rs", old);
    repository.write("more/benches/own.rs", "fn main() {}\n");
    repository.write("more/benches/locked.rs", "iai_callgrind::main!(x);\n");
    repository.write("more/benches/forgotten.rs", "use iai_callgrind::main;\n");
    repository.write(
        "more/benches/nightly.rs",
        "#[bench]\nfn x(b: &mut test::Bencher) {}\n",
    );
    repository.write("broken/Cargo.toml", "[package]\nname = \n[[bench]]\n");
    repository.write("cpp/a.cc", "#include <benchmark/benchmark.h>\n");
    repository.write("cpp/b.cc", "#include <benchmark/benchmark.h>\n");
    repository.write("js/a.bench.ts", "bench('a', () => {})\n");
    repository.write(
        "js/node_modules/tinybench/package.json",
        "{\"tinybench\": 1}\n",
    );
    repository.write(
        "loose_test.go",
        "package x\nfunc BenchmarkA(b *testing.B) {}\n",
    );
    repository.write(
        "java/A.java",
        "import org.openjdk.jmh.annotations.Benchmark;\n",
    );
    let ended = init(&repository, &["--branch", "main"]).with(0);
    let unused = ended.out.lines().filter(|line| !line.starts_with("wrote"));
    let unused: Vec<&str> = unused
        .take_while(|line| !line.starts_with("note"))
        .collect();
    let unused = unused.join("\n").replace('\u{a0}', " ");
    // What cargo says about the broken manifest is cargo's.
    let cut = |line: &str| match line.split_once("cannot tell about: ") {
        Some((before, _)) => format!("{before}cannot tell about: [CARGO]"),
        None => line.to_owned(),
    };
    let unused: Vec<String> = unused.lines().map(cut).collect();
    insta::assert_snapshot!(unused.join("\n"), @r"
    found  `kv`: 1 step of criterion
    found  `more` in `more`: 2 steps of divan, libtest
    unused `broken/Cargo.toml`: a package that cargo cannot tell about: [CARGO]
    unused `more/benches/forgotten.rs`: the bench target `forgotten`, which is written for iai-callgrind and is run as a libtest one, so that it measures nothing: give it `harness = false` in Cargo.toml
    unused `more/benches/locked.rs`: the bench target `locked`, which needs the features `fast`, and a step cannot switch them on
    unused `more/benches/nightly.rs`: the bench target `nightly`, whose `#[bench]` are libtest's, which can be read: write a step for it, with a toolchain that runs them
    unused `more/benches/own.rs`: the bench target `own`, which runs itself, and by no harness that is known: if it can print a run file, or what a known harness prints, write a step for it
    unused `loose_test.go`: benchmarks of Go that are in no module: run `go mod init` first
    unused `cpp/a.cc`: benches of google-benchmark (and 1 file more), which can be read: write a step for them by hand
    unused `java/A.java`: benches of jmh, which can be read: write a step for them by hand
    unused `js/a.bench.ts`: benches of vitest, which can be read: write a step for them by hand
    ");
}

#[test]
fn a_repository_without_benches_gets_nothing() {
    let repository = Repository::for_cargo();
    repository.write("README.md", "func BenchmarkX(b *testing.B)\n");
    let ended = init(&repository, &[]).with(3);
    assert_eq!(ended.out, "");
    insta::assert_snapshot!(ended.err, @r"
    error: nothing was written: no benchmark that can be read was found in `[PROJECT]/project`
      hint: looked for: bench targets of cargo packages, `func Benchmark...` in `*_test.go` of Go modules, tests of pytest with the fixture `benchmark`, `*.bench.ts` and the like of vitest, scripts of npm that print tinybench's table
      hint: whatever can print one of the formats that `tripline read --help` lists can be a suite: write its `bench/<suite>/suite.toml` by hand, then run this again
    ");
    assert_eq!(files(&repository.at("")).len(), 1);
    // What is found and gets no suite is named.
    repository.write("x.bench.ts", "");
    let ended = init(&repository, &[]).with(3);
    assert!(
        ended
            .err
            .contains("found, and not used: `x.bench.ts`: benches of vitest"),
        "{}",
        ended.err
    );
    assert_eq!(files(&repository.at("")).len(), 2);
}

#[test]
fn suites_that_were_written_by_hand_get_workflows() {
    let repository = Repository::for_cargo();
    repository.with_suite();
    let ended = init(&repository, &[]).with(0);
    assert!(
        ended
            .out
            .starts_with("wrote  .github/workflows/bench.yml\n"),
        "{}",
        ended.out
    );
    is_clean(&repository);
}
