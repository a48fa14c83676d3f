//! What was counted of one benchmark: which event gave which metric, and what is told where two give the same one.
//!
//! Tested through the adapter.

use std::collections::BTreeMap;

use tripline_model::{MetricName, Reading};

use crate::place::shown;

/// What was counted of one benchmark.
pub(super) struct Counted {
    /// Its first line.
    pub(super) line: usize,
    pub(super) readings: Vec<Reading>,
    /// The event that gave each metric. Ordered, so that a file of very many counters is not gone through for each.
    pub(super) events: BTreeMap<MetricName, String>,
}

impl Counted {
    /// Gives what was counted of the program alone names of its own, where the same event stands without that too.
    pub(super) fn set_apart(&mut self, event: &str, readings: &mut [Reading]) {
        let Some(reading) = readings.first() else {
            return;
        };
        let name = reading.metric.name.clone();
        let Some(first) = self.events.get(&name).cloned() else {
            return;
        };
        if is_of_program_alone(event, &first) {
            for reading in readings {
                set_apart(reading, &name);
            }
        } else if is_of_program_alone(&first, event) {
            for reading in &mut self.readings {
                let key = reading.metric.name.clone();
                if self.events.get(&key) == Some(&first) && set_apart(reading, &name) {
                    self.events.remove(&key);
                    self.events
                        .insert(reading.metric.name.clone(), first.clone());
                }
            }
        }
    }

    /// Adds what an event counted, or says why the first of two is kept.
    pub(super) fn add(&mut self, event: &str, readings: Vec<Reading>) -> Result<(), String> {
        let known = |reading: &Reading| self.events.get(&reading.metric.name);
        match readings.first().and_then(known) {
            Some(first) if first == event => return Err(
                "stands twice, and the first is kept: count it in one group alone, and give each run of `perf stat` a file of its own"
                    .to_owned(),
            ),
            Some(first) => {
                let first = shown(first);
                return Err(format!("is the same metric as counter `{first}`, which is kept"));
            }
            None => {}
        }
        let mut result = Ok(());
        for reading in readings {
            let name = &reading.metric.name;
            // What stands beside two values may have one name, such as what is computed, or what was cut to fit.
            if self.events.contains_key(name) {
                result = Err(format!(
                    "is read, but for `{name}`, which another counter has"
                ));
                continue;
            }
            self.events.insert(name.clone(), event.to_owned());
            self.readings.push(reading);
        }
        result
    }
}

/// Returns whether an event is another one but for what restricts it to the program: `cycles:u`, or `cpu_core/cycles/u`.
fn is_of_program_alone(event: &str, other: &str) -> bool {
    let rest = event.strip_suffix('u');
    rest.is_some_and(|rest| rest.strip_suffix(':').unwrap_or(rest) == other)
}

/// Gives a reading of an event, or what stands beside it, the name it has where that was counted of the program alone; and
/// returns whether there is room for it.
fn set_apart(reading: &mut Reading, of: &MetricName) -> bool {
    let name = &reading.metric.name;
    let name = match name.as_str().strip_prefix(of.as_str()) {
        Some(rest) => MetricName::new(format!("{of}_of_user{rest}")),
        None => MetricName::new(format!("{name}_of_user")),
    };
    match name {
        Ok(name) => {
            reading.metric.name = name;
            true
        }
        Err(_) => false,
    }
}
