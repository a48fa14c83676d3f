//! Which benchmarks were begun, and which of them have no result: they panicked, or somebody ended the program.
//!
//! What is told of the beginning and the results may come from two streams, and from two files, in any order; and several
//! programs may have benchmarks of one name. So they are counted by their names, and compared when all is read. Tested
//! below, and by `tests/it/refusals`.

use std::collections::BTreeMap;

use crate::gathered::Gathered;
use crate::place::{Place, shown};

/// What is known of each name.
#[derive(Debug, Default)]
pub(super) struct Begun(BTreeMap<String, Known>);

#[derive(Debug, Default)]
struct Known {
    begun: Vec<Place>,
    ended: usize,
}

impl Begun {
    /// Takes note that a benchmark was begun.
    pub(super) fn begin(&mut self, name: &str, place: Place) {
        self.known(name).begun.push(place);
    }

    /// Takes note that one has a result, or that it was said why it has none.
    pub(super) fn end(&mut self, name: &str) {
        self.known(name).ended += 1;
    }

    fn known(&mut self, name: &str) -> &mut Known {
        let name = name.trim();
        // Most were begun before they end, and then there is a name.
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), Known::default());
        }
        self.0.get_mut(name).expect("it was put there")
    }

    /// Says which were begun more often than they ended. Of those of one name the last is the one that did not.
    pub(super) fn tell(self, gathered: &mut Gathered) {
        let mut missing = Vec::new();
        for (name, known) in self.0 {
            missing.extend(
                known
                    .begun
                    .into_iter()
                    .skip(known.ended)
                    .map(|place| (place, name.clone())),
            );
        }
        missing.sort();
        for (place, name) in missing {
            let text = format!("benchmark `{}` was begun and has no result", shown(&name));
            gathered.problem(place, text);
        }
    }
}
