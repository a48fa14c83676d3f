//! A bench of change points: which detector finds the steps, and how often does it see one where there is none?
//!
//! Every detector gets the same made-up histories, of which it is known where the level changes (`families`): one step,
//! two close ones, pulses, many, and none, in noise of many shapes. What it finds is matched one to one with what was
//! planted (`score`). The detectors of other tools are written here as their source states them (`peers`); Apache Otava's
//! is the judge's own `e_divisive`. The settings of ours were chosen by the histories for tuning; those that were kept
//! back have other noise, other sizes and other lengths, and show whether what was chosen holds elsewhere.
//!
//! Seeds are fixed. `cargo bench -p bench-self --bench trend_comparison` prints the tables; with the folder of the Turing
//! Change Point Dataset as its argument it also scores the detectors against what people marked in real series.
//!
//! The time that the judge's detector takes is measured by `trend`, and its instructions are counted by `trend_counts`.
//!
//! Tests: few histories with fixed seeds, and what must hold of them.

pub mod annotated;
mod comparison;
mod families;
mod noise;
mod peers;
mod random;
mod rerun;
mod score;

pub use comparison::tables;
pub use families::long_history;
