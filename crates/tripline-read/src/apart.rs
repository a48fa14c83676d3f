//! Tells apart what would otherwise be one benchmark: the same id, measured on two machines or in two settings.
//!
//! What a harness says of a machine is no part of an id, or else every new machine would begin a new history. Only
//! where one input holds a benchmark under several such facts do those that differ become params. Tested below.

use std::collections::BTreeMap;

use tripline_model::{BenchId, ParamKey, ParamValue};

/// What an input says of where something was measured, by the key that a param of it would have.
pub(crate) type Facts<Key = &'static str> = BTreeMap<Key, String>;

/// What stands for a fact that a form of a harness's output never says, so that nothing differs in it: a table beside a
/// file of the same run is no second machine. No param can hold it.
pub(crate) const UNSAID: &str = "\0";

/// The name of an executable, and the folder of a package. They tell apart only where nothing else does: of most benchmarks
/// they say no more than what else is known.
pub(crate) const EXECUTABLE: &str = "executable";
pub(crate) const PACKAGE: &str = "package";

fn is_last_resort(key: &str) -> bool {
    [EXECUTABLE, PACKAGE].contains(&key)
}

/// What is said of the benchmarks that have one id.
#[derive(Default)]
struct Known<'k> {
    benchmarks: usize,
    facts: BTreeMap<&'k str, Stated>,
}

/// How many benchmarks have a fact, and what it says.
#[derive(Default)]
struct Stated {
    by: usize,
    first: Option<String>,
    is_many: bool,
}

impl<'k> Known<'k> {
    fn add(&mut self, facts: &Facts<&'k str>) {
        self.benchmarks += 1;
        for (key, value) in facts {
            let stated = self.facts.entry(key).or_default();
            stated.by += 1;
            if value != UNSAID {
                let first = stated.first.get_or_insert_with(|| value.clone());
                stated.is_many |= first != value;
            }
        }
    }

    /// Returns whether the benchmarks differ in a fact; one that lacks it differs from all others.
    fn differ_in(&self, key: &str) -> bool {
        let stated = self.facts.get(key);
        stated.is_some_and(|stated| stated.is_many || stated.by < self.benchmarks)
    }
}

/// Adds to the ids that stand for several things the facts in which those differ.
///
/// A fact that no param can hold, or whose key is taken, is left out; what then still is one id is for others to refuse.
pub(crate) fn tell_apart<'k, T>(
    all: &mut [T],
    parts: impl Fn(&mut T) -> (&mut BenchId, &Facts<&'k str>),
) {
    if tell_apart_by(all, &parts, |key| !is_last_resort(key)) {
        tell_apart_by(all, &parts, is_last_resort);
    }
}

/// Does so by some of the facts, and returns whether any id stood for several things.
fn tell_apart_by<'k, T>(
    all: &mut [T],
    parts: impl Fn(&mut T) -> (&mut BenchId, &Facts<&'k str>),
    takes: impl Fn(&str) -> bool,
) -> bool {
    let mut known: BTreeMap<BenchId, Known<'k>> = BTreeMap::new();
    for one in all.iter_mut() {
        let (bench, facts) = parts(one);
        known.entry(bench.clone()).or_default().add(facts);
    }
    for one in all {
        let (bench, facts) = parts(one);
        let Some(known) = known.get(bench) else {
            continue;
        };
        for (key, value) in facts {
            let param = (ParamKey::new(key), ParamValue::new(value));
            let is_taken = takes(key) && known.differ_in(key);
            if let (true, (Ok(key), Ok(value))) = (is_taken, param) {
                bench.params.entry(key).or_insert(value);
            }
        }
    }
    known.values().any(|known| known.benchmarks > 1)
}

#[cfg(test)]
mod tests {
    use tripline_model::{BenchName, Params, SuiteName};

    use super::*;

    /// Name, own params and facts.
    type Given<'t> = (
        &'t str,
        &'t [(&'t str, &'t str)],
        &'t [(&'static str, &'t str)],
    );

    /// Returns the ids of benchmarks once they are told apart.
    fn told_apart(all: &[Given<'_>]) -> Vec<String> {
        let mut all: Vec<(BenchId, Facts)> = all
            .iter()
            .map(|(name, params, facts)| {
                let params = params.iter().map(|(key, value)| {
                    (ParamKey::new(key).unwrap(), ParamValue::new(value).unwrap())
                });
                let bench = BenchId {
                    suite: SuiteName::new("kv").unwrap(),
                    name: BenchName::new(name).unwrap(),
                    params: params.collect::<Params>(),
                };
                let facts = facts.iter().map(|(key, value)| (*key, (*value).to_owned()));
                (bench, facts.collect())
            })
            .collect();
        tell_apart(&mut all, |(bench, facts)| (bench, facts));
        all.iter().map(|(bench, _)| bench.within_suite()).collect()
    }

    #[test]
    fn only_what_differs_and_only_where_it_must_becomes_a_param() {
        let small: &[_] = &[("cpu", "small"), ("os", "linux")];
        let large: &[_] = &[("cpu", "large"), ("os", "linux")];
        let all = [
            ("get", &[][..], small),
            ("get", &[], large),
            ("get", &[], small),
            ("get", &[], &[]),
            ("set", &[], small),
            ("set", &[], small),
        ];
        assert_eq!(
            told_apart(&all[..3]),
            ["get{cpu=small}", "get{cpu=large}", "get{cpu=small}"]
        );
        assert_eq!(
            told_apart(&all[2..]),
            ["get{cpu=small,os=linux}", "get", "set", "set"]
        );
    }

    #[test]
    fn nothing_differs_in_what_a_form_never_says() {
        let all: [Given<'_>; 4] = [
            ("get", &[], &[("program", "kv"), ("family", "0")]),
            ("get", &[], &[("program", UNSAID), ("family", UNSAID)]),
            ("set", &[], &[("program", "kv"), ("family", "1")]),
            ("set", &[], &[("program", "sql"), ("family", UNSAID)]),
        ];
        assert_eq!(
            told_apart(&all),
            ["get", "get", "set{program=kv}", "set{program=sql}"]
        );
    }

    #[test]
    fn the_last_resort_is_used_only_where_all_else_is_one() {
        let all: [Given<'_>; 5] = [
            ("get", &[], &[("target", "a.rs"), ("executable", "a")]),
            ("get", &[], &[("target", "b.rs"), ("executable", "b")]),
            ("set", &[], &[("target", "a.rs"), ("executable", "one")]),
            ("set", &[], &[("target", "a.rs"), ("executable", "two")]),
            ("set", &[], &[("target", "b.rs"), ("executable", "two")]),
        ];
        assert_eq!(
            told_apart(&all),
            [
                "get{target=a.rs}",
                "get{target=b.rs}",
                "set{executable=one,target=a.rs}",
                "set{executable=two,target=a.rs}",
                "set{target=b.rs}"
            ]
        );
    }

    #[test]
    fn no_param_of_a_benchmark_is_replaced() {
        let all: [Given<'_>; 3] = [
            ("get", &[("cpu", "any")], &[("cpu", "small")]),
            ("get", &[("cpu", "any")], &[("cpu", "large")]),
            ("get", &[("cpu", "any")], &[("cpu", "\n")]),
        ];
        assert_eq!(told_apart(&all), ["get{cpu=any}"; 3]);
    }
}
