//! Why an artifact is not taken. Tested in `tests/hub/artifact`.

use crate::names::CommitId;
use crate::text::shown;

/// The most characters of somebody's own text that a message repeats.
const CHARS_MAX: usize = 80;

/// Says what is wrong with an artifact.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The run has uploaded nothing of that name.
    #[error("the run has no artifact of that name")]
    Missing,
    /// There is none of that number, or it is none of what is looked for.
    #[error("no run of this repository on {} left one of that number", head.short())]
    Foreign {
        /// The commit it should be of.
        head: CommitId,
    },
    /// GitHub has thrown it away.
    #[error("it has expired")]
    Expired,
    /// It is too large to be downloaded.
    #[error("it is larger than {bytes_max} bytes{}", said(*bytes))]
    ZipTooLarge {
        /// How large GitHub says it is.
        bytes: Option<u64>,
        /// The most that is taken.
        bytes_max: u64,
    },
    /// It is no zip file of a single entry and nothing else.
    #[error("it is no zip file as runners make it: {why}")]
    Malformed {
        /// Where it differs.
        why: String,
    },
    /// There is more than one thing in it, or nothing.
    #[error("there are {entries} entries in it instead of one")]
    Entries {
        /// How many there are.
        entries: u16,
    },
    /// The one thing in it has another name.
    #[error("the file in it is called `{name}` instead of `{wanted}`")]
    Name {
        /// Its name, safe to show.
        name: String,
        /// Its right name.
        wanted: String,
    },
    /// The one thing in it wants to lie somewhere else than where it is unpacked.
    #[error("the file in it is called `{name}`, which leads out of its folder")]
    Path {
        /// Its name, safe to show.
        name: String,
    },
    /// The one thing in it is a link, a folder or a device.
    #[error("what is in it is no regular file")]
    NoFile,
    /// It takes a password.
    #[error("it is encrypted")]
    Encrypted,
    /// It is packed in a way that runners do not use.
    #[error("it is packed by a method that runners do not use")]
    Method,
    /// The file is too large.
    #[error("the file in it is larger than {bytes_max} bytes")]
    FileTooLarge {
        /// The most that is taken.
        bytes_max: u64,
    },
}

fn said(bytes: Option<u64>) -> String {
    bytes.map_or(String::new(), |bytes| format!(": {bytes}"))
}

impl Refusal {
    /// Says where a zip file differs from what runners make.
    pub(super) fn malformed(why: &str) -> Self {
        Self::Malformed {
            why: shown(why, CHARS_MAX),
        }
    }

    /// Says what is wrong with a name.
    pub(super) fn name(name: &[u8], wanted: &str) -> Self {
        let text = String::from_utf8_lossy(name);
        let leads_out = text.starts_with(['/', '\\'])
            || text.contains(':')
            || text.split(['/', '\\']).any(|part| part == "..");
        let name = shown(&text, CHARS_MAX);
        if leads_out {
            Self::Path { name }
        } else {
            let wanted = wanted.to_owned();
            Self::Name { name, wanted }
        }
    }
}
