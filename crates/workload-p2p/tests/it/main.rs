//! Everything that this crate offers, used from outside.

mod exchange;
mod program;
mod recorded;
mod refused;
