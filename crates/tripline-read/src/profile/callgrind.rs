//! The arcs of callgrind: how much each function cost by itself, and how much it cost in each function it called.
//!
//! From which of its callers a function's costs in turn come is not in the file. They are shared out as its own are: a
//! caller that has a third of what the function cost has a third of all that the function called.

use std::collections::BTreeMap;

use tripline_model::{Frame, Profile};

use super::{DEPTH_MAX, Wrong};

/// A call that costs less than this share of everything is not followed: it would be narrower than can be seen.
const SHARE_MIN: f64 = 0.0005;

/// What stands for the whole of a program that has several beginnings.
const ALL: &str = "all";

pub(super) fn is_one(text: &str) -> bool {
    let mut lines = text.lines().take(100);
    lines.any(|line| line.starts_with("creator: callgrind") || line.starts_with("events: Ir"))
}

/// What is known of one function.
#[derive(Default)]
struct Function {
    own: u64,
    /// What was spent in others on its behalf.
    calls: BTreeMap<String, u64>,
}

#[derive(Default)]
struct Reader<'t> {
    names: BTreeMap<&'t str, &'t str>,
    functions: BTreeMap<String, Function>,
    function: String,
    called: Option<String>,
    /// Whether the next line is the cost of a call.
    is_call: bool,
    positions: usize,
    event: Option<&'t str>,
    sum: u64,
    total: Option<u64>,
}

pub(super) fn read(text: &str) -> Result<Profile, Wrong> {
    let mut reader = Reader {
        positions: 1,
        ..Reader::default()
    };
    let mut last = 1;
    for (line, text) in (1..).zip(text.lines()) {
        last = line;
        reader
            .take(text.trim_end())
            .map_err(|problem| (line, problem))?;
    }
    match reader.total {
        Some(total) if total == reader.sum && total > 0 => Ok(reader.profile()),
        Some(total) => Err((
            last,
            format!(
                "the costs add up to {} and are said to be {total}",
                reader.sum
            ),
        )),
        None => Err((
            last,
            "the profile is cut off: its totals are missing".to_owned(),
        )),
    }
}

impl<'t> Reader<'t> {
    fn take(&mut self, text: &'t str) -> Result<(), String> {
        if let Some(name) = text.strip_prefix("fn=") {
            self.function = self.named(name)?.to_owned();
        } else if let Some(name) = text.strip_prefix("cfn=") {
            self.called = Some(self.named(name)?.to_owned());
        } else if text.starts_with("calls=") {
            self.is_call = true;
        } else if text.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost = text.split_ascii_whitespace().nth(self.positions);
            // Zeros at the end of a line are left out.
            let cost = cost.map_or(Ok(0), str::parse);
            self.add(cost.map_err(|error| format!("a cost is no number: {error}"))?)?;
        } else if let Some((key, value)) = text.split_once(": ") {
            self.header(key, value)?;
        }
        Ok(())
    }

    fn header(&mut self, key: &str, value: &'t str) -> Result<(), String> {
        let mut words = value.split_ascii_whitespace();
        match key {
            "positions" => self.positions = words.count(),
            "events" => self.event = words.next(),
            "totals" => {
                let total = words.next().and_then(|word| word.parse::<u64>().ok());
                let total = total.ok_or("the total is no number")?;
                self.total = self.total.unwrap_or(0).checked_add(total);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns a name, which stands in full only once: `(12) name` and then `(12)`.
    fn named(&mut self, text: &'t str) -> Result<&'t str, String> {
        let Some((id, name)) = text.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            return Ok(text);
        };
        if !name.is_empty() {
            self.names.insert(id, name.trim_start());
        }
        let name = self.names.get(id).copied();
        name.ok_or_else(|| format!("function {} has no name", id.escape_debug()))
    }

    fn add(&mut self, cost: u64) -> Result<(), String> {
        const TOO_MUCH: &str = "the costs are too large to be added up";
        let function = self.functions.entry(self.function.clone()).or_default();
        let place = if std::mem::take(&mut self.is_call) {
            let called = self
                .called
                .take()
                .ok_or("a call says nothing of what was called")?;
            function.calls.entry(called).or_default()
        } else {
            self.sum = self.sum.checked_add(cost).ok_or(TOO_MUCH)?;
            &mut function.own
        };
        *place = place.checked_add(cost).ok_or(TOO_MUCH)?;
        Ok(())
    }

    fn profile(&self) -> Profile {
        let mut root = Frame {
            cost: self.sum,
            ..Frame::new(ALL)
        };
        let mut path = Vec::new();
        for name in self.beginnings() {
            // Where all call one another, what came back is counted again.
            let cost = self.inclusive(name).min(self.sum) as f64;
            root.calls.extend(self.frame(name, cost, &mut path));
        }
        Profile {
            unit: match self.event {
                None | Some("Ir") => "instructions".to_owned(),
                Some(event) => event.to_owned(),
            },
            root,
        }
    }

    /// Returns what nobody called, or else what cost most.
    fn beginnings(&self) -> Vec<&str> {
        let mut called: Vec<&str> = Vec::new();
        for (name, function) in &self.functions {
            let others = function.calls.keys().filter(|other| *other != name);
            called.extend(others.map(String::as_str));
        }
        called.sort_unstable();
        let names = self.functions.keys().map(String::as_str);
        let free: Vec<&str> = names
            .clone()
            .filter(|name| called.binary_search(name).is_err())
            .collect();
        if free.is_empty() {
            return names
                .max_by_key(|name| self.inclusive(name))
                .into_iter()
                .collect();
        }
        free
    }

    /// Returns what a function cost with all that it called; what it called of itself is in its own cost.
    fn inclusive(&self, name: &str) -> u64 {
        let Some(function) = self.functions.get(name) else {
            return 0;
        };
        let others = function.calls.iter().filter(|(other, _)| *other != name);
        others.fold(function.own, |sum, (_, cost)| sum.saturating_add(*cost))
    }

    /// Returns a function as it is called along a path, with its share of what it cost.
    fn frame<'a>(&'a self, name: &'a str, cost: f64, path: &mut Vec<&'a str>) -> Option<Frame> {
        if cost < SHARE_MIN * self.sum as f64 {
            return None;
        }
        let mut frame = Frame {
            cost: cost.round() as u64,
            ..Frame::new(name)
        };
        let all = self.inclusive(name);
        // What calls itself again, over others, has been followed once.
        if all == 0 || path.len() >= DEPTH_MAX || path.contains(&name) {
            return Some(frame);
        }
        let share = (cost / all as f64).min(1.0);
        path.push(name);
        let calls = self.functions.get(name).map(|function| &function.calls);
        for (called, cost) in calls
            .into_iter()
            .flatten()
            .filter(|(called, _)| *called != name)
        {
            frame
                .calls
                .extend(self.frame(called, share * *cost as f64, path));
        }
        path.pop();
        Some(frame)
    }
}
