//! What the tools count, in Tripline's words.
//!
//! A metric is known by its name alone, whichever harness ran the tool. What is not in the table is kept under its own
//! name and never judged: nobody said which direction of it is better. Tested below.

use tripline_model::{
    Better, COUNT_MAX, Metric, MetricName, NameError, Nature, Reading, Sample, Unit,
};

use super::{CALLGRIND, Count};
use crate::quantity::nanoseconds;

/// The metrics of the table in Tripline's words, by the names the tools use.
const METRICS: &[(&str, &str)] = &[
    ("Ir", "instructions"),
    ("EstimatedCycles", "estimated_cycles"),
    ("Dr", "data_reads"),
    ("Dw", "data_writes"),
    ("TotalRW", "total_accesses"),
    ("L1hits", "l1_hits"),
    ("LLhits", "ll_hits"),
    ("RamHits", "ram_hits"),
    ("I1mr", "l1_instruction_misses"),
    ("D1mr", "l1_read_misses"),
    ("D1mw", "l1_write_misses"),
    ("ILmr", "ll_instruction_misses"),
    ("DLmr", "ll_read_misses"),
    ("DLmw", "ll_write_misses"),
    ("TotalBlocks", "allocations"),
    ("TotalBytes", "allocated_bytes"),
    ("AtTGmaxBytes", "heap_peak"),
];

/// The tools whose metrics have names of their own; those of any other tool, such as the error counts, share one name.
const NAMING_TOOLS: &[&str] = &[CALLGRIND, CACHEGRIND, "DHAT"];

/// The tool that counts what Callgrind does, of a whole program.
const CACHEGRIND: &str = "Cachegrind";

const NO_UNIT: &str =
    "it is a time, and nothing says in which unit: the file that callgrind writes does";

/// The times that callgrind adds up of system calls. Which unit they are in goes by what `--collect-systime` asked for.
const TIMES: [&str; 2] = ["SysTime", "SysCpuTime"];

/// Returns whether what a name stands for is a time.
pub(crate) fn is_time(name: &str) -> bool {
    TIMES.iter().any(|time| time.eq_ignore_ascii_case(name))
}

/// Makes a time of a unit a reading in nanoseconds, or says why it is none.
pub(crate) fn time_of(name: &str, count: u64, unit: &str) -> Result<Reading, String> {
    let scale = nanoseconds(unit).ok_or(NO_UNIT)?;
    let mut reading = reading_of(CALLGRIND, name, Count::Whole(count))?;
    let value = scale.of(reading.sample.values()[0]);
    reading.sample = Sample::new([value]).map_err(|error| error.to_string())?;
    reading.metric.unit = Unit::Nanosecond;
    reading.metric.nature = Nature::Sampled;
    Ok(reading)
}

/// Makes a count a reading, or says why it is none.
pub(crate) fn reading_of(tool: &str, name: &str, count: Count) -> Result<Reading, String> {
    let value = match count {
        // Rounding would make a count out of range look like one that is in it.
        Count::Whole(n) if n > COUNT_MAX as u64 => {
            return Err(format!(
                "{n} is too large to be kept exactly (the limit is 2^53)"
            ));
        }
        Count::Whole(n) => n as f64,
        Count::Real(value) => value,
        Count::Undefined | Count::NotMeasured => return Err("it has no value".to_owned()),
    };
    let sample = Sample::new([value]).map_err(|error| error.to_string())?;
    let metric = metric_of(tool, name).map_err(|error| error.to_string())?;
    Ok(Reading { metric, sample })
}

/// Names a metric after its tool if that is Cachegrind, which counts what Callgrind does: of a benchmark that both count,
/// one name would be two metrics. It is shown and never judged, because Callgrind's is.
pub(crate) fn name_beside_callgrind(tool: &str, reading: &mut Reading) -> Result<(), NameError> {
    if tool == CACHEGRIND {
        let metric = &mut reading.metric;
        metric.name = MetricName::new(format!("cachegrind_{}", metric.name))?;
        metric.better = Better::Neither;
    }
    Ok(())
}

/// Returns the metric of the table, or for any other name one that is shown and never judged.
fn metric_of(tool: &str, name: &str) -> Result<Metric, NameError> {
    let names_its_own = NAMING_TOOLS.contains(&tool);
    let row = METRICS.iter().find(|(theirs, _)| *theirs == name);
    if let Some(metric) = row.and_then(|(_, ours)| Metric::known(ours))
        && names_its_own
    {
        return Ok(metric);
    }
    let ours = if names_its_own {
        snake_case(name)
    } else {
        format!("{}_{}", tool.to_ascii_lowercase(), snake_case(name))
    };
    Ok(Metric {
        name: MetricName::new(ours)?,
        unit: if name.ends_with("Bytes") {
            Unit::Byte
        } else {
            Unit::Count
        },
        better: Better::Neither,
        nature: Nature::Exact,
    })
}

/// Writes `AtTGmaxBlocks` as `at_t_gmax_blocks`.
fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::with_capacity(name.len() + 4);
    for (index, c) in chars.iter().enumerate() {
        let after_small = index > 0 && !chars[index - 1].is_ascii_uppercase();
        let before_small = chars.get(index + 1).is_some_and(char::is_ascii_lowercase);
        if c.is_ascii_uppercase() && index > 0 && (after_small || before_small) {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_table_are_metrics_of_the_table() {
        for (theirs, ours) in METRICS {
            let metric = Metric::known(ours).expect("the row names a known metric");
            assert_eq!(metric_of("Callgrind", theirs), Ok(metric));
        }
    }

    #[test]
    fn other_names_are_kept_in_our_form() {
        for (tool, name, expected) in [
            ("DHAT", "AtTGmaxBlocks", "at_t_gmax_blocks"),
            ("DHAT", "TotalLifetimes", "total_lifetimes"),
            ("Callgrind", "SysCpuTime", "sys_cpu_time"),
            ("Callgrind", "Bcm", "bcm"),
            ("Callgrind", "AcCost1", "ac_cost1"),
            ("Callgrind", "ILdmr", "i_ldmr"),
            ("Memcheck", "SuppressedErrors", "memcheck_suppressed_errors"),
            ("DRD", "Errors", "drd_errors"),
        ] {
            let metric = metric_of(tool, name).unwrap();
            assert_eq!(metric.name.as_str(), expected);
            assert_eq!(metric.better, Better::Neither);
        }
        assert!(metric_of("Callgrind", "-Ir").is_err());
    }

    #[test]
    fn beside_callgrind_what_cachegrind_counts_has_a_name_of_its_own() {
        for (tool, name, expected) in [
            (
                "Cachegrind",
                "Ir",
                ("cachegrind_instructions", Better::Neither),
            ),
            ("Cachegrind", "Bcm", ("cachegrind_bcm", Better::Neither)),
            ("Callgrind", "Ir", ("instructions", Better::Lower)),
            ("DHAT", "TotalBlocks", ("allocations", Better::Lower)),
        ] {
            let mut reading = reading_of(tool, name, Count::Whole(1)).unwrap();
            assert_eq!(name_beside_callgrind(tool, &mut reading), Ok(()));
            let metric = &reading.metric;
            assert_eq!((metric.name.as_str(), metric.better), expected);
        }
    }

    #[test]
    fn a_time_has_the_unit_it_was_taken_in() {
        for (name, unit, expected) in [
            ("sysTime", "us", Ok(("sys_time", 5000.0))),
            ("sysCpuTime", "ns", Ok(("sys_cpu_time", 5.0))),
            ("sysTime", "ticks", Err(NO_UNIT)),
        ] {
            let reading = time_of(name, 5, unit);
            let found = reading.as_ref().map(|one| {
                assert_eq!(one.metric.unit, Unit::Nanosecond);
                assert_eq!(one.metric.nature, Nature::Sampled);
                (one.metric.name.as_str(), one.sample.values()[0])
            });
            assert_eq!(found.map_err(String::as_str), expected, "{name} {unit}");
        }
        assert!(is_time("sysTime") && is_time("SysCpuTime") && !is_time("sysCount"));
    }

    #[test]
    fn counts_that_cannot_be_kept_exactly_are_refused() {
        assert!(reading_of("Callgrind", "Ir", Count::Whole(1 << 53)).is_ok());
        for count in [
            Count::Whole((1 << 53) + 1),
            Count::Whole(u64::MAX),
            Count::Real(-1.0),
            Count::Real(f64::INFINITY),
            Count::Undefined,
        ] {
            assert!(reading_of("Callgrind", "Ir", count).is_err(), "{count:?}");
        }
    }
}
