//! Ctrl-C, termination and a closed terminal: the first asks the work to stop, the second to stop at once, and a third
//! ends the program wherever it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Knows whether somebody asked the work to stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
    urgent: Arc<AtomicBool>,
}

impl Interrupt {
    /// Begins to listen.
    pub(crate) fn listen() -> std::io::Result<Self> {
        const CODE_AFTER_THIRD_SIGNAL: i32 = 130;
        let interrupt = Self::default();
        let mut listened = vec![SIGINT, SIGTERM];
        // Under `nohup` the work is to outlive the terminal.
        if !is_ignored(SIGHUP) {
            listened.push(SIGHUP);
        }
        for signal in &listened {
            signal_hook::flag::register_conditional_shutdown(
                *signal,
                CODE_AFTER_THIRD_SIGNAL,
                Arc::clone(&interrupt.urgent),
            )?;
        }
        // A thread can tell the second signal from the first; what runs in a signal's handler can only set a flag.
        let mut signals = Signals::new(&listened)?;
        let heard = interrupt.clone();
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || signals.forever().for_each(|_| heard.ask()))?;
        Ok(interrupt)
    }

    /// Returns whether the work is to stop.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Returns whether it was asked twice, so that nothing is waited for any more.
    pub(crate) fn is_urgent(&self) -> bool {
        self.urgent.load(Ordering::Relaxed)
    }

    /// Asks the work to stop, as each signal does.
    pub(super) fn ask(&self) {
        if self.asked.swap(true, Ordering::Relaxed) {
            self.urgent.store(true, Ordering::Relaxed);
        }
    }
}

/// Returns whether whoever started this program wants it not to hear of a signal.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_twice_is_urgent() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.is_asked());
        interrupt.ask();
        assert!(interrupt.is_asked() && !interrupt.is_urgent());
        interrupt.ask();
        assert!(interrupt.is_urgent());
    }
}
