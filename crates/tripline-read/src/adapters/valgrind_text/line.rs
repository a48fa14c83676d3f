//! What one line is: `==1234== I   refs:      523,040`. Tested below.

use crate::quantity;

/// How valgrind says what ended a process.
const TERMINATING: &str = "Process terminating with default action of ";

/// One line of a process, as far as it matters.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'t> {
    /// Which tool runs the program.
    Tool(&'t str),
    /// What is run.
    Command(&'t str),
    /// What callgrind counts.
    Events(Vec<&'t str>),
    /// How often, in the same order.
    Collected(Vec<u64>),
    /// Counts with their names.
    Counts(Vec<Counted<'t>>),
    /// What ended the process, where that was a signal.
    Died(&'t str),
    /// It begins like a count and is none.
    Damaged,
    /// Anything else.
    Other,
}

/// One count: what a tool's files call it, and of which tool that is a name, where it is not the one that runs.
#[derive(Debug, PartialEq)]
pub(super) struct Counted<'t> {
    pub(super) tool: Option<&'static str>,
    pub(super) name: &'t str,
    pub(super) count: u64,
}

impl<'t> Counted<'t> {
    pub(super) fn of(tool: &'static str, name: &'t str, count: u64) -> Self {
        Self {
            tool: Some(tool),
            name,
            count,
        }
    }
}

/// What stands before counts, the words of the line's form (`N` for a count), and the counts' names in order. An empty
/// name is that of a sum of the others.
const FORMS: [(&str, &str, &str, &[&str]); 23] = [
    ("Cachegrind", "I refs", "N", &["Ir"]),
    ("Cachegrind", "I1 misses", "N", &["I1mr"]),
    ("Cachegrind", "LLi misses", "N", &["ILmr"]),
    ("Cachegrind", "D refs", "N (N rd + N wr)", &["", "Dr", "Dw"]),
    (
        "Cachegrind",
        "D1 misses",
        "N (N rd + N wr)",
        &["", "D1mr", "D1mw"],
    ),
    (
        "Cachegrind",
        "LLd misses",
        "N (N rd + N wr)",
        &["", "DLmr", "DLmw"],
    ),
    (
        "Cachegrind",
        "Branches",
        "N (N cond + N ind)",
        &["", "Bc", "Bi"],
    ),
    (
        "Cachegrind",
        "Mispredicts",
        "N (N cond + N ind)",
        &["", "Bcm", "Bim"],
    ),
    (
        "DHAT",
        "Total",
        "N bytes in N blocks",
        &["TotalBytes", "TotalBlocks"],
    ),
    (
        "DHAT",
        "Total",
        "N units in N events",
        &["TotalUnits", "TotalEvents"],
    ),
    (
        "DHAT",
        "At t-gmax",
        "N bytes in N blocks",
        &["AtTGmaxBytes", "AtTGmaxBlocks"],
    ),
    (
        "DHAT",
        "At t-end",
        "N bytes in N blocks",
        &["AtTEndBytes", "AtTEndBlocks"],
    ),
    ("DHAT", "Reads", "N bytes", &["ReadsBytes"]),
    ("DHAT", "Writes", "N bytes", &["WritesBytes"]),
    (
        "DHAT",
        "total heap usage",
        "N allocs, N frees, N bytes allocated",
        &["TotalBlocks", "Frees", "TotalBytes"],
    ),
    (
        "Memcheck",
        "in use at exit",
        "N bytes in N blocks",
        &["InUseAtExitBytes", "InUseAtExitBlocks"],
    ),
    (
        "Memcheck",
        "definitely lost",
        "N bytes in N blocks",
        &["DefinitelyLostBytes", "DefinitelyLostBlocks"],
    ),
    (
        "Memcheck",
        "indirectly lost",
        "N bytes in N blocks",
        &["IndirectlyLostBytes", "IndirectlyLostBlocks"],
    ),
    (
        "Memcheck",
        "possibly lost",
        "N bytes in N blocks",
        &["PossiblyLostBytes", "PossiblyLostBlocks"],
    ),
    (
        "Memcheck",
        "still reachable",
        "N bytes in N blocks",
        &["StillReachableBytes", "StillReachableBlocks"],
    ),
    (
        "Memcheck",
        "suppressed",
        "N bytes in N blocks",
        &["SuppressedBytes", "SuppressedBlocks"],
    ),
    // Whichever tool looks for errors.
    (
        "",
        "ERROR SUMMARY",
        "N errors from N contexts (suppressed: N from N)",
        &[
            "Errors",
            "Contexts",
            "SuppressedErrors",
            "SuppressedContexts",
        ],
    ),
    (
        "",
        "ERROR SUMMARY",
        "N errors from N contexts",
        &["Errors", "Contexts"],
    ),
];

/// The lines that are sums, rates and parts of others.
const COMPUTED: [&str; 12] = [
    "I1 miss rate",
    "LLi miss rate",
    "D1 miss rate",
    "LLd miss rate",
    "LL refs",
    "LL misses",
    "LL miss rate",
    "Mispred rate",
    "length64",
    "multipleinheritance",
    "newarray",
    "stdstring",
];

impl<'t> Line<'t> {
    /// Returns the number of the process, and what its line is.
    pub(super) fn of(text: &'t str) -> Option<(&'t str, Self)> {
        let Some((number, text)) = process(text) else {
            // What begins a line was damaged, and the count is there.
            let is_damaged = text.split_once("= ").is_some_and(|(_, rest)| {
                matches!(
                    Self::of_process(rest.trim()),
                    Self::Counts(_) | Self::Collected(_)
                )
            });
            return is_damaged.then_some(("", Self::Damaged));
        };
        Some((number, Self::of_process(text.trim())))
    }

    fn of_process(text: &'t str) -> Self {
        if let Some((tool, _)) = text
            .split_once(", a ")
            .filter(|(tool, _)| !tool.contains(' '))
        {
            return Self::Tool(tool);
        }
        if let Some(signal) = text.strip_prefix(TERMINATING) {
            return Self::Died(signal);
        }
        let Some((label, rest)) = text.split_once(':') else {
            return Self::Other;
        };
        let label = label.split_whitespace().collect::<Vec<_>>().join(" ");
        let rest = rest.trim();
        match &*label {
            "Command" if !rest.is_empty() => return Self::Command(rest),
            "Events" => return Self::Events(rest.split_whitespace().collect()),
            "Collected" => {
                let totals: Option<Vec<u64>> = rest.split_whitespace().map(count).collect();
                return totals
                    .filter(|totals| !totals.is_empty())
                    .map_or(Self::Damaged, Self::Collected);
            }
            // Who started the process, which valgrind says in a log file.
            "Parent PID" => return Self::Other,
            label if COMPUTED.contains(&label) => return Self::Other,
            _ => {}
        }
        let mut forms = FORMS
            .iter()
            .filter(|(_, known, ..)| *known == label)
            .peekable();
        let is_known = forms.peek().is_some();
        if let Some(counts) =
            forms.find_map(|(tool, _, form, names)| counts(tool, form, names, rest))
        {
            return Self::Counts(counts);
        }
        let is_count = rest.starts_with(|c: char| c.is_ascii_digit());
        match is_known || is_count && label.starts_with(|c: char| c.is_ascii_alphabetic()) {
            true => Self::Damaged,
            false => Self::Other,
        }
    }
}

/// Returns the number between the signs that valgrind begins its lines with, and what follows. With `--time-stamp=yes`
/// the time since the start stands before it.
fn process(text: &str) -> Option<(&str, &str)> {
    let (number, rest) = text.strip_prefix("==")?.split_once("==")?;
    let is_time = |time: &&str| {
        let are_parts = |byte: u8| byte.is_ascii_digit() || b":.".contains(&byte);
        time.contains(':') && time.bytes().all(are_parts)
    };
    let stamped = number.split_once(' ').filter(|(time, _)| is_time(time));
    let number = stamped.map_or(number, |(_, number)| number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((number, rest))
}

fn count(text: &str) -> Option<u64> {
    let is_count = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b',');
    quantity::number(text).filter(|_| is_count)?;
    text.replace(',', "").parse().ok()
}

/// Reads the counts of a line that has a form.
fn counts(
    tool: &'static str,
    form: &str,
    names: &[&'static str],
    text: &str,
) -> Option<Vec<Counted<'static>>> {
    // Blanks stand before numbers to align them, behind brackets too.
    let text = text.replace('(', "( ").replace(')', " )");
    let form = form.replace('(', "( ").replace(')', " )");
    let mut words = text.split_whitespace();
    let mut names = names.iter();
    let mut counts = Vec::new();
    for expected in form.split_whitespace() {
        let word = words.next()?;
        if expected == "N" {
            let (count, name) = (count(word)?, names.next()?);
            if !name.is_empty() {
                counts.push(Counted {
                    tool: (!tool.is_empty()).then_some(tool),
                    name,
                    count,
                });
            }
        } else if word != expected {
            return None;
        }
    }
    words.next().is_none().then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_tool_are_counts() {
        for (text, expected) in [
            ("==1== I   refs:      1,351,345", "Ir 1351345"),
            ("==1== I refs:      1,351", "Ir 1351"),
            ("==00:00:00:01.044 1== I refs:      1,351", "Ir 1351"),
            (
                "==1== D   refs:        268,447  (214,167 rd   + 54,280 wr)",
                "Dr 214167, Dw 54280",
            ),
            (
                "==1== LLd misses:        2,409  (  1,004 rd   +  1,405 wr)",
                "DLmr 1004, DLmw 1405",
            ),
            (
                "==1==   total heap usage: 1,002 allocs, 1,001 frees, 59,116 bytes allocated",
                "TotalBlocks 1002, Frees 1001, TotalBytes 59116",
            ),
            (
                "==1== At t-gmax: 55,020 bytes in 1,001 blocks",
                "AtTGmaxBytes 55020, AtTGmaxBlocks 1001",
            ),
            (
                "==1== ERROR SUMMARY: 1 errors from 2 contexts (suppressed: 3 from 4)",
                "Errors 1, Contexts 2, SuppressedErrors 3, SuppressedContexts 4",
            ),
            (
                "==1== LL miss rate:         0.2% (    0.1%     +    2.6%  )",
                "other",
            ),
            ("==1== Parent PID: 345", "other"),
            (
                "==1==                         newarray           : 68 bytes in 1 blocks",
                "other",
            ),
            ("==1== I   refs:      1,351,34", "damaged"),
            ("==1== I   rXfs:      1,351", "damaged"),
            ("=x1== I   refs:      1,351", "damaged"),
            ("==1==    by 0x4: main (kv.c:5)", "other"),
            ("I   refs:      1,351", "none"),
        ] {
            let shown = match Line::of(text) {
                Some((_, Line::Counts(counts))) => {
                    let counts = counts
                        .iter()
                        .map(|one| format!("{} {}", one.name, one.count));
                    counts.collect::<Vec<_>>().join(", ")
                }
                Some((_, Line::Damaged)) => "damaged".to_owned(),
                Some((_, Line::Other)) => "other".to_owned(),
                other => format!("{other:?}").to_lowercase(),
            };
            assert_eq!(shown, expected, "{text}");
        }
    }

    #[test]
    fn headings_say_tool_and_command() {
        let of = |text| Line::of(text).map(|(number, line)| (number.to_owned(), line));
        assert_eq!(
            of("==12== Memcheck, a memory error detector"),
            Some(("12".to_owned(), Line::Tool("Memcheck")))
        );
        assert_eq!(
            of("==12== Command: ls -l a: 1"),
            Some(("12".to_owned(), Line::Command("ls -l a: 1")))
        );
        assert_eq!(of("--12-- warning: L3 cache found"), None);
    }
}
