//! Noise as libp2p wants it: `Noise_XX_25519_ChaChaPoly_SHA256`, with each side's name signed over its key of the day.
//!
//! Written on ring's ciphers and hashes instead of taken from a crate: a frame is sealed and opened in the buffer it lies
//! in, 64 KiB at a time, where the crate at hand copies it once each way.

mod handshake;
mod secure;
mod symmetric;
mod transport;

pub(crate) use handshake::Keys;
pub(crate) use secure::{Role, secure};
pub(crate) use transport::{CONTENT_BYTES_MAX, FRAME_BYTES_MAX, LENGTH_BYTES, Opener, Outbox};

/// An outbox and what opens it, under a key that everybody knows: for tests, and for counting what sealing costs.
pub(crate) fn keyless() -> (Outbox, Opener) {
    let [one, _] = symmetric::Symmetric::new(&[7; 32]).split();
    let [two, _] = symmetric::Symmetric::new(&[7; 32]).split();
    (Outbox::new(one), Opener::new(two))
}
