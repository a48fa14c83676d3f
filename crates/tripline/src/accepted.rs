//! What was accepted: `baselines/<suite>/accepted.jsonl`, beside the suite's kept runs.

use std::path::PathBuf;

use tripline_model::{
    Acceptance, Acceptances, Caveat, EnvironmentName, Finding, Report, Run, SuiteName, wire,
};

use crate::baselines;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::{self, Output};
use crate::git;
use crate::project::Project;
use crate::talk;

/// The file's name. No environment is called so.
pub(crate) const FILE: &str = "accepted.jsonl";

/// How many idle acceptances are named before the rest is counted.
const NAMED: usize = 3;

/// Returns the place of a suite's acceptances.
pub(crate) fn place_of(project: &Project, suite: &SuiteName) -> PathBuf {
    project.baselines(suite).join(FILE)
}

/// Loads a suite's acceptances; none where there is no file. One that cannot be read is an error, and never empty.
pub(crate) fn load(project: &Project, suite: &SuiteName) -> Outcome<Acceptances> {
    let place = place_of(project, suite);
    match place.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Acceptances::new(suite.clone()));
        }
        _ => {}
    }
    let not_used = || {
        let what = format!("the acceptances in `{}` were not used", place.display());
        CommandError::new(Exit::BadInput, what)
    };
    let acceptances = wire::read_acceptances(&files::read(&place)?).map_err(|error| {
        not_used()
            .because(error)
            .hint("nothing was overwritten; restore the file from git")
    })?;
    if acceptances.suite() != suite {
        let hint = format!("it is of suite `{}`; move the file", acceptances.suite());
        return Err(not_used().hint(hint));
    }
    Ok(acceptances)
}

/// Loads a suite's acceptances to judge by. Where an environment keeps no baseline nobody would ever end one of it, so it is
/// nobody's own.
pub(crate) fn load_to_judge(project: &Project, suite: &SuiteName) -> Outcome<Acceptances> {
    let accepted = load(project, suite)?;
    if accepted.iter().len() == 0 {
        return Ok(accepted);
    }
    let kept = baselines::places_of_suite(project, suite)?;
    Ok(accepted.owned_by(|environment| has_baseline(environment, &kept)))
}

/// Returns whether an environment has one of a suite's baselines.
pub(crate) fn has_baseline(environment: &EnvironmentName, kept: &[PathBuf]) -> bool {
    let file = format!("{environment}.jsonl");
    kept.iter().any(|place| place.ends_with(&file))
}

/// Returns what was accepted already at the commit a run was measured at. Where nobody can look at that commit, that is
/// everything: an acceptance that may be an old one covers nothing new.
pub(crate) fn held_by(
    project: &Project,
    base: &Run,
    accepted: &Acceptances,
) -> Outcome<Acceptances> {
    let Some(revision) = &base.revision else {
        return Ok(Acceptances::new(base.suite.clone()));
    };
    let commit = &revision.commit;
    if git::commit_of(project.root(), commit.as_str()).is_none() {
        return Ok(accepted.clone());
    }
    let path = format!("baselines/{}/{FILE}", base.suite);
    let Some(held) = git::file_at(project.root(), commit, &path) else {
        return Ok(Acceptances::new(base.suite.clone()));
    };
    wire::read_acceptances(&held).map_err(|error| {
        let what = format!("the acceptances of the base, `{commit}:./{path}`, were not read");
        CommandError::new(Exit::BadInput, what).because(error)
    })
}

/// Keeps a suite's acceptances.
pub(crate) fn keep(project: &Project, acceptances: &Acceptances) -> Outcome<()> {
    let place = place_of(project, acceptances.suite());
    Output::open(&place)?.complete(&wire::write_acceptances(acceptances))
}

/// Says which acceptances of a report are idle, the first of them by name. Nobody who reads the report has to act on them,
/// but whoever looks after the baseline does.
pub(crate) fn note_idle(report: &Report) {
    let mut all = report
        .findings
        .iter()
        .filter_map(|finding| Some((finding, idle(finding)?)));
    for (finding, caveat) in all.by_ref().take(NAMED) {
        let (bench, metric) = (&finding.bench, &finding.metric.name);
        let text = caveat.text_in(&finding.metric.unit);
        let advice = caveat.advice();
        talk::say(&talk::shown(&format!(
            "note: `{bench}` {metric}: {text}; {advice}"
        )));
    }
    let more = all.count();
    if more > 0 {
        let many = talk::counted(more, "acceptance");
        talk::say(&format!(
            "note: `{}` has {many} more of that kind",
            report.suite
        ));
    }
}

/// Says which acceptances are of nothing that either side of a report has, the first of them by name. Where a step failed,
/// they may be of what it would have measured.
pub(crate) fn note_gone(project: &Project, report: &Report) -> Outcome<()> {
    let accepted = load(project, &report.suite)?;
    let findings = &report.findings;
    let mut gone = accepted.iter().filter(|(bench, metric, _)| {
        let start = findings.partition_point(|finding| finding.bench < **bench);
        let of_bench = findings[start..].iter();
        let mut of_bench = of_bench.take_while(|it| it.bench == **bench);
        report.failures.is_empty() && !of_bench.any(|it| it.metric.name == **metric)
    });
    let place = place_of(project, &report.suite);
    let place = place.strip_prefix(project.root()).unwrap_or(&place);
    let place = place.display();
    for (bench, metric, Acceptance { from, to, .. }) in gone.by_ref().take(NAMED) {
        talk::say(&talk::shown(&format!(
            "note: `{place}` accepts that {from} became {to} of `{bench}` {metric}, and that was measured on neither side; take its line out if it is gone"
        )));
    }
    let more = gone.count();
    if more > 0 {
        let many = talk::counted(more, "acceptance");
        talk::say(&format!("note: `{place}` has {many} more of that kind"));
    }
    Ok(())
}

/// Returns what says of a finding that a regression was accepted of which neither side has anything.
pub(crate) fn idle(finding: &Finding) -> Option<&Caveat> {
    let is_idle = |caveat: &&Caveat| matches!(caveat, Caveat::AcceptanceIdle { .. });
    finding.caveats.iter().find(is_idle)
}
