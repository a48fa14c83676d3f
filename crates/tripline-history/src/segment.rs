//! Segments: closed parts of a history, whose numbers stand in columns instead of a file for each record.
//!
//! A segment is one file that names its records and says everything but numbers, and *blocks*, which are Parquet. In a
//! block the points of a series follow one another in the order of the records, so that what is alike lies together; a
//! block is small enough for a repository, and is made of row groups of whole series, each of which is read alone. All
//! of them are named after what they hold, and the same records give the same bytes. A record in a segment keeps the name
//! that its file has or would have: whoever meets both knows that they are one.

mod columns;
mod pack;
mod unpack;

pub(crate) use columns::{Row, Rows};
pub(crate) use pack::{Member, pack};
pub(crate) use unpack::{Unpacked, unpack};
