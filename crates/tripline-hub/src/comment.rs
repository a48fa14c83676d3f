//! The one comment: found by marker *and* author among all pages, edited in place, never by what is out of date.
//!
//! A comment that only carries our marker may have been planted, and one that only has our author may be another
//! tool's. GitHub cannot be asked to write only if nothing changed meanwhile, so two publishers can both find nothing and
//! both write; whoever publishes next leaves the oldest comment, with the newest text. All keep the oldest, so that no
//! two delete each other's. Publishing again is therefore always safe, and does nothing where nothing changed.
//!
//! What is newer stays; but a marker only says that it is, and a text that somebody made another workflow repeat has our
//! author, too. So before one silences us, GitHub is asked whether it is right (`newer`). One that is not is
//! edited or deleted like any of ours.
//!
//! Tested in `tests/hub/comment`.

mod marker;
mod newer;

use std::fmt;

use serde::Deserialize;
use serde_json::json;

use tripline_model::few;

use crate::client::{Call, Client, PAGE_ENTRIES};
use crate::error::{HubError, Problem};
use crate::names::{Login, SetName};
use crate::text::shown;

pub use marker::Marker;

/// The most characters of a comment.
pub const CHARS_MAX: usize = 65_536;
/// The most of them that the marker takes, with the blank line before it.
const MARKER_CHARS_MAX: usize = 300;
/// The most characters of the text of a comment: what the marker leaves.
pub const TEXT_CHARS_MAX: usize = CHARS_MAX - MARKER_CHARS_MAX;
/// How often we look, where something happened between looking and writing.
const LOOKS_MAX: u32 = 3;
/// The most of a page's address that is shown.
const PAGE_CHARS_MAX: usize = 300;
const NEEDS: &str = "pull-requests: write";

/// A comment as it shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The pull request it stands on.
    pub pull: u64,
    /// What it is about.
    pub marker: Marker,
    /// Who we write as: for the token of a job, `github-actions[bot]`.
    pub author: Login,
    /// What it says, in Markdown.
    pub text: String,
    /// What it says instead where the comment that is there says that something is wrong, if that is news.
    pub after_red: Option<String>,
}

/// What became of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Posted {
    /// There was none, and now there is. Publishing once more finds out whether somebody else did the same meanwhile.
    Created {
        /// Its number.
        id: u64,
        /// Its page.
        page: String,
    },
    /// It was there and now says something new.
    Edited {
        /// Its number.
        id: u64,
        /// Its page.
        page: String,
    },
    /// It was there and said all of it already; perhaps because a try of ours had written it and we did not hear of it.
    Unchanged {
        /// Its number.
        id: u64,
        /// Its page.
        page: String,
    },
    /// It was there and speaks of something newer, which stays.
    Stale {
        /// What it speaks of.
        newer: Marker,
    },
}

impl fmt::Display for Posted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Created { page, .. } => write!(f, "wrote {}", shown(page, PAGE_CHARS_MAX)),
            Self::Edited { page, .. } => write!(f, "edited {}", shown(page, PAGE_CHARS_MAX)),
            Self::Unchanged { page, .. } => {
                write!(f, "left {} as it was", shown(page, PAGE_CHARS_MAX))
            }
            Self::Stale { newer } => write!(
                f,
                "left the comment alone: it speaks of {}, from run {}, which is newer",
                newer.head.short(),
                newer.run.id
            ),
        }
    }
}

/// A comment as GitHub lists it, as far as we read it.
#[derive(Debug, Clone, Deserialize)]
struct Listed {
    id: u64,
    html_url: String,
    body: Option<String>,
    /// Nobody, where the account was deleted.
    user: Option<ListedUser>,
}

#[derive(Debug, Clone, Deserialize)]
struct ListedUser {
    login: String,
}

/// Writes the comment, or brings the one that is there to what it shall be. Two requests, for up to a hundred comments.
///
/// # Errors
/// GitHub did not answer or refused; or the token writes as somebody else than [`Comment::author`], in which case the
/// comment would never be found again and is taken back.
pub fn publish(client: &Client, comment: &Comment) -> Result<Posted, HubError> {
    let mut looks_left = LOOKS_MAX;
    loop {
        looks_left -= 1;
        let ours = ours(client, comment.pull, &comment.marker.set, &comment.author)?;
        let newest = ours.iter().max_by_key(|(_, marker)| marker.run);
        let body = body(comment, newest.is_some_and(|(_, marker)| marker.is_red))?;
        match write(client, comment, &body, &ours) {
            Err(error) if looks_left > 0 && asks_for_a_look(&error) => client.pause(),
            result => return result,
        }
    }
}

/// Returns whether it may have been written after all, or somebody deleted it just now.
fn asks_for_a_look(error: &HubError) -> bool {
    error.is_uncertain() || error.status() == Some(404)
}

fn write(
    client: &Client,
    comment: &Comment,
    body: &str,
    ours: &[(Listed, Marker)],
) -> Result<Posted, HubError> {
    let Some(((first, _), later)) = ours.split_first() else {
        return create(client, comment, body);
    };
    if let Some(newer) = newer::newer(client, comment, ours)? {
        // Somebody newer came first while we were writing. The first stays, so only later ones may go.
        let is_mine = |(_, marker): &&(Listed, Marker)| marker.run == comment.marker.run;
        delete(client, later.iter().filter(is_mine))?;
        let newer = newer.clone();
        return Ok(Posted::Stale { newer });
    }
    let posted = bring_up_to_date(client, first, body)?;
    // Only after the first says it all: what is deleted may be the only one that did.
    delete(client, later)?;
    Ok(posted)
}

fn body(comment: &Comment, was_red: bool) -> Result<String, HubError> {
    let news = comment.after_red.as_ref().filter(|_| was_red);
    let text = news.unwrap_or(&comment.text);
    let body = format!("{}\n\n{}", text.trim_end(), comment.marker);
    let chars = body.chars().count();
    if chars > CHARS_MAX {
        let chars_max = CHARS_MAX;
        let problem = Problem::TooLong { chars, chars_max };
        return Err(HubError::new(not_written(comment), problem));
    }
    Ok(body)
}

fn not_written(comment: &Comment) -> String {
    format!("no comment was written on pull request {}", comment.pull)
}

/// Returns our comments about a set, oldest first, each with what it is about.
fn ours(
    client: &Client,
    pull: u64,
    set: &SetName,
    author: &Login,
) -> Result<Vec<(Listed, Marker)>, HubError> {
    let pull = pull.to_string();
    let call = Call::get(&["issues", &pull, "comments"])
        .asking("per_page", PAGE_ENTRIES)
        .or_say(
            format!("the comments on pull request {pull} were not read, so none was written"),
            NEEDS,
        );
    let is_ours = |listed: Listed| {
        let writer = listed.user.as_ref()?;
        let marker = Marker::of(listed.body.as_deref()?)?;
        let fits = author.is_same_as(&writer.login) && marker.set == *set;
        fits.then_some((listed, marker))
    };
    let mut ours = client.send_for_list(&call, |page: Vec<Listed>| {
        page.into_iter().filter_map(is_ours).collect()
    })?;
    // A page that was read while somebody deleted a comment may repeat one.
    few::sort_by_key(&mut ours, |(listed, _)| listed.id);
    ours.dedup_by_key(|(listed, _)| listed.id);
    Ok(ours)
}

fn bring_up_to_date(client: &Client, there: &Listed, body: &str) -> Result<Posted, HubError> {
    let (id, page) = (there.id, there.html_url.clone());
    let says = there
        .body
        .as_deref()
        .unwrap_or_default()
        .replace("\r\n", "\n");
    if says.trim_end() == body {
        return Ok(Posted::Unchanged { id, page });
    }
    let number = id.to_string();
    let call = Call::patch(&["issues", "comments", &number], json!({ "body": body })).or_say(
        format!("comment {number} was not brought up to date"),
        NEEDS,
    );
    client.send(&call)?;
    Ok(Posted::Edited { id, page })
}

fn create(client: &Client, comment: &Comment, body: &str) -> Result<Posted, HubError> {
    let pull = comment.pull.to_string();
    let call = Call::post(&["issues", &pull, "comments"], json!({ "body": body }))
        .or_say(not_written(comment), NEEDS);
    let there: Listed = client.send(&call)?.json()?;
    let actual = there.user.map_or_else(String::new, |user| user.login);
    if comment.author.is_same_as(&actual) {
        let (id, page) = (there.id, there.html_url);
        return Ok(Posted::Created { id, page });
    }
    delete_one(client, there.id)?;
    let (expected, actual) = (comment.author.to_string(), shown(&actual, Login::CHARS_MAX));
    let hint = format!(
        "use the token of the job, `github.token`: what `{actual}` writes is not known again"
    );
    let problem = Problem::WrongAuthor { expected, actual };
    Err(call.failed(problem).hinted(Some(hint)))
}

fn delete<'a>(
    client: &Client,
    these: impl IntoIterator<Item = &'a (Listed, Marker)>,
) -> Result<(), HubError> {
    let mut these = these.into_iter();
    these.try_for_each(|(listed, _)| delete_one(client, listed.id))
}

fn delete_one(client: &Client, id: u64) -> Result<(), HubError> {
    let number = id.to_string();
    let call = Call::delete(&["issues", "comments", &number]).or_say(
        format!("comment {number}, one too many, was not deleted"),
        NEEDS,
    );
    match client.send(&call) {
        // Somebody else was as quick, or our own try before did it.
        Err(error) if matches!(error.status(), Some(404 | 410)) => Ok(()),
        result => result.map(drop),
    }
}
