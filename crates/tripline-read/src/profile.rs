//! Reads where a program spent what it took: the calls of callgrind, or the stacks of `perf script`.
//!
//! A profile that is cut off is an error: what is missing from it would look like something that got cheaper. Tested
//! below, and with the real tools by `explain` in the binary's `tests/it`.

mod callgrind;
mod perf_script;

use tripline_model::Profile;

use crate::input::Input;

/// The first bytes of what `perf record` writes.
const RECORDED: &[u8] = b"PERFILE2";

/// The deepest call that is kept: what lies deeper counts for it.
const DEPTH_MAX: usize = 200;

/// Says why there is no profile in an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at {file}:{line}")]
pub struct ProfileError {
    /// The input's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub hint: &'static str,
}

/// What is wrong, and in which line.
type Wrong = (usize, String);

const GIVE: &str = "give the file of `valgrind --tool=callgrind`, or the text of `perf script`";
const RECORD: &str = "run `perf script -i FILE > profile.txt` and give that";
const AGAIN: &str = "profile again, and let the program come to its end";

/// Reads a profile.
///
/// # Errors
/// The input holds none, or one that is damaged; the error names the place and says what to do.
pub fn read_profile(input: &Input) -> Result<Profile, ProfileError> {
    let error = |line, problem: &str, hint| ProfileError {
        file: input.shown_name(),
        line,
        problem: problem.to_owned(),
        hint,
    };
    let Input::Text { bytes, .. } = input else {
        return Err(error(1, "a folder is no profile", GIVE));
    };
    if bytes.starts_with(RECORDED) {
        return Err(error(
            1,
            "this is what perf recorded, and not yet a text",
            RECORD,
        ));
    }
    let text = String::from_utf8_lossy(bytes);
    let read = if callgrind::is_one(&text) {
        callgrind::read(&text)
    } else if perf_script::is_one(&text) {
        perf_script::read(&text)
    } else {
        return Err(error(1, "this is no profile that is known", GIVE));
    };
    read.map_err(|(line, problem)| error(line, &problem, AGAIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLGRIND: &str = "version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\nfl=(1) a.c\nfn=(1) main\n10 4\ncfn=(2) leaf\ncalls=3 20\n11 30\n\nfn=(2)\n20 30\ncfn=(2)\ncalls=1 20\n20 10\n\nfn=(3) other\n5 6\ncfn=(2)\ncalls=1 20\n5 10\n\ntotals: 40\n";

    const SCRIPT: &str = "scan worker 12 [001] 1.5: 1 cpu-clock:\n\t  55e0 probe+0x12 (/bin/scan)\n\t  55d0 main (/bin/scan)\n\nscan worker 12 1.6: 1 cpu-clock:\n\t 55d0 main+0x4 (/bin/scan)\n\n";

    fn read(text: &str) -> Result<Profile, ProfileError> {
        read_profile(&Input::from_bytes("profile", text.as_bytes().to_vec()))
    }

    fn shown(frame: &tripline_model::Frame) -> String {
        let calls: Vec<String> = frame.calls.iter().map(shown).collect();
        match calls.is_empty() {
            true => format!("{} {}", frame.name, frame.cost),
            false => format!("{} {} ({})", frame.name, frame.cost, calls.join(", ")),
        }
    }

    #[test]
    fn costs_are_shared_out_among_callers() {
        let profile = read(CALLGRIND).unwrap();
        assert_eq!(profile.unit, "instructions");
        assert_eq!(
            shown(&profile.root),
            "all 40 (main 34 (leaf 30), other 16 (leaf 10))"
        );
    }

    #[test]
    fn stacks_are_added_up_outermost_first() {
        let profile = read(SCRIPT).unwrap();
        assert_eq!(
            shown(&profile.root),
            "all 2 (scan worker 2 (main 2 (probe 1)))"
        );
    }

    #[test]
    fn what_is_damaged_is_no_profile_and_says_where() {
        let problem = |text: &str| {
            let error = read(text).expect_err("it is damaged");
            format!("{error} | {}", error.hint)
        };
        for (text, expected) in [
            (
                String::new(),
                "this is no profile that is known at profile:1 | give the file of",
            ),
            (
                "PERFILE2...".to_owned(),
                "not yet a text at profile:1 | run `perf script",
            ),
            (
                CALLGRIND.replace("totals: 40\n", ""),
                "its totals are missing at profile:23",
            ),
            (
                CALLGRIND.replace("totals: 40", "totals: 41"),
                "the costs add up to 40 and are said to be 41",
            ),
            (
                CALLGRIND.replace("20 30", "20 x"),
                "a cost is no number: invalid digit found in string at profile:13",
            ),
            (
                CALLGRIND.replace("cfn=(2) leaf", "cfn=(9)"),
                "function 9 has no name at profile:8",
            ),
            (
                SCRIPT.replace("55d0 main+", "zz main+"),
                "a damaged line of a stack at profile:6",
            ),
            (
                SCRIPT.trim_end().to_owned(),
                "the profile is cut off in a sample at profile:6",
            ),
            (
                SCRIPT[..SCRIPT.find("\t  55d0").unwrap()].to_owned(),
                "the profile is cut off in a sample at profile:2",
            ),
            (
                "   dd 12 1.5: 1 cpu-clock: 55e0 probe (/bin/dd)\n   dd 12 1.6: 1 cpu-clock: 55e0 probe (/bin/dd)\n".to_owned(),
                "its samples have no stacks: record them with `perf record -g` at profile:1",
            ),
        ] {
            let said = problem(&text);
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn no_cut_makes_a_panic_or_a_smaller_callgrind_profile() {
        for end in 0..CALLGRIND.len() - 1 {
            assert!(read(&CALLGRIND[..end]).is_err(), "{end}");
        }
        for end in 0..SCRIPT.len() {
            let _ = read(&SCRIPT[..end]);
        }
    }

    #[test]
    fn functions_that_call_one_another_come_to_an_end() {
        let text = "events: Ir\nfn=a\n1 10\ncfn=b\ncalls=1 1\n1 90\nfn=b\n1 10\ncfn=a\ncalls=1 1\n1 80\ntotals: 20\n";
        let profile = read(text).unwrap();
        assert_eq!(shown(&profile.root), "all 20 (a 20 (b 18 (a 16)))");
    }
}
