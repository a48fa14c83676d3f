//! What each operation promises, one by one.

use workload_store::{
    BatchError, Error, Handle, KEY_BYTES_MAX, Shards, Statistics, Store, VALUE_BYTES_MAX,
};

use super::{ms, one_shard};

#[test]
fn set_returns_what_it_replaces() {
    let store = Store::new(Shards::default());
    assert_eq!(store.set(b"k", b"one"), Ok(None));
    let replaced = store.set(b"k", b"two").unwrap();
    assert_eq!(replaced.as_deref(), Some(&b"one"[..]));
    assert_eq!(store.get(b"k").as_deref(), Some(&b"two"[..]));
    assert_eq!(store.len(), 1);
}

/// Short values and long ones: the one is copied into its handle, the other shared.
#[test]
fn a_handle_outlives_overwrite_and_delete() {
    for bytes in [0, 1, 64, 65, 4_096] {
        let (one, two) = (vec![1; bytes], vec![2; bytes]);
        let store = one_shard();
        store.set(b"k", &one).unwrap();
        let handle = store.get(b"k").unwrap();
        store.set(b"k", &two).unwrap();
        assert!(store.delete(b"k"));
        assert_eq!(*handle, one, "{bytes} bytes");
    }
}

#[test]
fn a_long_value_is_read_without_a_copy() {
    let store = one_shard();
    store.set(b"k", &[7; 65]).unwrap();
    let address = |handle: Option<Handle>| handle.unwrap().as_ptr();
    assert_eq!(address(store.get(b"k")), address(store.get(b"k")));
    assert_eq!(store.get_copy(b"k"), Some(vec![7; 65]));
}

#[test]
fn what_is_not_there_is_not_found() {
    let store = Store::new(Shards::default());
    assert!(store.is_empty());
    assert_eq!(store.get(b"k"), None);
    assert_eq!(store.get_copy(b"k"), None);
    assert!(!store.exists(b"k") && !store.delete(b"k"));
    store.set(b"k", b"").unwrap();
    assert!(!store.is_empty() && store.exists(b"k"));
    assert_eq!(store.get(b"").as_deref(), None);
    assert_eq!(store.get(b"k").as_deref(), Some(&b""[..]));
}

#[test]
fn the_longest_key_and_value_are_stored() {
    let store = one_shard();
    let (key, value) = (vec![1; KEY_BYTES_MAX], vec![2; VALUE_BYTES_MAX]);
    assert_eq!(store.set(&key, &value), Ok(None));
    assert!(store.get(&key).is_some_and(|found| *found == value));
    assert_eq!(store.expire_in(&key, ms(1)), Ok(true));
    assert_eq!(store.persist(&key), Ok(true));
    assert!(store.get(&key).is_some_and(|found| *found == value));
    assert!(store.delete(&key));
    assert_eq!(store.statistics().bytes, 0);
}

#[test]
fn one_byte_more_is_refused_and_changes_nothing() {
    let store = one_shard();
    let (key, value) = (vec![1; KEY_BYTES_MAX + 1], vec![2; VALUE_BYTES_MAX + 1]);
    let long_key = Error::KeyTooLong(KEY_BYTES_MAX + 1);
    let long_value = Error::ValueTooLong(VALUE_BYTES_MAX + 1);
    store.set(b"k", b"v").unwrap();
    assert_eq!(store.set(&key, b"v"), Err(long_key));
    assert_eq!(store.set_for(&key, b"v", ms(1)), Err(long_key));
    assert_eq!(store.incr(&key, 1), Err(long_key));
    assert_eq!(store.set(b"k", &value), Err(long_value));
    assert_eq!(store.set_for(b"k", &value, ms(1)), Err(long_value));
    assert_eq!((store.get(&key), store.exists(&key)), (None, false));
    assert_eq!(store.expire_in(&key, ms(1)), Ok(false));
    assert_eq!(store.get(b"k").as_deref(), Some(&b"v"[..]));
    assert_eq!(
        long_key.to_string(),
        "nothing was stored: the key has 65537 bytes, and the limit is 65536; use a digest of it"
    );
    assert_eq!(
        long_value.to_string(),
        "nothing was stored: the value has 16777217 bytes, and the limit is 16777216; split it"
    );
}

#[test]
fn a_batch_with_something_too_long_stores_nothing() {
    let store = one_shard();
    let key = vec![1; KEY_BYTES_MAX + 1];
    let stored = store.set_many(&[(b"k", b"v"), (&key, b"v")]);
    let source = Error::KeyTooLong(KEY_BYTES_MAX + 1);
    assert_eq!(stored, Err(BatchError { stored: 0, source }));
    assert!(store.is_empty());
}

#[test]
fn only_numbers_can_be_counted() {
    let store = one_shard();
    for value in ["", " 1", "1.5", "green", "9223372036854775808"] {
        store.set(b"k", value.as_bytes()).unwrap();
        assert_eq!(store.incr(b"k", 1), Err(Error::NotANumber), "{value:?}");
        assert_eq!(store.get(b"k").as_deref(), Some(value.as_bytes()));
    }
    store.set(b"k", &[b'1'; 5_000]).unwrap();
    assert_eq!(store.decr(b"k", 1), Err(Error::NotANumber));
    store.set(b"k", b"\xff").unwrap();
    assert_eq!(store.decr(b"k", 1), Err(Error::NotANumber));
    assert_eq!(
        Error::NotANumber.to_string(),
        "nothing was counted: the value is not a whole number between -9223372036854775808 and 9223372036854775807 \
         in decimal digits; set one first"
    );
}

#[test]
fn a_sum_out_of_range_leaves_the_number() {
    let store = one_shard();
    assert_eq!(store.incr(b"k", i64::MAX), Ok(i64::MAX));
    let overflow = Error::Overflow { number: i64::MAX };
    assert_eq!(store.incr(b"k", 1), Err(overflow));
    assert_eq!(store.decr(b"k", -1), Err(overflow));
    assert_eq!(store.decr(b"k", i64::MAX), Ok(0));
    assert_eq!(store.incr(b"k", i64::MIN), Ok(i64::MIN));
    assert_eq!(store.decr(b"k", i64::MIN), Ok(0));
    assert_eq!(
        store.decr(b"k", i64::MIN),
        Err(Error::Overflow { number: 0 })
    );
    assert_eq!(store.get(b"k").as_deref(), Some(&b"0"[..]));
}

/// The numbers of every kind of operation; the model checks the rest.
#[test]
fn statistics_count_reads_and_writes() {
    let store = Store::new(Shards::default());
    store.set(b"a", b"1").unwrap();
    store.incr(b"a", 1).unwrap();
    let _hits_and_miss = store.get_many(&[b"a", b"a", b"b"]);
    assert!(store.exists(b"a") && store.delete(b"a"));
    let expected = Statistics {
        hits: 2,
        misses: 1,
        writes: 2,
        deleted: 1,
        ..Statistics::default()
    };
    assert_eq!(store.statistics(), expected);
}

/// Records that are written and dropped again and again: the chunks they leave behind are used again, and what stays
/// is found after it has moved.
#[test]
fn records_survive_being_moved() {
    let store = one_shard();
    let value = |round: usize, number: usize| vec![number as u8; (round * 7 + number) % 64];
    for round in 0..40 {
        for number in 0..3_000 {
            let key = format!("key:{number:08}");
            if number % 3 == 0 {
                store.set_for(
                    key.as_bytes(),
                    &value(round, number),
                    ms(1_000 + round as u64),
                )
            } else {
                store.set(key.as_bytes(), &value(round, number))
            }
            .unwrap();
        }
    }
    for number in 0..3_000 {
        let found = store.get(format!("key:{number:08}").as_bytes()).unwrap();
        assert_eq!(*found, value(39, number));
    }
    store.advance(ms(1_038));
    assert_eq!(store.remove_expired(usize::MAX), 0);
    store.advance(ms(1_039));
    assert_eq!(store.remove_expired(usize::MAX), 1_000);
    assert_eq!(store.scan(b"key:").count(), 2_000);
}
