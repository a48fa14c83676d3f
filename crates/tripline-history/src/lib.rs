//! Keeps history: what is left of runs when all that grows is taken away, in small files that are never changed.
//!
//! A history is a folder of a few kinds of files. A *record* holds the numbers of one run; the *series* they are of and the
//! *environment* they were measured in stand in files of their own, named after their digest, because a thousand records
//! share them. Files are only ever added, each under a name that nothing else can have; so any number of writers can add at
//! once, and whoever is interrupted simply adds again. Records that nothing will be added between are put into *segments*,
//! whose *blocks* hold numbers by series; only then may their files go.
//!
//! This crate knows files as names and bytes. Where they lie, and how they get there, is for others.

mod archive;
mod file;
mod keep;
mod query;
mod segment;

pub use archive::{Archive, Damage, Kept, Listed, Plain, Spent, is_block};
pub use file::File;
pub use keep::{NotKept, SEGMENT_RUNS, keep, keep_closed, keep_run};
pub use query::{Answer, Line, Pair, Placed, Places, Query, Total};
