//! Reads the table of `strace -c`: how often each system call was made, how often it failed, and how long it took.
//!
//! The total is what the benchmark is judged by; the rows explain it. strace does not write the command, so the file gives
//! the benchmark its name, and all tables that it holds are one sample. That they are taken so is said. Tested by
//! `fixtures/strace_count`.

mod runs;
mod table;

use tripline_model::{
    BenchId, Better, Caveat, Metric, MetricName, Nature, Reading, Sample, SuiteName, Unit,
};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::build_output::is_of_build;
use crate::document::Block;
use crate::entry::Entry;
use crate::file_names::is_text;
use crate::grouped::Grouped;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::naming::bench_id;
use crate::place::ReadError;
use runs::Runs;
use table::{Columns, Row};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "strace-count",
    about: "strace 4 to 6: the table of `-c`, with any columns",
    files: is_text,
    mark: Mark::Line(is_marked),
    hint: "run `strace -c -o FILE COMMAND` and give the file",
    read,
};

/// The calls that start a thread or a child.
const STARTING: [&str; 4] = ["clone", "clone3", "fork", "vfork"];

/// The call by which threads wait for one another; it stands in a metric of its own.
const FUTEX: &str = "futex";

/// The call by which every program begins, and those of which each makes one at its start to have memory.
///
/// Whether `-e trace=...` chose the calls of a table nothing in it says. A class of calls, such as `%file`, `%process` or
/// `%memory`, holds the first or the others and not both. Who names both by hand has a table of nothing else, as no program
/// has; who names others beside them and not `futex` is told that there was none.
const STARTING_ITSELF: &str = "execve";
const OF_MEMORY: [&str; 3] = ["brk", "mmap", "mmap2"];

fn is_marked(text: &str) -> bool {
    table::names(text).is_some()
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, |mut listing| {
        let mut lines = listing.document.lines();
        let mut all: Grouped<BenchId, Runs> = Grouped::default();
        // What is said of the table below, and where.
        let mut said: Option<(usize, &str)> = None;
        while let Some(header) = lines.next() {
            let Some(names) = table::names(header.text) else {
                if let Some(mode) = mode_of(header.text) {
                    told_of_nothing(said.replace((header.line, mode)), &mut listing);
                } else if table::is_total(header.text) {
                    listing.problem(header.line, "a total of a table whose header is damaged");
                }
                continue;
            };
            let mode = said.take().map(|(_, mode)| mode);
            let table = read_table((header.line, mode), &names, &mut lines, &mut listing);
            let taken = table.and_then(|entry| {
                let runs = || Runs::of(header.line, names.clone());
                let runs = all.of(entry.bench.clone(), runs);
                let taken = runs.take(entry, &names);
                taken.map_err(|text| (header.line, text))
            });
            if let Err((line, text)) = taken {
                listing.problem(line, text);
            }
        }
        told_of_nothing(said, &mut listing);
        for (bench, runs) in all.into_all() {
            runs.end(bench, &mut listing);
        }
    })
}

/// Says that a line is about a table that is not there.
fn told_of_nothing(said: Option<(usize, &str)>, listing: &mut Listing<'_, '_>) {
    if let Some((line, _)) = said {
        listing.problem(line, "the table that this line announces is not below it");
    }
}

/// Returns what a line says of the table below it: that it is of the calls in another mode of the processor. One end of the
/// line is enough, so that a table whose line is damaged is not taken for one more run of the table above it.
fn mode_of(text: &str) -> Option<&str> {
    let text = text.trim();
    let rest = text.strip_prefix("System call usage summary for ");
    let is_announced = rest.is_some() || text.ends_with(" bit mode:");
    let rest = rest.unwrap_or(text);
    is_announced.then(|| rest.strip_suffix(" mode:").unwrap_or(rest))
}

/// Reads the table below a header, or says at which line it cannot be one.
fn read_table<'d>(
    (header, mode): (usize, Option<&str>),
    names: &[&'static str],
    lines: &mut impl Iterator<Item = Block<'d>>,
    listing: &mut Listing<'_, '_>,
) -> Result<Entry, (usize, String)> {
    let rule = lines.next().map(|block| block.text).unwrap_or_default();
    let columns = Columns::of(names.to_vec(), rule).ok_or_else(|| {
        let text = "a damaged table: the line below its header is not one of dashes";
        (header, text.to_owned())
    })?;
    let mut rows: Vec<Row<'_>> = Vec::new();
    for block in lines {
        if columns.is_rule(block.text) || is_no_row(block.text) {
            continue;
        }
        match columns.row(block.text) {
            Ok(total) if total.call == "total" => {
                let entry = entry(listing, mode, &rows, &total);
                return entry.map_err(|text| (block.line, text));
            }
            Ok(row) => rows.push(row),
            Err(text) => listing.problem(block.line, text),
        }
    }
    let text = "the table that begins here has no total: it is cut off";
    Err((header, text.to_owned()))
}

/// Returns whether a line that stands within a table is of another program: what is said of a call has a number. A header
/// is that of the next table, and this one was cut off.
fn is_no_row(text: &str) -> bool {
    let has_number = text.contains(|c: char| c.is_ascii_digit());
    is_of_build(text) || (!has_number && table::names(text).is_none())
}

fn entry(
    listing: &Listing<'_, '_>,
    mode: Option<&str>,
    rows: &[Row<'_>],
    total: &Row<'_>,
) -> Result<Entry, String> {
    check(rows, total)?;
    let pairs: Vec<(&str, &str)> = mode.map(|mode| ("mode", mode)).into_iter().collect();
    let bench = bench_id(listing.suite, &listing.document.stem(), &pairs)?;
    let mut entry = Entry::new(bench, readings(rows, total)?);
    entry.caveats.extend(not_followed(rows));
    Ok(entry)
}

/// Says how many threads and children were started and not followed.
///
/// Whoever starts a thread or a child is seen doing so. What that does in its turn is to register a list with the kernel,
/// as the program itself did, or to execute another program: where nobody did so a second time, nobody was followed.
fn not_followed(rows: &[Row<'_>]) -> Option<Caveat> {
    let done = |name: &str| {
        let rows = rows.iter().filter(|row| row.call == name);
        rows.map(|row| calls(row).saturating_sub(errors(row)))
            .fold(0, u64::saturating_add)
    };
    let started = STARTING.map(done).into_iter().fold(0, u64::saturating_add);
    let is_alone = done("set_robust_list") == 1 && done("execve") <= 1;
    (started > 0 && is_alone).then(|| Caveat::ThreadsNotCounted {
        threads: u32::try_from(started).unwrap_or(u32::MAX),
    })
}

/// Says if rows and total do not agree.
fn check(rows: &[Row<'_>], total: &Row<'_>) -> Result<(), String> {
    let sum = |of: fn(&Row<'_>) -> u64| rows.iter().map(of).fold(0, u64::saturating_add);
    let (made, failed) = (sum(calls), sum(errors));
    if (made, failed) == (calls(total), errors(total)) {
        return Ok(());
    }
    Err(format!(
        "the total of {} calls and {} errors is not that of the rows, which is {made} and {failed}",
        calls(total),
        errors(total)
    ))
}

fn calls(row: &Row<'_>) -> u64 {
    row.calls.unwrap_or_default()
}

fn errors(row: &Row<'_>) -> u64 {
    row.errors.unwrap_or_default()
}

fn readings(rows: &[Row<'_>], total: &Row<'_>) -> Result<Vec<Reading>, String> {
    let mut readings = Vec::new();
    // A table without a column does not say that there is nothing in it.
    if total.calls.is_some() {
        let counts = [
            ("system_calls", Some(calls(total))),
            ("futex_calls", futex_calls(rows)),
        ];
        for (name, count) in counts {
            let metric = Metric::known(name).expect("the metric is in the table");
            let count = count.map(|count| reading(metric, count as f64));
            readings.extend(count.transpose()?);
        }
    }
    let errors = total.errors.map(|errors| errors as f64);
    readings.extend(explaining("system_call_errors", Unit::Count, errors)?);
    add_times(&mut readings, "system_call_time", total)?;
    for row in rows {
        let call = row.call.to_ascii_lowercase();
        let counted = row.calls.filter(|_| call != FUTEX);
        let counted = counted.map(|calls| calls as f64);
        readings.extend(explaining(&format!("calls_{call}"), Unit::Count, counted)?);
        let failed = row.errors.filter(|errors| *errors > 0);
        let failed = failed.map(|errors| errors as f64);
        readings.extend(explaining(&format!("errors_{call}"), Unit::Count, failed)?);
        add_times(&mut readings, &format!("time_{call}"), row)?;
    }
    Ok(readings)
}

/// Returns how often threads waited for one another; none where the table may be one of chosen calls without that one.
fn futex_calls(rows: &[Row<'_>]) -> Option<u64> {
    let has = |call: &str| rows.iter().any(|row| row.call == call);
    let is_beside = |call: &str| call != STARTING_ITSELF && !OF_MEMORY.contains(&call);
    let is_of_all = has(STARTING_ITSELF)
        && OF_MEMORY.iter().any(|call| has(call))
        && rows.iter().any(|row| is_beside(row.call));
    let futex = rows.iter().filter(|row| row.call == FUTEX);
    (is_of_all || has(FUTEX)).then(|| futex.map(calls).fold(0, u64::saturating_add))
}

fn add_times(readings: &mut Vec<Reading>, name: &str, row: &Row<'_>) -> Result<(), String> {
    for ((.., behind), time) in table::TIMES.iter().zip(row.times) {
        let name = format!("{name}{behind}");
        readings.extend(explaining(&name, Unit::Nanosecond, time)?);
    }
    Ok(())
}

fn explaining(name: &str, unit: Unit, value: Option<f64>) -> Result<Option<Reading>, String> {
    let Some(value) = value else {
        return Ok(None);
    };
    let nature = match unit {
        Unit::Count => Nature::Exact,
        _ => Nature::Sampled,
    };
    let metric = Metric {
        name: MetricName::new(name).map_err(|error| error.to_string())?,
        unit,
        better: Better::Neither,
        nature,
    };
    reading(metric, value).map(Some)
}

fn reading(metric: Metric, value: f64) -> Result<Reading, String> {
    let sample = Sample::new([value]).map_err(|error| format!("{}: {error}", metric.name))?;
    Ok(Reading { metric, sample })
}
