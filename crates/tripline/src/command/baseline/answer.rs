//! `tripline baseline answer`: does what a comment on a pull request asks for.
//!
//! Nothing of the pull request is run or checked out: what got worse stands in the report that the request names, and
//! what was accepted before is read as a file of the branch. The acceptance is one commit on that branch. Who asks must
//! be allowed to write, and the branch must be the repository's own.
//!
//! What is taken is what was seen. A request names the report that was read by its number, which stands for an upload
//! that nobody can change; that upload must be of the commit the pull request is at, but for acceptances that came on top
//! of it (`since`); and the request must still say what it said. So no push, no second run and no edit slips something
//! else in between reading and asking. What was accepted since that report stays as it is, with its reason; and where
//! somebody pushes between our reading and our pushing, all is read and thought of again.
//!
//! Whatever becomes of it is answered where it was asked (`reply`), also what fails. Tested by
//! `tests/it/publish/answer`, and by the plays of the workflows.

mod asked;
mod files;
mod reply;
mod request;
mod since;

use tripline_hub::artifact::AsGood;
use tripline_hub::git::{Change, Identity, NewFile};
use tripline_hub::pulls::{self, OpenPull};
use tripline_hub::{Client, Effect, issue};

use self::asked::{Asked, Since};
use self::files::{Accepted, Heads};
use self::reply::{End, Reply};
use self::request::Request;
use super::super::publish::numbered;
use crate::actions::{Job, hub_failed, say_planned};
use crate::cli::BaselineAnswer;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::talk;

const NOT_DONE: &str = "nothing was accepted";

/// How often all is thought of where others push at the same moment. Each time takes several requests, which is pause enough.
const TRIES_MAX: usize = 5;

/// What comes of a request: perhaps a commit, and what is said.
struct Answer {
    commit: Option<Effect>,
    reply: Reply,
}

impl Answer {
    fn no(end: End, why: impl Into<String>) -> Self {
        Self::none(Reply::new(end, why))
    }

    /// Nothing is to be committed.
    fn none(reply: Reply) -> Self {
        Self {
            commit: None,
            reply,
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
    let (answer, mut failed) = match done(project, (&job, &client), &asked, args) {
        Ok(Some(answer)) => (answer, None),
        Ok(None) => {
            talk::data("the comment is gone: nothing was accepted\n")?;
            return Ok(Exit::Pass);
        }
        Err(error) => (Answer::none(Reply::failed(&error)), Some(error)),
    };
    let told = answer.reply.effects(&job.context, &asked);
    if args.dry_run {
        say_planned(&answer.commit.into_iter().chain(told).collect::<Vec<_>>())?;
    } else if let Err(error) = job.carry_out(&told, None) {
        // What went wrong first is the reason; that it could not be told comes second.
        match &failed {
            Some(_) => talk::complain(&error),
            None => failed = Some(error),
        }
    }
    match failed {
        Some(error) => Err(error),
        None => {
            talk::data(&talk::shown(&format!("{}\n", answer.reply.words)))?;
            Ok(Exit::Pass)
        }
    }
}

/// Does what is asked for, if it still is; where somebody else pushed, all is thought of again. A dry run stops before the
/// commit.
fn done(
    project: &Project,
    (job, client): (&Job, &Client),
    asked: &Asked,
    args: &BaselineAnswer,
) -> Outcome<Option<Answer>> {
    let mut tries = 1;
    loop {
        let answer = standing(project, client, asked)?;
        let planned = answer.as_ref().and_then(|answer| answer.commit.as_ref());
        let Some(commit) = planned.filter(|_| !args.dry_run) else {
            return Ok(answer);
        };
        match job.push_unless_overtaken(commit, project.root())? {
            Ok(()) => return Ok(answer),
            Err(error) if tries == TRIES_MAX => return Err(error),
            Err(_) => tries += 1,
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
    let (of, reports) = match numbered(client, request.report, heads, NOT_DONE)? {
        Ok(found) => found,
        Err(why) => {
            let number = request.report;
            return no(format!(
                "report {number} is none to accept from: {why}\nread the newest report of this pull request, and ask again \
                 with its number"
            ));
        }
    };
    let heads = Heads {
        report: &of,
        branch: &pull.head,
    };
    let who = (&request, &asked.who);
    let Accepted { files, words } = files::accepted(project, client, who, heads, &reports)?;
    if words.is_empty() {
        let (benchmark, number) = (&request.benchmark, request.report);
        return no(format!(
            "nothing that got worse in report {number} is `{benchmark}`"
        ));
    }
    let reply = Reply::new(End::Accepted, words.trim_end());
    if files.is_empty() {
        return Ok(Answer::none(reply));
    }
    let message = format!(
        "Accept {}\n\n{} asks for it: {}",
        request.benchmark, asked.who, request.because
    );
    Ok(Answer {
        commit: Some(commit(pull, files, message)?),
        reply,
    })
}

fn commit(pull: OpenPull, files: Vec<NewFile>, message: String) -> Outcome<Effect> {
    let change = Change::new(files, message, Identity::actions_bot());
    let change = change.map_err(bad)?;
    Ok(Effect::Extend {
        branch: pull.branch,
        tip: pull.head,
        change,
    })
}

fn bad(error: impl std::error::Error + Send + Sync + 'static) -> CommandError {
    CommandError::new(Exit::BadInput, NOT_DONE).because(error)
}
