//! The files whose benchmarks `deno bench` ran: in its tables, each stands above the header of its own.
//!
//! Tested below and by `fixtures/mitata`.

use super::{deno, deno_lines, table};
use crate::document::Document;

/// The fact that tells benchmarks of one name apart.
pub(super) const FILE: &str = "file";

/// What stands in the name of every file.
const SCHEME: &str = "://";

/// The files of a text, each with its line, below the folder that all are in.
pub(super) struct Files<'d>(Vec<(usize, &'d str)>);

impl<'d> Files<'d> {
    pub(super) fn of(document: &'d Document<'_>) -> Self {
        let mut found = Vec::new();
        let mut above = None;
        if !document.text().contains(SCHEME) {
            return Self(found);
        }
        for block in document.lines() {
            let text = block.text.trim_end();
            if let Some(file) = deno_lines::file_of(text) {
                found.push((block.line, file));
            } else if is_header(text) {
                found.extend(above.take());
            } else if !text.is_empty() {
                above = is_file(text).then_some((block.line, text));
            }
        }
        let origins: Vec<&str> = found.iter().map(|(_, origin)| *origin).collect();
        let folder = folder_of(&origins);
        for (_, origin) in &mut found {
            *origin = origin.strip_prefix(folder).unwrap_or(origin);
        }
        Self(found)
    }

    /// Returns the file of the benchmark in a line.
    pub(super) fn of_line(&self, line: usize) -> Option<&'d str> {
        let above = self.0.partition_point(|(at, _)| *at < line);
        above.checked_sub(1).map(|at| self.0[at].1)
    }
}

fn is_header(text: &str) -> bool {
    deno::is_header(text) || table::is_header(text)
}

fn is_file(text: &str) -> bool {
    text.contains(SCHEME) && !text.contains(char::is_whitespace)
}

/// Returns the folder that all files are in, which says where a machine keeps them.
pub(super) fn folder_of<'t>(origins: &[&'t str]) -> &'t str {
    let Some((first, others)) = origins.split_first() else {
        return "";
    };
    let shared = others.iter().fold(first.len(), |shared, other| {
        let same = first.bytes().zip(other.bytes());
        same.take_while(|(one, other)| one == other)
            .count()
            .min(shared)
    });
    let is_within = |end: &usize| *end <= shared;
    let ends = first.match_indices('/').map(|(at, _)| at + 1);
    let end = ends.take_while(is_within).last().unwrap_or(0);
    &first[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_what_all_files_share() {
        for (origins, expected) in [
            (&[][..], ""),
            (&["file:///a/b.ts"], "file:///a/"),
            (&["file:///a/b.ts", "file:///a/bc.ts"], "file:///a/"),
            (&["file:///a/b/c.ts", "file:///a/bc.ts"], "file:///a/"),
            (&["file:///\u{e4}.ts", "file:///\u{e5}.ts"], "file:///"),
            (&["https://a.b/c.ts", "file:///a/bc.ts"], ""),
        ] {
            assert_eq!(folder_of(origins), expected, "{origins:?}");
        }
    }
}
