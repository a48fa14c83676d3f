//! What is told the runner, read back as the runner reads it.

mod commands;
mod model;
mod outputs;
mod summary;

use proptest::test_runner::{Config, RngSeed};

/// The same cases each time; what fails is shown, and not kept in a file.
fn config() -> Config {
    Config {
        cases: 512,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_260),
        ..Config::default()
    }
}
