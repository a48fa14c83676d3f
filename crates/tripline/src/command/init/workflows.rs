//! The workflows, as they are written into somebody else's repository.
//!
//! There is one source, our own: what is written is what runs here, with the few lines changed that are about us. A
//! reusable workflow of another repository cannot use that repository's actions by a path, so the files themselves are
//! handed on. Tested below and by `tests/it/init`, with actionlint and zizmor.

use tripline_hub::Branch;

use super::actions::Actions;

/// The folder that GitHub looks in.
pub(super) const FOLDER: &str = ".github/workflows";

/// What is handed on, by the names under which the files know one another.
const OURS: [(&str, &str); 6] = [
    (
        "bench.yml",
        include_str!("../../../../../.github/workflows/bench.yml"),
    ),
    (
        "bench-pr.yml",
        include_str!("../../../../../.github/workflows/bench-pr.yml"),
    ),
    (
        "bench-publish.yml",
        include_str!("../../../../../.github/workflows/bench-publish.yml"),
    ),
    (
        "bench-main.yml",
        include_str!("../../../../../.github/workflows/bench-main.yml"),
    ),
    (
        "bench-export.yml",
        include_str!("../../../../../.github/workflows/bench-export.yml"),
    ),
    (
        "baseline.yml",
        include_str!("../../../../../.github/workflows/baseline.yml"),
    ),
];

/// Our own default branch, where a filter names it.
const OWN_BRANCH: &str = "branches: [main]";

/// Why a path of the same repository stays as it is: zizmor asks for what the other tools do not know yet.
const SAME_REPOSITORY: &str =
    "# zizmor: ignore[self-repository] what it asks for is too new for the other tools";

/// Returns the names of all files.
pub(in crate::command) fn names() -> [&'static str; 6] {
    OURS.map(|(name, _)| name)
}

/// Returns all files, each with its name.
pub(super) fn all(actions: &Actions, branch: &Branch) -> Vec<(&'static str, String)> {
    let written = OURS.into_iter().map(|(name, ours)| {
        let lines = ours.lines();
        let lines = lines.map(|line| handed_on(line, actions, branch) + "\n");
        let header = format!(
            "# Written by `tripline init`, from {}; yours to change.\n",
            actions.repository()
        );
        (name, header + &lines.collect::<String>())
    });
    written.collect()
}

/// Returns a line as it is elsewhere.
fn handed_on(line: &str, actions: &Actions, branch: &Branch) -> String {
    if let Some((before, action)) = line.split_once("uses: ./.github/actions/") {
        return format!("{before}uses: {}", actions.reference(action.trim_end()));
    }
    if line.contains("uses: ./.github/workflows/") {
        return format!("{line} {SAME_REPOSITORY}");
    }
    match line.split_once(OWN_BRANCH) {
        Some((before, "")) => format!("{before}branches: [{}]", filter_of(branch)),
        _ => line.to_owned(),
    }
}

/// Returns the filter that only a branch passes, as YAML: in a filter some signs stand for others.
fn filter_of(branch: &Branch) -> String {
    let escaped = |letter: char| match letter {
        '+' | '!' => format!("\\{letter}"),
        '\'' => "''".to_owned(),
        letter => letter.to_string(),
    };
    let filter: String = branch.as_str().chars().map(escaped).collect();
    let is_plain = filter.bytes().all(|b| b.is_ascii_lowercase())
        && !["null", "true", "false", "yes", "no", "on", "off"].contains(&filter.as_str());
    if is_plain {
        filter
    } else {
        format!("'{filter}'")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions() -> Actions {
        "acme/tripline@0123456789abcdef0123456789abcdef01234567"
            .parse()
            .unwrap()
    }

    #[test]
    fn nothing_of_our_own_is_handed_on() {
        for (name, text) in all(&actions(), &"trunk".parse().unwrap()) {
            for own in ["./.github/actions", "[main]", "/work/"] {
                assert!(!text.contains(own), "{name} has `{own}`");
            }
            let uses = text
                .lines()
                .filter(|line| line.contains("uses: ") && line.contains(".github/"));
            for line in uses {
                let is_pinned =
                    line.contains("acme/tripline/.github/actions/") && line.contains("@0123456789");
                let is_beside = names()
                    .iter()
                    .any(|file| line.contains(&format!("uses: ./{FOLDER}/{file} #")));
                assert!(is_pinned || is_beside, "{name}: {line}");
            }
        }
    }

    #[test]
    fn every_workflow_has_what_it_starts_from() {
        let all = all(&actions(), &"trunk".parse().unwrap());
        let main = all
            .iter()
            .find(|(name, _)| *name == "bench-main.yml")
            .unwrap();
        assert!(main.1.contains("branches: [trunk]"), "{}", main.1);
        assert!(
            all.iter()
                .all(|(_, text)| text.contains("uses: acme/tripline/"))
        );
    }

    #[test]
    fn a_branch_is_a_filter_that_only_it_passes() {
        for (branch, filter) in [
            ("main", "main"),
            ("true", "'true'"),
            ("release/1.x", "'release/1.x'"),
            ("it's", "'it''s'"),
            ("c++", r"'c\+\+'"),
            ("a,b", "'a,b'"),
            ("#1", "'#1'"),
        ] {
            assert_eq!(filter_of(&branch.parse().unwrap()), filter, "{branch}");
        }
    }
}
