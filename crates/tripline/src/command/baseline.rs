//! `tripline baseline`: keeps, compares, lists and verifies baselines, and accepts regressions.

mod accept;
mod answer;
mod propose;
mod taking;
mod update;

use std::fs::{File, TryLockError};
use std::io;
use std::path::PathBuf;

use tripline_model::{Report, Run, SuiteName, wire};

use crate::accepted;
use crate::baselines;
use crate::cli::{Baseline, BaselineDiff, Runs, Shared, Suites};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::kept_durations;
use crate::project::Project;
use crate::suite::Suite;
use crate::{files, talk};

pub(super) fn run(shared: &Shared, verb: &Baseline) -> Outcome<Exit> {
    let project = super::project(shared)?;
    match verb {
        Baseline::Update(args) => {
            let _alone = alone(&project)?;
            update::run(&project, args)
        }
        Baseline::Diff(args) => diff(&project, shared, args),
        Baseline::Accept(args) => {
            let _alone = alone(&project)?;
            accept::run(&project, args)
        }
        Baseline::Answer(args) => answer::run(&project, args),
        Baseline::Propose(args) => propose::run(&project, args),
        Baseline::List(args) => list(&project, args),
        Baseline::Check(args) => check(&project, args),
    }
}

/// Waits until no other verb writes baselines or acceptances here: each reads the file that it writes anew, and would take
/// back what another has added meanwhile.
fn alone(project: &Project) -> Outcome<File> {
    locked(project).map_err(|error| {
        let what = "nothing was kept: what two at once would write cannot be told apart";
        let hint = format!("make `{}` writable", project.output().display());
        CommandError::new(Exit::BadInput, what)
            .because(error)
            .hint(hint)
    })
}

/// Locks the project's folder, which is the same one for everybody; or where a file system locks no folders, a file.
fn locked(project: &Project) -> io::Result<File> {
    let mut place = File::open(project.root())?;
    let mut tried = place.try_lock();
    if let Err(TryLockError::Error(_)) = tried {
        place = project.lock_file("baselines.lock")?;
        tried = place.try_lock();
    }
    match tried {
        Ok(()) => {}
        Err(TryLockError::Error(error)) => return Err(error),
        Err(TryLockError::WouldBlock) => {
            talk::say("waiting for another tripline that keeps baselines or acceptances here");
            place.lock()?;
        }
    }
    Ok(place)
}

fn diff(project: &Project, shared: &Shared, args: &BaselineDiff) -> Outcome<Exit> {
    let mut reports: Vec<Report> = Vec::new();
    for (head, _) in heads(project, &args.runs)? {
        let base = baselines::for_run(project, &head)?;
        let against = super::Against::baseline(base.as_ref().map(|baseline| &baseline.run));
        let policy = super::policy_of(project, &head.suite)?;
        reports.push(super::judged(
            Some(project),
            policy,
            against,
            &head,
            super::Known::default(),
        )?);
    }
    talk::data(&super::rendered(&reports, shared, &args.show))?;
    Ok(super::verdict(&reports))
}

/// Returns the runs that were asked for, with their files.
fn heads(project: &Project, runs: &Runs) -> Outcome<Vec<(Run, PathBuf)>> {
    if let Some(file) = &runs.head {
        let head = baselines::load_run(file)?;
        project.suites(std::slice::from_ref(&head.suite))?;
        return Ok(vec![(head, file.clone())]);
    }
    let latest = |suite: Suite| {
        let place = project.latest_run(&suite.name);
        let missing = || {
            let what = format!("suite `{}` has not been measured here yet", suite.name);
            CommandError::new(Exit::NothingMeasured, what)
                .hint(format!("run `tripline measure --suite {}`", suite.name))
        };
        Ok((
            baselines::load_run_if_any(&place)?.ok_or_else(missing)?,
            place,
        ))
    };
    project
        .suites(&runs.suites.suites)?
        .into_iter()
        .map(latest)
        .collect()
}

fn list(project: &Project, args: &Suites) -> Outcome<Exit> {
    let mut text = String::new();
    for suite in project.suites_on_demand_too(&args.suites)? {
        for baseline in baselines::of_suite(project, &suite.name)? {
            text.push_str(&row(&baseline.run));
        }
    }
    if text.is_empty() {
        talk::say(
            "there is no baseline; keep one with `tripline measure` and `tripline baseline update`",
        );
    }
    talk::data(&text)?;
    Ok(Exit::Pass)
}

fn row(run: &Run) -> String {
    let revision = run
        .revision
        .as_ref()
        .map_or_else(|| "no commit".to_owned(), ToString::to_string);
    format!(
        "{:<12} {:<24} {:>16}  {}  {revision}\n",
        run.suite,
        run.environment.name,
        talk::counted(run.measurements().len(), "benchmark"),
        run.measured_at
    )
}

/// A baseline that is written otherwise than we write it would change all its lines at the next update.
fn check(project: &Project, args: &Suites) -> Outcome<Exit> {
    kept_durations::load(project)?;
    let mut count = 0;
    for suite in project.suites_on_demand_too(&args.suites)? {
        check_acceptances(project, &suite.name)?;
        for baseline in baselines::of_suite(project, &suite.name)? {
            let bytes = files::read(&baseline.path)?;
            if wire::write_run(&baseline.run).as_bytes() != bytes {
                let what = format!(
                    "`{}` is no baseline as tripline writes it",
                    baseline.path.display()
                );
                return Err(CommandError::new(Exit::BadInput, what)
                    .hint("it was edited by hand or merged badly: restore it from git, or measure and update"));
            }
            if !baseline.run.failures.is_empty() || baseline.run.is_empty() {
                let what = format!(
                    "`{}` is a broken run, which is no baseline",
                    baseline.path.display()
                );
                return Err(
                    CommandError::new(Exit::BadInput, what).hint("measure again and update")
                );
            }
            count += 1;
        }
    }
    talk::data(&format!(
        "{} read and found sound\n",
        talk::counted(count, "baseline")
    ))?;
    Ok(Exit::Pass)
}

/// The same holds for what was accepted.
fn check_acceptances(project: &Project, suite: &SuiteName) -> Outcome<()> {
    let place = accepted::place_of(project, suite);
    let acceptances = accepted::load(project, suite)?;
    if acceptances.iter().len() > 0
        && wire::write_acceptances(&acceptances).as_bytes() != files::read(&place)?
    {
        let what = format!("`{}` is not as tripline writes it", place.display());
        return Err(CommandError::new(Exit::BadInput, what)
            .hint("it was edited by hand or merged badly: restore it from git, or accept again"));
    }
    Ok(())
}
