//! The lines of one block, and what each of them measures. Linux fills only some of them; the others are left out, as is
//! what is computed from others. Tested below.

use tripline_model::{Better, Metric, MetricName, Nature, Reading, Sample, Unit};

use crate::quantity;

/// How the block of a command begins.
pub(super) const COMMAND: &str = "Command being timed: ";

/// What stands below the command.
pub(super) const FIRST_VALUE: &str = "User time (seconds): ";

/// The lines that are read: what stands before the value, the metric, and how the value is written.
const LINES: [(&str, &str, Form); 10] = [
    (
        "Elapsed (wall clock) time (h:mm:ss or m:ss): ",
        "wall_time",
        Form::Clock,
    ),
    (FIRST_VALUE, "user_time", Form::Seconds),
    ("System time (seconds): ", "system_time", Form::Seconds),
    (
        "Maximum resident set size (kbytes): ",
        "resident_peak",
        Form::Kibibytes,
    ),
    (
        "Major (requiring I/O) page faults: ",
        "major_page_faults",
        Form::Count,
    ),
    (
        "Minor (reclaiming a frame) page faults: ",
        "minor_page_faults",
        Form::Count,
    ),
    (
        "Voluntary context switches: ",
        "voluntary_context_switches",
        Form::Count,
    ),
    (
        "Involuntary context switches: ",
        "involuntary_context_switches",
        Form::Count,
    ),
    ("File system inputs: ", "file_system_inputs", Form::Count),
    ("File system outputs: ", "file_system_outputs", Form::Count),
];

/// Lines that say nothing of their own on Linux.
const LEFT_OUT: [&str; 10] = [
    "Percent of CPU this job got: ",
    "Average shared text size",
    "Average unshared data size",
    "Average stack size",
    "Average total size",
    "Average resident set size",
    "Swaps: ",
    "Socket messages ",
    "Signals delivered: ",
    "Page size (bytes): ",
];

#[derive(Debug, Clone, Copy)]
enum Form {
    Clock,
    Seconds,
    Kibibytes,
    Count,
}

/// The values of one block, in base units.
#[derive(Debug, Clone, Default)]
pub(super) struct Values([Option<f64>; LINES.len()]);

impl Values {
    /// Takes note of a line, or says what is wrong with it.
    pub(super) fn take(&mut self, text: &str) -> Result<(), String> {
        if text.is_empty() || LEFT_OUT.iter().any(|label| text.starts_with(label)) {
            return Ok(());
        }
        let found = LINES
            .iter()
            .position(|(label, ..)| text.starts_with(label.trim_end()));
        let index = found.ok_or("a line of it is not known")?;
        let (label, _, form) = LINES[index];
        let value = text[label.trim_end().len()..].trim();
        let value = form.value(value).ok_or("a value of it is no number")?;
        match self.0[index].replace(value) {
            None => Ok(()),
            Some(_) => Err("a line of it stands twice".to_owned()),
        }
    }

    /// Returns the values of a block that has nothing but the three times, in nanoseconds.
    pub(super) fn of_times(wall: f64, user: f64, system: f64) -> Self {
        let mut values = Self::default();
        for (name, time) in [
            ("wall_time", wall),
            ("user_time", user),
            ("system_time", system),
        ] {
            let index = LINES.iter().position(|(_, metric, _)| *metric == name);
            values.0[index.expect("the lines have the three times")] = Some(time);
        }
        values
    }

    /// Takes note of a value by the name of its metric; none where it is no number.
    pub(super) fn set(&mut self, metric: &str, text: &str) -> Option<()> {
        let index = LINES.iter().position(|(_, known, _)| *known == metric)?;
        self.0[index] = Some(LINES[index].2.value(text)?);
        Some(())
    }

    /// Returns whether it is of a form that does not say the command, and has fewer values than one that does.
    pub(super) fn name_no_command(&self) -> bool {
        self.0.iter().any(Option::is_none)
    }

    /// Returns the name of a line that is missing.
    pub(super) fn missing(&self) -> Option<&'static str> {
        let index = self.0.iter().position(Option::is_none)?;
        Some(LINES[index].0.trim_end_matches([':', ' ']))
    }
}

/// Returns whether a line is one of a block.
pub(super) fn is_value(text: &str) -> bool {
    LINES.iter().any(|(label, ..)| text.starts_with(label))
}

impl Form {
    fn value(self, text: &str) -> Option<f64> {
        let seconds = quantity::nanoseconds("s")?;
        match self {
            Self::Seconds => seconds.of_text(text),
            Self::Count => quantity::number(text),
            Self::Kibibytes => quantity::bytes("KiB")?.of_text(text),
            Self::Clock if text.ends_with('s') => spelled(text),
            Self::Clock => {
                let mut parts = text.rsplit(':');
                let seconds = seconds.of_text(parts.next()?)?;
                let minutes = quantity::nanoseconds("min")?.of_text(parts.next()?)?;
                let hours = match parts.next() {
                    Some(hours) => quantity::nanoseconds("h")?.of_text(hours)?,
                    None => 0.0,
                };
                parts.next().is_none().then_some(seconds + minutes + hours)
            }
        }
    }
}

/// Reads `0m0.102s`, as shells print a time, or `1h 02m 03s`, as BusyBox does, in nanoseconds.
pub(super) fn spelled(text: &str) -> Option<f64> {
    let (mut time, mut rest) = (0.0, text);
    for unit in ["h", "m", "s"] {
        let Some((number, behind)) = rest.split_once(unit) else {
            continue;
        };
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        let scale = quantity::nanoseconds(unit).filter(|_| is_number)?;
        time += scale.of_text(number)?;
        rest = behind.trim_start();
    }
    let is_whole = text.contains('m') && text.ends_with('s');
    (is_whole && rest.is_empty()).then_some(time)
}

/// Puts the values of several runs of one command together.
pub(super) fn readings(runs: &[Values]) -> Result<Vec<Reading>, String> {
    let mut readings = Vec::with_capacity(LINES.len());
    for (index, (_, name, _)) in LINES.iter().enumerate() {
        let metric = Metric::known(name).unwrap_or_else(|| Metric {
            name: MetricName::new(name).expect("the name is a constant"),
            unit: Unit::Count,
            better: Better::Neither,
            nature: Nature::Sampled,
        });
        let values: Vec<f64> = runs.iter().filter_map(|run| run.0[index]).collect();
        if values.is_empty() {
            continue;
        }
        let sample = Sample::new(values).map_err(|error| format!("{name}: {error}"))?;
        readings.push(Reading { metric, sample });
    }
    Ok(readings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_in_base_units() {
        for (text, form, expected) in [
            ("0:00.25", Form::Clock, Some(0.25e9)),
            ("1:02.50", Form::Clock, Some(62.5e9)),
            ("1:02:03", Form::Clock, Some(3723e9)),
            ("0m 0.04s", Form::Clock, Some(0.04e9)),
            ("1h 02m 03s", Form::Clock, Some(3723e9)),
            ("1h 03s 02m", Form::Clock, None),
            ("03s", Form::Clock, None),
            ("12.5", Form::Seconds, Some(12.5e9)),
            ("1404", Form::Kibibytes, Some(1_437_696.0)),
            ("77", Form::Count, Some(77.0)),
            ("x", Form::Count, None),
            ("1:1:1:1", Form::Clock, None),
            ("12", Form::Clock, None),
        ] {
            assert_eq!(form.value(text), expected, "{text}");
        }
    }

    #[test]
    fn what_a_block_lacks_is_named() {
        let mut values = Values::default();
        assert_eq!(values.take("User time (seconds): 0.50"), Ok(()));
        assert_eq!(values.take("Swaps: 0"), Ok(()));
        assert!(values.take("User time (seconds): 0.50").is_err());
        assert!(values.take("User time (secnds): 0.50").is_err());
        assert_eq!(
            values.missing(),
            Some("Elapsed (wall clock) time (h:mm:ss or m:ss)")
        );
    }
}
