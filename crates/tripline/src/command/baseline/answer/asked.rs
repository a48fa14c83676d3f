//! Who asks for what, and where: out of the event, and whether it still stands.
//!
//! The event tells what was written; by the time we act, it may have been edited or taken back. Tested by
//! `tests/it/publish/answer`.

use tripline_hub::{Client, Event, Login, issue};

use super::NOT_DONE;
use crate::actions::{Job, hub_failed};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// How a comment begins that asks for something.
const START: &str = "/tripline ";

/// What was asked, where, and by whom.
pub(super) struct Asked {
    /// The number of the pull request.
    pub(super) pull: u64,
    /// The comment, which is answered where it stands; by hand there is none.
    pub(super) comment: Option<u64>,
    /// Who asks.
    pub(super) who: Login,
    /// What for.
    pub(super) text: String,
}

/// What became of a request since it was made.
pub(super) enum Since {
    /// It stands as it was.
    Same,
    /// It says something else.
    Edited,
    /// It was taken back.
    Gone,
}

impl Asked {
    /// Returns what the event asks for, if anything.
    pub(super) fn of(job: &Job) -> Outcome<Option<Self>> {
        let usage = |why: &str| CommandError::new(Exit::Usage, NOT_DONE).because(why.to_owned());
        match &job.context.event {
            Event::IssueComment(comment) => {
                let is_ours = comment.is_on_pull && comment.body.starts_with(START);
                Ok(is_ours.then(|| Self {
                    pull: comment.issue,
                    comment: Some(comment.id),
                    who: comment.author.clone(),
                    text: comment.body.clone(),
                }))
            }
            Event::WorkflowDispatch(inputs) => {
                let input = |name: &str| inputs.get(name).map_or("", String::as_str);
                let actor = job.context.actor.as_ref();
                let Some(Ok(who)) = actor.map(|actor| actor.as_str().parse()) else {
                    return Err(usage("the runner does not say who started it"));
                };
                let Ok(pull) = input("pull").parse() else {
                    return Err(usage("the input `pull` is no number"));
                };
                let text = input("command").to_owned();
                Ok(Some(Self {
                    pull,
                    comment: None,
                    who,
                    text,
                }))
            }
            _ => Err(usage("it was started neither by a comment nor by hand")),
        }
    }

    /// Finds out what became of it. Ask this after the work and right before the first write.
    pub(super) fn since(&self, client: &Client) -> Outcome<Since> {
        let Some(comment) = self.comment else {
            return Ok(Since::Same);
        };
        let now = issue::remark(client, comment).map_err(hub_failed)?;
        Ok(match now {
            None => Since::Gone,
            Some(now) if now.body == self.text && now.author.as_ref() == Some(&self.who) => {
                Since::Same
            }
            Some(_) => Since::Edited,
        })
    }
}
