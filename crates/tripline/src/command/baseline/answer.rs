//! `tripline baseline answer`: does what a comment on a pull request asks for.
//!
//! Nothing of the pull request is run or checked out: what got worse stands in the report that was published on it, and
//! what was accepted there before is read as a file of its branch. The acceptance is one commit on that branch, and the
//! answer is a reaction. Who asks must be allowed to write, and the branch must be the repository's own.
//!
//! Tested by the plays of the workflows.

mod request;

use tripline_hub::git::{Change, FilePath, Identity, NewFile};
use tripline_hub::issue::{self, Reaction};
use tripline_hub::pulls::{self, OpenPull};
use tripline_hub::{Client, Effect, Event, Login, comment, contents};
use tripline_model::{Acceptances, CommitId, Report, SuiteName, wire};

use self::request::Request;
use super::super::publish::{bot, fetched, set};
use super::taking::Wanted;
use crate::accepted;
use crate::actions::{Job, hub_failed, say_planned};
use crate::cli::BaselineAnswer;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::project::Project;
use crate::talk;

const NOT_DONE: &str = "nothing was accepted";

/// What was asked, where, and by whom.
struct Asked {
    pull: u64,
    /// The comment, which is answered by a reaction; by hand there is none.
    comment: Option<u64>,
    who: Login,
    text: String,
}

/// What comes of it: a commit, or a reason why there is none.
enum Answer {
    Commit(Effect, String),
    No(Reaction, String),
}

pub(super) fn run(project: &Project, args: &BaselineAnswer) -> Outcome<Exit> {
    let job = Job::here(NOT_DONE)?;
    let Some(asked) = asked(&job)? else {
        talk::data("the comment asks for nothing\n")?;
        return Ok(Exit::Pass);
    };
    let client = job.client(NOT_DONE)?;
    let (commit, reaction, said) = match answer(project, &client, &asked)? {
        Answer::Commit(commit, said) => (Some(commit), Reaction::ThumbsUp, said),
        Answer::No(reaction, why) => (None, reaction, why),
    };
    let react = asked
        .comment
        .map(|comment| Effect::React { comment, reaction });
    let effects: Vec<Effect> = commit.into_iter().chain(react).collect();
    talk::data(&talk::shown(&format!("{said}\n")))?;
    if args.dry_run {
        say_planned(&effects)?;
    } else {
        job.carry_out(&effects, Some(project.root()))?;
    }
    Ok(Exit::Pass)
}

/// Returns what the event asks for, if anything.
fn asked(job: &Job) -> Outcome<Option<Asked>> {
    let usage = |why: &str| CommandError::new(Exit::Usage, NOT_DONE).because(why.to_owned());
    match &job.context.event {
        Event::IssueComment(comment) => {
            let is_ours = comment.is_on_pull && comment.body.starts_with("/tripline ");
            Ok(is_ours.then(|| Asked {
                pull: comment.issue,
                comment: Some(comment.id),
                who: comment.author.clone(),
                text: comment.body.clone(),
            }))
        }
        Event::WorkflowDispatch(inputs) => {
            let input = |name: &str| inputs.get(name).map_or("", String::as_str);
            let who = job
                .context
                .actor
                .as_ref()
                .map(|actor| actor.as_str().parse());
            let Some(Ok(who)) = who else {
                return Err(usage("the runner does not say who started it"));
            };
            let Ok(pull) = input("pull").parse() else {
                return Err(usage("the input `pull` is no number"));
            };
            let text = input("command").to_owned();
            Ok(Some(Asked {
                pull,
                comment: None,
                who,
                text,
            }))
        }
        _ => Err(usage("it was started neither by a comment nor by hand")),
    }
}

/// Finds out what is to be done; writes nothing.
fn answer(project: &Project, client: &Client, asked: &Asked) -> Outcome<Answer> {
    let no = |why: String| Ok(Answer::No(Reaction::ThumbsDown, why));
    if !issue::permission(client, &asked.who)
        .map_err(hub_failed)?
        .may_write()
    {
        return no(format!("{} may not write to this repository", asked.who));
    }
    let request = match Request::read(&asked.text) {
        Ok(request) => request,
        Err(why) => {
            let why = format!("not understood: {why}; the form is: {}", request::FORM);
            return Ok(Answer::No(Reaction::Confused, why));
        }
    };
    let pull = pulls::by_number(client, asked.pull).map_err(hub_failed)?;
    let Some(pull) = pull.filter(|pull| pull.is_of_repository) else {
        return no("the pull request is closed, or its branch is on a fork".to_owned());
    };
    let told = comment::standing(client, pull.number, &set(), &bot()).map_err(hub_failed)?;
    let Some(told) = told.filter(|told| told.head == pull.head) else {
        return no("its last commit has no report yet".to_owned());
    };
    let reports = fetched(client, told.run)?;
    let (files, lines) = accepted_files(project, client, (&request, &asked.who), &pull, &reports)?;
    if files.is_empty() {
        return no("nothing that got worse is meant".to_owned());
    }
    let message = format!(
        "Accept {}\n\n{} asks for it: {}",
        request.benchmark, asked.who, request.because
    );
    let change = Change::new(files, message, Identity::actions_bot());
    let change =
        change.map_err(|error| CommandError::new(Exit::BadInput, NOT_DONE).because(error))?;
    let OpenPull {
        branch, head: tip, ..
    } = pull;
    Ok(Answer::Commit(
        Effect::Extend {
            branch,
            tip,
            change,
        },
        lines,
    ))
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
