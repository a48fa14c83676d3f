//! `tripline baseline accept`: takes regressions on purpose, with the reason, in a file that is committed.
//!
//! Tested by `tests/it/ratchet`.

use std::path::Path;

use tripline_judge::near::{listed, nearest};
use tripline_model::{Acceptances, Report, Run};

use super::super::{Against, Known, judged, policy_of};
use super::taking::Wanted;
use crate::accepted;
use crate::baselines;
use crate::cli::BaselineAccept;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::git::git;
use crate::past::History;
use crate::project::Project;
use crate::talk;

pub(super) fn run(project: &Project, args: &BaselineAccept) -> Outcome<Exit> {
    if args.because.trim().is_empty() {
        return Err(refused("there is no reason").hint("say why with `--because \"...\"`"));
    }
    let who = identity(project.root())?;
    let mut changed: Vec<Acceptances> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    let (mut text, mut already) = (String::new(), String::new());
    let history = History::open(project.root(), args.past.history.as_deref())?;
    for (head, _) in super::heads(project, &args.runs)? {
        let report = report(project, &head, args.base.as_deref(), history.as_ref())?;
        let mut acceptances = accepted::load(project, &head.suite)?;
        let wanted = Wanted {
            benchmark: &args.benchmark,
            metric: args.metric.as_ref(),
            who: &who,
            because: &args.because,
            commit: head.revision.as_ref().map(|revision| &revision.commit),
        };
        let taken = wanted
            .take(&report, &acceptances.clone(), &mut acceptances)
            .map_err(|error| refused("the words cannot be kept").because(error))?;
        others.extend(taken.others);
        already.push_str(&taken.already);
        if !taken.lines.is_empty() {
            text.push_str(&taken.lines);
            changed.push(acceptances);
        }
    }
    if changed.is_empty() && already.is_empty() {
        return Err(nothing_meant(args, &others));
    }
    for acceptances in &changed {
        accepted::keep(project, acceptances)?;
        let place = accepted::place_of(project, acceptances.suite());
        talk::say(&format!(
            "kept in {}; commit it with the change",
            place.display()
        ));
    }
    if changed.is_empty() {
        talk::say("nothing is new: the acceptances are as they were");
    }
    talk::data(&(text + &already))?;
    Ok(Exit::Pass)
}

fn refused(why: &str) -> CommandError {
    CommandError::new(Exit::Usage, format!("nothing was accepted: {why}"))
}

/// Judges a run as it was judged before: against the run it was measured beside, or else against its baseline, and against
/// its history where that was asked.
fn report(
    project: &Project,
    head: &Run,
    base: Option<&Path>,
    history: Option<&History>,
) -> Outcome<Report> {
    let policy = policy_of(project, &head.suite)?;
    let beside = match base {
        Some(path) => Some(baselines::load_run(path)?),
        None => baselines::load_run_if_any(&project.latest_base(&head.suite))?
            .filter(|base| base.session.is_some() && base.session == head.session),
    };
    let kept = match beside {
        Some(_) => None,
        None => baselines::for_run(project, head)?.map(|baseline| baseline.run),
    };
    let against = beside
        .as_ref()
        .map_or(Against::baseline(kept.as_ref()), Against::Run);
    let past = history.and_then(|history| history.past_of(project.root(), head, &policy));
    let known = Known {
        past: past.as_ref(),
        ..Known::default()
    };
    judged(Some(project), policy, against, head, known)
}

fn nothing_meant(args: &BaselineAccept, regressions: &[String]) -> CommandError {
    let wanted = args.benchmark.to_string();
    if regressions.is_empty() {
        return refused("nothing got worse");
    }
    let metric = args
        .metric
        .as_ref()
        .map_or(String::new(), |name| format!(" {name}"));
    let meant = format!("{wanted}{metric}");
    let near = nearest(&meant, regressions.iter().cloned());
    refused(&format!("nothing that got worse is `{meant}`"))
        .hint(format!("what got worse: {}", listed(&near)))
        .hint("a pattern is a benchmark's name within its suite, with `*` for any characters")
}

/// Returns who accepts: the name and address that git puts under commits here.
fn identity(root: &Path) -> Outcome<String> {
    let set = |key: &str| {
        let value = git(root, &["config", "--get", key], &[]).ok()?;
        let value = String::from_utf8_lossy(&value).trim().to_owned();
        Some(value).filter(|value| !value.is_empty())
    };
    let (Some(name), Some(email)) = (set("user.name"), set("user.email")) else {
        return Err(refused("git does not know who you are").hint(
            "set your name and address: `git config user.name` and `git config user.email`",
        ));
    };
    Ok(format!("{name} <{email}>"))
}
