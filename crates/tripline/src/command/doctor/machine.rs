//! How steady this machine is: the same small work timed again and again, and what else bears on times here.
//!
//! It is a look, not a measurement: it says what to expect, and is never bad. Counts do not mind any of it. Tested below
//! on numbers, because no machine is as noisy as it is told to be.

mod kernel;
mod seen;

use self::kernel::Spread;
use self::seen::Seen;
use super::finding::Finding;

/// Within it, the middle half of all turns is steady.
const STEADY: f64 = 0.02;
/// Beyond it, times say little.
const NOISY: f64 = 0.10;
/// The share of the processor's time that the host may give to others before that is said.
const STOLEN_MAX: f64 = 0.01;

pub(super) fn look() -> Vec<Finding> {
    let before = seen::ticks();
    let spread = kernel::timed();
    let stolen = before
        .zip(seen::ticks())
        .map(|(before, after)| after.stolen_since(before));
    told(spread, &Seen::now(stolen))
}

/// Says what was seen.
fn told(spread: Option<Spread>, seen: &Seen) -> Vec<Finding> {
    let mut findings: Vec<Finding> = spread.into_iter().map(of_spread).collect();
    findings.push(of_processors(seen));
    if let Some(stolen) = seen.stolen.filter(|stolen| *stolen > STOLEN_MAX) {
        findings.push(Finding::note(
            format!("the host gave {} of the processors' time to others while it was looked at", percent(stolen)),
            "times on the wall hold that time, processor times do not; another machine is the only cure",
        ));
    }
    if let Some(governor) = seen
        .governor
        .as_ref()
        .filter(|governor| *governor != "performance")
    {
        findings.push(Finding::note(
            format!(
                "the processor's clock follows the load (governor `{governor}`), and times with it"
            ),
            "as root: `cpupower frequency-set --governor performance`",
        ));
    }
    findings
}

fn of_spread(spread: Spread) -> Finding {
    let seen = format!(
        "the middle half of {} turns of the same work differs by {}",
        spread.turns,
        percent(spread.middle)
    );
    if spread.middle <= STEADY {
        return Finding::good(format!("times are steady here: {seen}"));
    }
    let more =
        "measure base and head side by side (`--against`), with more `--pairs`; counts do not mind";
    if spread.middle <= NOISY {
        return Finding::note(format!("times scatter here: {seen}"), more);
    }
    Finding::note(
        format!("times say little here: {seen}"),
        format!("end what else runs, or measure elsewhere; or {more}"),
    )
}

fn of_processors(seen: &Seen) -> Finding {
    let count = crate::talk::counted(seen.processors, "processor");
    match (seen.processors, seen.can_bind) {
        (_, false) => Finding::note(
            format!("{count}, and nothing can be bound to one of them"),
            "base and head run on whichever is free, which makes times scatter: allow `sched_setaffinity` in the container",
        ),
        (0 | 1, true) => Finding::note(
            format!("{count}: whatever else runs takes its time from what is measured"),
            "give the machine a second one, or measure when nothing else runs",
        ),
        (_, true) => Finding::good(format!(
            "{count}, and what is measured can be bound to one of them"
        )),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet() -> Seen {
        Seen {
            processors: 4,
            can_bind: true,
            stolen: Some(0.0),
            governor: Some("performance".to_owned()),
        }
    }

    fn shown(middle: f64, seen: &Seen) -> String {
        let spread = Spread { turns: 200, middle };
        told(Some(spread), seen)
            .iter()
            .map(Finding::lines)
            .collect()
    }

    #[test]
    fn a_quiet_machine_is_good() {
        insta::assert_snapshot!(shown(0.004, &quiet()), @r"
        good  times are steady here: the middle half of 200 turns of the same work differs by 0.4 %
        good  4 processors, and what is measured can be bound to one of them
        ");
    }

    #[test]
    fn what_disturbs_times_is_said_with_what_to_do() {
        let seen = Seen {
            processors: 1,
            stolen: Some(0.031),
            governor: Some("powersave".to_owned()),
            ..quiet()
        };
        insta::assert_snapshot!(shown(0.05, &seen), @r"
        note  times scatter here: the middle half of 200 turns of the same work differs by 5.0 %
              measure base and head side by side (`--against`), with more `--pairs`; counts do not mind
        note  1 processor: whatever else runs takes its time from what is measured
              give the machine a second one, or measure when nothing else runs
        note  the host gave 3.1 % of the processors' time to others while it was looked at
              times on the wall hold that time, processor times do not; another machine is the only cure
        note  the processor's clock follows the load (governor `powersave`), and times with it
              as root: `cpupower frequency-set --governor performance`
        ");
        let bound = Seen {
            can_bind: false,
            stolen: None,
            governor: None,
            ..quiet()
        };
        insta::assert_snapshot!(shown(0.5, &bound), @r"
        note  times say little here: the middle half of 200 turns of the same work differs by 50.0 %
              end what else runs, or measure elsewhere; or measure base and head side by side (`--against`), with more `--pairs`; counts do not mind
        note  4 processors, and nothing can be bound to one of them
              base and head run on whichever is free, which makes times scatter: allow `sched_setaffinity` in the container
        ");
    }

    #[test]
    fn nothing_of_it_is_bad_whatever_the_numbers() {
        for middle in [0.0, 0.02, 0.1, 1e9, f64::INFINITY, f64::NAN] {
            let seen = Seen {
                processors: 0,
                can_bind: false,
                stolen: Some(middle),
                governor: Some(String::new()),
            };
            let spread = Spread { turns: 2, middle };
            assert!(!told(Some(spread), &seen).iter().any(Finding::is_bad));
        }
        assert!(!told(None, &quiet()).iter().any(Finding::is_bad));
    }

    #[test]
    fn this_machine_can_be_looked_at() {
        let findings = look();
        assert!(!findings.is_empty() && !findings.iter().any(Finding::is_bad));
    }
}
