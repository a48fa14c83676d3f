//! The perf protocol, on one substream: the client says how many bytes it uploads and uploads them, then how many it
//! wants, and downloads them. Numbers are eight bytes, the highest first.
//!
//! The protocol confirms nothing. But the server reads what is wanted after the upload alone, so the first byte of a
//! download says that the upload has arrived: [`Direction::Upload`] asks for one byte back. That is how uploads are
//! confirmed by any server that speaks this protocol. Where nothing is asked back, the end of the substream has to do, and a
//! server that ends it without having read confirms a small upload all the same. A byte that comes while an upload still is
//! being written is an error; one that a server sends before it reads, when all of a small upload is on its way, looks like
//! a confirmation.

mod answer;
mod ask;
mod number;
mod open;
pub(crate) mod payload;

pub use answer::Served;
pub(crate) use answer::Serving;
pub(crate) use ask::Asking;
pub use ask::Times;
pub(crate) use open::Opening;

/// What is spoken on a substream.
pub const PROTOCOL: &str = "/litep2p-perf/1.0.0";

/// How many bytes go which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// To the server.
    pub upload: u64,
    /// From the server.
    pub download: u64,
}

/// Which way is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// To the server, until it has confirmed all.
    Upload,
    /// From the server, until all has arrived.
    Download,
}

impl Direction {
    /// What moves so many bytes this way.
    pub const fn of(self, bytes: u64) -> Exchange {
        match self {
            Self::Upload => Exchange {
                upload: bytes,
                download: 1,
            },
            Self::Download => Exchange {
                upload: 0,
                download: bytes,
            },
        }
    }
}
