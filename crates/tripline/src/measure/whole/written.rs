//! Which file a tool wrote of a program.
//!
//! valgrind's tools write one for each process. Of several nobody could say which is the program's, and the sum is what no
//! tool gives; so there must be one. Tested here, and by `tests/it/whole`.

use std::path::{Path, PathBuf};

use crate::suite::Tool;

/// What valgrind puts the number of a process in place of.
pub(super) const NUMBER: &str = ".%p";

/// Takes away what a tool wrote of the run before.
pub(in crate::measure) fn clear(tool: Tool, output: &Path) {
    for file in files(tool, output) {
        let _ = std::fs::remove_file(file);
    }
}

/// Returns the file that a tool wrote of the program, or what is wrong with it.
pub(super) fn of_program(tool: Tool, output: &Path) -> Result<PathBuf, String> {
    match &files(tool, output)[..] {
        [] => Err(format!("{} wrote nothing about it", tool.name())),
        [one] => Ok(one.clone()),
        all => Err(format!(
            "{} counts one process, and it started {} more, which would not be counted: \
             make the program itself the command",
            tool.name(),
            all.len() - 1
        )),
    }
}

fn files(tool: Tool, output: &Path) -> Vec<PathBuf> {
    if !tool.is_valgrind() {
        return Vec::from_iter(output.is_file().then(|| output.to_owned()));
    }
    let entries = output.parent().map(std::fs::read_dir);
    let entries = entries.into_iter().flatten().flatten().flatten();
    let is_its = |path: &PathBuf| path.file_stem() == output.file_name();
    entries.map(|entry| entry.path()).filter(is_its).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_must_be_one_and_none_is_told_without_places_of_the_machine() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("dhat");
        let said = || of_program(Tool::Dhat, &output);
        assert_eq!(said().unwrap_err(), "dhat wrote nothing about it");
        std::fs::write(folder.path().join("dhat.12"), "").unwrap();
        assert_eq!(said(), Ok(folder.path().join("dhat.12")));
        std::fs::write(folder.path().join("dhat.13"), "").unwrap();
        assert!(said().unwrap_err().contains("it started 1 more"));
        clear(Tool::Dhat, &output);
        assert!(said().is_err());
        assert_eq!(
            of_program(Tool::Strace, &output).unwrap_err(),
            "strace wrote nothing about it"
        );
    }
}
