//! Which files Criterion writes for a benchmark, and which of them are read: two of nine, in one directory of three.
//!
//! Trees of its results have very many files, and all of their paths are looked at, so these are looked at as bytes.
//! Tested below, and through the adapter.

use std::ffi::CStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The raw sample and what it is of.
const READ: &[&[u8]] = &[b"benchmark.json", b"sample.json"];

/// What is made of the sample.
const MADE: &[&[u8]] = &[b"estimates.json", b"tukey.json"];

/// The sample as a table.
const TABLE: &[u8] = b"raw.csv";

/// Where those of the newest run lie.
const NEWEST: &[u8] = b"new";

/// Where those of the run before lie, and what changed from one to the other.
const OTHERS: &[&[u8]] = &[b"base", b"change"];

/// The sample of the newest run, from the directory of its benchmark.
pub(crate) const NEWEST_SAMPLE: &CStr = c"new/sample.json";

/// Returns whether a directory is called as those of earlier runs, of which nothing is read where a newest one lies
/// beside.
pub(crate) fn is_earlier(directory: &[u8]) -> bool {
    OTHERS.contains(&directory)
}

/// Returns whether a file lies where Criterion alone writes, and is called as it calls its files.
pub(crate) fn is_criterions(path: &Path) -> bool {
    let is_its =
        |(directory, name)| (directory == NEWEST || OTHERS.contains(&directory)) && is_file(name);
    last_two(path).is_some_and(is_its)
}

/// Returns whether a file is of a newest run. A benchmark that lost both the files that are read is still seen, so that
/// the loss is said.
pub(crate) fn is_newest(path: &Path) -> bool {
    let is_newest = |(directory, name)| directory == NEWEST && is_file(name);
    last_two(path).is_some_and(is_newest)
}

/// Returns whether a file is the sample of a newest run once more, which says its unit; older versions and one feature of
/// newer ones write it.
pub(crate) fn is_newest_table(path: &Path) -> bool {
    last_two(path) == Some((NEWEST, TABLE))
}

/// Returns whether nobody opens a file of Criterion's, so that it may be as large as it likes.
pub(crate) fn is_left_alone(path: &Path) -> bool {
    let is_left_alone = |(directory, name)| match directory {
        NEWEST => MADE.contains(&name),
        other => OTHERS.contains(&other) && is_file(name),
    };
    last_two(path).is_some_and(is_left_alone)
}

fn is_file(name: &[u8]) -> bool {
    READ.contains(&name) || MADE.contains(&name)
}

/// Returns the directory that a file lies in, and its name.
fn last_two(path: &Path) -> Option<(&[u8], &[u8])> {
    let mut parts = path.as_os_str().as_bytes().rsplitn(3, |byte| *byte == b'/');
    let name = parts.next()?;
    parts.next().map(|directory| (directory, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_read_or_left_alone_by_where_it_lies() {
        for (path, newest, left_alone) in [
            ("get/new/sample.json", true, false),
            ("get/new/benchmark.json", true, false),
            ("/a/new/tukey.json", true, true),
            ("new/estimates.json", true, true),
            ("get/base/sample.json", false, true),
            ("get/base/benchmark.json", false, true),
            ("get/change/estimates.json", false, true),
            ("get/new/raw.csv", false, false),
            ("get/base/other.json", false, false),
            ("get/older/sample.json", false, false),
            ("get/base/new/sample.json", true, false),
            ("new/base/x/sample.json", false, false),
            ("sample.json", false, false),
        ] {
            let path = Path::new(path);
            assert_eq!(is_newest(path), newest, "{path:?}");
            assert_eq!(is_left_alone(path), left_alone, "{path:?}");
            assert_eq!(is_criterions(path), newest || left_alone, "{path:?}");
        }
    }
}
