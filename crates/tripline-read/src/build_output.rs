//! What compilers and what calls them print, which stands between the results where a run builds what it measures.
//!
//! Tested below.

/// How lines begin that cargo, rustc, gcc, clang, a linker or make print.
const BEGINNINGS: [&str; 28] = [
    "warning: ",
    "warning[",
    "error: ",
    "error[",
    "note: ",
    "help: ",
    "= note: ",
    "= help: ",
    "--> ",
    "::: ",
    "| ",
    "In file included from ",
    "make: ",
    "make[",
    "gmake: ",
    "gmake[",
    "collect2: ",
    "/usr/bin/ld: ",
    "gcc ",
    "g++ ",
    "cc ",
    "c++ ",
    "clang ",
    "clang++ ",
    "rustc ",
    "Compiling ",
    "Finished ",
    "Running `",
];

/// What stands behind the place that a compiler names.
const BEHIND_PLACES: [&str; 6] = [
    ": warning: ",
    ": error: ",
    ": fatal error: ",
    ": note: ",
    ": In function ",
    ": In member function ",
];

/// Returns whether a line can only be of a build. A line of a program's source stands behind its number and a stroke.
pub(crate) fn is_of_build(line: &str) -> bool {
    let text = line.trim();
    let behind_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_source = behind_number == "|"
        || behind_number.len() < text.len() && {
            let behind = behind_number.trim_start();
            behind.len() < behind_number.len() && (behind == "|" || behind.starts_with("| "))
        };
    is_source
        || BEGINNINGS.iter().any(|begin| text.starts_with(begin))
        || BEHIND_PLACES.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_compilers_print_is_no_result_and_results_are_nothing_of_theirs() {
        for text in [
            "warning: unused variable: `x`",
            "error[E0308]: mismatched types",
            "  --> src/main.rs:2:9",
            "   |",
            "12 |     let x = 1.5;",
            "   |         ^ help: if this is intentional, prefix it with an underscore: `_x`",
            "   = note: `#[warn(unused_variables)]` on by default",
            "    3 |   int x = 1;",
            "      |       ^",
            "work.c: In function 'main':",
            "work.c:3:7: warning: unused variable 'x' [-Wunused-variable]",
            "make[1]: Entering directory '/src'",
            "gcc -O2 -o work work.c",
            "   Compiling kv v0.1.0 (/src/kv)",
            "    Finished `release` profile [optimized] target(s) in 0.53s",
        ] {
            assert!(is_of_build(text), "{text}");
        }
        for text in [
            "",
            "12",
            "gmake-102   1.25 msec task-clock",
            "  1,234      branch-misses:u  #    5.43% of all branches",
            "0.00user 0.00system 0:00.00elapsed 80%CPU (0avgtext+0avgdata 2176maxresident)k",
            "12||page-faults|1001|100.00||",
            "||||||0.5|faults",
            "100.00    0.000227          75         3         1 total",
            "real 0.10",
        ] {
            assert!(!is_of_build(text), "{text}");
        }
    }
}
