//! Everything that this crate offers, used from outside.

#[cfg(test)]
mod log;
mod queue;
mod store;
