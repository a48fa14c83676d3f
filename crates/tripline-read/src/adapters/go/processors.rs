//! Which number at the end of a name such as `BenchmarkGet/size=64-8` is that of the processors.
//!
//! It is no part of the benchmark, or a larger machine would begin a new history. A process with one processor writes
//! none, and a name may end in a number of its own; so the names of a process are judged together, and where it cannot be
//! that number it is left alone. With `-v` and `-json` a benchmark that begins says its name without it. Tested below.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tripline_model::few;

use super::transcript::Process;

/// The name of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name<'t> {
    /// What stands before its numbers.
    pub(super) printed: &'t str,
    /// The name without processors, where it is said.
    announced: Option<&'t str>,
}

/// A package and a name in it.
type Key<'t> = (Option<&'t str>, &'t str);

/// With how many processors benchmarks were measured: nothing stands for the one that is not written.
type Counts = BTreeSet<Option<u32>>;

/// The numbers of processors of one or more processes.
pub(super) struct Processors<'t> {
    names: Names<'t>,
    counts: Counts,
}

/// The names that are judged together.
#[derive(Default)]
struct Names<'t> {
    all: BTreeSet<(Option<&'t str>, Name<'t>)>,
    printed: BTreeSet<Key<'t>>,
    /// The numbers that stand behind each name.
    followed: BTreeMap<Key<'t>, Counts>,
}

impl<'t> Name<'t> {
    /// Returns the name of a result that stands below a name alone, which need not be its own.
    pub(super) fn new(printed: &'t str, above: Option<&'t str>) -> Self {
        let (base, _) = split_number(printed);
        let announced = above.filter(|above| [printed, base].contains(above));
        Self { printed, announced }
    }

    /// Splits off the number of processors, where the line on which the benchmark began says whether it is one.
    fn split_as_announced(self) -> Option<(&'t str, Option<u32>)> {
        self.announced
            .map(|announced| match split_number(self.printed) {
                (base, number) if base == announced => (base, number),
                _ => (announced, None),
            })
    }
}

impl<'t> Processors<'t> {
    /// Judges the processes of one output that ran in the same place, where that shows that there was one processor: of
    /// a package all of whose names end in numbers, the others know.
    pub(super) fn of_all<'p>(
        processes: &'p [Process<'t>],
    ) -> BTreeMap<&'p [(&'static str, &'t str)], Rc<Self>> {
        let mut places: BTreeMap<_, Names<'t>> = BTreeMap::new();
        for process in processes {
            let names = places.entry(&*process.settings).or_default();
            names.add(process);
        }
        let judged = places.into_iter().filter_map(|(place, names)| {
            let judged = names.judged();
            let counts = &judged.counts;
            let is_shown = counts.contains(&None) && judged.names.are_whole(counts);
            is_shown.then(|| (place, Rc::new(judged)))
        });
        few::map_of(judged)
    }

    /// Judges a process by itself.
    pub(super) fn of(process: &Process<'t>) -> Self {
        let mut names = Names::default();
        names.add(process);
        names.judged()
    }

    /// Splits the number of processors off a name.
    pub(super) fn split(&self, package: Option<&'t str>, name: Name<'t>) -> (&'t str, Option<u32>) {
        self.names.split(package, name, &self.counts)
    }
}

impl<'t> Names<'t> {
    fn add(&mut self, process: &Process<'t>) {
        for name in process.results.keys() {
            self.add_name(process.package, *name);
        }
    }

    fn add_name(&mut self, package: Option<&'t str>, name: Name<'t>) {
        self.all.insert((package, name));
        self.printed.insert((package, name.printed));
        let (base, number) = split_number(name.printed);
        let numbers = self.followed.entry((package, base)).or_default();
        numbers.insert(number);
    }

    fn judged(self) -> Processors<'t> {
        let counts = self.counts();
        Processors {
            names: self,
            counts,
        }
    }

    /// Returns the numbers of processors.
    ///
    /// If there are any, one benchmark was measured with all of them, and the others with the same ones, or, where some
    /// failed or the output was cut, with some of them. Names that merely end in numbers do not do that, as soon as one
    /// of them does not. Where one processor is among them, whose number is not written, such a name may stand beside
    /// others, and then more than half of the benchmarks have to be there with all numbers.
    fn counts(&self) -> Counts {
        let all = self.ends(&self.any());
        let Some(most) = all.values().max_by_key(|counts| counts.len()) else {
            return Counts::new();
        };
        if all.values().all(|counts| counts == most) {
            return most.clone();
        }
        let beside_one = self.beside_one();
        if beside_one.len() > 1 && self.are_whole(&beside_one) {
            return beside_one;
        }
        // One that is there without a number and not with one shows that there was one processor, unless it failed or
        // the output was cut before: that a function was measured with both is shown by its own name, which has no hyphen.
        let is_shown = |((_, name), counts): (&Key<'t>, &Counts)| {
            counts == most && !name.contains('/') && !name.contains('-')
        };
        let may_be_part = !most.contains(&None) || all.iter().any(is_shown);
        if may_be_part && all.values().all(|counts| counts.is_subset(most)) {
            return most.clone();
        }
        let with_one = all.values().filter(|counts| counts.contains(&None));
        let Some(most) = with_one.max_by_key(|counts| counts.len()) else {
            return Counts::new();
        };
        let found = self.ends(most);
        let whole = found.values().filter(|counts| *counts == most).count();
        match 2 * whole > found.len() {
            true => most.clone(),
            false => Counts::new(),
        }
    }

    /// Returns every number that may be one of processors.
    fn any(&self) -> Counts {
        let numbers = self.all.iter().map(|(_, name)| {
            let (_, number) = name
                .split_as_announced()
                .unwrap_or_else(|| split_number(name.printed));
            number
        });
        numbers.filter(Option::is_some).collect()
    }

    /// Returns the numbers behind names that stand without them as well, as with one processor.
    fn beside_one(&self) -> Counts {
        let both = self
            .followed
            .iter()
            .filter(|(name, _)| self.printed.contains(*name));
        let numbers = both.flat_map(|(_, numbers)| numbers.iter().copied());
        numbers.chain([None]).collect()
    }

    /// Returns whether every benchmark was measured with just these. A function's name has no hyphen.
    fn are_whole(&self, counts: &Counts) -> bool {
        self.ends(counts).iter().all(|((_, name), found)| {
            found == counts && (name.contains('/') || !name.contains('-'))
        })
    }

    /// Returns with how many processors each benchmark was measured, if it was with these.
    fn ends(&self, counts: &Counts) -> BTreeMap<Key<'t>, Counts> {
        let mut ends: BTreeMap<Key<'t>, Counts> = BTreeMap::new();
        for (package, name) in &self.all {
            let (base, number) = self.split(*package, *name, counts);
            ends.entry((*package, base)).or_default().insert(number);
        }
        ends
    }

    /// Splits off a number that is one of these, unless the name with it was measured both with one processor and with
    /// more, and the name without it never.
    fn split(
        &self,
        package: Option<&'t str>,
        name: Name<'t>,
        counts: &Counts,
    ) -> (&'t str, Option<u32>) {
        if let Some(split) = name.split_as_announced() {
            return split;
        }
        let printed = name.printed;
        let (base, number) = split_number(printed);
        let followed = self.followed.get(&(package, printed));
        let is_followed = followed.is_some_and(|numbers| {
            let mut numbers = numbers.iter().filter(|number| number.is_some());
            numbers.any(|number| counts.contains(number))
        });
        let is_own =
            is_followed && counts.contains(&None) && !self.printed.contains(&(package, base));
        match counts.contains(&number) && !is_own {
            true => (base, number),
            false => (printed, None),
        }
    }
}

/// Splits off a number that may be one of processors.
fn split_number(name: &str) -> (&str, Option<u32>) {
    let Some((base, number)) = name.rsplit_once('-') else {
        return (name, None);
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    match number.parse() {
        Ok(processors) if is_number && processors > 1 => (base, Some(processors)),
        _ => (name, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns names as they are split, each of which may follow the name that was announced and a `>`.
    fn split(names: &[&'static str]) -> Vec<(&'static str, Option<u32>)> {
        let names: Vec<Name<'_>> = names
            .iter()
            .map(|name| match name.split_once('>') {
                Some((above, printed)) => Name::new(printed, Some(above)),
                None => Name::new(name, None),
            })
            .collect();
        let mut judged = Names::default();
        for name in &names {
            judged.add_name(None, *name);
        }
        let processors = judged.judged();
        let split = names.iter().map(|name| processors.split(None, *name));
        split.collect()
    }

    #[test]
    fn processors_are_what_all_names_end_in() {
        for (names, expected) in [
            (&["A-8", "B/x-1-8"][..], &[("A", 8), ("B/x-1", 8)][..]),
            (
                &["A", "A-2", "B", "B-2"],
                &[("A", 1), ("A", 2), ("B", 1), ("B", 2)],
            ),
            (&["A", "B"], &[("A", 1), ("B", 1)]),
            (&["A", "A-2", "B"], &[("A", 1), ("A", 2), ("B", 1)]),
            (&["A", "B/n-64"], &[("A", 1), ("B/n-64", 1)]),
            (
                &["A-4", "A-8", "B-2"],
                &[("A-4", 1), ("A-8", 1), ("B-2", 1)],
            ),
            (
                &["A", "B/n-64", "B/n-128"],
                &[("A", 1), ("B/n-64", 1), ("B/n-128", 1)],
            ),
            (&["A-1", "B-8"], &[("A-1", 1), ("B-8", 1)]),
            (
                &["A", "B/n", "B/n-64"],
                &[("A", 1), ("B/n", 1), ("B/n-64", 1)],
            ),
            (&["A", "A-2", "B-16"], &[("A", 1), ("A-2", 1), ("B-16", 1)]),
            (&[], &[]),
        ] {
            check(names, expected);
        }
    }

    #[test]
    fn a_number_of_its_own_stands_with_one_processor_and_with_more() {
        for (names, expected) in [
            (
                &["A", "A-2", "B-16", "B-16-2"][..],
                &[("A", 1), ("A", 2), ("B-16", 1), ("B-16", 2)][..],
            ),
            // The number may be the same.
            (
                &["A", "A-8", "B/n-8", "B/n-8-8", "B/n-16", "B/n-16-8"],
                &[
                    ("A", 1),
                    ("A", 8),
                    ("B/n-8", 1),
                    ("B/n-8", 8),
                    ("B/n-16", 1),
                    ("B/n-16", 8),
                ],
            ),
            (
                &["B/n-8", "B/n-8-8", "B/n-16", "B/n-16-8"],
                &[("B/n-8", 1), ("B/n-8", 8), ("B/n-16", 1), ("B/n-16", 8)],
            ),
            // With 2 and 4, a name and another one that ends in one of them.
            (
                &["B/n-2", "B/n-4", "B/n-2-2", "B/n-2-4"],
                &[("B/n", 2), ("B/n", 4), ("B/n-2", 2), ("B/n-2", 4)],
            ),
            (&["B/n-2", "B/n-2-2"], &[("B/n", 2), ("B/n-2", 2)]),
        ] {
            check(names, expected);
        }
    }

    #[test]
    fn what_is_announced_has_no_processors() {
        for (names, expected) in [
            (
                &["B/n-8>B/n-8", "B/n-16>B/n-16"][..],
                &[("B/n-8", 1), ("B/n-16", 1)][..],
            ),
            (&["B/n-8>B/n-8-4", "A>A-4"], &[("B/n-8", 4), ("A", 4)]),
            (&["B/n>B/n-8", "B/n-8>B/n-8"], &[("B/n", 8), ("B/n-8", 1)]),
            // What stands above another one says nothing of it, and the others do.
            (
                &["B/n-8>B/n-8", "B/n-8>B/n-16"],
                &[("B/n-8", 1), ("B/n-16", 1)],
            ),
        ] {
            check(names, expected);
        }
    }

    #[track_caller]
    fn check(names: &[&'static str], expected: &[(&str, u32)]) {
        let found: Vec<_> = split(names)
            .into_iter()
            .map(|(name, processors)| (name, processors.unwrap_or(1)))
            .collect();
        assert_eq!(found, expected, "{names:?}");
    }

    #[test]
    fn only_a_number_above_one_is_split_off() {
        for (name, expected) in [
            ("BenchmarkA-8", ("BenchmarkA", Some(8))),
            ("BenchmarkA/x-1-16", ("BenchmarkA/x-1", Some(16))),
            ("BenchmarkA-1", ("BenchmarkA-1", None)),
            ("BenchmarkA-08", ("BenchmarkA-08", None)),
            ("BenchmarkA-+8", ("BenchmarkA-+8", None)),
            ("BenchmarkA-", ("BenchmarkA-", None)),
            ("BenchmarkA-99999999999", ("BenchmarkA-99999999999", None)),
            ("BenchmarkA", ("BenchmarkA", None)),
        ] {
            assert_eq!(split_number(name), expected, "{name}");
        }
    }
}
