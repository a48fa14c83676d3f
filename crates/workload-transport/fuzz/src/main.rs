//! What a peer can say: datagrams of nobody, packets under the right keys, time, and an application between them.
//!
//! What is asserted stands in the crate itself, whose tests play the committed corpus as well.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|script: &[u8]| workload_transport::forged::play(script));
