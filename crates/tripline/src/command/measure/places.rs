//! Where runs go. All places are opened before the first benchmark runs: a wrong path must not cost an hour.
//!
//! What is left of an earlier measurement goes when the first new run comes: a canary vouches for what it was measured
//! with, and a base is one of the run that it was measured beside.

use std::path::Path;
use std::vec::IntoIter;

use tripline_model::{SuiteName, wire};

use super::Order;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::Output;
use crate::measure::Measured;
use crate::run_folder::{Role, RunFolder};
use crate::suite::Suite;

/// The places of runs, in the order in which they come.
pub(super) struct Places<'a> {
    folder: &'a RunFolder,
    /// Whether the head goes to the folder, and not to a file that was named.
    in_folder: bool,
    suites: IntoIter<Place>,
    canaries: IntoIter<[Output; 2]>,
}

struct Place {
    suite: SuiteName,
    head: Output,
    base: Option<Output>,
}

impl<'a> Places<'a> {
    pub(super) fn open(order: &'a Order<'_>) -> Outcome<Self> {
        let (folder, file) = (&order.folder, order.file.as_deref());
        if file.is_some() && order.suites.len() != 1 {
            let what = format!(
                "nothing was measured: `--out` names one file for {} suites",
                order.suites.len()
            );
            return Err(CommandError::new(Exit::Usage, what)
                .hint("name one suite with `--suite`, or leave `--out` away"));
        }
        let suites = order.suites.iter();
        let suites = suites.map(|suite| Place::open(folder, suite, file, order));
        let suites: Vec<Place> = suites.collect::<Outcome<_>>()?;
        let canary = |suite: &Suite| {
            let open = |role| Output::open(&folder.place(&suite.name, role));
            Ok([open(Role::Healthy(1))?, open(Role::Planted(1))?])
        };
        let canaries = order.canaries.iter().map(canary);
        let canaries: Vec<[Output; 2]> = canaries.collect::<Outcome<_>>()?;
        Ok(Self {
            folder,
            in_folder: file.is_none(),
            suites: suites.into_iter(),
            canaries: canaries.into_iter(),
        })
    }

    /// Puts the runs of the next suite in their places.
    pub(super) fn put(&mut self, measured: &Measured) -> Outcome<()> {
        let Some(Place { suite, head, base }) = self.suites.next() else {
            return Ok(());
        };
        if self.in_folder {
            self.folder.forget_canaries()?;
            if measured.base.is_none() {
                self.folder.forget_base(&suite)?;
            }
        }
        if let Some((run, place)) = measured.base.as_ref().zip(base) {
            place.complete(&wire::write_run(run))?;
        }
        head.complete(&wire::write_run(&measured.head))
    }

    /// Puts the runs of the canaries in their places.
    pub(super) fn put_canaries(&mut self, watched: &[Measured]) -> Outcome<()> {
        for (measured, [healthy, planted]) in watched.iter().zip(self.canaries.by_ref()) {
            if let Some(run) = &measured.base {
                healthy.complete(&wire::write_run(run))?;
            }
            planted.complete(&wire::write_run(&measured.head))?;
        }
        Ok(())
    }
}

impl Place {
    fn open(
        folder: &RunFolder,
        suite: &Suite,
        file: Option<&Path>,
        order: &Order<'_>,
    ) -> Outcome<Self> {
        let suite = &suite.name;
        let head = match file {
            Some(file) => Output::open(file)?,
            None => Output::open(&folder.place(suite, Role::Head))?,
        };
        let base = match &order.how.against {
            Some(_) => Some(Output::open(&folder.place(suite, Role::Base))?),
            None => None,
        };
        Ok(Self {
            suite: suite.clone(),
            head,
            base,
        })
    }
}
