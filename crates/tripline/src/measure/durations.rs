//! How long each step took the last time it ran here, so that progress can say how much time is left.
//!
//! This is a note to ourselves under `target/`, not stored data: what cannot be read is forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest a step can have taken: nobody waits for a week.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Knows how long steps took.
#[derive(Debug)]
pub(crate) struct Durations {
    place: PathBuf,
    before: BTreeMap<String, Duration>,
    ahead: Vec<String>,
    /// The steps that were run since it was loaded.
    run: BTreeSet<String>,
}

impl Durations {
    /// Loads what is known, for the steps that are about to run.
    pub(crate) fn load(output: &Path, ahead: Vec<String>) -> Self {
        let place = output.join("durations.tsv");
        Self {
            before: noted_in(&place),
            place,
            ahead,
            run: BTreeSet::new(),
        }
    }

    /// Returns how long a step took before.
    pub(crate) fn before(&self, step: &str) -> Option<Duration> {
        self.before.get(step).copied()
    }

    /// Returns all that is known, ordered by name.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, Duration)> {
        self.before
            .iter()
            .map(|(name, took)| (name.as_str(), *took))
    }

    /// Returns how much time is left when a step begins, if all that is ahead is known.
    pub(crate) fn left(&self, step: &str) -> Option<Duration> {
        let from = self.ahead.iter().position(|name| name == step)?;
        self.ahead[from..]
            .iter()
            .map(|name| self.before(name))
            .sum()
    }

    /// Notes how long a step took, and keeps it.
    pub(crate) fn note(&mut self, step: &str, took: Duration) {
        self.before.insert(step.to_owned(), took);
        self.run.insert(step.to_owned());
        // Losing this note costs nothing but a guess.
        let _ = std::fs::write(&self.place, lines(self.before.iter()));
    }

    /// Leaves a note of the steps that were run in another place, beside the runs that they gave.
    pub(crate) fn leave(&self, place: &Path) {
        if place != self.place {
            let run = self.before.iter();
            let _ = std::fs::write(
                place,
                lines(run.filter(|(name, _)| self.run.contains(*name))),
            );
        }
    }
}

/// Returns what notes say together, as one note. Where several speak of a step, it takes as long as the longest says.
pub(crate) fn joined(places: &[PathBuf]) -> String {
    let mut all = BTreeMap::new();
    for (name, took) in places.iter().flat_map(|place| noted_in(place)) {
        let longest = all.entry(name).or_insert(took);
        *longest = took.max(*longest);
    }
    lines(all.iter())
}

fn noted_in(place: &Path) -> BTreeMap<String, Duration> {
    let text = std::fs::read_to_string(place).unwrap_or_default();
    let entry = |line: &str| {
        let (name, seconds) = line.split_once('\t')?;
        let took = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
        (took <= LONGEST).then(|| (name.to_owned(), took))
    };
    let mut noted = BTreeMap::new();
    noted.extend(text.lines().filter_map(entry));
    noted
}

fn lines<'a>(all: impl Iterator<Item = (&'a String, &'a Duration)>) -> String {
    all.map(|(name, took)| format!("{name}\t{:.3}\n", took.as_secs_f64()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_known_the_next_time() {
        let folder = tempfile::tempdir().unwrap();
        let ahead = vec!["a/one".to_owned(), "a/two".to_owned()];
        let mut durations = Durations::load(folder.path(), ahead.clone());
        assert_eq!(durations.left("a/one"), None);
        durations.note("a/one", Duration::from_secs(2));
        durations.note("a/two", Duration::from_secs(3));
        let durations = Durations::load(folder.path(), ahead);
        assert_eq!(durations.left("a/one"), Some(Duration::from_secs(5)));
        assert_eq!(durations.left("a/two"), Some(Duration::from_secs(3)));
    }

    #[test]
    fn garbage_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("durations.tsv"),
            "x\nb\t-1\nc\tNaN\nd\t1e999\ne\t1e18\nf\t1e18\n",
        )
        .unwrap();
        let ahead = ["c", "e", "f"].map(str::to_owned).to_vec();
        let durations = Durations::load(folder.path(), ahead);
        assert_eq!(durations.left("c"), None);
        assert_eq!(durations.all().count(), 0);
    }

    #[test]
    fn notes_are_joined() {
        let folder = tempfile::tempdir().unwrap();
        let mut durations = Durations::load(folder.path(), Vec::new());
        durations.note("a/old", Duration::from_secs(1));
        let mut durations = Durations::load(folder.path(), Vec::new());
        durations.note("a/one", Duration::from_secs(2));
        let [left, more] = ["left", "more"].map(|name| folder.path().join(name));
        durations.leave(&left);
        std::fs::write(&more, "a/one\t1.000\na/two\t3.000\ngarbage\n").unwrap();
        assert_eq!(joined(&[left, more]), "a/one\t2.000\na/two\t3.000\n");
    }
}
