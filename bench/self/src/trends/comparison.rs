//! All detectors on all histories.
//!
//! Tests: the promises hold for a part of the histories, and no other detector does better.

use std::collections::BTreeMap;
use std::time::Instant;

use tripline_judge::trend::{EDivisive, Settings, change_points, change_points_so_far, e_divisive};

use super::families::{History, Part, histories, noise_alone};
use super::peers::{pelt, perfherder, ratio_to_previous};
use super::rerun;
use super::score::Tally;
use crate::simulation::Table;

/// A way to find change points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Detector {
    /// Its name.
    pub(super) name: &'static str,
    /// Finds the first values of the new levels.
    pub(super) find: fn(&[f64]) -> Vec<usize>,
}

/// All detectors, ours first.
pub(super) const DETECTORS: [Detector; 9] = [
    Detector {
        name: "tripline",
        find: ours,
    },
    Detector {
        name: "tripline, pages",
        find: of_pages,
    },
    Detector {
        name: "Otava, default",
        find: |values| e_divisive(values, &EDivisive::default()),
    },
    Detector {
        name: "Otava, 5 %",
        find: |values| {
            let settings = EDivisive {
                magnitude: 0.05,
                ..EDivisive::default()
            };
            e_divisive(values, &settings)
        },
    },
    Detector {
        name: "Otava, p 1e-6",
        find: |values| e_divisive(values, &EDivisive::recommended()),
    },
    Detector {
        name: "PELT",
        find: pelt,
    },
    Detector {
        name: "Perfherder",
        find: perfherder,
    },
    Detector {
        name: "previous x 1.1",
        find: |values| ratio_to_previous(values, 1.1),
    },
    Detector {
        name: "previous x 2",
        find: |values| ratio_to_previous(values, 2.0),
    },
];

/// Finds change points as the judge does.
pub(super) fn ours(values: &[f64]) -> Vec<usize> {
    let points = change_points(values, &Settings::default()).points;
    points.iter().map(|point| point.index).collect()
}

/// Finds them as the pages do, which are made anew after every commit.
pub(super) fn of_pages(values: &[f64]) -> Vec<usize> {
    let points = change_points_so_far(values, &Settings::default()).points;
    points.iter().map(|point| point.index).collect()
}

/// How many histories of noise alone, and how many that are looked at again, there are for each repetition.
const NOISE_ALONE: usize = 100;
const RERUN: usize = 10;

/// Returns all tables, each family made so many times.
#[must_use]
pub fn tables(repetitions: usize) -> Vec<Table> {
    let parts = [Part::Tuning, Part::KeptBack].map(|part| histories(part, repetitions));
    let alone = noise_alone(NOISE_ALONE * repetitions);
    vec![
        compared("For tuning", &parts[0]),
        compared("Kept back", &parts[1]),
        compared("Normal noise alone", &alone),
        by_family("Ours by family, for tuning", &parts[0]),
        by_family("Ours by family, kept back", &parts[1]),
        rerun::table(RERUN * repetitions),
    ]
}

const HEAD: [&str; 6] = ["", "P", "R", "F1", "false points", "no step, alarmed %"];

fn compared(title: &str, histories: &[History]) -> Table {
    let rows = DETECTORS.iter().map(|detector| {
        let start = Instant::now();
        let tally = tally(detector.find, histories);
        let millis = start.elapsed().as_secs_f64() * 1e3 / histories.len() as f64;
        let mut row = cells(detector.name.to_owned(), &tally);
        row.push(format!("{millis:.3}"));
        row
    });
    Table {
        title: format!("{title} ({} histories)", histories.len()),
        rows: rows.collect(),
        head: HEAD
            .iter()
            .chain(&["ms a history"])
            .map(|text| (*text).to_owned())
            .collect(),
    }
}

fn by_family(title: &str, histories: &[History]) -> Table {
    let mut families: BTreeMap<String, Tally> = BTreeMap::new();
    for history in histories {
        let found = ours(&history.values);
        for family in [
            format!("{:?}", history.noise),
            format!("- {:?}", history.shape),
        ] {
            families
                .entry(family)
                .or_default()
                .add(&history.truth, &found);
        }
    }
    let rows = families
        .into_iter()
        .map(|(family, tally)| cells(family, &tally));
    Table {
        title: title.to_owned(),
        rows: rows.collect(),
        head: HEAD.map(str::to_owned).to_vec(),
    }
}

fn cells(name: String, tally: &Tally) -> Vec<String> {
    let shares = [tally.precision(), tally.recall(), tally.f1()].map(|share| format!("{share:.3}"));
    let mut cells = vec![name];
    cells.extend(shares);
    cells.push(tally.false_points.to_string());
    cells.push(format!(
        "{:.2} ({} of {})",
        100.0 * tally.alarms(),
        tally.alarmed,
        tally.nulls
    ));
    cells
}

fn tally(find: fn(&[f64]) -> Vec<usize>, histories: &[History]) -> Tally {
    let mut tally = Tally::default();
    for history in histories {
        tally.add(&history.truth, &find(&history.values));
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::super::noise::Noise;
    use super::*;

    #[test]
    fn the_promises_hold_and_no_other_detector_does_better() {
        for part in [Part::Tuning, Part::KeptBack] {
            let histories = histories(part, 2);
            let tallies = DETECTORS.map(|detector| tally(detector.find, &histories));
            let ours = tallies[0];
            assert!(
                ours.f1() >= 0.94 && ours.precision() >= 0.98,
                "{part:?}: {ours:?}"
            );
            assert!(ours.alarms() <= 0.02, "{part:?}: {ours:?}");
            // The second is ours as well.
            assert!(
                tallies[2..].iter().all(|other| other.f1() < ours.f1()),
                "{part:?}: {tallies:?}"
            );
        }
    }

    #[test]
    fn the_pages_say_what_is_reached() {
        let kept_back = histories(Part::KeptBack, 40);
        let row = |name: &str, reached: &Tally| {
            let shares = [reached.precision(), reached.recall(), reached.f1()];
            let [precision, recall, f1] = shares.map(|share| format!("{share:.3}"));
            let alarms = format!("{:.1} %", 100.0 * reached.alarms());
            format!("| {name} | {precision} | {recall} | {f1} | {alarms} |")
        };
        let (reached, pages) = (tally(ours, &kept_back), tally(of_pages, &kept_back));
        let page = include_str!("../../../../docs/COMPARISON.md");
        for row in [row("Tripline", &reached), row("Tripline's pages", &pages)] {
            assert!(page.lines().any(|line| line == row), "{row}");
        }
        let [precision, f1] =
            [reached.precision(), reached.f1()].map(|share| format!("{share:.3}"));
        let alarms = format!("{:.1} %", 100.0 * reached.alarms());
        let page = include_str!("../../../../docs/METHODOLOGY.md").replace('\n', " ");
        for said in [
            "(5,040 of them)",
            &format!("F1 {f1}, precision {precision}"),
            &format!("false points in {alarms} of series without any step"),
        ] {
            assert!(page.contains(said), "{said}");
        }
        assert_eq!(kept_back.len(), 5040);
        let said = format!(
            "F1 {:.3} and precision {:.3}",
            pages.f1(),
            pages.precision()
        );
        assert!(page.contains(&said), "{said}");
    }

    #[test]
    fn normal_noise_alone_has_no_alarm() {
        assert_eq!(tally(ours, &noise_alone(90)).alarmed, 0);
    }

    #[test]
    fn every_step_of_a_count_is_found_and_none_made_up() {
        let histories = histories(Part::Tuning, 12);
        let counts = histories
            .iter()
            .filter(|history| history.noise == Noise::Count);
        for history in counts {
            assert_eq!(ours(&history.values), history.truth, "{:?}", history.shape);
        }
    }

    #[test]
    fn tables_have_a_row_for_every_detector() {
        let table = compared("few", &noise_alone(2));
        assert_eq!(table.rows.len(), DETECTORS.len());
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
        let families = by_family("few", &noise_alone(2));
        assert_eq!(
            (families.rows.len(), families.head.len()),
            (2, families.rows[0].len())
        );
    }
}
