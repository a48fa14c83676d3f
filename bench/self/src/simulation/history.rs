//! One new value after a history of 64: what can be said without measuring the base again?
//!
//! Eight families of noise, from well-behaved to what hosts really do, and three of them with a planted change. A history
//! that never varied stands apart: it is what a count of instructions looks like, and a rule that divides by the spread
//! has nothing to divide by.
//!
//! Tests: what a rule promises of normal noise holds, and the jump of a constant is seen by the exact rule and by none
//! that switches itself off.

mod exact;
mod families;
mod rules;

use super::random::Random;
use super::table::Table;
use super::{percent, rounded, row};
use families::{FAMILIES, Family};
use rules::{RULES, Rule};

/// How many values the history has.
const LENGTH: usize = 64;

/// Whose power is measured too, and with which changes.
const POWER_FAMILIES: [usize; 3] = [0, 1, 4];
const POWER_CHANGES: [f64; 2] = [0.10, 0.05];

/// Returns false alarms, power, and what becomes of a constant that jumps.
pub(super) fn tables(draws: usize) -> [Table; 3] {
    [false_alarms(draws), power(draws), jump_of_a_constant()]
}

fn false_alarms(draws: usize) -> Table {
    let line = |rule: &Rule| {
        let cells = FAMILIES.iter().zip(rule.false_alarms);
        let cells = cells.map(|(family, study)| {
            percent(simulate(rule, family, 0.0, draws), draws, study / 100.0)
        });
        row(rule.name, cells)
    };
    Table {
        title: format!("One new value after {LENGTH}, {draws} draws: % false alarms (study)"),
        head: row("rule", FAMILIES.iter().map(|family| family.name.to_owned())),
        rows: RULES.iter().map(line).collect(),
    }
}

fn power(draws: usize) -> Table {
    let cases =
        POWER_FAMILIES.map(|family| POWER_CHANGES.map(|change| (&FAMILIES[family], change)));
    let cases = cases.as_flattened();
    let line = |rule: &Rule| {
        let cells = cases.iter().zip(rule.power.as_flattened());
        let cells = cells.map(|((family, change), study)| {
            percent(simulate(rule, family, *change, draws), draws, study / 100.0)
        });
        row(rule.name, cells)
    };
    let head = cases
        .iter()
        .map(|(family, change)| format!("{}, +{} %", family.name, rounded(100.0 * change)));
    Table {
        title: format!("The same with a change, {draws} draws: % found (study)"),
        head: row("rule", head),
        rows: RULES.iter().map(line).collect(),
    }
}

/// Returns how often a rule raises an alarm when the last value of a family's series is changed.
fn simulate(rule: &Rule, family: &Family, change: f64, draws: usize) -> usize {
    let mut random = Random::seeded(family.seed);
    let mut raises_alarm = |_: &usize| {
        let series = (family.series)(&mut random, LENGTH + 1);
        (rule.alarms)(&series[..LENGTH], series[LENGTH] * (1.0 + change))
    };
    (0..draws).filter(|draw| raises_alarm(draw)).count()
}

/// Returns what each rule makes of a constant history and a jump of 1 %, and what the judge does.
fn jump_of_a_constant() -> Table {
    let says = |sees: bool| if sees { "seen" } else { "silent" };
    let line = |name: &str, sees: bool, study: Option<bool>| {
        let study = study.map_or(String::new(), |study| format!(" ({})", says(study)));
        row(name, std::iter::once(format!("{}{study}", says(sees))))
    };
    let rules = RULES.iter().map(|rule| {
        let sees = (rule.alarms)(&[exact::CONSTANT; LENGTH], exact::JUMPED);
        line(rule.name, sees, rule.sees_jump)
    });
    let judge = line(
        "ours: the judge, on a count",
        exact::judge_sees_jump(),
        None,
    );
    Table {
        title: format!("A constant count after {LENGTH} that jumps by 1 % (study)"),
        head: vec!["rule".to_owned(), "+1 %".to_owned()],
        rows: rules.chain([judge]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: usize = 1_000;

    fn rule(name: &str) -> &'static Rule {
        let mut rules = RULES.iter().filter(|rule| rule.name.starts_with(name));
        rules.next().unwrap()
    }

    fn share(name: &str, family: &str, change: f64) -> f64 {
        let family = FAMILIES.iter().find(|known| known.name == family).unwrap();
        simulate(rule(name), family, change, DRAWS) as f64 / DRAWS as f64
    }

    #[test]
    fn the_jump_of_a_constant_is_seen_by_the_judge_and_missed_by_what_divides_by_the_spread() {
        assert!(exact::judge_sees_jump());
        let sees = |name| (rule(name).alarms)(&[exact::CONSTANT; LENGTH], exact::JUMPED);
        assert!(!sees("Bencher t 0.99") && !sees("Bencher t 0.95"));
        assert!(!sees("Bencher percentage") && !sees("ratio to previous > 1.1"));
        assert!(sees("Bencher IQR 1.5") && sees("rustc-perf"));
    }

    #[test]
    fn an_unchanged_constant_alarms_nobody() {
        for rule in &RULES {
            let alarms = (rule.alarms)(&[exact::CONSTANT; LENGTH], exact::CONSTANT);
            assert!(!alarms, "{}", rule.name);
        }
    }

    #[test]
    fn on_normal_noise_each_rule_keeps_its_promise() {
        for family in ["g 1 %", "g 3 %", "g 10 %"] {
            assert!(
                (share("Bencher t 0.95", family, 0.0) - 0.05).abs() < 0.02,
                "{family}"
            );
            assert!(
                (share("Bencher t 0.99", family, 0.0) - 0.01).abs() < 0.01,
                "{family}"
            );
            assert!(share("ours", family, 0.0) <= 0.005, "{family}");
        }
    }

    #[test]
    fn a_fixed_ratio_fits_no_noise() {
        assert!(share("ratio to previous > 1.1", "g 10 %", 0.0) > 0.2);
        assert_eq!(share("ratio to previous > 1.1", "g 1 %", 0.05), 0.0);
        assert_eq!(share("ratio to previous > 2.0", "g 1 %", 0.10), 0.0);
        assert!(share("ours", "g 1 %", 0.05) > 0.8);
    }

    #[test]
    fn there_are_three_tables_and_each_row_fills_its_head() {
        for table in tables(3) {
            for row in &table.rows {
                assert_eq!(row.len(), table.head.len(), "{}", table.title);
            }
        }
    }
}
