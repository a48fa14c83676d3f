//! The rules of this repository that no compiler holds, each one a file below `tidy/`.
//!
//! A rule reads the [`Tree`] and returns complaints; it never prints and never changes a file. `cargo xtask tidy` runs
//! them all, and `cargo test -p xtask` runs each on the real tree as well as on a small one that it must find fault with.
//! To add a rule: a file, a `mod` line, a row in [`RULES`]. The tests here hold that none of the three is forgotten.

use std::fmt;

use crate::tree::Tree;

mod checkouts;
mod edges;
mod forgotten;
mod functions;
mod links;
mod printing;
mod pure;
mod tested;
mod top_level;
mod words;
mod workflows;

/// All rules, in the order they are worth reading: the shape of the house first, the wording last.
pub(crate) const RULES: &[&Rule] = &[
    &edges::RULE,
    &pure::RULE,
    &printing::RULE,
    &forgotten::RULE,
    &top_level::RULE,
    &functions::RULE,
    &links::RULE,
    &tested::RULE,
    &workflows::RULE,
    &checkouts::RULE,
    &words::RULE,
];

/// One rule.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    /// What holds when the rule is kept, in a sentence.
    pub(crate) about: &'static str,
    pub(crate) check: fn(&Tree) -> Vec<Complaint>,
}

/// One place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Complaint {
    pub(crate) path: String,
    /// Counted from 1.
    pub(crate) line: usize,
    pub(crate) what: String,
    /// What to do about it.
    pub(crate) instead: String,
}

impl Complaint {
    /// Complains about a line of a file.
    pub(crate) fn new(
        path: &str,
        line: usize,
        what: impl Into<String>,
        instead: impl Into<String>,
    ) -> Self {
        Self {
            path: path.to_owned(),
            line: line.max(1),
            what: what.into(),
            instead: instead.into(),
        }
    }
}

/// A complaint together with the rule it comes from, as it is shown.
#[derive(Debug)]
pub(crate) struct Broken {
    rule: &'static str,
    pub(crate) complaint: Complaint,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Complaint {
            path,
            line,
            what,
            instead,
        } = &self.complaint;
        write!(f, "{path}:{line}: {what} ({}): {instead}", self.rule)
    }
}

/// Runs rules over a tree. Complaints come sorted by place within each rule.
pub(crate) fn run(rules: &[&'static Rule], tree: &Tree) -> Vec<Broken> {
    let mut all = Vec::new();
    for rule in rules {
        let mut complaints = (rule.check)(tree);
        complaints.sort();
        complaints.dedup();
        all.extend(complaints.into_iter().map(|complaint| Broken {
            rule: rule.name,
            complaint,
        }));
    }
    all
}

/// Returns the line, counted from 1, of the first line that `wanted` holds for; 1 where there is none.
fn line_where(text: &str, wanted: impl Fn(&str) -> bool) -> usize {
    text.lines().position(wanted).map_or(1, |at| at + 1)
}

/// What the tests of all rules share.
#[cfg(test)]
mod testing {
    use std::env;

    use super::*;
    use crate::tree::find_root;

    /// Returns the repository this was built from.
    pub(super) fn repository() -> Tree {
        Tree::read(&find_root(&env::current_dir().unwrap()).unwrap()).unwrap()
    }

    /// Asserts that the repository keeps a rule.
    pub(super) fn assert_kept(rule: &'static Rule) {
        let broken: Vec<String> = run(&[rule], &repository())
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(
            broken.is_empty(),
            "the tree breaks a rule:\n{}\n",
            broken.join("\n")
        );
    }

    /// Runs a rule on a tree made of strings, and returns `path:line: what` for each complaint.
    pub(super) fn complaints(rule: &'static Rule, files: &[(&str, &str)]) -> Vec<String> {
        shown(run(&[rule], &Tree::of(files)))
    }

    pub(super) fn shown(broken: Vec<Broken>) -> Vec<String> {
        let complaints = broken.into_iter().map(|broken| broken.complaint);
        complaints
            .map(
                |Complaint {
                     path, line, what, ..
                 }| format!("{path}:{line}: {what}"),
            )
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_one_line_with_place_rule_and_remedy() {
        static RULE: Rule = Rule {
            name: "lower",
            about: "Names are in lower case.",
            check: |tree| {
                tree.paths()
                    .map(|path| Complaint::new(path, 0, "shouts", "speak softly"))
                    .collect()
            },
        };
        let broken = run(&[&RULE], &Tree::of(&[("B", ""), ("A", "")]));
        let shown: Vec<String> = broken.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "A:1: shouts (lower): speak softly",
                "B:1: shouts (lower): speak softly"
            ]
        );
    }

    #[test]
    fn no_rule_is_forgotten() {
        let tree = testing::repository();
        let files: Vec<String> = tree
            .below("tools/xtask/src/tidy")
            .map(|path| {
                path.rsplit('/')
                    .next()
                    .unwrap()
                    .trim_end_matches(".rs")
                    .replace('_', "-")
            })
            .collect();
        let mut listed: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        listed.sort_unstable();
        assert_eq!(
            files, listed,
            "every file below tidy/ is one rule of that name in RULES"
        );
    }

    #[test]
    fn every_rule_is_tested_on_the_tree_and_on_a_fault() {
        let tree = testing::repository();
        for path in tree.below("tools/xtask/src/tidy") {
            let names: Vec<String> = tree.sources()[path]
                .functions()
                .into_iter()
                .map(|function| function.name)
                .collect();
            assert!(
                names.iter().any(|name| name == "the_tree_keeps_it"),
                "{path}: test it on the real tree"
            );
            assert!(
                names.iter().any(|name| name.starts_with("catches_")),
                "{path}: a check that cannot fail is none"
            );
        }
    }

    #[test]
    fn every_rule_says_what_it_is_about_in_a_sentence() {
        for rule in RULES {
            assert!(
                rule.about.ends_with('.') && !rule.about.contains('\n'),
                "{}: {}",
                rule.name,
                rule.about
            );
        }
    }
}
