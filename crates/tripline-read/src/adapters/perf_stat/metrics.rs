//! What perf's counters are in Tripline's words.
//!
//! What the processor counts is never what a simulator counts, so its metrics have names of their own. Tested below.

use tripline_model::{KEY_BYTES_MAX, Metric, Reading, Sample, Unit, UnitSymbol};

use super::counter::{Counter, is_clock};
use crate::quantity::Scale;
use crate::{own, quantity, summary};

/// The counters that harnesses share, by perf's names.
const METRICS: &[(&str, &str)] = &[
    ("duration_time", "wall_time"),
    ("task-clock", "cpu_time"),
    ("user_time", "user_time"),
    ("system_time", "system_time"),
    ("instructions", "hardware_instructions"),
    ("cycles", "hardware_cycles"),
    ("cpu-cycles", "hardware_cycles"),
    ("branch-misses", "branch_misses"),
    ("cache-misses", "cache_misses"),
    ("page-faults", "page_faults"),
    ("faults", "page_faults"),
    ("minor-faults", "minor_page_faults"),
    ("major-faults", "major_page_faults"),
    ("context-switches", "context_switches"),
    ("cs", "context_switches"),
    ("cpu-migrations", "cpu_migrations"),
    ("CPU-migrations", "cpu_migrations"),
    ("migrations", "cpu_migrations"),
];

/// What perf computes, by what it calls that: our name, behind that of the counter or on its own; the unit, and its
/// prefix. A name in brackets stands on its own.
const DERIVED: &[(&str, &str, Unit, &str)] = &[
    ("CPUs utilized", "(cpus_utilized)", Unit::Ratio, ""),
    ("CPUs", "(cpus_utilized)", Unit::Ratio, ""),
    ("IPC", "(instructions_per_cycle)", Unit::Ratio, ""),
    (
        "insn per cycle",
        "(instructions_per_cycle)",
        Unit::Ratio,
        "",
    ),
    (
        "insns per cycle",
        "(instructions_per_cycle)",
        Unit::Ratio,
        "",
    ),
    (
        "stalled cycles per insn",
        "(stalled_cycles_per_instruction)",
        Unit::Ratio,
        "",
    ),
    (
        "stalled_cycles_per_instruction",
        "(stalled_cycles_per_instruction)",
        Unit::Ratio,
        "",
    ),
    (
        "frontend_cycles_idle",
        "(frontend_cycles_idle)",
        Unit::Ratio,
        "",
    ),
    (
        "backend_cycles_idle",
        "(backend_cycles_idle)",
        Unit::Ratio,
        "",
    ),
    ("GHz", "per_second", Unit::PerSecond, "G"),
    ("/sec", "per_second", Unit::PerSecond, ""),
    ("K/sec", "per_second", Unit::PerSecond, "K"),
    ("M/sec", "per_second", Unit::PerSecond, "M"),
    ("G/sec", "per_second", Unit::PerSecond, "G"),
];

/// What versions since 6.19 compute, by the name behind a unit and two blanks: the counter whose name ours begins with,
/// which is not always the one it stands at, and what older versions make of it. A name in brackets stands on its own.
const NAMED: &[(&str, &str, &str)] = &[
    ("CPUs_utilized", "", "(cpus_utilized)"),
    ("insn_per_cycle", "", "(instructions_per_cycle)"),
    ("branch_miss_rate", "branch_misses", "of_all_branches"),
    ("cs_per_second", "context_switches", "per_second"),
    ("migrations_per_second", "cpu_migrations", "per_second"),
    ("page_faults_per_second", "page_faults", "per_second"),
    ("cycles_frequency", "hardware_cycles", "per_second"),
    ("branch_frequency", "branches", "per_second"),
    (
        "l1d_miss_rate",
        "l1-dcache-load-misses",
        "of_all_l1-dcache_accesses",
    ),
    (
        "l1i_miss_rate",
        "l1-icache-load-misses",
        "of_all_l1-icache_accesses",
    ),
    (
        "llc_miss_rate",
        "llc-load-misses",
        "of_all_ll-cache_accesses",
    ),
    (
        "dtlb_miss_rate",
        "dtlb-load-misses",
        "of_all_dtlb_cache_accesses",
    ),
    (
        "itlb_miss_rate",
        "itlb-load-misses",
        "of_all_itlb_cache_accesses",
    ),
];

/// What separates a unit from the name of what was computed.
const BEHIND_UNIT: &str = "  ";

/// Returns whether a line cannot go on: what perf computed is missing or a word that is known to its end.
pub(super) fn is_whole(counter: &Counter<'_>) -> bool {
    let is_known = |what: &str| {
        let name = what.split_once(BEHIND_UNIT).map_or(what, |(_, name)| name);
        let mut names = DERIVED.iter().map(|(theirs, ..)| *theirs);
        names.any(|theirs| theirs == what) || NAMED.iter().any(|(theirs, ..)| *theirs == name)
    };
    let derived = counter.derived.as_ref();
    !counter.lacks_unit && derived.is_none_or(|(_, unit)| is_known(unit))
}

/// Returns a counter's value; of several runs how sure it is; and what perf computed from it.
///
/// A counter that shared the processor's registers with others counted for a part of the time only: perf then estimates
/// the rest, and the share says so.
pub(super) fn readings(counter: &Counter<'_>) -> Result<Vec<Reading>, String> {
    let value = counter.value?;
    let of_value = |error: String| format!("cannot be used: {error}");
    let (metric, value) = metric_of(counter, value).map_err(of_value)?;
    let mut readings = match counter.variance {
        None => {
            let sample = Sample::new([value]).map_err(|error| of_value(error.to_string()))?;
            vec![Reading {
                metric: metric.clone(),
                sample,
            }]
        }
        Some(variance) => {
            let error = quantity::percent().of(value * variance);
            let part = behind(&metric, "_standard_error");
            vec![
                summary::standing_for(&metric, value, None).map_err(of_value)?,
                summary::beside(&part, metric.unit.clone(), error).map_err(of_value)?,
            ]
        }
    };
    if let Some(share) = counter.part_of_the_time() {
        let name = behind(&metric, "_counted_share");
        readings.push(
            summary::beside(&name, Unit::Ratio, quantity::percent().of(share)).map_err(of_value)?,
        );
    }
    if let Some((number, unit)) = &counter.derived {
        readings.push(derived(&metric, *number, unit).map_err(of_value)?);
    }
    Ok(readings)
}

/// Returns what perf computed from a counter and another. It explains and is never judged: what it was computed from is.
pub(super) fn derived(of: &Metric, number: f64, what: &str) -> Result<Reading, String> {
    if let Some((unit, name)) = what.split_once(BEHIND_UNIT)
        && let Some((unit, scale)) = unit_and_scale(unit)
    {
        let name = name_of(of, name.trim())?;
        return summary::beside(&name, unit, scale.of(number));
    }
    let (name, is_percent) = match what.strip_prefix('%') {
        Some(name) => (name.trim(), true),
        None => (what, false),
    };
    if let Some((_, ours, unit, prefix)) = DERIVED.iter().find(|(theirs, ..)| *theirs == name) {
        let scale = quantity::things(prefix).ok_or("has an unknown prefix")?;
        let number = scale.of(number);
        // Nanoseconds per second of the program's are a share of its time.
        let (unit, number) = match (unit, &of.unit) {
            (Unit::PerSecond, Unit::Nanosecond) => (Unit::Ratio, number / 1e9),
            (unit, _) => (unit.clone(), number),
        };
        return summary::beside(&own_or_behind(of, ours), unit, number);
    }
    let (name, is_percent) = match name.starts_with("of all ") {
        true => (format!("{}_{name}", of.name), true),
        false => (
            name.to_owned(),
            is_percent || name.ends_with(" cycles idle"),
        ),
    };
    let unit = if is_percent { Unit::Ratio } else { Unit::Count };
    let number = if is_percent {
        quantity::percent().of(number)
    } else {
        number
    };
    let name = own::metric_name(&name).map_err(|error| error.to_string())?;
    summary::beside(name.as_str(), unit, number)
}

/// Returns the name of a part of a counter. An event's own name may leave no room for it, and the value is worth more.
fn behind(of: &Metric, part: &str) -> String {
    let room = KEY_BYTES_MAX - part.len();
    let of = of.name.as_str();
    format!("{}{part}", &of[..of.floor_char_boundary(room)])
}

/// Returns a name in brackets as it stands in them, and any other behind that of the counter.
fn own_or_behind(of: &Metric, ours: &str) -> String {
    let alone = ours
        .strip_prefix('(')
        .and_then(|ours| ours.strip_suffix(')'));
    alone.map_or_else(|| behind(of, &format!("_{ours}")), str::to_owned)
}

/// Returns our name for what has a unit of its own.
fn name_of(of: &Metric, name: &str) -> Result<String, String> {
    let named = NAMED
        .iter()
        .find(|(theirs, counter, _)| *theirs == name && of.name.as_str().starts_with(counter));
    match named {
        Some((.., ours)) => Ok(own_or_behind(of, ours)),
        None => own::metric_name(name)
            .map(|name| name.as_str().to_owned())
            .map_err(|error| error.to_string()),
    }
}

/// Returns what the unit before a name is to us, and how a number becomes one of it.
fn unit_and_scale(unit: &str) -> Option<(Unit, Scale)> {
    match unit {
        "%" | "percent of slots" => return Some((Unit::Ratio, quantity::percent())),
        "CPUs" | "instructions" => return Some((Unit::Ratio, quantity::as_it_is())),
        "GHz" => return Some((Unit::PerSecond, quantity::things("G")?)),
        "cs/sec" | "migrations/sec" | "faults/sec" => {
            return Some((Unit::PerSecond, quantity::as_it_is()));
        }
        _ => {}
    }
    if let Some(prefix) = unit.strip_suffix("/sec")
        && let Some(scale) = quantity::things(prefix)
    {
        return Some((Unit::PerSecond, scale));
    }
    let bytes = unit.strip_suffix("/s").and_then(quantity::bytes);
    match bytes {
        Some(scale) => Some((Unit::BytePerSecond, scale)),
        None => Some((
            Unit::Other(UnitSymbol::new(unit).ok()?),
            quantity::as_it_is(),
        )),
    }
}

/// Returns whether harnesses share a counter.
pub(super) fn is_known(event: &str) -> bool {
    let event = event.strip_suffix(":u").unwrap_or(event);
    METRICS.iter().any(|(theirs, _)| *theirs == event)
}

/// Returns the metric of a counter.
pub(super) fn metric_of(counter: &Counter<'_>, value: f64) -> Result<(Metric, f64), String> {
    let (_, own_event) = counter.kind_and_event();
    // Without rights perf adds to each counter that it counts the program alone.
    let event = own_event.strip_suffix(":u").unwrap_or(&own_event);
    let row = METRICS.iter().find(|(theirs, _)| *theirs == event);
    let known = row.and_then(|(_, ours)| Metric::known(ours));
    let (unit, value) = match &*counter.unit {
        // Some versions leave out that these are nanoseconds.
        "" if is_clock(event)
            || known
                .as_ref()
                .is_some_and(|metric| metric.unit == Unit::Nanosecond) =>
        {
            (Unit::Nanosecond, value)
        }
        "" => (Unit::Count, value),
        unit => match (quantity::nanoseconds(unit), quantity::bytes(unit)) {
            (Some(scale), _) => (Unit::Nanosecond, scale.of(value)),
            (None, Some(scale)) => (Unit::Byte, scale.of(value)),
            (None, None) => {
                let symbol = UnitSymbol::new(unit).map_err(|error| error.to_string())?;
                (Unit::Other(symbol), value)
            }
        },
    };
    match known {
        Some(metric) if metric.unit == unit => Ok((metric, value)),
        Some(metric) => Err(format!(
            "its unit is `{}` and not `{}`",
            unit.symbol(),
            metric.unit.symbol()
        )),
        None => {
            let name = own_event.trim_end_matches('/');
            // In an event's name this sign stands between its parts, and is no `per`.
            let metric = own::metric(&name.replace('/', "_"), unit);
            Ok((metric.map_err(|error| error.to_string())?, value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::counter::Line;
    use super::*;

    fn shown(text: &str) -> String {
        let Line::Counter(counter, _) = Line::of(text) else {
            panic!("{text} is a counter");
        };
        let shown = readings(&counter).map(|readings| {
            let shown = readings.iter().map(|reading| {
                let value = reading.sample.values()[0];
                format!(
                    "{} {value} {}",
                    reading.metric.name,
                    reading.metric.unit.symbol()
                )
            });
            shown.collect::<Vec<_>>().join(", ")
        });
        shown.unwrap_or_else(|error| error)
    }

    #[test]
    fn counters_of_older_versions_are_metrics() {
        for (text, expected) in [
            (
                "0.524149,,task-clock:u,524149,100.00,0.046,CPUs utilized",
                "cpu_time 524149 ns, cpus_utilized 0.046 ratio",
            ),
            ("0,524149;;cpu-clock;524149;100,00", "cpu-clock 524149 ns"),
            ("524149,,task-clock,524149,100.00", "cpu_time 524149 ns"),
            (
                "15,,instructions,1,100.00,2.87,insns per cycle",
                "hardware_instructions 15 count, instructions_per_cycle 2.87 ratio",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn counters_are_metrics() {
        for (theirs, ours) in METRICS {
            assert!(Metric::known(ours).is_some(), "{theirs}");
        }
        for (text, expected) in [
            ("1.53,msec,task-clock,1,100.00", "cpu_time 1530000 ns"),
            (
                "15,,instructions:u,1,100.00",
                "hardware_instructions 15 count",
            ),
            ("15,,instructions:k,1,100.00", "instructions_k 15 count"),
            (
                "2,,syscalls:sys_enter_read,1,100.00",
                "syscalls_sys_enter_read 2 count",
            ),
            (
                "2.5,Joules,power/energy-pkg/,1,100.00",
                "power_energy-pkg 2.5 Joules",
            ),
            (
                "2,MiB,uncore/data_reads/,1,100.00",
                "uncore_data_reads 2097152 B",
            ),
            ("742715,,duration_time,1,100.00", "wall_time 742715 ns"),
            ("30,,cpu_core/cycles/,1,100.00", "hardware_cycles 30 count"),
            ("30,,cpu_core/cycles/u,1,100.00", "hardware_cycles 30 count"),
            (
                "30,,cpu_core/cycles:u/,1,100.00",
                "hardware_cycles 30 count",
            ),
            ("30,,cpu_atom/cycles/k,1,100.00", "cycles_k 30 count"),
            ("30,,cpu/branches/u,1,100.00", "cpu_branches_u 30 count"),
            (
                "30,,cycles,1,25.00,3.000,GHz",
                "hardware_cycles 30 count, hardware_cycles_counted_share 0.25 ratio, \
                 hardware_cycles_per_second 3000000000 1/s",
            ),
            (
                "4,,branch-misses,1,100.00,5.00,of all branches",
                "branch_misses 4 count, branch_misses_of_all_branches 0.05 ratio",
            ),
            (
                "742715,ns,duration_time,742715,100.00,500,M/sec",
                "wall_time 742715 ns, wall_time_per_second 0.5 ratio",
            ),
            (
                "4,,slots,1,100.00,12.5,%  tma_retiring",
                "slots 4 count, tma_retiring 0.125 ratio",
            ),
            (
                "2,MiB,page-faults,1,100.00",
                "cannot be used: its unit is `B` and not `count`",
            ),
            (
                "4,,page-faults,25.00%,1,100.00",
                "page_faults 4 count, page_faults_standard_error 1 count",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn shares_of_misses_have_the_names_that_older_versions_gave_them() {
        for (event, older, newer) in [
            ("L1-dcache-load-misses", "L1-dcache", "l1d_miss_rate"),
            ("L1-icache-load-misses", "L1-icache", "l1i_miss_rate"),
            ("LLC-load-misses", "LL-cache", "llc_miss_rate"),
            ("dTLB-load-misses", "dTLB cache", "dtlb_miss_rate"),
            ("iTLB-load-misses", "iTLB cache", "itlb_miss_rate"),
        ] {
            let older = shown(&format!("4,,{event},1,100.00,2.50,of all {older} accesses"));
            let newer = shown(&format!("4,,{event},1,100.00,2.5,%  {newer}"));
            assert_eq!(older, newer);
        }
    }

    #[test]
    fn what_newer_versions_compute_has_the_name_that_it_had() {
        for (text, expected) in [
            (
                "4,,context-switches:u,1,100.00,2.5,cs/sec  cs_per_second",
                "context_switches 4 count, context_switches_per_second 2.5 1/s",
            ),
            (
                "30,,cpu-cycles,1,100.00,4.1,GHz  cycles_frequency",
                "hardware_cycles 30 count, hardware_cycles_per_second 4100000000 1/s",
            ),
            (
                "30,,branches:u,1,100.00,18.6,K/sec  branch_frequency",
                "branches_u 30 count, branches_u_per_second 18600 1/s",
            ),
            (
                "30,,cpu-cycles,1,100.00,0.6,instructions  insn_per_cycle",
                "hardware_cycles 30 count, instructions_per_cycle 0.6 ratio",
            ),
            (
                "4,,branch-misses,1,100.00,2.5,%  branch_miss_rate",
                "branch_misses 4 count, branch_misses_of_all_branches 0.025 ratio",
            ),
            (
                "4,,branches,1,100.00,2.5,%  branch_miss_rate",
                "branches 4 count, branch_miss_rate 0.025 ratio",
            ),
            (
                "4,,L1-dcache-load-misses,1,100.00,2.5,%  l1d_miss_rate",
                "l1-dcache-load-misses 4 count, \
                 l1-dcache-load-misses_of_all_l1-dcache_accesses 0.025 ratio",
            ),
            (
                "4,,dTLB-loads,1,100.00,2.5,%  dtlb_miss_rate",
                "dtlb-loads 4 count, dtlb_miss_rate 0.025 ratio",
            ),
            (
                "1.53,msec,task-clock,1,100.00,1.0,CPUs  CPUs_utilized",
                "cpu_time 1530000 ns, cpus_utilized 1 ratio",
            ),
            (
                "4,,stalled-cycles-frontend,1,100.00,0.25,frontend_cycles_idle",
                "stalled-cycles-frontend 4 count, frontend_cycles_idle 0.25 ratio",
            ),
            (
                "4,,reads,1,100.00,1.5,MB/s  memory_bandwidth_read",
                "reads 4 count, memory_bandwidth_read 1500000 B/s",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
