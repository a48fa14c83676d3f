//! How hard a scan presses: six templates from one probe in five minutes to as many as the machine carries.
//!
//! What the templates mean is nmap's (its reference, "Timing and performance"): the pauses of the three slow ones are as it
//! documents them. Everything else is by what we measured on links without loss.
//!
//! Tests: here for the table, `pacer.rs` and `worker/simulated.rs` for what they make a scan do.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::Error;

/// A template by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Template {
    /// T0: one probe in five minutes.
    Paranoid,
    /// T1: one in fifteen seconds.
    Sneaky,
    /// T2: one in 0.4 seconds.
    Polite,
    /// T3: no pause, and patience.
    #[default]
    Normal,
    /// T4: less patience.
    Aggressive,
    /// T5: little patience, and as many probes at a time as answers come back for.
    Insane,
}

impl Template {
    /// All of them, the slowest first.
    pub const ALL: [Self; 6] = [
        Self::Paranoid,
        Self::Sneaky,
        Self::Polite,
        Self::Normal,
        Self::Aggressive,
        Self::Insane,
    ];

    /// What it makes a scan do.
    pub fn timing(self) -> Timing {
        let slow = |millis| Timing {
            parallelism: 1,
            delay: Duration::from_millis(millis),
            jitter_percent: 10,
            timeout: Duration::from_secs(10),
            retries: 5,
        };
        let fast = |parallelism, millis, retries| Timing {
            parallelism,
            delay: Duration::ZERO,
            jitter_percent: 0,
            timeout: Duration::from_millis(millis),
            retries,
        };
        match self {
            Self::Paranoid => slow(300_000),
            Self::Sneaky => slow(15_000),
            Self::Polite => slow(400),
            Self::Normal => fast(512, 1_000, 2),
            Self::Aggressive => fast(1_024, 500, 2),
            Self::Insane => fast(4_096, 300, 1),
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}", *self as u8)
    }
}

impl FromStr for Template {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let named = |template: &Self| {
            let name = template.to_string();
            text == name || text == &name[1..]
        };
        let found = Self::ALL.into_iter().find(named);
        found.ok_or_else(|| Error::Template(text.to_owned()))
    }
}

/// What a scan keeps to. Pace and retries count probes: of one that waits for more than a second, the kernel repeats the
/// packet, unless it is written by hand ([`EngineChoice::Syn`](crate::EngineChoice::Syn)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How many probes may be out at a time. What the network loses, and the descriptor limit, make it fewer.
    pub parallelism: u32,
    /// The mean time from one probe to the next, as long as answers make room for the next: a silent port keeps its room for
    /// the whole timeout, so with a parallelism of one the next probe waits for that where it is the longer.
    pub delay: Duration,
    /// By what part of the delay a probe may be late, so that they do not come like a clock.
    pub jitter_percent: u8,
    /// How long a probe waits for an answer.
    pub timeout: Duration,
    /// How many more probes a silent port gets.
    pub retries: u8,
}

impl Default for Timing {
    fn default() -> Self {
        Template::default().timing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faster_template_waits_no_longer_in_any_way() {
        for pair in Template::ALL.windows(2) {
            let [slower, faster] = [pair[0].timing(), pair[1].timing()];
            assert!(faster.parallelism >= slower.parallelism);
            assert!(faster.delay <= slower.delay);
            assert!(faster.timeout <= slower.timeout);
            assert!(faster.retries <= slower.retries);
        }
    }

    #[test]
    fn a_template_is_read_as_it_is_written() {
        for template in Template::ALL {
            let name = template.to_string();
            assert_eq!(name.parse::<Template>().unwrap(), template);
            assert_eq!(name[1..].parse::<Template>().unwrap(), template);
        }
        for text in ["T6", "", "t", "insane", "-1"] {
            let error = text.parse::<Template>().unwrap_err().to_string();
            assert!(error.contains("T0 to T5"), "{error}");
        }
    }
}
