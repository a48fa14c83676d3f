//! Reading and writing files: bounded, whole, and never over what was there before until the new is complete.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// How the name of a file begins that is being written.
pub(crate) const DRAFT: &str = ".draft-";

/// The largest file that is read whole. A run of a hundred thousand benchmarks is a tenth of it.
pub(crate) const INPUT_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Reads a file, or stdin where the path is `-`.
pub(crate) fn read(path: &Path) -> Outcome<Vec<u8>> {
    let failed = |error: io::Error| {
        let hint = match error.kind() {
            io::ErrorKind::NotFound => "check the path; `-` reads stdin",
            io::ErrorKind::PermissionDenied => "make the file readable for this user",
            _ => "check that the path names a readable file",
        };
        CommandError::new(Exit::BadInput, format!("`{}` was not read", path.display()))
            .because(error)
            .hint(hint)
    };
    let mut bytes = Vec::new();
    let source: Box<dyn io::Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(failed)?)
    };
    source
        .take(INPUT_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > INPUT_BYTES_MAX {
        let what = format!(
            "`{}` was not read: it is larger than {INPUT_BYTES_MAX} bytes",
            path.display()
        );
        return Err(CommandError::new(Exit::BadInput, what).hint("split the run by suite"));
    }
    Ok(bytes)
}

/// A place for output that was opened before the work began. What stood there stays until the new is complete.
#[derive(Debug)]
pub(crate) enum Output {
    /// A file, written beside its place and then moved there.
    File {
        /// The half-written file.
        draft: NamedTempFile,
        /// Where it goes.
        place: PathBuf,
    },
    /// A device or a pipe, which is written where it is: it cannot be replaced, and there is nothing in it to lose.
    Stream {
        /// The opened device or pipe.
        stream: File,
        /// Its path.
        place: PathBuf,
    },
    /// stdout.
    Stdout,
}

impl Output {
    /// Opens a file, or stdout where the path is `-`, so that a wrong path costs no hour of measuring.
    pub(crate) fn open(path: &Path) -> Outcome<Self> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let failed = |error: io::Error| {
            CommandError::new(
                Exit::BadInput,
                format!(
                    "`{}` cannot be written, so nothing was done",
                    path.display()
                ),
            )
            .because(error)
            .hint("choose another place with `--out`, or make its folder writable")
        };
        let place = match followed(path).map_err(failed)? {
            Place::File(place) => place,
            Place::Stream => {
                let stream = File::options().write(true).open(path).map_err(failed)?;
                return Ok(Self::Stream {
                    stream,
                    place: path.to_owned(),
                });
            }
        };
        let folder = match place.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let draft = tempfile::Builder::new()
            .prefix(DRAFT)
            .tempfile_in(folder)
            .map_err(failed)?;
        Ok(Self::File { draft, place })
    }

    /// Writes all of it and puts it in its place.
    pub(crate) fn complete(self, text: &str) -> Outcome<()> {
        self.complete_in_pieces([text])
    }

    /// Does so with a text that is in pieces.
    pub(crate) fn complete_in_pieces<'t>(
        self,
        pieces: impl IntoIterator<Item = &'t str>,
    ) -> Outcome<()> {
        let mut pieces = pieces.into_iter();
        let (draft, place) = match self {
            Self::Stdout => return pieces.try_for_each(crate::talk::data),
            Self::Stream { stream, place } => {
                return write(&stream, pieces).map_err(|error| {
                    let what = format!("not everything was written to `{}`", place.display());
                    CommandError::new(Exit::BadInput, what).because(error)
                });
            }
            Self::File { draft, place } => (draft, place),
        };
        let failed = |error: io::Error| {
            CommandError::new(
                Exit::BadInput,
                format!(
                    "`{}` was not written; what was there stays",
                    place.display()
                ),
            )
            .because(error)
            .hint("check the space and the permissions of its folder")
        };
        write(draft.as_file(), pieces).map_err(failed)?;
        draft.as_file().sync_all().map_err(failed)?;
        // A temporary file is private; a kept one is as readable as its neighbours.
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        draft.as_file().set_permissions(readable).map_err(failed)?;
        draft
            .persist(&place)
            .map(drop)
            .map_err(|error| failed(error.error))
    }
}

fn write<'t>(file: &File, pieces: impl Iterator<Item = &'t str>) -> io::Result<()> {
    let mut file = io::BufWriter::new(file);
    for piece in pieces {
        file.write_all(piece.as_bytes())?;
    }
    file.flush()
}

/// What a path to write to leads to.
enum Place {
    /// A file, or nothing yet.
    File(PathBuf),
    /// A device or a pipe.
    Stream,
}

/// Follows links, so that a linked file is replaced where it is and the link stays.
fn followed(path: &Path) -> io::Result<Place> {
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if found.is_file() => Ok(Place::File(path.canonicalize()?)),
        Ok(_) => Ok(Place::Stream),
        // A link to nowhere is no place: whoever made it meant a file that is gone.
        Err(error) if path.is_symlink() => Err(error),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Place::File(path.to_owned())),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_until_the_new_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("deep/run.jsonl");
        Output::open(&place).unwrap().complete("first").unwrap();
        let abandoned = Output::open(&place).unwrap();
        assert_eq!(read(&place).unwrap(), b"first");
        drop(abandoned);
        assert_eq!(read(&place).unwrap(), b"first");
        Output::open(&place).unwrap().complete("second").unwrap();
        assert_eq!(read(&place).unwrap(), b"second");
        assert_eq!(
            std::fs::read_dir(place.parent().unwrap()).unwrap().count(),
            1,
            "drafts are cleared away"
        );
    }

    #[test]
    fn devices_and_links_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::write(&real, "before").unwrap();
        std::os::unix::fs::symlink("real", &link).unwrap();
        Output::open(&link).unwrap().complete("after").unwrap();
        assert_eq!(read(&real).unwrap(), b"after");
        assert!(link.is_symlink());

        Output::open(Path::new("/dev/null"))
            .unwrap()
            .complete("gone")
            .unwrap();
        assert!(!Path::new("/dev/null").is_file(), "the device was replaced");
        Output::open(Path::new("/dev/full"))
            .unwrap()
            .complete("x")
            .expect_err("it is full");

        std::os::unix::fs::symlink("nowhere", folder.path().join("dangling")).unwrap();
        Output::open(&folder.path().join("dangling")).expect_err("it leads nowhere");
    }

    #[test]
    fn a_folder_is_no_place_for_output() {
        let folder = tempfile::tempdir().unwrap();
        let error = Output::open(folder.path()).expect_err("a folder cannot be written");
        assert_eq!(error.exit, Exit::BadInput);
        assert!(error.to_string().contains("nothing was done"));
    }
}
