//! The list of adapters, in the order a newcomer reads them best: the plainest format first.
//!
//! *Note:* plain `mod` lines and a plain array, because a macro would hide the files from rustfmt. The test
//! `no_adapter_is_forgotten` compares the list with the directory.

mod answers;
mod asv;
mod benchmark_ips;
mod benchmark_js;
mod benchmarkdotnet;
mod bmf;
mod callgrind;
mod callgrind_text;
mod cargo_criterion;
mod catch2;
mod criterion;
mod criterion_text;
mod custom_bigger_is_better;
mod custom_smaller_is_better;
mod dart;
mod dhat;
mod divan;
mod gnu_time;
mod go;
mod google_benchmark;
mod gungraun;
mod hyperfine;
mod iai;
mod iai_callgrind;
mod jmh;
mod libtest;
mod massif;
mod mitata;
mod perf_stat;
mod pytest_benchmark;
mod ruby_benchmark;
mod run_file;
mod strace_count;
mod tango;
mod tinybench;
mod valgrind_text;
mod vitest;

use crate::adapter::Adapter;

/// Every adapter there is.
pub const ADAPTERS: &[&Adapter] = &[
    &answers::ADAPTER,
    &asv::ADAPTER,
    &benchmark_ips::ADAPTER,
    &benchmark_js::ADAPTER,
    &cargo_criterion::ADAPTER,
    &criterion::ADAPTER,
    &criterion_text::ADAPTER,
    &divan::ADAPTER,
    &go::ADAPTER,
    &benchmarkdotnet::ADAPTER,
    &bmf::ADAPTER,
    &custom_bigger_is_better::ADAPTER,
    &custom_smaller_is_better::ADAPTER,
    &catch2::ADAPTER,
    &dart::ADAPTER,
    &google_benchmark::ADAPTER,
    &massif::ADAPTER,
    &perf_stat::ADAPTER,
    &pytest_benchmark::ADAPTER,
    &ruby_benchmark::ADAPTER,
    &callgrind::ADAPTER,
    &callgrind_text::ADAPTER,
    &dhat::ADAPTER,
    &iai::ADAPTER,
    &iai_callgrind::ADAPTER,
    &gungraun::ADAPTER,
    &gnu_time::ADAPTER,
    &hyperfine::ADAPTER,
    &jmh::ADAPTER,
    &mitata::ADAPTER,
    &tinybench::ADAPTER,
    &vitest::ADAPTER,
    &libtest::ADAPTER,
    &run_file::ADAPTER,
    &strace_count::ADAPTER,
    &tango::ADAPTER,
    &valgrind_text::ADAPTER,
];
