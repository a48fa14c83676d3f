//! The machine while a round is taken: which core is least busy, and whether something happened that spoils the round.
//!
//! Only what is known without looking at the values counts, so that dropping a round cannot bend a verdict: time that
//! the hypervisor stole, a core that was throttled or given another top speed, processors that came or went.
//!
//! Tested below, on texts as the kernel writes them.

use std::path::Path;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The share of a round that may be stolen: beyond it, one side may have lost more of it than the other.
const STOLEN_MAX: f64 = 0.05;

/// How long a tick of the kernel's accounts is, in seconds.
const TICK_SECONDS: f64 = 0.01;

/// What is looked at before and after a round.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Snapshot {
    cores: Vec<Core>,
    /// How often each core that is looked at closely was throttled.
    throttled: Vec<u64>,
    /// How fast each of these may be.
    top_speeds: Vec<u64>,
}

/// The accounts of one core, in ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Core {
    number: usize,
    idle: u64,
    stolen: u64,
}

impl Snapshot {
    /// Looks at the machine, and closely at the core that is measured on; at all where what is measured runs on any.
    pub(super) fn take(core: Option<usize>) -> Self {
        Self::of(Path::new("/"), core)
    }

    fn of(root: &Path, core: Option<usize>) -> Self {
        let read = |file: &str| std::fs::read_to_string(root.join(file)).ok();
        let cores = cores_in(&read("proc/stat").unwrap_or_default());
        let mut looked_at = Self::default();
        for Core { number, .. } in &cores {
            if core.is_some_and(|core| core != *number) {
                continue;
            }
            let said = |file: &str| {
                let text = read(&format!("sys/devices/system/cpu/cpu{number}/{file}"))?;
                text.trim().parse::<u64>().ok()
            };
            let throttled = said("thermal_throttle/core_throttle_count");
            looked_at.throttled.extend(throttled);
            let top_speed = said("cpufreq/scaling_max_freq");
            looked_at.top_speeds.extend(top_speed);
        }
        Self { cores, ..looked_at }
    }

    /// Says what happened until a later look that spoils what was measured meanwhile, if anything did.
    pub(super) fn disturbance(
        &self,
        later: &Self,
        core: Option<usize>,
        seconds: f64,
    ) -> Option<&'static str> {
        let numbers = |snapshot: &Self| -> Vec<usize> {
            snapshot.cores.iter().map(|core| core.number).collect()
        };
        if numbers(self) != numbers(later) {
            return Some("processors came or went");
        }
        if self.throttled != later.throttled {
            return Some("a core was throttled");
        }
        if self.top_speeds != later.top_speeds {
            return Some("a core was given another top speed");
        }
        let counted = if core.is_some() {
            1
        } else {
            self.cores.len().max(1)
        };
        let stolen = later.stolen(core).saturating_sub(self.stolen(core)) as f64 * TICK_SECONDS
            / counted as f64;
        // A single tick is what the accounts are rounded to.
        (stolen > TICK_SECONDS && stolen > STOLEN_MAX * seconds)
            .then_some("the hypervisor took time away")
    }

    fn stolen(&self, core: Option<usize>) -> u64 {
        let counts = |of: &&Core| core.is_none_or(|number| number == of.number);
        self.cores
            .iter()
            .filter(counts)
            .map(|core| core.stolen)
            .sum()
    }
}

/// Reads the accounts of each core; the line that sums them up is passed over.
fn cores_in(accounts: &str) -> Vec<Core> {
    let core = |line: &str| {
        let mut fields = line.strip_prefix("cpu")?.split_ascii_whitespace();
        let number = fields.next()?.parse().ok()?;
        let ticks: Vec<u64> = fields.map_while(|field| field.parse().ok()).collect();
        Some(Core {
            number,
            idle: ticks.get(3)? + ticks.get(4)?,
            stolen: ticks.get(7).copied().unwrap_or(0),
        })
    };
    accounts
        .lines()
        .filter(|line| {
            line.strip_prefix("cpu")
                .is_some_and(|rest| !rest.starts_with(' '))
        })
        .filter_map(core)
        .collect()
}

/// Returns the core, of those this program may use, that was idle the longest since a look at the machine.
pub(super) fn idlest_since(before: &Snapshot) -> Option<usize> {
    let now = Snapshot::take(None);
    let allowed = sched_getaffinity(None).ok()?;
    idlest(before, &now, |core| allowed.is_set(core))
}

fn idlest(before: &Snapshot, now: &Snapshot, is_allowed: impl Fn(usize) -> bool) -> Option<usize> {
    let idle_before = |number: usize| {
        let found = before.cores.iter().find(|core| core.number == number);
        found.map_or(0, |core| core.idle)
    };
    now.cores
        .iter()
        .filter(|core| is_allowed(core.number))
        // Of equals, the last: interrupts are often served by the first.
        .max_by_key(|core| core.idle.saturating_sub(idle_before(core.number)))
        .map(|core| core.number)
}

/// Starts something that inherits this thread's processors while it is bound to one, so that no thread of what is
/// started ever runs elsewhere. Where the system does not allow it, it is started unbound.
pub(super) fn bound_to<T>(core: Option<usize>, start: impl FnOnce() -> T) -> T {
    let (Some(core), Ok(before)) = (core, sched_getaffinity(None)) else {
        return start();
    };
    let mut one = CpuSet::new();
    one.set(core);
    if sched_setaffinity(None, &one).is_err() {
        return start();
    }
    let started = start();
    // The set was this thread's own a moment ago.
    let _ = sched_setaffinity(None, &before);
    started
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "cpu  1 2 3 4 5 6 7 8 0 0\ncpu0 10 0 10 1000 5 0 0 3 0 0\ncpu1 10 0 10 900 0 0 0 4 0 0\nintr 5\n";

    fn snapshot(accounts: &str) -> Snapshot {
        Snapshot {
            cores: cores_in(accounts),
            ..Snapshot::default()
        }
    }

    #[test]
    fn what_spoils_a_round_is_named() {
        let before = snapshot(BEFORE);
        assert_eq!(before.disturbance(&before, Some(0), 0.1), None);
        let stolen = snapshot(&BEFORE.replace("5 0 0 3", "5 0 0 9"));
        assert_eq!(
            before.disturbance(&stolen, Some(0), 0.5),
            Some("the hypervisor took time away")
        );
        assert_eq!(before.disturbance(&stolen, Some(1), 0.5), None);
        assert_eq!(
            before.disturbance(&stolen, None, 0.5),
            Some("the hypervisor took time away")
        );
        assert_eq!(before.disturbance(&stolen, Some(0), 10.0), None);
        let gone = snapshot(BEFORE.split("cpu1").next().unwrap());
        assert_eq!(
            before.disturbance(&gone, Some(0), 0.5),
            Some("processors came or went")
        );
    }

    #[test]
    fn the_core_that_is_measured_on_is_looked_at_and_all_where_none_is() {
        let root = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let throttled = "sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count";
        let top_speed = "sys/devices/system/cpu/cpu1/cpufreq/scaling_max_freq";
        write("proc/stat", BEFORE);
        write(throttled, "1\n");
        write(top_speed, "3000000\n");
        let looks = || [None, Some(0), Some(1)].map(|core| Snapshot::of(root.path(), core));
        let disturbances = |before: &[Snapshot; 3]| {
            let [all, other, own] = looks();
            [
                before[0].disturbance(&all, None, 0.5),
                before[1].disturbance(&other, Some(0), 0.5),
                before[2].disturbance(&own, Some(1), 0.5),
            ]
        };
        let before = looks();
        assert_eq!(disturbances(&before), [None; 3]);
        write(throttled, "2\n");
        let hot = Some("a core was throttled");
        assert_eq!(disturbances(&before), [hot, None, hot]);
        let before = looks();
        write(top_speed, "2000000\n");
        let slow = Some("a core was given another top speed");
        assert_eq!(disturbances(&before), [slow, None, slow]);
    }

    #[test]
    fn the_idlest_core_that_may_be_used_is_taken() {
        let before = snapshot(BEFORE);
        let now = snapshot(
            &BEFORE
                .replace(" 1000 5 ", " 1020 5 ")
                .replace(" 900 0 ", " 910 0 "),
        );
        assert_eq!(idlest(&before, &now, |_| true), Some(0));
        assert_eq!(idlest(&before, &now, |core| core == 1), Some(1));
        assert_eq!(idlest(&before, &before, |_| true), Some(1));
        assert_eq!(idlest(&before, &now, |_| false), None);
    }

    #[test]
    fn one_that_is_bound_stays_on_its_core_and_this_thread_goes_on_as_before() {
        let before = sched_getaffinity(None).unwrap();
        let core = (0..CpuSet::MAX_CPU)
            .find(|core| before.is_set(*core))
            .unwrap();
        let within = bound_to(Some(core), || sched_getaffinity(None).unwrap());
        assert_eq!((within.count(), within.is_set(core)), (1, true));
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
