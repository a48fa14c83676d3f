//! The bodies of the benchmarks: one pass of an operation over all keys.
//!
//! Each hands what the operation returned to `see`. A bench passes a function that keeps the compiler from dropping
//! the work; the answers pass one that folds it into a digest. So the digest costs the benches nothing, and is still
//! taken over the very loop that they measure. Tests: what each pass returns and leaves behind.

use workload_store::{Handle, Store};

use crate::Inputs;

/// Why a set never fails here.
const FITS: &str = "no input is as long as the store's limits";

/// Reads every key.
pub fn get(store: &Store, inputs: &Inputs, mut see: impl FnMut(Option<Handle>)) {
    for key in inputs.keys() {
        see(store.get(key));
    }
}

/// Sets every key to its first value.
pub fn set(store: &Store, inputs: &Inputs, mut see: impl FnMut(Option<Handle>)) {
    for (key, value) in inputs.pairs() {
        see(store.set(key, value).expect(FITS));
    }
}

/// Sets every key to its second value.
pub fn overwrite(store: &Store, inputs: &Inputs, mut see: impl FnMut(Option<Handle>)) {
    for (key, value) in inputs.new_pairs() {
        see(store.set(key, value).expect(FITS));
    }
}

/// Deletes every key.
pub fn delete(store: &Store, inputs: &Inputs, mut see: impl FnMut(bool)) {
    for key in inputs.keys() {
        see(store.delete(key));
    }
}

#[cfg(test)]
mod tests {
    use super::{delete, get, overwrite, set};
    use crate::{Inputs, VALUE_BYTES};

    #[test]
    fn get_finds_every_key_with_its_value() {
        for bytes in VALUE_BYTES {
            let inputs = Inputs::smoke(bytes);
            let mut found = Vec::new();
            get(&inputs.filled_store(), &inputs, |value| {
                found.push(value.expect("every key is in the store"));
            });
            assert!(
                found
                    .iter()
                    .map(|value| &**value)
                    .eq(inputs.pairs().map(|(_, value)| value))
            );
        }
    }

    #[test]
    fn set_replaces_nothing_and_stores_every_pair() {
        for bytes in VALUE_BYTES {
            let inputs = Inputs::smoke(bytes);
            let store = inputs.empty_store();
            set(&store, &inputs, |previous| assert_eq!(previous, None));
            assert_eq!(store.len(), inputs.len());
            assert!(
                inputs
                    .pairs()
                    .all(|(key, value)| store.get(key).as_deref() == Some(value))
            );
        }
    }

    #[test]
    fn overwrite_replaces_every_value() {
        for bytes in VALUE_BYTES {
            let inputs = Inputs::smoke(bytes);
            let store = inputs.filled_store();
            let mut replaced = Vec::new();
            overwrite(&store, &inputs, |value| {
                replaced.push(value.expect("every key is in the store"));
            });
            assert!(
                replaced
                    .iter()
                    .map(|value| &**value)
                    .eq(inputs.pairs().map(|(_, value)| value))
            );
            assert_eq!(store.len(), inputs.len());
            assert!(
                inputs
                    .new_pairs()
                    .all(|(key, value)| store.get(key).as_deref() == Some(value))
            );
        }
    }

    #[test]
    fn delete_finds_every_key_and_leaves_none() {
        for bytes in VALUE_BYTES {
            let inputs = Inputs::smoke(bytes);
            let store = inputs.filled_store();
            let mut deleted = 0;
            delete(&store, &inputs, |found| deleted += usize::from(found));
            assert_eq!(deleted, inputs.len());
            assert!(store.is_empty());
        }
    }
}
