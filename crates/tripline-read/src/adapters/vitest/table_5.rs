//! The tables that vitest prints from version 5 on, below the line of each test that has benchmarks.
//!
//! Benchmarks are named as in the JSON of the same run. How long they took has four digits behind the point of a
//! millisecond, and the rate is the mean of all rates, so that it says no more of the mean. A table over projects repeats
//! what stands below each project's test. Tested below and by `fixtures/vitest`.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::SuiteName;
use tripline_model::few;

use super::assertions::shared_folder;
use super::joined;
use super::table::{COLUMNS, Row, is_header_of};
use super::title_5::{Module, SEPARATOR, State, Title};
use crate::apart::Facts;
use crate::document::Document;
use crate::entry::Entry;
use crate::gathered::Gathered;
use crate::js_times::{BENCHMARK, entry};
use crate::place::shown;

/// What a line above the summary begins with, and what follows a number of files that failed.
const SUMMARY: &str = " Test Files  ";
const FAILED: &str = " failed";

/// What may stand behind a row.
const RANKS: [&str; 2] = ["   fastest", "   slowest"];

/// What may stand between a test with all that it is in and its table: its errors, and notes.
const ERROR: &str = "   \u{2192} ";
const NOTES: [&str; 2] = ["   \u{276f} ", "     \u{21b3} "];

/// Returns whether a text holds a table of version 5 or later: its rows are indented like its head.
pub(super) fn is_text(text: &str) -> bool {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(head) = Head::of(line.trim_end()) else {
            continue;
        };
        let is_row = |next: &&str| !next.trim_end().is_empty() && indent(next) >= head.indent;
        if head.is_of_projects || lines.peek().is_some_and(is_row) {
            return true;
        }
    }
    false
}

/// Reads the tables of a text, row by row.
pub(super) fn read(suite: &SuiteName, document: &Document<'_>, gathered: &mut Gathered) {
    let cut_line = document.cut_line();
    let mut tables = Tables::default();
    let mut found = Vec::new();
    let mut last = 1;
    for block in document.lines() {
        last = block.line;
        let place = document.place(block.line, 1);
        match tables.line(block.text.trim_end()) {
            Ok(Some(_)) if cut_line == Some(block.line) => {
                gathered.problem(place, "the text ends within a row of a table");
            }
            Ok(Some(row)) => found.push((row, place)),
            Ok(None) => {}
            Err(text) => gathered.problem(place, text),
        }
    }
    if !tables.is_summed_up {
        let text = "the text has no summary below its tables: it is cut off";
        gathered.problem(document.place(last, 1), text);
    }
    let shared = shared_folder(tables.modules.iter().map(|module| module.path)).len();
    let projects = tables.modules.iter().map(|module| &module.project);
    // Benchmarks always are a project's, of which the JSON of the same run knows nothing.
    let are_many = few::set_of(projects).len() > 1;
    for (found, place) in found {
        gathered.take(found.entry(suite, shared, are_many), place);
    }
}

/// A row, and the test that it belongs to.
struct Found<'t> {
    row: Row<'t>,
    module: Module<'t>,
}

impl Found<'_> {
    fn entry(&self, suite: &SuiteName, shared: usize, are_many: bool) -> Result<Entry, String> {
        let Self { row, module } = self;
        let entry = entry(suite, BENCHMARK, &row.bench, &[], row.readings_of_times())?;
        let mut facts = Facts::from([("file", module.path[shared..].to_owned())]);
        if are_many {
            facts.insert("project", module.project.clone());
        }
        Ok(Entry { facts, ..entry })
    }
}

/// What is known while a text is read line by line.
#[derive(Default)]
struct Tables<'t> {
    /// The file above the line, and its suites.
    module: Option<Module<'t>>,
    suites: Vec<&'t str>,
    /// The test that a table would be of.
    test: Option<Test<'t>>,
    table: Option<Table<'t>>,
    above: &'t str,
    /// All files, and those of them that failed.
    modules: BTreeSet<Module<'t>>,
    failed: BTreeSet<Module<'t>>,
    is_summed_up: bool,
    /// The row of each benchmark, by its file and names and by its project.
    rows: BTreeMap<(String, String), &'t str>,
}

/// A test that a table may be of.
struct Test<'t> {
    module: Module<'t>,
    /// The names of its suites, and its own.
    names: String,
    /// How far its tables are indented.
    indent: usize,
    /// Whether errors and notes may stand above its table.
    is_whole: bool,
    has_errors: bool,
}

/// A table of which the last line was a part.
struct Table<'t> {
    head: Head,
    /// What one over projects is about.
    about: &'t str,
    has_rows: bool,
}

impl<'t> Tables<'t> {
    /// Returns the row in a line, if it is one that is new, or says what is wrong with the line.
    fn line(&mut self, text: &'t str) -> Result<Option<Found<'t>>, String> {
        let above = std::mem::replace(&mut self.above, text);
        if let Some(head) = Head::of(text) {
            return self.open(head, above).map(|()| None);
        }
        if let Some(table) = self.table.take() {
            if !text.is_empty() && indent(text) + 1 >= table.head.indent {
                return self.row(table, text);
            }
            if !table.has_rows {
                self.forget();
                return Err("a table without rows: lines below it are missing".to_owned());
            }
        }
        if let Some(title) = Title::of(text) {
            return self.enter(title).map(|()| None);
        }
        if let Some(counts) = text.strip_prefix(SUMMARY) {
            return self.sum_up(counts).map(|()| None);
        }
        if Row::of(text).is_some() {
            self.forget();
            return Err(format!("a row outside of a table: `{}`", shown(text)));
        }
        if !text.is_empty() && !self.test.as_mut().is_some_and(|test| test.goes_on(text)) {
            self.forget();
        }
        Ok(None)
    }

    /// Begins a table, or says that it is not known what it is of. Its rows are then left out.
    fn open(&mut self, head: Head, above: &'t str) -> Result<(), String> {
        self.is_summed_up = false;
        let about = match head.is_of_projects {
            true => above.strip_prefix("  ").unwrap_or_default(),
            false => "",
        };
        let of_test = self.test.as_mut();
        let of_test = of_test.filter(|test| test.indent == head.indent && !head.is_of_projects);
        let is_known = of_test.is_some() || !about.is_empty();
        match of_test {
            // What stands below a table is not the test's, other tables left aside.
            Some(test) => test.is_whole = false,
            None => self.forget(),
        }
        self.table = Some(Table {
            head,
            about,
            has_rows: false,
        });
        match is_known {
            true => Ok(()),
            false => Err(
                "a table whose file or test is not known: lines above it are missing".to_owned(),
            ),
        }
    }

    /// Returns the row in a line of a table.
    fn row(&mut self, table: Table<'t>, text: &'t str) -> Result<Option<Found<'t>>, String> {
        let row = table.head.row(text);
        let about = table.about;
        self.table = Some(Table {
            has_rows: true,
            ..table
        });
        let Some(mut row) = row else {
            // Where the line below stands behind it, that may be another test's.
            if !ends_as_row(text) {
                self.forget();
            }
            return Err(format!("a damaged row of a table: `{}`", shown(text)));
        };
        if !about.is_empty() {
            return self.check(about, row.name).map(|()| None);
        }
        let Some(Test { module, names, .. }) = &self.test else {
            return Ok(None);
        };
        let key = [module.path, names.as_str(), row.name].join(SEPARATOR);
        row.bench = joined(&[module.name(), names].join(SEPARATOR), row.name);
        let module = module.clone();
        // Two reporters print each table twice.
        let is_new = self
            .rows
            .insert((key, module.project.clone()), text.trim_start())
            != Some(text.trim_start());
        Ok(is_new.then_some(Found { row, module }))
    }

    /// Says that a row of a table over projects is not one of a project's own.
    fn check(&self, about: &str, project: &str) -> Result<(), String> {
        let key = (about.to_owned(), project.to_owned());
        match self.rows.contains_key(&key) {
            true => Ok(()),
            false => Err(format!(
                "`{}` of project `{}` stands in no table of its test: give the file of `--reporter=json`",
                shown(about),
                shown(project)
            )),
        }
    }

    /// Enters a file, a suite or a test, and says if it failed.
    fn enter(&mut self, title: Title<'t>) -> Result<(), String> {
        match title {
            Title::Module {
                module,
                has_failed,
                has_failed_tests,
            } => {
                self.forget();
                self.modules.insert(module.clone());
                let path = shown(module.path);
                if has_failed {
                    self.failed.insert(module.clone());
                }
                self.module = Some(module);
                match has_failed && !has_failed_tests {
                    true => Err(format!("file `{path}` failed outside its tests")),
                    false => Ok(()),
                }
            }
            Title::Suite { depth, name } => {
                self.leave(depth, true);
                self.suites.push(name);
                Ok(())
            }
            Title::Test { depth, name, state } => {
                self.leave(depth, state != State::LeftOut);
                let names = self.suites.iter().copied().chain([name]);
                let names: Vec<&str> = names.collect();
                let module = self.module.clone();
                self.enter_test(module, &names.join(SEPARATOR), state, Some(depth))
            }
            Title::Whole {
                module,
                names,
                state,
            } => {
                self.forget();
                self.modules.insert(module.clone());
                self.enter_test(Some(module), names, state, None)
            }
        }
    }

    /// Leaves what does not lie around a depth, and everything where it is not known what does. What was left out may lie
    /// in a suite that was, whose line looks like a test's.
    fn leave(&mut self, depth: usize, has_run: bool) {
        self.test = None;
        if has_run && self.suites.len() + 1 < depth {
            self.forget();
        }
        self.suites.truncate(depth.saturating_sub(1));
    }

    fn enter_test(
        &mut self,
        module: Option<Module<'t>>,
        names: &str,
        state: State,
        depth: Option<usize>,
    ) -> Result<(), String> {
        let Some(module) = module.filter(|_| state != State::LeftOut) else {
            return Ok(());
        };
        let name = module.name();
        self.test = Some(Test {
            module: module.clone(),
            names: names.to_owned(),
            indent: 3 + 2 * depth.unwrap_or_default(),
            is_whole: depth.is_none(),
            has_errors: false,
        });
        if state != State::Failed {
            return Ok(());
        }
        let group = [name, names].join(SEPARATOR).replace(SEPARATOR, "/");
        self.failed.insert(module);
        Err(format!("test `{}` failed", shown(&group)))
    }

    /// Forgets what the lines above said of the line.
    fn forget(&mut self) {
        self.module = None;
        self.suites.clear();
        self.test = None;
        self.table = None;
    }

    /// Says if more files failed than those whose lines stand above the summary.
    fn sum_up(&mut self, counts: &str) -> Result<(), String> {
        self.forget();
        self.is_summed_up = true;
        let known = std::mem::take(&mut self.failed).len();
        let mut counts = counts.split(" | ");
        let failed = counts.find_map(|count| count.split_once(FAILED)?.0.parse::<usize>().ok());
        match failed {
            Some(failed) if failed > known => {
                let missing = failed - known;
                Err(format!(
                    "{failed} files failed, of which {missing} left no line above: benchmarks may be missing"
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Test<'_> {
    /// Returns whether a line below a test, and above its table, is about it.
    fn goes_on(&mut self, text: &str) -> bool {
        self.has_errors |= text.starts_with(ERROR);
        // An error has many lines. One of them might be the damaged one of another test.
        let is_of_error = self.has_errors && indent(text) != 1 && !text.contains(SEPARATOR);
        let is_note = NOTES.iter().any(|note| text.starts_with(note));
        self.is_whole && (is_of_error || is_note)
    }
}

/// The names of the columns.
struct Head {
    is_of_projects: bool,
    indent: usize,
    width: usize,
    ends: Option<Vec<usize>>,
}

impl Head {
    fn of(text: &str) -> Option<Self> {
        let is_of_projects = is_header_of("project", text);
        (is_of_projects || is_header_of("name", text)).then(|| Self {
            is_of_projects,
            indent: indent(text),
            width: width(text),
            ends: ends(text),
        })
    }

    /// Reads a row, whose columns end where they do in the head.
    fn row<'t>(&self, text: &'t str) -> Option<Row<'t>> {
        let ranked = RANKS.iter().find_map(|rank| text.strip_suffix(rank));
        let cells = ranked.unwrap_or(text);
        let ends = ends(cells).filter(|_| width(cells) == self.width);
        let is_aligned = ends.is_some() && ends == self.ends;
        let is_indented = indent(text) >= self.indent;
        Row::of(text).filter(|_| is_aligned && is_indented)
    }
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// Returns how wide a text is to JavaScript.
fn width(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns how far before the end of a line each of its columns ends, that of the names left out; none where columns are
/// not two blanks apart.
fn ends(text: &str) -> Option<Vec<usize>> {
    // How far the mean may be off, and the samples, are two more.
    const COUNT: usize = COLUMNS.len() + 2;
    let mut ends = Vec::new();
    let mut blanks = 2;
    for (at, c) in text.chars().rev().enumerate() {
        if c == ' ' {
            blanks += 1;
            continue;
        }
        match blanks {
            0 => {}
            1 => return None,
            _ if ends.len() == COUNT => break,
            _ => ends.push(at),
        }
        blanks = 0;
    }
    Some(ends)
}

/// Returns whether a line ends in samples, or in what may stand behind them.
fn ends_as_row(text: &str) -> bool {
    let is_ranked = RANKS.iter().any(|rank| text.ends_with(rank));
    is_ranked || text.ends_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_its_columns_where_the_head_has_them() {
        let head = "   name            hz     min     max    mean     p75     p99    p995    p999     rme  samples";
        let head = Head::of(head).unwrap();
        let row = "   sort 10  12,357.87  0.0727  0.1343  0.0825  0.0876  0.1293  0.1318  0.1338  ±5.13%       40";
        assert_eq!(head.row(row).unwrap().name, "sort 10");
        assert!(head.row(&format!("{row}   slowest")).is_some());
        for (from, to) in [
            ("   sort", "  sort"),
            ("sort", "sor"),
            ("12,357", "12 357"),
            ("0.1343  0.0825", "0.1343 0.0825 "),
            ("40", "40   first"),
            ("0.0876", "0.08760"),
            ("0.0876", "x.0876"),
        ] {
            assert!(head.row(&row.replacen(from, to, 1)).is_none(), "{to}");
        }
    }

    #[test]
    fn a_table_of_version_5_has_no_symbols_before_its_names() {
        let head = "     name  hz  min  max  mean  p75  p99  p995  p999  rme  samples\n";
        assert!(is_text(&format!("{head}     get  1\n")));
        assert!(is_text(&head.replace("name", "project")));
        assert!(!is_text(&format!("{head}   \u{b7} get  1\n")));
        assert!(!is_text(head));
    }
}
