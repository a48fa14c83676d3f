//! The suite of Tripline's own pipeline.
//!
//! A benchmark here is one stage over all benchmarks of a made-up suite: `pipeline/read` takes the text that
//! iai-callgrind writes and gives a run, `pipeline/judge` takes two runs and gives a report, `pipeline/render` takes the
//! report and gives the Markdown that becomes a comment. Each is measured at 10, 500 and 5,000 benchmarks of 8 metrics.
//! Markdown is the output that is measured because it is the one every pull request waits for, and the one with the
//! most to do: it chooses, escapes, and keeps to a limit. `command/help` is the start of the whole program, by the clock.
//!
//! What comes from elsewhere and grows large is measured at 10 and 500 benchmarks: `history/criterion` reads the tree
//! that Criterion leaves, with a hundred totals each; `history/import` takes over a `data.js` of a hundred commits, and
//! `history/floor` goes through the same text and keeps nothing; `history/append` compares a run with its baseline and
//! makes the files that the history grows by.
//!
//! At the sizes that are promised it is measured by `sizes`, from the disk, in bytes a second: a `data.js` of 500 benchmarks
//! and 1,000 commits taken over, added to and handed back; the directory of 2,000 benchmarks read, with all that Criterion
//! leaves there, and beside it what the disk alone takes of that (`criterion_floor`); and the trend pages of 500 benchmarks and 1,000 commits formed, in memory. Each of these takes too long
//! to be asked for in turns, so it is Criterion that measures them, few times; what is promised of them stands in `suite.toml`,
//! and is shown rather than gated where the machine decides it. What is promised of
//! whole commands, with git and the disk, is told by `history_pages` (pages made, made again after a commit, a run appended),
//! and what a history weighs by `history_store`, as tables.
//!
//! The inputs and the stages are in this library, and the four programs in `benches/` share them: `counts` counts
//! instructions, `times` and `sizes` take wall-clock time, `answers` says what came out. The clock and the counter start when the
//! input of the stage is ready and stop before input and output are freed.
//!
//! Tests: every stage runs at smoke size and must find what was planted; `tests/memory.rs` holds how much memory the
//! pipeline takes.

mod answer;
pub mod commands;
mod histories;
mod inputs;
mod prepared;
pub mod simulation;
mod stages;
pub mod store;
pub mod trends;

pub use answer::{Answer, answers, history_answers};
pub use histories::{
    LONG, appended, criterion_directory, criterion_tree, data_js, data_js_of, read_bytes,
    write_tree,
};
pub use inputs::{BENCHMARKS, HISTORIES, METRICS, Planted, SMOKE, Side, harness_output};
pub use prepared::{report, runs};
pub use stages::{
    Runs, add, append, hand_back, import, import_floor, judge, publish, read, read_tree, render,
};
