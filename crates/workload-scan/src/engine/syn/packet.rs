//! The packets: one that we write, and two kinds that we read.
//!
//! Tests: here; that hosts answer what we write, in `tests/it/engines.rs`.

use std::net::{Ipv4Addr, SocketAddrV4};

use crate::engine::Answer;

const SYN: u8 = 0x02;
const RST: u8 = 0x04;
const ACK: u8 = 0x10;
const TCP: u8 = 6;
const HEADER: usize = 20;
/// What a host that knows nothing else offers.
const WINDOW: u16 = 1_024;

/// The first packet of a connection, behind the header that the kernel writes.
pub(super) fn first(from: SocketAddrV4, to: SocketAddrV4, number: u32) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[0..2].copy_from_slice(&from.port().to_be_bytes());
    bytes[2..4].copy_from_slice(&to.port().to_be_bytes());
    bytes[4..8].copy_from_slice(&number.to_be_bytes());
    // Five words of header.
    bytes[12] = 5 << 4;
    bytes[13] = SYN;
    bytes[14..16].copy_from_slice(&WINDOW.to_be_bytes());
    let sum = checksum(*from.ip(), *to.ip(), &bytes);
    bytes[16..18].copy_from_slice(&sum.to_be_bytes());
    bytes
}

/// The sum over addresses, protocol, length and content (RFC 9293, 3.1).
fn checksum(from: Ipv4Addr, to: Ipv4Addr, bytes: &[u8; HEADER]) -> u16 {
    let words = |bytes: &[u8]| -> u32 {
        let pairs = bytes.chunks_exact(2);
        pairs
            .map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])))
            .sum()
    };
    let fixed = u32::from(TCP) + HEADER as u32;
    let mut sum = words(&from.octets()) + words(&to.octets()) + words(bytes) + fixed;
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !u16::try_from(sum).unwrap_or(u16::MAX)
}

/// What somebody said to a first packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) from: SocketAddrV4,
    /// The number of the packet it answers.
    pub(super) number: u32,
    pub(super) answer: Answer,
}

/// Reads an answer; nothing where it is none.
pub(super) fn reply(bytes: &[u8]) -> Option<Reply> {
    let length = usize::from(bytes.first()? & 0x0f) * 4;
    let tcp = bytes.get(length..length + HEADER)?;
    let source: [u8; 4] = bytes.get(12..16)?.try_into().ok()?;
    if *bytes.get(9)? != TCP {
        return None;
    }
    let answer = match tcp[13] & (SYN | RST | ACK) {
        flags if flags == SYN | ACK => Answer::Open,
        flags if flags == RST | ACK => Answer::Closed,
        _ => return None,
    };
    let port = u16::from_be_bytes([tcp[0], tcp[1]]);
    let confirmed = u32::from_be_bytes([tcp[8], tcp[9], tcp[10], tcp[11]]);
    Some(Reply {
        from: SocketAddrV4::new(source.into(), port),
        number: confirmed.wrapping_sub(1),
        answer,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, 2), 40_000);
    const TO: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 80);

    /// What a host answers to our packet.
    fn answered(flags: u8, number: u32) -> Vec<u8> {
        let mut bytes = vec![0; 20];
        bytes[0] = 0x45;
        bytes[9] = TCP;
        bytes[12..16].copy_from_slice(&TO.ip().octets());
        let mut tcp = first(TO, FROM, 7);
        tcp[8..12].copy_from_slice(&number.wrapping_add(1).to_be_bytes());
        tcp[13] = flags;
        bytes.extend(tcp);
        bytes
    }

    #[test]
    fn what_is_summed_with_its_sum_is_nothing() {
        for number in [0, 1, 0xffff_ffff, 0x1234_5678] {
            let bytes = first(FROM, TO, number);
            assert_eq!(checksum(*FROM.ip(), *TO.ip(), &bytes), 0);
        }
    }

    #[test]
    fn an_answer_says_whose_it_is() {
        for number in [0, u32::MAX, 99] {
            for (flags, answer) in [(SYN | ACK, Answer::Open), (RST | ACK, Answer::Closed)] {
                let wanted = Reply {
                    from: TO,
                    number,
                    answer,
                };
                assert_eq!(reply(&answered(flags, number)), Some(wanted));
            }
        }
    }

    #[test]
    fn what_is_cut_or_something_else_is_no_answer() {
        let whole = answered(SYN | ACK, 1);
        assert!((0..whole.len()).all(|end| reply(&whole[..end]).is_none()));
        for flags in [SYN, ACK, RST, 0] {
            assert_eq!(reply(&answered(flags, 1)), None);
        }
        let mut other = whole;
        other[9] = 17;
        assert_eq!(reply(&other), None);
    }
}
