//! `bench/<suite>/suite.toml`: what a suite measures, and how. An unknown key is an error that names the near miss.

mod canary;
mod judging;
mod place;
mod program;
mod selection;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use tripline_model::{StepName, SuiteName};
use tripline_read::{ADAPTERS, Adapter};

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::settings::{OutcomesTable, PolicyRow};
pub(crate) use canary::Canary;
use canary::CanaryFile;
pub(crate) use judging::Judging;
use judging::{DerivedRow, IncludesRow, Sections};
use program::{Keys, RUNS_MIN};
pub(crate) use program::{Program, Tool, WHOLE, by_unit, counted};
pub(crate) use selection::{Selection, StepPath, selected};
pub(crate) use written::places;

/// The `repeats` of a step of which once is enough: it counts or is held to limits, its times are not compared, and rounds
/// would add nothing.
const ONCE: u32 = 1;

/// What a suite's file is called.
const FILE_NAME: &str = "suite.toml";

/// How long a step may take where its suite does not say.
const TIMEOUT_SECONDS: u64 = 900;

/// The longest a step may take: nobody waits for a day, and a larger number is a slip.
const TIMEOUT_SECONDS_MAX: u64 = 24 * 60 * 60;

/// The most times a step may be repeated: beyond it, more repeats only cost time.
const REPEATS_MAX: u32 = 20;

/// A suite, as its file describes it.
#[derive(Debug, Clone)]
pub(crate) struct Suite {
    /// Its name, which is its folder's.
    pub(crate) name: SuiteName,
    /// The file that describes it.
    pub(crate) file: PathBuf,
    /// Where its benches are built and its steps are run: the file's folder, unless the suite names another one.
    pub(crate) folder: PathBuf,
    /// What it is about, in a sentence.
    pub(crate) about: String,
    /// Whether it is left out unless it is named.
    pub(crate) on_demand: bool,
    /// What is run, in order.
    pub(crate) steps: Vec<Step>,
    /// Which steps these are, where they are not all of the suite's.
    pub(crate) selection: Option<Selection>,
    /// What is known of it in advance, if it is a canary.
    pub(crate) canary: Option<Canary>,
    /// How its runs are judged.
    pub(crate) judging: Judging,
}

/// One thing a suite runs.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// Its name.
    pub(crate) name: StepName,
    /// What runs its benchmarks.
    pub(crate) harness: Harness,
    /// What is run.
    pub(crate) task: Task,
    /// How often it is run by itself; counts are taken twice unless the suite says otherwise. What is timed goes by rounds
    /// where there are two sides, unless once is enough.
    pub(crate) repeats: Option<u32>,
    /// What its executable may run on, if it serves.
    pub(crate) cores: Cores,
    /// When it is stopped.
    pub(crate) timeout: Duration,
    /// What more is said of a program that is measured whole.
    pub(crate) program: Option<Program>,
}

/// The processors that an executable that serves may run on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Cores {
    /// The one that is least busy: nothing is steadier for what one thread does.
    #[default]
    One,
    /// All of them: threads that share one only take turns.
    All,
}

/// What runs benchmarks, and how what it measures is taken.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Harness {
    /// It writes what it measured, and this adapter reads it.
    Writes(&'static Adapter),
    /// Its executables serve block after block, and a driver asks for them.
    Serves,
    /// A program is measured whole, by itself or under a tool.
    Whole(Tool),
}

/// The name of the harness whose executables serve.
const SERVING: &str = "duet";

impl Harness {
    /// Returns the harness of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        if name == SERVING {
            return Some(Self::Serves);
        }
        if name == WHOLE {
            return Some(Self::Whole(Tool::Alone));
        }
        tripline_read::adapter(name).map(Self::Writes)
    }

    /// Returns the name that suites use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Writes(adapter) => adapter.name,
            Self::Serves => SERVING,
            Self::Whole(_) => WHOLE,
        }
    }

    /// Returns what a program is run under, where one is measured whole.
    pub(crate) fn tool(self) -> Option<Tool> {
        match self {
            Self::Whole(tool) => Some(tool),
            Self::Writes(_) | Self::Serves => None,
        }
    }

    /// Returns whether it counts instructions.
    pub(crate) fn counts(self) -> bool {
        ["iai-callgrind", "gungraun"].contains(&self.name())
    }

    /// Returns whether it says what was computed, and measures nothing.
    pub(crate) fn answers(self) -> bool {
        self.name() == "answers"
    }

    /// Returns whether what it gives depends on the moment, so that only what is measured side by side can be compared.
    pub(crate) fn times(self) -> bool {
        match self {
            Self::Whole(tool) => tool.times(),
            Self::Writes(_) | Self::Serves => !self.counts() && !self.answers(),
        }
    }
}

/// What a step runs.
#[derive(Debug, Clone)]
pub(crate) enum Task {
    /// A bench target of the package in the suite's folder.
    Bench(String),
    /// A command, run in the suite's folder.
    Command {
        /// The program and its arguments.
        argv: Vec<String>,
        /// The file or folder it writes, relative to the suite's folder; its stdout where absent.
        output: Option<PathBuf>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteFile {
    about: String,
    #[serde(default)]
    on_demand: bool,
    folder: Option<toml::Spanned<String>>,
    #[serde(rename = "step", default)]
    steps: Vec<toml::Spanned<StepFile>>,
    canary: Option<toml::Spanned<CanaryFile>>,
    #[serde(default)]
    policy: Vec<toml::Spanned<PolicyRow>>,
    #[serde(default)]
    outcomes: OutcomesTable,
    #[serde(default)]
    derived: Vec<toml::Spanned<DerivedRow>>,
    #[serde(default)]
    includes: Vec<toml::Spanned<IncludesRow>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StepFile {
    name: String,
    harness: String,
    bench: Option<String>,
    command: Option<Vec<String>>,
    output: Option<PathBuf>,
    repeats: Option<u32>,
    cores: Option<Cores>,
    timeout_seconds: Option<u64>,
    tools: Option<Vec<String>>,
    args: Option<Vec<String>>,
    benchmark: Option<String>,
    params: Option<BTreeMap<String, toml::Value>>,
    per: Option<String>,
}

/// What is wrong with a suite's file or the project's, and where.
#[derive(Debug, thiserror::Error)]
#[error("{problem} at line {line} column {column}")]
pub(crate) struct SuiteProblem {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) problem: String,
    pub(crate) hint: Option<String>,
}

/// Returns whether a suite's file says that it is only measured on demand. One that cannot be used says nothing.
pub(crate) fn is_on_demand(file: &[u8]) -> bool {
    let text = SuiteProblem::text_of(file).unwrap_or_default();
    toml::from_str(text).is_ok_and(|file: SuiteFile| file.on_demand)
}

impl Suite {
    /// Loads a suite from its folder.
    pub(crate) fn load(name: SuiteName, folder: PathBuf) -> Outcome<Self> {
        let path = folder.join(FILE_NAME);
        let bytes = crate::files::read(&path)?;
        let parsed = Self::parse(name, &folder, &bytes).map_err(|problem| {
            let hint = problem.hint.clone();
            let what = format!("nothing was measured: `{}` cannot be used", path.display());
            let error = CommandError::new(Exit::BadInput, what).because(problem);
            match hint {
                Some(hint) => error.hint(hint),
                None => error,
            }
        });
        parsed.and_then(place::checked)
    }

    fn parse(name: SuiteName, folder: &Path, bytes: &[u8]) -> Result<Self, SuiteProblem> {
        let text = SuiteProblem::text_of(bytes)?;
        let file: SuiteFile =
            toml::from_str(text).map_err(|error| SuiteProblem::toml(text, &error))?;
        let mut steps: Vec<Step> = Vec::with_capacity(file.steps.len());
        for step in file.steps {
            let start = step.span().start;
            let problem = |(problem, hint): StepProblem| SuiteProblem {
                hint,
                ..SuiteProblem::at(text, start, &problem)
            };
            for step in step.into_inner().check(&name).map_err(problem)? {
                if steps.iter().any(|earlier| earlier.name == step.name) {
                    return Err(SuiteProblem::at(
                        text,
                        start,
                        &format!("a second step is named `{}`", step.name),
                    ));
                }
                steps.push(step);
            }
        }
        if steps.is_empty() {
            return Err(SuiteProblem {
                hint: Some(
                    "a step is a table `[[step]]` with `name`, `harness` and `bench`".to_owned(),
                ),
                ..SuiteProblem::at(text, text.len(), "the suite has no step")
            });
        }
        let works_in = match &file.folder {
            Some(named) => place::named(folder, named, text)?,
            None => folder.to_owned(),
        };
        let canary = file.canary;
        let canary = canary.map(|canary| canary::checked(canary, &steps, text));
        let sections = Sections {
            policy: file.policy,
            outcomes: file.outcomes,
            derived: file.derived,
            includes: file.includes,
            by_unit: steps
                .iter()
                .filter_map(|step| step.program.as_ref())
                .flat_map(Program::names_by_unit)
                .collect(),
        };
        Ok(Self {
            name,
            file: folder.join(FILE_NAME),
            folder: works_in,
            about: file.about,
            on_demand: file.on_demand,
            steps,
            selection: None,
            canary: canary.transpose()?,
            judging: sections.check(text)?,
        })
    }
}

/// What is wrong with a step, and a hint where there is one.
type StepProblem = (String, Option<String>);

impl StepFile {
    /// Checks what the types do not, and returns the step, and where its program is measured under tools one for each.
    fn check(self, suite: &SuiteName) -> Result<Vec<Step>, StepProblem> {
        let name = StepName::new(&self.name).map_err(|error| (error.to_string(), None))?;
        let wrong = |what: &str| (format!("step `{name}` {what}"), None);
        let harness = self.harness(&name)?;
        if self
            .repeats
            .is_some_and(|repeats| !(1..=REPEATS_MAX).contains(&repeats))
        {
            let what = format!("asks for `repeats` outside 1 to {REPEATS_MAX}");
            return Err(wrong(&what));
        }
        let seconds = self.timeout_seconds.unwrap_or(TIMEOUT_SECONDS);
        if !(1..=TIMEOUT_SECONDS_MAX).contains(&seconds) {
            let what = format!("asks for `timeout_seconds` outside 1 to {TIMEOUT_SECONDS_MAX}");
            return Err(wrong(&what));
        }
        match harness {
            Harness::Serves if self.repeats.is_some() => {
                return Err(wrong("has `repeats`, and a duet goes by rounds"));
            }
            Harness::Writes(_) | Harness::Whole(_) if self.cores.is_some() => {
                return Err(wrong("has `cores`, which goes with `harness = \"duet\"`"));
            }
            Harness::Whole(_) if self.repeats.is_some_and(|repeats| repeats < RUNS_MIN) => {
                let what = format!(
                    "has fewer than {RUNS_MIN} `repeats`: a single time says nothing about what the next one would be"
                );
                return Err(wrong(&what));
            }
            Harness::Serves | Harness::Writes(_) | Harness::Whole(_) => {}
        }
        let (program, file) = self.program(harness, suite, &name)?;
        let (repeats, cores) = (file.repeats, file.cores.unwrap_or_default());
        let step = Step {
            harness,
            task: file.task(harness).map_err(wrong)?,
            repeats,
            cores,
            timeout: Duration::from_secs(seconds),
            program,
            name,
        };
        Ok(step.under_its_tools())
    }

    /// Takes out what is said of a program that is measured whole.
    fn program(
        mut self,
        harness: Harness,
        suite: &SuiteName,
        step: &StepName,
    ) -> Result<(Option<Program>, Self), StepProblem> {
        let keys = Keys {
            tools: self.tools.take(),
            args: self.args.take(),
            benchmark: self.benchmark.take(),
            params: self.params.take(),
            per: self.per.take(),
        };
        let wrong = |what: &str| (format!("step `{step}` {what}"), None);
        match (harness, keys.any()) {
            (Harness::Whole(_), _) if self.output.is_some() => Err(wrong(
                "has `output`: what a program measured whole writes is not read",
            )),
            (Harness::Whole(_), _) if keys.args.is_some() && self.bench.is_none() => Err(wrong(
                "has `args`, which go with `bench`: a `command` holds its own",
            )),
            (Harness::Whole(_), _) => Ok((Some(keys.check(suite, step)?), self)),
            (_, Some(key)) => Err(wrong(&format!(
                "has `{key}`, which goes with `harness = \"{WHOLE}\"`"
            ))),
            (_, None) => Ok((None, self)),
        }
    }

    fn harness(&self, name: &StepName) -> Result<Harness, StepProblem> {
        Harness::named(&self.harness).ok_or_else(|| {
            let known = ADAPTERS
                .iter()
                .map(|adapter| adapter.name)
                .chain([SERVING, WHOLE]);
            let hint = match near_miss(&self.harness, known.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "the harnesses are: {}",
                    known.collect::<Vec<_>>().join(", ")
                ),
            };
            let unknown = &self.harness;
            let problem = format!("step `{name}` names an unknown harness `{unknown}`");
            (problem, Some(hint))
        })
    }

    /// Returns what is run, or what is wrong with what is to be run.
    fn task(self, harness: Harness) -> Result<Task, &'static str> {
        match (self.bench, self.command) {
            (Some(bench), None) if self.output.is_none() => Ok(Task::Bench(bench)),
            (Some(_), None) => Err("has `output`, which goes with `command`"),
            (None, Some(_)) if matches!(harness, Harness::Serves) => {
                Err("has `command`, and a duet needs a `bench` to ask")
            }
            (None, Some(argv)) if argv.first().is_some_and(|program| !program.is_empty()) => {
                Ok(Task::Command {
                    argv,
                    output: self.output,
                })
            }
            (None, Some(_)) => Err("has an empty `command`"),
            (Some(_), Some(_)) | (None, None) => Err("needs either `bench` or `command`"),
        }
    }
}

impl Step {
    /// Returns whether two sides of it are measured in rounds: what it gives depends on the moment, and the suite does not
    /// say that once is enough.
    pub(crate) fn goes_by_rounds(&self) -> bool {
        self.harness.times() && self.repeats != Some(ONCE)
    }

    /// Returns the step by itself, and one for each tool that its program is run under.
    fn under_its_tools(self) -> Vec<Self> {
        let Some(program) = self.program.clone() else {
            return vec![self];
        };
        let under = |tool: &Tool| Self {
            name: tool
                .step(&self.name)
                .expect("the names were checked with the tools"),
            harness: Harness::Whole(*tool),
            ..self.clone()
        };
        program.tools.iter().map(under).collect()
    }
}

impl SuiteProblem {
    /// Takes a file as text.
    pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, Self> {
        std::str::from_utf8(bytes).map_err(|error| {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
            Self::at(&good, good.len(), "the file is not UTF-8")
        })
    }

    /// Names a place in a text.
    pub(crate) fn at(text: &str, offset: usize, problem: &str) -> Self {
        let before = &text[..offset.min(text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        Self {
            line,
            column,
            problem: problem.to_owned(),
            hint: None,
        }
    }

    /// Keeps the place a TOML error names, and looks for the key that was meant.
    pub(crate) fn toml(text: &str, error: &toml::de::Error) -> Self {
        let offset = error.span().map_or(text.len(), |span| span.start);
        let message = error.message().replace('\n', " ");
        let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let hint = match quoted.split_first() {
            Some((unknown, known)) if message.starts_with("unknown ") => {
                near_miss(unknown, known.iter().copied())
                    .map(|near| format!("did you mean `{near}`?"))
            }
            _ => None,
        };
        Self {
            hint,
            ..Self::at(text, offset, &message)
        }
    }
}

/// Returns the known word that was probably meant.
pub(crate) fn near_miss<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const ALIKE: f64 = 0.75;
    known
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use tripline_model::Verdict;

    use super::*;

    fn problem(text: &str) -> String {
        let name = SuiteName::new("store").unwrap();
        let problem = Suite::parse(name, Path::new("bench/store"), text.as_bytes())
            .expect_err("it cannot be used");
        let hint = problem
            .hint
            .as_ref()
            .map_or(String::new(), |hint| format!(" | {hint}"));
        format!("{problem}{hint}")
    }

    const STEP: &str = "about = \"x\"\n[[step]]\nname = \"counts\"\nharness = \"iai-callgrind\"\n";

    #[test]
    fn a_good_file_is_taken() {
        let text = format!("{STEP}bench = \"counts\"\n");
        let suite = Suite::parse(
            SuiteName::new("store").unwrap(),
            Path::new("x"),
            text.as_bytes(),
        )
        .unwrap();
        assert_eq!(suite.steps.len(), 1);
        assert_eq!(suite.steps[0].timeout, Duration::from_secs(TIMEOUT_SECONDS));
    }

    #[test]
    fn problems_name_their_place_and_the_near_miss() {
        insta::assert_snapshot!(
            problem(&format!("{STEP}bensch = \"counts\"\n")),
            @"unknown field `bensch`, expected one of `name`, `harness`, `bench`, `command`, `output`, `repeats`, `cores`, `timeout_seconds`, `tools`, `args`, `benchmark`, `params`, `per` at line 5 column 1 | did you mean `bench`?"
        );
        insta::assert_snapshot!(
            problem(&format!("{STEP}bench = \"counts\"\n").replace("iai-", "aia-")),
            @"step `counts` names an unknown harness `aia-callgrind` at line 2 column 1 | did you mean `iai-callgrind`?"
        );
        insta::assert_snapshot!(problem(STEP), @"step `counts` needs either `bench` or `command` at line 2 column 1");
        insta::assert_snapshot!(
            problem("about = \"x\"\n"),
            @"the suite has no step at line 2 column 1 | a step is a table `[[step]]` with `name`, `harness` and `bench`"
        );
    }

    #[test]
    fn a_duet_says_what_it_runs_on_and_nobody_else_does() {
        let with = |line: &str| format!("{STEP}bench = \"times\"\n{line}\n");
        let duet = |line: &str| with(line).replace("iai-callgrind", "duet");
        let cores = |text: &str| {
            let name = SuiteName::new("store").unwrap();
            let suite = Suite::parse(name, Path::new("x"), text.as_bytes()).unwrap();
            suite.steps[0].cores
        };
        assert_eq!(cores(&duet("cores = \"all\"")), Cores::All);
        assert_eq!(cores(&duet("cores = \"one\"")), Cores::One);
        assert_eq!(cores(&duet("")), Cores::One);
        insta::assert_snapshot!(problem(&with("cores = \"all\"")), @r#"step `counts` has `cores`, which goes with `harness = "duet"` at line 2 column 1"#);
        insta::assert_snapshot!(problem(&duet("repeats = 2")), @"step `counts` has `repeats`, and a duet goes by rounds at line 2 column 1");
        insta::assert_snapshot!(problem(&duet("cores = \"al\"")), @"unknown variant `al`, expected `one` or `all` at line 6 column 9 | did you mean `all`?");
    }

    #[test]
    fn a_harness_that_times_goes_by_rounds_unless_once_is_enough() {
        let goes_by_rounds = |harness: &str, more: &str| {
            let text = format!("{STEP}bench = \"b\"\n{more}\n").replace("iai-callgrind", harness);
            let name = SuiteName::new("store").unwrap();
            let suite = Suite::parse(name, Path::new("x"), text.as_bytes()).unwrap();
            suite.steps[0].goes_by_rounds()
        };
        for harness in ["duet", "criterion", "custom-smaller-is-better", WHOLE] {
            assert!(goes_by_rounds(harness, ""), "{harness}");
        }
        for (harness, repeats) in [("go", 2), ("go", REPEATS_MAX), (WHOLE, RUNS_MIN)] {
            assert!(
                goes_by_rounds(harness, &format!("repeats = {repeats}")),
                "{harness}"
            );
        }
        for harness in ["go", "criterion", "custom-smaller-is-better"] {
            assert!(!goes_by_rounds(harness, "repeats = 1"), "{harness}");
        }
        for harness in ["iai-callgrind", "answers"] {
            assert!(!goes_by_rounds(harness, ""), "{harness}");
        }
    }

    const CANARY: &str = "[canary]\nfeatures = [\"planted\"]\nexpect = [\n    { benchmark = \"steady\", verdict = \"unchanged\" },\n    { benchmark = \"planted\", metric = \"cpu_time\", verdict = \"regressed\", change = [0.04, 0.06] },\n]\n";

    fn with_canary(canary: &str) -> String {
        let step = STEP.replace("iai-callgrind", "duet");
        format!("{step}bench = \"counts\"\n{canary}")
    }

    #[test]
    fn a_good_canary_is_taken() {
        let name = SuiteName::new("store").unwrap();
        let text = with_canary(CANARY);
        let suite = Suite::parse(name, Path::new("x"), text.as_bytes()).unwrap();
        let canary = suite.canary.unwrap();
        assert_eq!(canary.features, ["planted"]);
        assert_eq!(canary.expectations[0].verdict, Verdict::Unchanged);
        assert_eq!(canary.expectations[1].change, Some(0.04..=0.06));
        assert!(!canary.expectations[1].may_be_undecided);
    }

    #[test]
    fn every_mistake_in_a_canary_has_its_place_and_what_was_expected() {
        let slip = |from: &str, to: &str| {
            assert!(CANARY.contains(from), "{from}");
            problem(&with_canary(&CANARY.replace(from, to)))
        };
        insta::assert_snapshot!(slip("features", "feature"), @"unknown field `feature`, expected `features` or `expect` at line 7 column 1 | did you mean `features`?");
        insta::assert_snapshot!(slip("[\"planted\"]", "[]"), @"`features` is empty, so that nothing would be planted: name the feature of the suite's package that switches the slowdown on at line 7 column 12");
        insta::assert_snapshot!(problem(&with_canary(CANARY).replace("bench = \"counts\"", "command = [\"x\"]").replace("duet", "criterion")), @"`features` are those of the package of a `bench`, and no step of this suite has one, so that nothing could be planted: let a canary be a suite with a `bench` at line 7 column 12");
        insta::assert_snapshot!(slip("[\"planted\"]", "\"planted\""), @r#"invalid type: string "planted", expected a sequence at line 7 column 12"#);
        insta::assert_snapshot!(slip("features = [\"planted\"]\n", ""), @"missing field `features` at line 6 column 1");
        insta::assert_snapshot!(slip("verdict = \"unchanged\"", "verdict = \"regressed\""), @"a canary expects at least one benchmark to be `unchanged` and one `regressed`: else it cannot tell a sleeping gate from a nervous one at line 6 column 1");
        insta::assert_snapshot!(slip("verdict = \"regressed\"", "verdict = \"unchanged\""), @"a canary expects at least one benchmark to be `unchanged` and one `regressed`: else it cannot tell a sleeping gate from a nervous one at line 6 column 1");
        insta::assert_snapshot!(slip("\"regressed\"", "\"regresed\""), @"unknown variant `regresed`, expected one of `unchanged`, `regressed`, `improved` at line 10 column 61 | did you mean `regressed`?");
        insta::assert_snapshot!(slip("benchmark = \"planted\", ", ""), @"missing field `benchmark` at line 10 column 5");
        insta::assert_snapshot!(slip("\"steady\"", "\"ste{ady\""), @"`benchmark` is no pattern: expected `=` after `ady` at line 9 column 27");
        insta::assert_snapshot!(slip("cpu_time", "cpu_tme"), @"no metric is named `cpu_tme` at line 10 column 39 | did you mean `cpu_time`?");
        insta::assert_snapshot!(slip("[0.04, 0.06]", "[0.06, 0.04]"), @"expected the least and the most share by which it changes: `change = [0.04, 0.06]` at line 10 column 83");
        insta::assert_snapshot!(slip("[0.04, 0.06]", "[nan, 0.06]"), @"expected the least and the most share by which it changes: `change = [0.04, 0.06]` at line 10 column 83");
        insta::assert_snapshot!(slip("[0.04, 0.06]", "0.05"), @"expected the least and the most share by which it changes: `change = [0.04, 0.06]` at line 10 column 83");
        insta::assert_snapshot!(slip("[0.04, 0.06]", "[0.04]"), @"expected the least and the most share by which it changes: `change = [0.04, 0.06]` at line 10 column 83");
        insta::assert_snapshot!(slip("[0.04, 0.06]", "[0.04, 0.05, 0.06]"), @"expected the least and the most share by which it changes: `change = [0.04, 0.06]` at line 10 column 83");
        insta::assert_snapshot!(slip(", change", ", changes"), @"unknown field `changes`, expected one of `benchmark`, `metric`, `verdict`, `change`, `may_be_undecided` at line 10 column 74 | did you mean `change`?");
        insta::assert_snapshot!(slip("benchmark = \"steady\"", "may_be_undecided = true, benchmark = \"steady\""), @"`may_be_undecided` is for a slowdown that is planted in a time: equal times may always be left undecided, and counts never are by a machine that is busy at line 9 column 5");
        insta::assert_snapshot!(slip("\"cpu_time\"", "\"instructions\", may_be_undecided = true"), @"`may_be_undecided` is for a slowdown that is planted in a time: equal times may always be left undecided, and counts never are by a machine that is busy at line 10 column 5");
        insta::assert_snapshot!(problem(&with_canary(CANARY).replace("duet", "iai-callgrind")), @"no step of this suite is measured in rounds, so that nothing could ever be `regressed` in a time: expect it of a count, or leave `repeats = 1` away at line 10 column 5");
        insta::assert_snapshot!(problem(&with_canary("[canary]\nfeatures = [\"planted\"]\nexpect = []\n")), @"a canary expects at least one benchmark to be `unchanged` and one `regressed`: else it cannot tell a sleeping gate from a nervous one at line 6 column 1");
        insta::assert_snapshot!(problem(&format!("canary = 1\n{}", with_canary(""))), @"invalid type: integer `1`, expected a table at line 1 column 10");
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        for line in [
            "timeout_seconds = 0",
            "timeout_seconds = 9223372036854775807",
            "repeats = 0",
            "repeats = 21",
        ] {
            let problem = problem(&format!("{STEP}bench = \"counts\"\n{line}\n"));
            assert!(
                problem.contains("outside 1 to") && problem.contains("line 2"),
                "{problem}"
            );
        }
    }

    #[test]
    fn a_cut_or_garbled_file_is_an_error_with_a_place() {
        let text = format!("{STEP}bench = \"counts\"\nrepeats = 2\ntimeout_seconds = 60\n");
        let name = SuiteName::new("store").unwrap();
        for cut in 0..STEP.len() {
            let parsed = Suite::parse(name.clone(), Path::new("x"), &text.as_bytes()[..cut]);
            let problem = parsed.expect_err("a cut file has no whole step");
            assert!(problem.line >= 1 && problem.column >= 1);
        }
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = 0xff;
            Suite::parse(name.clone(), Path::new("x"), &bytes).expect_err("0xff is no UTF-8");
        }
    }
}
