//! The instructions of what an exchange costs inside, counted under Callgrind: sealing and opening frames, and a client and a
//! server that hand each other what they send.
//!
//! The set-up runs before counting starts. Each function returns what it was given, because the framework drops a
//! returned value after counting has stopped: neither making nor freeing the inputs is in a count. Tested by running
//! it twice: the counts are equal to the last instruction.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use std::hint::black_box;

use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use workload_p2p::parts::{Frames, Pair};
use workload_p2p::{Direction, Settings};

/// Both sides, warm: the outboxes have their room.
fn pair<T>(wanted: T) -> (Pair, T) {
    let mut pair = Pair::new(Settings::default());
    let warm = pair.exchange(Direction::Download.of(1 << 20));
    warm.expect("it arrives");
    (pair, wanted)
}

#[library_benchmark(setup = Frames::plain)]
#[bench::frames_16(16)]
fn seal(mut frames: Frames) -> Frames {
    frames.seal();
    frames
}

#[library_benchmark(setup = Frames::sealed)]
#[bench::frames_16(16)]
fn open(mut frames: Frames) -> Frames {
    black_box(frames.open().expect("they are as they were sealed"));
    frames
}

#[library_benchmark(setup = pair)]
#[bench::bytes_1024(1 << 10)]
#[bench::bytes_1048576(1 << 20)]
fn upload((mut pair, bytes): (Pair, u64)) -> Pair {
    let carried = pair.exchange(Direction::Upload.of(bytes));
    black_box(carried.expect("it arrives"));
    pair
}

#[library_benchmark(setup = pair)]
#[bench::bytes_1024(1 << 10)]
#[bench::bytes_1048576(1 << 20)]
fn download((mut pair, bytes): (Pair, u64)) -> Pair {
    let carried = pair.exchange(Direction::Download.of(bytes));
    black_box(carried.expect("it arrives"));
    pair
}

#[library_benchmark(setup = pair)]
#[bench::count_1(1)]
#[bench::count_256(256)]
fn substreams((mut pair, count): (Pair, usize)) -> Pair {
    black_box(pair.open_substreams(count).expect("there is room for them"));
    pair
}

library_benchmark_group!(
    name = parts;
    benchmarks = seal, open, upload, download, substreams
);

// The framework clears the environment. The C library's tunables are let through, because they choose its variants of
// the memory functions, and a count is only comparable when base and head use the same.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = parts
);
