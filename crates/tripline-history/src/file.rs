//! The files of a history: what they are called, and what tells them apart.
//!
//! Tested through `keep` and `archive`.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use tripline_model::{Digest, EnvironmentName, Record};

/// The folder of the records.
pub(crate) const RECORDS: &str = "records";

/// The folder of the series.
pub(crate) const SERIES: &str = "series";

/// The folder of the environments.
pub(crate) const ENVIRONMENTS: &str = "environments";

/// The bytes of a digest that are kept: among so few files even a quarter of them would do.
const DIGEST_BYTES: usize = 16;

/// The digits of a record's digest in its name. Beside it stand commit, day, suite and environment.
const NAME_DIGITS: usize = 8;

/// The digits of a commit in a record's name.
const COMMIT_DIGITS: usize = 12;

/// A file of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Where it lies in the history, with `/` between its parts.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl File {
    /// Names a file after what it holds.
    pub(crate) fn of_content(folder: &str, text: String) -> (Digest, Self) {
        let digest = digest(&text);
        let path = format!("{folder}/{digest}.json");
        (digest, Self { path, text })
    }

    /// Names the file of a record: suite, day, commit, environment, and what it holds.
    pub(crate) fn of_record(record: &Record, environment: &EnvironmentName, text: String) -> Self {
        let day: String = record.measured_at.to_string().chars().take(10).collect();
        let day = day.replace('-', "/");
        let commit = &record.commit.as_str()[..COMMIT_DIGITS];
        let digest = digest(&text);
        let digest = &digest.as_str()[..NAME_DIGITS];
        let path = format!(
            "{RECORDS}/{}/{day}/{commit}-{environment}-{digest}.json",
            record.suite
        );
        Self { path, text }
    }
}

/// Returns the beginning of the SHA-256 of a text.
pub(crate) fn digest(text: &str) -> Digest {
    let mut digits = String::with_capacity(2 * DIGEST_BYTES);
    for byte in Sha256::digest(text.as_bytes()).iter().take(DIGEST_BYTES) {
        write!(digits, "{byte:02x}").expect("writing to a text cannot fail");
    }
    Digest::new(digits).expect("the digits are hexadecimal")
}
