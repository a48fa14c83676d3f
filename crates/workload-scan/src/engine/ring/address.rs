//! An address as the kernel reads it from memory.
//!
//! Tests: here; that the kernel reads the same, in `tests/it/engines.rs`.

use std::net::SocketAddr;

use rustix::net::AddressFamily;

/// The longest of them, an IPv6 address: family, port, flow, address and scope.
const BYTES: usize = 28;
const BYTES_V4: u32 = 16;
const BYTES_V6: u32 = 28;

/// An address, or nobody's.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    bytes: [u8; BYTES],
    length: u32,
}

impl Default for Address {
    /// Nobody's: its family is unspecified.
    fn default() -> Self {
        Self {
            bytes: [0; BYTES],
            length: BYTES_V4,
        }
    }
}

impl Address {
    /// The address of a port.
    pub(super) fn of(address: SocketAddr) -> Self {
        let mut bytes = [0; BYTES];
        bytes[2..4].copy_from_slice(&address.port().to_be_bytes());
        let (family, length) = match address {
            SocketAddr::V4(address) => {
                bytes[4..8].copy_from_slice(&address.ip().octets());
                (AddressFamily::INET, BYTES_V4)
            }
            SocketAddr::V6(address) => {
                bytes[8..24].copy_from_slice(&address.ip().octets());
                bytes[24..].copy_from_slice(&address.scope_id().to_ne_bytes());
                (AddressFamily::INET6, BYTES_V6)
            }
        };
        bytes[..2].copy_from_slice(&family.as_raw().to_ne_bytes());
        Self { bytes, length }
    }

    /// Where the kernel is to read it.
    pub(super) fn pointer<T>(&self) -> *const T {
        self.bytes.as_ptr().cast()
    }

    /// How much of it counts.
    pub(super) fn length(&self) -> u32 {
        self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_the_kernel_calls_an_address() {
        let Address { bytes, length } = Address::of("127.0.0.2:258".parse().unwrap());
        assert_eq!(length, 16);
        assert_eq!(
            u16::from_ne_bytes([bytes[0], bytes[1]]),
            AddressFamily::INET.as_raw()
        );
        assert_eq!(bytes[2..8], [1, 2, 127, 0, 0, 2]);
        let Address { bytes, length } = Address::of("[::7]:9".parse().unwrap());
        assert_eq!((length, bytes[23]), (28, 7));
        assert_eq!(Address::default().bytes[..2], [0, 0]);
    }
}
