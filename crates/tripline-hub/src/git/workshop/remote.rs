//! What happens between the workshop and the remote: questions, and the push.
//!
//! No more is fetched than the newest commit of a branch and its folders, without what is in the files: a branch with ten
//! thousand runs behind it costs as much as one with ten.

use std::time::Duration;

use super::{Expected, Workshop};
use crate::git::error::Why;
use crate::git::program::Answer;
use crate::git::reach::REMOTE;
use crate::git::refusal::{Setback, has_answered, of_push, of_question};
use crate::{Branch, CommitId};

/// Where the newest commit of the branch is kept.
const TIP: &str = "refs/tripline/tip";
/// Where the commit to build on is kept.
const BASE: &str = "refs/tripline/base";

/// What git says when a branch is not there.
const NO_BRANCH: &str = "couldn't find remote ref";
/// What a remote says when a commit is not there, with the new protocol and the old.
const NO_COMMIT: &[&str] = &["not our ref", "unadvertised object"];

impl Workshop<'_> {
    /// Fetches the end of a branch, if the remote has the branch.
    pub(in crate::git) fn fetch_tip(
        &self,
        branch: &Branch,
        time: Duration,
    ) -> Result<Option<CommitId>, Setback> {
        let tip = format!("+{}:{TIP}", branch.reference());
        let answer = self.fetch(&[&tip], time)?;
        let words = String::from_utf8_lossy(&answer.err);
        let is_there = answer.is_success;
        if !is_there && !words.contains(NO_BRANCH) {
            return Err(of_question("fetch", &words, self.said(&answer)).into());
        }
        // What was in doubt is seen now, or is not there.
        self.is_in_doubt.set(false);
        Ok(is_there.then(|| self.resolve(TIP)).transpose()?)
    }

    /// Fetches the commit to build on, and the end of the branch if the remote has it.
    pub(in crate::git) fn fetch_base(
        &self,
        base: &CommitId,
        branch: Option<&Branch>,
        time: Duration,
    ) -> Result<Option<CommitId>, Setback> {
        let mut wanted = vec![format!("+{base}:{BASE}")];
        wanted.extend(branch.map(|branch| format!("+{}:{TIP}", branch.reference())));
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let answer = self.fetch(&wanted, time)?;
        if answer.is_success {
            self.is_in_doubt.set(false);
            return Ok(branch.map(|_| self.resolve(TIP)).transpose()?);
        }
        let said = self.said(&answer);
        let words = String::from_utf8_lossy(&answer.err);
        let why = if NO_COMMIT.iter().any(|word| words.contains(word)) {
            let base = base.clone();
            Why::NoBase { base, said }
        } else if words.contains(NO_BRANCH) {
            // It was there a moment ago.
            Why::Overtaken { said }
        } else {
            of_question("fetch", &words, said)
        };
        Err(why.into())
    }

    fn fetch(&self, wanted: &[&str], time: Duration) -> Result<Answer, Why> {
        let how = [
            "fetch",
            "--quiet",
            "--depth=1",
            "--filter=blob:none",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--",
            REMOTE,
        ];
        self.far(&[&how, wanted].concat(), time)
    }

    /// Returns the default branch of the remote, as a reference, and whether it has a branch.
    pub(in crate::git) fn ask(
        &self,
        branch: &Branch,
        time: Duration,
    ) -> Result<(Option<String>, bool), Setback> {
        let reference = branch.reference();
        let how = ["ls-remote", "--quiet", "--symref", "--", REMOTE];
        let answer = self.far(&[&how[..], &["HEAD", &reference]].concat(), time)?;
        if !answer.is_success {
            let words = String::from_utf8_lossy(&answer.err);
            return Err(of_question("ls-remote", &words, self.said(&answer)).into());
        }
        let out = String::from_utf8_lossy(&answer.out);
        let mut lines = out.lines().filter_map(|line| line.split_once('\t'));
        let is_there = lines.clone().any(|(_, name)| name == reference);
        let head = lines.find(|(what, name)| *name == "HEAD" && what.starts_with("ref: "));
        let default = head.map(|(what, _)| what.trim_start_matches("ref: ").to_owned());
        Ok((default, is_there))
    }

    /// Pushes a commit to a branch.
    pub(in crate::git) fn push(
        &self,
        commit: &CommitId,
        branch: &Branch,
        expected: &Expected,
        time: Duration,
    ) -> Result<(), Setback> {
        let reference = branch.reference();
        let lease = match expected {
            Expected::Ancestor => None,
            Expected::Tip(tip) => Some(format!("--force-with-lease={reference}:{tip}")),
            Expected::Nothing => Some(format!("--force-with-lease={reference}:")),
        };
        let what = format!("{commit}:{reference}");
        let mut args = vec![
            "push",
            "--porcelain",
            "--no-verify",
            "--no-signed",
            "--recurse-submodules=no",
        ];
        args.extend(lease.as_deref());
        args.extend(["--", REMOTE, &what]);
        self.is_in_doubt.set(true);
        let answer = self.far(&args, time)?;
        if answer.is_success {
            return Ok(());
        }
        let report = String::from_utf8_lossy(&answer.out);
        let words = String::from_utf8_lossy(&answer.err);
        let why = of_push(&report, &words, self.said(&answer));
        self.is_in_doubt.set(!has_answered(&report, &why));
        Err(why.into())
    }
}
