//! Benches of harnesses that no suite is written for: known by a sign, and named.
//!
//! Tested by `tests/it/init`.

use std::collections::BTreeMap;
use std::path::Path;

use super::cargo::has_libtest_bench;
use super::source::without_comments;
use super::{Found, is_read};
use crate::command::init::tree::Tree;
use crate::talk::counted;

/// How the benches of a harness are known.
struct Sign {
    harness: &'static str,
    /// How the names of its files end.
    ends: &'static [&'static str],
    /// Whether a file with such a name has them.
    has: fn(&str) -> bool,
}

const SIGNS: &[Sign] = &[
    Sign {
        harness: "libtest",
        ends: &[".rs"],
        // The cheap question first: most sources have not even the word.
        has: |text| text.contains("#[bench]") && has_libtest_bench(&without_comments(text)),
    },
    Sign {
        harness: "google-benchmark",
        ends: &[".cc", ".cpp", ".cxx", ".c++"],
        has: |text| {
            text.contains("#include <benchmark/benchmark.h>")
                || text.contains("#include \"benchmark/benchmark.h\"")
        },
    },
    Sign {
        harness: "catch2",
        ends: &[".cc", ".cpp", ".cxx"],
        has: |text| {
            text.contains("catch2/benchmark") || text.contains("CATCH_CONFIG_ENABLE_BENCHMARKING")
        },
    },
    Sign {
        harness: "jmh",
        ends: &[".java", ".kt", ".scala"],
        has: |text| text.contains("import org.openjdk.jmh."),
    },
    Sign {
        harness: "benchmarkdotnet",
        ends: &[".cs", ".fs", ".vb"],
        has: |text| {
            text.contains("using BenchmarkDotNet.") || text.contains("open BenchmarkDotNet.")
        },
    },
    Sign {
        harness: "vitest",
        ends: &[".bench.ts", ".bench.js", ".bench.mts", ".bench.tsx"],
        has: |_| true,
    },
    Sign {
        harness: "tinybench",
        ends: &["package.json"],
        has: |text| text.contains("\"tinybench\":"),
    },
    Sign {
        harness: "benchmark.js",
        ends: &["package.json"],
        has: |text| text.contains("\"benchmark\":"),
    },
    Sign {
        harness: "asv",
        ends: &["asv.conf.json"],
        has: |_| true,
    },
    Sign {
        harness: "hyperfine",
        ends: &[".sh", "Makefile", "justfile"],
        has: |text| {
            text.lines()
                .any(|line| line.trim_start().starts_with("hyperfine "))
        },
    },
];

pub(super) fn look(tree: &Tree, found: &mut Found) {
    let mut seen: BTreeMap<&str, Vec<&Path>> = BTreeMap::new();
    for file in tree.files() {
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        let may_have = |sign: &&Sign| sign.ends.iter().any(|end| name.ends_with(end.as_bytes()));
        let signs: Vec<&Sign> = SIGNS.iter().filter(may_have).collect();
        // What was named with its bench target is not named again.
        if signs.is_empty() || found.unused.iter().any(|unused| unused.place == file) {
            continue;
        }
        let Some(text) = tree.read(file) else {
            continue;
        };
        let is_left = |sign: &&Sign| (sign.has)(&text) && !found.has(sign.harness, file);
        for sign in signs.into_iter().filter(is_left) {
            seen.entry(sign.harness).or_default().push(file);
        }
    }
    for (harness, files) in seen {
        let more = match files.len() {
            1 => String::new(),
            count => format!(" (and {} more)", counted(count - 1, "file")),
        };
        let what = if is_read(harness) {
            "which can be read: write a step for them by hand"
        } else {
            "which cannot be read yet"
        };
        found.leave(files[0], format!("benches of {harness}{more}, {what}"));
    }
}
