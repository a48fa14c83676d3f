//! The titles that vitest prints from version 5 on: of a file, and below it of its suites and tests, indented by how deep
//! each is; or of a test alone with all that it is in, as `--reporter=verbose` does.
//!
//! A test that ran has how long it took behind its name, so one whose line lost its end is no title. Tested below.

use super::tree::without_heap;

/// A file that was run, and the project it was run for.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Module<'t> {
    /// Below the folder that vitest ran in, or its project's.
    pub(super) path: &'t str,
    /// Empty where there are no projects.
    pub(super) project: String,
}

/// What became of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Ran,
    Failed,
    LeftOut,
}

/// The line of a file, a suite, or a test.
#[derive(Debug, PartialEq)]
pub(super) enum Title<'t> {
    Module {
        module: Module<'t>,
        has_failed: bool,
        has_failed_tests: bool,
    },
    Suite {
        depth: usize,
        name: &'t str,
    },
    Test {
        depth: usize,
        name: &'t str,
        state: State,
    },
    /// A test with its file, and with the names of its suites before its own.
    Whole {
        module: Module<'t>,
        names: &'t str,
        state: State,
    },
}

/// What stands before a title. An arrow before an error's message is none of these.
const SYMBOLS: &str = "\u{2713}\u{d7}\u{276f}\u{b7}\u{2193}\u{25a1}";

/// What stands before a suite or a file that failed, and before a test.
const FAILED_PARENT: char = '\u{276f}';
const FAILED_TEST: char = '\u{d7}';

/// What stands before those that were skipped or are still to be written.
const LEFT_OUT: [char; 2] = ['\u{2193}', '\u{25a1}'];

/// What parts the names in a line.
pub(super) const SEPARATOR: &str = " > ";

impl<'t> Title<'t> {
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let title = text.trim_start_matches(' ');
        let indent = text.len() - title.len();
        let (symbol, rest) = title.split_once(' ')?;
        let symbol = symbol.parse().ok()?;
        if indent.is_multiple_of(2) || !SYMBOLS.contains(symbol) {
            return None;
        }
        match indent / 2 {
            0 => module(symbol, rest).or_else(|| whole(symbol, rest)),
            depth => below(depth, symbol, rest),
        }
    }
}

/// Reads the title of a file, which ends in how many tests it has, and how long all took.
fn module(symbol: char, rest: &str) -> Option<Title<'_>> {
    let text = without_heap(rest);
    let text = timed(text).unwrap_or(text);
    let (name, counts) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let mut counts = counts.split(" | ");
    let (count, word) = counts.next()?.split_once(' ')?;
    let is_counted = is_digits(count) && ["test", "tests"].contains(&word);
    let module = Module::of(name)?;
    // Elsewhere a test may have a name that ends like that.
    (is_counted && !module.path.contains(SEPARATOR)).then(|| Title::Module {
        module,
        has_failed: symbol == FAILED_PARENT,
        has_failed_tests: counts.any(|count| count.ends_with(" failed")),
    })
}

/// Reads the title of a test with all that it is in.
fn whole(symbol: char, rest: &str) -> Option<Title<'_>> {
    let (state, text) = outcome(symbol, rest)?;
    let (file, names) = text.split_once(SEPARATOR)?;
    // With `includeTaskLocation`, the line that the test stands in.
    let located = file.rsplit_once(':').filter(|(_, line)| is_digits(line));
    let module = Module::of(located.map_or(file, |(file, _)| file))?;
    Some(Title::Whole {
        module,
        names,
        state,
    })
}

/// Reads the title of a suite, which ends in how many tests it has, or of a test.
fn below(depth: usize, symbol: char, rest: &str) -> Option<Title<'_>> {
    if let Some((state, name)) = outcome(symbol, rest) {
        return Some(Title::Test { depth, name, state });
    }
    let (name, count) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    is_digits(count).then_some(Title::Suite { depth, name })
}

/// Returns what became of a test, and its name; none where it ran and does not say for how long.
fn outcome(symbol: char, rest: &str) -> Option<(State, &str)> {
    if LEFT_OUT.contains(&symbol) {
        return Some((State::LeftOut, rest));
    }
    let text = without_heap(rest);
    let text = without_tries(text, " (repeat x");
    let text = without_tries(text, " (retry x");
    let state = match symbol {
        FAILED_TEST => State::Failed,
        _ => State::Ran,
    };
    Some((state, timed(text)?))
}

/// Returns what stands before a duration.
fn timed(text: &str) -> Option<&str> {
    let (before, last) = text.rsplit_once(' ')?;
    is_digits(last.strip_suffix("ms")?).then_some(before)
}

fn without_tries<'t>(text: &'t str, word: &str) -> &'t str {
    let counted = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(word));
    let counted = counted.filter(|(_, count)| is_digits(count));
    counted.map_or(text, |(before, _)| before)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl<'t> Module<'t> {
    /// Reads a file behind its project, which stands between strokes, or with colours between blanks.
    fn of(mut path: &'t str) -> Option<Self> {
        let mut badges = Vec::new();
        loop {
            let (badge, rest) = if let Some(badge) = path.strip_prefix('|') {
                badge.split_once("| ")?
            } else if let Some(badge) = path.strip_prefix(' ') {
                badge.split_once("  ")?
            } else {
                break;
            };
            badges.push(badge);
            path = rest;
        }
        let project = badges.join(" ");
        (!path.is_empty()).then_some(Self { path, project })
    }

    /// Returns the last part of the path.
    pub(super) fn name(&self) -> &'t str {
        self.path.rsplit(['/', '\\']).next().unwrap_or(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_project<'t>(path: &'t str, project: &str) -> Module<'t> {
        let project = project.to_owned();
        Module { path, project }
    }

    #[test]
    fn a_file_has_how_many_tests_it_has_behind_it() {
        for (line, module, has_failed, has_failed_tests) in [
            (
                " ✓ a/b.mjs (1 test) 4ms",
                in_project("a/b.mjs", ""),
                false,
                false,
            ),
            (" ❯ b.mjs (0 test)", in_project("b.mjs", ""), true, false),
            (
                " ❯ |kv| b.mjs (3 tests | 1 failed | 1 skipped) 4ms 12 MB heap used",
                in_project("b.mjs", "kv"),
                true,
                true,
            ),
            (
                " ✓  kv  b (c).mjs (3 tests) 4ms",
                in_project("b (c).mjs", "kv"),
                false,
                false,
            ),
        ] {
            let expected = Title::Module {
                module,
                has_failed,
                has_failed_tests,
            };
            assert_eq!(Title::of(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn a_suite_has_a_count_behind_it_and_a_test_how_long_it_took() {
        let test = |depth, name, state| Some(Title::Test { depth, name, state });
        for (line, expected) in [
            (
                "   ✓ sort (2)",
                Some(Title::Suite {
                    depth: 1,
                    name: "sort",
                }),
            ),
            (
                "   ❯ 5ms (12)",
                Some(Title::Suite {
                    depth: 1,
                    name: "5ms",
                }),
            ),
            ("     ✓ sort (2) 5ms", test(2, "sort (2)", State::Ran)),
            (
                "   × a 0ms (retry x2) (repeat x1) 9 MB heap used",
                test(1, "a", State::Failed),
            ),
            ("   ↓ later [why]", test(1, "later [why]", State::LeftOut)),
            ("   ✓ sort", None),
            ("   ✓ sort 5m", None),
            ("    ✓ sort 5ms", None),
            ("   → took 5ms", None),
            ("   a sort 5ms", None),
        ] {
            assert_eq!(Title::of(line), expected, "{line}");
        }
    }

    #[test]
    fn a_test_may_stand_with_all_that_it_is_in() {
        for (line, module, names, state) in [
            (
                " ✓ a/b.mjs > sort 5ms",
                in_project("a/b.mjs", ""),
                "sort",
                State::Ran,
            ),
            (
                " ✓ b.mjs > a > b (2 tests) 5ms",
                in_project("b.mjs", ""),
                "a > b (2 tests)",
                State::Ran,
            ),
            (
                " × |kv| b.mjs:12 > a 5ms",
                in_project("b.mjs", "kv"),
                "a",
                State::Failed,
            ),
            (
                " ↓  kv  b.mjs > a",
                in_project("b.mjs", "kv"),
                "a",
                State::LeftOut,
            ),
        ] {
            let expected = Title::Whole {
                module,
                names,
                state,
            };
            assert_eq!(Title::of(line), Some(expected), "{line}");
        }
        assert_eq!(Title::of(" ✓ b.mjs > sort"), None);
        assert_eq!(Title::of(" ✓ b.mjs sort 5ms"), None);
    }
}
