//! One measurement. Its value is what it took over its operations, and stands there as well, rounded.
//!
//! Tested below.

use std::borrow::Cow;

use super::header::Header;
use crate::csv;
use crate::document::Block;
use crate::place::shown;
use crate::quantity::number;

/// By how much a number that is written with two digits behind its point may be off, and a little for what is computed.
const ROUNDING: f64 = 0.005_001;

/// The same for what is so large that two digits are more than a number has.
const ROUNDING_OF_LARGE: f64 = 1e-12;

/// What a measurement can be of, where its stage stands beside it, and those stages.
const MODES: &[&str] = &["Overhead", "Workload", "Unknown"];
const STAGES: &[&str] = &["Jitting", "Pilot", "Warmup", "Actual", "Result", "Unknown"];

/// What it can be where one word says both, before 0.11.4.
const MODES_WITH_STAGE: &[&str] = &[
    "Pilot",
    "IdleWarmup",
    "IdleTarget",
    "IdleJitting",
    "MainWarmup",
    "MainTarget",
    "MainJitting",
    "Result",
    "Unknown",
];

/// A row, its numbers read.
#[derive(Debug)]
pub(super) struct Row<'t> {
    pub(super) line: usize,
    cells: Vec<(usize, Cow<'t, str>)>,
    pub(super) is_result: bool,
    pub(super) nanoseconds: f64,
    pub(super) operations: u64,
}

impl<'t> Row<'t> {
    /// Takes a line apart, or says what is wrong with it and at which byte.
    pub(super) fn of(line: Block<'t>, header: &Header) -> Result<Self, (usize, String)> {
        let cells = csv::placed_fields(line.text.trim_end(), header.delimiter);
        let Some(cells) = cells.filter(|cells| cells.len() == header.columns) else {
            let text = shown(line.text.trim_end());
            return Err((1, format!("a damaged row of the table: `{text}`")));
        };
        let mut row = Self {
            line: line.line,
            cells,
            is_result: false,
            nanoseconds: 0.0,
            operations: 0,
        };
        row.is_result = row.is_result(header)?;
        row.nanoseconds = row.number(header.nanoseconds)?;
        row.operations = row.count(header.operations)?;
        row.check_value(header)?;
        Ok(row)
    }

    /// Returns what stands in a column.
    pub(super) fn cell(&self, index: usize) -> &str {
        self.cells[index].1.trim()
    }

    /// Returns the cells that tell one benchmark from another.
    pub(super) fn name(&self, header: &Header) -> Vec<String> {
        let columns = [
            Some(header.namespace),
            Some(header.class),
            Some(header.method),
            Some(header.params),
            header.job,
        ];
        let named = columns.into_iter().flatten();
        named.map(|index| self.cell(index).to_owned()).collect()
    }

    fn refused(&self, index: usize, text: impl Into<String>) -> (usize, String) {
        (self.cells[index].0 + 1, text.into())
    }

    /// Returns whether this is a result. A word that is none of those that there are may have been that one.
    fn is_result(&self, header: &Header) -> Result<bool, (usize, String)> {
        let one_of = |index: usize, words: &[&str]| {
            let word = self.cell(index);
            words.contains(&word).then_some(word).ok_or_else(|| {
                let text = format!("`{}` is nothing that a measurement is of", shown(word));
                self.refused(index, text)
            })
        };
        let Some(stage) = header.stage else {
            return Ok(one_of(header.mode, MODES_WITH_STAGE)? == "Result");
        };
        let mode = one_of(header.mode, MODES)?;
        let stage = one_of(stage, STAGES)?;
        Ok(mode == "Workload" && stage == "Result")
    }

    /// Returns a number as some languages write it: with a comma for a point, and nothing between thousands.
    fn number(&self, index: usize) -> Result<f64, (usize, String)> {
        let cell = self.cell(index);
        let dotted = match cell.contains('.') {
            true => Cow::Borrowed(cell),
            false => Cow::Owned(cell.replacen(',', ".", 1)),
        };
        let value = number(&dotted).filter(|_| !dotted.contains(','));
        value.ok_or_else(|| self.refused(index, format!("`{}` is no number", shown(cell))))
    }

    fn count(&self, index: usize) -> Result<u64, (usize, String)> {
        let cell = self.cell(index);
        let count = cell.parse().ok().filter(|count| *count > 0);
        count.ok_or_else(|| {
            let text = format!("`{}` is no number of operations", shown(cell));
            self.refused(index, text)
        })
    }

    /// Refuses a row that says two values: in one of its numbers, or in the value itself, some digits are wrong or gone.
    fn check_value(&self, header: &Header) -> Result<(), (usize, String)> {
        let said = self.number(header.value)?;
        let operations = self.operations as f64;
        let value = self.nanoseconds / operations;
        let off = ROUNDING * (1.0 + 1.0 / operations) + value.abs() * ROUNDING_OF_LARGE;
        if (said - value).abs() <= off {
            return Ok(());
        }
        let text = format!(
            "a damaged row: its value is {said}, and {} ns over {operations} operations are {value}",
            self.nanoseconds
        );
        Err(self.refused(header.value, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "Target_Namespace;Target_Type;Target_Method;Params;Measurement_IterationMode;Measurement_IterationStage;Measurement_Nanoseconds;Measurement_Operations;Measurement_Value";

    fn read(numbers: &str) -> Result<(f64, u64, bool), (usize, String)> {
        let header = Header::of(NAMES).unwrap();
        let text = format!("A;Kv;Get;;{numbers}");
        let line = Block {
            line: 2,
            text: &text,
        };
        let row = Row::of(line, &header)?;
        Ok((row.nanoseconds, row.operations, row.is_result))
    }

    #[test]
    fn a_value_is_what_was_taken_over_its_operations() {
        for (numbers, expected) in [
            ("Workload;Result;1250;100;12.5", (1250.0, 100, true)),
            ("Workload;Result;1250,5;100;12,51", (1250.5, 100, true)),
            ("Workload;Result;0.01;1;0.01", (0.01, 1, true)),
            ("Workload;Actual;1250;100;12.5", (1250.0, 100, false)),
            ("Overhead;Result;1250;100;12.5", (1250.0, 100, false)),
        ] {
            assert_eq!(read(numbers), Ok(expected), "{numbers}");
        }
    }

    #[test]
    fn a_damaged_row_is_refused_where_it_is_damaged() {
        for (numbers, column, expected) in [
            (
                "Workload;Result;1250;100",
                1,
                "a damaged row of the table: `A;Kv;Get;;Workload;Result;1250;100`",
            ),
            (
                "Workload;Resxlt;1250;100;12.5",
                20,
                "`Resxlt` is nothing that a measurement is of",
            ),
            (
                "Workload;Result;1250;100;12",
                36,
                "a damaged row: its value is 12, and 1250 ns over 100 operations are 12.5",
            ),
            (
                "Workload;Result;125;100;12.5",
                35,
                "a damaged row: its value is 12.5, and 125 ns over 100 operations are 1.25",
            ),
            (
                "Workload;Result;12.5,0;100;12.5",
                27,
                "`12.5,0` is no number",
            ),
            (
                "Workload;Result;1250;0;12.5",
                32,
                "`0` is no number of operations",
            ),
        ] {
            let said = read(numbers).expect_err("it is damaged");
            assert_eq!(said, (column, expected.to_owned()), "{numbers}");
        }
    }
}
