//! The rows of one file, with their places.
//!
//! Tested with the settings.

use std::path::Path;

use toml::Spanned;
use tripline_judge::{Layer, contradiction};

use super::row::{PolicyRow, Slip, layer};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::suite::SuiteProblem;

/// What is wrong with rows that allow nothing.
const NOTHING_ALLOWED: &str = "`min` is greater than `max`, so that no value would be allowed";

/// The rows of one file, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// What they say.
    pub(crate) layers: Vec<Layer>,
    /// The line and column where each of them begins.
    places: Vec<(usize, usize)>,
    /// What may be slips of the pen in them.
    pub(super) slips: Vec<Slip>,
}

impl Rows {
    /// Understands a row of `[[policy]]`. `derived` are the names of the metrics that are derived beside it.
    pub(crate) fn take(
        &mut self,
        row: Spanned<PolicyRow>,
        text: &str,
        derived: &[&str],
    ) -> Result<(), SuiteProblem> {
        let start = row.span().start;
        let (layer, slip) = layer(row, text, derived)?;
        self.slips.extend(slip);
        self.push(layer, text, start);
        Ok(())
    }

    /// Adds a row that begins at a place of the file's text.
    pub(crate) fn push(&mut self, layer: Layer, text: &str, start: usize) {
        let place = SuiteProblem::at(text, start, "");
        self.layers.push(layer);
        self.places.push((place.line, place.column));
    }

    /// Refuses rows that together allow no value.
    pub(crate) fn check(&self) -> Result<(), SuiteProblem> {
        let Some((earlier, later)) = contradiction(&self.layers) else {
            return Ok(());
        };
        let (line, column) = self.places[later];
        let (earlier, _) = self.places[earlier];
        Err(SuiteProblem {
            line,
            column,
            problem: format!("with the row in line {earlier} {NOTHING_ALLOWED}"),
            hint: None,
        })
    }

    /// Refuses rows of another file that allow no value together with these, over which they lie.
    pub(super) fn check_below(&self, file: &Path, over: &Self, its_file: &Path) -> Outcome<()> {
        if self.layers.is_empty() {
            return Ok(());
        }
        let layers = [&self.layers[..], &over.layers].concat();
        let Some((earlier, later)) = contradiction(&layers) else {
            return Ok(());
        };
        let place = |at: usize| {
            let (file, (line, column)) = match at.checked_sub(self.places.len()) {
                None => (file, self.places[at]),
                Some(at) => (its_file, over.places[at]),
            };
            format!("`{}:{line}:{column}`", file.display())
        };
        let what = format!(
            "nothing was judged: `{}` cannot be used together with `{}`",
            its_file.display(),
            file.display()
        );
        let (earlier, later) = (place(earlier), place(later));
        Err(CommandError::new(Exit::BadInput, what)
            .because(format!("by the rows at {earlier} and {later} {NOTHING_ALLOWED}"))
            .hint("mend one of them; a row of a suite's file that sets `min` and `max` holds for the suite"))
    }
}
