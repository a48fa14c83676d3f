//! What a run uploaded: found by its exact name, and taken apart in memory as the hostile input it is.
//!
//! Whoever opens a pull request decides what its run uploads. An outage of GitHub and a refusal of what was uploaded are
//! different ends: the first is a [`HubError`], the second a [`Refusal`], after which nothing may be written.
//! Tested in `tests/hub/artifact`.

mod frame;
mod refusal;
mod unpack;

use jiff::Timestamp;
use serde::Deserialize;

use crate::client::{Call, Client, PAGE_ENTRIES};
use crate::error::{HubError, Problem};
use crate::event::RunId;
use crate::names::CommitId;

pub use refusal::Refusal;
pub use unpack::unpack;

const NEEDS: &str = "actions: read";

/// What is looked for, and how much of it is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The name of the artifact.
    pub artifact: String,
    /// The name of the one file in it.
    pub file: String,
    /// The most bytes that are downloaded.
    pub zip_bytes_max: u64,
    /// The most bytes of the file.
    pub file_bytes_max: u64,
}

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The number of the artifact it came in. GitHub gives each upload its own, so it stands for these very bytes.
    pub number: u64,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Says why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// GitHub did not give it to us.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// It was not taken.
    #[error("{what} was not read")]
    Refused {
        /// The artifact, in words.
        what: String,
        /// What is wrong with it.
        #[source]
        refusal: Refusal,
    },
}

/// Finds out whether what is of a commit is as good as what is of the one that was asked for.
pub type AsGood<'a> = &'a dyn Fn(&CommitId) -> Result<bool, HubError>;

#[derive(Deserialize)]
struct Page {
    artifacts: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    id: u64,
    name: String,
    size_in_bytes: u64,
    expired: bool,
    created_at: Option<String>,
    workflow_run: Option<ListedRun>,
}

/// The run that uploaded it.
#[derive(Deserialize)]
struct ListedRun {
    repository_id: Option<u64>,
    head_repository_id: Option<u64>,
    head_sha: Option<String>,
}

impl Listed {
    fn is_since(&self, start: Timestamp) -> bool {
        let created: Option<Timestamp> = self.created_at.as_ref().and_then(|at| at.parse().ok());
        created.is_some_and(|created| created >= start)
    }

    /// Returns the commit that it is of, if the commit is the repository's own.
    fn own_head(&self) -> Option<CommitId> {
        let run = self.workflow_run.as_ref()?;
        let is_own = run.repository_id.is_some() && run.repository_id == run.head_repository_id;
        run.head_sha.as_deref().filter(|_| is_own)?.parse().ok()
    }
}

/// Returns the one file of an artifact that a run left. Two requests, and a third to where GitHub keeps it.
///
/// Where there are several, the latest counts, and with a time, of those that came since: uploads outlive the attempt that
/// made them, and `jobs` says which of them stand.
///
/// # Errors
/// GitHub did not answer; there is no such artifact any more; or it is anything but one file of the right name and size.
pub fn fetch(
    client: &Client,
    run: RunId,
    since: Option<Timestamp>,
    wanted: &Wanted,
) -> Result<Found, ArtifactError> {
    let what = format!("artifact `{}` of run {}", wanted.artifact, run.id);
    match newest(client, run, since, wanted)? {
        Some(listed) => take(client, &listed, what, wanted),
        None => Err(ArtifactError::Refused {
            what,
            refusal: Refusal::Missing,
        }),
    }
}

/// Returns the one file of the artifact of a number, if a run on this commit left it, or on one that is as good, and the
/// commit was the repository's own; and that commit. As many requests as [`fetch`], and those to find out whether another
/// is as good.
///
/// # Errors
/// As those of [`fetch`]; or it is of another commit.
pub fn fetch_numbered(
    client: &Client,
    number: u64,
    (head, is_as_good): (&CommitId, AsGood<'_>),
    wanted: &Wanted,
) -> Result<(CommitId, Found), ArtifactError> {
    let text = number.to_string();
    let what = format!("artifact {text}");
    let foreign = |what| ArtifactError::Refused {
        what,
        refusal: Refusal::Foreign { head: head.clone() },
    };
    let call = Call::get(&["actions", "artifacts", &text])
        .or_say(format!("{what} was not looked at"), NEEDS);
    let listed: Listed = match client.send(&call) {
        Err(error) if error.status() == Some(404) => return Err(foreign(what)),
        answer => answer?.json()?,
    };
    let of = listed.own_head().filter(|_| listed.name == wanted.artifact);
    let Some(of) = of else {
        return Err(foreign(what));
    };
    if of != *head && !is_as_good(&of)? {
        return Err(foreign(what));
    }
    Ok((of, take(client, &listed, what, wanted)?))
}

/// Downloads an artifact and unpacks it.
fn take(
    client: &Client,
    listed: &Listed,
    what: String,
    wanted: &Wanted,
) -> Result<Found, ArtifactError> {
    let number = listed.id;
    let call = Call::get(&["actions", "artifacts", &number.to_string(), "zip"])
        .or_say(format!("{what} was not downloaded"), NEEDS);
    let refused = |refusal| ArtifactError::Refused { what, refusal };
    let too_large = |bytes| Refusal::ZipTooLarge {
        bytes,
        bytes_max: wanted.zip_bytes_max,
    };
    if listed.expired {
        return Err(refused(Refusal::Expired));
    }
    if listed.size_in_bytes > wanted.zip_bytes_max {
        return Err(refused(too_large(Some(listed.size_in_bytes))));
    }
    let zip = match client.download(&call, wanted.zip_bytes_max) {
        Ok(zip) => zip,
        Err(error) => {
            return Err(match (error.problem(), error.status()) {
                (Problem::TooLarge { .. }, _) => refused(too_large(None)),
                (_, Some(410)) => refused(Refusal::Expired),
                _ => error.into(),
            });
        }
    };
    let bytes = unpack(&zip, &wanted.file, wanted.file_bytes_max).map_err(refused)?;
    Ok(Found { number, bytes })
}

fn newest(
    client: &Client,
    run: RunId,
    since: Option<Timestamp>,
    wanted: &Wanted,
) -> Result<Option<Listed>, HubError> {
    let number = run.id.to_string();
    let call = Call::get(&["actions", "runs", &number, "artifacts"])
        .asking("name", &wanted.artifact)
        .asking("per_page", PAGE_ENTRIES)
        .or_say(
            format!("the artifacts of run {number} were not listed"),
            NEEDS,
        );
    let listed = client.send_for_list(&call, |page: Page| page.artifacts)?;
    // Older servers do not know the question for a name, and answer with all of them.
    let named = listed
        .into_iter()
        .filter(|listed| listed.name == wanted.artifact);
    let standing = named.filter(|listed| since.is_none_or(|start| listed.is_since(start)));
    Ok(standing.max_by_key(|listed| listed.id))
}
