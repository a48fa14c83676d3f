//! Which benchmark a name such as `BenchmarkGet/size=64/mode=warm` stands for. Tested below.

use tripline_model::{BenchId, SuiteName};

use crate::naming::{Pairs, assigned, bench_id, is_decimal};

/// The param that says which package a benchmark is of.
const PACKAGE: &str = "pkg";

/// The param of a last part that is a bare number.
const VALUE: &str = "value";

/// The longest name that is taken apart: parts are compared with one another, and many of them would take for ever.
const NAME_BYTES_MAX: usize = 4096;

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
}
