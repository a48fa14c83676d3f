//! The instructions of change points, counted under Callgrind: a whole history looked at once, and one value appended.
//!
//! The set-up runs before counting starts, and what goes in comes out, so that neither making nor freeing is in a count.
//! Tested by running it twice: the counts are equal to the last instruction.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use bench_self::trends::long_history;
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use tripline_judge::trend::{Alert, Settings, Tracker, Trend, change_points};

fn followed(points: usize) -> (Tracker, f64) {
    let mut history = long_history(points + 1);
    let next = history.pop().unwrap_or_default();
    (Tracker::resume(history, Settings::default()), next)
}

#[library_benchmark(setup = long_history)]
#[bench::points_1000(1_000)]
fn full(history: Vec<f64>) -> (Vec<f64>, Trend) {
    let trend = change_points(&history, &Settings::default());
    (history, trend)
}

#[library_benchmark(setup = followed)]
#[bench::points_1000(1_000)]
fn append((mut tracker, next): (Tracker, f64)) -> (Tracker, Option<Alert>) {
    let alert = tracker.push(next);
    (tracker, alert)
}

library_benchmark_group!(name = trend; benchmarks = full, append);

// The framework clears the environment. The C library's tunables are let through, because they choose its variants of
// the memory functions, and a count is only comparable when base and head use the same.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = trend
);
