//! Stored formats. This is the only place in the workspace that serializes stored data.
//!
//! Each version is frozen once released: a later version is a new module beside it, and the old one stays, so that an
//! old file is read for ever. The types here are apart from the vocabulary's on purpose.

pub mod v1;

pub use v1::{
    ReadError, acceptances_schema, history_schema, read_acceptances, read_environment, read_record,
    read_report, read_run, read_segment, read_series, report_schema, run_schema, write_acceptances,
    write_environment, write_record, write_report, write_run, write_segment, write_series,
};
