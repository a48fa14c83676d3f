//! How well the slow templates keep to what they say, by a clock that runs as much faster as makes their pause a few
//! milliseconds.
//!
//! Tests: `tests/smoke.rs`.

use std::time::Duration;

use workload_scan::{Scan, Settings, Template};

use crate::{Failure, Fixture};

/// The templates that have a pace.
pub const PACED: [Template; 3] = [Template::Paranoid, Template::Sneaky, Template::Polite];

/// What the pause of a template is made, by the machine's clock.
const PAUSE: Duration = Duration::from_millis(4);

/// By what part of the pause the mean time from probe to probe is off, over a scan of so many ports.
///
/// # Errors
/// The scan is wrong.
pub fn pacing_error(fixture: &Fixture, template: Template, ports: u16) -> Result<f64, Failure> {
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
    let mean = report.paced().mean().ok_or("there was no pause")?;
    let off = mean.abs_diff(timing.delay);
    Ok(off.as_secs_f64() / timing.delay.as_secs_f64())
}
