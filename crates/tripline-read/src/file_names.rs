//! What the names of files in a directory say of what they hold.
//!
//! Tested below.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The endings of files that some adapter reads by their names.
const READ: &[&str] = &["csv", "json", "jsonl", "out", "scsv", "text", "txt", "xml"];

/// The endings of what holds no result, and of which a directory may have very many: pages and pictures, sources, and
/// what compilers write.
const NO_RESULTS: &[&str] = &[
    "a", "css", "d", "dll", "exe", "gif", "gz", "html", "jar", "jpg", "js", "map", "o", "pdf",
    "png", "pyc", "rlib", "rmeta", "rs", "so", "svg", "toml", "ts", "zip",
];

/// Returns whether a file is called as those are that some adapter reads.
pub(crate) fn is_read(path: &Path) -> bool {
    has_extension(path, READ) || is_valgrind_out(path)
}

/// Returns whether a file may hold a result, of which then only its text tells.
pub(crate) fn may_be_read(path: &Path) -> bool {
    !has_extension(path, NO_RESULTS)
}

/// Returns whether a file's name ends in one of these extensions.
pub(crate) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    // As bytes, because a tree has very many files: what stands behind the last point of a name, unless it begins there.
    let name = path.as_os_str().as_bytes();
    let name = name.rsplit(|byte| *byte == b'/').next().unwrap_or(name);
    let point = name.iter().rposition(|byte| *byte == b'.');
    point.is_some_and(|at| {
        let is_it = |extension: &&str| extension.as_bytes() == &name[at + 1..];
        at > 0 && extensions.iter().any(is_it)
    })
}

/// Returns whether a file of a directory may hold JSON.
pub(crate) fn is_json(path: &Path) -> bool {
    has_extension(path, &["json"])
}

/// Returns whether a file of a directory may hold what a harness wrote to a terminal.
pub(crate) fn is_text(path: &Path) -> bool {
    has_extension(path, &["txt"])
}

/// Returns whether a file of a directory may hold an object in each line.
pub(crate) fn is_json_lines(path: &Path) -> bool {
    has_extension(path, &["jsonl"])
}

/// The tools of valgrind whose files are read.
const VALGRIND_TOOLS: &[&str] = &["cachegrind", "callgrind", "dhat", "massif"];

/// Returns whether valgrind itself named a file, as it names `callgrind.out.1234`: the process stands where others have
/// an extension, and behind it perhaps which part or thread of it.
pub(crate) fn is_valgrind_out(path: &Path) -> bool {
    VALGRIND_TOOLS.iter().any(|tool| is_out_of(tool, path))
}

/// Returns whether valgrind named a file after one of its tools.
pub(crate) fn is_out_of(tool: &str, path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let rest = name.and_then(|name| name.strip_prefix(tool)?.strip_prefix(".out."));
    rest.is_some_and(|rest| {
        let is_of_process = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
        rest.starts_with(|c: char| c.is_ascii_digit()) && rest.chars().all(is_of_process)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_stands_behind_the_last_point_of_a_name() {
        for (path, expected) in [
            ("a.json", true),
            ("a/b.tar.json", true),
            ("a.json/b", false),
            ("a/.json", false),
            (".json", false),
            ("json", false),
            ("a.jsonl", false),
            ("a.", false),
            ("", false),
        ] {
            assert_eq!(is_json(Path::new(path)), expected, "{path}");
            let extension = Path::new(path).extension();
            assert_eq!(extension.is_some_and(|it| it == "json"), expected, "{path}");
        }
    }

    #[test]
    fn the_names_that_valgrind_gives_are_known() {
        for name in [
            "callgrind.out.1234",
            "sub/callgrind.out.1234.1",
            "callgrind.out.1234-02",
            "cachegrind.out.1",
            "massif.out.1234",
            "dhat.out.1234",
        ] {
            assert!(is_valgrind_out(Path::new(name)), "{name}");
        }
        for name in [
            "callgrind.out.",
            "callgrind.out.old",
            "callgrind.out.1234.old",
            "callgrind.1234",
            "memcheck.out.1234",
            "dhat.out.-1",
            "massif.out.1234/other",
        ] {
            assert!(!is_valgrind_out(Path::new(name)), "{name}");
        }
    }
}
