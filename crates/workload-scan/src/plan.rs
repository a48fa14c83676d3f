//! What a scan has to do, numbered: a place for each port of each target, host by host.
//!
//! Targets that need another kind of socket are asked one after the other: a socket bound to a loopback address reaches
//! nobody else. Each such *leg* is a piece of the places.
//!
//! Tests: here.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::Range;

use crate::Error;
use crate::ports::PortSet;
use crate::targets::Targets;

/// How many ports of targets a scan may have: two bits each are 64 MiB.
pub const PLACES_MAX: u64 = 1 << 28;

/// Targets and ports.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) targets: Targets,
    pub(crate) ports: PortSet,
}

/// Places that are asked in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leg {
    pub(crate) places: Range<u64>,
    /// What is bound to ask them.
    pub(crate) source: IpAddr,
}

impl Plan {
    /// Targets and ports that are not too many together.
    pub(crate) fn new(targets: Targets, ports: PortSet) -> Result<Self, Error> {
        let plan = Self { targets, ports };
        if plan.count() > PLACES_MAX {
            return Err(Error::TooMany {
                targets: plan.targets.addresses().len(),
                ports: plan.ports.len(),
            });
        }
        Ok(plan)
    }

    /// How many places there are.
    pub(crate) fn count(&self) -> u64 {
        self.targets.addresses().len() as u64 * u64::from(self.ports.len())
    }

    /// The number of the target at a place, and the port.
    pub(crate) fn split(&self, place: u64) -> (usize, u16) {
        let ports = u64::from(self.ports.len());
        let host = usize::try_from(place / ports).unwrap_or(usize::MAX);
        let port = u32::try_from(place % ports).ok();
        let port = port.and_then(|at| self.ports.get(at));
        (host, port.expect("a remainder is below the count"))
    }

    /// All places of the target that has this one.
    pub(crate) fn neighbours(&self, place: u64) -> Range<u64> {
        let ports = u64::from(self.ports.len());
        let begin = place / ports * ports;
        begin..begin + ports
    }

    /// Whom to ask for a place.
    pub(crate) fn address(&self, place: u64) -> SocketAddr {
        let (host, port) = self.split(place);
        SocketAddr::new(self.targets.addresses()[host], port)
    }

    /// What a worker of a leg binds if every worker needs an address of its own.
    pub(crate) fn own_source(&self, leg: &Leg, worker: u32) -> IpAddr {
        if !leg.source.is_loopback() {
            return leg.source;
        }
        let number = usize::try_from(worker).unwrap_or(0);
        unasked_loopback(self.targets.addresses(), number).into()
    }

    /// The legs, which are all places in order.
    pub(crate) fn legs(&self) -> Vec<Leg> {
        let addresses = self.targets.addresses();
        let ports = u64::from(self.ports.len());
        let loopback = unasked_loopback(addresses, 0);
        let mut legs: Vec<Leg> = Vec::new();
        for (host, address) in addresses.iter().enumerate() {
            let source = source(*address, loopback);
            let begin = host as u64 * ports;
            match legs.last_mut() {
                Some(leg) if leg.source == source => leg.places.end = begin + ports,
                _ => legs.push(Leg {
                    places: begin..begin + ports,
                    source,
                }),
            }
        }
        legs
    }
}

/// What to bind for a target; elsewhere than on a loopback the system chooses.
fn source(target: IpAddr, loopback: Ipv4Addr) -> IpAddr {
    match target {
        IpAddr::V4(target) if target.is_loopback() => loopback.into(),
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    }
}

/// A loopback address that nobody is asked at: from there no probe can meet itself. There is another for each number.
fn unasked_loopback(asked: &[IpAddr], number: usize) -> Ipv4Addr {
    // There are sixteen million, and fewer targets.
    let last = u32::from(Ipv4Addr::new(127, 255, 255, 254));
    let all = (0..=last).rev().map(Ipv4Addr::from);
    let mut free = all.filter(|source| asked.binary_search(&IpAddr::V4(*source)).is_err());
    free.nth(number).unwrap_or(Ipv4Addr::UNSPECIFIED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(targets: &str, ports: &str) -> Result<Plan, Error> {
        Plan::new(Targets::parse(targets).unwrap(), ports.parse().unwrap())
    }

    #[test]
    fn every_port_of_every_target_has_one_place() {
        let plan = plan("127.0.0.1,127.0.0.9", "1-3,9,65535").unwrap();
        let all: Vec<String> = (0..plan.count())
            .map(|place| plan.address(place).to_string())
            .collect();
        let wanted = ["1", "2", "3", "9", "65535"];
        let of = |host: &'static str| wanted.map(|port| format!("{host}:{port}"));
        assert_eq!(all, [of("127.0.0.1"), of("127.0.0.9")].concat());
    }

    #[test]
    fn nobody_is_asked_from_an_address_that_is_asked() {
        let plan = plan("127.255.255.0/24,10.0.0.1,::1,200.0.0.1", "1-2").unwrap();
        let legs = plan.legs();
        let sources: Vec<String> = legs.iter().map(|leg| leg.source.to_string()).collect();
        assert_eq!(sources, ["0.0.0.0", "127.255.254.255", "0.0.0.0", "::"]);
        let ends: Vec<u64> = legs.iter().map(|leg| leg.places.end).collect();
        assert_eq!(ends, [2, 514, 516, 518]);
        assert!(
            legs.windows(2)
                .all(|pair| pair[0].places.end == pair[1].places.start)
        );
    }

    #[test]
    fn too_many_together_are_refused() {
        assert!(plan("127.1.0.0/20", "0-65535").is_ok());
        let error = plan("127.1.0.0/19", "0-65535").unwrap_err().to_string();
        assert!(
            error.starts_with("nothing was scanned: 8192 targets"),
            "{error}"
        );
    }
}
