//! A value of the store: a shared handle on bytes that never change.
//!
//! Readers keep the handle for as long as they like; an overwrite puts another value in its place and leaves theirs
//! alone. Tests: that a copy of the handle is no copy of the bytes.

use std::ops::Deref;
use std::sync::Arc;

/// Bytes that are shared, not copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value(Arc<[u8]>);

impl Value {
    /// Copies the bytes into a value, in one allocation.
    pub(crate) fn copied(bytes: &[u8]) -> Self {
        Self(Arc::from(bytes))
    }
}

impl Deref for Value {
    type Target = [u8];

    /// Returns the bytes.
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn a_clone_shares_the_bytes() {
        let value = Value::copied(b"green");
        let clone = value.clone();
        assert_eq!(clone.as_ptr(), value.as_ptr());
        assert_eq!(&*clone, b"green");
    }
}
