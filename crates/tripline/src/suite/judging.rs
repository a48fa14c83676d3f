//! The sections of a suite's file that say how its runs are judged: `[[policy]]`, `[outcomes]`, `[[derived]]` and
//! `[[includes]]`.
//!
//! Tested below and by `tests/it/policy`.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use tripline_judge::{Derived, DerivedError, Expression, Inclusion, Layer, Scope};
use tripline_model::{KNOWN_METRICS, MetricName, Unit};

use super::{Suite, SuiteProblem};
use crate::project::Project;
use crate::settings::{
    BetterWord, BeyondWord, LimitsRow, MostWord, OutcomesTable, PolicyRow, Row, Rows, Share,
};

/// How a suite's runs are judged, as its file says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Judging {
    /// Rows over the standard policy and the project's.
    pub(crate) rows: Rows,
    /// What is done where there is no change to judge.
    pub(crate) outcomes: OutcomesTable,
    /// Metrics that are computed from others.
    pub(crate) derived: Vec<Derived>,
    /// Which benchmarks include work that others do not.
    pub(crate) inclusions: Vec<Inclusion>,
    /// Where the expression of each derived metric stands: its line and column.
    places: Vec<(usize, usize)>,
}

impl Suite {
    /// Returns the file that describes it, from the project's root.
    pub(crate) fn file_in(&self, project: &Project) -> &Path {
        let file = self.file.strip_prefix(project.root());
        file.unwrap_or(&self.file)
    }

    /// Says where the derived metric is defined that an error is about, as editors know places.
    pub(crate) fn place_of(&self, error: &DerivedError, project: &Project) -> Option<String> {
        let Judging {
            derived, places, ..
        } = &self.judging;
        let mut defined = derived.iter().zip(places);
        let (_, (line, column)) = defined.find(|(derived, _)| *derived.name() == error.metric)?;
        let file = self.file_in(project).display();
        Some(format!("`{file}:{line}:{column}`"))
    }
}

/// The sections, as they are written.
#[derive(Debug)]
pub(super) struct Sections {
    pub(super) policy: Vec<Spanned<PolicyRow>>,
    pub(super) outcomes: OutcomesTable,
    pub(super) derived: Vec<Spanned<DerivedRow>>,
    pub(super) includes: Vec<Spanned<IncludesRow>>,
    /// The metrics that steps state by the unit of their work.
    pub(super) by_unit: Vec<String>,
}

/// A row of `[[derived]]`: a metric that is computed from others, and what is allowed of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct DerivedRow {
    name: Spanned<String>,
    about: String,
    expression: Spanned<String>,
    unit: Spanned<String>,
    better: BetterWord,
    #[serde(default)]
    optional: bool,
    tolerance: Option<Share>,
    floor: Option<f64>,
    warn: Option<Share>,
    fail: Option<Share>,
    gate: Option<MostWord>,
    min: Option<f64>,
    max: Option<f64>,
    beyond: Option<BeyondWord>,
}

/// A row of `[[includes]]`: work that some benchmarks include and others do not.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct IncludesRow {
    benchmark: Spanned<String>,
    what: Spanned<String>,
}

impl Sections {
    /// Checks what the types do not.
    pub(super) fn check(self, text: &str) -> Result<Judging, SuiteProblem> {
        let mut judging = Judging {
            outcomes: self.outcomes,
            ..Judging::default()
        };
        let expression = |row: &Spanned<DerivedRow>| row.get_ref().expression.span().start;
        let expressions: Vec<usize> = self.derived.iter().map(expression).collect();
        for row in self.derived {
            let start = row.span().start;
            let (derived, layer) = derived(row, text, &judging.derived)?;
            judging.derived.push(derived);
            if let Some(layer) = layer {
                judging.rows.push(layer, text, start);
            }
        }
        let names: Vec<String> = judging
            .derived
            .iter()
            .map(|d| d.name().to_string())
            .chain(self.by_unit)
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for row in self.policy {
            judging.rows.take(row, text, &names)?;
        }
        judging.rows.check()?;
        for row in self.includes {
            judging.inclusions.push(inclusion(row, text)?);
        }
        for (derived, start) in judging.derived.iter().zip(expressions) {
            let place = SuiteProblem::at(text, start, "");
            judging.places.push((place.line, place.column));
            if let Some(problem) = derived.mixes(&judging.inclusions) {
                let problem = format!("`{}` cannot be computed: {problem}", derived.name());
                return Err(SuiteProblem::at(text, start, &problem));
            }
        }
        Ok(judging)
    }
}

/// Returns a derived metric, and the row on it if anything is said of what is allowed.
fn derived(
    row: Spanned<DerivedRow>,
    text: &str,
    earlier: &[Derived],
) -> Result<(Derived, Option<Layer>), SuiteProblem> {
    let place = Row {
        text,
        start: row.span().start,
    };
    let row = row.into_inner();
    let name = derived_name(place, &row.name, earlier)?;
    let expression = Expression::new(row.expression.get_ref()).map_err(|error| {
        let problem = format!("`expression` cannot be understood: {}", error.problem);
        place.within(&row.expression, error.at, problem.trim_end_matches(','))
    })?;
    let unit = Unit::from_symbol(row.unit.get_ref())
        .map_err(|error| SuiteProblem::at(text, row.unit.span().start, &error.to_string()))?;
    let limits = LimitsRow {
        tolerance: row.tolerance,
        floor: row.floor,
        warn: row.warn,
        fail: row.fail,
        gate: row.gate,
        min: row.min,
        max: row.max,
        beyond: row.beyond,
    };
    let scope = Scope {
        metric: Some(name.clone()),
        ..Scope::default()
    };
    let layer = (!limits.is_empty()).then(|| place.layer(scope, limits, &row.about));
    let derived =
        Derived::new(name, row.about, expression, unit, row.better.into()).optional(row.optional);
    Ok((derived, layer.transpose()?))
}

fn derived_name(
    place: Row<'_>,
    name: &Spanned<String>,
    earlier: &[Derived],
) -> Result<MetricName, SuiteProblem> {
    let problem = |problem: String| SuiteProblem::at(place.text, name.span().start, &problem);
    let metric = MetricName::new(name.get_ref()).map_err(|error| problem(error.to_string()))?;
    if KNOWN_METRICS
        .iter()
        .any(|known| known.name == metric.as_str())
    {
        return Err(problem(format!("`{metric}` is a metric that is measured")));
    }
    if earlier.iter().any(|other| *other.name() == metric) {
        return Err(problem(format!(
            "a second derived metric is named `{metric}`"
        )));
    }
    Ok(metric)
}

fn inclusion(row: Spanned<IncludesRow>, text: &str) -> Result<Inclusion, SuiteProblem> {
    let place = Row {
        text,
        start: row.span().start,
    };
    let row = row.into_inner();
    let benchmark = place.pattern(&row.benchmark)?;
    if row.what.get_ref().trim().is_empty() {
        return Err(SuiteProblem::at(
            text,
            row.what.span().start,
            "`what` is empty",
        ));
    }
    Ok(Inclusion {
        benchmark,
        what: row.what.into_inner(),
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tripline_judge::Beyond;
    use tripline_model::SuiteName;

    use super::super::Suite;

    const STEP: &str =
        "about = \"x\"\n[[step]]\nname = \"counts\"\nharness = \"iai-callgrind\"\nbench = \"b\"\n";

    fn parsed(sections: &str) -> Result<Suite, String> {
        let text = format!("{STEP}{sections}");
        let name = SuiteName::new("store").unwrap();
        Suite::parse(name, Path::new("bench/store"), text.as_bytes()).map_err(|problem| {
            let hint = problem.hint.as_ref();
            format!(
                "{problem}{}",
                hint.map_or(String::new(), |hint| format!(" | {hint}"))
            )
        })
    }

    fn problem(sections: &str) -> String {
        parsed(sections).expect_err("it cannot be used")
    }

    #[test]
    fn good_sections_are_taken_derived_rows_first() {
        let suite = parsed(
            r#"
            [[policy]]
            because = "it is new"
            metric = "degradation"
            gate = "warn"

            [[derived]]
            name = "degradation"
            about = "how much longer it takes with four streams"
            expression = "stream:wall_time{streams=4} / stream:wall_time{streams=1}"
            unit = "ratio"
            better = "lower"
            max = 2
            beyond = "warn"
            tolerance = "5 %"

            [[derived]]
            name = "spread"
            about = "nothing is said of it"
            expression = "wall_time"
            unit = "ns"
            better = "neither"

            [[includes]]
            benchmark = "sign*"
            what = "key generation"

            [outcomes]
            stale = "warn"
            "#,
        )
        .unwrap();
        let judging = &suite.judging;
        let names: Vec<_> = judging.derived.iter().map(|d| d.name().as_str()).collect();
        assert_eq!(names, ["degradation", "spread"]);
        assert_eq!(judging.rows.layers.len(), 2);
        let limits = judging.rows.layers[0].limits();
        assert_eq!((limits.max, limits.tolerance), (Some(2.0), Some(0.05)));
        assert_eq!(limits.beyond, Some(Beyond::Warn));
        assert_eq!(judging.rows.layers[1].limits().warn, Some(0.0));
        assert_eq!(judging.inclusions[0].what, "key generation");
    }

    #[test]
    fn every_mistake_has_its_place_and_what_was_expected() {
        let derived = |name: &str, expression: &str, unit: &str| {
            format!(
                "[[derived]]\nname = \"{name}\"\nabout = \"x\"\nexpression = \"{expression}\"\nunit = \"{unit}\"\nbetter = \"lower\"\n"
            )
        };
        let of =
            |name: &str, expression: &str, unit: &str| problem(&derived(name, expression, unit));
        insta::assert_snapshot!(of("wall_time", "x / y", "ratio"), @"`wall_time` is a metric that is measured at line 7 column 8");
        insta::assert_snapshot!(of("a b", "x / y", "ratio"), @"the metric name `a b` is not of the form lower-case letters, digits, `.`, `_` and `-`, at most 64 at line 7 column 8");
        insta::assert_snapshot!(of("it", "x / ", "ratio"), @"`expression` cannot be understood: expected a number, a metric or `(` at line 9 column 19");
        insta::assert_snapshot!(of("it", "x/y", "ratio"), @"`expression` cannot be understood: `x/y` is no metric; operators stand between spaces, and a benchmark's name before `:` at line 9 column 15");
        insta::assert_snapshot!(of("it", "x{a=1} / kv/get:y{b}", "ratio"), @"`expression` cannot be understood: expected `=` after `b` at line 9 column 34");
        insta::assert_snapshot!(of("it", "x / y", ""), @"the unit is empty at line 10 column 8");
        let twice = derived("it", "x / y", "ratio").repeat(2);
        insta::assert_snapshot!(problem(&twice), @"a second derived metric is named `it` at line 13 column 8");
        insta::assert_snapshot!(problem(&derived("it", "x / y", "ratio").replace("lower", "less")), @"unknown variant `less`, expected one of `lower`, `higher`, `neither` at line 11 column 10");
        insta::assert_snapshot!(problem(&format!("{}min = 2\nmax = 1\n", derived("it", "x / y", "ratio"))), @"`min` is greater than `max`, so that no value would be allowed at line 6 column 1");
        let limited = format!("{}max = 1\n", derived("it", "x / y", "ratio"));
        insta::assert_snapshot!(problem(&format!("{limited}[[policy]]\nbecause = \"x\"\nmetric = \"it\"\nmin = 2\n")), @"with the row in line 6 `min` is greater than `max`, so that no value would be allowed at line 13 column 1");
        parsed(&format!(
            "{limited}[[policy]]\nbecause = \"x\"\nmetric = \"it\"\nmin = 2\nmax = 3\n"
        ))
        .unwrap();
        parsed(&format!(
            "{limited}[[policy]]\nbecause = \"x\"\nmetric = \"wall_time\"\nmin = 2\n"
        ))
        .unwrap();
        // A row between may lift the limit, as far as the texts tell.
        for rows in [
            [
                "max = 5",
                "benchmark = \"kv/*\"\nmax = 100",
                "benchmark = \"kv/*{a=1}\"\nmin = 10",
            ],
            [
                "max = 5",
                "benchmark = \"big*\"\nmax = 100",
                "benchmark = \"big/*\"\nmin = 10",
            ],
            ["min = 5", "max = 1", "benchmark = \"*\"\nmin = 0"],
        ] {
            let row =
                |limits| format!("[[policy]]\nbecause = \"x\"\nmetric = \"wall_time\"\n{limits}\n");
            parsed(&rows.map(row).concat()).unwrap();
        }
        insta::assert_snapshot!(problem("[[derived]]\nname = \"it\"\n"), @"missing field `about` at line 6 column 1");
        let mixed = "[[includes]]\nbenchmark = \"a-*\"\nwhat = \"setting up\"\n";
        insta::assert_snapshot!(problem(&format!("{}{mixed}", derived("it", "a-cold:x{b=2} / a:x{b=1}", "ratio"))), @"`it` cannot be computed: its terms include different work: `a-cold:x{b=2}` includes setting up, `a:x{b=1}` includes nothing of the kind at line 9 column 14");
        insta::assert_snapshot!(problem("[[includes]]\nbenchmark = \"a{\"\nwhat = \"x\"\n"), @"`benchmark` is no pattern: expected a param's key at line 7 column 16");
        insta::assert_snapshot!(problem("[[includes]]\nbenchmark = \"a\"\nwhat = \"\"\n"), @"`what` is empty at line 8 column 8");
        insta::assert_snapshot!(problem("[[include]]\nbenchmark = \"a\"\n"), @"unknown field `include`, expected one of `about`, `on_demand`, `folder`, `step`, `canary`, `policy`, `outcomes`, `derived`, `includes` at line 6 column 3 | did you mean `includes`?");
    }
}
