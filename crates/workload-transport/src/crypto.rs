//! Who the other side is, and packets that only it can read or have written.
//!
//! The handshake is the IK pattern of the Noise framework in kind: whoever connects knows the other's public key, two
//! messages agree on keys, and both sides are authenticated by Diffie-Hellman alone, without signatures. Hashes are
//! SHA-256, packets are sealed with AES-128-GCM.

mod chain;
mod handshake;
mod keys;
mod packets;
mod random;

pub(crate) use handshake::{FIRST_BYTES, Initiator, Secrets, respond};
pub use keys::{PublicKey, SecretKey};
pub use packets::{Opener, Sealer};
pub use random::Random;

/// The bytes that a seal adds.
pub(crate) const TAG_BYTES: usize = 16;
