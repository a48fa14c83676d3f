//! One counter, as a line of fields or as an object.
//!
//! The fields are value, unit, event, with `-r` the variance, the time it ran, and the share of the time it counted; what
//! follows is what perf computed. Before them may stand what `-A`, `--per-core` and `-I` tell apart; the whole of
//! intervals is called their summary. Tested below.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{METRIC_ONLY, older};
use crate::json::{self, Number, Text};
use crate::quantity;

/// What separates fields: whatever follows `-x`, of which these are in use.
pub(super) const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// How many fields a whole line has at least.
pub(super) const FIELDS_MIN: usize = 5;

/// The unit of a clock, which versions before 4.16 write behind its name or not at all.
pub(super) const MILLISECONDS: &str = "msec";

/// What stands in the place of an interval's time where all of them are meant.
const SUMMARY: &str = "summary";

/// What the names of kinds of cores begin with, each of which counts for itself: `cpu_core`, `armv8_cortex_a53`,
/// `apple_firestorm_pmu`.
const KINDS: [&str; 3] = ["cpu_", "armv", "apple_"];

/// What the name of the only kind begins with, on machines of Arm that have one.
const ONLY_KIND: &str = "armv8_pmuv3";

/// Why what is computed for one kind of cores is left out.
pub(super) const OF_ONE_KIND: &str =
    "shares of one kind of cores are not read: choose counters with `-e` to measure without them";

/// Says why a line is not read: it is damaged, unless it is whole and of what is not read.
pub(super) fn told(why: &str) -> String {
    match why {
        OF_ONE_KIND => why.to_owned(),
        _ => format!("a damaged result: {why}"),
    }
}

/// The words perf writes for a missing value.
pub(super) const MISSING: [(&str, &str); 2] = [
    (
        "<not counted>",
        "was not counted: the command was too short for it, or gave it nothing to count",
    ),
    (
        "<not supported>",
        "is not supported here: this machine lets nobody count it",
    ),
];

/// One line, as far as it matters.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'t> {
    /// A counter, and how many fields the line has.
    Counter(Counter<'t>, usize),
    /// What a counter counted in an interval, a part of the run.
    Interval(Counter<'t>),
    /// A line that ends behind a counter, and how many fields it has.
    Older(Counter<'static>),
    /// One more number computed from the counter before it.
    Derived(f64, Cow<'t, str>),
    /// It is no counter, and was one.
    Damaged(String),
    /// Anything else.
    Other,
}

/// What one counter says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counter<'t> {
    /// The value as it is written, or why there is none.
    pub(super) value: Result<f64, &'static str>,
    pub(super) unit: Cow<'t, str>,
    pub(super) event: Cow<'t, str>,
    /// Of several runs, the standard error of their mean, in percent of it.
    pub(super) variance: Option<f64>,
    /// The share of the time it counted, in percent.
    pub(super) share: f64,
    /// What perf computed from this counter and another, and what it calls that.
    pub(super) derived: Option<(f64, Cow<'t, str>)>,
    /// Whether what perf computed is not there to its end, as where a text is cut; older versions leave it out.
    pub(super) lacks_unit: bool,
    /// The processor, core or other part of the machine, where each is told apart.
    pub(super) processor: Option<Cow<'t, str>>,
    /// The group of processes that was counted, where several are told apart.
    pub(super) cgroup: Option<Cow<'t, str>>,
    /// Whether it may be the whole of the intervals before it. In fields that is said; objects do not tell it apart.
    pub(super) is_summary: bool,
}

impl<'t> Line<'t> {
    /// Says what a line is.
    pub(super) fn of(text: &'t str) -> Self {
        let text = text.trim();
        if text.starts_with('{') && text.contains("\"metricgroup\"") && names_kind(text) {
            return Self::Damaged(OF_ONE_KIND.to_owned());
        }
        if text.starts_with('{')
            && text.contains("\"metric-value\"")
            && !text.contains("counter-value")
        {
            return match json::read::<Derived<'_>>(text) {
                Ok(derived) => match derived.value.0 {
                    Some(number) => Self::Derived(number, Cow::Owned(derived.unit.to_string())),
                    None => Self::Other,
                },
                Err(misread) => Self::Damaged(misread.said_with_path(text)),
            };
        }
        if text.starts_with('{') && text.contains("counter-value") {
            return match json::read::<Object<'_>>(text) {
                Ok(object) => object.into_line(),
                Err(misread) => Self::Damaged(misread.said_with_path(text)),
            };
        }
        if text.starts_with('#') || text.is_empty() {
            return Self::Other;
        }
        if has_commas_for_points(text) {
            return Self::Damaged(COMMAS.to_owned());
        }
        if is_of_metrics_alone(text) {
            return Self::Damaged(METRIC_ONLY.to_owned());
        }
        if let Some((value, unit)) = derived_alone(text) {
            return Self::Derived(value, Cow::Borrowed(unit));
        }
        match of_fields(text) {
            Some((Fields::Counter(counter), fields)) => Self::Counter(counter, fields),
            Some((Fields::Interval(counter), _)) => Self::Interval(counter),
            None if is_group_heading(text) => Self::Other,
            None => match older::of_fields(text) {
                Some(counter) => Self::Older(counter),
                None if is_damaged(text) => Self::Damaged(NO_COUNTER.to_owned()),
                None => Self::Other,
            },
        }
    }
}

/// What is said of fields that are no counter.
pub(super) const NO_COUNTER: &str = "it is not of the form value, unit, counter";

/// What is said of numbers with commas among commas.
const COMMAS: &str = "commas are points and separators in it; measure again with `perf stat -x ';'`, or with `LC_ALL=C`";

/// What fields are.
#[derive(Debug, PartialEq)]
pub(super) enum Fields<'t> {
    Counter(Counter<'t>),
    /// A part of a run.
    Interval(Counter<'t>),
}

/// Returns whether a text has more than one field.
pub(super) fn is_separated(text: &str) -> bool {
    text.contains(SEPARATORS)
}

/// Reads a line of fields, and returns how many there are.
pub(super) fn of_fields(text: &str) -> Option<(Fields<'_>, usize)> {
    SEPARATORS
        .iter()
        .find_map(|separator| of_separated(text.trim(), *separator))
}

fn of_separated(text: &str, separator: char) -> Option<(Fields<'_>, usize)> {
    let fields = split(text, separator);
    let at = (0..4).find(|at| is_counter(&fields[(*at).min(fields.len())..], separator))?;
    let (before, fields) = fields.split_at(at);
    let mut fields = fields.to_vec();
    let cgroup = has_cgroup(&fields, separator).then(|| fields.remove(3));
    // An interval begins with the time since the start, of seconds and a fraction.
    let is_time = |field: &str| field.contains(['.', ',']) && value(field, separator).is_some();
    let (is_interval, is_summary, before) = match before {
        [first, rest @ ..] if is_time(first) => (true, false, rest),
        [SUMMARY, rest @ ..] => (false, true, rest),
        all => (false, false, all),
    };
    let has_variance = fields.get(3).and_then(|field| field.strip_suffix('%'));
    let variance = has_variance.and_then(|variance| value(variance, separator));
    let share_at = if has_variance.is_some() { 5 } else { 4 };
    let share = fields.get(share_at);
    let counter = Counter {
        value: match MISSING.iter().find(|(word, _)| *word == fields[0]) {
            Some((_, why)) => Err(why),
            None => Ok(value(fields[0], separator)?),
        },
        unit: Cow::Borrowed(match fields[1] {
            "" if is_clock(fields[2]) && fields[0].contains(['.', ',']) => MILLISECONDS,
            unit => unit,
        }),
        event: Cow::Borrowed(fields[2]),
        variance,
        share: share
            .and_then(|share| value(share, separator))
            .unwrap_or(100.0),
        derived: fields
            .get(share_at + 1..)
            .and_then(|rest| derived(rest, separator)),
        lacks_unit: match fields.get(share_at + 1..) {
            Some([number, unit, ..]) => !number.is_empty() && unit.is_empty(),
            _ => true,
        },
        processor: before.first().map(|field| Cow::Borrowed(*field)),
        cgroup: cgroup.filter(|name| !name.is_empty()).map(Cow::Borrowed),
        is_summary,
    };
    let fields_of = match is_interval {
        true => Fields::Interval,
        false => Fields::Counter,
    };
    Some((fields_of(counter), fields.len()))
}

/// Returns whether a name is of one kind of cores among several.
pub(super) fn is_kind(name: &str) -> bool {
    KINDS.iter().any(|begin| name.starts_with(begin)) && !name.starts_with(ONLY_KIND)
}

/// Returns whether a text names a kind of cores in brackets.
fn names_kind(text: &str) -> bool {
    text.split_once(" (").is_some_and(|(_, name)| is_kind(name))
}

/// Splits a line, but not within the terms of an event: `cpu/event=0x3c,umask=0x0/` is one.
pub(super) fn split(text: &str, separator: char) -> Vec<&str> {
    split_by(text, separator, |field, rest| {
        end_of_terms(field, rest, separator)
    })
}

/// Splits a line, where a function says of a field and what follows it how far the terms go on that stand open.
///
/// It is asked once for each opening and not for each part: a line may be a JSON report of very many numbers.
fn split_by(
    text: &str,
    separator: char,
    mut end_of_terms: impl FnMut(&str, &str) -> Option<usize>,
) -> Vec<&str> {
    let mut fields = Vec::new();
    let (mut start, mut end, mut terms_end) = (0, 0, 0);
    for part in text.split(separator) {
        end += part.len();
        if end >= terms_end {
            match end_of_terms(&text[start..end], &text[end..]) {
                Some(further) => terms_end = end + further,
                None => {
                    fields.push(text[start..end].trim());
                    start = end + separator.len_utf8();
                }
            }
        }
        end += separator.len_utf8();
    }
    fields
}

/// Returns how far behind a field the terms end that it begins; none where it begins none, or has their end.
fn end_of_terms(field: &str, rest: &str, separator: char) -> Option<usize> {
    let (_, terms) = field.split_once('/')?;
    if terms.contains('/') {
        return None;
    }
    let end = rest.find('/')?;
    let further = rest[..end].trim_start_matches(separator);
    // Terms have values, or are words as no field between two others is.
    let is_word = |term: &str| term.starts_with(|c: char| c.is_ascii_alphabetic());
    let are_terms =
        terms.contains('=') || further.contains('=') || further.split(separator).all(is_word);
    are_terms.then_some(end + '/'.len_utf8())
}

/// Returns whether a line that commas separate has commas in its numbers as well, as perf prints them in other languages: the
/// share, which has two decimals and stands behind how long was counted, falls into two fields then.
fn has_commas_for_points(text: &str) -> bool {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let is_digits = |field: &str| !field.is_empty() && field.bytes().all(|b| b.is_ascii_digit());
    fields.len() >= 6
        && fields.windows(3).any(|fields| {
            let are_digits = fields.iter().all(|field| is_digits(field));
            are_digits && fields[1].len() <= 3 && fields[2].len() == 2
        })
}

/// Reads what stands behind the fields of a counter: a number and what it is. Without it both are empty.
fn derived<'t>(rest: &[&'t str], separator: char) -> Option<(f64, Cow<'t, str>)> {
    let [number, unit, ..] = rest else {
        return None;
    };
    let number = value(number, separator).filter(|_| !unit.is_empty())?;
    Some((number, Cow::Borrowed(*unit)))
}

/// Reads a line that has nothing but such a number: it belongs to the counter above.
fn derived_alone(text: &str) -> Option<(f64, &str)> {
    SEPARATORS.iter().find_map(|separator| {
        let fields: Vec<&str> = text.split(*separator).map(str::trim).collect();
        let [before @ .., number, unit] = &fields[..] else {
            return None;
        };
        let empty = before.iter().rev().take_while(|field| field.is_empty());
        let is_alone = empty.count() >= 4 && !unit.is_empty();
        value(number, *separator)
            .filter(|_| is_alone)
            .map(|number| (number, *unit))
    })
}

/// What `--metric-only` names its columns.
const TITLES: [&str; 5] = ["GHz", "insn per cycle", "of all ", "stalled cycles", "tma_"];

/// Returns whether a line names such columns and has no number.
pub(super) fn are_titles(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || SEPARATORS.contains(&c));
    TITLES.iter().any(|title| text.contains(title))
        && words.all(|word| quantity::number(word).is_none())
}

/// Returns whether a line has nothing but what was computed, or the names of that: as fields, or as an object.
fn is_of_metrics_alone(text: &str) -> bool {
    if text.starts_with('{') {
        let mut values = text.split("\" : \"").skip(1);
        let is_value = |value: &str| {
            let value = value.split('"').next().unwrap_or_default();
            value.is_empty() || quantity::number(value).is_some()
        };
        return text.contains("\" : \"")
            && !text.contains("\"metricgroup\"")
            && values.all(is_value);
    }
    SEPARATORS.iter().any(|separator| {
        let fields: Vec<&str> = text.split(*separator).map(str::trim).collect();
        let is_value = |field: &&&str| is_numeric(field, *separator);
        let values = fields.iter().filter(is_value).count();
        let empty = fields.iter().filter(|field| field.is_empty()).count();
        fields.len() > 2 && values > 0 && values + empty == fields.len()
            || fields.len() > 1 && are_titles(text) && fields.last() == Some(&"")
    })
}

/// Returns whether a line only names what the numbers below it are computed for. On a machine with two kinds of cores it
/// names one of them as well, and is not such a line.
fn is_group_heading(text: &str) -> bool {
    let is_name = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    SEPARATORS.iter().any(|separator| {
        let fields: Vec<&str> = text.split(*separator).map(str::trim).collect();
        let ["", ran, share, "", "", "", name] = fields[..] else {
            return false;
        };
        let are_numbers = [ran, share]
            .iter()
            .all(|field| value(field, *separator).is_some());
        are_numbers && !name.is_empty() && is_name(name)
    })
}

/// Returns whether fields begin with those of a counter.
fn is_counter(fields: &[&str], separator: char) -> bool {
    let [first, unit, event, rest @ ..] = fields else {
        return false;
    };
    let is_value =
        MISSING.iter().any(|(word, _)| word == first) || value(first, separator).is_some();
    let is_unit = unit.is_empty() || begins_like_name(unit);
    let behind_cgroup = usize::from(has_cgroup(fields, separator));
    let numbers = rest.iter().skip(behind_cgroup).take(2);
    let are_numbers = numbers.filter(|n| is_numeric(n, separator)).count();
    is_value && is_unit && begins_like_name(event) && are_numbers == 2
}

pub(super) fn begins_like_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn is_numeric(field: &str, separator: char) -> bool {
    field.ends_with('%') || value(field, separator).is_some()
}

/// Returns whether a group of processes stands behind the event, or the empty place of one, and not how long was counted.
fn has_cgroup(fields: &[&str], separator: char) -> bool {
    let [_, _, _, cgroup, ran, share, ..] = fields else {
        return false;
    };
    // Only a whole line tells that a name which is a number is one, by having a field more.
    let is_number = match fields[6..] {
        [number, unit] => {
            let is_told = number.is_empty() || value(number, separator).is_some();
            is_told && !cgroup.ends_with('%') && !is_numeric(unit, separator)
        }
        _ => false,
    };
    (is_number || !is_numeric(cgroup, separator))
        && is_numeric(ran, separator)
        && is_numeric(share, separator)
        && !cgroup.contains(' ')
}

/// Returns whether a counter is one of the clocks that perf prints in milliseconds, with a fraction where it says no unit; a
/// whole number without a unit has nanoseconds.
pub(super) fn is_clock(event: &str) -> bool {
    let name = event.split(':').next();
    name.is_some_and(|name| ["task-clock", "cpu-clock"].contains(&name))
}

/// Reads a number; where commas separate nothing, one is a decimal point of the machine's language.
pub(super) fn value(text: &str, separator: char) -> Option<f64> {
    if separator != ',' && text.contains(',') {
        return quantity::number(&text.replacen(',', ".", 1));
    }
    quantity::number(text).filter(|_| !text.contains(','))
}

/// Returns whether a text has what only counters have.
pub(super) fn is_damaged(text: &str) -> bool {
    let has_word = MISSING.iter().any(|(word, _)| text.contains(word));
    let separators = text.matches(SEPARATORS).count();
    let is_dense = separators >= 2 && !text.contains(", ");
    has_word || is_dense || text.contains("\"event\"")
}

/// What some versions write where nothing was computed.
const NO_UNIT: &str = "(null)";

/// What was computed: a number, since 6.5 as a text, or a text that is none, such as `nan`.
struct Computed(Option<f64>);

impl<'de> Deserialize<'de> for Computed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(deserializer)?.get();
        let text = raw.trim_matches('"');
        let is_none = text.trim_start_matches('-').eq_ignore_ascii_case("nan") || raw == "null";
        match quantity::number(text) {
            Some(number) => Ok(Self(Some(number))),
            None if is_none => Ok(Self(None)),
            None => Err(D::Error::custom("what was computed is no number")),
        }
    }
}

/// A line of `-j` that has nothing but what was computed.
#[derive(Deserialize)]
struct Derived<'t> {
    #[serde(rename = "metric-value")]
    value: Computed,
    #[serde(rename = "metric-unit", borrow)]
    unit: Text<'t>,
}

/// A counter of `-j`.
#[derive(Deserialize)]
struct Object<'t> {
    #[serde(rename = "counter-value", borrow)]
    value: Text<'t>,
    #[serde(borrow)]
    unit: Option<Text<'t>>,
    #[serde(borrow)]
    event: Text<'t>,
    #[serde(borrow)]
    variance: Option<Number<'t>>,
    #[serde(rename = "pcnt-running", borrow)]
    share: Option<Number<'t>>,
    #[serde(borrow)]
    interval: Option<Number<'t>>,
    #[serde(rename = "metric-value")]
    derived: Option<Computed>,
    #[serde(rename = "metric-unit", borrow)]
    derived_unit: Option<Text<'t>>,
    /// The part of the machine that was counted on, by whichever of its names.
    #[serde(
        alias = "core",
        alias = "socket",
        alias = "die",
        alias = "cluster",
        alias = "cache",
        alias = "node",
        alias = "thread"
    )]
    cpu: Option<serde_json::Value>,
    #[serde(borrow)]
    cgroup: Option<Text<'t>>,
}

impl<'t> Object<'t> {
    fn into_line(self) -> Line<'t> {
        let value = match MISSING.iter().find(|(word, _)| *word == &*self.value) {
            Some((_, why)) => Err(*why),
            None => match quantity::number(&self.value) {
                Some(value) => Ok(value),
                None => return Line::Damaged("its value is no number".to_owned()),
            },
        };
        let part = self.cpu.as_ref();
        let counter = Counter {
            value,
            unit: Cow::Owned(self.unit.as_deref().unwrap_or_default().to_owned()),
            event: Cow::Owned(self.event.to_string()),
            variance: self.variance.map(Number::value),
            share: self.share.map_or(100.0, Number::value),
            processor: part.map(|part| {
                Cow::Owned(
                    part.as_str()
                        .map_or_else(|| part.to_string(), str::to_owned),
                )
            }),
            derived: self
                .derived
                .and_then(|derived| derived.0)
                .zip(self.derived_unit)
                .filter(|(_, unit)| !unit.is_empty() && &**unit != NO_UNIT)
                .map(|(number, unit)| (number, Cow::Owned(unit.to_string()))),
            lacks_unit: false,
            cgroup: self
                .cgroup
                .filter(|name| !name.is_empty())
                .map(|name| Cow::Owned(name.to_string())),
            is_summary: self.interval.is_none(),
        };
        match self.interval {
            Some(_) => Line::Interval(counter),
            None => Line::Counter(counter, usize::MAX),
        }
    }
}

impl Counter<'_> {
    /// Returns the event, and the unit of the machine behind its name, as in `cycles [uncore_0]`, which counts for itself.
    fn event_and_pmu(&self) -> (&str, Option<&str>) {
        let parts = self.event.strip_suffix(']');
        let parts = parts.and_then(|parts| parts.split_once(" ["));
        match parts.filter(|(_, pmu)| !pmu.is_empty()) {
            Some((event, pmu)) => (event, Some(pmu)),
            None => (&self.event, None),
        }
    }

    pub(super) fn pmu(&self) -> Option<&str> {
        self.event_and_pmu().1
    }

    /// Returns the kind of core that counted, on a machine with several, and the event: both stand in `cpu_core/cycles/`.
    ///
    /// What restricts an event stands behind it there, as in `cpu_core/cycles/u`, and is `cycles:u` elsewhere.
    pub(super) fn kind_and_event(&self) -> (Option<&str>, Cow<'_, str>) {
        let (event, _) = self.event_and_pmu();
        let parts = event.split_once('/');
        let of_kind = parts.and_then(|(kind, event)| Some((kind, event.rsplit_once('/')?)));
        match of_kind.filter(|(kind, _)| is_kind(kind)) {
            Some((kind, (event, ""))) => (Some(kind), Cow::Borrowed(event)),
            Some((kind, (event, modifiers))) => {
                let modifiers = modifiers.trim_start_matches(':');
                (Some(kind), Cow::Owned(format!("{event}:{modifiers}")))
            }
            None => (None, Cow::Borrowed(event)),
        }
    }

    /// Returns the share of the time it counted, in percent, where that is not all of it.
    pub(super) fn part_of_the_time(&self) -> Option<f64> {
        let counted = self.value.is_ok() && self.share > 0.0 && self.share < 99.995;
        counted.then_some(self.share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match Line::of(text) {
            Line::Counter(counter, _) => format!(
                "{:?} {} {} {:?} {:?} {:?}",
                counter.value.ok(),
                counter.unit,
                counter.event,
                counter.variance,
                counter.part_of_the_time(),
                counter.processor.as_deref()
            ),
            Line::Interval(counter) => format!("a part of {}", counter.event),
            Line::Older(counter) => format!("the end of {}", counter.event),
            Line::Derived(value, unit) => format!("{value} {unit}"),
            Line::Damaged(_) => "damaged".to_owned(),
            Line::Other => "other".to_owned(),
        }
    }

    #[test]
    fn counters_are_read_in_every_form() {
        for (text, expected) in [
            (
                "1.53,msec,task-clock,1528389,100.00,0.595,CPUs utilized",
                "Some(1.53) msec task-clock None None None",
            ),
            (
                "1,53;msec;task-clock;3,70%;1528389;100,00;0,595;CPUs utilized",
                "Some(1.53) msec task-clock Some(3.7) None None",
            ),
            (
                "109,,page-faults,1528389,42.11,,",
                "Some(109.0)  page-faults None Some(42.11) None",
            ),
            (
                "<not supported>,,cycles,0,100.00,,",
                "None  cycles None None None",
            ),
            (
                "CPU0,22.04,msec,task-clock,22042649,100.00,1.216,CPUs utilized",
                "Some(22.04) msec task-clock None None Some(\"CPU0\")",
            ),
            (
                "S0-D0-C0,2,22.04,msec,task-clock,22042649,100.00,,",
                "Some(22.04) msec task-clock None None Some(\"S0-D0-C0\")",
            ),
            (
                "     0.010116164,0.85,msec,task-clock,851409,100.00,0.085,CPUs utilized",
                "a part of task-clock",
            ),
            (
                "         summary,CPU0,32.31,msec,task-clock,32305940,100.00,0.977,CPUs utilized",
                "Some(32.31) msec task-clock None None Some(\"CPU0\")",
            ),
            (
                "         summary,81,,page-faults,32305372,100.00,2.507,K/sec",
                "Some(81.0)  page-faults None None None",
            ),
            ("1.53,msec,task-clock", "the end of task-clock"),
            ("1.53,msec", "the end of msec"),
            ("1x53,msec,task-clock", "damaged"),
            (
                "1x53,msec,task-clock,1528389,100.00,0.595,CPUs utilized",
                "damaged",
            ),
            (",,,,,0.5,insn per cycle", "0.5 insn per cycle"),
            ("CPU1;;;;;;0,5;insn per cycle", "0.5 insn per cycle"),
            (
                r#"{"metric-value" : 0.50, "metric-unit" : "insn per cycle"}"#,
                "0.5 insn per cycle",
            ),
            ("# started on Sun Nov 22 03:31:54 2026", "other"),
            ("sorted 10", "other"),
            (
                r#"{"counter-value" : "2.5", "unit" : "msec", "event" : "task-clock", "variance" : 13.49, "pcnt-running" : 50.00}"#,
                "Some(2.5) msec task-clock Some(13.49) Some(50.0) None",
            ),
            (
                r#"{"cpu" : "0", "counter-value" : "2.5", "event" : "x"}"#,
                "Some(2.5)  x None None Some(\"0\")",
            ),
            (
                r#"{"interval" : 0.01, "counter-value" : "2.5", "event" : "x"}"#,
                "a part of x",
            ),
            (r#"{"counter-value" : "2.5", "eve"#, "damaged"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    /// So many that asking for each what is open would take minutes.
    #[test]
    fn what_stands_open_in_a_line_is_looked_for_once() {
        let numbers = "1.5,".repeat(100_000);
        let all_numbers = format!(",{numbers}");
        for (line, behind_first) in [
            (format!("a / b, x=1,{numbers}c/d"), ""),
            (format!("a/x=1,{numbers}c/d"), ""),
            (format!("a/x=1,{numbers}"), &all_numbers),
            (format!("cpu/{}x/,1", "a,".repeat(100_000)), ",1"),
        ] {
            let mut looked_at = 0;
            let fields = split_by(&line, ',', |field, rest| {
                let end = end_of_terms(field, rest, ',');
                let is_asked = field.contains('/');
                let further = end.unwrap_or(rest.len());
                looked_at += field.len() + if is_asked { further } else { 0 };
                end
            });
            let first = line.strip_suffix(behind_first).unwrap();
            assert_eq!(fields[0], first);
            assert!(
                fields[1..]
                    .iter()
                    .copied()
                    .eq(behind_first.split(',').skip(1))
            );
            assert!(looked_at <= 3 * line.len(), "{looked_at} of {}", line.len());
        }
        let parts = split("cpu/event=0x3c,umask=0x0/,1,cpu/a,b/u,2", ',');
        assert_eq!(parts, ["cpu/event=0x3c,umask=0x0/", "1", "cpu/a,b/u", "2"]);
    }

    #[test]
    fn names_of_groups_are_nothing_unless_they_say_a_kind_of_cores() {
        for (text, expected) in [
            (",225849,100.00,,,,TopdownL1", "other"),
            (",225849,100.00,,,,TopdownL1 (cpu_core)", "damaged"),
            (",225849,,,,,TopdownL1", "damaged"),
            (
                r#"{"event-runtime" : 22, "pcnt-running" : 100.00, "metricgroup" : "TopdownL1 (cpu_atom)"}"#,
                "damaged",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
