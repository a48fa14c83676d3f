//! A port scanner: which ports of which hosts are open, closed or silent.
//!
//! It is one of the real systems that get measured. A [`Scan`] asks the [ports](PortSet) of [targets](Targets) through an
//! [engine](EngineChoice) that is chosen when it runs: a ring that the kernel reads, epoll, one blocking connection for each
//! thread, or packets written by hand. How hard it presses is up to [`Timing`], for which there are the six
//! [templates](Template) that people know. Verdicts lie in a map of two bits a port that threads share without a lock,
//! and go into a [`Store`] while the scan runs.
//!
//! A scan of one's own machine easily finds what is not there: a connection from a port to itself. Sockets are bound to
//! another address than any that is asked, and where that cannot be, both ends of a connection are compared.
//!
//! The program is [`cli`]; what a scan costs beside its packets is counted by [`parts`].
//!
//! Tests: each file checks its own promise; `tests/it` scans loopback addresses, with listeners of its own, from processes
//! that lack what others have.
//!
//! ```
//! use std::net::{Ipv4Addr, TcpListener};
//! use workload_scan::{Scan, Settings, Targets, Verdict};
//!
//! let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
//! let address = listener.local_addr().unwrap();
//! let ports = address.port().to_string().parse()?;
//! let report = Scan::new(Targets::from(address.ip()), ports, Settings::default())?.run()?;
//! assert_eq!(report.open(), [address]);
//! assert_eq!(report.count(Verdict::Closed), 0);
//! # Ok::<(), workload_scan::Error>(())
//! ```

pub mod cli;
mod clock;
mod engine;
mod error;
mod feed;
mod limits;
mod pacer;
pub mod parts;
mod plan;
mod ports;
mod report;
mod scan;
mod store;
mod targets;
mod timing;
mod verdicts;
mod worker;

pub use engine::EngineChoice;
pub use error::Error;
pub use pacer::Paced;
pub use plan::PLACES_MAX;
pub use ports::{PortFault, PortSet};
pub use report::Report;
pub use scan::{Progress, Scan, Settings};
pub use store::{Store, StoreFault};
pub use targets::{TARGETS_MAX, TargetFault, Targets};
pub use timing::{Template, Timing};
pub use verdicts::Verdict;
pub use worker::Counters;
