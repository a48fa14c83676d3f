//! What suites are called here: each after its title, by a name that it keeps and no other gets.
//!
//! Two titles may have one slug, such as `C++ Benchmark` and `C# Benchmark`. The second then gets a number, also where the
//! first stands in another file that was taken over long ago. Tested below.

use std::collections::BTreeMap;

use tripline_model::SuiteName;
use tripline_model::few;

/// The names that are taken, and by which titles.
#[derive(Debug)]
pub(super) struct Titles {
    /// What the suites of a title were called before, the first of them last.
    before: BTreeMap<String, Vec<SuiteName>>,
    /// What the suites of this history are called.
    here: BTreeMap<String, SuiteName>,
    /// The names of suites, and the number that the next title of the same slug may get.
    taken: BTreeMap<SuiteName, u32>,
}

impl Titles {
    /// Takes the suites that are there already, and the titles of those that were taken over, the oldest first. Where
    /// several titles share a name, it is that of the oldest.
    pub(super) fn new(there: &[(SuiteName, Option<String>)]) -> Self {
        let mut owners: BTreeMap<&SuiteName, &str> = BTreeMap::new();
        let mut before: BTreeMap<String, Vec<SuiteName>> = BTreeMap::new();
        for (name, title) in there {
            if let Some(title) = title
                && !owners.contains_key(name)
            {
                owners.insert(name, title);
                let names = before.entry(title.clone()).or_default();
                names.insert(0, name.clone());
            }
        }
        Self {
            before,
            here: BTreeMap::new(),
            taken: few::map_of(there.iter().map(|(name, _)| (name.clone(), 2))),
        }
    }

    /// Returns what a suite is called whose title stood in this history already.
    pub(super) fn again(&self, title: &str) -> Option<&SuiteName> {
        self.here.get(title)
    }

    /// Returns what a suite is called that has a title: as before, or by the first name that is free, which is the slug
    /// itself or it with a number. In the latter case the slug comes along, because another suite is called so.
    pub(super) fn name_of(&mut self, title: &str) -> (SuiteName, Option<SuiteName>) {
        let (name, other) = self.new_name_of(title);
        self.here.insert(title.to_owned(), name.clone());
        (name, other)
    }

    fn new_name_of(&mut self, title: &str) -> (SuiteName, Option<SuiteName>) {
        if let Some(known) = self.before.get_mut(title).and_then(Vec::pop) {
            return (known, None);
        }
        let named = |name: String| SuiteName::new(name).expect("a slug is a name");
        let slug = slug(title);
        let wanted = named(slug.clone());
        let Some(first) = self.taken.get(&wanted).copied() else {
            self.taken.insert(wanted.clone(), 2);
            return (wanted, None);
        };
        let mut numbers = first..;
        let name = numbers
            .by_ref()
            .map(|number| named(format!("{slug}-{number}")))
            .find(|name| !self.taken.contains_key(name))
            .expect("there is always one more number");
        self.taken.insert(wanted.clone(), numbers.start);
        self.taken.insert(name.clone(), 2);
        (name, Some(wanted))
    }
}

/// Returns a name that can be a folder's, after what a suite is called: lower-case letters, digits and single hyphens.
fn slug(title: &str) -> String {
    const MAX: usize = 48;
    let mut slug = String::new();
    for c in title.chars() {
        if slug.len() == MAX {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        "imported".to_owned()
    } else {
        slug.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_called_after_its_title() {
        for (title, expected) in [
            ("Rust Benchmark", "rust-benchmark"),
            ("  C++ / CUDA ", "c-cuda"),
            ("名前", "imported"),
        ] {
            assert_eq!(slug(title), expected);
        }
        assert_eq!(slug(&"x".repeat(100)).len(), 48);
    }

    fn called(there: &[(&str, Option<&str>)], titles: &[&str]) -> Vec<String> {
        let known = |(name, title): &(&str, Option<&str>)| {
            (SuiteName::new(*name).unwrap(), title.map(str::to_owned))
        };
        let there: Vec<_> = there.iter().map(known).collect();
        let mut names = Titles::new(&there);
        let called = titles.iter().map(|title| match names.name_of(title) {
            (name, None) => name.to_string(),
            (name, Some(wanted)) => format!("{name}, not {wanted}"),
        });
        called.collect()
    }

    #[test]
    fn a_title_keeps_its_name_whatever_stands_in_front_of_it() {
        let first = called(&[], &["C++ Benchmark", "C# Benchmark", "速度"]);
        assert_eq!(
            first,
            ["c-benchmark", "c-benchmark-2, not c-benchmark", "imported"]
        );
        let there = [
            ("c-benchmark", Some("C++ Benchmark")),
            ("c-benchmark-2", Some("C# Benchmark")),
            ("imported", Some("速度")),
            ("kv", None),
        ];
        let titles = ["名前", "KV", "C Benchmark", "C# Benchmark", "C++ Benchmark"];
        let expected = [
            "imported-2, not imported",
            "kv-2, not kv",
            "c-benchmark-3, not c-benchmark",
            "c-benchmark-2",
            "c-benchmark",
        ];
        assert_eq!(called(&there, &titles), expected);
    }

    /// Two titles had one name once, when it was not asked whether another file's had it.
    #[test]
    fn a_name_is_that_of_the_title_that_had_it_first() {
        let there = [
            ("a-b", Some("A B")),
            ("a-b-2", Some("A/B")),
            ("a-b", Some("A/B")),
            ("a-b-2", Some("A B")),
            ("a-b", Some("A-B")),
        ];
        let titles = ["A-B", "A/B", "A B"];
        let expected = ["a-b-3, not a-b", "a-b-2", "a-b"];
        assert_eq!(called(&there, &titles), expected);
        // Of several suites of one title each is the one it was.
        let there = [("x", Some("X")), ("x-2", Some("X"))];
        assert_eq!(called(&there, &["X", "X", "X"]), ["x", "x-2", "x-3, not x"]);
    }
}
