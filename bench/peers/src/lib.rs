//! Our workloads beside what others have written, on the same keys, values, records and messages, in the same run.
//!
//! [`stores`] has the store and three maps that threads share, with a cache beside them, and [`uniform`] what threads do
//! with one; [`logs`] the durable log and two databases; [`transports`] the transport and quinn; [`scanners`] the port scanner
//! and two others. Nothing here is a baseline of anybody: what counts is the ratio of ours to a peer's, because both were
//! measured in the same minutes on the same machine.
//!
//! Each peer is used as its documentation says to use it for this, with the fastest operation that does the work; all
//! maps hash alike. A cache keeps account of what is used, which maps need not: it is here for those who would take one.

pub mod keys;
pub mod logs;
pub mod scanners;
pub mod stores;
pub mod transports;
pub mod uniform;
