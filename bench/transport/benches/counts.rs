//! The instructions of the transport's parts, counted under Callgrind.
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

use bench_transport::parts::{Packets, Parts, Whole};
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

#[library_benchmark(setup = Packets::plain)]
#[bench::packets_100(100)]
fn seal(mut packets: Packets) -> Packets {
    packets.seal();
    packets
}

#[library_benchmark(setup = Packets::sealed)]
#[bench::packets_100(100)]
fn open(mut packets: Packets) -> Packets {
    black_box(packets.open());
    packets
}

#[library_benchmark(setup = Whole::new)]
#[bench::bytes_1024(1024)]
#[bench::bytes_32768(32768)]
fn cut(mut whole: Whole) -> Whole {
    black_box(whole.cut());
    whole
}

#[library_benchmark(setup = Parts::ready)]
#[bench::bytes_1024(1024)]
#[bench::bytes_32768(32768)]
fn transmit(mut parts: Parts) -> Parts {
    parts.transmit();
    parts
}

#[library_benchmark(setup = Parts::sent)]
#[bench::bytes_1024(1024)]
#[bench::bytes_32768(32768)]
fn receive(mut parts: Parts) -> Parts {
    black_box(parts.receive());
    parts
}

#[library_benchmark(setup = Parts::received)]
#[bench::bytes_1024(1024)]
#[bench::bytes_32768(32768)]
fn acknowledge(mut parts: Parts) -> Parts {
    black_box(parts.acknowledge());
    parts
}

#[library_benchmark(setup = Parts::ready)]
#[bench::bytes_1024(1024)]
#[bench::bytes_32768(32768)]
fn whole(mut parts: Parts) -> Parts {
    black_box(parts.whole());
    parts
}

library_benchmark_group!(
    name = parts;
    benchmarks = seal, open, cut, transmit, receive, acknowledge, whole
);

// The framework clears the environment. The C library's tunables are let through, because they choose its variants of
// the memory functions, and a count is only comparable when base and head use the same.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = parts
);
