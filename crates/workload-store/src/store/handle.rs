//! What a read returns: the bytes of a value, for as long as the reader likes.
//!
//! An overwrite leaves the handles of others alone. A short value is copied into its handle, because that is cheaper
//! than to count who holds it; of a long one the handle is a share. Tests: the two forms are equal if their bytes are.

use std::fmt;
use std::ops::Deref;

use super::record::SHORT_BYTES_MAX;
use super::state::New;
use crate::Value;

/// A value as it was when it was read.
#[derive(Clone)]
pub struct Handle(Form);

#[derive(Clone)]
enum Form {
    Short {
        len: u8,
        bytes: [u8; SHORT_BYTES_MAX],
    },
    Long(Value),
}

impl Handle {
    /// Copies the short value that begins the bytes.
    #[inline]
    pub(super) fn short(len: usize, from: &[u8]) -> Option<Self> {
        // Where it can be, the longest short value is copied whatever the length: that is a few instructions, and not
        // a call. Nobody sees what is behind the value.
        let Some(&bytes) = from.first_chunk() else {
            return Self::short_and_last(from.get(..len)?);
        };
        let len = len as u8;
        Some(Self(Form::Short { len, bytes }))
    }

    /// Copies the short value that begins the bytes, and writes another of that length in its place.
    #[inline(always)]
    pub(super) fn replace_short(place: &mut [u8], value: &[u8]) -> Option<Self> {
        let previous = Self::short(value.len(), place);
        place[..value.len()].copy_from_slice(value);
        previous
    }

    /// Copies a short value with nothing much behind it. A function of its own, lest the other way to make a handle
    /// makes it where this one does and moves it.
    #[cold]
    #[inline(never)]
    fn short_and_last(value: &[u8]) -> Option<Self> {
        let mut bytes = [0; SHORT_BYTES_MAX];
        bytes[..value.len()].copy_from_slice(value);
        let len = value.len() as u8;
        Some(Self(Form::Short { len, bytes }))
    }

    /// Takes a share of a long value.
    #[inline]
    pub(super) const fn long(value: Value) -> Self {
        Self(Form::Long(value))
    }

    /// Returns the same value, ready to be stored.
    pub(super) fn as_new(&self) -> New<'_> {
        match &self.0 {
            Form::Short { .. } => New::Short(self),
            Form::Long(value) => New::Long(value.clone()),
        }
    }
}

impl Deref for Handle {
    type Target = [u8];

    /// Returns the bytes.
    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Form::Short { len, bytes } => &bytes[..usize::from(*len)],
            Form::Long(value) => value,
        }
    }
}

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Handle {}

impl fmt::Debug for Handle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::{Handle, SHORT_BYTES_MAX};
    use crate::Value;

    #[test]
    fn handles_are_equal_by_their_bytes() {
        let short = Handle::short(5, b"green").unwrap();
        assert_eq!(short, Handle::long(Value::copied(b"green")));
        assert_ne!(short, Handle::short(6, b"green ").unwrap());
        // What stands behind the value does not count.
        assert_eq!(
            short,
            Handle::short(5, &[b"green".as_slice(), &[7; 100]].concat()).unwrap()
        );
        assert_eq!(format!("{short:?}"), format!("{:?}", b"green"));
    }

    #[test]
    fn a_short_value_of_any_length_is_replaced_and_nothing_behind_it() {
        for behind in [0, 100] {
            for len in 0..=SHORT_BYTES_MAX {
                let before: Vec<u8> = (0..len).map(|byte| byte as u8).collect();
                let after: Vec<u8> = before.iter().map(|byte| byte + 100).collect();
                let rest = vec![255; behind];
                let mut place = [&before[..], &rest].concat();
                let previous = Handle::replace_short(&mut place, &after);
                assert_eq!(previous.as_deref(), Some(&before[..]));
                assert_eq!(place, [after, rest].concat(), "{len} bytes");
            }
        }
    }
}
