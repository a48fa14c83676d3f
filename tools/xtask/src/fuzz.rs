//! Fuzzing the readers: one target each, started from the fixtures and the committed corpus.
//!
//! libFuzzer needs code that tells where it has been. LLVM writes that into it on the pinned toolchain as well, so no
//! other compiler is needed; only a C++ compiler, for libFuzzer itself. What was found stays below `target/fuzz`, where
//! the next run goes on from it. Of all that, the corpus keeps what covers most beyond the fixtures, within a bound: it
//! is there to try the rules of all readers in every run of the tests, not to spare anybody the fuzzing.
//!
//! Tested below, as far as no target is started.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use anyhow::{Context as _, Result, bail, ensure};

use crate::tree::Tree;

/// The package of the targets.
const PACKAGE: &str = "crates/tripline-read/fuzz";
const FIXTURES: &str = "crates/tripline-read/fixtures";
const HISTORY: &str = "crates/tripline-read/tests/data_js/data.js";

/// The reader that is given everybody's fixtures, and the one of histories.
const SNIFF: &str = "sniff";
const DATA_JS: &str = "data-js";

/// The most that a reader's corpus may hold, so that all of them stay below one and a half megabytes.
const CORPUS_FILES_MAX: usize = 40;
const CORPUS_BYTES_MAX: usize = 36 * 1024;

/// How code tells where it has been: which edges were taken, and what was compared with what.
const INSTRUMENTED: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                            -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                            -Cllvm-args=-sanitizer-coverage-pc-table \
                            -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Longer inputs say nothing that shorter ones cannot.
const INPUT_BYTES_MAX: &str = "-max_len=4096";
/// A reader that takes seconds for some kilobytes is broken as well.
const LIMITS: [&str; 2] = ["-timeout=5", "-rss_limit_mb=2048"];
/// How long a crash is made smaller.
const MINIMIZE: &str = "-max_total_time=20";

/// What is fuzzed.
pub(crate) struct Fuzz {
    /// The reader; all where none is named.
    pub(crate) reader: Option<String>,
    /// How long each.
    pub(crate) seconds: u32,
}

impl Fuzz {
    /// Fuzzes, says after each reader what came of it, and returns how many broke a rule.
    pub(crate) fn run(&self, tree: &Tree, say: impl Fn(&str)) -> Result<usize> {
        let all = targets(tree)?;
        let chosen: Vec<&String> = all
            .iter()
            .filter(|name| self.reader.as_ref().is_none_or(|wanted| wanted == *name))
            .collect();
        ensure!(
            !chosen.is_empty(),
            "nothing was fuzzed: the readers are {}",
            all.join(", ")
        );
        let programs = build(tree.root(), &chosen)?;
        let mut broken = 0;
        for reader in chosen {
            let target = Target::prepare(tree, &programs, reader)?;
            let found = target.fuzz(self.seconds)?;
            let kept = target.keep_corpus()?;
            say(&format!(
                "{reader}: {}, the corpus has {kept} inputs",
                found.runs
            ));
            if let Some(crash) = &found.crash {
                broken += 1;
                say(&target.told(crash, &found.log)?);
            }
        }
        Ok(broken)
    }
}

/// Returns the names of the targets, in order.
fn targets(tree: &Tree) -> Result<Vec<String>> {
    let path = format!("{PACKAGE}/Cargo.toml");
    let manifest: toml::Table = tree
        .text(&path)
        .and_then(|text| text.parse().ok())
        .with_context(|| format!("nothing was fuzzed: `{path}` is no manifest"))?;
    let programs = manifest.get("bin").and_then(toml::Value::as_array);
    let names = programs
        .into_iter()
        .flatten()
        .filter_map(|program| program.get("name")?.as_str());
    Ok(names.map(str::to_owned).collect())
}

/// Builds the targets, and returns the folder they are in.
fn build(root: &Path, readers: &[&String]) -> Result<PathBuf> {
    let host = host(root)?;
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // With a target named, the programs that only build are not instrumented.
    cargo
        .args(["build", "--quiet", "--release", "--locked", "--target"])
        .arg(&host)
        .args(readers.iter().flat_map(|reader| ["--bin", reader]))
        .current_dir(root.join(PACKAGE))
        .env("CARGO_TARGET_DIR", root.join("target/fuzz"))
        .env("RUSTFLAGS", INSTRUMENTED);
    let status = cargo.status().context("cargo did not start")?;
    ensure!(
        status.success(),
        "nothing was fuzzed: the targets did not build (libFuzzer needs a C++ compiler: install g++)"
    );
    Ok(root.join("target/fuzz").join(host).join("release"))
}

fn host(root: &Path) -> Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .current_dir(root)
        .output()
        .context("rustc did not start")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .context("rustc does not say what it compiles for")
}

/// One reader's program and folders.
struct Target {
    reader: String,
    program: PathBuf,
    /// The fixtures.
    seeds: PathBuf,
    /// All that was ever found here.
    work: PathBuf,
    /// What is committed.
    corpus: PathBuf,
    /// What broke a rule.
    crashes: PathBuf,
}

/// What came of fuzzing one reader.
struct Found {
    runs: String,
    log: String,
    crash: Option<PathBuf>,
}

impl Target {
    fn prepare(tree: &Tree, programs: &Path, reader: &str) -> Result<Self> {
        let root = tree.root();
        let target = Self {
            reader: reader.to_owned(),
            program: programs.join(reader),
            seeds: root.join("target/fuzz/seeds").join(reader),
            work: root.join("target/fuzz/work").join(reader),
            corpus: root.join(PACKAGE).join("corpus").join(reader),
            crashes: root.join(PACKAGE).join("crashes"),
        };
        emptied(&target.seeds)?;
        for folder in [&target.work, &target.corpus, &target.crashes] {
            fs::create_dir_all(folder)?;
        }
        for (name, bytes) in seeds(tree, reader)? {
            fs::write(target.seeds.join(name), bytes)?;
        }
        Ok(target)
    }

    fn fuzz(&self, seconds: u32) -> Result<Found> {
        let crashes = self.crashes.join(format!("{}-", self.reader));
        let output = self.start(
            Command::new(&self.program)
                .arg(format!("-max_total_time={seconds}"))
                .arg(format!("-artifact_prefix={}", crashes.display()))
                .args(LIMITS)
                .args([&self.work, &self.corpus, &self.seeds]),
        )?;
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let written = log
            .lines()
            .find_map(|line| line.split_once("Test unit written to "));
        let crash = written.map(|(_, path)| PathBuf::from(path));
        if crash.is_none() && !output.status.success() {
            bail!("`{}` was not fuzzed:\n{log}", self.reader);
        }
        let done = log.lines().find_map(|line| line.strip_prefix("Done "));
        Ok(Found {
            runs: done.unwrap_or("it broke a rule").to_owned(),
            log,
            crash,
        })
    }

    /// Keeps of all that is known what covers most beyond the fixtures, and returns how many inputs that are.
    fn keep_corpus(&self) -> Result<usize> {
        let merged = self.work.with_extension("merged");
        emptied(&merged)?;
        for seed in files_in(&self.seeds)? {
            fs::copy(&seed, merged.join(seed.file_name().unwrap_or_default()))?;
        }
        let output = self.start(
            Command::new(&self.program)
                .args(["-set_cover_merge=1", "-use_counters=0", INPUT_BYTES_MAX])
                .args(LIMITS)
                .args([&merged, &self.corpus, &self.work]),
        )?;
        ensure!(
            output.status.success(),
            "the corpus of `{}` was not renewed:\n{}",
            self.reader,
            String::from_utf8_lossy(&output.stderr)
        );
        let found = files_in(&merged)?.into_iter();
        let found = found.filter(|path| !self.is_seed(path));
        let kept = bounded(found.map(|path| Ok((fs::read(&path)?, path))))?;
        // Made beside it and renamed, so that an interrupt leaves the one there was.
        let next = self.corpus.with_extension("next");
        emptied(&next)?;
        for path in &kept {
            fs::copy(path, next.join(path.file_name().unwrap_or_default()))?;
        }
        fs::remove_dir_all(&self.corpus)?;
        fs::rename(&next, &self.corpus)?;
        fs::remove_dir_all(&merged)?;
        Ok(kept.len())
    }

    fn is_seed(&self, path: &Path) -> bool {
        path.file_name()
            .is_some_and(|name| self.seeds.join(name).exists())
    }

    /// Tells of a crash, made as small as it can be.
    fn told(&self, crash: &Path, log: &str) -> Result<String> {
        let mut smallest = crash.as_os_str().to_owned();
        smallest.push("-smallest");
        let smallest = PathBuf::from(smallest);
        let mut exact = std::ffi::OsString::from("-exact_artifact_path=");
        exact.push(&smallest);
        self.start(
            Command::new(&self.program)
                .args(["-minimize_crash=1", MINIMIZE])
                .args(LIMITS)
                .args([exact.as_os_str(), crash.as_os_str()]),
        )?;
        let input = if smallest.exists() { &smallest } else { crash };
        Ok(format!(
            "error: `{}` breaks a rule\n{}  input: {}\n  \
             hint: make it a case of a test in crates/tripline-read/tests/it, mend the reader, and fuzz again",
            self.reader,
            panicked(log),
            input.display()
        ))
    }

    /// Starts the target, whose standard error is its log.
    fn start(&self, command: &mut Command) -> Result<Output> {
        command
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("the target `{}` did not start", self.reader))
    }
}

/// Returns what a log says of a panic, or of what libFuzzer itself found wrong.
fn panicked(log: &str) -> String {
    let lines = log
        .lines()
        .skip_while(|line| !line.contains("panicked at") && !line.contains("ERROR: libFuzzer"));
    let said = lines.take_while(|line| !line.starts_with("note: ") && *line != "stack backtrace:");
    said.take(3).map(|line| format!("  {line}\n")).collect()
}

/// Returns what a reader starts from, by name.
fn seeds(tree: &Tree, reader: &str) -> Result<BTreeMap<String, Vec<u8>>> {
    if reader == DATA_JS {
        let bytes = fs::read(tree.root().join(HISTORY))?;
        return Ok(BTreeMap::from([("data.js".to_owned(), bytes)]));
    }
    let mut cases: BTreeMap<String, Vec<(&str, Vec<u8>)>> = BTreeMap::new();
    for path in tree.below(FIXTURES) {
        // Beside the cases stands how they were made.
        let inside = &path[FIXTURES.len() + 1..];
        let [module, case, file] = inside.splitn(3, '/').collect::<Vec<_>>()[..] else {
            continue;
        };
        if reader == SNIFF || reader == module.replace('_', "-") {
            let bytes = fs::read(tree.root().join(path))?;
            let files = cases.entry(format!("{module}-{case}")).or_default();
            files.push((file, bytes));
        }
    }
    let inputs = cases.into_iter();
    Ok(inputs
        .map(|(name, files)| (name, input_of(&files)))
        .collect())
}

/// Returns the files of a case as one input: its only file, or a tree as `rules.rs` of the targets takes it apart.
fn input_of(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    match files {
        [(name, bytes)] if !name.contains('/') => bytes.clone(),
        _ => {
            let parts: Vec<Vec<u8>> = files
                .iter()
                .map(|(path, bytes)| [format!("=== {path}\n").as_bytes(), bytes].concat())
                .collect();
            parts.join(&b'\n')
        }
    }
}

/// Returns the first files that the bound of a corpus leaves room for. libFuzzer writes first what covers most.
fn bounded(files: impl Iterator<Item = Result<(Vec<u8>, PathBuf)>>) -> Result<Vec<PathBuf>> {
    let mut bytes_left = CORPUS_BYTES_MAX;
    let mut kept = Vec::new();
    for file in files {
        let (bytes, path) = file?;
        if bytes.len() <= bytes_left && kept.len() < CORPUS_FILES_MAX {
            bytes_left -= bytes.len();
            kept.push(path);
        }
    }
    Ok(kept)
}

/// Returns the files of a folder, in the order they were written.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.push((entry.metadata()?.modified()?, entry.path()));
    }
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

/// Makes a folder with nothing in it.
fn emptied(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("`{}` stays", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("`{}` was not made", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::find_root;

    fn repository() -> Tree {
        Tree::read(&find_root(&env::current_dir().unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn every_target_has_something_to_start_from() {
        let tree = repository();
        let targets = targets(&tree).unwrap();
        assert!(targets.contains(&SNIFF.to_owned()) && targets.contains(&DATA_JS.to_owned()));
        for reader in targets {
            assert!(!seeds(&tree, &reader).unwrap().is_empty(), "{reader}");
        }
    }

    #[test]
    fn a_reader_that_is_none_is_refused_before_anything_is_built() {
        let fuzz = Fuzz {
            reader: Some("unheard-of".to_owned()),
            seconds: 1,
        };
        let error = fuzz.run(&repository(), |_| ()).unwrap_err().to_string();
        assert!(
            error.starts_with("nothing was fuzzed: the readers are "),
            "{error}"
        );
    }

    #[test]
    fn a_case_of_one_file_is_a_text_and_any_other_a_tree() {
        let file = |path: &'static str, text: &str| (path, text.as_bytes().to_vec());
        assert_eq!(input_of(&[file("a", "1\n")]), b"1\n");
        assert_eq!(input_of(&[file("b/a", "1\n")]), b"=== b/a\n1\n");
        let tree = input_of(&[file("a", "1\n"), file("b/c", "2")]);
        assert_eq!(tree, b"=== a\n1\n\n=== b/c\n2");
    }

    #[test]
    fn a_corpus_stays_within_its_bound() {
        let file = |bytes: usize| Ok((vec![0; bytes], PathBuf::from(bytes.to_string())));
        let sizes = [CORPUS_BYTES_MAX - 10, 11, 10, 1];
        let kept = bounded(sizes.into_iter().map(file)).unwrap();
        let wanted = [sizes[0], sizes[2]].map(|size| PathBuf::from(size.to_string()));
        assert_eq!(kept, wanted);
        let many = bounded((0..100).map(|_| file(1))).unwrap();
        assert_eq!(many.len(), CORPUS_FILES_MAX);
    }

    #[test]
    fn of_a_log_the_panic_is_told() {
        let log = "INFO: Seed: 1\nthread 'x' panicked at a.rs:1:2:\nbad\nnote: run with\n#0 0x1\n";
        assert_eq!(panicked(log), "  thread 'x' panicked at a.rs:1:2:\n  bad\n");
    }
}
