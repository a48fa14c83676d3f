//! What was probably meant by a name that is not there.
//!
//! Tested below.

use tripline_model::few;

/// How many are named: more is a list nobody reads.
const NEAREST: usize = 3;

/// Returns the names most like a text, the most alike first.
#[must_use]
pub fn nearest(text: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<(f64, String)> = names
        .map(|name| (strsim::jaro_winkler(text, &name), name))
        .collect();
    few::sort_by(&mut names, |(a, first), (b, second)| {
        b.total_cmp(a).then_with(|| first.cmp(second))
    });
    names.dedup();
    names.truncate(NEAREST);
    names.into_iter().map(|(_, name)| name).collect()
}

/// Says names in a sentence.
#[must_use]
pub fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_alike_come_first_and_each_once() {
        let names = [
            "wall_time",
            "throughput",
            "cpu_time",
            "through",
            "throughput",
        ];
        let near = nearest("thruput", names.iter().map(ToString::to_string));
        assert_eq!(listed(&near[..2]), "`throughput`, `through`");
        assert_eq!(near.len(), 3);
        assert!(nearest("x", std::iter::empty()).is_empty());
    }
}
