//! The titles that vitest writes to a terminal: of a file, and below it of its groups, each with how many benchmarks it has.
//!
//! Groups are indented alike however deep they are, so where one ends is known from its benchmarks alone. Tested below.

use super::table::title;
use crate::place::shown;

/// The line of a file or of a group.
#[derive(Debug, PartialEq)]
pub(super) struct Title<'t> {
    pub(super) is_file: bool,
    name: &'t str,
    count: usize,
    is_skipped: bool,
}

impl<'t> Title<'t> {
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let indent = text.len() - text.trim_start_matches(' ').len();
        let text = title(without_heap(text.get(indent.checked_sub(1)?..)?))?;
        let counted = text.strip_suffix(" [skipped]");
        let (name, count) = counted
            .unwrap_or(text)
            .strip_suffix(')')?
            .rsplit_once(" (")?;
        let is_file = indent == 1;
        // Elsewhere a title has the groups in it, and one of them may end like that.
        if is_file && name.contains(" > ") {
            return None;
        }
        Some(Self {
            is_file,
            name,
            count: count.parse().ok()?,
            is_skipped: counted.is_some(),
        })
    }
}

/// Returns a title without how much of the heap was in use.
pub(super) fn without_heap(text: &str) -> &str {
    let used = text.strip_suffix(" MB heap used");
    let before = used.and_then(|text| text.rsplit_once(' '));
    before.map_or(text, |(before, _)| before)
}

/// A file or group, and how many of its benchmarks have not come yet.
struct Branch<'t> {
    name: &'t str,
    count: usize,
    left: usize,
}

/// The titles above a line, from the file on. There are none where it cannot be known what a group belongs to.
#[derive(Default)]
pub(super) struct Tree<'t>(Vec<Branch<'t>>);

impl<'t> Tree<'t> {
    pub(super) fn enter(&mut self, title: &Title<'t>) {
        match title.is_file {
            true => self.0.clear(),
            false => self.leave(),
        }
        let (name, count) = (title.name, title.count);
        let above = self.0.last();
        if !above.map_or(title.is_file, |above| count <= above.left) {
            self.0.clear();
        } else if title.is_skipped {
            self.take(count);
        } else {
            let left = count;
            self.0.push(Branch { name, count, left });
        }
    }

    /// Leaves the groups all of whose benchmarks have come.
    pub(super) fn leave(&mut self) {
        while self.0.last().is_some_and(|branch| branch.left == 0) {
            self.0.pop();
        }
    }

    /// Takes note that benchmarks have come.
    pub(super) fn take(&mut self, count: usize) {
        for branch in &mut self.0 {
            branch.left = branch.left.saturating_sub(count);
        }
    }

    /// Returns the name of the innermost group, as it stands in the summary.
    pub(super) fn group(&self) -> Option<String> {
        let names: Vec<&str> = self.0.iter().map(|branch| branch.name).collect();
        (!names.is_empty()).then(|| names.join(" > "))
    }

    /// Says which benchmarks of the file did not come. Files of tests have titles as well, and no benchmarks.
    pub(super) fn check(&self) -> Result<(), String> {
        let file = self.0.first().filter(|file| file.left > 0);
        let Some(file) = file.filter(|file| file.left < file.count) else {
            return Ok(());
        };
        let (name, count, left) = (shown(file.name), file.count, file.left);
        Err(format!(
            "`{name}` has {count} benchmarks, and {left} of them do not stand in its tables"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_ends_in_how_many_benchmarks_it_has() {
        for (line, expected) in [
            (" ✓ a.bench.ts (2)", Some((true, "a.bench.ts", 2, false))),
            (
                " ✓ a.bench.ts (2) 2383ms",
                Some((true, "a.bench.ts", 2, false)),
            ),
            ("   ❯ sort (b) (12)", Some((false, "sort (b)", 12, false))),
            ("   ✓ a > b (2)", Some((false, "a > b", 2, false))),
            (
                "   ✓ sort (2) 501ms 12 MB heap used",
                Some((false, "sort", 2, false)),
            ),
            ("   ↓ later (2) [skipped]", Some((false, "later", 2, true))),
            (" ✓ a.bench.ts > sort (2)", None),
            (" ✓ a.bench.ts", None),
            ("   ✓ sort (two)", None),
            ("✓ a.bench.ts (2)", None),
        ] {
            let expected = expected.map(|(is_file, name, count, is_skipped)| Title {
                is_file,
                name,
                count,
                is_skipped,
            });
            assert_eq!(Title::of(line), expected, "{line}");
        }
    }

    #[test]
    fn a_group_ends_with_its_last_benchmark() {
        let mut tree = Tree::default();
        let mut groups = Vec::new();
        for line in [
            " ✓ a.bench.ts (7)",
            "   ✓ outer (4)",
            "",
            "   ✓ inner (1)",
            "",
            "   ↓ later (1) [skipped]",
            "",
            "   ✓ other (3)",
            "",
        ] {
            match Title::of(line) {
                Some(title) => tree.enter(&title),
                None => {
                    tree.leave();
                    groups.push(tree.group().unwrap());
                    tree.take(1);
                }
            }
        }
        let file = "a.bench.ts";
        let expected = ["outer", "outer > inner", "outer", "other"];
        assert_eq!(groups, expected.map(|group| format!("{file} > {group}")));
        let said = tree.check().expect_err("two of them are left");
        assert!(said.contains("has 7 benchmarks, and 2 of them"), "{said}");
        tree.enter(&Title::of("   ✓ too many (3)").unwrap());
        assert_eq!(tree.group(), None);
    }
}
