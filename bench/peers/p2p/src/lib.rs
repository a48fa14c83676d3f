//! The perf protocol spoken by litep2p and libp2p, as [`workload_p2p::cli::Stack`]s: the same program as ours.
//!
//! What is spoken on a substream is written once for both, in `spoken`, with writes as large as they are asked for, which a
//! peer may cut. Each peer is used as its documentation says to use it for this, with TCP's own delay switched off; beyond that
//! its settings are its defaults, or they are for bandwidth: see [`Setup`]. Every phase has the time that ours has, but for one: a server of libp2p allows ten seconds for agreeing on
//! what is spoken on a substream, which `libp2p-stream` does not let anybody change.
//!
//! Tests: `tests/it/interop.rs` sets each against each; `tests/it/refused.rs`, whoever stops in the middle or was none to begin with
//! is given up in time, and those who come after are served.

mod libp2p;
mod litep2p;
mod setup;
mod spoken;

pub use libp2p::Libp2p;
pub use litep2p::Litep2p;
pub use setup::Setup;
