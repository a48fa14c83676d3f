//! What can be seen of a machine that bears on times. What cannot be seen is not said.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// What was seen.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// How many processors may be used.
    pub(super) processors: usize,
    /// Whether a thread can be bound to one of them.
    pub(super) can_bind: bool,
    /// The share of time that a host took away, where there is one.
    pub(super) stolen: Option<f64>,
    /// What decides the first processor's clock, where anything does.
    pub(super) governor: Option<String>,
}

/// How long all processors did what, since the machine started.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ticks {
    all: f64,
    stolen: f64,
}

impl Seen {
    /// Looks.
    pub(super) fn now(stolen: Option<f64>) -> Self {
        let governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
        let governor = std::fs::read_to_string(governor).ok();
        Self {
            processors: std::thread::available_parallelism().map_or(1, Into::into),
            can_bind: can_bind(),
            stolen,
            governor: governor.map(|text| text.trim().to_owned()),
        }
    }
}

/// Tries it on a thread that is of no other use.
fn can_bind() -> bool {
    let bound = || {
        let allowed = sched_getaffinity(None).ok()?;
        let first = (0..CpuSet::MAX_CPU).find(|cpu| allowed.is_set(*cpu))?;
        let mut one = CpuSet::new();
        one.set(first);
        sched_setaffinity(None, &one).ok()
    };
    std::thread::spawn(bound)
        .join()
        .is_ok_and(|bound| bound.is_some())
}

/// Reads the times, where the system keeps them.
pub(super) fn ticks() -> Option<Ticks> {
    parsed(&std::fs::read_to_string("/proc/stat").ok()?)
}

fn parsed(stat: &str) -> Option<Ticks> {
    /// user, nice, system, idle, iowait, irq, softirq, steal; guests' times stand in the first two already.
    const KINDS: usize = 8;
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let numbers = line.split_whitespace().take(KINDS);
    let numbers: Vec<f64> = numbers
        .map(|text| text.parse().ok())
        .collect::<Option<_>>()?;
    (numbers.len() == KINDS).then(|| Ticks {
        all: numbers.iter().sum(),
        stolen: numbers[KINDS - 1],
    })
}

impl Ticks {
    /// Returns the share that was stolen since an earlier time.
    pub(super) fn stolen_since(self, before: Self) -> f64 {
        let all = self.all - before.all;
        if all > 0.0 {
            ((self.stolen - before.stolen) / all).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stolen_time_is_a_share_of_all() {
        let before = parsed("cpu  10 0 10 70 0 0 0 10 5 5\ncpu0 1 2 3\n").unwrap();
        let after = parsed("cpu  20 0 20 140 0 0 0 20 9 9\n").unwrap();
        assert!((after.stolen_since(before) - 0.1).abs() < 1e-12);
        assert_eq!(before.stolen_since(before), 0.0);
        assert_eq!(before.stolen_since(after), 0.0);
        for text in ["", "cpu", "cpu  1 2 3", "cpu  a b c d e f g h", "intr 1\n"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
