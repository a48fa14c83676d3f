//! What is said to whoever asked: a reaction, which is seen at once, and a comment, which says why.
//!
//! There is one comment for each request, found and edited when its job runs again. Who may not ask gets the reaction alone,
//! which GitHub makes once however often it is asked and tells nobody about: each request has a job of its own, none of
//! which sees what the others are about to write, so a comment for them would be one for each, and anybody could make us
//! talk. Our own words are Markdown; all else is code within it, and bounded. Who started it by hand reads it on the page
//! of the run, and so does who was given no comment. Tested by `tests/it/publish/answer`.

use tripline_hub::comment::{Comment, Marker};
use tripline_hub::issue::Reaction;
use tripline_hub::{Context, Effect};
use tripline_render::code_block;

use super::super::super::publish::bot;
use super::asked::Asked;
use crate::error::CommandError;

/// The most lines of words that are said, and characters of each.
const LINES_MAX: usize = 40;
const LINE_CHARS_MAX: usize = 300;

/// What has to be done to see the acceptance at work.
const MEASURE_AGAIN: &str = "What else the report says can be accepted from it in the same way. A push by a workflow \
    starts no run: to measure again, close and reopen this pull request, \
    or push to its branch; running the old run again would measure the commit from before.";

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It was done.
    Accepted,
    /// It was understood and not done.
    Refused,
    /// It was not understood.
    NotUnderstood,
    /// Who asked may not.
    Stranger,
    /// Something went wrong on the way.
    Failed,
}

/// What is said about it.
#[derive(Debug)]
pub(super) struct Reply {
    end: End,
    /// What was accepted, or why nothing was.
    pub(super) words: String,
}

impl Reply {
    pub(super) fn new(end: End, words: impl Into<String>) -> Self {
        let words = words.into();
        Self { end, words }
    }

    /// Says that something went wrong.
    pub(super) fn failed(error: &CommandError) -> Self {
        Self::new(End::Failed, error.to_string())
    }

    /// Returns what is to be written where the asker sees it.
    pub(super) fn effects(&self, context: &Context, asked: &Asked) -> Vec<Effect> {
        let text = self.text(context, asked);
        let Some(comment) = asked.comment else {
            return summary(context, text).into_iter().collect();
        };
        let reaction = match self.end {
            End::Accepted => Reaction::ThumbsUp,
            End::Refused | End::Stranger => Reaction::ThumbsDown,
            End::NotUnderstood | End::Failed => Reaction::Confused,
        };
        let reaction = Effect::React { comment, reaction };
        if self.end == End::Stranger {
            return [reaction]
                .into_iter()
                .chain(summary(context, text))
                .collect();
        }
        let name = format!("answer.{comment}");
        let marker = Marker {
            set: name.parse().expect("letters, a dot and digits are a name"),
            // It is about no commit of the pull request; this is the one whose workflow answers.
            head: context.commit.clone(),
            run: context.run,
            is_red: self.end != End::Accepted,
        };
        let words = Comment {
            pull: asked.pull,
            marker,
            author: bot(),
            text,
            after_red: None,
        };
        vec![reaction, Effect::Comment(words)]
    }

    fn text(&self, context: &Context, asked: &Asked) -> String {
        let headline = match self.end {
            End::Accepted => "Accepted",
            End::Refused | End::Stranger => "Not accepted",
            End::NotUnderstood => "Not understood, so nothing was accepted",
            End::Failed => "Nothing was accepted, because something went wrong",
        };
        let advice = match self.end {
            End::Accepted => format!("\n{MEASURE_AGAIN}\n"),
            End::Failed => format!(
                "\n[The job's log]({}) may say more. Ask again when it is mended.\n",
                context.run_page()
            ),
            End::Refused | End::NotUnderstood | End::Stranger => String::new(),
        };
        let of = match asked.comment {
            Some(comment) => {
                let page = context.page(&["pull", &asked.pull.to_string()]);
                format!(" ([the request]({page}#issuecomment-{comment}))")
            }
            None => String::new(),
        };
        let words = code_block(&bounded(&self.words));
        format!("**{headline}**{of}\n\n{words}{advice}")
    }
}

/// Says it on the page of the run, where there is one.
fn summary(context: &Context, text: String) -> Option<Effect> {
    let summary = context.summary_file.is_some().then_some(text);
    summary.map(Effect::Summary)
}

/// Returns the first of many lines, none of them long.
fn bounded(words: &str) -> String {
    let count = words.lines().count();
    let first = words.lines().take(LINES_MAX);
    let mut lines: Vec<String> = first
        .map(|line| {
            let mut start: String = line.chars().take(LINE_CHARS_MAX).collect();
            if start.len() < line.len() {
                start.push('…');
            }
            start
        })
        .collect();
    if count > LINES_MAX {
        lines.push(format!("and {} more lines", count - LINES_MAX));
    }
    lines.join("\n")
}
