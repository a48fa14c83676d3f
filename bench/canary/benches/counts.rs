//! The instructions of the suite, counted under Callgrind.
//!
//! Making the buffer is not counted. Tested by running it without and with the feature `planted`: `steady` has the same
//! count to the last instruction, the others have 5 and 10 percent more.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use std::hint::black_box;

use bench_canary::{Buffer, PERCENT_CPU, ROUNDS_FULL, ROUNDS_LARGE, ROUNDS_SMALL};
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

fn with_buffer(number: u32) -> (Buffer, u32) {
    (Buffer::new(), number)
}

#[library_benchmark(setup = with_buffer)]
#[bench::rounds_1000(ROUNDS_FULL)]
fn steady((mut buffer, rounds): (Buffer, u32)) -> Buffer {
    bench_canary::steady(&mut buffer, rounds);
    buffer
}

#[library_benchmark(setup = with_buffer)]
#[bench::percent_5(5)]
#[bench::percent_10(10)]
fn planted((mut buffer, percent): (Buffer, u32)) -> Buffer {
    bench_canary::planted(&mut buffer, black_box(ROUNDS_FULL), percent);
    buffer
}

#[library_benchmark(setup = with_buffer)]
#[bench::percent_3(PERCENT_CPU)]
fn small((mut buffer, percent): (Buffer, u32)) -> Buffer {
    bench_canary::planted(&mut buffer, black_box(ROUNDS_SMALL), percent);
    buffer
}

#[library_benchmark(setup = with_buffer)]
#[bench::percent_3(PERCENT_CPU)]
fn large((mut buffer, percent): (Buffer, u32)) -> Buffer {
    bench_canary::planted(&mut buffer, black_box(ROUNDS_LARGE), percent);
    buffer
}

library_benchmark_group!(name = canary; benchmarks = steady, planted, small, large);

// The framework clears the environment. The C library's tunables are let through as in every suite, so that the canary
// is counted under the conditions of the benches it vouches for.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = canary
);
