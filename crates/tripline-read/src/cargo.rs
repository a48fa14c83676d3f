//! What cargo says it runs, which tells benchmarks of one name apart.
//!
//! It names the source file, counted from the folder of its package, so that two packages of a workspace may have the same;
//! what was built of it has a name of its own in most of them. Where it has not, the second of two benchmarks of one name is
//! told and passed over: a hash that the next build changes is no name. Tested below, and by the refusals.

use crate::apart::{EXECUTABLE, Facts};

/// How many digits cargo's hash of what it built has.
const HASH_DIGITS: usize = 16;

/// A program that cargo begins to run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Program<'t> {
    /// The source file, or in older versions the executable.
    name: &'t str,
    /// The executable, without its folder and the hash behind its name, which another build changes.
    executable: Option<&'t str>,
    is_indented: bool,
}

impl<'t> Program<'t> {
    /// Reads `     Running benches/b.rs (target/release/deps/b-0123456789abcdef)`, or as in older versions the path alone.
    pub(crate) fn of(text: &'t str) -> Option<Self> {
        let rest = text.trim_start().strip_prefix("Running ")?.trim_end();
        let (name, path) = match rest.split_once(" (") {
            Some((name, path)) => (name.trim(), path.strip_suffix(')')?),
            None => (rest.trim(), rest),
        };
        let executable = executable(path);
        let is_alone = name == path;
        let program = Self {
            name: executable.filter(|_| is_alone).unwrap_or(name),
            executable,
            is_indented: text.starts_with(' '),
        };
        (!name.is_empty()).then_some(program)
    }

    /// Returns whether a line can be nothing else. A log may have lost the blanks that it begins with, and then a name of a
    /// benchmark may begin with the same word: none ends as the files do that cargo builds.
    pub(crate) fn is_certain(&self) -> bool {
        self.is_indented || self.executable.is_some()
    }

    /// Returns what tells its benchmarks from those of others.
    pub(crate) fn facts(&self) -> Facts {
        let mut facts = Facts::from([("target", self.name.to_owned())]);
        let executable = self.executable.map(str::to_owned);
        facts.extend(executable.map(|name| (EXECUTABLE, name)));
        facts
    }
}

/// Returns the name of an executable whose path ends in the hash that cargo puts behind it.
fn executable(path: &str) -> Option<&str> {
    let path = path.strip_suffix(".exe").unwrap_or(path);
    let (path, hash) = path.rsplit_once('-')?;
    let is_hash = hash.len() == HASH_DIGITS && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let name = path.rsplit(['/', '\\']).next();
    name.filter(|name| is_hash && !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_told_from_a_long_name_that_begins_alike() {
        for (text, name, executable) in [
            ("     Running benches/b.rs (target/b)", "benches/b.rs", None),
            (
                "Running benches/b.rs (target/release/deps/b_c-d-0123456789abcdef)",
                "benches/b.rs",
                Some("b_c-d"),
            ),
            (
                "Running unittests (target\\release\\deps\\b-0123456789abcdef.exe)",
                "unittests",
                Some("b"),
            ),
            (
                "     Running target/release/deps/b-0123456789abcdef",
                "b",
                Some("b"),
            ),
        ] {
            let found = Program::of(text).filter(Program::is_certain);
            let found = found.map(|target| (target.name, target.executable));
            assert_eq!(found, Some((name, executable)), "{text}");
        }
        for text in [
            "Running the store with many keys",
            "Running the store (with many keys)",
            "Running the store (b-0123456789abcde)",
            "Running the store (b-0123456789abcdeg)",
            "Running the store (b-0123456789abcdef",
        ] {
            let found = Program::of(text).filter(Program::is_certain);
            assert_eq!(found, None, "{text}");
        }
    }
}
