//! Shell scripts in place of executables that serve, for the tests of those who drive them.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::Executable;

/// How a script serves, for those that do: `serve <id> <nanoseconds per iteration>` is one benchmark, by the book.
const PRELUDE: &str = r#"#!/bin/sh
greet() { echo "tripline-duet 1"; }
serve() {
    echo "benchmark - $1"
    while read -r verb count; do
        case $verb in
            block) echo "block $((count * $2)) $((count * $2))" ;;
            next) return ;;
            *) exit 0 ;;
        esac
    done
    exit 0
}
"#;

/// A script, and the folder it runs in.
#[derive(Debug)]
pub(super) struct Script {
    folder: TempDir,
}

impl Script {
    /// Writes a script. It is put in its place by another process: this one is never seen writing to it, which would
    /// keep the system from starting it.
    pub(super) fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let draft = folder.path().join("draft");
        std::fs::write(&draft, format!("{PRELUDE}{text}\n")).unwrap();
        let mut install = Command::new("install");
        install.args(["-m", "755"]).arg(&draft);
        let status = install.arg(folder.path().join("bench")).status().unwrap();
        assert!(status.success());
        Self { folder }
    }

    /// A script that greets, serves something, and ends as it should.
    pub(super) fn serving(text: &str) -> Self {
        Self::new(&format!("greet\n{text}\necho end"))
    }

    /// Returns it as an executable of one side.
    pub(super) fn of(&self, whose: Option<&'static str>) -> Executable {
        Executable {
            program: self.at("bench"),
            folder: self.folder.path().to_owned(),
            whose,
            is_copy: false,
        }
    }

    /// Returns a place in its folder.
    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the place of its log.
    pub(super) fn log(&self) -> PathBuf {
        self.at("log")
    }
}

/// Waits until a file that a script writes is there, and returns what it says.
pub(super) fn written(place: &Path) -> String {
    for _ in 0..6_000 {
        match std::fs::read_to_string(place) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ => std::thread::sleep(std::time::Duration::from_millis(10)),
        }
    }
    panic!("nobody wrote `{}`", place.display());
}
