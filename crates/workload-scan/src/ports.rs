//! Sets of ports, as people write them: `22,80,1000-2000` or `all`.
//!
//! Everything that counts ports does so in 32 bits: one past the last port of all has no room in 16, and a loop that
//! forgets it never ends.
//!
//! Tests: here, among them every range that ends with the last port.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::Error;

/// What somebody means by `all`: port 0 is no address that a program listens at.
const ALL: RangeInclusive<u16> = 1..=u16::MAX;

/// Why a text names no set of ports.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PortFault {
    /// Nothing, as a whole or between two commas.
    #[error("nothing stands where a port should; name a port, a range as `1-1000`, or `all`")]
    Empty,
    /// No number, or one that is no port.
    #[error("`{0}` is no port; ports are numbers from 0 to 65535")]
    NotAPort(String),
    /// A range that ends before it begins.
    #[error("the range `{first}-{last}` ends before it begins; write `{last}-{first}`")]
    Reversed {
        /// Where it begins.
        first: u16,
        /// Where it ends.
        last: u16,
    },
    /// A port in two places.
    #[error("port {0} is named twice; name it once")]
    Twice(u16),
}

/// A set of ports that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortSet {
    /// In order, and none touches what another holds.
    runs: Vec<Run>,
    count: u32,
}

/// Ports one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    first: u16,
    last: u16,
    /// How many ports the runs before it hold.
    before: u32,
}

impl PortSet {
    /// Every port but 0.
    pub fn all() -> Self {
        Self {
            count: u32::from(u16::MAX),
            runs: vec![Run {
                first: *ALL.start(),
                last: *ALL.end(),
                before: 0,
            }],
        }
    }

    /// How many ports it holds: up to 65,536.
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// The port at a place, in order from 0.
    pub fn get(&self, place: u32) -> Option<u16> {
        if place >= self.count {
            return None;
        }
        let after = self.runs.partition_point(|run| run.before <= place);
        let run = &self.runs[after.checked_sub(1)?];
        u16::try_from(u32::from(run.first) + (place - run.before)).ok()
    }

    /// All of its ports, in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.runs.iter().flat_map(|run| run.first..=run.last)
    }

    fn of(mut ranges: Vec<RangeInclusive<u16>>) -> Result<Self, PortFault> {
        ranges.sort_unstable_by_key(|range| *range.start());
        let mut runs: Vec<Run> = Vec::with_capacity(ranges.len());
        let mut count = 0;
        for range in ranges {
            let (first, last) = range.into_inner();
            if runs.last().is_some_and(|run| run.last >= first) {
                return Err(PortFault::Twice(first));
            }
            runs.push(Run {
                first,
                last,
                before: count,
            });
            count += u32::from(last) - u32::from(first) + 1;
        }
        Ok(Self { runs, count })
    }
}

impl FromStr for PortSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let ranges: Result<Vec<_>, _> = text.split(',').map(|item| range(item.trim())).collect();
        ranges.and_then(Self::of).map_err(|source| Error::Ports {
            given: text.to_owned(),
            source,
        })
    }
}

fn range(item: &str) -> Result<RangeInclusive<u16>, PortFault> {
    if item == "all" {
        return Ok(ALL);
    }
    let Some((first, last)) = item.split_once('-') else {
        return port(item).map(|port| port..=port);
    };
    let (first, last) = (port(first)?, port(last)?);
    if first > last {
        return Err(PortFault::Reversed { first, last });
    }
    Ok(first..=last)
}

fn port(text: &str) -> Result<u16, PortFault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(PortFault::Empty);
    }
    // `parse` alone would take a sign.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let port = digits.then(|| text.parse().ok()).flatten();
    port.ok_or_else(|| PortFault::NotAPort(text.to_owned()))
}

impl fmt::Display for PortSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, Run { first, last, .. }) in self.runs.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            if first == last {
                write!(f, "{comma}{first}")?;
            } else {
                write!(f, "{comma}{first}-{last}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn fault(text: &str) -> PortFault {
        match text.parse::<PortSet>() {
            Err(Error::Ports { source, given }) => {
                assert_eq!(given, text);
                source
            }
            other => panic!("{text} gave {other:?}"),
        }
    }

    #[test]
    fn every_range_that_ends_with_the_last_port_ends() {
        for first in 0..=u16::MAX {
            let set: PortSet = format!("{first}-65535").parse().unwrap();
            let count = 65_536 - u32::from(first);
            assert_eq!(set.len(), count);
            assert_eq!(set.get(0), Some(first));
            assert_eq!(set.get(count - 1), Some(u16::MAX));
            assert_eq!(set.get(count), None);
            assert_eq!(set.get(u32::MAX), None);
        }
        let all: PortSet = "all".parse().unwrap();
        assert_eq!(all, PortSet::all());
        assert_eq!(all.iter().count(), 65_535);
        assert_eq!("0-65535".parse::<PortSet>().unwrap().iter().count(), 65_536);
    }

    #[test]
    fn what_is_no_set_of_ports_is_told_apart() {
        assert_eq!(fault(""), PortFault::Empty);
        assert_eq!(fault("80,,90"), PortFault::Empty);
        assert_eq!(fault("80-"), PortFault::Empty);
        assert_eq!(fault("-1"), PortFault::Empty);
        let reversed = PortFault::Reversed { first: 9, last: 1 };
        assert_eq!(fault("9-1"), reversed);
        assert_eq!(fault("65536"), PortFault::NotAPort("65536".to_owned()));
        assert_eq!(fault("1-99999"), PortFault::NotAPort("99999".to_owned()));
        assert_eq!(fault("+80"), PortFault::NotAPort("+80".to_owned()));
        assert_eq!(fault("http"), PortFault::NotAPort("http".to_owned()));
        assert_eq!(fault("80,80"), PortFault::Twice(80));
        assert_eq!(fault("50-60,1-55"), PortFault::Twice(50));
        assert_eq!(fault("all,7"), PortFault::Twice(7));
    }

    #[test]
    fn an_error_says_what_did_not_happen_and_what_to_do() {
        let error = "9-1".parse::<PortSet>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "nothing was scanned: `9-1` is no set of ports"
        );
        assert_eq!(
            fault("9-1").to_string(),
            "the range `9-1` ends before it begins; write `1-9`"
        );
    }

    proptest! {
        #[test]
        fn a_set_is_what_was_written(ports in proptest::collection::btree_set(any::<u16>(), 1..40), spans in proptest::collection::vec(0_u16..50, 40)) {
            let mut wanted = BTreeSet::new();
            let mut items = Vec::new();
            for (first, span) in ports.into_iter().zip(spans) {
                let last = first.saturating_add(span);
                if wanted.range(first..=last).next().is_none() {
                    wanted.extend(first..=last);
                    items.insert(items.len() / 2, format!("{first}-{last}"));
                }
            }
            let set: PortSet = items.join(", ").parse().unwrap();
            prop_assert_eq!(set.len() as usize, wanted.len());
            let by_place: Vec<_> = (0..set.len()).map(|place| set.get(place).unwrap()).collect();
            prop_assert_eq!(&by_place, &wanted.into_iter().collect::<Vec<_>>());
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), by_place);
            prop_assert_eq!(set.to_string().parse::<PortSet>().unwrap(), set);
        }
    }
}
