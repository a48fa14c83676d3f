//! Whether a command runs what was built for debugging: nobody ships what that measures.
//!
//! A bench is built by Tripline, which knows; a command may name whatever lies in cargo's folder, or ask cargo itself.
//! Tested below and by `tests/it/whole`.

use std::path::Path;

use tripline_model::{Failure, FailureKind};

use crate::suite::Step;

/// The folder of cargo's debug profile, and what cargo keeps in the folder of every profile.
const DEBUG: &str = "debug";
const CARGOS: &str = ".fingerprint";

/// Refuses a step whose command runs a debug build.
pub(super) fn check(step: &Step, folder: &Path, argv: &[String]) -> Result<(), Failure> {
    let Some(detail) = sign(folder, argv) else {
        return Ok(());
    };
    let kind = FailureKind::DebugBuild;
    Err(Failure::new(step.name.clone(), kind, Some(detail), ""))
}

/// Says what makes a command one of a debug build, if it is one.
fn sign(folder: &Path, argv: &[String]) -> Option<String> {
    if runs_cargo_without_release(argv) {
        return Some("`cargo run` builds for debugging: add `--release`".to_owned());
    }
    let built = argv
        .iter()
        .find(|word| is_in_debug_folder(&folder.join(word)))?;
    Some(format!(
        "`{built}` lies in the folder of cargo's debug profile: build it with `--release` and name that"
    ))
}

fn runs_cargo_without_release(argv: &[String]) -> bool {
    let is_cargo = |word: &String| {
        Path::new(word)
            .file_name()
            .is_some_and(|name| name == "cargo")
    };
    let Some(at) = argv.iter().position(is_cargo) else {
        return false;
    };
    let own = argv[at + 1..].iter().take_while(|word| *word != "--");
    let own: Vec<&str> = own.map(String::as_str).collect();
    let is_optimized = |word: &&str| {
        ["--release", "-r", "--profile"].contains(word) || word.starts_with("--profile=")
    };
    let verb = own.iter().find(|word| !word.starts_with(['-', '+']));
    verb.is_some_and(|verb| ["run", "r"].contains(verb)) && !own.iter().any(is_optimized)
}

/// Returns whether a file is one that cargo's debug profile built.
fn is_in_debug_folder(file: &Path) -> bool {
    let mut above = file.ancestors().skip(1);
    let is_debug = |place: &&Path| {
        place.file_name().is_some_and(|name| name == DEBUG) && place.join(CARGOS).is_dir()
    };
    file.is_file() && above.any(|place| is_debug(&place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(folder: &Path, words: &str) -> Option<String> {
        let argv: Vec<String> = words.split(' ').map(str::to_owned).collect();
        sign(folder, &argv)
    }

    #[test]
    fn cargo_is_asked_for_a_release() {
        let is_refused = |words| said(Path::new("."), words).is_some();
        assert!(is_refused("cargo run"));
        assert!(is_refused(
            "strace -f -c cargo +nightly run -p scan -- --release"
        ));
        assert!(!is_refused("cargo run --release -- -p 1"));
        assert!(!is_refused("cargo --locked r -r"));
        assert!(!is_refused("cargo run --profile=bench"));
        assert!(!is_refused("cargo bench"));
        assert!(!is_refused("scan run"));
    }

    #[test]
    fn only_cargos_own_folder_is_one_of_debug_builds() {
        let folder = tempfile::tempdir().unwrap();
        let write = |place: &str| {
            let path = folder.path().join(place);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        };
        for place in [
            "t/debug/scan",
            "t/debug/deps/scan-1",
            "t/debug/.fingerprint/x",
            "debug/scan",
            "t/release/scan",
        ] {
            write(place);
        }
        let is_refused = |words| said(folder.path(), words).is_some();
        assert!(is_refused("t/debug/scan -p 1"));
        assert!(is_refused("strace -f -c t/debug/deps/scan-1"));
        assert!(!is_refused("debug/scan"));
        assert!(!is_refused("t/release/scan"));
        assert!(!is_refused("t/debug/none"));
    }
}
