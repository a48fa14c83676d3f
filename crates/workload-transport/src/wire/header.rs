//! What stands unsealed before each packet.
//!
//! Tests: it is read as it was written, and nothing shorter is.

/// The kinds of packets, by their first byte.
pub(crate) const FIRST: u8 = 1;
pub(crate) const ANSWER: u8 = 2;
pub(crate) const PACKET: u8 = 3;

pub(crate) const PACKET_HEADER_BYTES: usize = 13;

/// The header of a sealed packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The connection at whoever receives.
    pub to: u32,
    /// The number of the packet.
    pub number: u64,
}

impl Header {
    /// Appends it to a packet.
    pub fn write(self, out: &mut Vec<u8>) {
        let mut bytes = [PACKET; PACKET_HEADER_BYTES];
        bytes[1..5].copy_from_slice(&self.to.to_be_bytes());
        bytes[5..].copy_from_slice(&self.number.to_be_bytes());
        out.extend_from_slice(&bytes);
    }

    /// Returns the header of a sealed packet, or nothing where none stands.
    pub fn read(packet: &[u8]) -> Option<Self> {
        let (kind, rest) = packet.split_first()?;
        let (to, rest) = rest.split_first_chunk()?;
        let (number, _) = rest.split_first_chunk()?;
        (*kind == PACKET).then(|| Self {
            to: u32::from_be_bytes(*to),
            number: u64::from_be_bytes(*number),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_read_as_written() {
        let header = Header {
            to: 0x0102_0304,
            number: u64::MAX - 1,
        };
        let mut bytes = Vec::new();
        header.write(&mut bytes);
        assert_eq!(Header::read(&bytes), Some(header));
        for cut in 0..bytes.len() {
            assert_eq!(Header::read(&bytes[..cut]), None);
        }
        bytes[0] = FIRST;
        assert_eq!(Header::read(&bytes), None);
    }
}
