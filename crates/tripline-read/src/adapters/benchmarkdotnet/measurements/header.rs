//! Which column holds what. Versions differ in the columns of the job, and some have none for the stage.
//!
//! Tested below.

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
        let find = |name: &str| names.iter().position(|it| it.trim() == name);
        let needed = |name: &str| {
            find(name).ok_or_else(|| {
                format!(
                    "the table of single measurements has no column `{name}`, so it is not read"
                )
            })
        };
        let mut header = Self {
            delimiter,
            columns: names.len(),
            namespace: needed("Target_Namespace")?,
            class: needed("Target_Type")?,
            method: needed("Target_Method")?,
            params: needed("Params")?,
            job: find("Job_Display"),
            mode: needed(MARKS[0])?,
            stage: find("Measurement_IterationStage"),
            nanoseconds: needed(MARKS[1])?,
            operations: needed("Measurement_Operations")?,
            value: needed("Measurement_Value")?,
            memory: OF_MEMORY.map(|(name, _)| find(name)),
            unread: Vec::new(),
        };
        let unread = names.iter().enumerate().filter(|(index, name)| {
            let name = name.trim();
            !(header.is_read(*index) || IDLE.contains(&name) || name.starts_with(OF_JOB))
        });
        header.unread = unread.map(|(_, name)| name.to_string()).collect();
        Ok(header)
    }

    fn is_read(&self, index: usize) -> bool {
        let memory = self.memory.iter().flatten();
        let [others, needed] = [
            &[self.job, self.stage][..],
            &[
                Some(self.namespace),
                Some(self.class),
                Some(self.method),
                Some(self.params),
                Some(self.mode),
                Some(self.nanoseconds),
                Some(self.operations),
                Some(self.value),
            ],
        ];
        let known = others.iter().chain(needed).flatten().chain(memory);
        known.into_iter().any(|known| *known == index)
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
