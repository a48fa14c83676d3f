//! `tripline judge`: judges a run against a base and writes a report; or, with `--from`, all that was measured together.

pub(super) mod folder;

use std::path::Path;

use tripline_judge::Policy;
use tripline_model::{OF_THE_BASE, Report, Run};

use super::{Against, Known, gate};
use crate::baselines;
use crate::cli::{Judge, Shared};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::Output;
use crate::measure::said_of;
use crate::past::History;
use crate::project::Project;
use crate::run_folder::RunFolder;

pub(super) fn run(shared: &Shared, args: &Judge) -> Outcome<Exit> {
    let output = Output::open(&args.out)?;
    let reports = match (&args.from, &args.head) {
        (Some(folder), _) => of_folder(shared, args, folder)?,
        (None, Some(head)) => vec![of_file(shared, args, head)?],
        (None, None) => {
            let what = "nothing was judged: neither `--head` nor `--from` is given";
            return Err(CommandError::new(Exit::Usage, what));
        }
    };
    output.complete(&gate::lines_of(&reports))?;
    super::closing::say(&reports);
    Ok(super::verdict(&reports))
}

/// Judges what was measured together.
fn of_folder(shared: &Shared, args: &Judge, folder: &Path) -> Outcome<Vec<Report>> {
    let project = super::project(shared)?;
    let suites = project.suites(&args.suites.suites)?;
    let canaries = project.canaries()?;
    if canaries.is_empty() {
        super::trust::note_no_canary();
    }
    let is_narrowed = !args.suites.suites.is_empty();
    let known = (!is_narrowed).then(|| project.suites_on_demand_too(&[]));
    let known = known.transpose()?;
    let session = folder::loaded(&RunFolder::new(folder), suites, canaries, known.as_deref())?;
    let history = History::open(project.root(), args.past.history.as_deref())?;
    let against = args.against.as_deref();
    Ok(gate::judged(&project, &session, against, history.as_ref())?.reports)
}

/// Judges one run.
fn of_file(shared: &Shared, args: &Judge, head: &Path) -> Outcome<Report> {
    let mut head = baselines::load_run(head)?;
    if !args.suites.suites.is_empty() && !args.suites.suites.contains(&head.suite) {
        let what = format!("nothing was judged: the run is of suite `{}`", head.suite);
        return Err(CommandError::new(Exit::Usage, what)
            .hint("`--suite` chooses among the runs of `--from`; leave it away"));
    }
    let project = super::project(shared);
    let (named, kept) = match (&args.base, &project) {
        (Some(path), _) => (Some(baselines::load_run(path)?), None),
        (None, Ok(project)) => (None, baselines::for_run(project, &head)?),
        (None, Err(_)) => (None, None),
    };
    if let Some(base) = &named {
        lend_failures(base, &mut head)?;
    }
    let kept = kept.as_ref().map(|baseline| &baseline.run);
    let against = named.as_ref().map_or(Against::baseline(kept), Against::Run);
    let policy = match &project {
        Ok(project) => super::policy_of(project, &head.suite)?,
        Err(_) => Policy::standard(),
    };
    let project = match project {
        Ok(project) => Some(project),
        // Two runs can be judged anywhere; without a base there must be a project to look for one in.
        Err(_) if named.is_some() => None,
        Err(error) => return Err(error),
    };
    let root = project.as_ref().map_or(Path::new("."), Project::root);
    let history = History::open(root, args.past.history.as_deref())?;
    let past = history.and_then(|history| history.past_of(root, &head, &policy));
    let known = Known {
        past: past.as_ref(),
        ..Known::default()
    };
    super::judged(project.as_ref(), policy, against, &head, known)
}

/// A base that was not measured as a whole leaves open what of the head nobody compared: what failed of it is the head's
/// failure as well, as it is in a session, whose head knows it already.
fn lend_failures(base: &Run, head: &mut Run) -> Outcome<()> {
    if base.is_empty() && base.failures.is_empty() {
        let what = format!(
            "nothing was judged: the base holds no measurement of suite `{}`",
            base.suite
        );
        return Err(CommandError::new(Exit::NothingMeasured, what)
            .hint("measure it, or leave `--base` away to judge the head alone"));
    }
    if base.session.is_none() || base.session != head.session {
        // What failed beside it says nothing of it.
        let failed = base.failures.iter().filter(|it| !it.is_of_base()).cloned();
        head.failures
            .extend(failed.map(|failure| said_of(failure, Some(OF_THE_BASE))));
    }
    Ok(())
}
