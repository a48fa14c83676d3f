//! The `folder` of a suite: where its benches are built and its steps are run, if that is not where its file is.
//!
//! It is named from the project's folder and lies within it, because a session measures two of them: a path that led out
//! of the tree would be the same place for base and head. Tested below, and by `tests/it/init`.

use std::path::{Component, Path, PathBuf};

use toml::Spanned;

use super::{Suite, SuiteProblem};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// Returns the folder that a suite names, whose own folder is `bench/<suite>` below the project's.
pub(super) fn named(
    own: &Path,
    named: &Spanned<String>,
    text: &str,
) -> Result<PathBuf, SuiteProblem> {
    let inside = Path::new(named.get_ref());
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if named.get_ref().is_empty() || !inside.components().all(stays) {
        let problem = format!(
            "`folder` is `{}`, and must lie within the project",
            crate::talk::shown(named.get_ref())
        );
        return Err(SuiteProblem {
            hint: Some(
                "name it from the project's folder: `folder = \"crates/store\"`, or `.`".to_owned(),
            ),
            ..SuiteProblem::at(text, named.span().start, &problem)
        });
    }
    let project = own.ancestors().nth(2).unwrap_or(Path::new(""));
    // Put together anew: `.` and doubled slashes say nothing, and would make two of one path.
    let parts = inside
        .components()
        .filter(|part| *part != Component::CurDir);
    Ok(parts.fold(project.to_owned(), |path, part| path.join(part)))
}

/// Checks that the folder of a suite is there: what is started in one that is not seems to be missing itself.
pub(super) fn checked(suite: Suite) -> Outcome<Suite> {
    if suite.folder.is_dir() {
        return Ok(suite);
    }
    let what = format!(
        "nothing was measured: `{}` is about `{}`, and that is no folder",
        suite.file.display(),
        suite.folder.display()
    );
    Err(CommandError::new(Exit::BadInput, what)
        .hint("bring the folder back, or let `folder` name another one"))
}

#[cfg(test)]
mod tests {
    use tripline_model::SuiteName;

    use super::*;

    fn parsed(folder: &str) -> Result<PathBuf, String> {
        let text = format!(
            "about = \"x\"\nfolder = {folder}\n[[step]]\nname = \"a\"\nharness = \"criterion\"\nbench = \"a\"\n"
        );
        let name = SuiteName::new("kv").unwrap();
        let suite = Suite::parse(name, Path::new("/repo/bench/kv"), text.as_bytes());
        suite
            .map(|suite| suite.folder)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_folder_is_named_from_the_projects() {
        assert_eq!(
            parsed("\"crates/kv\"").unwrap(),
            Path::new("/repo/crates/kv")
        );
        assert_eq!(
            parsed("\"./crates//kv/\"").unwrap(),
            Path::new("/repo/crates/kv")
        );
        assert_eq!(parsed("\".\"").unwrap(), Path::new("/repo"));
        assert_eq!(
            parsed(r#""a \"b\"\n$(c)""#).unwrap(),
            Path::new("/repo/a \"b\"\n$(c)")
        );
    }

    #[test]
    fn a_folder_elsewhere_is_refused_with_its_place() {
        for outside in ["\"..\"", "\"crates/../..\"", "\"/etc\"", "\"\""] {
            let error = parsed(outside).expect_err(outside);
            assert!(
                error.contains("must lie within the project at line 2 column 10"),
                "{error}"
            );
        }
    }
}
