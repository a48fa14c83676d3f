//! Keeps history: what is left of runs when all that grows is taken away, in small files that are never changed.
//!
//! A history is a folder of three kinds of files. A *record* holds the numbers of one run; the *series* they are of and the
//! *environment* they were measured in stand in files of their own, named after their digest, because a thousand records
//! share them. Files are only ever added, each under a name that nothing else can have; so any number of writers can add at
//! once, and whoever is interrupted simply adds again.
//!
//! This crate knows files as names and bytes. Where they lie, and how they get there, is for others.

mod archive;
mod file;
mod keep;

pub use archive::{Archive, Damage, Kept};
pub use file::File;
pub use keep::{NotKept, keep, keep_run};
