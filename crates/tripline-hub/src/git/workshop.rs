//! The workshop: a bare repository in a temporary folder, in which commits are made and from which they are pushed.
//!
//! It sees no settings but ours and those that lead to the remote, and only the commands that talk to the remote see the
//! latter. With its folder, all of it is gone.
//!
//! Tested by `tests/hub/git`.

mod objects;
mod remote;

use std::cell::Cell;
use std::ffi::OsString;
use std::time::Duration;

use tempfile::TempDir;

use super::change::NewFile;
use super::error::{NotPushed, Why};
use super::file_path::FilePath;
use super::program::{Answer, Call, Surroundings, as_variables, value, verb};
use super::reach::Reach;
use super::refusal::Setback;
use super::said::Said;
use super::tries::Try;
use super::{Place, Pushed};
use crate::{Branch, CommitId};

/// Nothing that happens on this machine alone takes longer.
const LOCAL_TIME_MAX: Duration = Duration::from_secs(120);

/// Settings of every command, the same on every machine.
const OURS: &[(&str, &str)] = &[
    ("core.hooksPath", "/dev/null"),
    ("core.protectHFS", "true"),
    ("core.protectNTFS", "true"),
    ("commit.gpgSign", "false"),
    ("push.gpgSign", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("advice.pushUpdateRejected", "false"),
    // What is pushed are new small files that share little. Looking for what they share takes longer than all the rest.
    ("pack.window", "0"),
    // The hardest compression takes five times as long and saves a tenth; the remote packs anew when it sees fit.
    ("core.compression", "1"),
    // A connection that stands still is a failure, after which we try again.
    ("http.lowSpeedLimit", "1000"),
    ("http.lowSpeedTime", "30"),
];

/// A file as git keeps it.
#[derive(Debug, Clone)]
pub(super) struct Blob {
    pub(super) path: FilePath,
    pub(super) id: String,
}

/// What is expected of the branch that is pushed to.
#[derive(Debug, Clone)]
pub(super) enum Expected {
    /// It is added to, whatever it is.
    Ancestor,
    /// It ends in this commit, and is replaced.
    Tip(CommitId),
    /// It is not there.
    Nothing,
}

/// A bare repository of our own.
#[derive(Debug)]
pub(super) struct Workshop<'a> {
    place: &'a Place<'a>,
    reach: Reach,
    room: TempDir,
    /// Whether the remote may have taken what we pushed, although its answer did not come.
    is_in_doubt: Cell<bool>,
}

impl<'a> Workshop<'a> {
    /// Tries to push something, each time in the same workshop, and says what came of it.
    pub(super) fn work<'f>(
        place: &Place<'_>,
        branch: &Branch,
        what: String,
        files: impl IntoIterator<Item = &'f NewFile>,
        mut once: impl FnMut(&Workshop<'_>, &[Blob], Try) -> Result<Pushed, Setback>,
    ) -> Result<Pushed, NotPushed> {
        let failed = |why, is_in_doubt| NotPushed {
            branch: branch.clone(),
            what: what.clone(),
            is_in_doubt,
            why,
        };
        let workshop = Workshop::open(place).map_err(|why| failed(why, false))?;
        let blobs = workshop.keep(files);
        let blobs = blobs.map_err(|why| failed(why, false))?;
        let tries = place.tries;
        let done = tries.with(place.clock, |attempt| once(&workshop, &blobs, attempt));
        done.map_err(|why| failed(why, workshop.is_in_doubt.get()))
    }

    /// Finds out how the remote is reached, and makes an empty repository.
    fn open(place: &'a Place<'a>) -> Result<Self, Why> {
        let workshop = Self {
            place,
            reach: Reach::of(place)?,
            room: TempDir::with_prefix("tripline-push-").map_err(Why::NoRoom)?,
            is_in_doubt: Cell::new(false),
        };
        let init = [
            "init",
            "--quiet",
            "--bare",
            "--template=",
            "--initial-branch=none",
        ];
        workshop.local(&init, &[])?;
        Ok(workshop)
    }

    /// Runs a command that stays on this machine, and returns what it printed.
    fn local(&self, args: &[&str], input: &[u8]) -> Result<String, Why> {
        self.local_as(args, input, Vec::new())
    }

    /// Does so with some more variables.
    fn local_as(
        &self,
        args: &[&str],
        input: &[u8],
        more: Vec<(String, OsString)>,
    ) -> Result<String, Why> {
        let mut variables = self.variables(&[]);
        variables.extend(more);
        let answer = self.run(args, input, variables, LOCAL_TIME_MAX)?;
        if answer.is_success {
            return Ok(String::from_utf8_lossy(&answer.out).trim_end().to_owned());
        }
        let verb = verb(args);
        let said = self.said(&answer);
        Err(Why::Failed { verb, said })
    }

    /// Runs a command that talks to the remote.
    fn far(&self, args: &[&str], time: Duration) -> Result<Answer, Why> {
        let mut variables = self.variables(&self.reach.settings);
        if self.place.token.is_some() {
            // A wrong token is an error, not a reason to ask somebody.
            let nobody = ["GIT_ASKPASS", "SSH_ASKPASS"];
            variables.extend(nobody.map(|name| (name.to_owned(), OsString::new())));
        }
        self.run(args, &[], variables, time)
    }

    fn run(
        &self,
        args: &[&str],
        input: &[u8],
        variables: Vec<(String, OsString)>,
        time: Duration,
    ) -> Result<Answer, Why> {
        self.place.git.run(&Call {
            args,
            folder: &self.reach.folder,
            surroundings: Surroundings::Ours,
            variables,
            input,
            time,
        })
    }

    /// Returns the variables that lead git here, with our settings and some more.
    fn variables(&self, more: &[(String, String)]) -> Vec<(String, OsString)> {
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let settings: Vec<_> = OURS.iter().map(owned).chain(more.iter().cloned()).collect();
        let mut variables = as_variables(&settings);
        let room = self.room.path();
        let here = [
            ("GIT_DIR", value(room)),
            ("GIT_INDEX_FILE", value(&room.join("index"))),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
            ("GIT_LITERAL_PATHSPECS", "1".into()),
        ];
        variables.extend(here.map(|(name, value)| (name.to_owned(), value)));
        variables
    }

    /// Returns the words of git, safe to repeat, and what it reports of a push that was refused.
    fn said(&self, answer: &Answer) -> Said {
        let report = String::from_utf8_lossy(&answer.out);
        let refused = report.lines().filter(|line| line.starts_with('!'));
        let mut words = answer.err.clone();
        for line in refused {
            words.extend_from_slice(b"\n");
            words.extend_from_slice(line.replace('\t', " ").as_bytes());
        }
        Said::new(&words, &self.reach.secrets)
    }
}
