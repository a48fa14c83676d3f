//! Datagrams from strangers, and from a peer that holds the keys and does what it must not.

use std::time::Duration;

use workload_transport::{Settings, World};

use crate::pair::{MILLISECOND, ONE, Pair, TWO, content};

/// What two sides that talk have put on the line.
fn overheard(pair: &mut Pair) -> Vec<Vec<u8>> {
    let mut datagrams = Vec::new();
    for length in [10, 2_000, 0] {
        pair.send(ONE, content(length, 1));
        let now = pair.world.now();
        let mut out = Vec::new();
        while let Some(sent) = pair.world.endpoint(ONE).poll_transmit(now, 44, &mut out) {
            let start = out.len() - sent.bytes;
            datagrams.extend(out[start..].chunks(sent.segment).map(<[u8]>::to_vec));
        }
    }
    datagrams
}

#[test]
fn a_million_hostile_datagrams_change_nothing() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut pair = Pair::connected(MILLISECOND);
    let mut kept = overheard(&mut pair);
    // A first message as well.
    let now = pair.world.now();
    let mut out = Vec::new();
    pair.connect();
    let first = pair
        .world
        .endpoint(ONE)
        .poll_transmit(now, 1, &mut out)
        .unwrap();
    kept.push(out[..first.bytes].to_vec());
    for round in 0..1_000_000_u32 {
        let from = World::address(random.u16(..));
        let mut datagram = kept[random.usize(..kept.len())].clone();
        match round % 4 {
            0 => datagram.truncate(random.usize(..datagram.len())),
            1 => {
                let at = random.usize(..datagram.len());
                datagram[at] ^= 1 << random.u8(..8);
            }
            2 => {
                let start = random.usize(..datagram.len().min(20));
                datagram[start..].fill_with(|| random.u8(..));
            }
            _ => datagram = vec![random.u8(..4); random.usize(..60)],
        }
        pair.world.inject(TWO, from, &datagram);
        if round % 1_000 == 0 {
            pair.world.run(MILLISECOND);
        }
    }
    let two = pair.world.endpoint(TWO);
    assert!(two.connections() <= 1 + Settings::default().half_open_max);
    pair.run(Duration::from_secs(12));
    assert_eq!(pair.seen.each_ref().map(|seen| seen.ended), [None; 2]);
    assert_eq!(pair.messages(TWO).len(), 3);
    let id = pair.id(TWO);
    let statistics = pair.world.endpoint(TWO).statistics(id).unwrap();
    assert!(statistics.refused > 100_000, "{statistics:?}");
    assert_eq!(statistics.migrations, 0);
    // The first side went on with its second connection, and nobody with the rest.
    assert_eq!(pair.world.endpoint(TWO).connections(), 2);
}

#[test]
fn what_is_replayed_is_refused() {
    let mut pair = Pair::connected(MILLISECOND);
    let kept = overheard(&mut pair);
    let address = World::address(ONE as u16);
    for _ in 0..3 {
        for datagram in &kept {
            pair.world.inject(TWO, address, datagram);
        }
    }
    pair.run(Duration::from_secs(1));
    let id = pair.id(TWO);
    let statistics = pair.world.endpoint(TWO).statistics(id).unwrap();
    assert_eq!(statistics.repeated, 2 * kept.len() as u64);
    assert_eq!(pair.messages(TWO).len(), 3);
    for datagram in &kept {
        pair.world.inject(TWO, World::address(5), datagram);
    }
    let after = pair.world.endpoint(TWO).statistics(id).unwrap();
    assert_eq!(
        (after.repeated, after.migrations),
        (3 * kept.len() as u64, 0)
    );
}
