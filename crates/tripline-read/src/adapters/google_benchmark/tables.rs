//! How the console's tables and the CSV are gone through: reports below one another, each with its tables.
//!
//! The text may be cut between two lines, and other lines may stand between those of a table. Tested by
//! `fixtures/google_benchmark`.

use super::printed::{Newest, Printed};
use super::series::AllSeries;
use super::{coefficients, console, file_name, rows_csv};
use crate::document::Document;
use crate::gathered::Gathered;
use crate::place::{Place, shown};

/// What is said where rows end in what counters look like, and the header names none.
const LABELS: &str = "its header names no counters, so that this row has none: what looks like counters is taken for labels, from here on";

/// What is said where a row has what may be either.
const DOUBTFUL: &str = "what stands before the words of a label may be of the label: from here on, a number whose name is one word is taken for a counter, one whose name is several is left out there, and `--benchmark_counters_tabular=true` tells them apart";

/// What is said of a row that is known for what it is and gives nothing.
const LEFT_OUT: &str = "how badly a complexity fits is left out: by version the CSV states it in another scale, and JSON in one";

/// A table of either form.
#[derive(Debug, Clone, PartialEq)]
enum Table {
    Console(console::Table),
    Csv(rows_csv::Table),
}

impl Table {
    /// Returns the table that a line begins, if it is whole; none where the line begins none.
    fn begun_by(line: &str) -> Option<Option<Self>> {
        if console::is_header(line) {
            Some(console::Table::of_header(line).map(Self::Console))
        } else if rows_csv::is_header(line) {
            Some(rows_csv::Table::of_header(line).map(Self::Csv))
        } else {
            None
        }
    }

    fn row(&mut self, text: &str) -> Option<Result<Option<Printed>, String>> {
        match self {
            Self::Console(table) => table.row(text),
            Self::Csv(table) => table.row(text),
        }
    }

    /// Returns what is to be said of what looks like counters in its rows.
    fn doubt(&self) -> Option<&'static str> {
        match self {
            Self::Console(table) if table.has_labels == Some(true) => Some(LABELS),
            Self::Console(table) if table.is_doubtful => Some(DOUBTFUL),
            _ => None,
        }
    }

    /// Returns whether a table below another is of a report of its own. Within one only the columns of counters change.
    fn begins_report(&self, above: &Self) -> bool {
        match (self, above) {
            (Self::Console(table), Self::Console(above)) => table.begins_report(above),
            _ => true,
        }
    }
}

/// Reads the tables of a document.
pub(super) fn read(document: &Document<'_>, all: &mut AllSeries, gathered: &mut Gathered) {
    let cut_line = document.cut_line();
    let mut reader = Reader::default();
    for line in document.lines() {
        let text = line.text.trim_end();
        let place = document.place(line.line, 1);
        let is_cut = cut_line == Some(line.line);
        if text.starts_with("Run on (") {
            reader.begin_program(all, gathered);
        } else if let Some(table) = Table::begun_by(text) {
            reader.begin_table(table, place, all, gathered);
        } else if is_rule(text) {
            reader.rule();
        } else {
            reader.line(text, is_cut, place, gathered);
        }
        reader.before = text;
    }
    reader.end(all, gathered);
}

/// What was read so far.
#[derive(Default)]
struct Reader<'t> {
    program: String,
    /// The rows of the report.
    rows: Vec<(Place, Printed)>,
    table: Option<Table>,
    /// The table above, which one of the same report may follow.
    above: Option<Table>,
    /// The first table of the report, with which another run of the same program begins.
    first: Option<Table>,
    /// Whether there was a table, or the beginning of one.
    is_begun: bool,
    /// The line before.
    before: &'t str,
}

impl Reader<'_> {
    /// The program's name stands on the line before.
    fn begin_program(&mut self, all: &mut AllSeries, gathered: &mut Gathered) {
        self.end(all, gathered);
        let path = self.before.strip_prefix("Running ").unwrap_or_default();
        file_name(path).clone_into(&mut self.program);
        (self.table, self.above, self.first) = (None, None, None);
    }

    fn begin_table(
        &mut self,
        table: Option<Table>,
        place: Place,
        all: &mut AllSeries,
        gathered: &mut Gathered,
    ) {
        self.close_table();
        let Some(table) = table else {
            return gathered.problem(place, "a damaged header of a table");
        };
        let is_first = self.first.as_ref() == Some(&table);
        let begins_report = |above: &Table| is_first || table.begins_report(above);
        if self.above.as_ref().is_some_and(begins_report) {
            self.end(all, gathered);
            self.first = None;
        }
        self.first.get_or_insert_with(|| table.clone());
        self.table = Some(table);
    }

    /// A header follows a rule, and if it is damaged, the rows below it are not those of the table above.
    fn rule(&mut self) {
        if !console::is_header(self.before) {
            self.close_table();
        }
    }

    fn close_table(&mut self) {
        self.is_begun = true;
        self.above = self.table.take().or(self.above.take());
    }

    fn line(&mut self, text: &str, is_cut: bool, place: Place, gathered: &mut Gathered) {
        let row = match &mut self.table {
            Some(table) => {
                let before = table.doubt();
                let row = table.row(text);
                if let Some(doubt) = table.doubt().filter(|_| before.is_none()) {
                    gathered.remark(place.clone(), doubt.to_owned());
                }
                row
            }
            None => (self.is_begun && console::looks_like_row(text)).then(|| {
                let text = shown(text);
                Err(format!("a row below no header: `{text}`"))
            }),
        };
        match row {
            Some(Err(text)) => gathered.problem(place, text),
            Some(Ok(Some(row))) if !is_cut || row.is_closed() => self.rows.push((place, row)),
            _ if is_cut => gathered.problem(place, "the text ends within a line"),
            Some(Ok(None)) => gathered.remark(place, LEFT_OUT.to_owned()),
            _ => {}
        }
    }

    /// Takes over the rows: what a name stands for is known when the next one is.
    fn end(&mut self, all: &mut AllSeries, gathered: &mut Gathered) {
        all.begin(matches!(self.first, Some(Table::Console(_))));
        let mut newest = Newest::default();
        let mut rows = std::mem::take(&mut self.rows);
        coefficients::find_units(&mut rows);
        let mut rows = rows.into_iter().peekable();
        while let Some((place, row)) = rows.next() {
            let next = rows.peek().map(|(_, next)| next);
            match newest.row(row, next) {
                Ok(row) => all.add(&self.program, row, &place, gathered),
                Err(text) => gathered.problem(place, text),
            }
        }
    }
}

fn is_rule(text: &str) -> bool {
    text.len() > 20 && text.bytes().all(|byte| byte == b'-')
}
