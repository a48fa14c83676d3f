//! Damage at random places: never a panic, and never other bytes than those that were packed.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use tripline_hub::artifact::unpack;

use crate::support::{Entry, Zip, deflated, same_each_time};

const NAME: &str = "report.jsonl";
const MAX: u64 = 100_000;

/// The same file, packed and not.
static ZIPS: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    [
        deflated(NAME, PACKED.as_bytes()),
        Zip::of(Entry::stored(NAME, PACKED.as_bytes())).bytes(),
    ]
});

/// What is in it.
static PACKED: LazyLock<String> = LazyLock::new(|| {
    let lines = (0..60).map(|number| format!("{{\"bench\":\"kv/{number}\"}}\n"));
    lines.collect()
});

/// Returns whether it was refused, or taken for what it was before it was damaged.
fn is_safe(zip: &[u8]) -> bool {
    unpack(zip, NAME, MAX).map_or(true, |bytes| bytes == PACKED.as_bytes())
}

#[test]
fn cut_anywhere() {
    for zip in &*ZIPS {
        for end in 0..zip.len() {
            unpack(&zip[..end], NAME, MAX).expect_err("it is cut at its end");
            unpack(&zip[end + 1..], NAME, MAX).expect_err("it is cut at its beginning");
        }
    }
}

#[test]
fn one_byte_wrong_anywhere() {
    for zip in &*ZIPS {
        for at in 0..zip.len() {
            for change in [1, 0x80, 0xff] {
                let mut zip = zip.clone();
                zip[at] ^= change;
                assert!(is_safe(&zip), "{at} {change}");
            }
        }
    }
}

proptest! {
    #![proptest_config(same_each_time())]

    #[test]
    fn many_bytes_wrong(which in 0..2_usize, hits in prop::collection::vec((any::<Index>(), any::<u8>()), 1..12)) {
        let mut zip = ZIPS[which].clone();
        for (at, byte) in hits {
            let at = at.index(zip.len());
            zip[at] = byte;
        }
        prop_assert!(is_safe(&zip));
    }

    #[test]
    fn headers_full_of_wrong_numbers(which in 0..2_usize, hits in prop::collection::vec((0..90_usize, any::<u8>()), 1..6)) {
        let mut zip = ZIPS[which].clone();
        let bytes = zip.len();
        for (at, byte) in hits {
            // The first half of the places lies in the header before the data, the rest at the end.
            let at = if at < 30 { at } else { bytes - (at - 29) };
            zip[at] = byte;
        }
        prop_assert!(is_safe(&zip));
    }

    #[test]
    fn parts_left_out_or_twice(which in 0..2_usize, from in any::<Index>(), to in any::<Index>(), twice in any::<bool>()) {
        let zip = &ZIPS[which];
        let (from, to) = (from.index(zip.len()), to.index(zip.len()));
        let (from, to) = (from.min(to), from.max(to));
        let middle = if twice { &zip[from..to] } else { &[] };
        let head = if twice { &zip[..to] } else { &zip[..from] };
        let damaged = [head, middle, &zip[to..]].concat();
        prop_assert!(is_safe(&damaged));
    }

    #[test]
    fn anything_at_all(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(unpack(&bytes, NAME, MAX).is_err());
    }
}
