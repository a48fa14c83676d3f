//! Operations on many keys: one after the other, each atomic by itself.

use super::{BatchError, Error, Handle, Store, check};

impl Store {
    /// Returns a handle on the value of each key, in their order.
    #[must_use]
    pub fn get_many(&self, keys: &[&[u8]]) -> Vec<Option<Handle>> {
        keys.iter().map(|key| self.get(key)).collect()
    }

    /// Stores each value under its key, for good. Of a key that comes twice the later value stays.
    ///
    /// # Errors
    ///
    /// When one of the keys or values is too long, nothing is stored. When the memory limit leaves no room for one,
    /// those before it are.
    pub fn set_many(&self, pairs: &[(&[u8], &[u8])]) -> Result<(), BatchError> {
        let failed = |stored| move |source: Error| BatchError { stored, source };
        for (key, value) in pairs {
            check(key, value).map_err(failed(0))?;
        }
        for (stored, (key, value)) in pairs.iter().enumerate() {
            self.set(key, value).map_err(failed(stored))?;
        }
        Ok(())
    }

    /// Removes the keys and their values, and returns how many were there.
    pub fn delete_many(&self, keys: &[&[u8]]) -> usize {
        keys.iter().filter(|key| self.delete(key)).count()
    }
}
