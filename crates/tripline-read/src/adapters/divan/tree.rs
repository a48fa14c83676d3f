//! The tree as it grows line by line. Whether it is whole can be seen: the last node of each level says that it is.
//!
//! Tested by `fixtures/divan`.

use super::row::{Cells, Row, Table, header};
use super::{cells, naming};
use crate::apart::Facts;
use crate::entry::Entry;
use crate::listing::Listing;
use crate::place::shown;

/// What a node is known to be.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Other nodes hang below it.
    Parent,
    /// Its cells have not come yet.
    Begun,
    /// It was measured, or left out.
    Leaf,
}

struct Node<'d> {
    name: &'d str,
    is_last: bool,
    kind: Kind,
}

/// Reads the trees of a text.
pub(super) struct Reader<'d, 'g> {
    listing: Listing<'d, 'g>,
    table: Option<Table<'d>>,
    /// The nodes from the root's child to the newest.
    path: Vec<Node<'d>>,
    /// The metrics of the next lines below a heading of allocations.
    expected: Vec<&'static str>,
    /// The newest node's result, which more lines belong to, and its line.
    open: Option<(usize, Entry)>,
    /// The last line that was part of a table.
    last_line: usize,
}

impl<'d, 'g> Reader<'d, 'g> {
    pub(super) fn new(listing: Listing<'d, 'g>) -> Self {
        Self {
            listing,
            table: None,
            path: Vec::new(),
            expected: Vec::new(),
            open: None,
            last_line: 1,
        }
    }

    /// Takes note of a line.
    pub(super) fn take(&mut self, line: usize, text: &'d str, is_cut: bool) {
        if let Some(table) = header(text) {
            self.close();
            self.table = Some(table);
            self.last_line = line;
            return;
        }
        let Some(table) = self.table else {
            return;
        };
        let row = table.row(text);
        if row != Row::Other {
            self.last_line = line;
        }
        match row {
            Row::Node {
                depth,
                is_last,
                name,
                cells,
            } => {
                if self.hang(line, depth, name, is_last) {
                    self.fill(line, &cells, is_cut);
                }
            }
            Row::Begun {
                depth,
                is_last,
                name,
            } => {
                self.hang(line, depth, name, is_last);
            }
            Row::Late(cells) => match self.path.last().map(|node| node.kind) {
                Some(Kind::Begun) => self.fill(line, &cells, is_cut),
                _ => self
                    .listing
                    .problem(line, "a damaged result: its name is missing"),
            },
            Row::More(cells) => self.more(line, &cells),
            Row::Damaged => {
                self.listing.close(&mut self.open);
                self.listing.problem(line, "a damaged result");
            }
            Row::Other => {}
        }
    }

    /// Hangs a node into the tree.
    fn hang(&mut self, line: usize, depth: usize, name: &'d str, is_last: bool) -> bool {
        self.listing.close(&mut self.open);
        self.expected.clear();
        let parent = depth.checked_sub(1);
        let hangs = parent.is_none_or(|parent| {
            self.path
                .get(parent)
                .is_some_and(|node| node.kind == Kind::Parent)
        });
        let is_after_last = self.path.get(depth).is_some_and(|node| node.is_last);
        self.check_begun(depth);
        if !hangs || is_after_last {
            self.listing
                .problem(line, "a damaged result: it hangs from no node of the tree");
            self.hang_no_more(depth);
            return false;
        }
        self.path.truncate(depth);
        self.path.push(Node {
            name,
            is_last,
            kind: Kind::Begun,
        });
        true
    }

    /// Sees to it that what follows hangs from nothing either: the line above them all was lost, and they are not what hangs
    /// below the last node that was met.
    fn hang_no_more(&mut self, depth: usize) {
        self.path.truncate(depth + 1);
        if let Some(last) = self.path.get_mut(depth) {
            last.kind = Kind::Leaf;
        }
    }

    /// Says that a node to be left has no result.
    fn check_begun(&mut self, depth: usize) {
        let is_left = self.path.len() > depth;
        let last = self.path.last().filter(|_| is_left);
        if let Some(node) = last.filter(|node| node.kind != Kind::Leaf) {
            let text = match node.name {
                "" => "the empty argument has no result".to_owned(),
                name => format!("`{}` has no result", shown(name)),
            };
            self.listing.problem(self.last_line, text);
        }
    }

    /// Gives the newest node its cells.
    fn fill(&mut self, line: usize, cells: &Cells<'_>, is_cut: bool) {
        let Some(node) = self.path.last_mut() else {
            return;
        };
        node.kind = match cells[0] {
            "" if cells.iter().all(|cell| cell.is_empty()) => Kind::Parent,
            _ => Kind::Leaf,
        };
        if node.kind == Kind::Parent || cells[0] == "(ignored)" {
            return;
        }
        match self.measured(cells, is_cut) {
            Ok(entry) => self.open = Some((line, entry)),
            Err(text) => self.listing.problem(line, text),
        }
    }

    fn measured(&self, cells: &Cells<'_>, is_cut: bool) -> Result<Entry, String> {
        let path: Vec<&str> = self.path.iter().map(|node| node.name).collect();
        let bench = naming::bench(self.listing.suite, &path)?;
        let readings = cells::times(cells, is_cut).map_err(|error| {
            let bench = bench.within_suite();
            format!("the times of benchmark `{bench}` cannot be used: {error}")
        })?;
        let root = self.table.map(|table| ("target", table.root.to_owned()));
        Ok(Entry {
            caveats: Vec::new(),
            bench,
            facts: root.into_iter().collect::<Facts>(),
            readings,
        })
    }

    /// Adds a line of cells to the newest benchmark.
    fn more(&mut self, line: usize, cells: &Cells<'_>) {
        let Some((_, entry)) = &mut self.open else {
            let text = "a damaged result: its name is missing";
            return self.listing.problem(line, text);
        };
        if let Some(metrics) = cells::heading(cells[0]) {
            self.expected = metrics.into_iter().rev().collect();
            return;
        }
        let reading = match self.expected.pop() {
            Some(metric) => cells::allocated(metric, cells),
            None => cells::rate(cells),
        };
        match reading {
            Ok(reading) => entry.readings.push(reading),
            Err(error) => {
                let bench = entry.bench.within_suite();
                let text = format!("a number of benchmark `{bench}` cannot be used: {error}");
                self.listing.problem(line, text);
            }
        }
    }

    /// Ends a tree, and says if it is not whole.
    pub(super) fn close(&mut self) {
        self.listing.close(&mut self.open);
        if self.table.take().is_none() {
            return;
        }
        let is_whole = self.path.iter().all(|node| node.is_last)
            && self.path.last().is_some_and(|node| node.kind == Kind::Leaf)
            && self.expected.is_empty();
        if !is_whole {
            self.listing.problem(
                self.last_line,
                "the tree breaks off here: results may be missing",
            );
        }
        self.path.clear();
        self.expected.clear();
    }
}
