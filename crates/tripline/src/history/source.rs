//! Where a history lies: on a branch of data, read without checking it out, or in a folder.
//!
//! Tested by `tests/it/history`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tripline_history::{Archive, File, is_block};
use tripline_hub::{Branch, CommitId};
use tripline_model::few;

use super::copies::Copies;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::git::{git, git_reading};
use crate::talk;

/// How many gits read a long history at once. Each reads on one processor, and the disk is none of their limits.
const GITS: usize = 2;

/// The fewest files that a git of its own is worth.
const SHARE_MIN: usize = 200;

pub(super) const NOT_READ: &str = "the history was not read";

/// Files by path.
pub(crate) type Contents = BTreeMap<String, Vec<u8>>;

/// A history whose files are known by path, and read when they are asked for.
pub(crate) struct Source {
    /// What messages call it.
    name: String,
    place: Place,
    /// The copies that are kept of what git gave.
    copies: Option<Copies>,
}

enum Place {
    /// The repository, and the id of each file.
    Branch(PathBuf, BTreeMap<String, String>),
    /// Where each file is.
    Folder(BTreeMap<String, PathBuf>),
}

impl Source {
    /// Finds the branch of data: what the remote has, as far as it was fetched, or else the branch here.
    pub(crate) fn branch(root: &Path, branch: &Branch) -> Outcome<Self> {
        Self::branch_if_any(root, branch)?.ok_or_else(|| no_branch(branch))
    }

    /// Does the same where there may be none yet.
    pub(crate) fn branch_if_any(root: &Path, branch: &Branch) -> Outcome<Option<Self>> {
        let Some(tip) = tip(root, branch) else {
            return Ok(None);
        };
        let listed = git(root, &["ls-tree", "-r", "-z", &tip], &[]).map_err(failed)?;
        let listed = String::from_utf8_lossy(&listed);
        let mut files = BTreeMap::new();
        files.extend(listed.split_terminator('\0').filter_map(blob));
        Ok(Some(Self {
            name: format!("branch `{branch}`"),
            place: Place::Branch(root.to_owned(), files),
            copies: None,
        }))
    }

    /// Finds the files of a folder.
    pub(crate) fn folder(folder: &Path) -> Outcome<Self> {
        let mut files = BTreeMap::new();
        collect(folder, "", &mut files).map_err(|error| {
            failed(format!("`{}`: {error}", folder.display())).hint("name a folder that holds one")
        })?;
        Ok(Self {
            name: format!("folder `{}`", folder.display()),
            place: Place::Folder(files),
            copies: None,
        })
    }

    /// Has copies kept where that saves work: a folder's files are as quick to read.
    pub(super) fn with_copies(mut self, copies: Copies) -> Self {
        self.copies = Some(copies);
        self
    }

    /// Reads everything, and says what is left out. A history without a record is an error.
    pub(crate) fn read(&self) -> Outcome<Archive> {
        self.some(self.whole()?)
    }

    /// Does the same where there may be no record yet. Where none of those that are there can be read, it is not empty.
    pub(crate) fn read_if_any(&self) -> Outcome<Archive> {
        let archive = self.whole()?;
        if archive.damaged().is_empty() {
            return Ok(archive);
        }
        self.some(archive)
    }

    fn whole(&self) -> Outcome<Archive> {
        let mut archive = self.index()?;
        let blocks = self.contents(&is_block)?;
        archive.look_at_orphans(pairs(&blocks));
        archive.unpack(|path| {
            let block = blocks.get(path).cloned();
            block.ok_or_else(|| "it is missing".to_owned())
        });
        Ok(archive)
    }

    /// Reads everything but the blocks of segments, and says what is left out.
    pub(crate) fn index_checked(&self) -> Outcome<Archive> {
        self.some(self.index()?)
    }

    /// Closes ranges of so many records of what was read already, and says what is left out. Where a new block would go
    /// there may be a damaged one, whose segment was lost: it is left as it is, and so are the records.
    pub(crate) fn closed(&self, files: &Contents, runs: usize) -> Outcome<(Archive, Vec<File>)> {
        let mut archive = index_of(files);
        let made = archive.close(runs);
        let blocks = made.iter().map(|file| &*file.path);
        let blocks = few::set_of(blocks.filter(|path| is_block(path)));
        let there = self.contents(&|path| blocks.contains(path))?;
        let made = match archive.look_at(pairs(&there)) {
            true => made,
            false => archive.close(runs),
        };
        Ok((self.some(archive)?, made))
    }

    /// Reads all files but the blocks of segments.
    pub(crate) fn listed(&self) -> Outcome<Contents> {
        self.contents(&|path| !is_block(path))
    }

    fn index(&self) -> Outcome<Archive> {
        match (&self.copies, &self.place) {
            (Some(copies), Place::Branch(_, ids)) => self.index_by(copies, ids),
            _ => Ok(index_of(&self.listed()?)),
        }
    }

    /// Makes the index of copies, and of what there are none of, which alone git is asked for. Blocks of segments are few and
    /// large, and nothing would be saved on them.
    fn index_by(&self, copies: &Copies, ids: &BTreeMap<String, String>) -> Outcome<Archive> {
        let copy = |path: &str| copies.get(ids.get(path)?);
        let new = self.contents(&|path| !is_block(path) && copy(path).is_none())?;
        let files = ids.keys().filter(|path| !is_block(path));
        let files = files.filter_map(|path| {
            let bytes = copy(path).or_else(|| new.get(path).map(Vec::as_slice));
            Some((path.as_str(), bytes?))
        });
        let files: Vec<(&str, &[u8])> = files.collect();
        let by_id = files.iter().map(|(path, bytes)| (&*ids[*path], *bytes));
        if let Err(why) = copies.keep(&few::map_of(by_id)) {
            talk::say(&talk::shown(&format!("note: {why}")));
        }
        Ok(Archive::index(files))
    }

    /// Says what is left out of a history that has records.
    fn some(&self, archive: Archive) -> Outcome<Archive> {
        tell_damage(&archive);
        match archive.listed().is_empty() {
            true => Err(self.nothing_in(&archive)),
            false => Ok(archive),
        }
    }

    /// Says why a history without a record is none: it was never begun, or nothing of it can be read.
    fn nothing_in(&self, archive: &Archive) -> CommandError {
        let name = &self.name;
        if archive.damaged().is_empty() {
            return CommandError::new(Exit::NothingMeasured, NOT_READ)
                .because(format!("the {name} holds no record"))
                .hint("begin one: `tripline record`");
        }
        CommandError::new(Exit::BadInput, NOT_READ)
            .because(format!("no record of the {name} can be read"))
            .hint("go back to a commit of it before the damage")
    }

    /// Reads one block of a segment.
    pub(crate) fn block(&self, path: &str) -> Result<Vec<u8>, String> {
        let missing = || "it is missing".to_owned();
        match &self.place {
            Place::Folder(files) => {
                let file = files.get(path).ok_or_else(missing)?;
                fs::read(file).map_err(|error| error.to_string())
            }
            Place::Branch(root, ids) => {
                let id = ids.get(path).ok_or_else(missing)?;
                git(root, &["cat-file", "blob", id], &[])
            }
        }
    }

    /// Reads some files, all at once. It is one function whoever asks: a copy of it for each would only be more code.
    pub(crate) fn contents(&self, is_wanted: &dyn Fn(&str) -> bool) -> Outcome<Contents> {
        match &self.place {
            Place::Folder(files) => {
                let mut contents = Contents::new();
                for (path, file) in files.iter().filter(|(path, _)| is_wanted(path)) {
                    let bytes = fs::read(file);
                    let bytes =
                        bytes.map_err(|error| failed(format!("`{}`: {error}", file.display())))?;
                    contents.insert(path.clone(), bytes);
                }
                Ok(contents)
            }
            Place::Branch(root, ids) => {
                let wanted = ids.iter().filter(|(path, _)| is_wanted(path));
                let wanted: Vec<(&String, &String)> = wanted.collect();
                let share = wanted.len().div_ceil(GITS).max(SHARE_MIN);
                let read = std::thread::scope(|scope| {
                    let asked = wanted.chunks(share);
                    let asked: Vec<_> = asked
                        .map(|some| scope.spawn(move || of_branch(root, some)))
                        .collect();
                    let read = asked.into_iter().map(|thread| {
                        let files = thread.join();
                        files.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                    });
                    read.collect::<Outcome<Vec<_>>>()
                })?;
                let mut contents = Contents::new();
                contents.extend(read.into_iter().flatten());
                Ok(contents)
            }
        }
    }
}

/// Makes the index of a history of all its files but the blocks of segments.
fn index_of(files: &Contents) -> Archive {
    Archive::index(pairs(files))
}

fn pairs(files: &Contents) -> impl Iterator<Item = (&str, &[u8])> {
    files.iter().map(|(path, bytes)| (&**path, &**bytes))
}

/// Has git read some files, each with its id.
fn of_branch(root: &Path, wanted: &[(&String, &String)]) -> Outcome<Vec<(String, Vec<u8>)>> {
    let questions = wanted.iter().map(|(_, id)| format!("{id}\n"));
    let questions: String = questions.collect();
    let given = git_reading(root, &["cat-file", "--batch"], questions.as_bytes(), &[]);
    let given = given.map_err(failed)?;
    let contents = answers(&given, wanted.len());
    let contents = contents.ok_or_else(|| failed("git did not give every file".to_owned()))?;
    let files = wanted.iter().zip(contents);
    Ok(files
        .map(|((path, _), bytes)| ((*path).clone(), bytes.to_vec()))
        .collect())
}

fn tell_damage(archive: &Archive) {
    for damage in archive.damaged() {
        let text = format!("warning: `{}` is left out: {}", damage.path, damage.why);
        talk::say(&talk::shown(&text));
    }
}

fn failed(why: String) -> CommandError {
    CommandError::new(Exit::BadInput, NOT_READ).because(why)
}

/// Lists the files below a folder, by their path from its top.
fn collect(
    folder: &Path,
    above: &str,
    files: &mut BTreeMap<String, PathBuf>,
) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| *name != ".git") else {
            continue;
        };
        let path = format!("{above}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            files.insert(path, entry.path());
        }
    }
    Ok(())
}

/// Returns where a branch of data ends, as far as this clone knows it.
pub(crate) fn end(root: &Path, branch: &Branch) -> Option<CommitId> {
    tip(root, branch).and_then(|id| id.parse().ok())
}

fn tip(root: &Path, branch: &Branch) -> Option<String> {
    let names = [
        format!("refs/remotes/origin/{}", branch.as_str()),
        branch.reference(),
    ];
    for name in &names {
        let args = [
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{name}^{{commit}}"),
        ];
        if let Ok(id) = git(root, &args, &[]) {
            return Some(String::from_utf8_lossy(&id).trim().to_owned());
        }
    }
    None
}

fn no_branch(branch: &Branch) -> CommandError {
    CommandError::new(Exit::NothingMeasured, NOT_READ)
        .because(format!("there is no branch `{branch}` in this clone"))
        .hint(format!(
            "fetch it: `git fetch origin {branch}:refs/remotes/origin/{branch}`"
        ))
}

/// Returns path and id of a line of `git ls-tree`, if it is a file.
fn blob(line: &str) -> Option<(String, String)> {
    let (about, path) = line.split_once('\t')?;
    let mut words = about.split(' ');
    let is_file = matches!(words.next()?, "100644" | "100755");
    let id = words.nth(1)?;
    is_file.then(|| (path.to_owned(), id.to_owned()))
}

/// Takes the answers of `git cat-file --batch` apart: a line that ends in a size, so many bytes, and a line's end.
fn answers(mut bytes: &[u8], count: usize) -> Option<Vec<&[u8]>> {
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head = str::from_utf8(&bytes[..end]).ok()?;
        let size: usize = head.rsplit(' ').next()?.parse().ok()?;
        let rest = &bytes[end + 1..];
        all.push(rest.get(..size)?);
        bytes = rest.get(size + 1..)?;
    }
    Some(all)
}
