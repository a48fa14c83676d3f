//! Reads what benchmark harnesses write, and gives observations in Tripline's own words.
//!
//! One adapter is one file under `adapters/`, listed in [`ADAPTERS`]; beside it, under `fixtures/`, lies what its harness
//! really wrote. An adapter takes an [`Input`] and gives [`Observed`]: what was measured, and, each with its place, what
//! looks like a result and could not be used. After this crate no stage knows a harness.
//!
//! Harness output is hostile until read: it may be cut, mixed with other output, or made by somebody who means ill.
//! Three rules hold for every adapter, and `tests/it` holds them there: nothing panics, nothing is dropped without a
//! word, and an input without any result is an error, never an empty success.

mod adapter;
mod adapters;
mod apart;
mod begun;
mod benchmark_action;
mod build_output;
mod cargo;
mod colours;
mod constants;
mod criterion_files;
mod csv;
mod data_js;
mod document;
mod encoding;
mod entry;
mod file_names;
mod gathered;
mod grouped;
mod input;
mod js_times;
mod json;
mod listing;
mod naming;
mod own;
mod pieces;
mod place;
mod profile;
mod quantity;
mod reports;
mod result_lines;
mod routing;
mod stamps;
mod summary;
mod units_written;
mod valgrind;
mod vocabulary;
mod wall_time;
mod worked_through;

use tripline_model::{BenchId, Caveat, Digest, Reading};

pub use adapter::{Adapter, SniffError, adapter, recognized, sniff};
pub use adapters::ADAPTERS;
pub use data_js::{Beside, DataJs, Imported, read_data_js, read_data_js_beside, split_data_js};
pub use gathered::RESULTS_MAX;
pub use input::{
    Content, INPUT_BYTES_MAX, Input, InputError, Root, TREE_BYTES_MAX, TREE_DEPTH_MAX,
    TREE_ENTRIES_MAX, TREE_FILES_MAX, TreeFile,
};
pub use json::JSON_DEPTH_MAX;
pub use naming::bench_of_title;
pub use place::{Place, Problem, ReadError};
pub use profile::{ProfileError, read_profile};

/// Holds all that an adapter found in one input.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observed {
    /// What was measured, in the order of the input; each benchmark stands once.
    pub observations: Vec<Observation>,
    /// What looks like a result and could not be used.
    pub problems: Vec<Problem>,
    /// What was decided where the input leaves it open, such as whether a file is a result at all; none of it is a problem.
    pub remarks: Vec<Problem>,
}

/// Holds what an input says about one benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Which benchmark.
    pub bench: BenchId,
    /// What was measured; empty only where the harness gives answers and measures nothing.
    pub readings: Vec<Reading>,
    /// The digest of what the benchmark computed, where the harness says so.
    pub answer: Option<Digest>,
    /// The reasons to trust the readings less.
    pub caveats: Vec<Caveat>,
}
