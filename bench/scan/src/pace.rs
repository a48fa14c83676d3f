//! How well the slow templates keep to what they say, by a clock that runs as much faster as makes their pause a
//! twenty-fifth of a second.
//!
//! Tests: `tests/smoke.rs`.

use std::time::Duration;

use workload_scan::{Scan, Settings, Template};

use crate::{Failure, Fixture};

/// The templates that have a pace.
pub const PACED: [Template; 3] = [Template::Paranoid, Template::Sneaky, Template::Polite];

/// What the pause of a template is made, by the machine's clock: so long that two percent of it are what the scanner does, and
/// not when a busy machine wakes it.
const PAUSE: Duration = Duration::from_millis(40);

/// How a template kept its pace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// By what part of its pause the time from probe to probe differed from the one that was planned, in the mean; too long and
    /// too short both count.
    pub error: f64,
    /// How many probes came so late that those after them had to move.
    pub missed: u64,
}

/// Scans so many ports at the pace of a template.
///
/// # Errors
/// The scan is wrong.
pub fn pace(fixture: &Fixture, template: Template, ports: u16) -> Result<Pace, Failure> {
    let timing = template.timing();
    let settings = Settings {
        timing,
        clock_speed: u32::try_from(timing.delay.as_millis() / PAUSE.as_millis())?,
        ..Settings::default()
    };
    let last = 1_023 + ports;
    let ports = format!("1024-{last}").parse()?;
    let report = Scan::new(fixture.targets(), ports, settings)?.run()?;
    fixture.check(&report)?;
    fixture.drain();
    let paced = report.paced();
    let off = paced.mean_off().ok_or("there was no pause")?;
    Ok(Pace {
        error: off.as_secs_f64() / timing.delay.as_secs_f64(),
        missed: paced.missed,
    })
}
