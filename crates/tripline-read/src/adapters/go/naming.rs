//! Which benchmark a name such as `BenchmarkGet/size=64/mode=warm-8` stands for.
//!
//! The number at the end is that of the processors, unless there is only one; and it is no part of the benchmark, or a
//! larger machine would begin a new history. Where it cannot be that number it is left alone. Tested below.

use std::collections::{BTreeMap, BTreeSet};

use tripline_model::{BenchId, SuiteName};

use crate::naming::{Pairs, assigned, bench_id, is_decimal};

/// The param that says which package a benchmark is of.
const PACKAGE: &str = "pkg";

/// The param of a last part that is a bare number.
const VALUE: &str = "value";

/// The longest name that is taken apart: parts are compared with one another, and many of them would take for ever.
const NAME_BYTES_MAX: usize = 4096;

/// Returns the numbers at the ends of a process's names that are those of processors.
///
/// If there are any, one benchmark was measured with all of them, and the others with the same ones, or, where some
/// failed or the output was cut, with some of them. Names that merely end in numbers do not do that, as soon as one of
/// them does not. Where one processor is among them, whose number is not written, such a name may stand beside others,
/// and then more than half of the benchmarks have to be there with all numbers.
pub(super) fn processors<'t>(names: impl Iterator<Item = &'t str> + Clone) -> BTreeSet<u32> {
    let all = ends(names.clone(), |_| true);
    let most = all.values().max_by_key(|set| set.len());
    if most.is_none_or(|most| all.values().all(|set| set.is_subset(most))) {
        return most.into_iter().flatten().flatten().copied().collect();
    }
    let with_one = all.values().filter(|set| set.contains(&None));
    let Some(most) = with_one.max_by_key(|set| set.len()) else {
        return BTreeSet::new();
    };
    let found = ends(names, |number| most.contains(&Some(number)));
    let whole = found.values().filter(|set| *set == most).count();
    match 2 * whole > found.len() {
        true => most.iter().flatten().copied().collect(),
        false => BTreeSet::new(),
    }
}

/// Returns the numbers that stand behind each name, those that may be one of processors.
fn ends<'t>(
    names: impl Iterator<Item = &'t str>,
    may_be: impl Fn(u32) -> bool,
) -> BTreeMap<&'t str, BTreeSet<Option<u32>>> {
    let mut ends: BTreeMap<&str, BTreeSet<Option<u32>>> = BTreeMap::new();
    for name in names {
        let (base, number) = split_processors(name, &may_be);
        ends.entry(base).or_default().insert(number);
    }
    ends
}

/// Splits the number of processors off a name. A process with one processor writes none.
pub(super) fn split_processors(name: &str, may_be: impl Fn(u32) -> bool) -> (&str, Option<u32>) {
    let Some((base, number)) = name.rsplit_once('-') else {
        return (name, None);
    };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    match number.parse() {
        Ok(processors) if is_number && processors > 1 && may_be(processors) => {
            (base, Some(processors))
        }
        _ => (name, None),
    }
}

/// Returns the benchmark of a name without processors.
///
/// Parts of the form `key=value` are params wherever they stand, and so is a number at the end. A part whose key stands
/// twice stays in the name.
pub(super) fn bench(
    suite: &SuiteName,
    package: Option<&str>,
    name: &str,
) -> Result<BenchId, String> {
    if name.len() > NAME_BYTES_MAX {
        let bytes = name.len();
        return Err(format!(
            "a benchmark's name has {bytes} bytes, more than the {NAME_BYTES_MAX} allowed"
        ));
    }
    let mut pairs: Pairs<'_> = package
        .map(|package| (PACKAGE, package))
        .into_iter()
        .collect();
    let mut parts = name.split('/');
    let mut names: Vec<&str> = parts.next().into_iter().collect();
    let parts: Vec<&str> = parts.collect();
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let found = assigned(part).or_else(|| {
            let is_value = is_last && is_decimal(part);
            is_value.then(|| vec![(VALUE, *part)])
        });
        let found = found.filter(|found| {
            let is_taken = |key| pairs.iter().any(|(known, _)| *known == key);
            !found.iter().any(|(key, _)| is_taken(*key))
        });
        match found {
            Some(found) => pairs.extend(found),
            None => names.push(part),
        }
    }
    bench_id(suite, &names.join("/"), &pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_params_and_nothing_is_replaced() {
        let suite = SuiteName::new("kv").unwrap();
        for (name, expected) in [
            ("BenchmarkGet", "BenchmarkGet{pkg=a/b}"),
            (
                "BenchmarkGet/size=64/mode=warm",
                "BenchmarkGet{mode=warm,pkg=a/b,size=64}",
            ),
            (
                "BenchmarkGet/size=64/all",
                "BenchmarkGet/all{pkg=a/b,size=64}",
            ),
            (
                "BenchmarkGet/size=64,mode=warm",
                "BenchmarkGet{mode=warm,pkg=a/b,size=64}",
            ),
            (
                "BenchmarkGet/warm/64",
                "BenchmarkGet/warm{pkg=a/b,value=64}",
            ),
            ("BenchmarkGet/64/warm", "BenchmarkGet/64/warm{pkg=a/b}"),
            ("BenchmarkGet/a=1/a=2", "BenchmarkGet/a=2{a=1,pkg=a/b}"),
            ("BenchmarkGet/pkg=c", "BenchmarkGet/pkg=c{pkg=a/b}"),
            ("BenchmarkGet/value=1/2", "BenchmarkGet/2{pkg=a/b,value=1}"),
            (
                "BenchmarkGet/size=64#01",
                "BenchmarkGet{pkg=a/b,size=64#01}",
            ),
            ("BenchmarkGet/", "BenchmarkGet/{pkg=a/b}"),
        ] {
            let bench = bench(&suite, Some("a/b"), name).unwrap();
            assert_eq!(bench.within_suite(), expected, "{name}");
        }
        assert_eq!(
            bench(&suite, None, "BenchmarkGet").unwrap().within_suite(),
            "BenchmarkGet"
        );
    }

    #[test]
    fn processors_are_what_all_names_end_in() {
        for (names, expected) in [
            (&["BenchmarkA-8", "BenchmarkB/x-1-8"][..], &[8][..]),
            (
                &["BenchmarkA", "BenchmarkA-2", "BenchmarkB", "BenchmarkB-2"],
                &[2],
            ),
            (&["BenchmarkA", "BenchmarkB"], &[]),
            (&["BenchmarkA", "BenchmarkA-2", "BenchmarkB"], &[2]),
            (&["BenchmarkA", "BenchmarkB/size-64"], &[]),
            (&["BenchmarkA-4", "BenchmarkA-8", "BenchmarkB-2"], &[]),
            (&["BenchmarkA", "BenchmarkB/n-64", "BenchmarkB/n-128"], &[]),
            (&["BenchmarkA-1", "BenchmarkB-8"], &[]),
            // A name that ends in a number of its own, with one processor and with two.
            (
                &[
                    "BenchmarkA",
                    "BenchmarkA-2",
                    "BenchmarkB-16",
                    "BenchmarkB-16-2",
                ],
                &[2],
            ),
            (&["BenchmarkA", "BenchmarkA-2", "BenchmarkB-16"], &[]),
            (&[], &[]),
        ] {
            let found = processors(names.iter().copied());
            assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{names:?}");
        }
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
            assert_eq!(split_processors(name, |_| true), expected, "{name}");
        }
    }
}
