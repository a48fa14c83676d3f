//! What a gate says of runs that were measured together: a report for each suite, and what the canaries did.
//!
//! The one idea: `check`, which has just measured, and `judge --from`, which reads what `measure` or `merge` left, judge by
//! the same functions, so that the same runs have the same reports. Tested by `tests/it/gate`.

mod gone;

use tripline_judge::{Controls, Policy};
use tripline_model::{Environment, Report, Run, wire};

use super::{Against, Known, trust};
use crate::accepted;
use crate::baselines;
use crate::error::Outcome;
use crate::measure::{MACHINE, Measured};
use crate::past::History;
use crate::project::Project;
use crate::settings;
use crate::suite::Suite;

/// What was measured together.
pub(super) struct Session {
    /// The suites.
    pub(super) suites: Vec<(Suite, Measured)>,
    /// The canaries, with the steps that were measured; each built without and with what is planted in it. Where several
    /// machines measured, one may stand here several times.
    pub(super) canaries: Vec<(Suite, Measured)>,
}

/// What is said of it.
pub(super) struct Judged {
    /// A report for each suite.
    pub(super) reports: Vec<Report>,
    /// The reports on the canaries.
    pub(super) canaries: Vec<Report>,
}

/// Judges all that was measured together, against a revision where somebody named one. What the canaries did otherwise than
/// they were to is said in every report: then it is no verdict, whatever it says.
pub(super) fn judged(
    project: &Project,
    session: &Session,
    against: Option<&str>,
    history: Option<&History>,
) -> Outcome<Judged> {
    let mut reports = of_suites(project, &session.suites, history)?;
    reports.extend(gone::reports(project, &session.suites, against)?);
    let trust = trust::of(project, &project.canaries()?, &session.canaries)?;
    for report in &mut reports {
        report.caveats.extend_from_slice(&trust.failures);
    }
    Ok(Judged {
        reports,
        canaries: trust.reports,
    })
}

/// Writes reports, one a line.
pub(super) fn lines_of(reports: &[Report]) -> String {
    reports.iter().map(wire::write_report).collect()
}

/// Judges each suite against what was measured beside it, or against its baseline.
fn of_suites(
    project: &Project,
    suites: &[(Suite, Measured)],
    history: Option<&History>,
) -> Outcome<Vec<Report>> {
    let heads: Vec<&Run> = suites.iter().map(|(_, measured)| &measured.head).collect();
    let policies = suites.iter();
    let policies: Vec<Policy> = policies
        .map(|(suite, _)| settings::policy(project, suite))
        .collect::<Outcome<_>>()?;
    let pasts = history.map(|history| {
        let heads: Vec<(&Run, &Policy)> = heads.iter().copied().zip(&policies).collect();
        history.pasts(project.root(), &heads)
    });

    let mut compared: Vec<(&Suite, Option<Run>, &Measured)> = Vec::with_capacity(suites.len());
    for (suite, measured) in suites {
        let base = match &measured.base {
            Some(base) => Some(base.clone()),
            None => baselines::for_run(project, &measured.head)?.map(|baseline| baseline.run),
        };
        compared.push((suite, base, measured));
    }
    let controls = compared
        .iter()
        .filter(|(suite, ..)| suite.canary.is_some())
        .find_map(|(_, base, Measured { head, .. })| {
            Some((&head.environment, Controls::of(base.as_ref()?, head)))
        });
    let bases = compared.iter().filter_map(|(_, base, _)| base.as_ref());
    let beside: Vec<&Run> = heads.iter().copied().chain(bases).collect();
    let mut reports = Vec::with_capacity(suites.len());
    for ((suite, base, measured), policy) in compared.iter().zip(policies) {
        let head = &measured.head;
        let against = match base {
            Some(base) if measured.base.is_some() => Against::Run(base),
            kept => Against::baseline(kept.as_ref()),
        };
        // What controls say of one machine is no news of another, also where it is of the same kind.
        let controls = controls.as_ref();
        let controls = controls.filter(|(there, _)| is_one_machine(there, &head.environment));
        let known = Known {
            controls: controls.map(|(_, controls)| controls),
            past: pasts.as_ref().and_then(|pasts| pasts.get(&suite.name)),
            beside: &beside,
        };
        let report = super::judged(Some(project), policy, against, head, known)?;
        settings::note_idle_rows(suite, &report);
        accepted::note_idle(&report);
        accepted::note_gone(project, &report)?;
        reports.push(report);
    }
    settings::note_idle_rows_of_project(project, &reports)?;
    Ok(reports)
}

fn is_one_machine(one: &Environment, other: &Environment) -> bool {
    one.fact(MACHINE) == other.fact(MACHINE)
}
