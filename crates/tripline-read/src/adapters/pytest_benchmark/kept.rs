//! Which files of a directory `.benchmarks` are of earlier runs: it has a folder for each machine, and in that a file for each
//! run, whose name begins with the run's number. Tested below, and by the adapter's refusals.

use crate::place::Place;

/// What is said of a run that another one followed.
pub(super) const EARLIER: &str =
    "it is of an earlier run, and the one of the highest number is read";

/// A run that was kept.
#[derive(Debug, PartialEq)]
pub(super) struct Kept {
    pub(super) place: Place,
    pub(super) number: u64,
    /// How many benchmarks were read before it.
    pub(super) entries: usize,
}

impl Kept {
    /// Returns the run of a file, where that is one that is kept.
    pub(super) fn of(place: Place, entries: usize) -> Option<Self> {
        let (_, name) = place.file.rsplit_once('/')?;
        let (number, _) = name.strip_suffix(".json")?.split_once('_')?;
        let is_number = number.len() >= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.parse().ok().filter(|_| is_number)?;
        Some(Self {
            place,
            number,
            entries,
        })
    }

    /// Returns the folder of its machine.
    pub(super) fn folder(&self) -> Option<&str> {
        self.place.file.rsplit_once('/').map(|(folder, _)| folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_runs_have_a_number_in_front() {
        for (path, expected) in [
            (
                ".benchmarks/Linux/0010_c.json",
                Some((".benchmarks/Linux", 10)),
            ),
            (
                ".benchmarks/Linux/12345_c.json",
                Some((".benchmarks/Linux", 12_345)),
            ),
            ("out/report_0001.json", None),
            ("out/001_c.json", None),
            ("out/0001.json", None),
            ("0001_c.json", None),
            ("out/99999999999999999999_c.json", None),
        ] {
            let run = Kept::of(Place::start(path), 0);
            let told = run.as_ref().map(|run| (run.folder().unwrap(), run.number));
            assert_eq!(told, expected, "{path}");
        }
    }
}
