//! A record: a key and what is to know about it, as bytes one after the other.
//!
//! ```text
//! 4 bytes  shape: the lengths of the key and of the value, and what else there is
//! 4 bytes  use: when the key was last used, or how often, if that decides who is evicted
//! 4 bytes  number of the timer, if the key expires
//!          key
//!          value, or the number of a long one
//! ```
//!
//! Tests: that the widest shape keeps its parts.

/// The longest value that stands in the record itself. A longer one is shared: its handle costs less than its copy.
pub(super) const SHORT_BYTES_MAX: usize = 64;

/// The bytes of a number in place of a value.
const NUMBER_BYTES: usize = 4;

/// In place of the number of a timer, until there is one.
const NO_TIMER: u32 = u32::MAX;

const KEY_BITS: u32 = 17;
const VALUE_BITS: u32 = 7;
/// In place of a value's length: the value stands elsewhere.
const LONG: u32 = (1 << VALUE_BITS) - 1;
const EXPIRES: u32 = 1 << (KEY_BITS + VALUE_BITS);
const COUNTS_USES: u32 = EXPIRES << 1;
const DEAD: u32 = COUNTS_USES << 1;

/// What a record is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape(u32);

impl Shape {
    /// Returns the shape of a record that neither expires nor counts its uses. A value without a length is a long one.
    pub(super) fn new(key_bytes: usize, short_bytes: Option<usize>) -> Self {
        let value = short_bytes.map_or(LONG, |bytes| bytes as u32);
        Self(key_bytes as u32 | value << KEY_BITS)
    }

    /// Returns the shape with or without room for a timer.
    pub(super) fn expiring(self, yes: bool) -> Self {
        Self(if yes { self.0 | EXPIRES } else { self.0 })
    }

    /// Returns the shape with or without room for the use.
    pub(super) fn counting_uses(self, yes: bool) -> Self {
        Self(if yes { self.0 | COUNTS_USES } else { self.0 })
    }

    /// Reads the shape of the record that begins the bytes.
    #[inline]
    pub(super) fn of(record: &[u8]) -> Self {
        Self(number(record, 0))
    }

    #[inline]
    fn key_bytes(self) -> usize {
        (self.0 & ((1 << KEY_BITS) - 1)) as usize
    }

    /// Whether the value stands elsewhere.
    pub(super) fn is_long(self) -> bool {
        self.short_bytes().is_none()
    }

    /// Returns the length of a short value.
    #[inline]
    pub(super) fn short_bytes(self) -> Option<usize> {
        let bytes = (self.0 >> KEY_BITS) & LONG;
        (bytes != LONG).then_some(bytes as usize)
    }

    #[inline]
    fn value_bytes(self) -> usize {
        self.short_bytes().unwrap_or(NUMBER_BYTES)
    }

    /// Whether a read has nothing to do but to read.
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        self.0 & (EXPIRES | COUNTS_USES) == 0
    }

    /// Whether there is a timer.
    pub(super) fn expires(self) -> bool {
        self.0 & EXPIRES != 0
    }

    /// Whether there is a use.
    pub(super) fn counts_uses(self) -> bool {
        self.0 & COUNTS_USES != 0
    }

    /// Whether the record is not used any more.
    pub(super) fn is_dead(self) -> bool {
        self.0 & DEAD != 0
    }

    #[inline]
    fn key_start(self) -> usize {
        self.timer_start() + if self.expires() { 4 } else { 0 }
    }

    #[inline]
    fn timer_start(self) -> usize {
        if self.counts_uses() { 8 } else { 4 }
    }

    #[inline]
    fn body_start(self) -> usize {
        self.key_start() + self.key_bytes()
    }

    /// Returns the length of the whole record.
    pub(super) fn bytes(self) -> usize {
        self.body_start() + self.value_bytes()
    }
}

/// A record to read, and whatever follows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record<'a> {
    pub(super) shape: Shape,
    bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// Returns the record that begins the bytes.
    #[inline]
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self {
            shape: Shape::of(bytes),
            bytes,
        }
    }

    #[inline]
    pub(super) fn key(self) -> &'a [u8] {
        let start = self.shape.key_start();
        &self.bytes[start..start + self.shape.key_bytes()]
    }

    /// Returns what the record is made of, and what stands in it for the value with whatever follows.
    #[inline]
    pub(super) fn found(self) -> Found<'a> {
        Found {
            shape: self.shape,
            body: &self.bytes[self.shape.body_start()..],
        }
    }

    /// Returns the use of a key that has one.
    pub(super) fn used(self) -> u32 {
        number(self.bytes, 4)
    }

    /// Returns the number of the timer of a key that expires, once it has one.
    pub(super) fn timer(self) -> Option<u32> {
        let timer = self
            .shape
            .expires()
            .then(|| number(self.bytes, self.shape.timer_start()))?;
        (timer != NO_TIMER).then_some(timer)
    }

    /// Returns the record without what follows.
    pub(super) fn bytes(self) -> &'a [u8] {
        &self.bytes[..self.shape.bytes()]
    }
}

/// What was found under a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'a> {
    pub(super) shape: Shape,
    body: &'a [u8],
}

impl<'a> Found<'a> {
    /// Returns what stands in the record that begins the bytes, if it is that of a key: one look at each part, in their
    /// order, because every read comes here.
    #[inline(always)]
    pub(super) fn under(key: &[u8], record: &'a [u8]) -> Option<Self> {
        let (shape, mut rest) = record.split_first_chunk()?;
        let shape = Shape(u32::from_le_bytes(*shape));
        if !shape.is_plain() {
            rest = record.get(shape.key_start()..)?;
        }
        if shape.key_bytes() != key.len() {
            return None;
        }
        let (its_key, body) = rest.split_at_checked(key.len())?;
        is_same(its_key, key).then_some(Self { shape, body })
    }

    /// Returns a short value and whatever follows it, or the number of a long one.
    #[inline(always)]
    pub(super) fn value(self) -> Result<(usize, &'a [u8]), u32> {
        match self.shape.short_bytes() {
            Some(bytes) => Ok((bytes, self.body)),
            None => Err(self.long()),
        }
    }

    /// Returns the number of a long value.
    #[inline]
    pub(super) fn long(self) -> u32 {
        number(self.body, 0)
    }
}

/// Whether two keys of one length are the same. Those of eight to sixteen bytes, as most are, are compared here: as two
/// numbers that may overlap.
#[inline(always)]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    match (ends(one), ends(other)) {
        (Some(one), Some(other)) => one == other,
        _ => is_same_at_length(one, other),
    }
}

#[inline(never)]
fn is_same_at_length(one: &[u8], other: &[u8]) -> bool {
    one == other
}

/// Returns the first and the last eight of eight to sixteen bytes.
#[inline(always)]
fn ends(bytes: &[u8]) -> Option<[u64; 2]> {
    let (first, last) = (bytes.first_chunk()?, bytes.last_chunk()?);
    (bytes.len() <= 16).then(|| [u64::from_le_bytes(*first), u64::from_le_bytes(*last)])
}

/// What stands in a record for the value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'a> {
    /// The value itself.
    Short(&'a [u8]),
    /// The number of a long one.
    Long(u32),
}

/// Appends a record that was not used yet and has no timer yet.
pub(super) fn append(out: &mut Vec<u8>, shape: Shape, key: &[u8], body: Body<'_>) {
    out.extend_from_slice(&shape.0.to_le_bytes());
    if shape.counts_uses() {
        out.extend_from_slice(&0_u32.to_le_bytes());
    }
    if shape.expires() {
        out.extend_from_slice(&NO_TIMER.to_le_bytes());
    }
    out.extend_from_slice(key);
    match body {
        Body::Short(value) => out.extend_from_slice(value),
        Body::Long(number) => out.extend_from_slice(&number.to_le_bytes()),
    }
}

/// Returns what stands in a record for the value, and whatever follows it.
#[inline]
pub(super) fn body_mut(record: &mut [u8], shape: Shape) -> &mut [u8] {
    &mut record[shape.body_start()..]
}

/// Notes when, or how often, the key was used, where a record has room for that.
pub(super) fn set_used(record: &mut [u8], used: u32) {
    record[4..8].copy_from_slice(&used.to_le_bytes());
}

/// Notes the timer of a key that expires.
pub(super) fn set_timer(record: &mut [u8], timer: u32) {
    let start = Shape::of(record).timer_start();
    record[start..start + NUMBER_BYTES].copy_from_slice(&timer.to_le_bytes());
}

/// Marks a record as not used any more.
pub(super) fn set_dead(record: &mut [u8]) {
    let dead = Shape::of(record).0 | DEAD;
    record[..4].copy_from_slice(&dead.to_le_bytes());
}

#[inline]
fn number(bytes: &[u8], at: usize) -> u32 {
    let mut number = [0; NUMBER_BYTES];
    number.copy_from_slice(&bytes[at..at + NUMBER_BYTES]);
    u32::from_le_bytes(number)
}

#[cfg(test)]
mod tests {
    use super::{
        Body, Found, Record, SHORT_BYTES_MAX, Shape, append, set_dead, set_timer, set_used,
    };
    use crate::store::KEY_BYTES_MAX;

    #[test]
    fn the_widest_record_keeps_its_parts() {
        let key = vec![7; KEY_BYTES_MAX];
        let value = [9; SHORT_BYTES_MAX];
        let shape = Shape::new(key.len(), Some(value.len()))
            .expiring(true)
            .counting_uses(true);
        let mut bytes = Vec::new();
        append(&mut bytes, shape, &key, Body::Short(&value));
        assert_eq!(bytes.len(), shape.bytes());
        set_used(&mut bytes, u32::MAX);
        set_timer(&mut bytes, 123);
        let record = Record::of(&bytes);
        assert_eq!(
            (record.key(), record.found().value()),
            (&key[..], Ok((value.len(), &value[..])))
        );
        assert_eq!((record.used(), record.timer()), (u32::MAX, Some(123)));
        assert!(!record.shape.is_long() && !record.shape.is_dead());
        set_dead(&mut bytes);
        assert!(Shape::of(&bytes).is_dead());
        assert_eq!(Shape::of(&bytes).bytes(), bytes.len());
    }

    #[test]
    fn a_long_value_is_a_number() {
        let shape = Shape::new(1, None).expiring(true);
        let mut bytes = Vec::new();
        append(&mut bytes, shape, b"k", Body::Long(u32::MAX));
        let record = Record::of(&bytes);
        assert!(record.shape.is_long());
        assert_eq!(
            (record.found().value(), record.timer()),
            (Err(u32::MAX), None)
        );
    }

    #[test]
    fn a_record_is_found_under_its_own_key_alone() {
        for plain in [true, false] {
            for len in 0..=40 {
                let key = vec![7; len];
                let shape = Shape::new(len, Some(1)).expiring(!plain);
                let mut bytes = Vec::new();
                append(&mut bytes, shape, &key, Body::Short(b"v"));
                let value = |key: &[u8]| Some(Found::under(key, &bytes)?.value());
                assert_eq!(value(&key), Some(Ok((1, &b"v"[..]))), "{len} bytes");
                for place in 0..len {
                    let mut other = key.clone();
                    other[place] = 8;
                    assert_eq!(value(&other), None, "byte {place} of {len} differs");
                }
                assert_eq!(value(&[&key[..], &[7]].concat()), None);
            }
        }
    }
}
