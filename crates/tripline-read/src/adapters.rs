//! The list of adapters, in the order a newcomer reads them best: the plainest format first.
//!
//! *Note:* plain `mod` lines and a plain array, because a macro would hide the files from rustfmt. The test
//! `no_adapter_is_forgotten` compares the list with the directory.

mod answers;
mod cargo_criterion;
mod criterion;
mod go;
mod gungraun;
mod iai_callgrind;
mod pytest_benchmark;
mod run_file;

use crate::adapter::Adapter;

/// Every adapter there is.
pub const ADAPTERS: &[&Adapter] = &[
    &answers::ADAPTER,
    &cargo_criterion::ADAPTER,
    &criterion::ADAPTER,
    &go::ADAPTER,
    &pytest_benchmark::ADAPTER,
    &iai_callgrind::ADAPTER,
    &gungraun::ADAPTER,
    &run_file::ADAPTER,
];
