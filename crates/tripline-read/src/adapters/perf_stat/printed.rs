//! What `perf stat` prints for people: a heading that says the command, a line for each counter, and how long it took.
//!
//! Tested below and by `fixtures/perf_stat`.

use std::borrow::Cow;

use super::columns::counted;
use super::counter::{Counter, MILLISECONDS, OF_ONE_KIND, are_titles, is_clock, is_kind, told};
use super::{Last, METRIC_ONLY, Reader, bench_of, key_of, runs};
use crate::document::Block;
use crate::naming::in_one_line;
use crate::place::shown;
use crate::quantity;

/// How the heading begins.
const HEADING: &str = "Performance counter stats for ";

/// How what it says begins: a command, or what was running.
const KINDS: [&str; 3] = ["'", "process id '", "thread id '"];

/// What follows the counters, and the counters these numbers are as well.
pub(super) const TIMES: [(&str, &str); 3] = [
    ("seconds time elapsed", "duration_time"),
    ("seconds user", "user_time"),
    ("seconds sys", "system_time"),
];

/// How perf says in front of its table that a signal ended what was measured, but for signals by which one asks for the end.
pub(super) const DEATHS: [&str; 7] = [
    "Segmentation fault",
    "Aborted",
    "Bus error",
    "Illegal instruction",
    "Floating point exception",
    "Killed",
    "Bad system call",
];

/// Those of signals that are rare, or whose words programs use as well.
const RARE_DEATHS: [&str; 15] = [
    "Arithmetic exception",
    "Trace/breakpoint trap",
    "CPU time limit exceeded",
    "File size limit exceeded",
    "Alarm clock",
    "Virtual timer expired",
    "Profiling timer expired",
    "Broken pipe",
    "Quit",
    "User defined signal 1",
    "User defined signal 2",
    "Stack fault",
    "I/O possible",
    "Power failure",
    "EMT trap",
];

/// Returns the program that a signal ended, and how, where a line says that.
pub(super) fn death(text: &str) -> Option<(&str, &str)> {
    let (program, how) = text.trim().rsplit_once(": ")?;
    let is_death = DEATHS.contains(&how) || RARE_DEATHS.contains(&how);
    is_death.then_some((program, how))
}

/// A table that has begun.
pub(super) struct Table {
    /// As long as it is open, the heading up to here.
    command: String,
    /// Whether the heading goes on, as that of a command of several lines does.
    is_open: bool,
    /// Whether a signal ended what was measured, which was told.
    is_of_dead: bool,
    line: usize,
    counters: Vec<(usize, Row)>,
    /// The last of them that was not computed of the one above it.
    above: Option<usize>,
    is_timed: bool,
    /// Whether its columns were named, which are of what is computed alone.
    is_of_metrics: bool,
    /// How long each run took, in nanoseconds, and the line of the first; of `--table`.
    runs: Vec<(usize, f64)>,
}

/// What may stand in brackets at the end of a line.
type Ends = (Option<f64>, Option<f64>);

/// A line of a table.
#[derive(Debug, Clone, PartialEq)]
enum Row {
    Counter(Counter<'static>),
    /// What was computed. Of the counter above, unless it is of a group that is named: a counter with several such numbers
    /// has its spread and the share of the time it counted at the end of the last.
    Derived(f64, String, Option<Ends>),
    /// It has nothing but a number that is none.
    Nothing,
    /// It was told that it is not read.
    Lost,
}

impl Table {
    fn begun(line: usize) -> Self {
        Self {
            command: String::new(),
            is_open: true,
            is_of_dead: false,
            line,
            counters: Vec::new(),
            above: None,
            is_timed: false,
            is_of_metrics: false,
            runs: Vec::new(),
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Takes a line of the heading.
    fn take_heading(&mut self, text: &str, reader: &mut Reader<'_, '_>) {
        let ends_with_runs = || text.ends_with(" runs):") && text.contains("' (");
        let may_end = self.command.is_empty() || text.ends_with("':") || ends_with_runs();
        self.command.push_str(text);
        let command = may_end.then(|| command_of(&self.command)).flatten();
        if let Some(command) = command.map(|command| in_one_line(command).into_owned()) {
            self.is_of_dead = reader.tells_of_death(self.line, Some(&command));
            self.command = command;
            self.is_open = false;
        }
        self.command.push_str(if self.is_open { "\n" } else { "" });
    }

    /// Takes a row, and gives the counter above its spread and its share, which stand below it.
    fn push(&mut self, line: usize, row: Row) {
        if let Row::Derived(.., Some((variance, share))) = row {
            let above = self.above.map(|above| &mut self.counters[above].1);
            if let Some(Row::Counter(counter)) = above {
                counter.variance = counter.variance.or(variance);
                counter.share = share.unwrap_or(counter.share);
            }
        } else {
            self.above = Some(self.counters.len());
        }
        self.counters.push((line, row));
    }
}

/// Returns whether a line is a heading, or its beginning.
pub(super) fn is_heading(text: &str) -> bool {
    let what = text.trim_start().strip_prefix(HEADING);
    what.is_some_and(|what| KINDS.iter().any(|kind| what.starts_with(kind)))
}

/// Returns what a heading says was run, if it is whole.
fn command_of(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix(HEADING)?.strip_suffix(':')?;
    let rest = match rest.rsplit_once(" (") {
        Some((rest, runs)) if runs.ends_with(" runs)") => rest,
        _ => rest,
    };
    let command = match rest.strip_prefix('\'') {
        Some(rest) => rest.strip_suffix('\'')?,
        None => rest,
    };
    (!command.is_empty()).then_some(command)
}

/// Takes a line that is of a table, and returns whether it is.
pub(super) fn take(
    open: &mut Option<Table>,
    reader: &mut Reader<'_, '_>,
    block: &Block<'_>,
    is_cut: bool,
) -> bool {
    if is_heading(block.text) {
        end(open.take(), reader);
        *open = Some(Table::begun(block.line));
    }
    let Some(table) = open else {
        return take_interval(reader, block, is_cut);
    };
    if table.is_open {
        table.take_heading(block.text, reader);
        return true;
    }
    if runs::is_title(block.text) {
        return true;
    }
    if let Some(time) = runs::time(block.text).filter(|_| !table.is_timed) {
        table.runs.push((block.line, time));
        return true;
    }
    match row(block.text) {
        _ if block.text.trim().is_empty() => {}
        Ok(Row::Counter(counter)) if is_time(&counter) => {
            table.is_timed = true;
            table.push(block.line, Row::Counter(counter));
        }
        // What stands below the names of columns was told with them.
        _ if table.is_of_metrics && !table.is_timed => {}
        _ if table.counters.is_empty() && are_titles(block.text) => {
            table.is_of_metrics = true;
            let text = format!("a damaged result: {METRIC_ONLY}");
            reader.listing.problem(block.line, text);
        }
        Ok(row) if !table.is_timed => {
            table.push(block.line, row);
        }
        Err(why) if !table.is_timed || is_cut || block.text.contains("second") => {
            let text = told(why);
            reader.listing.problem(block.line, text);
            table.push(block.line, Row::Lost);
        }
        // What was printed after the table.
        _ => {
            end(open.take(), reader);
            return false;
        }
    }
    true
}

/// Takes a line of intervals, which begin with the time since the start, and returns whether it is one.
fn take_interval(reader: &mut Reader<'_, '_>, block: &Block<'_>, is_cut: bool) -> bool {
    let text = block.text.trim();
    if is_heading_of_intervals(text) {
        reader.prints_intervals = true;
        return true;
    }
    let time = text.split_whitespace().next().unwrap_or_default();
    if !reader.prints_intervals || !is_time_of_interval(time) {
        return false;
    }
    match row(&text[time.len()..]) {
        Ok(Row::Counter(counter)) if !is_cut => reader.take_part(block.line, &counter),
        // What is computed of a part says nothing of the whole.
        Ok(Row::Derived(..) | Row::Nothing | Row::Lost) if !is_cut => {}
        Ok(_) => reader.listing.problem(block.line, super::CUT_OFF),
        Err(why) => {
            let text = told(why);
            reader.listing.problem(block.line, text);
        }
    }
    true
}

/// Returns whether a line names the columns of intervals, as in `#           time             counts unit events`.
fn is_heading_of_intervals(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let begins = words.next() == Some("#") && words.next() == Some("time");
    begins && words.last() == Some("events")
}

/// Returns whether a word is a number of seconds with the nine digits behind its point that perf writes.
fn is_time_of_interval(word: &str) -> bool {
    let parts = word.split_once('.');
    parts.is_some_and(|(whole, fraction)| {
        let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        !whole.is_empty() && fraction.len() == 9 && are_digits(whole) && are_digits(fraction)
    })
}

/// Takes over a table to which no more lines belong. Without its end its last line may be cut anywhere.
pub(super) fn end(table: Option<Table>, reader: &mut Reader<'_, '_>) {
    let Some(table) = table.filter(|table| !table.is_of_dead) else {
        return;
    };
    if table.is_open {
        let text = "a damaged result: its heading is cut off";
        return reader.listing.problem(table.line, text);
    }
    if !table.is_timed {
        let text = format!(
            "the counters of `{}` are cut off: how long it took is missing",
            shown(&table.command)
        );
        return reader.listing.problem(table.line, text);
    }
    let counts: Vec<String> = table
        .counters
        .iter()
        .filter_map(|(_, row)| match row {
            Row::Counter(counter) if !is_time(counter) => Some(counter.event.to_string()),
            _ => None,
        })
        .collect();
    let runs = runs::times(&table.runs, &counts, reader);
    for (line, row) in table.counters {
        match row {
            Row::Counter(counter) if event_of(&counter) == TIMES[0].1 && !runs.is_empty() => {
                let bench = bench_of(&counter, reader.listing.suite, &table.command);
                reader.count_runs(line, bench, &runs);
            }
            // Where a counter is such a time as well, the same number is printed twice.
            Row::Counter(counter) if is_time(&counter) => {
                let event = event_of(&counter);
                if !counts.iter().any(|count| count == event) {
                    let event = Cow::Borrowed(event);
                    count(reader, line, &table.command, Counter { event, ..counter });
                }
            }
            Row::Counter(counter) => count(reader, line, &table.command, counter),
            Row::Derived(number, what, _) => reader.derive(line, number, &what),
            Row::Lost => reader.last = Last::Lost,
            Row::Nothing => {}
        }
    }
}

fn count(reader: &mut Reader<'_, '_>, line: usize, command: &str, counter: Counter<'_>) {
    reader.parts.remove(&key_of(&counter));
    let bench = bench_of(&counter, reader.listing.suite, command);
    reader.count(line, bench, &counter);
}

fn is_time(counter: &Counter<'_>) -> bool {
    TIMES.iter().any(|(words, _)| counter.event == *words)
}

fn event_of(counter: &Counter<'_>) -> &'static str {
    let row = TIMES.iter().find(|(words, _)| counter.event == *words);
    row.map_or("", |(_, event)| event)
}

/// Reads a line of a table.
fn row(text: &str) -> Result<Row, &'static str> {
    let (left, right) = match text.split_once('#') {
        Some((left, right)) => (left, Some(right)),
        None => (text, None),
    };
    let mut derived = None;
    let (mut variance, mut share) = (None, None);
    let (left, mut ends) = without_ends(left);
    let right = right.map(without_ends);
    if ends.iter().copied().any(is_kind) {
        return Err(OF_ONE_KIND);
    }
    if left.split_whitespace().next_back().is_some_and(is_clock) {
        // Versions before 4.16 have the unit of a clock behind its name.
        ends.retain(|end| *end != MILLISECONDS);
    }
    for end in ends.iter().chain(right.iter().flat_map(|(_, ends)| ends)) {
        let number = end.trim_start_matches("+-").trim();
        // Versions before 3.0 say what a share is for.
        let number = number.strip_prefix("scaled from ").unwrap_or(number);
        let number = number.strip_suffix('%').and_then(quantity::number);
        let number = number.ok_or("what is in brackets is no percentage")?;
        match end.starts_with("+-") {
            true => variance = Some(number),
            false => share = Some(number),
        }
    }
    let mut is_nothing = false;
    if let Some((right, _)) = &right {
        is_nothing = is_no_number(right);
        let number = (!is_nothing).then(|| computed(right).ok_or("behind `#` stands no number"));
        derived = number.transpose()?;
    }
    // A share of a processor's slots stands behind the name of its group, which is no counter.
    let mut words = left.split_whitespace();
    let is_group = match (words.next(), words.next()) {
        (Some(word), None) => word.starts_with(|c: char| c.is_ascii_alphabetic()),
        (first, _) => first.is_none(),
    };
    if let Some((number, what)) = derived.take_if(|_| is_group) {
        let is_below = left.trim().is_empty();
        return Ok(Row::Derived(
            number,
            what,
            is_below.then_some((variance, share)),
        ));
    }
    if is_group && is_nothing {
        return Ok(Row::Nothing);
    }
    if left.trim().is_empty() {
        return Err("it is empty");
    }
    let mut counter = counted(left)?;
    let has_fraction = left.split_whitespace().any(|word| {
        let is_number = word.bytes().all(|byte| b"0123456789,.".contains(&byte));
        is_number && word.contains('.')
    });
    rename_older(&mut counter, has_fraction, derived.as_mut());
    counter.variance = counter.variance.or(variance);
    counter.share = share.unwrap_or(100.0);
    counter.derived = derived.map(|(number, what)| (number, Cow::Owned(what)));
    Ok(Row::Counter(counter))
}

/// Gives what older versions print the words of newer ones: the first have the unit in the name of a clock, and say of
/// what branches a share is by its place alone; others leave the unit out.
fn rename_older(
    counter: &mut Counter<'static>,
    has_fraction: bool,
    derived: Option<&mut (f64, String)>,
) {
    let clock = counter.event.strip_suffix("-msecs");
    if let Some(clock) = clock.filter(|name| is_clock(name)) {
        counter.event = Cow::Owned(clock.to_owned());
    }
    if counter.unit.is_empty() && has_fraction && is_clock(&counter.event) {
        counter.unit = Cow::Borrowed(MILLISECONDS);
    }
    if let Some((_, what)) = derived
        && counter.event == "branch-misses"
        && what == "%"
    {
        what.push_str(" of all branches");
    }
}

/// Takes the brackets off the end of a text.
fn without_ends<'t>(text: &'t str) -> (&'t str, Vec<&'t str>) {
    let (mut text, mut ends) = (text.trim_end(), Vec::new());
    // Versions before 3.16 have a share in square ones.
    let end_of = |text: &'t str| {
        let round = text.strip_suffix(')').map(|rest| rest.rsplit_once('('));
        // Others say which part of the machine counted.
        let square = || {
            text.strip_suffix("%]")
                .map(|_| text[..text.len() - 1].rsplit_once('['))
        };
        round.or_else(square).flatten()
    };
    while let Some((rest, end)) = end_of(text) {
        text = rest.trim_end();
        ends.push(end.trim());
    }
    (text, ends)
}

/// Returns whether what stands in a number's place is none, as where something was divided by a counter of zero.
fn is_no_number(text: &str) -> bool {
    let number = text.split_whitespace().next().unwrap_or_default();
    let number = number.trim_start_matches('-').trim_end_matches('%');
    matches!(number, "nan" | "inf")
}

/// Reads a number and what was computed; a percent sign stays with the words, and two blanks behind a unit stay, as in
/// fields.
fn computed(text: &str) -> Option<(f64, String)> {
    let (number, what) = text.trim().split_once(char::is_whitespace)?;
    // Versions before 4.12 have two blanks in this one, which elsewhere stand behind a unit.
    let what = match what.trim() {
        "backend  cycles idle" => "backend cycles idle",
        what => what,
    };
    match number.strip_suffix('%') {
        Some(number) => Some((quantity::number(number)?, format!("% {what}"))),
        None => Some((quantity::number(number)?, what.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_say_the_command() {
        for (text, expected) in [
            (" Performance counter stats for 'ls -l':", Some("ls -l")),
            (
                " Performance counter stats for './kv 1' (3 runs):",
                Some("./kv 1"),
            ),
            (
                " Performance counter stats for 'system wide':",
                Some("system wide"),
            ),
            (
                " Performance counter stats for process id '12':",
                Some("process id '12'"),
            ),
            (" Performance counter stats for '':", None),
            (" Performance counter stats", None),
        ] {
            assert_eq!(command_of(text), expected, "{text}");
        }
        assert!(is_heading(" Performance counter stats for thread id '1"));
        assert!(!is_heading("Performance counter stats for the win!"));
    }

    fn shown_row(text: &str) -> String {
        match row(text) {
            Ok(Row::Counter(Counter {
                value,
                unit,
                event,
                variance,
                share,
                derived,
                processor,
                ..
            })) => {
                let value = value.map_or("none".to_owned(), |value| format!("Ok({value:?})"));
                format!("{value} {unit} {event} {variance:?} {share} {derived:?} {processor:?}")
            }
            Ok(Row::Derived(number, what, ends)) => format!("{number} {what} {ends:?}"),
            Ok(Row::Nothing) => "nothing".to_owned(),
            Ok(Row::Lost) => "lost".to_owned(),
            Err(why) => format!("error: {why}"),
        }
    }

    #[test]
    fn lines_of_older_versions_are_counters() {
        for (text, expected) in [
            (
                "  26.554473      task-clock (msec)         #    0.965 CPUs utilized   ( +-  2.16% )",
                "Ok(26.554473) msec task-clock Some(2.16) 100 Some((0.965, \"CPUs utilized\")) None",
            ),
            (
                "  5,833,261,700      task-clock:u             #    0.904 CPUs utilized",
                "Ok(5833261700.0)  task-clock:u None 100 Some((0.904, \"CPUs utilized\")) None",
            ),
            (
                "  26.554473 cpu-clock:u (msec)",
                "Ok(26.554473) msec cpu-clock:u None 100 None None",
            ),
            (
                "  11808.095776 task-clock                #    0.998 CPUs utilized            [50.00%]",
                "Ok(11808.095776) msec task-clock None 50 Some((0.998, \"CPUs utilized\")) None",
            ),
            (
                "  30,750 stalled-cycles-backend    #   30.75% backend  cycles idle    ( +-  0.74% ) [66.74%]",
                "Ok(30750.0)  stalled-cycles-backend Some(0.74) 66.74 Some((30.75, \"% backend cycles idle\")) None",
            ),
            (
                "   0.741223  task-clock-msecs         #      0.752 CPUs ",
                "Ok(0.741223) msec task-clock None 100 Some((0.752, \"CPUs\")) None",
            ),
            (
                "   14121  branch-misses            #      4.988 %    ",
                "Ok(14121.0)  branch-misses None 100 Some((4.988, \"% of all branches\")) None",
            ),
            (
                "9,281,660 branch-misses            #      3.858 %     (scaled from 33.50%)",
                "Ok(9281660.0)  branch-misses None 33.5 Some((3.858, \"% of all branches\")) None",
            ),
            (
                "  4,567  cycles    #   3700.123 M/sec   ( +-   0.019% )  (scaled from 66.66%)",
                "Ok(4567.0)  cycles Some(0.019) 66.66 Some((3700.123, \"M/sec\")) None",
            ),
            (
                "         #    0.95  stalled cycles per insn  ( +-  0.05% ) [83.36%]",
                "0.95 stalled cycles per insn Some((Some(0.05), Some(83.36)))",
            ),
            (
                "  12 faults (msec)",
                "error: what is in brackets is no percentage",
            ),
            (
                "  12 faults (msec",
                "error: it is not of the form value, unit, counter",
            ),
        ] {
            assert_eq!(shown_row(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_of_a_table_are_counters() {
        for (text, expected) in [
            (
                "  43.87 msec task-clock   #    0.348 CPUs utilized   ( +-  7.50% )  (42.11%)",
                "Ok(43.87) msec task-clock Some(7.5) 42.11 Some((0.348, \"CPUs utilized\")) None",
            ),
            (
                "  1,234,567      branch-misses:u  #    5.43% of all branches",
                "Ok(1234567.0)  branch-misses:u None 100 Some((5.43, \"% of all branches\")) None",
            ),
            (
                "  6,15,86,58,896   cycles:u   #      4.1 GHz  cycles_frequency  (50.15%)",
                "Ok(6158658896.0)  cycles:u None 50.15 Some((4.1, \"GHz  cycles_frequency\")) None",
            ),
            (
                "  1,51,512.44 msec task-clock",
                "Ok(151512.44) msec task-clock None 100 None None",
            ),
            ("  1,5,512 faults", "error: its value is no number"),
            ("  1,512,51,512 faults", "error: its value is no number"),
            (
                "  <not supported>      cycles  ",
                "none  cycles None 100 None None",
            ),
            (
                "S0        2             105.92 msec cpu-clock",
                "Ok(105.92) msec cpu-clock None 100 None Some(\"S0\")",
            ),
            (
                "  0.5 +- 0.125 seconds time elapsed  ( +- 25.00% )",
                "Ok(0.5) s seconds time elapsed Some(25.0) 100 None None",
            ),
            (
                "     #    1.11  stalled cycles per insn",
                "1.11 stalled cycles per insn Some((None, None))",
            ),
            (
                "       TopdownL1                 #     26.3 %  tma_backend_bound",
                "26.3 %  tma_backend_bound None",
            ),
            (
                "       TopdownL1       #      nan %  tma_retiring",
                "nothing",
            ),
            (
                "  TopdownL1 (cpu_core)       #     67.6 %  tma_backend_bound",
                "error: shares of one kind of cores are not read: choose counters with `-e` to measure without them",
            ),
            (
                "  0      cycles     #      nan GHz",
                "Ok(0.0)  cycles None 100 None None",
            ),
            (
                "  12 # 1.5 fun",
                "error: it is not of the form value, unit, counter",
            ),
            ("  1.5 seconds of fun", "error: it is no time that is known"),
            ("  12", "error: it is not of the form value, unit, counter"),
            (
                "  4 page-faults # fast",
                "error: behind `#` stands no number",
            ),
            (
                "  4 page-faults (fast)",
                "error: what is in brackets is no percentage",
            ),
        ] {
            assert_eq!(shown_row(text), expected, "{text}");
        }
    }
}
