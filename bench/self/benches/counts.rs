//! The instructions of the suite, counted under Callgrind.
//!
//! The set-up runs before counting starts. Each function returns its input with its output, because the framework drops
//! a returned value after counting has stopped: neither making nor freeing them is in a count. Tested by running it
//! twice: the counts are equal to the last instruction.
#![expect(
    missing_docs,
    clippy::exit,
    reason = "the framework's macros write public items that nobody can name, and a main function that exits"
)]

use bench_self::{Runs, Side};
use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use tripline_history::File;
use tripline_model::{Report, Run};
use tripline_read::Input;

fn output(benchmarks: usize) -> Input {
    bench_self::harness_output(benchmarks, Side::Head)
}

fn reports(benchmarks: usize) -> Vec<Report> {
    vec![bench_self::report(benchmarks)]
}

#[library_benchmark(setup = output)]
#[bench::benchmarks_10(10)]
#[bench::benchmarks_500(500)]
#[bench::benchmarks_5000(5_000)]
fn read(input: Input) -> (Input, Run) {
    let run = bench_self::read(&input);
    (input, run)
}

#[library_benchmark(setup = bench_self::runs)]
#[bench::benchmarks_10(10)]
#[bench::benchmarks_500(500)]
#[bench::benchmarks_5000(5_000)]
fn judge(runs: Runs) -> (Runs, Report) {
    let report = bench_self::judge(&runs);
    (runs, report)
}

#[library_benchmark(setup = reports)]
#[bench::benchmarks_10(10)]
#[bench::benchmarks_500(500)]
#[bench::benchmarks_5000(5_000)]
fn render(reports: Vec<Report>) -> (Vec<Report>, String) {
    let text = bench_self::render(&reports);
    (reports, text)
}

#[library_benchmark(setup = bench_self::criterion_tree)]
#[bench::benchmarks_10(10)]
#[bench::benchmarks_500(500)]
fn criterion(input: Input) -> (Input, Run) {
    let run = bench_self::read_tree(&input);
    (input, run)
}

#[library_benchmark(setup = bench_self::data_js)]
#[bench::benchmarks_10(10)]
#[bench::benchmarks_500(500)]
fn import(text: String) -> (String, Vec<File>) {
    let files = bench_self::import(&text);
    (text, files)
}

#[library_benchmark(setup = bench_self::data_js)]
#[bench::benchmarks_10(10)]
#[bench::benchmarks_500(500)]
fn floor(text: String) -> String {
    bench_self::import_floor(&text);
    text
}

type Appended = ((String, Run), (Report, Vec<File>));

#[library_benchmark(setup = bench_self::appended)]
#[bench::benchmarks_10(10)]
#[bench::benchmarks_500(500)]
fn append(input: (String, Run)) -> Appended {
    let output = bench_self::append(&input.0, &input.1);
    (input, output)
}

library_benchmark_group!(name = pipeline; benchmarks = read, judge, render);
library_benchmark_group!(name = history; benchmarks = criterion, import, floor, append);

// The framework clears the environment. The C library's tunables are let through, because they choose its variants of
// the memory functions, and a count is only comparable when base and head use the same.
main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("GLIBC_TUNABLES");
    library_benchmark_groups = pipeline, history
);
