//! Every fuzz target: the name of the program says which reader it tries.
//!
//! What is asserted stands in `rules.rs`, which `cargo test` runs on the committed corpus as well.

#![no_main]

use libfuzzer_sys::fuzz_target;

mod rules;
#[expect(
    dead_code,
    reason = "the fixtures, which the rules need not know, are in there too"
)]
#[path = "../../tests/it/support.rs"]
mod support;

fuzz_target!(|bytes: &[u8]| rules::check(env!("CARGO_BIN_NAME"), bytes));
