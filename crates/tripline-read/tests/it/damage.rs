//! What adapters make of the fixtures when they are cut, or when a byte of them is wrong.
//!
//! A result may be lost only together with a problem or an error. The one exception is a line format cut between two
//! lines: it cannot know that there was more.

use std::path::Path;

use tripline_read::{Input, Observation, Observed};

use crate::support::{Case, cases, file_bytes, files, read, with_bytes};

/// How many cuts are spread evenly over a file, besides those around the ends of its lines.
const CUTS: usize = 97;

/// How many bytes of a file are damaged in turn.
const FLIPS: usize = 200;

/// The adapters, or single cases, of texts in which a result, or a part of one, is a line, and nothing says how many there are; and what
/// stands in such a line before its numbers, where a name alone is no result yet. The first that fits is taken.
const LINE_TEXTS: &[(&str, &str)] = &[
    ("asv__compared", "|"),
    ("asv__compared_older", ""),
    ("asv__compared_split", "|"),
    ("benchmark-ips", ""),
    ("benchmark-js", ""),
    ("benchmarkdotnet", "|"),
    ("callgrind-text", ":"),
    ("criterion-text", ":  "),
    ("dart", ""),
    ("divan", "─"),
    ("gnu_time__usual", ""),
    ("gnu-time", ":"),
    ("google-benchmark", ""),
    ("hyperfine__asciidoc", "|"),
    ("hyperfine__csv", ","),
    ("hyperfine__markdown", "|"),
    ("hyperfine__orgmode", "|"),
    ("hyperfine__printed", ""),
    ("hyperfine__printed_lines", ""),
    ("iai", ":"),
    ("jmh", ""),
    ("libtest", "bench:"),
    ("mitata__deno_2_3", "."),
    ("mitata__deno_2_9", "."),
    ("mitata__deno_two_files", "."),
    ("mitata", "/iter"),
    ("perf-stat", ","),
    ("pytest_benchmark__csv", ","),
    ("ruby-benchmark", ""),
    ("strace_count__modes", "% time"),
    ("strace_count__repeated", "% time"),
    ("tango", " [ "),
    ("tinybench__markdown", "|"),
    ("valgrind-text", ":"),
];

/// Before its report stands what is printed for people, which is read where the report is cut away.
const WITH_PRINTED: &str = "hyperfine__stdout";

#[test]
fn a_cut_fixture_gives_no_result_that_is_not_whole() {
    for case in cases() {
        let whole = read(case.adapter, &case.input).unwrap();
        for file in 0..files(&case.input) {
            let bytes = file_bytes(&case.input, file);
            for at in cuts(bytes) {
                check_cut(&case, &whole, file, at);
            }
        }
    }
}

fn check_cut(case: &Case, whole: &Observed, file: usize, at: usize) {
    let bytes = file_bytes(&case.input, file);
    let cut = with_bytes(&case.input, file, bytes[..at].to_vec());
    let Ok(observed) = read(case.adapter, &cut) else {
        return;
    };
    let context = format!("{} cut at {at} of file {file}", case.name);
    if case.name == WITH_PRINTED && !contains(&bytes[..at], b"\"command\"") {
        let is_begun = bytes[..at].contains(&b'{');
        assert!(!is_begun || is_told(whole, &observed), "{context}");
        return;
    }
    let line_text = LINE_TEXTS.iter().find(|(name, _)| {
        [case.adapter.name, &case.name].contains(name) && !is_json(&case.input, file)
    });
    let lacks_lines = line_text.is_some_and(|(_, mark)| {
        may_end_with_line(bytes, at, mark) || is_read_as_its_line(case, file, at, &observed)
    });
    let lacks_some = lacks_lines || is_told(whole, &observed);
    for observation in &observed.observations {
        // A number that lost its last digits would look like one.
        let is_of_whole = whole.observations.iter().any(|of| {
            let is_all = of.readings.len() == observation.readings.len();
            begins(of, observation) && (is_all || lacks_some)
        });
        assert!(is_of_whole, "{context}");
    }
    if is_told(whole, &observed) || observed.observations == whole.observations {
        return;
    }
    let may_be_silent = match case.adapter.name {
        "go" => may_end_after_process(&bytes[..at]),
        _ if lacks_lines => true,
        _ => may_end_between_lines(bytes, at),
    };
    assert!(may_be_silent, "{context}: a result is gone without a word");
}

/// Returns whether a benchmark is the whole one, or has its first values: a cut may take repeats away, and with them what
/// told benchmarks of one name apart.
fn begins(whole: &Observation, cut: &Observation) -> bool {
    let mut readings = cut.readings.iter().zip(&whole.readings);
    let all_begin = readings.all(|(cut, whole)| {
        let iterations = cut.sample.iterations().unwrap_or_default();
        cut.metric == whole.metric
            && whole.sample.values().starts_with(cut.sample.values())
            && whole
                .sample
                .iterations()
                .unwrap_or_default()
                .starts_with(iterations)
    });
    whole.bench.name == cut.bench.name
        && whole.readings.len() >= cut.readings.len()
        && whole.answer == cut.answer
        && all_begin
}

/// Returns whether more is said of a damaged input than of the whole one.
fn is_told(whole: &Observed, damaged: &Observed) -> bool {
    let mut problems = damaged.problems.iter();
    problems.any(|problem| !whole.problems.contains(problem))
}

/// Returns whether objects of which each has its line can be cut here without anybody knowing.
fn may_end_between_lines(bytes: &[u8], at: usize) -> bool {
    let lines = bytes.split(|b| *b == b'\n').filter(|l| l.starts_with(b"{"));
    let start = bytes[..at]
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |p| p + 1);
    let end = bytes[at..]
        .iter()
        .position(|b| *b == b'\n')
        .map_or(bytes.len(), |p| at + p);
    let is_between = at == start || at == end || !bytes[start..end].starts_with(b"{");
    lines.count() > 1 && is_between
}

/// Returns whether a text of lines can be cut here without anybody knowing: between lines, or before a line's numbers.
fn may_end_with_line(bytes: &[u8], at: usize, mark: &str) -> bool {
    let is_end = matches!(bytes.get(at), None | Some(b'\r' | b'\n'));
    let start = bytes[..at].iter().rposition(|b| *b == b'\n');
    let begun = &bytes[start.map_or(0, |start| start + 1)..at];
    let is_name = !mark.is_empty() && !contains(begun, mark.as_bytes());
    is_end || begun.is_empty() || is_name
}

fn contains(bytes: &[u8], sought: &[u8]) -> bool {
    bytes.windows(sought.len()).any(|window| window == sought)
}

/// Returns whether the rest of the line that is cut holds nothing that is read, so that what is gone are whole lines.
fn is_read_as_its_line(case: &Case, file: usize, at: usize, observed: &Observed) -> bool {
    let bytes = file_bytes(&case.input, file);
    let rest = bytes[at..].iter().position(|b| *b == b'\n');
    let line = bytes[..rest.map_or(bytes.len(), |rest| at + rest)].to_vec();
    let whole_line = read(case.adapter, &with_bytes(&case.input, file, line));
    whole_line.is_ok_and(|of_line| of_line.observations == observed.observations)
}

/// Returns whether the output of test processes can end here without anybody knowing: after one of them was done.
fn may_end_after_process(cut: &[u8]) -> bool {
    let last = cut.trim_ascii_end().rsplit(|b| *b == b'\n').next();
    let ends = [&b"PASS"[..], b"FAIL", b"exit status", b"ok  \t", b"?   \t"];
    last.is_some_and(|last| ends.iter().any(|end| last.starts_with(end)) || is_last_object(last))
}

/// Returns whether a line is the object of `go test -json` that says how a package ended.
fn is_last_object(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    let is_end = ["pass", "fail", "skip"]
        .iter()
        .any(|end| line.contains(&format!(r#""Action":"{end}","Package""#)));
    is_end && !line.contains(r#""Test":"#) && line.ends_with('}')
}

/// Returns where a file is cut.
fn cuts(bytes: &[u8]) -> Vec<usize> {
    let mut cuts: Vec<usize> = (0..bytes.len()).step_by(bytes.len() / CUTS + 1).collect();
    let line_ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    // A pretty object has hundreds of lines, all alike.
    for end in line_ends.iter().step_by(line_ends.len() / CUTS + 1) {
        cuts.extend(end.saturating_sub(2)..(end + 3).min(bytes.len()));
    }
    cuts
}

#[test]
fn a_wrong_byte_loses_no_benchmark_without_a_word() {
    for case in cases() {
        let whole = read(case.adapter, &case.input).unwrap();
        for file in 0..files(&case.input) {
            let mut random = XorShift::of(&case.name, file);
            for _ in 0..FLIPS {
                let bytes = file_bytes(&case.input, file);
                let (what, damaged) = random.damaged(bytes);
                let input = with_bytes(&case.input, file, damaged);
                let Ok(observed) = read(case.adapter, &input) else {
                    continue;
                };
                let is_told = is_told(&whole, &observed);
                // A name with a wrong byte is one more benchmark where the right one stands elsewhere as well.
                let is_all = observed.observations.len() >= whole.observations.len();
                assert!(is_told || is_all, "{} file {file}: {what}", case.name);
            }
        }
    }
}

/// A small generator of numbers that are the same each time.
struct XorShift(u64);

impl XorShift {
    /// Returns the generator of one file of a case, so that no other case changes what is tried on it.
    fn of(case: &str, file: usize) -> Self {
        let seed = format!("{case} {file}");
        // FNV-1a, which stays the same over versions of Rust, unlike the hashes of its library.
        Self(seed.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        }))
    }

    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap()
    }

    fn damaged(&mut self, bytes: &[u8]) -> (String, Vec<u8>) {
        let mut damaged = bytes.to_vec();
        let at = self.next() % bytes.len();
        let byte = u8::try_from(self.next() % 256).unwrap();
        let what = match self.next() % 4 {
            0 => {
                damaged[at] ^= 1 << (byte % 8);
                "a bit is wrong"
            }
            1 => {
                damaged[at] = byte;
                "a byte is wrong"
            }
            2 => {
                damaged.insert(at, byte);
                "a byte is added"
            }
            _ => {
                damaged.remove(at);
                "a byte is gone"
            }
        };
        (format!("{what} at {at}, {byte}"), damaged)
    }
}

/// Returns whether a file is JSON, whose end is known whatever else its adapter reads. Its first sign says so: that some
/// harnesses write `NaN` into it makes it no text of lines.
fn is_json(input: &Input, file: usize) -> bool {
    let first = file_bytes(input, file).trim_ascii_start().first();
    matches!(first, Some(b'{' | b'['))
}

#[test]
fn a_fixture_is_cut_as_json_where_its_name_says_that_it_is() {
    // What perf writes has an object in each line, and a comment before them.
    for case in cases().iter().filter(|c| c.adapter.name != "perf-stat") {
        for file in 0..files(&case.input) {
            let path = file_path(&case.input, file);
            if path.extension().is_some_and(|ending| ending == "json") {
                assert!(is_json(&case.input, file), "{} {file}", case.name);
            }
        }
    }
}

fn file_path(input: &Input, file: usize) -> &Path {
    match input {
        Input::Text { name, .. } => Path::new(name),
        Input::Tree { files, .. } => &files[file].path,
    }
}
