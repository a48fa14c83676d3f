//! How runs are judged, as the project says: `tripline.toml` at its root, then the suite's own file, then what was
//! accepted. Each is over the one before it, and the standard policy is under all.
//!
//! Tested below and by `tests/it/policy`.

mod row;
mod rows;
mod slips;
mod trend;
mod words;

use std::path::Path;

use serde::Deserialize;
use tripline_judge::{Layer, Policy};
use tripline_model::{Finding, MetricName, Report, Run};

use crate::accepted;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::suite::{Suite, SuiteProblem};
use crate::talk;

pub(crate) use row::{LimitsRow, PolicyRow, Row};
pub(crate) use rows::Rows;
pub(crate) use slips::{look_over, refuse_slips, refuse_slips_of};
pub(crate) use trend::TrendMethod;
pub(crate) use words::{BetterWord, BeyondWord, MostWord, OutcomesTable, Share};

/// The file at the root of a project that holds for all its suites.
const FILE: &str = "tripline.toml";

/// What `tripline.toml` says, which holds for all suites.
#[derive(Debug, Default)]
struct Settings {
    rows: Rows,
    outcomes: OutcomesTable,
    trend: TrendMethod,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingsFile {
    #[serde(default)]
    policy: Vec<toml::Spanned<PolicyRow>>,
    #[serde(default)]
    outcomes: OutcomesTable,
    #[serde(default)]
    trend: TrendMethod,
}

/// Returns by which method the pages of a project find changes of level.
pub(crate) fn trend_method(project: &Project) -> Outcome<TrendMethod> {
    Ok(Settings::load(project.root())?.trend)
}

/// Returns the policy that holds for every suite of a project.
pub(crate) fn policy_of_project(project: &Project) -> Outcome<Policy> {
    Ok(Settings::load(project.root())?.policy())
}

/// Returns the policy by which a suite's runs are judged.
pub(crate) fn policy(project: &Project, suite: &Suite) -> Outcome<Policy> {
    let settings = Settings::load(project.root())?;
    let judging = &suite.judging;
    let (file, its_file) = (Path::new(FILE), suite.file_in(project));
    settings.rows.check_below(file, &judging.rows, its_file)?;
    let of_project = settings.policy();
    let outcomes = judging.outcomes.over(of_project.outcomes());
    Ok(of_project
        .with_layers(judging.rows.layers.iter().cloned())
        .with_outcomes(outcomes)
        .with_derived(judging.derived.clone(), judging.inclusions.clone())
        .with_accepted(accepted::load_to_judge(project, &suite.name)?))
}

/// Says which acceptances a base holds already, that was measured at a commit.
pub(crate) fn beside(policy: Policy, project: &Project, base: &Run) -> Outcome<Policy> {
    match policy.accepted() {
        Some(accepted) if accepted.iter().len() > 0 => {
            let held = accepted::held_by(project, base, accepted)?;
            Ok(policy.with_held(held))
        }
        _ => Ok(policy),
    }
}

/// Says which rows of a suite's file are about nothing that was judged: a limit that is idle limits nothing. Of a metric that
/// may be left out, and is, that is said once.
pub(crate) fn note_idle_rows(suite: &Suite, report: &Report) {
    let may_be_absent = |name: &MetricName| {
        let mut derived = suite.judging.derived.iter();
        let is_optional = derived.any(|it| it.name() == name && it.is_optional());
        is_optional && report.findings.iter().all(|it| it.metric.name != *name)
    };
    for derived in suite
        .judging
        .derived
        .iter()
        .filter(|it| may_be_absent(it.name()))
    {
        let (name, file) = (derived.name(), suite.file.display());
        talk::say(&format!(
            "note: `{name}` is left out, because not all that `{file}` computes it from was measured"
        ));
    }
    for layer in &suite.judging.rows.layers {
        let scope = layer.scope();
        if scope.metric.as_ref().is_some_and(may_be_absent) {
            continue;
        }
        note_if_idle(layer, &suite.file, std::slice::from_ref(report));
    }
}

/// Says which rows of the project's file are about nothing in any report. They hold for all suites, so it is not asked where
/// one is missing.
pub(crate) fn note_idle_rows_of_project(project: &Project, reports: &[Report]) -> Outcome<()> {
    let suites = project.suites_on_demand_too(&[])?;
    let is_judged = |suite: &Suite| reports.iter().any(|report| report.suite == suite.name);
    if suites.iter().all(is_judged) {
        for layer in &Settings::load(project.root())?.rows.layers {
            note_if_idle(layer, Path::new(FILE), reports);
        }
    }
    Ok(())
}

fn note_if_idle(layer: &Layer, file: &Path, reports: &[Report]) {
    let findings = reports.iter().flat_map(|report| &report.findings);
    let meant: Vec<&Finding> = findings
        .filter(|finding| layer.is_about(&finding.bench, &finding.metric))
        .collect();
    if meant.iter().any(|it| layer.can_matter_to(&it.metric)) {
        return;
    }
    let why = match meant.is_empty() {
        true => "",
        false => ", because none of that is ever judged by its `method`",
    };
    talk::say(&format!(
        "note: a row of `{}` is about nothing that was measured{why}: {}",
        file.display(),
        layer.because()
    ));
}

impl Settings {
    /// Loads the project's settings; none where there is no file.
    fn load(root: &Path) -> Outcome<Self> {
        let path = root.join(FILE);
        match path.symlink_metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            _ => {}
        }
        let bytes = crate::files::read(&path)?;
        Self::parse(&bytes).map_err(|problem| {
            let hint = problem.hint.clone();
            let what = format!("nothing was judged: `{}` cannot be used", path.display());
            let error = CommandError::new(Exit::BadInput, what).because(problem);
            match hint {
                Some(hint) => error.hint(hint),
                None => error,
            }
        })
    }

    /// Lays its rows over the standard policy.
    fn policy(self) -> Policy {
        let standard = Policy::standard();
        let outcomes = self.outcomes.over(standard.outcomes());
        standard
            .with_layers(self.rows.layers)
            .with_outcomes(outcomes)
    }

    fn parse(bytes: &[u8]) -> Result<Self, SuiteProblem> {
        let text = SuiteProblem::text_of(bytes)?;
        let file: SettingsFile =
            toml::from_str(text).map_err(|error| SuiteProblem::toml(text, &error))?;
        let mut rows = Rows::default();
        for row in file.policy {
            rows.take(row, text, &[])?;
        }
        rows.check()?;
        Ok(Self {
            rows,
            outcomes: file.outcomes,
            trend: file.trend,
        })
    }
}

#[cfg(test)]
mod tests {
    use tripline_judge::Beyond;
    use tripline_judge::trend::EDivisive;

    use super::*;

    fn problem(text: &str) -> String {
        let problem = Settings::parse(text.as_bytes()).expect_err("it cannot be used");
        let hint = problem.hint.as_ref();
        format!(
            "{problem}{}",
            hint.map_or(String::new(), |hint| format!(" | {hint}"))
        )
    }

    #[test]
    fn a_good_file_is_taken() {
        let settings = Settings::parse(
            br#"
            [outcomes]
            stale = "warn"
            removed = "fail"

            [trend]
            method = "e-divisive"
            window = 30
            p = 0.001
            magnitude = "5 %"

            [[policy]]
            because = "all of it is about one metric"
            metric = "instructions"
            tolerance = "0.5 %"
            warn = "2%"
            fail = "never"

            [[policy]]
            because = "it allocates by design"
            benchmark = "kv/*{bytes=64}"
            metric = "heap_peak"
            method = "exact"
            floor = 4096
            max = 1_000_000
            beyond = "fail-beside"
            gate = "show"
            "#,
        )
        .unwrap();
        let divisive = EDivisive {
            window: 30,
            p: 0.001,
            magnitude: 0.05,
        };
        assert_eq!(settings.trend, TrendMethod::EDivisive(divisive));
        let limits = settings.rows.layers[0].limits();
        assert_eq!(limits.tolerance, Some(0.005));
        assert_eq!(
            (limits.warn, limits.fail),
            (Some(0.02), Some(f64::INFINITY))
        );
        let limits = settings.rows.layers[1].limits();
        assert_eq!((limits.floor, limits.max), (Some(4096.0), Some(1e6)));
        assert_eq!(limits.beyond, Some(Beyond::FailBeside));
        assert_eq!(
            (limits.warn, limits.fail),
            (Some(f64::INFINITY), Some(f64::INFINITY))
        );
        assert!(Settings::parse(b"").unwrap().rows.layers.is_empty());
    }

    #[test]
    fn every_mistake_has_its_place_and_what_was_expected() {
        let row = |line: &str| problem(&format!("[[policy]]\nbecause = \"x\"\n{line}\n"));
        insta::assert_snapshot!(problem("[[policies]]\n"), @"unknown field `policies`, expected one of `policy`, `outcomes`, `trend` at line 1 column 3 | did you mean `policy`?");
        insta::assert_snapshot!(row("tolerence = \"1 %\""), @"unknown field `tolerence`, expected one of `benchmark`, `metric`, `method`, `tolerance`, `floor`, `warn`, `fail`, `gate`, `min`, `max`, `beyond`, `because` at line 3 column 1 | did you mean `tolerance`?");
        insta::assert_snapshot!(row("tolerance = 0.01"), @r#"invalid type: floating point `0.01`, expected a share such as "2 %", or "never" at line 3 column 13"#);
        insta::assert_snapshot!(row("tolerance = \"0.01\""), @r#"invalid value: string "0.01", expected a share such as "2 %", or "never" at line 3 column 13"#);
        insta::assert_snapshot!(row("fail = \"-1 %\""), @r#"invalid value: string "-1 %", expected a share such as "2 %", or "never" at line 3 column 8"#);
        insta::assert_snapshot!(row("floor = -1"), @"`floor` is below zero, or no number at line 1 column 1");
        insta::assert_snapshot!(row("floor = nan"), @"`floor` is below zero, or no number at line 1 column 1");
        insta::assert_snapshot!(row("warn = \"2 %\"\nfail = \"1 %\""), @"`warn` is greater than `fail`, so that one of them would never be reached at line 1 column 1");
        insta::assert_snapshot!(row("gate = \"stop\""), @"unknown variant `stop`, expected one of `show`, `warn`, `fail` at line 3 column 8");
        insta::assert_snapshot!(row("gate = \"show\"\nwarn = \"1 %\""), @"`gate` stands for `warn` and `fail`, and one of them is set too at line 1 column 1");
        insta::assert_snapshot!(row("metric = \"Instructions\"\nwarn = \"1 %\""), @"the metric name `Instructions` is not of the form lower-case letters, digits, `.`, `_` and `-`, at most 64 at line 3 column 10 | did you mean `instructions`?");
        insta::assert_snapshot!(row("benchmark = \"kv/*{bytes}\"\nwarn = \"1 %\""), @"`benchmark` is no pattern: expected `=` after `bytes` at line 3 column 24");
        insta::assert_snapshot!(row("benchmark = \"kv/\\u007bbytes}\"\nwarn = \"1 %\""), @"`benchmark` is no pattern: expected `=` after `bytes` at line 3 column 13");
        insta::assert_snapshot!(row("method = \"pairs\"\nwarn = \"1 %\""), @"unknown variant `pairs`, expected one of `exact`, `paired`, `historical`, `budget`, `baseline-only` at line 3 column 10 | did you mean `paired`?");
        insta::assert_snapshot!(row("max = 1\nbeyond = \"show\""), @"unknown variant `show`, expected one of `warn`, `fail-beside`, `fail` at line 4 column 10");
        insta::assert_snapshot!(row("max = 1\nbeyond = \"warns\""), @"unknown variant `warns`, expected one of `warn`, `fail-beside`, `fail` at line 4 column 10 | did you mean `warn`?");
        insta::assert_snapshot!(row("max = 1\nbeyound = \"warn\""), @"unknown field `beyound`, expected one of `benchmark`, `metric`, `method`, `tolerance`, `floor`, `warn`, `fail`, `gate`, `min`, `max`, `beyond`, `because` at line 4 column 1 | did you mean `beyond`?");
        insta::assert_snapshot!(row("gate = \"warn\"\nbeyond = \"warn\""), @"`beyond` is about `min` and `max`, and the row sets neither at line 1 column 1");
        insta::assert_snapshot!(row("min = 2\n[[policy]]\nbecause = \"y\"\nbenchmark = \"kv/*\"\nmax = 1"), @"with the row in line 1 `min` is greater than `max`, so that no value would be allowed at line 4 column 1");
        insta::assert_snapshot!(row("benchmark = \"kv/*\"\nmax = 1\n[[policy]]\nbecause = \"y\"\nmin = 2"), @"with the row in line 1 `min` is greater than `max`, so that no value would be allowed at line 5 column 1");
        insta::assert_snapshot!(row("method = \"budget\"\ngate = \"warn\""), @"a row about `budget` holds `min`, `max` and `beyond`: no change is held against a limit at line 1 column 1");
        insta::assert_snapshot!(row(""), @"the row sets nothing at line 1 column 1");
        insta::assert_snapshot!(problem("[[policy]]\nwarn = \"1 %\"\n"), @"missing field `because` at line 1 column 1");
        insta::assert_snapshot!(problem("[[policy]]\nbecause = \" \"\nwarn = \"1 %\"\n"), @"`because` is empty at line 1 column 1");
        insta::assert_snapshot!(problem("[outcomes]\nstale = \"warning\"\n"), @"unknown variant `warning`, expected one of `pass`, `warn`, `fail` at line 2 column 9 | did you mean `warn`?");
        insta::assert_snapshot!(problem("[outcomes]\nold = \"warn\"\n"), @"unknown field `old`, expected one of `first_run`, `inconclusive`, `removed`, `broken`, `stale` at line 2 column 1");
        insta::assert_snapshot!(problem("[trend]\nmethod = \"edivisive\"\n"), @"unknown variant `edivisive`, expected one of `whole`, `one-by-one`, `e-divisive` at line 2 column 10 | did you mean `e-divisive`?");
        let otava = |line: &str| problem(&format!("[trend]\nmethod = \"e-divisive\"\n{line}\n"));
        insta::assert_snapshot!(otava("window = 3"), @"a `window` has 4 values at least at line 1 column 1");
        insta::assert_snapshot!(otava("p = 0"), @"`p` is a chance: above 0, and 1 at most at line 1 column 1");
        insta::assert_snapshot!(otava("p = nan"), @"`p` is a chance: above 0, and 1 at most at line 1 column 1");
        insta::assert_snapshot!(otava("magnitude = 0.05"), @r#"invalid type: floating point `0.05`, expected a share such as "2 %", or "never" at line 3 column 13"#);
        insta::assert_snapshot!(otava("magnitude = \"never\""), @"a `magnitude` that nothing has finds nothing at line 1 column 1");
        insta::assert_snapshot!(otava("max_pvalue = 0.001"), @"unknown field `max_pvalue`, expected one of `method`, `window`, `p`, `magnitude` at line 3 column 1");
        insta::assert_snapshot!(problem("[trend]\nmethod = \"one-by-one\"\np = 0.01\n"), @r#"`p` is about `method = "e-divisive"` alone at line 1 column 1"#);
        insta::assert_snapshot!(problem("outcomes = 1\n"), @"invalid type: integer `1`, expected a table at line 1 column 12");
    }

    #[test]
    fn a_metric_that_is_nearly_a_known_one_may_be_a_slip() {
        let row = "[[policy]]\nbecause = \"x\"\nmetric = \"instuctions\"\nwarn = \"1 %\"\n";
        let Rows { layers, slips, .. } = Settings::parse(row.as_bytes()).unwrap().rows;
        let [slip] = &slips[..] else {
            panic!("{slips:?}")
        };
        assert_eq!(layers.len(), 1);
        assert_eq!(
            (slip.metric.as_str(), &*slip.meant),
            ("instuctions", "instructions")
        );
        assert_eq!((slip.line, slip.column), (3, 10));
        let known = row.replace("instuctions", "instructions");
        assert!(
            Settings::parse(known.as_bytes())
                .unwrap()
                .rows
                .slips
                .is_empty()
        );
    }

    #[test]
    fn a_metric_that_is_like_no_other_is_taken_because_harnesses_name_their_own() {
        let text =
            "[[policy]]\nbecause = \"none is allowed\"\nmetric = \"helgrind_errors\"\nmax = 0\n";
        assert_eq!(
            Settings::parse(text.as_bytes()).unwrap().rows.layers.len(),
            1
        );
    }

    #[test]
    fn a_cut_or_garbled_file_is_settings_or_an_error_with_a_place() {
        let text = "[outcomes]\nstale = \"warn\"\n[[policy]]\nbecause = \"x\"\nbenchmark = \"kv/*{a=b}\"\nwarn = \"1 %\"\n";
        for cut in 0..text.len() {
            if let Err(problem) = Settings::parse(&text.as_bytes()[..cut]) {
                assert!(problem.line >= 1 && problem.column >= 1);
            }
            let mut bytes = text.as_bytes().to_vec();
            bytes[cut] = 0xff;
            Settings::parse(&bytes).expect_err("0xff is no UTF-8");
        }
    }
}
