//! Criterion's interface for benches, and blocks of them served to a driver.
//!
//! A bench is written for Criterion and depends on this crate under Criterion's name; its source does not change. Here
//! the root manifest renames it for all benches:
//!
//! ```toml
//! criterion = { package = "tripline-duet", path = "crates/tripline-duet" }
//! ```
//!
//! Run as ever, it is Criterion: every call goes on to the real one, with its arguments, files and reports. Run with
//! `TRIPLINE_DUET=serve` in its environment, the same executable serves instead: it stops at each benchmark and runs
//! blocks of so many iterations as it is asked for, in the [`protocol`]. So a driver can keep two builds alive, base
//! and head, and let them take turns of some milliseconds on one core: what the machine does meanwhile, it does to
//! both. Nothing is served but what is asked for: how long a block is, how many there are and which come first to warm
//! up is the driver's business.
//!
//! What is timed is the same in both cases, by the same loops. A benchmark's closure is called once for a block, as
//! Criterion calls it once for a sample: what it prepares outside the timed routine is prepared anew for each. The
//! processor time of a block is that of the thread that asked for it; a bench with threads of its own, or of its async
//! runtime, goes by the wall.
//!
//! What of Criterion is not here does not compile: measurements other than wall time, its executor for smol, and
//! filters set in the source. Any type may be an executor of async benches, see [`async_executor::AsyncExecutor`].
//! Filters and options on the command line work as ever, and mean nothing to an executable that serves.
//!
//! What a bench takes otherwise it hands over as [`tally`].
//!
//! Features: `criterion` (by default) is what benches need, those of async code among them. Without it there are the
//! [`protocol`], for the driver, and the [`tally`]. `async_tokio` and `async_futures` bring Criterion's executors of those
//! names. `async` brings nothing that is not there already, and is for manifests that were written for Criterion.
//!
//! Tested by unit tests beside the code, and by `tests/serving.rs`, which drives a real bench through pipes.

#[cfg(feature = "criterion")]
mod facade;
pub mod protocol;
pub mod tally;

#[cfg(feature = "criterion")]
pub use facade::{
    AsyncBencher, Bencher, BenchmarkGroup, BenchmarkId, Criterion, IntoBenchmarkId, Unserved,
    run_groups,
};
#[cfg(feature = "criterion")]
pub use plain_criterion::{
    AxisScale, Baseline, BatchSize, PlotConfiguration, PlottingBackend, SamplingMode, Throughput,
    async_executor, measurement, profiler,
};
/// Keeps the compiler from knowing a value.
#[cfg(feature = "criterion")]
pub use std::hint::black_box;
