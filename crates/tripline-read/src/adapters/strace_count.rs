//! Reads the table of `strace -c`: how often each system call was made, how often it failed, and how long it took.
//!
//! The total is what the benchmark is judged by; the rows explain it. strace does not write the command, so the file gives
//! the benchmark its name. Tested by `fixtures/strace_count`.

mod table;

use tripline_model::{
    Better, Caveat, Metric, MetricName, Nature, Reading, Sample, SuiteName, Unit,
};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::document::Block;
use crate::entry::Entry;
use crate::file_names::is_text;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::naming::bench_of_name;
use crate::place::ReadError;
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

fn is_marked(text: &str) -> bool {
    table::names(text).is_some()
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, |mut listing| {
        let mut lines = listing.document.lines();
        while let Some(header) = lines.next() {
            let Some(names) = table::names(header.text) else {
                continue;
            };
            match read_table(header.line, names, &mut lines, &mut listing) {
                Ok(entry) => listing.keep(header.line, entry),
                Err((line, text)) => listing.problem(line, text),
            }
        }
    })
}

/// Reads the table below a header, or says at which line it cannot be one.
fn read_table<'d>(
    header: usize,
    names: Vec<&'static str>,
    lines: &mut impl Iterator<Item = Block<'d>>,
    listing: &mut Listing<'_, '_>,
) -> Result<Entry, (usize, String)> {
    let rule = lines.next().map(|block| block.text).unwrap_or_default();
    let columns = Columns::of(names, rule).ok_or_else(|| {
        let text = "a damaged table: the line below its header is not one of dashes";
        (header, text.to_owned())
    })?;
    let mut rows: Vec<Row<'_>> = Vec::new();
    for block in lines {
        if columns.is_rule(block.text) {
            continue;
        }
        match columns.row(block.text) {
            Ok(total) if total.call == "total" => {
                let entry = entry(listing, &rows, &total);
                return entry.map_err(|text| (block.line, text));
            }
            Ok(row) => rows.push(row),
            Err(text) => listing.problem(block.line, text),
        }
    }
    let text = "the table that begins here has no total: it is cut off";
    Err((header, text.to_owned()))
}

fn entry(listing: &Listing<'_, '_>, rows: &[Row<'_>], total: &Row<'_>) -> Result<Entry, String> {
    check(rows, total)?;
    let bench = bench_of_name(listing.suite, &listing.document.stem())?;
    let mut entry = Entry::new(bench, readings(rows, total)?);
    entry.caveats.extend(not_followed(rows));
    Ok(entry)
}

/// Says how many threads and children were started and not followed.
///
/// Whoever starts a thread or a child is seen doing so. What that does in its turn is to register a list with the kernel,
/// as the program itself did, or to execute another program: where nobody did so a second time, nobody was followed.
fn not_followed(rows: &[Row<'_>]) -> Option<Caveat> {
    let calls = |name: &str| {
        let rows = rows.iter().filter(|row| row.call == name);
        rows.map(|row| row.calls - row.errors.unwrap_or_default().min(row.calls))
            .fold(0, u64::saturating_add)
    };
    let started = STARTING.map(calls).into_iter().fold(0, u64::saturating_add);
    let is_alone = calls("set_robust_list") == 1 && calls("execve") <= 1;
    (started > 0 && is_alone).then(|| Caveat::ThreadsNotCounted {
        threads: u32::try_from(started).unwrap_or(u32::MAX),
    })
}

/// Says if rows and total do not agree.
fn check(rows: &[Row<'_>], total: &Row<'_>) -> Result<(), String> {
    let sum = |of: fn(&Row<'_>) -> u64| rows.iter().map(of).fold(0, u64::saturating_add);
    let calls = sum(|row| row.calls);
    let failed = sum(errors);
    if (calls, failed) == (total.calls, errors(total)) {
        return Ok(());
    }
    Err(format!(
        "the total of {} calls and {} errors is not that of the rows, which is {calls} and {failed}",
        total.calls,
        errors(total)
    ))
}

fn errors(row: &Row<'_>) -> u64 {
    row.errors.unwrap_or_default()
}

fn readings(rows: &[Row<'_>], total: &Row<'_>) -> Result<Vec<Reading>, String> {
    let calls = Metric::known("system_calls").expect("the metric is in the table");
    let futex = Metric::known("futex_calls").expect("the metric is in the table");
    let futex_calls: u64 = rows
        .iter()
        .filter(|row| row.call == FUTEX)
        .map(|row| row.calls)
        .sum();
    let mut readings = vec![
        reading(calls, total.calls as f64)?,
        reading(futex, futex_calls as f64)?,
    ];
    // A table without that column does not say that nothing failed.
    if let Some(errors) = total.errors {
        readings.push(explaining(
            "system_call_errors",
            Unit::Count,
            errors as f64,
        )?);
    }
    if let Some(time) = total.time {
        readings.push(explaining("system_call_time", Unit::Nanosecond, time)?);
    }
    for row in rows {
        let call = row.call.to_ascii_lowercase();
        if call != FUTEX {
            readings.push(explaining(
                &format!("calls_{call}"),
                Unit::Count,
                row.calls as f64,
            )?);
        }
        if let Some(errors) = row.errors.filter(|errors| *errors > 0) {
            readings.push(explaining(
                &format!("errors_{call}"),
                Unit::Count,
                errors as f64,
            )?);
        }
        if let Some(time) = row.time {
            readings.push(explaining(&format!("time_{call}"), Unit::Nanosecond, time)?);
        }
    }
    Ok(readings)
}

fn explaining(name: &str, unit: Unit, value: f64) -> Result<Reading, String> {
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
    reading(metric, value)
}

fn reading(metric: Metric, value: f64) -> Result<Reading, String> {
    let sample = Sample::new([value]).map_err(|error| format!("{}: {error}", metric.name))?;
    Ok(Reading { metric, sample })
}
