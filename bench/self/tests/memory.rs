//! How much memory the pipeline takes: 500 benchmarks of 8 metrics stay below a limit that any machine has to spare, and
//! a history that is taken over is not held twice.
//!
//! This is a program of its own, because it counts what is allocated by everything in it; and one test alone, because
//! tests beside it would be counted too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use bench_self::{LONG, METRICS, Runs, Side};
use tripline_model::{Report, Verdict};

const BENCHMARKS: usize = 500;

/// What the heap may hold at once, input and all stages' outputs together.
const HEAP_BYTES_MAX: usize = 40 * 1000 * 1000;

/// What it may hold when everything that can be rendered is, the inputs included.
const ALL_FORMS_BYTES_MAX: usize = 60 * 1000 * 1000;

/// The most characters that GitHub takes of a comment.
const COMMENT_CHARS_MAX: usize = 65_536;

/// What comparing a run and appending it to the history may hold, and a tree of Criterion's results read.
const HISTORY_BYTES_MAX: usize = 20 * 1000 * 1000;

/// The system's allocator, and how much is taken from it.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe by its trait; each call is passed on to the system's as it came"
)]
// SAFETY: the system's allocator keeps the contract, and counting touches no memory it gives.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is the same here and there.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the pointer came from the system's allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Counts what is taken; a failed allocation counts too, and ends the program anyway.
fn taken(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

/// Returns what is held at once while something is done, what was held before included.
fn peak_of<T>(work: impl FnOnce() -> T) -> usize {
    PEAK.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
    drop(work());
    PEAK.load(Ordering::Relaxed)
}

/// The text itself is held, or the files that were made of it, and beside it never as much again.
fn the_history_stays_below_its_limits() {
    let text = bench_self::data_js_of(BENCHMARKS, LONG);
    let peak = peak_of(|| bench_self::import(&text));
    let bytes = text.len();
    assert!(
        peak <= 2 * bytes,
        "{peak} bytes of heap for {bytes} of text"
    );
    let (baseline, head) = bench_self::appended(BENCHMARKS);
    let peak = peak_of(|| bench_self::add(&text, &head));
    assert!(
        peak <= 2 * bytes,
        "{peak} bytes to add to {bytes} bytes of text"
    );
    let files = bench_self::import(&text);
    drop(text);
    let peak = peak_of(|| bench_self::hand_back(&files));
    assert!(
        peak <= 2 * bytes,
        "{peak} bytes to hand {bytes} bytes of text back"
    );
    drop(files);
    let peak = peak_of(|| bench_self::append(&baseline, &head));
    assert!(peak <= HISTORY_BYTES_MAX, "{peak} bytes to append");
    let tree = bench_self::criterion_tree(BENCHMARKS);
    let peak = peak_of(|| bench_self::read_tree(&tree));
    assert!(peak <= HISTORY_BYTES_MAX, "{peak} bytes to read a tree");
}

/// At the promised size the comment fits, and a row of it names each benchmark that got worse.
fn the_comment_names_what_regressed(report: &Report, text: &str) {
    let chars = text.chars().count();
    assert!(chars <= COMMENT_CHARS_MAX, "{chars} characters");
    let findings = report.findings.iter();
    let regressed = findings.filter(|finding| finding.verdict == Verdict::Regressed);
    let regressed: BTreeSet<String> = regressed
        .map(|finding| format!("`{}`", finding.bench.within_suite()))
        .collect();
    assert_eq!(regressed.len(), 3);
    // A row begins with the benchmark, params included, and ends with the verdict: neither part of another's name nor the
    // sum at the top is one.
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let told = rows.filter_map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let name = cells.next()?.to_owned();
        let is_told = cells.next_back()?.starts_with("**regressed**");
        is_told.then_some(name)
    });
    assert_eq!(told.collect::<BTreeSet<String>>(), regressed, "{text}");
}

#[test]
fn the_whole_pipeline_stays_below_its_limit() {
    let [base, head] = [Side::Base, Side::Head].map(|s| bench_self::harness_output(BENCHMARKS, s));
    // What making the inputs took besides them is not the pipeline's.
    PEAK.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
    let runs = Runs {
        base: bench_self::read(&base),
        head: bench_self::read(&head),
    };
    let reports = [bench_self::judge(&runs)];
    let text = bench_self::render(&reports);
    let peak = PEAK.load(Ordering::Relaxed);
    assert_eq!(reports[0].findings.len(), BENCHMARKS * METRICS);
    the_comment_names_what_regressed(&reports[0], &text);
    assert!(peak <= HEAP_BYTES_MAX, "{peak} bytes of heap at the peak");
    PEAK.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
    let texts = bench_self::publish(&runs);
    let peak_of_all = PEAK.load(Ordering::Relaxed);
    assert!(texts.len() > 5);
    assert!(
        peak_of_all <= ALL_FORMS_BYTES_MAX,
        "{peak_of_all} bytes of heap at the peak of all forms"
    );
    // Also where the test passes: a limit says little without how far away it is.
    let said = format!("{peak} bytes of heap to judge and comment, {peak_of_all} for all forms\n");
    std::io::stderr().write_all(said.as_bytes()).unwrap();
    // If the allocator were not ours, nothing would be counted and every limit kept.
    let least = size_of_val(reports[0].findings.as_slice());
    assert!(peak > least, "only {peak} bytes were counted");
    drop((base, head, runs, reports, text, texts));
    the_history_stays_below_its_limits();
}
