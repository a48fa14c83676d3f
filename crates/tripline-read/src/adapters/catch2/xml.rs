//! The XML reporter: benchmarks within sections within test cases, all values in nanoseconds.
//!
//! Entities are not expanded beyond those of XML itself, and nesting is bounded. Tested by `fixtures/catch2`.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::Estimates;
use crate::listing::Listing;
use crate::place::shown;
use crate::quantity::number;

/// How deep elements may lie: sections lie in one another, and nobody has so many.
const DEPTH_MAX: usize = 256;

pub(super) fn is_mark(text: &str) -> bool {
    text.contains("<BenchmarkResults")
        || text.contains("</BenchmarkResults>")
        || text.contains("<Catch2TestRun")
}

type Attributes = BTreeMap<String, String>;

/// A benchmark whose element is open.
struct Begun {
    line: usize,
    name: String,
    attributes: Attributes,
    mean: Option<Attributes>,
    stddev: Option<Attributes>,
    failed: Option<String>,
}

pub(super) fn read(listing: &mut Listing<'_, '_>) {
    let text = listing.document.text();
    // What the program wrote before its report is no XML.
    let start = ["<?xml", "<Catch"]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min()
        .unwrap_or(0);
    let mut lines = Lines {
        line: 1,
        seen: 0,
        text,
    };
    let mut reader = Reader::from_str(&text[start..]);
    // A comment whose end is damaged would go on to the end of the next one, over what stands between them.
    reader.config_mut().check_comments = true;
    let (mut names, mut depth, mut begun): (Vec<(usize, String)>, usize, Option<Begun>) =
        (Vec::new(), 0, None);
    loop {
        let at = start + usize::try_from(reader.buffer_position()).unwrap_or_default();
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let text = format!("the report cannot be read: {}", shown(&error.to_string()));
                return listing.problem(lines.at(at), text);
            }
        };
        match event {
            Event::Eof => {
                if depth > 0 || begun.is_some() {
                    listing.problem(lines.at(text.len()), "the report is cut off here");
                }
                return;
            }
            Event::Start(element) => {
                depth += 1;
                let line = lines.at(at);
                if depth > DEPTH_MAX {
                    return listing
                        .problem(line, format!("elements lie more than {DEPTH_MAX} deep"));
                }
                open(&element, line, depth, &mut names, &mut begun, listing);
            }
            Event::Empty(element) => {
                open(
                    &element,
                    lines.at(at),
                    depth + 1,
                    &mut names,
                    &mut begun,
                    listing,
                );
            }
            Event::End(element) => {
                if element.name().as_ref() == b"BenchmarkResults"
                    && let Some(begun) = begun.take()
                {
                    begun.end(&names, listing);
                }
                names.retain(|(at, _)| *at < depth);
                depth = depth.saturating_sub(1);
                // The root is closed: whatever follows is no report, or lost its root.
                if depth == 0 {
                    return end(listing, &mut lines, start, reader.buffer_position());
                }
            }
            _ => {}
        }
    }
}

/// Takes note of results after the end of the report.
fn end(listing: &mut Listing<'_, '_>, lines: &mut Lines<'_>, start: usize, read: u64) {
    let at = start + usize::try_from(read).unwrap_or_default();
    let line = lines.at(at);
    if lines.text[at..].lines().any(is_mark) {
        listing.problem(line, "the report ends here, and results follow it");
    }
}

fn open(
    element: &BytesStart<'_>,
    line: usize,
    depth: usize,
    names: &mut Vec<(usize, String)>,
    begun: &mut Option<Begun>,
    listing: &mut Listing<'_, '_>,
) {
    let attributes = match attributes(element) {
        Ok(attributes) => attributes,
        Err(error) => {
            return listing.problem(
                line,
                format!("an element cannot be read: {}", shown(&error)),
            );
        }
    };
    let name = || {
        attributes
            .get("name")
            .map(|name| name.trim().to_owned())
            .unwrap_or_default()
    };
    match element.name().as_ref() {
        b"TestCase" | b"Section" => names.push((depth, name())),
        // It stands at the end of a test case, and counts what was allowed to fail as a success.
        b"OverallResult" if attributes.get("success").is_some_and(|of| of == "false") => {
            let case = names.first().map(|(_, name)| &**name);
            let text = format!("test case `{}` failed", shown(case.unwrap_or_default()));
            listing.problem(line, text);
        }
        b"BenchmarkResults" => {
            *begun = Some(Begun {
                line,
                name: name(),
                attributes,
                mean: None,
                stddev: None,
                failed: None,
            });
        }
        other => {
            if let Some(begun) = begun {
                match other {
                    b"mean" => begun.mean = Some(attributes),
                    b"standardDeviation" => begun.stddev = Some(attributes),
                    b"failed" => {
                        begun.failed = Some(attributes.get("message").cloned().unwrap_or_default());
                    }
                    _ => {}
                }
            }
        }
    }
}

fn attributes(element: &BytesStart<'_>) -> Result<Attributes, String> {
    let mut all = Attributes::new();
    for attribute in element.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        let value = attribute
            .unescape_value()
            .map_err(|error| error.to_string())?;
        all.insert(key, value.into_owned());
    }
    Ok(all)
}

impl Begun {
    fn end(self, names: &[(usize, String)], listing: &mut Listing<'_, '_>) {
        let mut all: Vec<String> = names.iter().map(|(_, name)| name.clone()).collect();
        all.push(self.name.clone());
        if let Some(reason) = &self.failed {
            let name = shown(&all.join("/"));
            return listing.problem(
                self.line,
                format!("benchmark `{name}` failed: {}", shown(reason)),
            );
        }
        match self.estimates() {
            Some(estimates) => listing.take(self.line, estimates.entry(listing.suite, &all)),
            None => {
                let name = shown(&all.join("/"));
                listing.problem(
                    self.line,
                    format!("the numbers of benchmark `{name}` are not whole"),
                );
            }
        }
    }

    fn estimates(&self) -> Option<Estimates> {
        let value = |of: &Attributes, key: &str| number(of.get(key)?);
        let count = |key: &str| self.attributes.get(key)?.parse().ok();
        let (mean, stddev) = (self.mean.as_ref()?, self.stddev.as_ref()?);
        let (low, high) = (value(mean, "lowerBound")?, value(mean, "upperBound")?);
        // Without analysis the bounds are the mean itself.
        let is_analysed = value(mean, "ci")? > 0.0;
        Some(Estimates {
            samples: count("samples")?,
            iterations: count("iterations")?,
            mean: value(mean, "value")?,
            bounds: is_analysed.then_some((low, high)),
            stddev: is_analysed.then_some(value(stddev, "value")?),
        })
    }
}

/// Counts lines up to a place; asked in order, it goes through the text once.
struct Lines<'t> {
    text: &'t str,
    line: usize,
    seen: usize,
}

impl Lines<'_> {
    fn at(&mut self, at: usize) -> usize {
        if let Some(between) = self.text.get(self.seen..at) {
            self.line += between.matches('\n').count();
            self.seen = at;
        }
        self.line
    }
}
