//! Two hundred benchmarks in one report: how often is a report red that should be green?
//!
//! A report fails when a benchmark is said to be slower that is not. All ways get the same pairs, and stop measuring a
//! benchmark when its signs are evidence that it is within the margin. They differ in what they believe:
//!
//! - ours, the judge itself: signs, e-BH and more pairs for what speaks for a change, as below, but that it takes evidence
//!   on both sides of zero to stop for "within", and an estimate to fail;
//! - each benchmark alone, as if it were the only one: many times a small chance to be wrong is no small chance;
//! - all together (e-BH), which asks as much more evidence as there are benchmarks and holds under any dependence;
//! - the same with another thirty pairs where the first thirty speak for a change, which evidence that may be looked at
//!   at any time allows;
//! - no early word that something is slower, but the sizes of all thirty differences (signed ranks against the margin)
//!   and Benjamini and Hochberg's adjustment: stopping for "within" alone cannot make a false alarm.
//!
//! Tests: no way that looks at all together fails a report without cause, and each finds what it promises.

use tripline_judge::stats::multiplicity::{benjamini_hochberg, e_bh};
use tripline_judge::stats::signed_rank;

use super::host::{HOSTS, Host, Job};
use super::one_job::{LEVEL, MARGIN, PAIRS_EVER, PAIRS_MAX, signs};
use super::random::Random;
use super::session;
use super::table::Table;
use super::{UNKNOWN, percent, row};

/// How many benchmarks a report has.
const BENCHMARKS: usize = 200;

/// The share of false ones among those said to be slower.
const FALSE_SHARE: f64 = 0.05;

/// What is planted in the benchmarks that do change.
const PLANTED: f64 = 0.05;

/// The differences of one benchmark's pairs: thirty, or sixty where thirty speak for a change.
type Pairs = Vec<f64>;

/// A way to judge a report.
struct Way {
    name: &'static str,
    judges: fn(&[Pairs]) -> Judged,
}

/// What a way made of a report.
struct Judged {
    /// Which benchmarks are said to be slower.
    are_slower: Vec<bool>,
    /// How many pairs it took.
    pairs: usize,
}

const WAYS: [Way; 5] = [
    Way {
        name: "ours: a session of 30 pairs, and the judge",
        judges: ours,
    },
    Way {
        name: "signs, each alone at 0.01, 30 pairs",
        judges: |report| {
            let (evidence, pairs) = evidence(report, PAIRS_MAX, -LEVEL.ln());
            let are_slower = evidence.iter().map(|ln_e| *ln_e >= -LEVEL.ln()).collect();
            Judged { are_slower, pairs }
        },
    },
    Way {
        name: "signs, e-BH at 0.05, 30 pairs",
        judges: |report| together(report, PAIRS_MAX),
    },
    Way {
        name: "signs, e-BH at 0.05, 60 pairs where 30 speak",
        judges: |report| together(report, PAIRS_EVER),
    },
    Way {
        name: "signed ranks of 30 pairs, BH at 0.05",
        judges: by_ranks,
    },
];

/// Measures as a session does, and lets the judge say what fails.
fn ours(report: &[Pairs]) -> Judged {
    let measured: Vec<&[f64]> = report
        .iter()
        .map(|pairs| &pairs[..session::measure(pairs, PAIRS_MAX, report.len()).pairs])
        .collect();
    Judged {
        are_slower: session::failing(&measured),
        pairs: measured.iter().map(|pairs| pairs.len()).sum(),
    }
}

/// Judges by signs, all benchmarks together.
fn together(report: &[Pairs], pairs_max: usize) -> Judged {
    // One benchmark alone among all must bring as much to be believed.
    let needed = (report.len() as f64 / FALSE_SHARE).ln();
    let (evidence, pairs) = evidence(report, pairs_max, needed);
    Judged {
        are_slower: e_bh(&evidence, FALSE_SHARE),
        pairs,
    }
}

/// Returns each benchmark's evidence when it stopped, and how many pairs that took.
fn evidence(report: &[Pairs], pairs_max: usize, needed: f64) -> (Vec<f64>, usize) {
    let mut all = 0;
    let stopped = report.iter().map(|pairs| {
        let (said, ln_e) = signs(&pairs[..pairs.len().min(pairs_max)], needed);
        all += said.pairs;
        ln_e
    });
    (stopped.collect(), all)
}

/// Judges by the ranks of the differences from the margin, all benchmarks together, where the signs speak for a change.
fn by_ranks(report: &[Pairs]) -> Judged {
    let mut all = 0;
    let p = report.iter().map(|pairs| {
        let (said, ln_e) = signs(&pairs[..PAIRS_MAX], f64::INFINITY);
        all += said.pairs;
        if said.pairs < PAIRS_MAX || ln_e <= 0.0 {
            return 1.0;
        }
        let beyond: Vec<f64> = pairs[..PAIRS_MAX]
            .iter()
            .map(|d| d - MARGIN.ln_1p())
            .collect();
        signed_rank::p_greater(&beyond).unwrap_or(1.0)
    });
    let adjusted = benjamini_hochberg(&p.collect::<Vec<f64>>());
    Judged {
        are_slower: adjusted.iter().map(|p| *p <= FALSE_SHARE).collect(),
        pairs: all,
    }
}

/// What came of many reports.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Tally {
    /// Reports with at least one benchmark that is said to be slower and is not.
    failed_falsely: usize,
    /// Planted changes that were found.
    caught: usize,
    /// Pairs measured.
    pairs: usize,
}

/// Returns what each way makes of reports in which nothing, one or ten benchmarks changed.
pub(super) fn tables(reports: usize) -> Vec<Table> {
    HOSTS.iter().map(|host| table(host, reports)).collect()
}

fn table(host: &Host, reports: usize) -> Table {
    let head = [
        "A/A reports that fail",
        "mean pairs",
        "1 planted, caught",
        "10 planted, caught",
    ];
    let [none, one, ten] = [0, 1, 10].map(|planted| simulate(host, planted, reports));
    // The bars: at most 1 % of reports without a change fail, and at least 95 % of +5 % are caught on a noisy host.
    let caught_bar = if host.name == "noisy" { 0.95 } else { UNKNOWN };
    let rows = WAYS.iter().enumerate().map(|(way, Way { name, .. })| {
        let pairs = none[way].pairs as f64 / (reports * BENCHMARKS) as f64;
        let cells = [
            percent(none[way].failed_falsely, reports, 0.01),
            format!("{pairs:.1}"),
            percent(one[way].caught, reports, caught_bar),
            percent(ten[way].caught, 10 * reports, caught_bar),
        ];
        row(name, cells.into_iter())
    });
    Table {
        title: format!(
            "Reports of {BENCHMARKS} benchmarks, {} host, {reports} reports, +5 % planted: % (bar)",
            host.name
        ),
        head: row("way", head.map(str::to_owned).into_iter()),
        rows: rows.collect(),
    }
}

/// Makes reports in which the first benchmarks are slower, and returns what each way made of them.
fn simulate(host: &Host, planted: usize, reports: usize) -> [Tally; WAYS.len()] {
    let mut random = Random::seeded(host.seed + 100);
    let mut tallies = [Tally::default(); WAYS.len()];
    for _ in 0..reports {
        let report = report(host, planted, &mut random);
        for (way, tally) in WAYS.iter().zip(&mut tallies) {
            let judged = (way.judges)(&report);
            let (changed, unchanged) = judged.are_slower.split_at(planted);
            tally.caught += changed.iter().filter(|is_slower| **is_slower).count();
            tally.failed_falsely += usize::from(unchanged.contains(&true));
            tally.pairs += judged.pairs;
        }
    }
    tallies
}

/// Measures all benchmarks of one report.
fn report(host: &Host, planted: usize, random: &mut Random) -> Vec<Pairs> {
    let mut job = Job::start(host, random);
    let measure = |benchmark| {
        let effect = if benchmark < planted {
            PLANTED.ln_1p()
        } else {
            0.0
        };
        let mut pairs: Pairs = (0..PAIRS_MAX).map(|_| job.pair(effect)).collect();
        if session::wants_more(&pairs) {
            pairs.extend((PAIRS_MAX..PAIRS_EVER).map(|_| job.pair(effect)));
        }
        pairs
    };
    (0..BENCHMARKS).map(measure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORTS: usize = 12;

    #[test]
    fn no_report_fails_without_cause() {
        for host in &HOSTS {
            let tallies = simulate(host, 0, REPORTS);
            for (way, tally) in WAYS.iter().zip(tallies) {
                // Alone, each benchmark has its own chance to be wrong, and there are many.
                let is_meant_for_many = !way.name.contains("alone");
                let is_wrong = tally.failed_falsely > 0 && is_meant_for_many;
                assert!(!is_wrong, "{} host, {}: {tally:?}", host.name, way.name);
            }
        }
    }

    #[test]
    fn what_is_alone_among_many_needs_more_pairs_or_their_sizes() {
        let reports = 4 * REPORTS;
        let tallies = simulate(&HOSTS[1], 1, reports);
        let [ours, alone, joint, patient, ranks] =
            tallies.map(|tally| tally.caught as f64 / reports as f64);
        assert!(
            ours >= 0.95 && alone >= 0.95 && patient >= 0.95,
            "{ours} {alone} {patient}"
        );
        assert!(
            joint < ranks && ranks <= patient,
            "{joint} {ranks} {patient}"
        );
    }
}
