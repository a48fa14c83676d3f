//! The files of a history: what they are called, and what tells them apart.
//!
//! Tested through `keep` and `archive`.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use tripline_model::{Digest, EnvironmentName, Record, SuiteName};

/// The folder of the records.
pub(crate) const RECORDS: &str = "records";

/// The folder of the series.
pub(crate) const SERIES: &str = "series";

/// The folder of the environments.
pub(crate) const ENVIRONMENTS: &str = "environments";

/// The folder of the segments.
pub(crate) const SEGMENTS: &str = "segments";

/// The bytes of a digest that are kept: among so few files even a quarter of them would do.
const DIGEST_BYTES: usize = 16;

/// The digits of a record's digest in its name. Beside it stand commit, day, suite and environment.
const NAME_DIGITS: usize = 8;

/// The digits of a commit in a record's name.
const COMMIT_DIGITS: usize = 12;

/// A file of a history.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// Where it lies in the history, with `/` between its parts.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl File {
    /// Names a file after what it holds.
    pub(crate) fn of_content(folder: &str, text: String) -> (Digest, Self) {
        let bytes = text.into_bytes();
        let digest = digest(&bytes);
        let path = format!("{folder}/{digest}.json");
        (digest, Self { path, bytes })
    }

    /// Names a segment after what it holds, in the folder of its suite.
    pub(crate) fn of_segment(suite: &SuiteName, text: String) -> Self {
        Self::of_content(&format!("{SEGMENTS}/{suite}"), text).1
    }

    /// Names a block after what it holds, beside its segment.
    pub(crate) fn of_block(suite: &SuiteName, bytes: Vec<u8>) -> (Digest, Self) {
        let digest = digest(&bytes);
        let path = Self::block_path(suite, &digest);
        (digest, Self { path, bytes })
    }

    /// Returns where a block lies.
    pub(crate) fn block_path(suite: &SuiteName, digest: &Digest) -> String {
        format!("{SEGMENTS}/{suite}/{digest}.parquet")
    }

    /// Names the file of a record: suite, day, commit, environment, and what it holds.
    pub(crate) fn of_record(record: &Record, environment: &EnvironmentName, text: String) -> Self {
        let bytes = text.into_bytes();
        let path = Self::record_path(record, environment, &name_of(&bytes));
        Self { path, bytes }
    }

    /// Returns where a record lies, or would lie.
    pub(crate) fn record_path(
        record: &Record,
        environment: &EnvironmentName,
        name: &Digest,
    ) -> String {
        let day: String = record.measured_at.to_string().chars().take(10).collect();
        let day = day.replace('-', "/");
        let commit = &record.commit.as_str()[..COMMIT_DIGITS];
        let suite = &record.suite;
        format!("{RECORDS}/{suite}/{day}/{commit}-{environment}-{name}.json")
    }
}

/// Returns what tells a record apart in its name.
pub(crate) fn name_of(bytes: &[u8]) -> Digest {
    let digest = digest(bytes);
    let digits = &digest.as_str()[..NAME_DIGITS];
    Digest::new(digits).expect("the digits are hexadecimal")
}

/// Returns the beginning of the SHA-256 of what a file holds.
pub(crate) fn digest(bytes: &[u8]) -> Digest {
    let mut digits = String::with_capacity(2 * DIGEST_BYTES);
    for byte in Sha256::digest(bytes).iter().take(DIGEST_BYTES) {
        write!(digits, "{byte:02x}").expect("writing to a text cannot fail");
    }
    Digest::new(digits).expect("the digits are hexadecimal")
}
