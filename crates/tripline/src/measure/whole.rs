//! A program that is measured whole: how it is put under a tool, and what is taken of what the tool writes.
//!
//! Tested below, and with the real tools by `tests/it/whole`.

mod written;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use tripline_model::{
    Better, Caveat, FactValue, Metric, MetricName, Nature, Reading, Sample, Unit,
};
use tripline_read::{Input, Observation, Observed, Problem};

use super::Effort;
use super::alone::{self, Spent};
use super::process::{Finished, How};
use super::units;
use crate::suite::{Program, Step, Tool, by_unit, counted};

pub(super) use written::clear;

/// What stands for the file that a tool writes, where its command is told: its place is the machine's own.
const OUTPUT: &str = "OUTPUT";

/// The counters of the processor, and what of the kernel's explains them.
const EVENTS: &str =
    "instructions,cycles,branch-misses,cache-misses,page-faults,context-switches,cpu-migrations";

/// The code with which a program ends that has nothing to measure on this machine, as Automake and Meson know it of tests.
const NOTHING_HERE: i32 = 77;

/// How perf says that it has no number for a counter.
const NOT_COUNTED: [&str; 2] = ["<not supported>", "<not counted>"];

/// Returns the command that runs a program under a tool, which writes to a file.
pub(super) fn command(
    tool: Tool,
    (program, args): (&OsStr, &[OsString]),
    runs: u32,
    output: &OsStr,
) -> Vec<OsString> {
    let file = |option: &str| {
        let mut text = OsString::from(option);
        text.push(output);
        if tool.is_valgrind() {
            text.push(written::NUMBER);
        }
        text
    };
    let mut argv: Vec<OsString> = match tool {
        // The binary that stands for it is put before it by whoever starts it.
        Tool::Alone => vec![alone::ASK.into(), output.into()],
        Tool::Hyperfine => {
            let words = ["hyperfine", "--shell=none", "--style=none", "--warmup=1"];
            let runs = format!("--runs={runs}");
            let mut argv: Vec<OsString> = words.map(OsString::from).to_vec();
            argv.extend([runs.into(), file("--export-json="), quoted(program, args)]);
            return argv;
        }
        Tool::PerfStat => {
            let words = ["perf", "stat", "--field-separator=,", "--event", EVENTS];
            let mut argv: Vec<OsString> = words.map(OsString::from).to_vec();
            argv.extend([file("--output="), "--".into()]);
            argv
        }
        Tool::Dhat => vec![
            "valgrind".into(),
            "--tool=dhat".into(),
            file("--dhat-out-file="),
        ],
        Tool::Massif => vec![
            "valgrind".into(),
            "--tool=massif".into(),
            "--peak-inaccuracy=0.0".into(),
            file("--massif-out-file="),
        ],
        Tool::Callgrind => vec![
            "valgrind".into(),
            "--tool=callgrind".into(),
            file("--callgrind-out-file="),
        ],
        Tool::Strace => {
            let words = ["strace", "--follow-forks", "--summary-only", "--output"];
            let mut argv: Vec<OsString> = words.map(OsString::from).to_vec();
            argv.extend([output.into(), "--".into()]);
            argv
        }
    };
    if tool.is_valgrind() {
        argv.extend(["--trace-children=yes".into(), "--quiet".into()]);
    }
    argv.push(program.into());
    argv.extend_from_slice(args);
    argv
}

/// Returns how often a step of a tool is run; what is counted is counted as often as anything else that counts.
pub(super) fn repeats(tool: Tool, step: &Step, effort: Effort, of_counts: u32) -> u32 {
    match tool {
        Tool::Alone | Tool::PerfStat => runs(step, effort),
        // It repeats by itself.
        Tool::Hyperfine => 1,
        Tool::Dhat | Tool::Massif | Tool::Callgrind | Tool::Strace => of_counts,
    }
}

/// Returns how often the times of a program are taken.
pub(super) fn runs(step: &Step, effort: Effort) -> u32 {
    step.repeats.unwrap_or(match effort {
        Effort::Quick => 5,
        Effort::Full => 10,
    })
}

/// hyperfine takes a command as one text, and takes it apart as a shell would.
fn quoted(program: &OsStr, args: &[OsString]) -> OsString {
    let mut text = OsString::new();
    for word in std::iter::once(program).chain(args.iter().map(OsString::as_os_str)) {
        if !text.is_empty() {
            text.push(" ");
        }
        text.push("'");
        text.push(word.to_string_lossy().replace('\'', r"'\''"));
        text.push("'");
    }
    text
}

/// Returns the command as it is told: without places of this machine.
pub(super) fn told(tool: Tool, program: &OsStr, args: &[OsString], runs: u32) -> String {
    let name = Path::new(program).file_name().unwrap_or(program);
    let argv = match tool {
        Tool::Alone => std::iter::once(name.to_owned())
            .chain(args.iter().cloned())
            .collect(),
        tool => command(tool, (name, args), runs, OUTPUT.as_ref()),
    };
    let words: Vec<String> = argv
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    words.join(" ")
}

/// Returns what a program's run gave, or what is wrong with it.
pub(super) fn observed(
    step: &Step,
    (tool, program): (Tool, &Program),
    finished: &Finished,
    output: &Path,
) -> Result<Observed, String> {
    let (mut readings, caveats, remarks) = match tool {
        Tool::Alone => (spent(alone::read(output)?.1)?, Vec::new(), Vec::new()),
        tool => counts(tool, step, program, output)?,
    };
    if let Some(unit) = &program.per {
        let by_unit = per_unit(tool, &readings, &finished.stdout, unit)?;
        readings.extend(by_unit);
    }
    readings.retain(|reading| program.believes(tool, reading.metric.name.as_str()));
    Ok(Observed {
        remarks,
        ..of_program(program, readings, caveats)
    })
}

/// Says why there is nothing to measure on this machine, where the program ended by saying so.
pub(super) fn nothing_here(tool: Tool, finished: &Finished) -> Option<String> {
    let ended = format!("it ended with exit code {NOTHING_HERE}");
    if tool == Tool::Hyperfine {
        // It ends with a code of its own, keeps to itself what the program says, and tells the program's code in its words.
        let is_told = |sign: &str| finished.tail.contains(&format!("{sign} {NOTHING_HERE}"));
        let has_failed = finished.how != How::Exited(0);
        return (has_failed && ["exit code", "exit code:"].into_iter().any(is_told))
            .then_some(ended);
    }
    let mut lines = finished.tail.lines().map(str::trim).rev();
    let last = lines.find(|line| !line.is_empty());
    (finished.how == How::Exited(NOTHING_HERE)).then(|| last.map_or(ended, shown))
}

/// Returns what there is where perf cannot count: nothing but the reason, which is the first line that is no heading.
pub(super) fn nothing_counted(program: &Program, said: &str) -> Observed {
    let why = reason(said);
    let why = FactValue::new(shown(why)).unwrap_or_else(|_| all_counters());
    let caveat = Caveat::CountersMissing { counters: why };
    of_program(program, Vec::new(), vec![caveat])
}

fn reason(said: &str) -> &str {
    let lines = said.lines().map(str::trim);
    let mut reasons = lines.filter(|line| !line.is_empty() && !line.ends_with(':'));
    reasons.next().unwrap_or("perf counted nothing")
}

fn of_program(program: &Program, readings: Vec<Reading>, caveats: Vec<Caveat>) -> Observed {
    let observation = Observation {
        bench: program.benchmark.clone(),
        readings,
        answer: None,
        caveats,
    };
    Observed {
        observations: vec![observation],
        ..Observed::default()
    }
}

fn all_counters() -> FactValue {
    FactValue::new(EVENTS).expect("the events can be shown")
}

fn spent(spent: Spent) -> Result<Vec<Reading>, String> {
    let nanoseconds = |time: std::time::Duration| time.as_nanos() as f64;
    [
        ("wall_time", nanoseconds(spent.wall_time)),
        ("cpu_time", nanoseconds(spent.user_time + spent.system_time)),
        ("user_time", nanoseconds(spent.user_time)),
        ("system_time", nanoseconds(spent.system_time)),
        ("resident_peak", spent.resident_peak as f64),
    ]
    .into_iter()
    .map(|(name, value)| {
        let metric = Metric::known(name).expect("the metric is in the table");
        reading(metric, [value])
    })
    .collect()
}

/// What a tool wrote of one program: its readings, what to trust less, and what was decided in reading it.
type Counted = (Vec<Reading>, Vec<Caveat>, Vec<Problem>);

/// Reads what a tool wrote of one program.
fn counts(tool: Tool, step: &Step, program: &Program, output: &Path) -> Result<Counted, String> {
    let adapter = tool.adapter().ok_or("nobody reads what it writes")?;
    let output = written::of_program(tool, output)?;
    let mut input = Input::open(&output).map_err(|error| error.to_string())?;
    let mut caveats = Vec::new();
    if let (Tool::PerfStat, Input::Text { bytes, .. }) = (tool, &mut input) {
        let (counted, missing) = without_missing(&String::from_utf8_lossy(bytes));
        *bytes = counted.into_bytes();
        caveats.extend(missing.map(|counters| Caveat::CountersMissing { counters }));
    }
    let observed = adapter.read(&input, &program.benchmark.suite);
    let observed = observed.map_err(|error| error.to_string())?;
    if let Some(problem) = observed.problems.first() {
        return Err(problem.to_string());
    }
    let [one] = &observed.observations[..] else {
        let (found, step) = (observed.observations.len(), &step.name);
        return Err(format!(
            "`{step}` runs one program, and results of {found} were written"
        ));
    };
    let is_of_use = |caveat: &&Caveat| match caveat {
        Caveat::SingleSample => false,
        // It was told to follow them.
        Caveat::ThreadsNotCounted { .. } => tool != Tool::Strace,
        _ => true,
    };
    caveats.extend(one.caveats.iter().filter(is_of_use).cloned());
    Ok((one.readings.clone(), caveats, observed.remarks))
}

/// Takes out the counters that have no number, which this machine has not, and names them; and those that perf, without
/// rights, had count the program alone.
fn without_missing(text: &str) -> (String, Option<FactValue>) {
    let is_missing = |line: &&str| NOT_COUNTED.iter().any(|word| line.starts_with(word));
    let event = |line: &str| line.split(',').nth(2).map(shown);
    let mut missing: Vec<String> = text.lines().filter(is_missing).filter_map(event).collect();
    let counted = text.lines().filter(|line| !is_missing(line));
    let halved = counted.clone().filter_map(event);
    let halved = halved.filter_map(|event| event.strip_suffix(":u").map(str::to_owned));
    let halved: Vec<String> = halved.collect();
    if !halved.is_empty() {
        missing.push(format!("the kernel's part of {}", halved.join(", ")));
    }
    let counted = counted.map(|line| format!("{line}\n")).collect();
    (counted, FactValue::new(missing.join(", ")).ok())
}

fn shown(text: &str) -> String {
    text.trim().escape_debug().to_string()
}

/// Returns what was measured, by the unit of the program's work.
fn per_unit(
    tool: Tool,
    readings: &[Reading],
    stdout: &[u8],
    unit: &str,
) -> Result<Vec<Reading>, String> {
    if tool.by_unit().is_empty() {
        return Ok(Vec::new());
    }
    let count = units::count(stdout, unit)?;
    let is_divided = |reading: &&Reading| tool.by_unit().contains(&reading.metric.name.as_str());
    let divided = readings.iter().filter(is_divided).map(|reading| {
        let metric = Metric {
            name: named(&by_unit(reading.metric.name.as_str(), unit))?,
            unit: match &reading.metric.unit {
                Unit::Count => Unit::Ratio,
                unit => unit.clone(),
            },
            ..reading.metric.clone()
        };
        let values = reading.sample.values().iter();
        let values: Vec<f64> = values.map(|value| value / count as f64).collect();
        self::reading(metric, values)
    });
    let mut divided: Vec<Reading> = divided.collect::<Result<_, String>>()?;
    if tool == Tool::Alone {
        let metric = Metric {
            name: named(&counted(unit))?,
            unit: Unit::Count,
            better: Better::Neither,
            nature: Nature::Exact,
        };
        divided.push(self::reading(metric, [count as f64])?);
    }
    Ok(divided)
}

fn named(name: &str) -> Result<MetricName, String> {
    MetricName::new(name).map_err(|error| error.to_string())
}

fn reading(metric: Metric, values: impl Into<Box<[f64]>>) -> Result<Reading, String> {
    let sample = Sample::new(values).map_err(|error| format!("{}: {error}", metric.name))?;
    Ok(Reading { metric, sample })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_without_places_of_the_machine() {
        let told = |tool| {
            let args = ["-p".into(), "1-10 20".into()];
            told(tool, "/home/user/target/release/scan".as_ref(), &args, 5)
        };
        insta::assert_snapshot!(told(Tool::Alone), @"scan -p 1-10 20");
        insta::assert_snapshot!(told(Tool::Strace), @"strace --follow-forks --summary-only --output OUTPUT -- scan -p 1-10 20");
        insta::assert_snapshot!(told(Tool::Dhat), @"valgrind --tool=dhat --dhat-out-file=OUTPUT.%p --trace-children=yes --quiet scan -p 1-10 20");
        insta::assert_snapshot!(told(Tool::Massif), @"valgrind --tool=massif --peak-inaccuracy=0.0 --massif-out-file=OUTPUT.%p --trace-children=yes --quiet scan -p 1-10 20");
        insta::assert_snapshot!(told(Tool::Callgrind), @"valgrind --tool=callgrind --callgrind-out-file=OUTPUT.%p --trace-children=yes --quiet scan -p 1-10 20");
        insta::assert_snapshot!(told(Tool::PerfStat), @"perf stat --field-separator=, --event instructions,cycles,branch-misses,cache-misses,page-faults,context-switches,cpu-migrations --output=OUTPUT -- scan -p 1-10 20");
        insta::assert_snapshot!(told(Tool::Hyperfine), @"hyperfine --shell=none --style=none --warmup=1 --runs=5 --export-json=OUTPUT 'scan' '-p' '1-10 20'");
    }

    #[test]
    fn a_quote_stays_within_its_word() {
        assert_eq!(quoted("a'b".as_ref(), &["$c".into()]), r"'a'\''b' '$c'");
    }

    #[test]
    fn counters_that_the_machine_has_not_are_taken_out_and_named() {
        let text = "# started\n\n<not supported>,,cycles,0,100.00,,\n48,,page-faults,1,100.00,,\n<not counted>,,a b,0,0,,\n";
        let (counted, missing) = without_missing(text);
        assert_eq!(counted, "# started\n\n48,,page-faults,1,100.00,,\n");
        assert_eq!(missing.unwrap().as_str(), "cycles, a b");
        assert_eq!(without_missing("1,,b,1,100.00,,\n").1, None);
        let text = "<not counted>,,cycles:u,0,0,,\n7,,instructions:u,1,100.00,,\n8,,page-faults:u,1,100.00,,\n";
        let (counted, missing) = without_missing(text);
        assert_eq!(counted.lines().count(), 2);
        assert_eq!(
            missing.unwrap().as_str(),
            "cycles:u, the kernel's part of instructions, page-faults"
        );
    }

    #[test]
    fn the_reason_of_perf_is_no_heading() {
        assert_eq!(
            reason("\nError:\nAccess is limited.\nMore\n"),
            "Access is limited."
        );
        assert_eq!(reason("Error:\n"), "perf counted nothing");
    }
}
