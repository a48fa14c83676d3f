//! An encrypted transport over UDP.

#![expect(dead_code, reason = "built from below")]

mod crypto;
mod ranges;
mod time;
mod wire;

pub use crypto::{PublicKey, Random, SecretKey};
pub use time::Time;
