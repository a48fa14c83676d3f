//! One file that is to be written: what stands there already is never touched, and nothing is written through a link.
//!
//! Tested below and by `tests/it/init`.

use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::files::DRAFT;

/// A file that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    /// Where, from the repository's top folder.
    pub(super) place: PathBuf,
    /// What.
    pub(super) text: String,
}

/// What stands at the place of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum There {
    /// Nothing.
    Nothing,
    /// What would be written.
    Same,
    /// Something else.
    Other,
}

impl Draft {
    /// Returns what stands at the place.
    pub(super) fn there(&self, root: &Path) -> Outcome<There> {
        self.check_folders(root)?;
        let path = root.join(&self.place);
        match path.symlink_metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(There::Nothing),
            Err(error) => Err(self.not_written(error)),
            Ok(found) if found.is_file() => {
                let same = crate::files::read(&path)? == self.text.as_bytes();
                Ok(if same { There::Same } else { There::Other })
            }
            Ok(_) => Ok(There::Other),
        }
    }

    /// Writes it, whole or not at all, unless something came to stand there meanwhile.
    pub(super) fn write(&self, root: &Path) -> Outcome<()> {
        self.written(root).map_err(|error| self.not_written(error))
    }

    fn written(&self, root: &Path) -> std::io::Result<()> {
        let path = root.join(&self.place);
        let folder = path.parent().unwrap_or(root);
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new().prefix(DRAFT).tempfile_in(folder)?;
        file.write_all(self.text.as_bytes())?;
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        file.as_file().set_permissions(readable)?;
        file.persist_noclobber(path)
            .map(drop)
            .map_err(|error| error.error)
    }

    /// A folder that is a link leads out of the repository, or to where nobody expects a file.
    fn check_folders(&self, root: &Path) -> Outcome<()> {
        let mut folder = root.to_owned();
        let parts: Vec<Component<'_>> = self.place.components().collect();
        for part in &parts[..parts.len().saturating_sub(1)] {
            folder.push(part);
            match folder.symlink_metadata() {
                Ok(found) if !found.is_dir() => {
                    let what = format!("nothing was written: `{}` is no folder", folder.display());
                    return Err(CommandError::new(Exit::BadInput, what)
                        .hint("make it a folder: nothing is written through a link"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn not_written(&self, error: std::io::Error) -> CommandError {
        let what = format!("`{}` was not written", self.place.display());
        CommandError::new(Exit::BadInput, what)
            .because(error)
            .hint("make its folder writable; what was written before it stays, and a second run goes on from there")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str) -> Draft {
        Draft {
            place: "bench/kv/suite.toml".into(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn what_is_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert_eq!(draft("a").there(root).unwrap(), There::Nothing);
        draft("a").write(root).unwrap();
        assert_eq!(draft("a").there(root).unwrap(), There::Same);
        assert_eq!(draft("b").there(root).unwrap(), There::Other);
        let error = draft("b").write(root).expect_err("a file is there");
        assert!(error.to_string().contains("was not written"), "{error}");
        assert_eq!(
            std::fs::read(root.join("bench/kv/suite.toml")).unwrap(),
            b"a"
        );
        assert_eq!(
            std::fs::read_dir(root.join("bench/kv")).unwrap().count(),
            1,
            "drafts are cleared away"
        );
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(outside.path(), folder.path().join("bench")).unwrap();
        let error = draft("a")
            .there(folder.path())
            .expect_err("it leads outside");
        assert!(error.to_string().contains("is no folder"), "{error}");
        std::fs::remove_file(folder.path().join("bench")).unwrap();
        std::fs::create_dir_all(folder.path().join("bench/kv")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.path().join("bench/kv/suite.toml")).unwrap();
        assert_eq!(draft("a").there(folder.path()).unwrap(), There::Other);
        draft("a")
            .write(folder.path())
            .expect_err("a link is there");
    }
}
