//! Reads what `perf stat` writes: a line for each counter of one command, as text, as fields, or as objects.
//!
//! Fields and objects do not say the command, so the file gives the benchmark its name. A counter that the processor does
//! not have is a problem. So are intervals without their summary: they are parts of
//! one count, and nothing says that they are all there. Tested by `fixtures/perf_stat`.

mod columns;
mod counted;
mod counter;
mod languages;
mod metrics;
mod older;
mod printed;
mod runs;

use std::collections::BTreeMap;
use std::mem::take;

use tripline_model::few;
use tripline_model::{BenchId, Metric, Reading, Sample, SuiteName};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::build_output::is_of_build;
use crate::document::Block;
use crate::entry::Entry;
use crate::file_names::has_extension;
use crate::grouped::Grouped;
use crate::input::Input;
use crate::listing::{Listing, read_listings};
use crate::naming::bench_id;
use crate::place::{ReadError, shown};
use counted::Counted;
use counter::{Counter, Line};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "perf-stat",
    about: "perf stat: its text, or the lines of `-x,`, `-x;` and `-j`, with `-r`, for single processors, and with `-I --summary` too",
    files: |path| has_extension(path, &["csv", "txt", "json", "jsonl"]),
    mark: Mark::Line(is_marked),
    hint: "run `perf stat -j -o FILE COMMAND` with counters that this machine has, and give the file",
    read,
};

const NO_SUMMARY: &str = "an interval is a part of its count, and nothing says that all parts are there; \
     measure again with `perf stat -I MS --summary`, or without `-I`";

const METRIC_ONLY: &str = "what `--metric-only` prints is not read; measure again without it";

const CUT_OFF: &str = "a damaged result: the text is cut off in it";

fn is_marked(text: &str) -> bool {
    printed::is_heading(text)
        || text.contains("\"counter-value\"")
        || matches!(counter::of_fields(text), Some((_, count)) if count >= 5)
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_listings(input, suite, &ADAPTER, |listing| {
        let document = listing.document;
        let cut_line = document.cut_line();
        let mut reader = Reader {
            listing,
            fields_max: 0,
            benches: Grouped::default(),
            parts: BTreeMap::new(),
            older: Vec::new(),
            last: Last::Nothing,
            prints_intervals: false,
            died: None,
            is_of_dead: false,
        };
        let mut printed = None;
        let has_commas = languages::has_decimal_commas(document.text());
        for block in document
            .shown_lines()
            .filter(|line| !is_only_of_build(line.text))
        {
            let is_cut = cut_line == Some(block.line);
            let plain = match has_commas {
                _ if printed.as_ref().is_some_and(printed::Table::is_open) => block.text.into(),
                true => languages::with_points(block.text),
                false => languages::without_apostrophes(block.text),
            };
            let block = Block {
                text: &plain,
                ..block
            };
            if let Some((program, how)) = printed::death(block.text) {
                reader.died = Some((block.line, program.to_owned(), how.to_owned()));
                continue;
            }
            if !printed::take(&mut printed, &mut reader, &block, is_cut) {
                reader.take(block.line, block.text, is_cut);
            }
        }
        printed::end(printed, &mut reader);
        reader.finish();
    })
}

/// Returns whether a line is of a build and no result, which a command may look like that is measured.
fn is_only_of_build(line: &str) -> bool {
    is_of_build(line) && !printed::is_heading(line) && counter::of_fields(line).is_none()
}

/// What is known while a text is read line by line.
struct Reader<'d, 'g> {
    listing: Listing<'d, 'g>,
    /// The most fields that a line had.
    fields_max: usize,
    /// What was counted of each benchmark: perf writes a counter of all processors before the next.
    benches: Grouped<BenchId, Counted>,
    /// The counters of which there are intervals and no summary yet, by processor and event.
    parts: BTreeMap<Key, Parts>,
    /// The lines that end behind a counter: of an older version, or damaged.
    older: Vec<(usize, Counter<'static>, bool)>,
    /// What a line of what was computed belongs to.
    last: Last,
    /// Whether the columns of printed intervals were named.
    prints_intervals: bool,
    /// The line that says of a program that a signal ended it, and how; what was counted of it stands below.
    died: Option<(usize, String, String)>,
    /// Whether such a line stands above fields, which have no heading.
    is_of_dead: bool,
}

/// The processor or other part of the machine, the group of processes, and the event.
type Key = (Option<String>, Option<String>, String);

/// The intervals of a counter.
struct Parts {
    /// The first line.
    line: usize,
    count: usize,
    sum: f64,
}

/// How far what is no count is rounded where perf prints it in fields.
const HALF_A_DIGIT: f64 = 0.005;

impl Parts {
    /// Returns whether a counter is what its intervals come to, as a summary is that `--no-csv-summary` gives no name.
    fn come_to(&self, counter: &Counter<'_>) -> bool {
        let rounding = match counter.unit.is_empty() {
            true => 0.0,
            false => HALF_A_DIGIT * (self.count + 2) as f64,
        };
        let whole = counter.value.unwrap_or_default();
        (whole - self.sum).abs() <= rounding
    }
}

/// The line above, as far as it says whose what follows is.
#[derive(Clone)]
enum Last {
    /// The counter that was read.
    Counter(BenchId, Metric),
    /// A counter of one kind of cores: perf 6.19 writes what is computed of the other kind below it as well.
    OneKind,
    /// A counter of an interval.
    Part,
    /// None, or a counter without a value, of which nothing can be computed.
    Nothing,
    /// A line that is not read.
    Lost,
}

impl Reader<'_, '_> {
    fn take(&mut self, line: usize, text: &str, is_cut: bool) {
        match Line::of(text) {
            Line::Counter(ref counter, fields)
                if is_cut
                    && (fields < self.fields_max.max(counter::FIELDS_MIN)
                        || !metrics::is_whole(counter)) =>
            {
                self.listing.problem(line, CUT_OFF);
            }
            Line::Counter(counter, fields) => {
                self.is_of_dead |= self.tells_of_death(line, None);
                self.fields_max = self.fields_max.max(fields);
                let key = key_of(&counter);
                let parts = self.parts.get(&key);
                if parts.is_some_and(|parts| counter.is_summary || parts.come_to(&counter)) {
                    self.parts.remove(&key);
                }
                let bench = bench_of(&counter, self.listing.suite, &self.listing.document.stem());
                self.count(line, bench, &counter);
            }
            Line::Derived(..) if is_cut => self.listing.problem(line, CUT_OFF),
            Line::Derived(number, unit) => self.derive(line, number, &unit),
            Line::Interval(counter) => self.take_part(line, &counter),
            Line::Older(..) if is_cut && (self.fields_max > 0 || !self.older.is_empty()) => {
                self.listing.problem(line, CUT_OFF);
            }
            Line::Older(counter) => {
                let is_damaged = counter::is_damaged(text);
                if is_damaged {
                    self.last = Last::Lost;
                }
                self.older.push((line, counter, is_damaged));
            }
            Line::Damaged(why) => {
                self.last = Last::Lost;
                self.listing.problem(line, counter::told(&why));
            }
            Line::Other if is_cut && self.fields_max > 0 && counter::is_separated(text) => {
                self.listing.problem(line, CUT_OFF);
            }
            Line::Other => {}
        }
    }

    /// Tells that a signal ended what stands below, if a line above says so: of the command's program, where one is named.
    fn tells_of_death(&mut self, at: usize, command: Option<&str>) -> bool {
        let Some((line, program, how)) = self.died.take() else {
            return false;
        };
        // Of a pipe or of an alarm programs speak themselves: perf's line is a whole one, above nothing but an empty one.
        let is_surely = printed::DEATHS.contains(&how.as_str());
        let is_of_it = match command.and_then(|command| command.split_whitespace().next()) {
            // The program may have printed something last, without a line end.
            Some(first) if is_surely => program.ends_with(first),
            Some(first) => program == first && at - line <= 2,
            None if is_surely => !program.contains(": "),
            None => !program.contains(' ') && at - line <= 2,
        };
        if !is_of_it {
            return false;
        }
        let what = shown(command.unwrap_or(&program));
        let text = format!("of `{what}`: {how}: what was counted is of a part");
        self.listing.problem(line, text);
        true
    }

    /// Takes note of a counter of an interval.
    fn take_part(&mut self, line: usize, counter: &Counter<'_>) {
        self.last = Last::Part;
        let parts = self.parts.entry(key_of(counter)).or_insert(Parts {
            line,
            count: 0,
            sum: 0.0,
        });
        parts.count += 1;
        parts.sum += counter.value.unwrap_or_default();
    }

    /// Takes a counter over, or takes note of why it cannot be used.
    fn count(&mut self, line: usize, bench: Result<BenchId, String>, counter: &Counter<'_>) {
        self.last = Last::Nothing;
        let taken = bench.and_then(|bench| {
            let told = format!(
                "counter `{}` of benchmark `{}`",
                shown(&counter.event),
                bench.within_suite()
            );
            let mut readings =
                metrics::readings(counter).map_err(|error| format!("{told} {error}"))?;
            let counted = self.counted(line, bench.clone());
            counted.set_apart(&counter.event, &mut readings);
            let last = (bench, readings[0].metric.clone());
            counted
                .add(&counter.event, readings)
                .map_err(|why| format!("{told} {why}"))?;
            Ok(last)
        });
        match taken {
            Ok(_) if counter.kind_and_event().0.is_some() => self.last = Last::OneKind,
            Ok((bench, metric)) => self.last = Last::Counter(bench, metric),
            Err(text) => self.listing.problem(line, text),
        }
    }

    /// Takes over how long each run took.
    fn count_runs(&mut self, line: usize, bench: Result<BenchId, String>, times: &[f64]) {
        self.last = Last::Nothing;
        let taken = bench.and_then(|bench| {
            let metric = Metric::known("wall_time").expect("the metric is in the table");
            let sample = Sample::new(times.to_vec()).map_err(|error| error.to_string())?;
            self.counted(line, bench)
                .add("duration_time", vec![Reading { metric, sample }])
        });
        if let Err(why) = taken {
            let text = format!("the times of single runs cannot be used: {why}");
            self.listing.problem(line, text);
        }
    }

    /// Returns what was counted of a benchmark so far.
    fn counted(&mut self, line: usize, bench: BenchId) -> &mut Counted {
        self.benches.of(bench, || Counted {
            line,
            readings: Vec::new(),
            events: BTreeMap::new(),
        })
    }

    /// Takes over what perf computed from the counter above, which it gives a line of its own.
    fn derive(&mut self, line: usize, number: f64, what: &str) {
        let why = match self.last.clone() {
            Last::Counter(bench, metric) => {
                return self.add_derived(line, bench, &metric, number, what);
            }
            // The whole says it again.
            Last::Part => return,
            Last::OneKind => "may be of other cores than the counter above it",
            Last::Nothing => "stands below no counter that has a value",
            Last::Lost => "belongs to a line above that is not read",
        };
        let text = format!("what is computed as `{}` {why}", shown(what));
        self.listing.problem(line, text);
    }

    fn add_derived(&mut self, line: usize, bench: BenchId, of: &Metric, number: f64, what: &str) {
        let taken = metrics::derived(of, number, what)
            .and_then(|reading| self.counted(line, bench).add(what, vec![reading]));
        if let Err(why) = taken {
            let text = format!("what is computed as `{}` {why}", shown(what));
            self.listing.problem(line, text);
        }
    }

    /// Takes over the counters of an older version, where there are no others.
    fn settle_older(&mut self) {
        let older = take(&mut self.older);
        let is_known = |(_, counter, _): &(_, Counter<'_>, _)| metrics::is_known(&counter.event);
        let are_counters =
            self.fields_max == 0 && self.benches.is_empty() && older.iter().any(is_known);
        for (line, counter, is_damaged) in older {
            if are_counters {
                self.is_of_dead |= self.tells_of_death(line, None);
                let bench = bench_of(&counter, self.listing.suite, &self.listing.document.stem());
                self.count(line, bench, &counter);
            } else if is_damaged {
                self.listing
                    .problem(line, counter::told(counter::NO_COUNTER));
            }
        }
    }

    fn finish(mut self) {
        self.settle_older();
        let mut parts: Vec<_> = self.parts.into_iter().collect();
        few::sort_by_key(&mut parts, |(_, parts)| parts.line);
        for ((.., event), Parts { line, .. }) in parts {
            let text = format!(
                "counter `{}` has intervals only: {NO_SUMMARY}",
                shown(&event)
            );
            self.listing.problem(line, text);
        }
        if self.is_of_dead {
            return;
        }
        for (bench, counted) in self.benches.into_all() {
            let Counted { line, readings, .. } = counted;
            self.listing.keep(line, Entry::new(bench, readings));
        }
    }
}

fn key_of(counter: &Counter<'_>) -> Key {
    let processor = counter.processor.as_deref().map(str::to_owned);
    let cgroup = counter.cgroup.as_deref().map(str::to_owned);
    (processor, cgroup, counter.event.to_string())
}

/// Returns whether a name is of a part of the machine, such as `0`, `CPU0` or `S0-D0-C1`, and not of a thread with its number.
fn is_place(name: &str) -> bool {
    let begins_so = |part: &str| part.starts_with(|c: char| c.is_ascii_uppercase());
    name.bytes().all(|byte| byte.is_ascii_digit()) || name.split('-').all(begins_so)
}

fn bench_of(counter: &Counter<'_>, suite: &SuiteName, stem: &str) -> Result<BenchId, String> {
    let processor = counter.processor.as_deref();
    let processor = processor.map(|name| (if is_place(name) { "cpu" } else { "thread" }, name));
    let kind = counter.kind_and_event().0.map(|kind| ("cores", kind));
    let cgroup = counter.cgroup.as_deref().map(|name| ("cgroup", name));
    let pmu = counter.pmu().map(|name| ("pmu", name));
    let pairs = processor.into_iter().chain(kind).chain(cgroup).chain(pmu);
    let pairs: Vec<(&str, &str)> = pairs.collect();
    bench_id(suite, stem, &pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let input = Input::from_bytes("out.csv", text.as_bytes().to_vec());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        let problems = observed.problems.iter();
        problems.map(ToString::to_string).collect()
    }

    #[test]
    fn intervals_are_settled_by_their_summary_and_by_no_other_run() {
        const INTERVAL: &str = "     0.020095320,1774,,page-faults,7079505,100.00,251.117,K/sec\n";
        const RUN: &str = "58,,page-faults,3759467,100.00,15.428,K/sec\n";
        let summary = format!("         summary,{RUN}");
        assert!(problems(&format!("{INTERVAL}{summary}")).is_empty());
        let expected = [format!(
            "counter `page-faults` has intervals only: {NO_SUMMARY} at out.csv:1:1"
        )];
        assert_eq!(problems(&format!("{INTERVAL}{RUN}")), expected);
        let object = r#"{"counter-value" : "58", "unit" : "", "event" : "page-faults"}"#;
        let interval = object.replacen('{', r#"{"interval" : 0.02, "#, 1);
        assert!(problems(&format!("{interval}\n{object}\n")).is_empty());
    }

    /// What stands below a line that is not read is not the counter's above it.
    #[test]
    fn what_is_computed_of_other_cores_is_told_and_given_to_no_counter() {
        let text = "41,,cpu_core/branch-misses/,160,100.00,4.89,of all branches\n\
                    10,,cpu_atom/branch-misses/,101,63.00,120.71,of all branches\n\
                    ,160,100.00,,,,TopdownL1 (cpu_core)\n\
                    ,,,,,13.8,%  tma_bad_speculation\n";
        let expected = [
            "a damaged result: it is not of the form value, unit, counter at out.csv:3:1",
            "what is computed as `%  tma_bad_speculation` belongs to a line above that is not read at out.csv:4:1",
        ];
        assert_eq!(problems(text), expected);
        let text = " Performance counter stats for './app':\n\
                    \n      129      page-faults     #   15.199 /sec\n      \
                    TopdownL1 (cpu_core)       #     67.6 %  tma_backend_bound\n                     \
                    #      0.8 %  tma_bad_speculation\n                     \
                    #      nan %  tma_retiring\n\
                    \n       8.477000000 seconds time elapsed\n";
        let expected = [
            "shares of one kind of cores are not read: choose counters with `-e` to measure without them at out.csv:4:1",
            "what is computed as `%  tma_bad_speculation` belongs to a line above that is not read at out.csv:5:1",
        ];
        assert_eq!(problems(text), expected);
        let text = "41,,cpu_core/cycles/,160,100.00,0.1,GHz  cycles_frequency\n\
                    ,,,,,13.8,%  tma_bad_speculation\n\
                    <not supported>,,cycles,0,100.00,,\n\
                    ,225849,100.00,,,,TopdownL1\n\
                    ,,,,,70.1,%  tma_retiring\n";
        let expected = [
            "what is computed as `%  tma_bad_speculation` may be of other cores than the counter above it at out.csv:2:1",
            "counter `cycles` of benchmark `out` is not supported here: this machine lets nobody count it at out.csv:3:1",
            "what is computed as `%  tma_retiring` stands below no counter that has a value at out.csv:5:1",
        ];
        assert_eq!(problems(text), expected);
    }

    /// Returns the benchmarks of a text and the values that each has.
    fn values(name: &str, text: &str) -> Vec<(String, Vec<f64>)> {
        let input = Input::from_bytes(name, text.as_bytes().to_vec());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        assert!(observed.problems.is_empty(), "{:?}", observed.problems);
        let benches = observed.observations.iter().map(|of| {
            let values = of.readings.iter().map(|of| of.sample.values()[0]);
            (of.bench.within_suite().to_string(), values.collect())
        });
        benches.collect()
    }

    #[test]
    fn groups_of_processes_and_units_of_the_machine_are_told_apart_in_every_form() {
        let printed = " Performance counter stats for 'system wide':\n\n             \
                    46      L1-icache-loads                  system.slice\n           \
                    12.50 msec task-clock                       user.slice\n    \
                    71      hits [unit_0]     #     0.50 bw\n           \
                    72      hits [unit_1]     #     0.75 bw\n\n       \
                    1.250000000 seconds time elapsed\n";
        let group = |name: &str| format!("system wide{{{name}}}");
        let expected = [
            (group("cgroup=system.slice"), vec![46.0]),
            (group("cgroup=user.slice"), vec![12_500_000.0]),
            (group("pmu=unit_0"), vec![71.0, 0.5]),
            (group("pmu=unit_1"), vec![72.0, 0.75]),
            ("system wide".to_owned(), vec![1_250_000_000.0]),
        ];
        assert_eq!(values("out.txt", printed), expected);
        let fields = "46,,page-faults,/a,1001,100.00,,\n47,,page-faults,b,1.50%,1001,100.00,,\n\
                      48,,page-faults,,1001,100.00,,\n49,,page-faults,7,1001,100.00,0.5,K/sec\n";
        let objects = r#"{"counter-value" : "46", "unit" : "", "event" : "page-faults", "cgroup" : "/a"}
{"counter-value" : "47", "unit" : "", "event" : "page-faults", "cgroup" : "b"}
{"counter-value" : "48", "unit" : "", "event" : "page-faults", "cgroup" : ""}
{"counter-value" : "49", "unit" : "", "event" : "page-faults", "cgroup" : "7"}
"#;
        for (name, text) in [("out.csv", fields), ("out.json", objects)] {
            let firsts: Vec<_> = values(name, text)
                .into_iter()
                .map(|(bench, values)| (bench, values[0]))
                .collect();
            let expected = [
                ("out{cgroup=/a}", 46.0),
                ("out{cgroup=b}", 47.0),
                ("out", 48.0),
                ("out{cgroup=7}", 49.0),
            ];
            assert_eq!(
                firsts,
                expected.map(|(bench, value)| (bench.to_owned(), value))
            );
        }
    }

    #[test]
    fn digits_in_the_name_of_a_processor_are_not_the_value() {
        let printed = " Performance counter stats for 'system wide':\n\n\
                       CPU0                     0 MiB  llc/bytes/\n\
                       CPU0                    46      page-faults                      a.slice\n\
                       CPU46                   46 msec cpu-clock                        a.slice\n\n       \
                       1.250000000 seconds time elapsed\n";
        let expected = [
            ("system wide{cpu=CPU0}".to_owned(), vec![0.0]),
            (
                "system wide{cgroup=a.slice,cpu=CPU0}".to_owned(),
                vec![46.0],
            ),
            (
                "system wide{cgroup=a.slice,cpu=CPU46}".to_owned(),
                vec![46_000_000.0],
            ),
            ("system wide".to_owned(), vec![1_250_000_000.0]),
        ];
        assert_eq!(values("out.txt", printed), expected);
        let missing = printed.replace("0 MiB  llc/bytes/", "<not counted> msec task-clock");
        let said = problems(&missing).join("");
        assert!(
            said.contains("`task-clock`") && !said.contains("`msec`"),
            "{said}"
        );
    }

    #[test]
    fn what_stands_below_several_numbers_of_a_counter_is_the_counters() {
        let text = " Performance counter stats for './app' (3 runs):\n\n    \
                    1,000 instructions              #    0.77  insns per cycle\n                                  \
                    #    0.95  stalled cycles per insn  ( +-  0.50% ) [83.36%]\n      \
                    200 branch-misses\n       \
                    TopdownL1       #     67.6 %  tma_backend_bound\n                                  \
                    #     10.0 %  tma_retiring    (12.30%)\n\n       \
                    1.250000000 seconds time elapsed\n";
        let input = Input::from_bytes("out.txt", text.as_bytes().to_vec());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        assert!(observed.problems.is_empty(), "{:?}", observed.problems);
        let readings = &observed.observations[0].readings;
        let shown = readings.iter().map(|of| {
            let value = of.sample.values()[0];
            format!("{} {value}", of.metric.name)
        });
        let expected = [
            "hardware_instructions 1000",
            "hardware_instructions_standard_error 5",
            "hardware_instructions_counted_share 0.8336",
            "instructions_per_cycle 0.77",
            "stalled_cycles_per_instruction 0.95",
            "branch_misses 200",
            "tma_backend_bound 0.676",
            "tma_retiring 0.1",
            "wall_time 1250000000",
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn printed_intervals_are_settled_by_the_table_below_them_alone() {
        const INTERVALS: &str = "#           time             counts unit events\n     \
                    0.010092868               0.66 msec task-clock            #    0.033 CPUs utilized\n     \
                    0.010092868                                               #    1.11  stalled cycles per insn\n     \
                    0.020396291      <not counted>      page-faults\n";
        const TABLE: &str = "\n Performance counter stats for 'ls':\n\n              \
                    0.72 msec task-clock\n                \
                    76      page-faults\n\n       0.051487703 seconds time elapsed\n";
        assert!(problems(&format!("{INTERVALS}{TABLE}")).is_empty());
        let parts = [("task-clock", 2), ("page-faults", 4)];
        let expected = parts.map(|(event, line)| {
            format!("counter `{event}` has intervals only: {NO_SUMMARY} at out.csv:{line}:1")
        });
        let own = "58,,minor-faults,3759467,100.00,15.428,K/sec\n";
        assert_eq!(problems(&format!("{INTERVALS}{own}")), expected);
        let damaged = INTERVALS.replace("0.66", "0.6x6");
        assert_eq!(
            problems(&format!("{damaged}{TABLE}")),
            ["a damaged result: its value is no number at out.csv:2:1"]
        );
    }

    #[test]
    fn numbers_without_their_counters_are_told() {
        let run = "58,,page-faults,3759467,100.00,15.428,K/sec\n";
        let told = |line: usize| format!("a damaged result: {METRIC_ONLY} at out.csv:{line}:1");
        let fields = "GHz,insn per cycle,branch-misses of all branches,\n3.1,0.77,,\n";
        assert_eq!(problems(&format!("{run}{fields}")), [told(2), told(3)]);
        let intervals = "     time,GHz,insn per cycle,\n     0.020083038,3.1,0.77,\n";
        assert_eq!(problems(&format!("{run}{intervals}")), [told(2), told(3)]);
        let object = "{\"GHz\" : \"3.1\", \"insn per cycle\" : \"0.77\"}\n";
        assert_eq!(problems(&format!("{run}{object}")), [told(2)]);
        let of_a_program = "{\"tool\" : \"x\", \"n\" : \"1\"}\n";
        assert!(problems(&format!("{run}{of_a_program}")).is_empty());
        let table = " Performance counter stats for 'ls':\n\n                 \
                     GHz       insn per cycle branch-misses of all branches \n                 \
                     3.1                 0.77                 1.5% \n\n       \
                     0.061041960 seconds time elapsed\n";
        assert_eq!(problems(table), [told(3)]);
    }

    #[test]
    fn what_a_build_prints_is_passed_over() {
        let text = " Performance counter stats for 'make':\n\n             \
                    129      page-faults\n\
                    warning: unused variable: `x`\n  --> src/main.rs:12:9\n   |\n\
                    12 |     let x = 1;\n   |         ^\n\
                    work.c:3:7: warning: unused variable 'x'\n\
                    make[1]: Leaving directory '/src'\n            \
                    1.25 msec task-clock\n\n       \
                    1.250000000 seconds time elapsed\n";
        assert_eq!(problems(text), Vec::<String>::new());
    }

    #[test]
    fn what_is_counted_of_a_build_is_a_result() {
        for text in [
            " Performance counter stats for 'grep -c \": error: \" log':\n\n             129      page-faults\n\n       \
             1.250000000 seconds time elapsed\n",
            "58 |  | page-faults | 3759467 | 100.00 | 15.428 | K/sec\n",
        ] {
            assert_eq!(problems(text), Vec::<String>::new());
            let input = Input::from_bytes("out.csv", text.as_bytes().to_vec());
            let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
            assert_eq!(observed.observations.len(), 1, "{text}");
        }
    }

    #[test]
    fn a_line_of_an_older_version_that_is_cut_is_told() {
        for text in [
            "1234567,cycles\n5,page-fau",
            "58,,page-faults,3759467,100.00,15.428,K/sec\n5,,cyc",
        ] {
            assert_eq!(problems(text), [format!("{CUT_OFF} at out.csv:2:1")]);
        }
    }

    #[test]
    fn what_is_computed_of_a_part_is_no_result() {
        let text = "0.010,58,,page-faults,3759467,100.00,15.428,K/sec\n0.010,,,,,,0.50,faults per fun\n\
                    summary,58,,page-faults,3759467,100.00,15.428,K/sec\n";
        assert_eq!(problems(text), Vec::<String>::new());
    }

    #[test]
    fn kinds_of_cores_are_told_apart_whoever_is_counted() {
        let text = "41,,cpu_core/cycles/u,160,100.00,,\n42,,cpu_atom/cycles/u,160,100.00,,\n\
                    43,,cpu_core/branches:u/,160,100.00,,\n";
        let input = Input::from_bytes("out.csv", text.as_bytes().to_vec());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        let benches = observed.observations.iter();
        let benches: Vec<_> = benches
            .map(|of| (of.bench.within_suite().to_string(), of.readings.len()))
            .collect();
        assert!(observed.problems.is_empty(), "{:?}", observed.problems);
        let expected = [("out{cores=cpu_core}", 2), ("out{cores=cpu_atom}", 1)];
        assert_eq!(
            benches,
            expected.map(|(bench, count)| (bench.to_owned(), count))
        );
    }

    #[test]
    fn what_newer_versions_say_of_computed_numbers_in_objects_is_read() {
        let counter = r#"{"counter-value" : "225.5", "unit" : "msec", "event" : "cpu-clock", "metric-value" : "#;
        let text = [
            &format!(r#"{counter}"224.456872", "metric-unit" : "CPUs utilized"}}"#),
            r#"{"counter-value" : "10", "unit" : "ns", "event" : "duration_time", "metric-value" : 0.0, "metric-unit" : "(null)"}"#,
            r#"{"counter-value" : "11", "unit" : "", "event" : "cycles", "metric-value" : "nan", "metric-unit" : "GHz"}"#,
            r#"{"event-runtime" : 225902840555, "pcnt-running" : 100.00, "metricgroup" : "TopdownL1"}"#,
            r#"{"metric-value" : "69.950631", "metric-unit" : "%  tma_backend_bound"}"#,
        ];
        let input = Input::from_bytes("out.json", (text.join("\n") + "\n").into_bytes());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        let readings = &observed.observations[0].readings;
        let names = readings
            .iter()
            .map(|reading| reading.metric.name.to_string());
        let names: Vec<String> = names.collect();
        assert!(observed.problems.is_empty(), "{:?}", observed.problems);
        assert_eq!(names.len(), 5, "{names:?}");
    }
}
