//! What a queue allows, decided when it is created.
//!
//! Tests: the bounds of each setting.

use std::time::Duration;

/// The greatest depth of a queue: its places then take about a gibibyte, payloads not counted.
pub const DEPTH_MAX: u32 = 1 << 24;

/// The greatest number of retries. Whoever needs more has a message that will never succeed.
pub const RETRIES_MAX: u32 = 1_000_000;

/// What a queue allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many messages it may hold, whatever their state: from 1 to [`DEPTH_MAX`].
    pub depth_max: u32,
    /// How long a consumer may take to settle a delivery: more than nothing.
    pub ack_deadline: Duration,
    /// How many times a message may be delivered after the first time: up to [`RETRIES_MAX`].
    pub retries_max: u32,
}

/// Says why no queue can have these settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A depth out of bounds.
    #[error(
        "no queue was created: its depth would be {0}, but it goes from 1 to {DEPTH_MAX} messages"
    )]
    Depth(u32),
    /// No time at all.
    #[error(
        "no queue was created: with a deadline of nothing every ack would be late; give consumers some time"
    )]
    Deadline,
    /// Too many retries.
    #[error("no queue was created: {0} retries are more than {RETRIES_MAX}; allow fewer")]
    Retries(u32),
}

impl Settings {
    /// Says whether a queue can work like that.
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        if !(1..=DEPTH_MAX).contains(&self.depth_max) {
            return Err(SettingsError::Depth(self.depth_max));
        }
        if self.ack_deadline.is_zero() {
            return Err(SettingsError::Deadline);
        }
        if self.retries_max > RETRIES_MAX {
            return Err(SettingsError::Retries(self.retries_max));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{DEPTH_MAX, RETRIES_MAX, Settings, SettingsError};

    const LEAST: Settings = Settings {
        depth_max: 1,
        ack_deadline: Duration::from_nanos(1),
        retries_max: 0,
    };

    #[test]
    fn the_bounds_are_allowed() {
        let most = Settings {
            depth_max: DEPTH_MAX,
            ack_deadline: Duration::MAX,
            retries_max: RETRIES_MAX,
        };
        assert_eq!(LEAST.check(), Ok(()));
        assert_eq!(most.check(), Ok(()));
    }

    #[test]
    fn what_lies_beyond_is_refused() {
        for depth_max in [0, DEPTH_MAX + 1] {
            let settings = Settings { depth_max, ..LEAST };
            assert_eq!(settings.check(), Err(SettingsError::Depth(depth_max)));
        }
        let hurried = Settings {
            ack_deadline: Duration::ZERO,
            ..LEAST
        };
        assert_eq!(hurried.check(), Err(SettingsError::Deadline));
        let stubborn = Settings {
            retries_max: RETRIES_MAX + 1,
            ..LEAST
        };
        assert_eq!(
            stubborn.check(),
            Err(SettingsError::Retries(RETRIES_MAX + 1))
        );
    }
}
