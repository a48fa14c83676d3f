//! Keys that expire, with a clock that the tests move.

use std::time::Duration;

use workload_store::{Error, Shards, Store, TimeToLive};

use super::{ms, one_shard};

#[test]
fn a_key_is_there_until_its_deadline_and_not_at_it() {
    let store = one_shard();
    store.advance(ms(1_000));
    store.set_for(b"k", b"v", ms(10)).unwrap();
    store.advance(ms(1_009));
    assert!(store.get(b"k").is_some());
    assert_eq!(store.time_to_live(b"k"), Some(TimeToLive::Left(ms(1))));
    store.advance(ms(1_010));
    assert_eq!(store.len(), 1);
    assert_eq!(store.scan(b"").count(), 0);
    assert_eq!(store.get(b"k"), None);
    assert_eq!(store.len(), 0);
    assert_eq!(store.statistics().expired, 1);
}

#[test]
fn the_clock_never_goes_back() {
    let store = one_shard();
    store.set_for(b"k", b"v", ms(10)).unwrap();
    store.advance(ms(10));
    store.advance(ms(0));
    assert!(!store.exists(b"k"));
}

#[test]
fn time_is_rounded_so_that_no_key_expires_early() {
    let store = one_shard();
    store.set_for(b"k", b"v", Duration::from_nanos(1)).unwrap();
    store.advance(Duration::from_nanos(999_999));
    assert!(store.exists(b"k"));
    store.advance(ms(1));
    assert!(!store.exists(b"k"));
}

#[test]
fn what_a_write_does_to_the_deadline() {
    let store = one_shard();
    let left = |milliseconds| Some(TimeToLive::Left(ms(milliseconds)));
    store.set_for(b"k", b"1", ms(10)).unwrap();
    store.incr(b"k", 99).unwrap();
    assert_eq!(store.time_to_live(b"k"), left(10));
    store.set_for(b"k", b"1", ms(20)).unwrap();
    assert_eq!(store.time_to_live(b"k"), left(20));
    assert_eq!(store.expire_in(b"k", ms(5)), Ok(true));
    assert_eq!(store.time_to_live(b"k"), left(5));
    store.set(b"k", b"1").unwrap();
    assert_eq!(store.time_to_live(b"k"), Some(TimeToLive::Persistent));
    assert_eq!(store.persist(b"k"), Ok(false));
    store.advance(ms(100));
    assert!(store.exists(b"k"));
}

#[test]
fn the_longest_time_to_live_is_for_ever() {
    let store = one_shard();
    store.advance(ms(1));
    store.set_for(b"k", b"v", Duration::MAX).unwrap();
    store.advance(ms(u64::MAX - 1));
    assert!(store.exists(b"k"));
    assert_eq!(store.remove_expired(9), 0);
}

#[test]
fn no_time_to_live_is_refused() {
    let store = one_shard();
    store.set(b"k", b"v").unwrap();
    assert_eq!(store.set_for(b"k", b"w", ms(0)), Err(Error::NoTimeToLive));
    assert_eq!(store.expire_in(b"k", ms(0)), Err(Error::NoTimeToLive));
    assert_eq!(store.get(b"k").as_deref(), Some(&b"v"[..]));
}

/// Live keys in front never hide expired ones, and a budget is kept.
#[test]
fn all_that_expired_is_removed_a_budget_at_a_time() {
    let store = Store::new(Shards::default());
    for number in 0..10_000_u64 {
        let key = number.to_string();
        let left = if number % 10 == 0 {
            ms(50)
        } else {
            ms(1_000_000)
        };
        store.set_for(key.as_bytes(), b"v", left).unwrap();
    }
    store.advance(ms(50));
    assert_eq!(store.remove_expired(0), 0);
    assert_eq!(store.remove_expired(400), 400);
    assert_eq!(store.len(), 9_600);
    assert_eq!(store.remove_expired(400), 400);
    assert_eq!(store.remove_expired(400), 200);
    assert_eq!(store.remove_expired(400), 0);
    assert_eq!(store.len(), 9_000);
    assert_eq!(store.statistics().expiring, 9_000);
}
