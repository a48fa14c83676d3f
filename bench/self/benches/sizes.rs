//! What comes from elsewhere, at the sizes that are promised and from the disk, taken by Criterion in bytes a second.
//!
//! One iteration is the whole way of a verb but for git: the file is read, and what becomes of it is made. Each is
//! measured few times, because each takes long. Tested by the unit tests of the stages.

#[path = "../../../crates/tripline-site/tests/site/made_up.rs"]
#[expect(
    dead_code,
    reason = "of the histories that are made up, it takes the large one"
)]
mod made_up;

use std::fs;
use std::path::Path;
use std::time::Duration;

use bench_self::LONG;
use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use tripline_read::Input;

/// How many benchmarks a long history has.
const BENCHMARKS: usize = 500;

/// How many benchmarks a tree of Criterion's results has: nine files for each.
const TREE: usize = 2_000;

/// The fewest that Criterion takes.
const SAMPLES: usize = 10;

/// As long as it takes to have them once.
const MEASURED: Duration = Duration::from_secs(2);

fn sizes(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let mut group = criterion.benchmark_group("sizes");
    group
        .sample_size(SAMPLES)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(MEASURED / 4)
        .measurement_time(MEASURED);
    history(&mut group, folder.path());
    store(&mut group, folder.path());
    tree(&mut group, folder.path());
    pages(&mut group);
    group.finish();
}

fn history(group: &mut BenchmarkGroup<'_, WallTime>, folder: &Path) {
    let place = folder.join("data.js");
    let text = bench_self::data_js_of(BENCHMARKS, LONG);
    fs::write(&place, &text).expect("there is room for a history");
    let files = bench_self::import(&text);
    let (_, head) = bench_self::appended(BENCHMARKS);
    group.throughput(Throughput::Bytes(text.len() as u64));
    drop(text);
    // As bytes, as the verbs read it: whether it is UTF-8 is asked once, by the reader.
    let read = || fs::read(&place).expect("the history is there");
    size(group, "import", BENCHMARKS, || bench_self::import(read()));
    size(group, "floor", BENCHMARKS, || {
        bench_self::import_floor(str::from_utf8(&read()).expect("it is a text"));
    });
    size(group, "add", BENCHMARKS, || bench_self::add(read(), &head));
    size(group, "hand_back", BENCHMARKS, || {
        bench_self::hand_back(&files)
    });
}

/// What adding a run takes where the history is our own: the baseline is read, and the history is not.
fn store(group: &mut BenchmarkGroup<'_, WallTime>, folder: &Path) {
    let place = folder.join("baseline.jsonl");
    let (baseline, head) = bench_self::appended(BENCHMARKS);
    fs::write(&place, &baseline).expect("there is room for a baseline");
    group.throughput(Throughput::Bytes(baseline.len() as u64));
    let read = || fs::read_to_string(&place).expect("the baseline is there");
    size(group, "append", BENCHMARKS, || {
        bench_self::append(&read(), &head)
    });
}

fn tree(group: &mut BenchmarkGroup<'_, WallTime>, folder: &Path) {
    let place = folder.join("criterion");
    let bytes = bench_self::write_tree(&bench_self::criterion_directory(TREE), &place);
    group.throughput(Throughput::Bytes(bytes.expect("there is room for a tree")));
    let open = || Input::open(&place).expect("the tree is there");
    size(group, "criterion", TREE, || bench_self::read_tree(&open()));
    size(group, "criterion_floor", TREE, || {
        bench_self::read_bytes(&place).expect("the tree is there")
    });
}

/// The pages of a long history: change points are found before, and files are written after.
fn pages(group: &mut BenchmarkGroup<'_, WallTime>) {
    let trends = made_up::large(BENCHMARKS, 1, LONG);
    let about = made_up::about();
    let files = tripline_site::site(&trends, &about);
    let bytes: usize = files.values().map(Vec::len).sum();
    group.throughput(Throughput::Bytes(bytes as u64));
    size(group, "pages", BENCHMARKS, || {
        tripline_site::site(&trends, &about)
    });
}

fn size<T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    benchmarks: usize,
    run: impl Fn() -> T,
) {
    let id = BenchmarkId::new(name, format!("benchmarks={benchmarks}"));
    group.bench_function(id, |bencher| {
        bencher.iter_batched(|| (), |()| run(), BatchSize::PerIteration);
    });
}

criterion_group!(benches, sizes);
criterion_main!(benches);
