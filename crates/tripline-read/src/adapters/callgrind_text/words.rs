//! Metrics that are written in words and have no earlier value beside them: what the tools beside callgrind counted, up
//! to 0.13 their errors and up to 0.10 what DHAT says. Tested below.

/// A form of words, `N` standing for a number.
struct Form {
    label: &'static str,
    words: &'static str,
    /// What the numbers are, by the names of the tools.
    names: &'static [&'static str],
    tools: &'static [&'static str],
}

const HEAP_TOOLS: &[&str] = &["DHAT"];

const FORMS: [Form; 7] = [
    Form {
        label: "Error Summary",
        words: "N errors from N contexts (suppressed: N from N)",
        names: &[
            "Errors",
            "Contexts",
            "SuppressedErrors",
            "SuppressedContexts",
        ],
        tools: &["Memcheck", "Helgrind", "DRD"],
    },
    heap(
        "Total",
        "N bytes in N blocks",
        &["TotalBytes", "TotalBlocks"],
    ),
    heap(
        "Total",
        "N units in N events",
        &["TotalUnits", "TotalEvents"],
    ),
    heap(
        "At t-gmax",
        "N bytes in N blocks",
        &["AtTGmaxBytes", "AtTGmaxBlocks"],
    ),
    heap(
        "At t-end",
        "N bytes in N blocks",
        &["AtTEndBytes", "AtTEndBlocks"],
    ),
    heap("Reads", "N bytes", &["ReadsBytes"]),
    heap("Writes", "N bytes", &["WritesBytes"]),
];

const fn heap(label: &'static str, words: &'static str, names: &'static [&'static str]) -> Form {
    Form {
        label,
        words,
        names,
        tools: HEAP_TOOLS,
    }
}

/// What a line says in words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct InWords {
    /// The tools that write it; below the headline of any other it is nothing.
    pub(super) tools: &'static [&'static str],
    /// The metrics by the names of the tools, unless they are damaged.
    pub(super) counts: Option<Vec<(&'static str, u64)>>,
}

impl InWords {
    /// Reads what stands behind a label.
    pub(super) fn of(label: &str, text: &str) -> Option<Self> {
        let of_label = || FORMS.iter().filter(|form| form.label == label);
        let whole = of_label().find_map(|form| Some((form, form.numbers(text)?)));
        if let Some((form, numbers)) = whole {
            let counts = form.names.iter().copied().zip(numbers);
            return Some(Self {
                tools: form.tools,
                counts: Some(counts.collect()),
            });
        }
        // The label is damaged, or what stands behind it.
        let mut forms = FORMS.iter();
        let damaged = of_label()
            .next()
            .or_else(|| forms.find(|form| form.numbers(text).is_some()))?;
        Some(Self {
            tools: damaged.tools,
            counts: None,
        })
    }
}

impl Form {
    fn numbers(&self, text: &str) -> Option<Vec<u64>> {
        let mut words = text.split_ascii_whitespace();
        let mut numbers = Vec::with_capacity(self.names.len());
        for expected in self.words.split(' ') {
            let word = words.next()?;
            match expected.strip_prefix('N') {
                Some(end) => numbers.push(number(word.strip_suffix(end)?)?),
                None if word == expected => {}
                None => return None,
            }
        }
        words.next().is_none().then_some(numbers)
    }
}

fn number(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(label: &str, text: &str) -> Option<Vec<(&'static str, u64)>> {
        InWords::of(label, text).and_then(|words| words.counts)
    }

    #[test]
    fn each_number_is_a_metric() {
        for (label, text, expected) in [
            (
                "Error Summary",
                "    3 errors from 2 contexts (suppressed: 1 from 4)",
                &[
                    ("Errors", 3),
                    ("Contexts", 2),
                    ("SuppressedErrors", 1),
                    ("SuppressedContexts", 4),
                ][..],
            ),
            (
                "At t-gmax",
                "        1736 bytes in 3 blocks",
                &[("AtTGmaxBytes", 1736), ("AtTGmaxBlocks", 3)],
            ),
            ("Writes", " 11634 bytes", &[("WritesBytes", 11634)]),
            (
                "Total",
                " 5 units in 2 events",
                &[("TotalUnits", 5), ("TotalEvents", 2)],
            ),
        ] {
            assert_eq!(counts(label, text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_damaged_is_told_from_what_is_something_else() {
        for (label, text, is_damaged) in [
            ("Error Summary", "3 errors from 2 contexts", true),
            ("Error Summary", "", true),
            (
                "Error Xummary",
                "3 errors from 2 contexts (suppressed: 1 from 4)",
                true,
            ),
            ("Total", "3077 bytes", true),
            ("Total", "3077 bytes in 19 bl", true),
            ("Totxl", "3077 bytes in 19 blocks", true),
            ("Reads", "18x60 bytes", true),
            ("Reads", "+18660 bytes", true),
            ("Logfile", "/repo/memcheck.log", false),
            ("Command", "3", false),
        ] {
            let words = InWords::of(label, text);
            assert_eq!(words.is_some(), is_damaged, "{label}: {text}");
            assert_eq!(counts(label, text), None, "{label}: {text}");
        }
    }
}
