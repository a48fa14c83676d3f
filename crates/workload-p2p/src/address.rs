//! Where a node is, as libp2p writes it: `/ip4/127.0.0.1/tcp/33333/p2p/12D3KooW...`.
//!
//! Tests: an address comes back from its text; what is none says what is wrong with it.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use crate::PeerId;

/// Where a node is, and perhaps who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Where it is.
    pub socket: SocketAddr,
    /// Who is expected there.
    pub peer: Option<PeerId>,
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let family = match self.socket.ip() {
            IpAddr::V4(_) => "ip4",
            IpAddr::V6(_) => "ip6",
        };
        write!(
            formatter,
            "/{family}/{}/tcp/{}",
            self.socket.ip(),
            self.socket.port()
        )?;
        match self.peer {
            Some(peer) => write!(formatter, "/p2p/{peer}"),
            None => Ok(()),
        }
    }
}

/// The text is no address that can be reached here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no address such as `/ip4/127.0.0.1/tcp/33333` or `/ip6/::1/tcp/33333/p2p/12D3KooW...`"
)]
pub struct NoAddress(String);

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        parse(text).ok_or_else(|| NoAddress(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Address> {
    let parts: Vec<&str> = text.strip_prefix('/')?.split('/').collect();
    let (family, ip, port, peer) = match parts[..] {
        [family, ip, "tcp", port] => (family, ip, port, None),
        [family, ip, "tcp", port, "p2p", peer] => (family, ip, port, Some(peer)),
        _ => return None,
    };
    let ip = match family {
        "ip4" => IpAddr::V4(ip.parse().ok()?),
        "ip6" => IpAddr::V6(ip.parse().ok()?),
        _ => return None,
    };
    let peer = peer.map(str::parse).transpose().ok()?;
    Some(Address {
        socket: SocketAddr::new(ip, port.parse().ok()?),
        peer,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_comes_back_from_its_text() {
        for text in [
            "/ip4/127.0.0.1/tcp/33333",
            "/ip6/::/tcp/0",
            "/ip6/::1/tcp/33333/p2p/12D3KooWBpZHDZu7YSbvPaPXKhkRNJvR7MkTJMQQAVBKx9mCqz3q",
        ] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_address_is_shown_in_the_error() {
        for text in [
            "",
            "127.0.0.1:1",
            "/ip4/::1/tcp/1",
            "/ip4/127.0.0.1/udp/1",
            "/ip4/127.0.0.1/tcp/65536",
            "/ip4/127.0.0.1/tcp/1/p2p",
            "/ip4/127.0.0.1/tcp/1/p2p/QmNot",
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("`{text}` is no address")),
                "{error}"
            );
        }
    }
}
