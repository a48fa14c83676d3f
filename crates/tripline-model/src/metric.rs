//! What was measured: name, unit, which direction is better, and what kind of number it is.
//!
//! The metric decides how a verdict is reached; the harness never does. A new metric is one row of [`KNOWN_METRICS`].

use crate::names::{MetricName, NameError, UnitSymbol};

/// Says which direction is an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Better {
    /// Less is better, as for times.
    Lower,
    /// More is better, as for throughput.
    Higher,
    /// Neither is: the number explains others and is never judged.
    Neither,
}

impl Better {
    /// Returns whether a value is worse than the one before it.
    #[must_use]
    pub fn is_worse(self, before: f64, after: f64) -> bool {
        match self {
            Self::Lower => after > before,
            Self::Higher => after < before,
            Self::Neither => false,
        }
    }
}

/// Says what kind of number a metric is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Nature {
    /// A count that comes out the same each time in the same environment.
    Exact,
    /// Repeated values with noise.
    Sampled,
    /// One number that stands for values we never saw.
    Summarized,
}

/// The base units values are kept in; readers convert into these and never guess.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Time, in nanoseconds.
    Nanosecond,
    /// Size, in bytes.
    Byte,
    /// A number of things: instructions, calls, allocations.
    Count,
    /// Things per second.
    PerSecond,
    /// Bytes per second.
    BytePerSecond,
    /// Bits per second.
    BitPerSecond,
    /// One quantity divided by another of the same unit.
    Ratio,
    /// Any other unit, shown as it is and never converted.
    Other(UnitSymbol),
}

impl Unit {
    /// Returns the symbol that stands in files.
    #[must_use]
    pub fn symbol(&self) -> &str {
        match self {
            Self::Nanosecond => "ns",
            Self::Byte => "B",
            Self::Count => "count",
            Self::PerSecond => "1/s",
            Self::BytePerSecond => "B/s",
            Self::BitPerSecond => "bit/s",
            Self::Ratio => "ratio",
            Self::Other(symbol) => symbol.as_str(),
        }
    }

    /// Returns the unit a symbol stands for.
    ///
    /// # Errors
    /// The symbol is no acceptable name.
    pub fn from_symbol(symbol: &str) -> Result<Self, NameError> {
        Ok(match symbol {
            "ns" => Self::Nanosecond,
            "B" => Self::Byte,
            "count" => Self::Count,
            "1/s" => Self::PerSecond,
            "B/s" => Self::BytePerSecond,
            "bit/s" => Self::BitPerSecond,
            "ratio" => Self::Ratio,
            other => Self::Other(UnitSymbol::new(other)?),
        })
    }
}

/// Describes what was measured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Metric {
    /// Its name, unique within a run.
    pub name: MetricName,
    /// The unit its values are in.
    pub unit: Unit,
    /// Which direction is an improvement.
    pub better: Better,
    /// What kind of number it is.
    pub nature: Nature,
}

/// One row of the table of metrics that harnesses share.
#[derive(Debug, Clone, Copy)]
pub struct KnownMetric {
    /// Its name.
    pub name: &'static str,
    /// What it counts, in a few words.
    pub about: &'static str,
    unit: &'static str,
    better: Better,
    nature: Nature,
}

/// The metrics that harnesses share, most telling first: tables are shown in this order.
pub const KNOWN_METRICS: &[KnownMetric] = &[
    exact("instructions", "instructions executed", Better::Lower),
    exact(
        "estimated_cycles",
        "cycles estimated from the simulated caches",
        Better::Lower,
    ),
    exact("allocations", "heap blocks allocated", Better::Lower),
    KnownMetric {
        unit: "B",
        ..exact("allocated_bytes", "heap bytes allocated", Better::Lower)
    },
    KnownMetric {
        unit: "B",
        ..exact(
            "heap_peak",
            "heap bytes at the highest point",
            Better::Lower,
        )
    },
    KnownMetric {
        unit: "B",
        ..exact(
            "heap_held",
            "heap bytes still held at the end",
            Better::Lower,
        )
    },
    exact("system_calls", "calls into the kernel", Better::Lower),
    exact(
        "futex_calls",
        "calls by which threads wait for one another",
        Better::Lower,
    ),
    exact(
        "syncs",
        "waits until the disk has what was written",
        Better::Lower,
    ),
    KnownMetric {
        unit: "ns",
        ..exact(
            "simulated_time",
            "time by the clock of a simulation",
            Better::Lower,
        )
    },
    exact("datagrams", "datagrams sent", Better::Lower),
    exact(
        "acknowledgements",
        "datagrams that only say what has arrived",
        Better::Lower,
    ),
    exact(
        "retransmissions",
        "packets whose content was sent again",
        Better::Lower,
    ),
    exact("sends", "calls that send datagrams", Better::Lower),
    exact("data_reads", "data reads", Better::Lower),
    exact("data_writes", "data writes", Better::Lower),
    exact(
        "total_accesses",
        "instruction fetches, reads and writes",
        Better::Neither,
    ),
    exact(
        "l1_hits",
        "accesses served by the first-level caches",
        Better::Neither,
    ),
    exact(
        "ll_hits",
        "accesses served by the last-level cache",
        Better::Neither,
    ),
    exact("ram_hits", "accesses served by memory", Better::Lower),
    exact(
        "l1_instruction_misses",
        "instruction fetches missed by the first-level cache",
        Better::Lower,
    ),
    exact(
        "l1_read_misses",
        "reads missed by the first-level cache",
        Better::Lower,
    ),
    exact(
        "l1_write_misses",
        "writes missed by the first-level cache",
        Better::Lower,
    ),
    exact(
        "ll_instruction_misses",
        "instruction fetches missed by the last-level cache",
        Better::Lower,
    ),
    exact(
        "ll_read_misses",
        "reads missed by the last-level cache",
        Better::Lower,
    ),
    exact(
        "ll_write_misses",
        "writes missed by the last-level cache",
        Better::Lower,
    ),
    time("wall_time", "time per iteration by the clock on the wall"),
    time(
        "cpu_time",
        "processor time per iteration of the benchmark's thread, or of a whole process",
    ),
    time("user_time", "processor time in the program itself"),
    time(
        "system_time",
        "processor time in the kernel on the program's behalf",
    ),
    rate("item_throughput", "things worked through", "1/s"),
    rate("bit_throughput", "bits worked through", "bit/s"),
    KnownMetric {
        unit: "B",
        ..sampled(
            "resident_peak",
            "bytes of the process in memory at the highest point",
        )
    },
    sampled(
        "hardware_instructions",
        "instructions executed, as the processor counts them",
    ),
    sampled("hardware_cycles", "cycles, as the processor counts them"),
    sampled("branch_misses", "branches predicted wrongly"),
    sampled("cache_misses", "accesses served by no cache"),
    sampled("major_page_faults", "page faults that waited for a device"),
    sampled("minor_page_faults", "page faults served without a device"),
    sampled("page_faults", "page faults of either kind"),
    sampled(
        "context_switches",
        "times another thread was put in its place",
    ),
    sampled("cpu_migrations", "moves to another processor"),
    exact("receives", "calls that bring datagrams", Better::Lower),
];

/// What is computed from instructions and the misses of the simulated caches.
pub const ESTIMATE: &str = "estimated_cycles";

/// The counts of the simulated caches: they tell why instructions or cycles moved, and would only say it again.
pub const EXPLAINING_COUNTS: &[&str] = &[
    "data_reads",
    "data_writes",
    "total_accesses",
    "l1_hits",
    "ll_hits",
    "ram_hits",
    "l1_instruction_misses",
    "l1_read_misses",
    "l1_write_misses",
    "ll_instruction_misses",
    "ll_read_misses",
    "ll_write_misses",
];

/// What the kernel splits by its ticks: they tell what `cpu_time` went into.
pub const EXPLAINING_TIMES: &[&str] = &["user_time", "system_time"];

const fn sampled(name: &'static str, about: &'static str) -> KnownMetric {
    KnownMetric {
        nature: Nature::Sampled,
        ..exact(name, about, Better::Lower)
    }
}

const fn time(name: &'static str, about: &'static str) -> KnownMetric {
    KnownMetric {
        unit: "ns",
        ..sampled(name, about)
    }
}

const fn rate(name: &'static str, about: &'static str, unit: &'static str) -> KnownMetric {
    KnownMetric {
        name,
        about,
        unit,
        better: Better::Higher,
        nature: Nature::Sampled,
    }
}

const fn exact(name: &'static str, about: &'static str, better: Better) -> KnownMetric {
    KnownMetric {
        name,
        about,
        unit: "count",
        better,
        nature: Nature::Exact,
    }
}

/// One more than the longest name of the table.
const LENGTHS: usize = 32;

/// By length of a name: which rows of the table have one so long, a bit each. Tables are sorted by the place of a metric,
/// and most metrics of a large project may be its own; so a name that is not there has to be told quickly.
const ROWS_BY_LENGTH: [u64; LENGTHS] = {
    let mut rows = [0; LENGTHS];
    let mut row = 0;
    while row < KNOWN_METRICS.len() {
        rows[KNOWN_METRICS[row].name.len()] |= 1 << row;
        row += 1;
    }
    rows
};

/// Returns the place of a name in the table.
fn row_of(name: &str) -> Option<usize> {
    let mut rows = *ROWS_BY_LENGTH.get(name.len())?;
    while rows != 0 {
        let row = rows.trailing_zeros() as usize;
        if KNOWN_METRICS[row].name == name {
            return Some(row);
        }
        rows &= rows - 1;
    }
    None
}

impl Metric {
    /// Returns a metric of the table by its name.
    #[must_use]
    pub fn known(name: &str) -> Option<Self> {
        let row = KNOWN_METRICS.get(row_of(name)?)?;
        Some(Self {
            name: MetricName::new(row.name).expect("the names of the table are tested"),
            unit: Unit::from_symbol(row.unit).expect("the units of the table are tested"),
            better: row.better,
            nature: row.nature,
        })
    }

    /// Returns the metric's place in the table; metrics outside it come after all others.
    #[must_use]
    pub fn rank(&self) -> usize {
        row_of(self.name.as_str()).unwrap_or(KNOWN_METRICS.len())
    }

    /// Returns whether the metric may move where the code does the same: with the layout of a binary, which the simulated
    /// caches feel, or with the ticks of the kernel.
    #[must_use]
    pub fn moves_by_itself(&self) -> bool {
        let name = self.name.as_str();
        name == ESTIMATE || EXPLAINING_COUNTS.contains(&name) || EXPLAINING_TIMES.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_a_metric_and_stands_once() {
        for (index, row) in KNOWN_METRICS.iter().enumerate() {
            let metric = Metric::known(row.name).expect("the row is found");
            assert_eq!(metric.rank(), index, "{} stands twice", row.name);
            assert!(!row.about.is_empty());
        }
    }

    #[test]
    fn symbols_come_back_as_their_unit() {
        for symbol in [
            "ns", "B", "count", "1/s", "B/s", "bit/s", "ratio", "furlong",
        ] {
            assert_eq!(Unit::from_symbol(symbol).unwrap().symbol(), symbol);
        }
    }
}
