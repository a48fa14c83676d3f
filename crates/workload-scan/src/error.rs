//! Why a scan did not do what it was asked to.

use std::io;
use std::path::PathBuf;

use crate::plan::PLACES_MAX;
use crate::ports::PortFault;
use crate::store::StoreFault;
use crate::targets::TargetFault;

/// Why something did not happen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The ports to be asked for make no sense.
    #[error("nothing was scanned: `{given}` is no set of ports")]
    Ports {
        /// As they were given.
        given: String,
        /// What is wrong.
        source: PortFault,
    },
    /// The targets make no sense, or have no address.
    #[error("nothing was scanned: `{given}` names no targets")]
    Targets {
        /// As they were given.
        given: String,
        /// What is wrong.
        source: TargetFault,
    },
    /// More than a scan has room for.
    #[error(
        "nothing was scanned: {targets} targets with {ports} ports each are more than the {PLACES_MAX} that one scan \
         has room for; split it"
    )]
    TooMany {
        /// How many targets.
        targets: usize,
        /// How many ports of each.
        ports: u32,
    },
    /// No such template.
    #[error("nothing was scanned: `{0}` is no template; they are T0 to T5")]
    Template(String),
    /// An engine that cannot work here.
    #[error("nothing was scanned: the engine `{engine}` does not work here; {advice}")]
    Engine {
        /// Which.
        engine: &'static str,
        /// What to do.
        advice: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused in the middle.
    #[error(
        "the scan was not finished: the system refused to go on; what was found is reported as partial"
    )]
    Refused(#[source] io::Error),
    /// This machine was out of something for too long.
    #[error(
        "the scan was not finished: one probe found this machine short of sockets, ports or memory {0} times; free some, or \
         press less hard"
    )]
    Short(u32),
    /// A thread that panicked.
    #[error("the scan was not finished: a thread panicked, and says where")]
    Panicked,
    /// A store that cannot be written to.
    #[error("nothing was scanned: the store {path} cannot be used")]
    Store {
        /// The file.
        path: PathBuf,
        /// Why.
        source: StoreFault,
    },
    /// A store that failed while the scan ran.
    #[error("the store {path} lacks some or all of what was found; the report has it")]
    NotStored {
        /// The file.
        path: PathBuf,
        /// Why.
        source: StoreFault,
    },
}
