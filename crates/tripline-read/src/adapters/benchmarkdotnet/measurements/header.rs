//! Which column holds what. Versions differ in the columns of the job, and some have none for the stage.
//!
//! Tested below.

use std::borrow::Cow;

use tripline_model::Reading;

use crate::adapters::benchmarkdotnet::metrics::{allocated, collections};
use crate::csv;

/// What tells the header from all others.
const MARKS: [&str; 2] = ["Measurement_IterationMode", "Measurement_Nanoseconds"];

/// What stands between the fields, by the language of the machine.
const DELIMITERS: [char; 3] = [',', ';', '\t'];

/// What begins the name of a column of the job. `Job_Display` names it as JSON does.
const OF_JOB: &str = "Job_";

/// What is said otherwise, or orders rows that are in order.
const IDLE: &[&str] = &[
    "Target",
    "Measurement_LaunchIndex",
    "Measurement_IterationIndex",
];

/// Makes a metric of a number.
type Metric = fn(f64) -> Result<Reading, String>;

/// What the memory diagnoser adds, the same in all rows of a benchmark: how often the generations were collected, and what
/// was allocated.
pub(super) const OF_MEMORY: [(&str, Metric); 4] = [
    ("Gen_0", |count| collections('0', count)),
    ("Gen_1", |count| collections('1', count)),
    ("Gen_2", |count| collections('2', count)),
    ("Allocated_Bytes", allocated),
];

/// The columns that are read, by where they stand.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) delimiter: char,
    pub(super) columns: usize,
    pub(super) namespace: usize,
    pub(super) class: usize,
    pub(super) method: usize,
    pub(super) params: usize,
    pub(super) job: Option<usize>,
    pub(super) mode: usize,
    pub(super) stage: Option<usize>,
    pub(super) nanoseconds: usize,
    pub(super) operations: usize,
    pub(super) value: usize,
    pub(super) memory: [Option<usize>; OF_MEMORY.len()],
    /// The columns of which nothing is known.
    pub(super) unread: Vec<String>,
}

/// Returns whether a line is a header, even where one of its words is damaged.
pub(in super::super) fn is_mark(line: &str) -> bool {
    MARKS.iter().any(|column| line.contains(column))
}

impl Header {
    /// Takes a header apart, or says which column it lacks.
    pub(super) fn of(line: &str) -> Result<Self, String> {
        let forms = DELIMITERS.map(|delimiter| (delimiter, csv::fields(line, delimiter)));
        let forms = forms
            .into_iter()
            .filter_map(|(delimiter, names)| Some((delimiter, names?)));
        let (delimiter, names) = forms
            .max_by_key(|(_, names)| names.len())
            .ok_or("a damaged header of a table of single measurements")?;
        let mut columns = Columns::of(&names);
        let mut header = Self {
            delimiter,
            columns: names.len(),
            namespace: columns.needed("Target_Namespace")?,
            class: columns.needed("Target_Type")?,
            method: columns.needed("Target_Method")?,
            params: columns.needed("Params")?,
            job: columns.find("Job_Display"),
            mode: columns.needed(MARKS[0])?,
            stage: columns.find("Measurement_IterationStage"),
            nanoseconds: columns.needed(MARKS[1])?,
            operations: columns.needed("Measurement_Operations")?,
            value: columns.needed("Measurement_Value")?,
            memory: OF_MEMORY.map(|(name, _)| columns.find(name)),
            unread: Vec::new(),
        };
        header.unread = columns.unread();
        Ok(header)
    }
}

/// The columns of a header, and which of them were asked for.
struct Columns<'l> {
    names: Vec<&'l str>,
    are_read: Vec<bool>,
}

impl<'l> Columns<'l> {
    fn of(names: &'l [Cow<'_, str>]) -> Self {
        let names: Vec<&str> = names.iter().map(|name| name.trim()).collect();
        let are_read = vec![false; names.len()];
        Self { names, are_read }
    }

    fn find(&mut self, name: &str) -> Option<usize> {
        let index = self.names.iter().position(|known| *known == name)?;
        self.are_read[index] = true;
        Some(index)
    }

    fn needed(&mut self, name: &str) -> Result<usize, String> {
        self.find(name).ok_or_else(|| {
            format!("the table of single measurements has no column `{name}`, so it is not read")
        })
    }

    /// Returns the columns that nobody asked for and of which nothing is known.
    fn unread(&self) -> Vec<String> {
        let all = self.names.iter().zip(&self.are_read);
        let unread = all.filter(|(name, is_read)| {
            !(**is_read || IDLE.contains(name) || name.starts_with(OF_JOB))
        });
        unread.map(|(name, _)| (*name).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "Target;Target_Namespace;Target_Type;Target_Method;Job_Jit;Job_Display;Params;Measurement_IterationMode;Measurement_Nanoseconds;Measurement_Operations;Measurement_Value;Gen_0;Watts";

    #[test]
    fn columns_are_found_whatever_stands_between_them() {
        for delimiter in DELIMITERS {
            let line = NAMES.replace(';', &delimiter.to_string());
            let header = Header::of(&line).unwrap();
            assert_eq!((header.delimiter, header.columns), (delimiter, 13));
            assert_eq!((header.namespace, header.value), (1, 10));
            assert_eq!((header.job, header.stage), (Some(5), None));
            assert_eq!(header.memory, [Some(11), None, None, None]);
            assert_eq!(header.unread, ["Watts"]);
        }
    }

    #[test]
    fn a_column_that_is_needed_is_named() {
        let said = Header::of(&NAMES.replace("Params", "Parxms")).expect_err("it is gone");
        assert_eq!(
            said,
            "the table of single measurements has no column `Params`, so it is not read"
        );
        assert!(is_mark(NAMES) && !is_mark("Method,Mean,Error"));
    }
}
