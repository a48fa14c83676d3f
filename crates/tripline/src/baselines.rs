//! Kept runs: `baselines/<suite>/<environment>.jsonl`. What was accepted lies beside them.

mod dropped;
mod staying;

use std::path::{Path, PathBuf};

use tripline_model::few;
use tripline_model::{
    Environment, EnvironmentName, Measurement, Nature, Report, Run, StepName, SuiteName, Verdict,
    wire,
};

use crate::accepted;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::{self, Output};
use crate::measure::MACHINE;
use crate::project::Project;
use crate::talk;
pub(crate) use dropped::only_warn;
pub(crate) use staying::Staying;

/// How a run file begins, whatever became of the rest.
const RUN_BEGIN: &[u8] = b"{\"tripline_run\"";

/// A kept run and its file.
#[derive(Debug)]
pub(crate) struct Baseline {
    /// The file.
    pub(crate) path: PathBuf,
    /// The run in it.
    pub(crate) run: Run,
}

/// Loads the run of a whole suite. A part of one is an error: what it lacks would look as if it were gone.
pub(crate) fn load_run(path: &Path) -> Outcome<Run> {
    let run = load_any_run(path)?;
    let Some(part) = &run.part else {
        return Ok(run);
    };
    let names = |steps: &[StepName]| {
        let names: Vec<&str> = steps.iter().map(StepName::as_str).collect();
        names.join(", ")
    };
    let what = format!(
        "the run in `{}` was not used: it holds a part of suite `{}`, {} of {}",
        path.display(),
        run.suite,
        names(part.steps()),
        names(part.of())
    );
    Err(CommandError::new(Exit::BadInput, what)
        .hint("join it with the other parts first: `tripline merge FOLDER... --out FOLDER`"))
}

/// Loads a run file, also one of a part of a suite. One that cannot be read is an error, and never an empty run.
pub(crate) fn load_any_run(path: &Path) -> Outcome<Run> {
    let bytes = files::read(path)?;
    wire::read_run(&bytes).map_err(|error| {
        CommandError::new(
            Exit::BadInput,
            format!("the run in `{}` was not read", path.display()),
        )
        .because(error)
        .hint(if bytes.starts_with(RUN_BEGIN) {
            "nothing was overwritten; restore the file from git, or measure again"
        } else {
            "nothing was overwritten; what a harness wrote becomes a run with `tripline read`, and a run that was kept is \
             restored from git"
        })
    })
}

/// Loads a run file if there is one. A link that leads nowhere is not "none": whoever made it meant a file.
pub(crate) fn load_run_if_any(path: &Path) -> Outcome<Option<Run>> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        _ => load_run(path).map(Some),
    }
}

/// Returns the kept runs of a suite, ordered by environment.
pub(crate) fn of_suite(project: &Project, suite: &SuiteName) -> Outcome<Vec<Baseline>> {
    let loaded = |path: PathBuf| {
        let run = load_run(&path)?;
        check_place(&path, &run, suite)?;
        Ok(Baseline { path, run })
    };
    let places = places_of_suite(project, suite)?;
    places.into_iter().map(loaded).collect()
}

/// Returns the files of a suite's kept runs, in their order.
pub(crate) fn places_of_suite(project: &Project, suite: &SuiteName) -> Outcome<Vec<PathBuf>> {
    let folder = project.baselines(suite);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(not_listed(&folder, error)),
    };
    let mut places = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| not_listed(&folder, error))?.path();
        let is_lines = path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        if is_lines && !path.ends_with(accepted::FILE) {
            places.push(path);
        }
    }
    places.sort_unstable();
    Ok(places)
}

/// Returns the kept run to compare with: this environment's, or else the one that differs in the fewest facts.
pub(crate) fn for_run(project: &Project, head: &Run) -> Outcome<Option<Baseline>> {
    let baselines = of_suite(project, &head.suite)?;
    let distance = |baseline: &Baseline| {
        let environment = &baseline.run.environment;
        let is_other = environment.name != head.environment.name;
        let differences = environment
            .differences_that_matter(&head.environment, Nature::Exact)
            .len();
        (is_other, differences)
    };
    Ok(baselines.into_iter().min_by_key(distance))
}

/// Keeps a run, leaving every line as it is whose benchmark has not changed or is to stay. Returns whether the file
/// changed.
pub(crate) fn keep(
    project: &Project,
    base: Option<&Run>,
    head: &Run,
    report: &Report,
    staying: &Staying<'_>,
) -> Outcome<bool> {
    let place = place_of(project, &head.suite, &head.environment.name);
    if place.ends_with(accepted::FILE) {
        let what = format!(
            "nothing was kept: `{}` is the place of acceptances",
            place.display()
        );
        return Err(
            CommandError::new(Exit::BadInput, what).hint("give the run's environment another name")
        );
    }
    let mut kept = match base {
        Some(base) if base.environment.name == head.environment.name => {
            for note in staying.notes() {
                talk::say(&talk::shown(&note));
            }
            merged(base, head, report, staying)
        }
        _ => head.clone(),
    };
    // A kept run serves many machines, and would change with each of them.
    kept.environment.retract(MACHINE);
    if base.is_some_and(|base| {
        base.measurements().eq(kept.measurements()) && base.environment == kept.environment
    }) {
        return Ok(false);
    }
    Output::open(&place)?.complete(&wire::write_run(&kept))?;
    Ok(true)
}

/// Returns the place of a suite's kept run in an environment.
pub(crate) fn place_of(
    project: &Project,
    suite: &SuiteName,
    environment: &EnvironmentName,
) -> PathBuf {
    project
        .baselines(suite)
        .join(format!("{environment}.jsonl"))
}

/// Takes the head's line where something about the benchmark changed, and the base's where nothing did, so that a
/// review sees the benchmarks that changed and not the noise of the others. A drift too small to be said is not kept
/// either: it adds up against the same line until it is said.
///
/// The facts are the head's. So where they say that times are another machine's, no time of the base stays: the next run
/// would be held against it as if it were from here.
fn merged(base: &Run, head: &Run, report: &Report, staying: &Staying<'_>) -> Run {
    let mut kept = Run::begun_like(head);
    let changed = few::set_of(
        report
            .findings
            .iter()
            .filter(|finding| finding.verdict != Verdict::Unchanged)
            .flat_map(|finding| staying.lines_of(finding))
            .chain(staying.taken())
            .filter(|bench| !staying.has_line(bench)),
    );
    let is_from_elsewhere = times_differ(&base.environment, &head.environment);
    for measurement in head.measurements() {
        let bench = measurement.bench();
        let is_foreign = is_from_elsewhere && is_timed(measurement) && !staying.has_line(bench);
        let is_changed = is_foreign || changed.contains(bench);
        let line = match base.measurement(bench) {
            Some(line) if !is_changed && same_kind(line, measurement) => line.clone(),
            Some(line) => without_losses(line, measurement, staying),
            None => measurement.clone(),
        };
        kept.insert(line)
            .expect("both runs hold each benchmark once and judged metrics agree");
    }
    kept
}

/// Returns what was measured now, but for small losses: a line that changes for the sake of one metric loosens no other.
fn without_losses(base: &Measurement, head: &Measurement, staying: &Staying<'_>) -> Measurement {
    let readings = head.readings().map(|reading| {
        let name = &reading.metric.name;
        let held = base
            .reading(name)
            .filter(|held| held.metric == reading.metric && staying.has_value(head.bench(), name));
        held.unwrap_or(reading).clone()
    });
    let (answer, caveats) = (head.answer().cloned(), head.caveats().to_vec());
    Measurement::new(head.bench().clone(), readings, answer, caveats)
        .expect("the readings are of the head's metrics, each of them once")
}

fn times_differ(base: &Environment, head: &Environment) -> bool {
    let differences = base.differences_that_matter(head, Nature::Sampled);
    !differences.is_empty()
}

fn is_timed(measurement: &Measurement) -> bool {
    let mut natures = measurement.readings().map(|reading| reading.metric.nature);
    natures.any(|nature| nature != Nature::Exact)
}

/// Returns whether two measurements are of the same work, by the same metrics, with the same reasons for doubt.
fn same_kind(base: &Measurement, head: &Measurement) -> bool {
    base.answer() == head.answer()
        && base.caveats() == head.caveats()
        && base
            .readings()
            .map(|r| &r.metric)
            .eq(head.readings().map(|r| &r.metric))
}

fn check_place(path: &Path, run: &Run, suite: &SuiteName) -> Outcome<()> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let wrong = if run.suite != *suite {
        format!("it holds suite `{}`", run.suite)
    } else if run.environment.name.as_str() != stem {
        format!("it holds environment `{}`", run.environment.name)
    } else {
        return Ok(());
    };
    Err(CommandError::new(
        Exit::BadInput,
        format!("the baseline `{}` was not used: {wrong}", path.display()),
    )
    .hint("a baseline's place is `baselines/<suite>/<environment>.jsonl`; move the file"))
}

fn not_listed(folder: &Path, error: std::io::Error) -> CommandError {
    CommandError::new(
        Exit::BadInput,
        format!("the baselines in `{}` were not listed", folder.display()),
    )
    .because(error)
    .hint("make the folder readable")
}
