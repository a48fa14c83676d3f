//! Ctrl-C and termination: the first asks the work to stop, the second ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

/// Knows whether somebody asked the work to stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Begins to listen.
    pub(crate) fn listen() -> std::io::Result<Self> {
        const CODE_AFTER_SECOND_SIGNAL: i32 = 130;
        let asked = Self::default();
        for signal in [SIGINT, SIGTERM] {
            let flag = Arc::clone(&asked.0);
            signal_hook::flag::register_conditional_shutdown(
                signal,
                CODE_AFTER_SECOND_SIGNAL,
                flag,
            )?;
            signal_hook::flag::register(signal, Arc::clone(&asked.0))?;
        }
        Ok(asked)
    }

    /// Returns whether the work is to stop.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Asks the work to stop, as a signal would.
    #[cfg(test)]
    pub(crate) fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
