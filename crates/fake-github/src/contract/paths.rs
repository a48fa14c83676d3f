//! Paths with places for parameters, some of which may hold slashes.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;

/// `/repos/{owner}/{repo}/contents/{path}`, in parts.
pub(super) struct Template {
    parts: Vec<Part>,
}

enum Part {
    Fixed(String),
    Parameter { name: String, slashes: bool },
}

impl Template {
    /// Reads a template. `with_slashes` are the parameters that may hold several parts.
    pub(super) fn new(path: &str, with_slashes: &[&str]) -> Self {
        let parts = path.trim_start_matches('/').split('/').map(|part| {
            let name = part
                .strip_prefix('{')
                .and_then(|part| part.strip_suffix('}'));
            match name {
                Some(name) => Part::Parameter {
                    name: name.to_owned(),
                    slashes: with_slashes.contains(&name),
                },
                None => Part::Fixed(part.to_owned()),
            }
        });
        Self {
            parts: parts.collect(),
        }
    }

    /// How many parts are no parameters.
    pub(super) fn fixed_parts(&self) -> usize {
        let fixed = self.parts.iter();
        fixed.filter(|part| matches!(part, Part::Fixed(_))).count()
    }

    /// Returns the parameters of a path that fits, unescaped.
    pub(super) fn matches(&self, path: &str) -> Option<BTreeMap<String, String>> {
        let given: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        let mut found = BTreeMap::new();
        fits(&self.parts, &given, &mut found).then_some(found)
    }
}

fn fits(parts: &[Part], given: &[&str], found: &mut BTreeMap<String, String>) -> bool {
    let Some((part, parts)) = parts.split_first() else {
        return given.is_empty();
    };
    match part {
        Part::Fixed(fixed) => {
            given.first().is_some_and(|first| first == fixed) && fits(parts, &given[1..], found)
        }
        Part::Parameter { name, slashes } => {
            let longest = if *slashes {
                given.len()
            } else {
                given.len().min(1)
            };
            // What follows takes as little as it must, so this takes as much as it can.
            (1..=longest).rev().any(|taken| {
                let value = given[..taken].join("/");
                let is_there = value.chars().any(|character| character != '/');
                let value = percent_decode_str(&value).decode_utf8_lossy();
                is_there && fits(parts, &given[taken..], found) && {
                    found.insert(name.clone(), value.into_owned());
                    true
                }
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(template: &Template, path: &str) -> Option<Vec<String>> {
        let found = template.matches(path)?;
        Some(found.into_values().collect())
    }

    #[test]
    fn parameters_are_found_and_unescaped() {
        let template = Template::new("/a/{b}/c", &[]);
        assert_eq!(parameters(&template, "/a/x%2Fy/c").unwrap(), ["x/y"]);
        assert_eq!(parameters(&template, "/a/x/y/c"), None);
        assert_eq!(parameters(&template, "/a//c"), None);
        assert_eq!(parameters(&template, "/a/x/c/"), None);
        assert_eq!(template.fixed_parts(), 2);
    }

    #[test]
    fn some_parameters_hold_slashes() {
        let template = Template::new("/a/{b}/c", &["b"]);
        assert_eq!(parameters(&template, "/a/x/c/y/c").unwrap(), ["x/c/y"]);
        let open = Template::new("/a/{b}", &["b"]);
        assert_eq!(parameters(&open, "/a/x/y").unwrap(), ["x/y"]);
        assert_eq!(parameters(&open, "/a"), None);
    }
}
