//! The suite of the in-memory store.
