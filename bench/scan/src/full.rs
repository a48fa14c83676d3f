//! Full scans, again and again: nothing may be called open that is not, and nothing be left out.
//!
//! Tests: `tests/smoke.rs`.

use workload_scan::{EngineChoice, PortSet, Scan, Settings};

use crate::{Failure, Fixture, strangers};

/// What came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Full {
    /// Ports that were called open, and are not.
    pub false_opens: u64,
    /// Ports that were not called what they are: closed, silent or nothing.
    pub missing_verdicts: u64,
}

/// Scans all ports so often.
///
/// # Errors
/// The engine does not work here, or a scan did not get to its end.
pub fn full(fixture: &Fixture, engine: EngineChoice, scans: u32) -> Result<Full, Failure> {
    let mut came = Full::default();
    for _ in 0..scans {
        let known = strangers();
        let settings = Settings {
            engine,
            ..Settings::default()
        };
        let report = Scan::new(fixture.targets(), PortSet::all(), settings)?.run()?;
        if let Some(problem) = report.problem() {
            return Err(problem.to_string().into());
        }
        let faults = fixture.faults(&report, &known);
        fixture.drain();
        came.false_opens += faults.invented.len() as u64;
        came.missing_verdicts += faults.missing + faults.silent + faults.missed.len() as u64;
    }
    Ok(came)
}
