//! What this machine allows an engine to have, found out without the engines, so that none can be dead unseen.

use io_uring::{IoUring, Probe, opcode};
use rustix::net::{AddressFamily, SocketType, ipproto, socket};
use workload_scan::EngineChoice;

/// Tells whether an engine has to work here.
pub(crate) fn allows(engine: EngineChoice) -> bool {
    match engine {
        EngineChoice::Ring => has_ring(),
        EngineChoice::Syn => {
            socket(AddressFamily::INET, SocketType::RAW, Some(ipproto::TCP)).is_ok()
        }
        EngineChoice::Auto | EngineChoice::Epoll | EngineChoice::Blocking => true,
    }
}

/// Tells whether there are rings that bind, which is the last thing that kernels learned of what we need.
fn has_ring() -> bool {
    let Ok(ring) = IoUring::new(8) else {
        return false;
    };
    let mut probe = Probe::new();
    let told = ring.submitter().register_probe(&mut probe);
    told.is_ok() && probe.is_supported(opcode::Bind::CODE)
}
