//! What the words of a line look like: names, counts, units, and what says that something failed. Tested by those of the lines.

/// The unit that every benchmark has unless it takes it away, and those that the testing package adds to it.
pub(super) const STANDARD_UNITS: &[&str] = &["ns/op", "MB/s", "B/op", "allocs/op"];

/// Words that begin as a benchmark's name does. Others that go on with a small letter are names for every reader of Go's
/// benchmark format, though not for the testing package.
const NO_NAMES: &[&str] = &["Benchmarked", "Benchmarking", "Benchmarks"];

/// The width to which an iteration count is padded, by which it is told from a number that a benchmark printed.
pub(super) const COUNT_WIDTH: usize = 8;

/// How far behind a name its numbers are looked for.
const WORDS_MAX: usize = 64;

pub(super) fn count(text: &str) -> Option<u64> {
    // A sign is no part of a count, and to the parser it would be.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

pub(super) fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// Returns whether a word is a benchmark's name, by the rule of the testing package: no small letter after the prefix.
pub(super) fn is_name(word: &str) -> bool {
    let rest = word.strip_prefix("Benchmark");
    rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase))
}

/// Returns whether a word is a benchmark's name to programs that write Go's benchmark format themselves.
pub(super) fn is_lenient_name(word: &str) -> bool {
    word.starts_with("Benchmark") && !NO_NAMES.contains(&word.trim_end_matches(':'))
}

/// Returns whether a text has a benchmark's name and behind it a count and more, or a number in a unit that no other program
/// writes: a result that was quoted, indented or put into a table.
pub(super) fn is_spread_out(text: &str) -> bool {
    let is_between = |word: &&str| !matches!(*word, "|" | ">");
    let mut words = text.split_whitespace().filter(is_between);
    let is_its_name = |word: &str| {
        let capital = word.strip_prefix('b').map(|rest| format!("B{rest}"));
        is_name(capital.as_deref().unwrap_or(word))
    };
    let has_name = words.any(is_its_name);
    let rest: Vec<&str> = words.take(WORDS_MAX).collect();
    let has_count = rest.len() > 2 && count(rest[0]).is_some();
    has_name && (has_count || has_standard_unit(&rest.join(" ")))
}

/// Returns whether a text says that the process ends here.
pub(super) fn is_crash(text: &str) -> bool {
    text.starts_with("panic: ") || text.starts_with("fatal error: ")
}

/// Returns whether a text has a number in a unit that no other program writes.
pub(super) fn has_standard_unit(text: &str) -> bool {
    let mut before = None;
    text.split_ascii_whitespace().any(|word| {
        let is_after_number = before.is_some_and(is_number);
        before = Some(word);
        is_after_number && STANDARD_UNITS.contains(&word)
    })
}

/// Returns whether a text is an event of `-json` with a result in it, or with a part of one.
pub(super) fn is_event(text: &str) -> bool {
    let holds_unit = |unit: &&str| text.contains(*unit);
    text.starts_with("{\"") && text.contains("\"Output\"") && STANDARD_UNITS.iter().any(holds_unit)
}

/// Returns whether a text is the last number of a result and nothing else, or the unit of it.
pub(super) fn is_end_of_result(text: &str) -> bool {
    let last = STANDARD_UNITS.iter().find(|unit| text.ends_with(**unit));
    let number = last.and_then(|unit| text.strip_suffix(unit));
    number.is_some_and(|number| number.trim().is_empty() || is_number(number.trim()))
}

/// Returns whether what follows a name begins with an iteration count in a column of its own.
pub(super) fn begins_with_count(text: &str) -> bool {
    let column = text.trim_start().split_once('\t');
    column.is_some_and(|(column, _)| count(column).is_some())
}

/// Returns a number that a benchmark printed behind its name: it has no unit behind it, and none of a count's blanks before.
pub(super) fn printed_number(text: &str) -> Option<&str> {
    let number = text.trim_start_matches(' ').strip_prefix('\t')?;
    let is_narrow = number.len() < COUNT_WIDTH;
    count(number).filter(|_| is_narrow).map(|_| number)
}

/// Returns the test or benchmark that a text says failed. A benchmark may have written something before it on its line; what
/// is indented is a part of what stands above it.
pub(super) fn failed(text: &str) -> Option<&str> {
    let (before, what) = text.split_once("--- FAIL: ")?;
    let is_its_own = before.is_empty() || !before.trim().is_empty() && begins_with_name(what);
    is_its_own.then(|| what.trim_end())
}

/// Returns whether a text begins with a benchmark's name.
pub(super) fn begins_with_name(text: &str) -> bool {
    text.split([' ', '\t']).next().is_some_and(is_name)
}
