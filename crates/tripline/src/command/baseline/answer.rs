//! `tripline baseline answer`: does what a comment on a pull request asks for.
//!
//! Nothing of the pull request is run or checked out: what got worse stands in the report that the request names, and
//! what was accepted before is read as a file of the branch. The acceptance is one commit on that branch. Who asks must
//! be allowed to write, and the branch must be the repository's own.
//!
//! What is taken is what was seen. A request names the report that was read by its number, which stands for an upload
//! that nobody can change; that upload must be of the commit the pull request is at, but for acceptances that came on top
//! of it (`since`); and the request must still say what it said. So no push, no second run and no edit slips something
//! else in between reading and asking.
//!
//! Whatever becomes of it is answered where it was asked (`reply`), also what fails. Tested by
//! `tests/it/publish/answer`, and by the plays of the workflows.

mod asked;
mod reply;
mod request;
mod since;

use tripline_hub::artifact::AsGood;
use tripline_hub::git::{Change, FilePath, Identity, NewFile};
use tripline_hub::pulls::{self, OpenPull};
use tripline_hub::{Client, Effect, Login, contents, issue};
use tripline_model::{Acceptances, CommitId, Report, SuiteName, wire};

use self::asked::{Asked, Since};
use self::reply::{End, Reply};
use self::request::Request;
use super::super::publish::numbered;
use super::taking::Wanted;
use crate::accepted;
use crate::actions::{Job, hub_failed, say_planned};
use crate::cli::BaselineAnswer;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::talk;

const NOT_DONE: &str = "nothing was accepted";

/// What comes of a request: perhaps a commit, and what is said.
struct Answer {
    commit: Option<Effect>,
    reply: Reply,
}

impl Answer {
    fn no(end: End, why: impl Into<String>) -> Self {
        Self {
            commit: None,
            reply: Reply::new(end, why),
        }
    }
}

pub(super) fn run(project: &Project, args: &BaselineAnswer) -> Outcome<Exit> {
    let job = Job::here(NOT_DONE)?;
    let Some(asked) = Asked::of(&job)? else {
        talk::data("the comment asks for nothing\n")?;
        return Ok(Exit::Pass);
    };
    let client = job.client(NOT_DONE)?;
    let (commit, mut reply, mut failed) = match standing(project, &client, &asked) {
        Ok(Some(Answer { commit, reply })) => (commit, reply, None),
        Ok(None) => {
            talk::data("the comment is gone: nothing was accepted\n")?;
            return Ok(Exit::Pass);
        }
        Err(error) => (None, Reply::failed(&error), Some(error)),
    };
    if args.dry_run {
        let told = reply.effects(&job.context, &asked);
        say_planned(&commit.into_iter().chain(told).collect::<Vec<_>>())?;
    } else {
        let commit: Vec<Effect> = commit.into_iter().collect();
        if let Err(error) = job.carry_out(&commit, Some(project.root())) {
            reply = Reply::failed(&error);
            failed = Some(error);
        }
        if let Err(error) = job.carry_out(&reply.effects(&job.context, &asked), None) {
            // What went wrong first is the reason; that it could not be told comes second.
            match &failed {
                Some(_) => talk::complain(&error),
                None => failed = Some(error),
            }
        }
    }
    match failed {
        Some(error) => Err(error),
        None => {
            talk::data(&talk::shown(&format!("{}\n", reply.words)))?;
            Ok(Exit::Pass)
        }
    }
}

/// Finds out what is to be done, and whether it is still asked for; nothing, where it was taken back.
fn standing(project: &Project, client: &Client, asked: &Asked) -> Outcome<Option<Answer>> {
    let answer = answer(project, client, asked)?;
    Ok(match asked.since(client)? {
        Since::Same => Some(answer),
        Since::Edited => Some(Answer::no(
            End::Refused,
            "the request was edited after it was made: write a new one",
        )),
        Since::Gone => None,
    })
}

/// Finds out what is to be done; writes nothing.
fn answer(project: &Project, client: &Client, asked: &Asked) -> Outcome<Answer> {
    let no = |why: String| Ok(Answer::no(End::Refused, why));
    if !issue::permission(client, &asked.who)
        .map_err(hub_failed)?
        .may_write()
    {
        let why = "only who may write to this repository can accept a regression";
        return Ok(Answer::no(End::Stranger, why));
    }
    let request = match Request::read(&asked.text) {
        Ok(request) => request,
        Err(why) => {
            let why = format!("{why}\nthe form is: {}", request::FORM);
            return Ok(Answer::no(End::NotUnderstood, why));
        }
    };
    let pull = pulls::by_number(client, asked.pull).map_err(hub_failed)?;
    let Some(pull) = pull.filter(|pull| pull.is_of_repository) else {
        return no(
            "the pull request is closed, or its branch is on a fork; on a fork, accept in a checkout with \
             `tripline baseline accept`"
                .to_owned(),
        );
    };
    let prefix = super::propose::prefix(project.root())?;
    let is_as_good = |of: &_| since::only_acceptances(client, &prefix, (of, &pull.head));
    let heads: (_, AsGood<'_>) = (&pull.head, &is_as_good);
    let reports = match numbered(client, request.report, heads, NOT_DONE)? {
        Ok(reports) => reports,
        Err(why) => {
            let number = request.report;
            return no(format!(
                "report {number} is none to accept from: {why}\nread the newest report of this pull request, and ask again \
                 with its number"
            ));
        }
    };
    let (files, lines) = accepted_files(project, client, (&request, &asked.who), &pull, &reports)?;
    if files.is_empty() {
        let (benchmark, number) = (&request.benchmark, request.report);
        return no(format!(
            "nothing that got worse in report {number} is `{benchmark}`"
        ));
    }
    let message = format!(
        "Accept {}\n\n{} asks for it: {}",
        request.benchmark, asked.who, request.because
    );
    Ok(Answer {
        commit: Some(commit(pull, files, message)?),
        reply: Reply::new(End::Accepted, lines.trim_end()),
    })
}

fn commit(pull: OpenPull, files: Vec<NewFile>, message: String) -> Outcome<Effect> {
    let change = Change::new(files, message, Identity::actions_bot());
    let change =
        change.map_err(|error| CommandError::new(Exit::BadInput, NOT_DONE).because(error))?;
    Ok(Effect::Extend {
        branch: pull.branch,
        tip: pull.head,
        change,
    })
}

/// Returns the files of acceptances as they shall be on the branch of a pull request, and a line for each regression.
fn accepted_files(
    project: &Project,
    client: &Client,
    (request, who): (&Request, &Login),
    pull: &OpenPull,
    reports: &[Report],
) -> Outcome<(Vec<NewFile>, String)> {
    let bad = |error: Box<dyn std::error::Error + Send + Sync>| {
        CommandError::new(Exit::BadInput, NOT_DONE).because(error)
    };
    let commit = CommitId::new(pull.head.as_str()).map_err(|error| bad(error.into()))?;
    // Who took it is known by the account; its address is GitHub's to give.
    let who = format!("{who} <{who}@users.noreply.github.com>");
    let wanted = Wanted {
        benchmark: &request.benchmark,
        metric: request.metric.as_ref(),
        who: &who,
        because: &request.because,
        commit: Some(&commit),
    };
    let (mut files, mut lines) = (Vec::new(), String::new());
    for report in reports {
        // A suite that the default branch does not have is nothing to write beside.
        if project.suite_if_any(&report.suite)?.is_none() {
            continue;
        }
        let path = place_of(project, &report.suite)?;
        let there = contents::file_at(client, &pull.head, &path).map_err(hub_failed)?;
        let mut acceptances = match there {
            Some(bytes) => wire::read_acceptances(&bytes).map_err(|error| bad(error.into()))?,
            None => Acceptances::new(report.suite.clone()),
        };
        let taken = wanted
            .take(report, &mut acceptances)
            .map_err(|error| bad(error.into()))?;
        if !taken.lines.is_empty() {
            lines.push_str(&taken.lines);
            let bytes = wire::write_acceptances(&acceptances).into_bytes();
            files.push(NewFile { path, bytes });
        }
    }
    Ok((files, lines))
}

/// Returns the place of a suite's acceptances from the top of the repository, where the project may lie deeper.
fn place_of(project: &Project, suite: &SuiteName) -> Outcome<FilePath> {
    let place = accepted::place_of(project, suite);
    let below = place.strip_prefix(project.root()).unwrap_or(&place);
    let place = format!(
        "{}{}",
        super::propose::prefix(project.root())?,
        below.display()
    );
    place
        .parse()
        .map_err(|error: tripline_hub::git::ChangeError| {
            CommandError::new(Exit::BadInput, NOT_DONE).because(error)
        })
}
