//! Which benchmarks a text says to have begun, and which of them have no result: they panicked, or somebody ended the
//! program.
//!
//! What is told of the beginning and the results may come from two streams, and from two files, in any order; and several
//! programs may have benchmarks of one name. So they are counted by their names, and compared when all is read. Tested by
//! `tests/it/refusals` and `tests/it/directories`.

use std::collections::BTreeMap;

use crate::gathered::Gathered;
use crate::place::{Place, shown};

/// What is known of each name.
#[derive(Debug, Default)]
pub(crate) struct Begun(BTreeMap<String, Known>);

#[derive(Debug, Default)]
struct Known {
    begun: Vec<Place>,
    ended: usize,
}

impl Begun {
    /// Takes note that a benchmark was begun.
    pub(crate) fn begin(&mut self, name: &str, place: Place) {
        self.known(name).begun.push(place);
    }

    /// Takes note that one has a result, or that it was said why it has none.
    pub(crate) fn end(&mut self, name: &str) {
        self.known(name).ended += 1;
    }

    fn known(&mut self, name: &str) -> &mut Known {
        self.0.entry(name.trim().to_owned()).or_default()
    }

    /// Says which were begun more often than they ended, and in which words. Of those of one name the last is the one that
    /// did not.
    pub(crate) fn tell(self, how: &str, gathered: &mut Gathered) {
        for (name, known) in self.0 {
            let name = shown(&name);
            for place in known.begun.into_iter().skip(known.ended) {
                gathered.problem(place, format!("benchmark `{name}` {how} and has no result"));
            }
        }
    }
}
