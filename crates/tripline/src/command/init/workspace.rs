//! Whether cargo would take a new folder for a package: a workspace whose members are `bench/*` breaks where a folder
//! below `bench` has no manifest.
//!
//! Tested below and by `tests/it/init`, with cargo itself.

use std::path::Path;

use super::tree::Tree;

/// Returns the manifest of the workspace that would take a folder for one of its packages.
pub(super) fn taking(tree: &Tree, folder: &Path) -> Option<String> {
    let manifests = [("Cargo.toml", ""), ("bench/Cargo.toml", "bench")];
    let takes = |(manifest, home): &(&str, &str)| {
        let text = tree.read(Path::new(manifest))?;
        let inside = folder.strip_prefix(home).ok()?;
        takes(&text.parse().ok()?, inside).then(|| (*manifest).to_owned())
    };
    manifests.iter().find_map(takes)
}

/// Returns whether a workspace takes a folder for a package.
fn takes(manifest: &toml::Table, folder: &Path) -> bool {
    let list = |key: &str| -> Vec<String> {
        let list = manifest
            .get("workspace")
            .and_then(|workspace| workspace.get(key)?.as_array());
        let texts = list.into_iter().flatten();
        texts
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect()
    };
    let parts: Vec<String> = folder
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let is_member = list("members").iter().any(|pattern| {
        let pattern: Vec<&str> = parts_of(pattern).collect();
        matches(&pattern, &parts)
    });
    let is_excluded = list("exclude").iter().any(|excluded| {
        let excluded: Vec<&str> = parts_of(excluded).collect();
        parts.len() >= excluded.len()
            && parts
                .iter()
                .zip(&excluded)
                .all(|(part, other)| part == other)
    });
    is_member && !is_excluded
}

fn parts_of(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .filter(|part| !part.is_empty() && *part != ".")
}

/// Returns whether a pattern of folders fits a path.
fn matches(pattern: &[&str], path: &[String]) -> bool {
    match (pattern, path) {
        ([], []) => true,
        (["**", rest @ ..], _) => {
            matches(rest, path)
                || path
                    .split_first()
                    .is_some_and(|(_, path)| matches(pattern, path))
        }
        ([part, pattern @ ..], [name, path @ ..]) => fits(part, name) && matches(pattern, path),
        _ => false,
    }
}

/// Returns whether a pattern fits a name: `*` stands for any letters, and `?` or a set in brackets for one.
fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = without_sets(pattern).chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut to) = (0, 0);
    // Where the last `*` stands, and how much of the name it has taken.
    let mut star = None;
    while to < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, to));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[to] => (at, to) = (at + 1, to + 1),
            _ => {
                let Some((place, taken)) = star else {
                    return false;
                };
                (at, to) = (place + 1, taken + 1);
                star = Some((place, taken + 1));
            }
        }
    }
    pattern[at..].iter().all(|letter| *letter == '*')
}

/// Writes `?` for each set in brackets. Which letters it holds is left open: better to ask once too often.
fn without_sets(pattern: &str) -> String {
    let mut plain = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((_, after)) = after.split_once(']') else {
            break;
        };
        plain.push_str(before);
        plain.push('?');
        rest = after;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_taken(workspace: &str) -> bool {
        let manifest = format!("[workspace]\n{workspace}\n").parse().unwrap();
        takes(&manifest, Path::new("bench/kv"))
    }

    #[test]
    fn a_folder_is_a_package_where_a_pattern_says_so() {
        for members in [
            "bench/*",
            "./bench/k?",
            "*/*",
            "**",
            "b*h/[a-z]v",
            "bench/kv",
        ] {
            assert!(
                is_taken(&format!("members = [\"a\", \"{members}\"]")),
                "{members}"
            );
        }
        for members in [
            "crates/*",
            "bench",
            "bench/*/x",
            "*",
            "benches/*",
            "bench/[kv",
        ] {
            assert!(
                !is_taken(&format!("members = [\"{members}\"]")),
                "{members}"
            );
        }
        assert!(!is_taken(
            "members = [\"bench/*\"]\nexclude = [\"bench/kv\"]"
        ));
        assert!(!is_taken("members = [\"bench/*\"]\nexclude = [\"bench/\"]"));
        assert!(is_taken("members = [\"bench/*\"]\nexclude = [\"bench/k\"]"));
        assert!(!is_taken(""));
        let slow = "*v".repeat(10_000);
        assert!(!is_taken(&format!("members = [\"bench/{slow}\"]")));
    }
}
