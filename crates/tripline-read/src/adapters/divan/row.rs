//! What one line of the table is: a node of the tree with its cells, or more cells of the node above.
//!
//! The cells begin at the same column in all lines, which the header shows. Tested below.

/// How many columns the table has.
const COLUMNS: usize = 6;

/// What the header calls them.
const HEADER: [&str; COLUMNS] = ["fastest", "slowest", "median", "mean", "samples", "iters"];

/// What stands before a name, and before the last one of its level.
const BRANCHES: [&str; 2] = ["├─ ", "╰─ "];

/// The cells of a line, without blanks around them.
pub(super) type Cells<'t> = [&'t str; COLUMNS];

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Row<'t> {
    /// A node of the tree. The name is empty where an argument is.
    Node {
        depth: usize,
        is_last: bool,
        name: &'t str,
        cells: Cells<'t>,
    },
    /// A node whose cells are on a later line, because the benchmark wrote something itself.
    Begun {
        depth: usize,
        is_last: bool,
        name: &'t str,
    },
    /// More of the node above.
    More(Cells<'t>),
    /// The cells of a node that had begun.
    Late(Cells<'t>),
    /// It has cells and is none of these.
    Damaged,
    /// Anything else.
    Other,
}

/// What a header says of its table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Table<'t> {
    /// The root's name.
    pub(super) root: &'t str,
    /// The column of the first cell.
    column: usize,
    /// How far in all of it is, as in Markdown.
    indent: usize,
}

/// Reads the header of a table, if a line is one.
pub(super) fn header(text: &str) -> Option<Table<'_>> {
    let start = text.find(HEADER[0])?;
    let (root, rest) = text.split_at(start);
    let name = root.trim();
    let indent = match name {
        "" => 0,
        _ => root.len() - root.trim_start_matches(' ').len(),
    };
    (cells(rest)? == HEADER && !root.is_empty()).then(|| Table {
        root: name,
        column: root.chars().count() - indent,
        indent,
    })
}

impl Table<'_> {
    /// Says what a line of the table is.
    pub(super) fn row<'t>(&self, text: &'t str) -> Row<'t> {
        let blanks = text.bytes().take_while(|byte| *byte == b' ').count();
        Row::of(&text[blanks.min(self.indent)..], self.column)
    }
}

fn cells(text: &str) -> Option<Cells<'_>> {
    let mut parts = text.split('│');
    let mut found = [""; COLUMNS];
    for cell in &mut found {
        *cell = parts.next()?.trim();
    }
    parts.next().is_none().then_some(found)
}

/// Returns whether a text has as many cells as a row.
pub(super) fn has_cells(text: &str) -> bool {
    cells(text).is_some()
}

impl<'t> Row<'t> {
    /// Says what a line is in a table whose cells begin at a column.
    fn of(text: &'t str, column: usize) -> Self {
        let (tree, rest) = text.split_at(end_of_tree(text, column));
        let found = cells(rest);
        match (Branch::of(tree), found) {
            (Some(branch), Some(cells)) => Self::Node {
                depth: branch.depth,
                is_last: branch.is_last,
                name: branch.name,
                cells,
            },
            (Some(branch), None) if !rest.contains('│') => Self::Begun {
                depth: branch.depth,
                is_last: branch.is_last,
                name: branch.name,
            },
            (None, Some(cells)) if tree.chars().all(|c| c == '│' || c == ' ') => {
                Self::More(cells)
            }
            _ => match cells(text) {
                Some(cells) if super::cells::is_time(cells[0]) => Self::Late(cells),
                _ if text.contains('│') || text.contains("├─") || text.contains("╰─") => {
                    Self::Damaged
                }
                _ => Self::Other,
            },
        }
    }
}

/// Returns where the tree ends and the cells begin: at their column, but for a name that goes on beyond it, as those of
/// threads do in some versions.
fn end_of_tree(text: &str, column: usize) -> usize {
    let at = text.char_indices().nth(column).map(|(at, _)| at);
    let at = at.unwrap_or(text.len());
    let names = BRANCHES
        .iter()
        .filter_map(|branch| Some(text.find(branch)? + branch.len()));
    let name = names.min().unwrap_or_default();
    let (tree, rest) = text.split_at(at.max(name));
    let goes_on = at <= name || !tree.ends_with(' ') && !rest.starts_with([' ', '│']);
    let end = match rest.find("  ") {
        _ if !goes_on => 0,
        // Of a benchmark that wrote something itself, the name may stand alone.
        None if !rest.contains('│') => rest.len(),
        end => end.unwrap_or_default(),
    };
    tree.len() + end
}

/// Where a node hangs in the tree.
struct Branch<'t> {
    depth: usize,
    is_last: bool,
    name: &'t str,
}

impl<'t> Branch<'t> {
    fn of(tree: &'t str) -> Option<Self> {
        let mut rest = tree;
        let mut depth = 0;
        while let Some(below) = rest
            .strip_prefix("│  ")
            .or_else(|| rest.strip_prefix("   "))
        {
            rest = below;
            depth += 1;
        }
        // Where nothing follows, the blank behind a branch is gone as well.
        let behind = |branch: &str| match rest == branch.trim_end() {
            true => Some(""),
            false => rest.strip_prefix(branch),
        };
        let [inner, last] = BRANCHES;
        let (is_last, name) = match behind(inner) {
            Some(name) => (false, name),
            None => (true, behind(last)?),
        };
        Some(Self {
            depth,
            is_last,
            name: name.trim(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_may_be_moved_in() {
        let text = "kv        fastest       │ slowest       │ median        │ mean          │ samples │ iters";
        let kv = Table {
            root: "kv",
            column: 10,
            indent: 0,
        };
        assert_eq!(header(text), Some(kv));
        let moved = format!("    {text}");
        let table = header(&moved).unwrap();
        assert_eq!(table, Table { indent: 4, ..kv });
        let row = |text: &'static str| format!("{:?}", table.row(text));
        let last = "╰─ get    1 ns │ 2 ns │ 3 ns │ 4 ns │ 5 │ 10";
        assert_eq!(
            row("    ╰─ get    1 ns │ 2 ns │ 3 ns │ 4 ns │ 5 │ 10"),
            row(last)
        );
        assert_eq!(table.row("       ╰─ a"), Row::of("   ╰─ a", 10));
    }

    #[test]
    fn lines_are_told_apart() {
        let one = ["1 ns", "2 ns", "3 ns", "4 ns", "5", "10"];
        for (text, expected) in [
            (
                "├─ get    1 ns │ 2 ns │ 3 ns │ 4 ns │ 5 │ 10",
                Row::Node {
                    depth: 0,
                    is_last: false,
                    name: "get",
                    cells: one,
                },
            ),
            (
                "│  ╰─ a b 1 ns │ 2 ns │ 3 ns │ 4 ns │ 5 │ 10",
                Row::Node {
                    depth: 1,
                    is_last: true,
                    name: "a b",
                    cells: one,
                },
            ),
            (
                "├─ set    stored",
                Row::Begun {
                    depth: 0,
                    is_last: false,
                    name: "set",
                },
            ),
            (
                "│  ╰─     1 ns │ 2 ns │ 3 ns │ 4 ns │ 5 │ 10",
                Row::Node {
                    depth: 1,
                    is_last: true,
                    name: "",
                    cells: one,
                },
            ),
            (
                "│  ├─",
                Row::Begun {
                    depth: 1,
                    is_last: false,
                    name: "",
                },
            ),
            ("1 ns │ 2 ns │ 3 ns │ 4 ns │ 5 │ 10", Row::Late(one)),
            (
                "│         1 B/s │ 2 B/s │ 3 B/s │ 4 B/s │ │",
                Row::More(["1 B/s", "2 B/s", "3 B/s", "4 B/s", "", ""]),
            ),
            ("├─ get    1 ns │ 2 ns │ 3 n", Row::Damaged),
            ("├ get     1 ns │ 2 ns │ 3 ns │ 4 ns │ 5 │ 10", Row::Damaged),
            ("the store is full", Row::Other),
            ("", Row::Other),
        ] {
            assert_eq!(Row::of(text, 10), expected, "{text}");
        }
    }

    #[test]
    fn a_name_goes_on_beyond_the_column_of_the_cells() {
        let cells = "1 ns │ 2 ns │ 3 ns │ 4 ns │ 5 │ 10";
        let text = format!("      ╰─ t=16  {cells}");
        // The column stands in the branch, before the name, within it, and behind it.
        for column in [8, 9, 11, 15] {
            let Row::Node { depth, name, .. } = Row::of(&text, column) else {
                panic!("{column}: it is a node");
            };
            assert_eq!((depth, name), (2, "t=16"), "{column}");
        }
        let alone = Row::of("      ╰─ t=16", 11);
        assert!(
            matches!(alone, Row::Begun { name: "t=16", .. }),
            "{alone:?}"
        );
    }
}
