//! The interface that benches are written against. Each type is Criterion's, or a turn at serving, and which of the two
//! is decided once, when the program starts.
//!
//! Tested by what is beside it, and as a whole by `tests/serving.rs`.

use plain_criterion as plain;

pub use bencher::{AsyncBencher, Bencher};
pub use group::BenchmarkGroup;
pub use id::{BenchmarkId, IntoBenchmarkId};
pub use manager::Criterion;
pub use server::Unserved;

mod bencher;
mod channel;
#[cfg(test)]
mod executor;
mod group;
mod id;
mod loops;
mod macros;
mod manager;
mod server;
mod stopwatch;

use server::Serving;

/// What a type is made of: Criterion's own, or a part in serving.
enum Kind<C> {
    /// The real one, to which every call goes on.
    Plain(C),
    /// The settings of statistics and reports have nobody to go to.
    Served(&'static Serving),
}

impl<C> Kind<C> {
    fn of(plain: impl FnOnce() -> C) -> Self {
        Serving::asked_for().map_or_else(|| Self::Plain(plain()), Self::Served)
    }

    fn map(self, set: impl FnOnce(C) -> C) -> Self {
        match self {
            Self::Plain(plain) => Self::Plain(set(plain)),
            Self::Served(serving) => Self::Served(serving),
        }
    }
}

/// Runs the groups of a bench and says how that ended: the body of the function that [`criterion_main!`] writes.
///
/// [`criterion_main!`]: crate::criterion_main
///
/// # Errors
///
/// When the benchmarks were to be served and the driver could not be understood, or went away before it was done.
pub fn run_groups(groups: &[fn()]) -> Result<(), Unserved> {
    // First of all, so that nothing is printed before where it goes is settled.
    let serving = Serving::asked_for();
    for group in groups {
        group();
    }
    Criterion::default().configure_from_args().final_summary();
    serving.map_or(Ok(()), Serving::outcome)
}
