//! How many descriptors there are for probes.
//!
//! Tests: `tests/it/limits.rs`, in a process that has few.

use rustix::process::{Resource, getrlimit};

/// Kept for everything that is no probe: standard streams, the store with its log, rings, lists, and what the caller has.
const KEPT: u64 = 24;

/// How many probes may be out at a time, by the descriptor limit; one at least.
pub(crate) fn probes_max() -> u32 {
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let rest = limit.saturating_sub(KEPT).max(1);
    u32::try_from(rest).unwrap_or(u32::MAX)
}
