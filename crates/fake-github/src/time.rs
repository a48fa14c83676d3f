//! Time as GitHub writes it. The stand-in has a clock of its own, so that two equal tests give equal answers.
//!
//! Tested through the operations.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

/// The beginning of 2026: when every world begins.
pub(crate) const START: i64 = 1_767_225_600;

/// Writes seconds since 1970 as a date and time; nonsense becomes the beginning.
pub(crate) fn stamp(seconds: i64) -> String {
    Timestamp::from_second(seconds)
        .unwrap_or(Timestamp::UNIX_EPOCH)
        .to_string()
}

/// Seconds since 1970 by the clock on the wall: what a limit is reset at is compared with the client's own clock.
pub(crate) fn real_now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |passed| passed.as_secs())
}
