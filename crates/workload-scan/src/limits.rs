//! How many descriptors there are for probes.
//!
//! Tests: `tests/it/limits.rs`, in processes that have few.

use std::fs;

use rustix::process::{Resource, getrlimit};

/// Kept for what a scan opens that is no probe: rings, lists, raw sockets, and descriptors through which it looks at a port.
const KEPT: u64 = 20;
/// What there is beside that, where the kernel does not say.
const HELD: u64 = 4;

/// How many probes may be out at a time, by the descriptor limit and by what is open already; one at least.
pub(crate) fn probes_max() -> u32 {
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let open = fs::read_dir("/proc/self/fd").map_or(HELD, |all| all.count() as u64);
    let rest = limit.saturating_sub(open + KEPT).max(1);
    u32::try_from(rest).unwrap_or(u32::MAX)
}
