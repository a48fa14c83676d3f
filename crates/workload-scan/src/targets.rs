//! Whom to ask: addresses, blocks of them, names, and lists of all three.
//!
//! Tests: here, with names that a table answers for.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs as _};

use crate::Error;

/// How many addresses a scan may have: a block of IPv4 with 16 bits. More is a campaign, and wants to be split.
pub const TARGETS_MAX: u32 = 1 << 16;

/// Why a text names no targets.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TargetFault {
    /// Nothing, as a whole or between two commas.
    #[error(
        "nothing stands where a target should; name an address, a block as `127.0.0.0/30`, or a host"
    )]
    Empty,
    /// A block whose length is no number, or more than an address has bits.
    #[error("`{block}` has no length between 0 and {most} behind its slash")]
    Length {
        /// As it was given.
        block: String,
        /// How many bits an address of its family has.
        most: u8,
    },
    /// A block of something that is no address.
    #[error("what stands before the slash of `{0}` is no address; a name has no block")]
    NoAddress(String),
    /// More addresses than a scan may have.
    #[error("`{0}` goes beyond the {TARGETS_MAX} addresses that one scan may have; split it")]
    TooWide(String),
    /// An address in two places.
    #[error("{0} is named twice, perhaps in two ways; name it once")]
    Twice(IpAddr),
    /// An address that is nobody's own.
    #[error("{0} is not one host's address")]
    NotAHost(IpAddr),
    /// An address that means another host on each link.
    #[error(
        "{0} is on every link that there is, and which one is meant cannot be said here; give an address of that host \
         that has a route"
    )]
    LinkLocal(IpAddr),
    /// A name that nobody knows.
    #[error("the name `{name}` has no address; correct it, or give the address")]
    Unknown {
        /// As it was given.
        name: String,
        /// What the resolver said.
        source: Option<io::Error>,
    },
}

/// Addresses in order, at least one, none twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Targets {
    addresses: Vec<IpAddr>,
    given: String,
}

impl Targets {
    /// Reads targets as they are written on a command line; the system answers for names, and a name stands for all
    /// of its addresses.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::parse_with(text, &mut |name| {
            let found = (name, 0).to_socket_addrs()?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }

    /// Reads targets and asks `resolve` for names.
    pub fn parse_with(
        text: &str,
        resolve: &mut dyn FnMut(&str) -> io::Result<Vec<IpAddr>>,
    ) -> Result<Self, Error> {
        let addresses = collect(text, resolve).map_err(|source| Error::Targets {
            given: text.to_owned(),
            source,
        })?;
        Ok(Self {
            addresses,
            given: text.to_owned(),
        })
    }

    /// The addresses, in order.
    pub fn addresses(&self) -> &[IpAddr] {
        &self.addresses
    }
}

impl From<IpAddr> for Targets {
    fn from(address: IpAddr) -> Self {
        Self {
            addresses: vec![address],
            given: address.to_string(),
        }
    }
}

impl fmt::Display for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.given)
    }
}

fn collect(
    text: &str,
    resolve: &mut dyn FnMut(&str) -> io::Result<Vec<IpAddr>>,
) -> Result<Vec<IpAddr>, TargetFault> {
    let mut addresses = Vec::new();
    for item in text.split(',').map(str::trim) {
        let room = TARGETS_MAX as usize - addresses.len();
        if item.is_empty() {
            return Err(TargetFault::Empty);
        } else if let Some((base, length)) = item.split_once('/') {
            addresses.extend(block(item, base, length, room)?);
        } else if let Ok(address) = item.parse() {
            addresses.push(address);
        } else {
            addresses.extend(named(item, resolve)?);
        }
        if addresses.len() > TARGETS_MAX as usize {
            return Err(TargetFault::TooWide(item.to_owned()));
        }
    }
    addresses.sort_unstable();
    if let Some(pair) = addresses.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(TargetFault::Twice(pair[0]));
    }
    if let Some(address) = addresses.iter().find(|address| !is_a_host(**address)) {
        return Err(TargetFault::NotAHost(*address));
    }
    match addresses.iter().find(|address| is_link_local(**address)) {
        Some(address) => Err(TargetFault::LinkLocal(*address)),
        None => Ok(addresses),
    }
}

/// The addresses of a block, the first and the last included: on a loopback they are hosts like any other.
fn block(
    item: &str,
    base: &str,
    length: &str,
    room: usize,
) -> Result<Box<dyn Iterator<Item = IpAddr>>, TargetFault> {
    let base: IpAddr = base
        .parse()
        .ok()
        .ok_or_else(|| TargetFault::NoAddress(item.to_owned()))?;
    let most = if base.is_ipv4() { 32 } else { 128 };
    let digits = length.bytes().all(|byte| byte.is_ascii_digit());
    let length: Option<u8> = length.parse().ok();
    let length = length.filter(|length| digits && *length <= most);
    let length = length.ok_or_else(|| TargetFault::Length {
        block: item.to_owned(),
        most,
    })?;
    let bits = u32::from(most - length);
    let count = 1_u32
        .checked_shl(bits)
        .filter(|count| *count as usize <= room);
    let count = count.ok_or_else(|| TargetFault::TooWide(item.to_owned()))?;
    Ok(match base {
        IpAddr::V4(base) => {
            let first = u32::from(base) & !(count - 1);
            Box::new((first..=first | (count - 1)).map(|bits| Ipv4Addr::from(bits).into()))
        }
        IpAddr::V6(base) => {
            let rest = u128::from(count - 1);
            let first = u128::from(base) & !rest;
            Box::new((first..=first | rest).map(|bits| Ipv6Addr::from(bits).into()))
        }
    })
}

fn named(
    name: &str,
    resolve: &mut dyn FnMut(&str) -> io::Result<Vec<IpAddr>>,
) -> Result<Vec<IpAddr>, TargetFault> {
    let unknown = |source| TargetFault::Unknown {
        name: name.to_owned(),
        source,
    };
    let mut found = resolve(name).map_err(|source| unknown(Some(source)))?;
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return Err(unknown(None));
    }
    Ok(found)
}

fn is_a_host(address: IpAddr) -> bool {
    let is_everybody = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    !(address.is_unspecified() || address.is_multicast() || is_everybody)
}

/// Tells whether an address needs a zone, which an address alone does not carry.
fn is_link_local(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.is_unicast_link_local())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<String>, TargetFault> {
        let mut table = |name: &str| match name {
            "two" => Ok(vec!["::1".parse().unwrap(), "127.0.0.9".parse().unwrap()]),
            "fe80::1%lo" => Ok(vec!["fe80::1".parse().unwrap()]),
            "none" => Ok(Vec::new()),
            _ => Err(io::Error::other("nobody of that name")),
        };
        match Targets::parse_with(text, &mut table) {
            Ok(targets) => Ok(targets
                .addresses()
                .iter()
                .map(ToString::to_string)
                .collect()),
            Err(Error::Targets { source, .. }) => Err(source),
            Err(other) => panic!("{other}"),
        }
    }

    fn fault(text: &str) -> String {
        parsed(text).unwrap_err().to_string()
    }

    #[test]
    fn addresses_blocks_names_and_lists_are_targets() {
        assert_eq!(parsed("127.0.0.1").unwrap(), ["127.0.0.1"]);
        let wanted = [
            "127.0.0.4",
            "127.0.0.5",
            "127.0.0.6",
            "127.0.0.7",
            "127.0.0.9",
            "::1",
        ];
        assert_eq!(parsed("two, 127.0.0.6/30").unwrap(), wanted);
        assert_eq!(parsed("::8/127").unwrap(), ["::8", "::9"]);
        assert_eq!(parsed("127.0.0.1/32").unwrap(), ["127.0.0.1"]);
        assert_eq!(parsed("127.1.0.0/16").unwrap().len(), 65_536);
        let last = parsed("255.255.255.252/31").unwrap();
        assert_eq!(last, ["255.255.255.252", "255.255.255.253"]);
    }

    #[test]
    fn what_is_no_target_is_told_apart() {
        assert!(fault("").starts_with("nothing stands"));
        assert!(fault("127.0.0.1,").starts_with("nothing stands"));
        assert!(fault("127.0.0.1/33").contains("between 0 and 32"));
        assert!(fault("::1/129").contains("between 0 and 128"));
        assert!(fault("127.0.0.1/+32").contains("between 0 and 32"));
        assert!(fault("127.0.0.1/").contains("between 0 and 32"));
        assert!(fault("two/8").contains("no address"));
        assert!(fault("127.0.0.0/15").contains("65536 addresses"));
        assert!(fault("::/0").contains("65536 addresses"));
        assert!(fault("127.1.0.0/16,127.0.0.1").contains("65536 addresses"));
        assert!(fault("127.0.0.1,127.0.0.0/30").contains("127.0.0.1 is named twice"));
        assert!(fault("two,::1").contains("::1 is named twice"));
        assert!(fault("0.0.0.0").contains("not one host"));
        assert!(fault("224.0.0.0/30").contains("224.0.0.0 is not one host"));
        assert!(fault("255.255.255.255").contains("not one host"));
        assert!(fault("fe80::1").contains("fe80::1 is on every link"));
        assert!(fault("fe80::1%lo").contains("fe80::1 is on every link"));
        assert!(fault("none").contains("`none` has no address"));
        assert!(fault("elsewhere.invalid").contains("`elsewhere.invalid` has no address"));
    }
}
