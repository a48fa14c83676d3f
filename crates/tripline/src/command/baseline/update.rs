//! `tripline baseline update`: keeps runs, as a ratchet.
//!
//! What is better or new is taken. What is worse by so much that it would be said is refused, until somebody mends or
//! accepts it; what is worse by less keeps its old line, so that small steps add up against the same number until they are
//! said. What cannot be compared, because the environment or the work is another, is taken as it is, and that is said.
//! What leaves the baseline is named, and an acceptance ends, or is tightened, where what was accepted got better again.
//!
//! Tested by `tests/it/baseline` and `tests/it/ratchet`.

use std::path::PathBuf;

use tripline_judge::{Policy, formed, is_limit_kept, unformed};
use tripline_model::{
    Acceptance, Caveat, Covers, Finding, Gate, Nature, Report, Run, Summary, Verdict, WorkTree,
};

use super::super::{Against, Known, judged, not_judged, policy_of};
use crate::accepted;
use crate::baselines::{self, Staying};
use crate::cli::BaselineUpdate;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::kept_durations;
use crate::project::Project;
use crate::talk;

/// How many regressions are named before the rest is counted.
const NAMED: usize = 20;

pub(super) fn run(project: &Project, args: &BaselineUpdate) -> Outcome<Exit> {
    let mut suites = Vec::new();
    let mut exit = Exit::Pass;
    for (head, from) in super::heads(project, &args.runs)? {
        let kept = match keep(project, &head) {
            Ok(kept) => kept,
            // One suite that stays as it is keeps no other from getting better.
            Err(refused) if matches!(refused.exit, Exit::GateFailed | Exit::Broken) => {
                talk::complain(&refused);
                exit = exit.worst(refused.exit);
                continue;
            }
            Err(error) => return Err(error),
        };
        suites.extend(project.suite_if_any(&head.suite)?);
        talk::data(&format!(
            "{kept}, from {} of {}\n",
            from.display(),
            head.measured_at
        ))?;
    }
    // How long steps take says nothing of the code, so what goes wrong here has cost no baseline.
    if kept_durations::update(project, &suites)? {
        let place = kept_durations::place_of(project);
        let shown = place.strip_prefix(project.root()).unwrap_or(&place);
        talk::say(&format!(
            "how long steps take was kept in {}",
            shown.display()
        ));
    }
    Ok(exit)
}

/// Keeps one run, and says what became of it.
fn keep(project: &Project, head: &Run) -> Outcome<String> {
    if let Some(failure) = head.failures.first() {
        let step = format!("step `{}` {}", failure.step, failure.kind.text());
        let what = format!("the baseline of `{}` stays: {step}", head.suite);
        return Err(CommandError::new(Exit::Broken, what).hint("mend the step and measure again"));
    }
    let place = baselines::place_of(project, &head.suite, &head.environment.name);
    let own = baselines::load_run_if_any(&place)?;
    let nearest = match &own {
        Some(_) => None,
        None => baselines::for_run(project, head)?.map(|nearest| nearest.run),
    };
    let base = own.as_ref().or(nearest.as_ref());
    // An absolute limit says nothing of what was before.
    let limited = policy_of(project, &head.suite)?;
    let policy = limited.clone().without_budgets();
    // What the kept run has and the head lacks is a finding, and would be a mistake beside the new baseline.
    if let Some(error) = unformed(head, &policy).into_iter().next() {
        return Err(not_judged(Some(project), &head.suite, error.into()));
    }
    let against = Against::baseline(base);
    let report = judged(
        Some(project),
        policy.clone(),
        against,
        head,
        Known::default(),
    )?;
    refuse_what_is_worse(&report)?;
    let formed = formed(head, &policy);
    let staying = own.as_ref().map_or_else(Staying::default, |own| {
        Staying::of(&report, own, &formed, &policy)
    });
    note_doubts(head, &report);
    note_what_stays(&staying);
    let shown = place.strip_prefix(project.root()).unwrap_or(&place);
    let is_changed = baselines::keep(project, own.as_ref(), head, &report, &staying)?;
    note_what_nobody_can_tell(&report, &staying);
    match &nearest {
        // The baseline that it was held against stays as it is, with what was accepted of it.
        Some(nearest) => note_first(head, nearest),
        None => {
            note_what_is_gone(&report);
            end_acceptances(project, &report, &limited)?;
        }
    }
    let what = if is_changed {
        let benchmarks = head.measurements().len() - staying.lines().len();
        format!("{} kept", talk::counted(benchmarks, "benchmark"))
    } else {
        "nothing changed".to_owned()
    };
    Ok(format!("{}: {what}", shown.display()))
}

/// Refuses to keep what got worse by so much that it is said: a baseline that follows it would hide it.
fn refuse_what_is_worse(report: &Report) -> Outcome<()> {
    let is_worse = |f: &&Finding| f.verdict == Verdict::Regressed && f.gate > Gate::Pass;
    let worse: Vec<&Finding> = report.findings.iter().filter(is_worse).collect();
    if worse.is_empty() {
        return Ok(());
    }
    let many = talk::counted(worse.len(), "metric");
    let what = format!("the baseline of `{}` stays: {many} got worse", report.suite);
    let named = worse.iter().take(NAMED).map(|finding| said(finding));
    let mut named: Vec<String> = named.collect();
    if worse.len() > NAMED {
        named.push(format!("and {} more", worse.len() - NAMED));
    }
    let first = worse[0].bench.within_suite();
    Err(CommandError::new(Exit::GateFailed, what)
        .because(named.join("\n    "))
        .hint(format!(
            "mend it; or take it on purpose: `tripline baseline accept '{first}' --because \"...\"`"
        )))
}

fn said(finding: &Finding) -> String {
    let center = |side: Option<tripline_model::Summary>| side.map_or(0.0, |side| side.center);
    let (base, head) = (center(finding.evidence.base), center(finding.evidence.head));
    let change = finding.evidence.change;
    let change = change.map_or(String::new(), |c| {
        format!(" ({:+.2} %)", (c.ratio - 1.0) * 100.0)
    });
    let (bench, metric) = (finding.bench.within_suite(), &finding.metric.name);
    format!("{bench} {metric}: {base} became {head}{change}")
}

/// Takes out the acceptances of what got better again, and tightens those of what did in part: nobody has taken it on
/// purpose a second time.
fn end_acceptances(project: &Project, report: &Report, policy: &Policy) -> Outcome<()> {
    let mut accepted = accepted::load(project, &report.suite)?;
    let kept = baselines::places_of_suite(project, &report.suite)?;
    let is_only = kept.len() <= 1;
    // The report was judged without limits, and does not say which are kept.
    let is_kept = |f: &Finding| {
        let limit = policy.budget(&f.bench, &f.metric);
        let acceptance = accepted.get(&f.bench, &f.metric.name);
        acceptance.is_some_and(|acceptance| is_limit_kept(acceptance, f, limit))
    };
    let is_better =
        |f: &&Finding| f.verdict == Verdict::Improved || accepted::idle(f).is_some() || is_kept(f);
    let better: Vec<&Finding> = report.findings.iter().filter(is_better).collect();
    let mut has_ended = false;
    for finding in better {
        let (bench, metric) = (&finding.bench, &finding.metric.name);
        let head = finding.evidence.head;
        let budget = policy.budget(bench, &finding.metric);
        let is_still_outside =
            budget.is_some_and(|budget| head.is_some_and(|head| !budget.allows(head.center)));
        if is_still_outside && finding.metric.nature != Nature::Exact {
            // How far a time is beyond a limit is another number each time.
            continue;
        }
        let acceptance = accepted.get(bench, metric);
        let is_foreign =
            acceptance.is_some_and(|it| !is_only && is_of_another(it, report, finding, &kept));
        if is_foreign {
            continue;
        }
        let Some(acceptance) = accepted.remove(bench, metric) else {
            continue;
        };
        has_ended = true;
        let Acceptance { from, to, .. } = acceptance;
        // A line that keeps its old value still needs as much of it, and so does a limit that is still crossed.
        let is_needed = finding.acceptance.is_some() || is_still_outside;
        let rest = head.filter(|_| is_needed);
        let instead = match rest {
            Some(Summary { center, .. }) => {
                let tightened = Acceptance {
                    to: center,
                    ..acceptance
                };
                accepted
                    .insert(bench.clone(), metric.clone(), tightened)
                    .map_err(|error| CommandError::new(Exit::BadInput, error.to_string()))?;
                format!("; {center} is")
            }
            None => String::new(),
        };
        let what = match acceptance.covers {
            Covers::Limit => format!("a limit is crossed as far as {to}"),
            Covers::Change | Covers::Both => format!("{from} became {to}"),
        };
        talk::say(&format!(
            "note: `{bench}` {metric} got better again, so that {what} is no longer accepted{instead}"
        ));
    }
    if has_ended {
        accepted::keep(project, &accepted)?;
    }
    Ok(())
}

/// Returns whether an acceptance is about the baseline of another environment than a report's. One that does not say of which
/// it is, or names one that has no baseline, is of that whose baseline it could be about.
fn is_of_another(
    acceptance: &Acceptance,
    report: &Report,
    finding: &Finding,
    kept: &[PathBuf],
) -> bool {
    let owner = acceptance.environment.as_ref();
    match owner.filter(|name| accepted::has_baseline(name, kept)) {
        Some(environment) => *environment != report.head.environment.name,
        None => {
            let Acceptance { from, to, .. } = *acceptance;
            let base = finding.evidence.base;
            !base.is_some_and(|base| (from.min(to)..=from.max(to)).contains(&base.center))
        }
    }
}

/// Names what leaves the baseline: a benchmark, or a metric of one that is still there.
fn note_what_is_gone(report: &Report) {
    let is_gone = |finding: &Finding| finding.verdict == Verdict::Removed;
    for of_bench in report.findings.chunk_by(|a, b| a.bench == b.bench) {
        let gone: Vec<&str> = of_bench
            .iter()
            .filter(|finding| is_gone(finding))
            .map(|finding| finding.metric.name.as_str())
            .collect();
        let bench = &of_bench[0].bench;
        let what = match gone.len() {
            0 => continue,
            all if all == of_bench.len() => format!("`{bench}` leaves"),
            1 => format!("{} of `{bench}` leaves", gone[0]),
            _ => format!("{} of `{bench}` leave", gone.join(", ")),
        };
        talk::say(&talk::shown(&format!(
            "note: {what} the baseline, because it was not measured: if it comes back, it is new, whatever it takes then"
        )));
    }
}

/// Says which counts are kept that look worse and could not be compared: they are another work, or of another kind.
fn note_what_nobody_can_tell(report: &Report, staying: &Staying<'_>) {
    let is_apart = |caveat: &Caveat| matches!(caveat, Caveat::EnvironmentDiffers(_));
    // A time that is only noisy is no news.
    let is_other = |caveat: &Caveat| {
        matches!(
            caveat,
            Caveat::MetricDiffers | Caveat::AnswerDiffers { .. } | Caveat::AnswerMissing
        )
    };
    let is_open = |f: &&Finding| {
        let may_be_told = f.metric.nature == Nature::Exact || f.caveats.iter().any(is_other);
        let is_kept = !staying.has_line(&f.bench);
        // Another environment is told once, of the whole.
        let is_told = f.caveats.iter().any(is_apart);
        f.verdict == Verdict::Inconclusive && may_be_told && is_kept && !is_told
    };
    let open = report.findings.iter().filter(is_open);
    let mut worse = open.filter(|f| match (f.evidence.base, f.evidence.head) {
        (Some(base), Some(head)) => f.metric.better.is_worse(base.center, head.center),
        _ => false,
    });
    for finding in worse.by_ref().take(NAMED) {
        let why: Vec<String> = finding.caveats.iter().map(Caveat::text).collect();
        talk::say(&talk::shown(&format!(
            "note: {} is kept, and nobody can tell whether it got worse: {}",
            said(finding),
            why.join("; ")
        )));
    }
    let more = worse.count();
    if more > 0 {
        talk::say(&format!("note: and {more} more of that kind"));
    }
}

/// What is kept serves many comparisons, so whoever keeps it hears the reasons to doubt it.
fn note_doubts(head: &Run, report: &Report) {
    let revision = head.revision.as_ref();
    if revision.is_some_and(|revision| revision.work_tree == WorkTree::Modified) {
        let suite = &head.suite;
        talk::say(&format!(
            "note: `{suite}` was measured with changes that are in no commit"
        ));
    }
    for caveat in &report.caveats {
        if matches!(caveat, Caveat::EnvironmentDiffers(_)) {
            let text = caveat.text();
            talk::say(&format!(
                "note: {text}; what is kept now may be worse than what was"
            ));
        }
    }
    for measurement in head.measurements() {
        for caveat in measurement.caveats() {
            let (text, advice) = (caveat.text(), caveat.advice());
            talk::say(&format!(
                "note: `{}`: {text}\n  -> {advice}",
                measurement.bench()
            ));
        }
    }
}

/// Says which lines stay as they are, and why.
fn note_what_stays(staying: &Staying<'_>) {
    for (bench, finding) in staying.lines() {
        let what = if finding.bench == *bench {
            "it".to_owned()
        } else {
            format!(
                "`{}` {}, which is computed from it,",
                finding.bench, finding.metric.name
            )
        };
        let taken = finding.bench.within_suite();
        talk::say(&talk::shown(&format!(
            "note: `{bench}` keeps its line: {what} got worse, by too little to be stopped\n  -> mend it, or take it on \
             purpose with `tripline baseline accept '{taken}' --because \"...\"`"
        )));
    }
}

/// Says that an environment had no baseline, and whose baseline its first one was held against.
fn note_first(head: &Run, nearest: &Run) {
    let (suite, here, there) = (
        &head.suite,
        &head.environment.name,
        &nearest.environment.name,
    );
    talk::say(&format!(
        "note: it is the first baseline of `{suite}` in environment `{here}`; it was held against that of `{there}`"
    ));
}
