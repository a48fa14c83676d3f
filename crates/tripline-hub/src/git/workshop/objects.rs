//! What happens in the workshop itself: files are kept, looked for, and put into commits, without a work tree.

use std::ffi::OsString;

use super::{Blob, Workshop};
use crate::CommitId;
use crate::git::change::{Change, Identity, NewFile};
use crate::git::error::Why;
use crate::git::file_path::FilePath;
use crate::git::said::Said;

/// A command line has room for so many bytes of paths, and for the rest of it and the environment as much again. It is
/// what every system grants that git runs on.
const PATH_BYTES_PER_CALL: usize = 256 << 10;

/// What a commit has at a path.
#[derive(Debug)]
pub(in crate::git) struct Entry {
    pub(in crate::git) path: String,
    pub(in crate::git) is_file: bool,
    pub(in crate::git) id: String,
}

impl Workshop<'_> {
    /// Keeps files as git does: many in one pack, of which a push then sends what is compressed already.
    pub(super) fn keep<'f>(
        &self,
        files: impl IntoIterator<Item = &'f NewFile>,
    ) -> Result<Vec<Blob>, Why> {
        let files: Vec<&NewFile> = files.into_iter().collect();
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let mut stream = Vec::new();
        for file in &files {
            stream.extend_from_slice(
                format!("blob\nmark :1\ndata {}\n", file.bytes.len()).as_bytes(),
            );
            stream.extend_from_slice(&file.bytes);
            stream.extend_from_slice(b"\nget-mark :1\n");
        }
        // Without a depth each file is set against the one before it, which takes longer than all the rest.
        let ids = self.local(&["fast-import", "--quiet", "--depth=0"], &stream)?;
        let blobs = files.iter().zip(ids.lines()).map(|(file, id)| Blob {
            path: file.path.clone(),
            id: id.to_owned(),
        });
        Ok(blobs.collect())
    }

    /// Returns what a commit has at the paths of some files.
    pub(in crate::git) fn entries_at<'p>(
        &self,
        commit: &CommitId,
        paths: impl Iterator<Item = &'p FilePath>,
    ) -> Result<Vec<Entry>, Why> {
        let mut entries = Vec::new();
        let paths: Vec<&str> = paths.map(FilePath::as_str).collect();
        for paths in for_calls(&paths, |path| path.len()) {
            let mut args = vec!["ls-tree", "-z", "--full-tree", commit.as_str(), "--"];
            args.extend(paths);
            let listing = self.local(&args, &[])?;
            entries.extend(listing.split('\0').filter_map(entry));
        }
        Ok(entries)
    }

    /// Makes a commit of some files on top of another, or of none.
    pub(in crate::git) fn commit(
        &self,
        parent: Option<&CommitId>,
        blobs: &[Blob],
        change: &Change,
    ) -> Result<CommitId, Why> {
        let begin = parent.map_or("--empty", CommitId::as_str);
        self.local(&["read-tree", begin], &[])?;
        let length = |blob: &Blob| blob.id.len() + blob.path.as_str().len();
        for blobs in for_calls(blobs, length) {
            self.put_into_index(blobs)?;
        }
        self.commit_index(parent, change.message(), change.author())
    }

    /// Makes a commit on top of another, without some of its files.
    pub(in crate::git) fn commit_without(
        &self,
        parent: &CommitId,
        paths: &[&str],
        message: &str,
        author: &Identity,
    ) -> Result<CommitId, Why> {
        self.local(&["read-tree", parent.as_str()], &[])?;
        // A mode of zero takes a path out, and the id is not looked at.
        let nothing = "0".repeat(parent.as_str().len());
        let list = paths.iter().map(|path| format!("0 {nothing}\t{path}\0"));
        let remove = ["update-index", "-z", "--index-info"];
        self.local(&remove, list.collect::<String>().as_bytes())?;
        self.commit_index(Some(parent), message, author)
    }

    fn commit_index(
        &self,
        parent: Option<&CommitId>,
        message: &str,
        author: &Identity,
    ) -> Result<CommitId, Why> {
        // What is in the other files stays with the remote.
        let tree = self.local(&["write-tree", "--missing-ok"], &[])?;
        let mut args = vec!["commit-tree", "-F", "-"];
        if let Some(parent) = parent {
            args.extend(["-p", parent.as_str()]);
        }
        args.push(&tree);
        let who = [
            ("GIT_AUTHOR_NAME", author.name()),
            ("GIT_AUTHOR_EMAIL", author.address()),
            ("GIT_COMMITTER_NAME", author.name()),
            ("GIT_COMMITTER_EMAIL", author.address()),
        ];
        let who = who.map(|(name, value)| (name.to_owned(), OsString::from(value)));
        let id = self.local_as(&args, message.as_bytes(), who.into())?;
        self.parsed("commit-tree", &id)
    }

    fn put_into_index(&self, blobs: &[Blob]) -> Result<(), Why> {
        let entries = blobs
            .iter()
            .map(|blob| format!("100644,{},{}", blob.id, blob.path));
        let entries: Vec<String> = entries.collect();
        let mut args = vec!["update-index", "--add"];
        for entry in &entries {
            args.extend(["--cacheinfo", entry]);
        }
        match self.local(&args, &[]) {
            Err(Why::Failed { said, .. }) if said.says("as both a file and as a directory") => {
                Err(Why::FileAndFolder { said })
            }
            done => done.map(drop),
        }
    }

    /// Returns the id of a commit's top folder: two with one id have the same files.
    pub(in crate::git) fn tree_of(&self, commit: &CommitId) -> Result<String, Why> {
        let tree = format!("{commit}^{{tree}}");
        self.local(&["rev-parse", "--verify", &tree], &[])
    }

    /// Returns the commit that a reference of ours names.
    pub(super) fn resolve(&self, reference: &str) -> Result<CommitId, Why> {
        let id = self.local(&["rev-parse", "--verify", reference], &[])?;
        self.parsed("rev-parse", &id)
    }

    fn parsed(&self, verb: &str, id: &str) -> Result<CommitId, Why> {
        id.parse().map_err(|error: crate::NameError| Why::Failed {
            verb: verb.to_owned(),
            said: Said::new(error.to_string().as_bytes(), &self.reach.secrets),
        })
    }
}

/// Splits what is named on command lines into as few as have room for it.
fn for_calls<T>(all: &[T], length: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    /// What stands between two: an option, a mode, and the byte that ends each.
    const BETWEEN: usize = 24;
    let with_rest = move |one: &T| length(one) + BETWEEN;
    let mut used = all.first().map_or(0, &with_rest);
    all.chunk_by(move |_, next| {
        let more = with_rest(next);
        used += more;
        if used > PATH_BYTES_PER_CALL {
            used = more;
            return false;
        }
        true
    })
}

/// Reads one entry of a listing: mode, kind, id, a tab and the path.
fn entry(text: &str) -> Option<Entry> {
    let (about, path) = text.split_once('\t')?;
    let mut about = about.split(' ').skip(1);
    Some(Entry {
        path: path.to_owned(),
        is_file: about.next()? == "blob",
        id: about.next()?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{PATH_BYTES_PER_CALL, for_calls};

    #[test]
    fn a_call_names_as_much_as_has_room_and_nothing_is_left_out() {
        let long = PATH_BYTES_PER_CALL / 4;
        let cases: [(&[usize], &[usize]); 4] = [
            (&[], &[]),
            (&[1; 1000], &[1000]),
            (&[long; 5], &[3, 2]),
            (&[long * 5, 1, 1], &[1, 2]),
        ];
        for (lengths, expected) in cases {
            let calls: Vec<usize> = for_calls(lengths, |length| *length)
                .map(<[_]>::len)
                .collect();
            assert_eq!(calls, expected, "{lengths:?}");
        }
    }
}
