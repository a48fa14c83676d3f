//! What a run uploaded: found by its exact name, and taken apart in memory as the hostile input it is.
//!
//! Whoever opens a pull request decides what its run uploads. An outage of GitHub and a refusal of what was uploaded are
//! different ends: the first is a [`HubError`], the second a [`Refusal`], after which nothing may be written.
//! Tested in `tests/hub/artifact`.

mod frame;
mod refusal;
mod unpack;

use serde::Deserialize;

use crate::client::{Call, Client, PAGE_ENTRIES};
use crate::error::{HubError, Problem};
use crate::event::RunId;

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

/// Says why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// GitHub did not give it to us.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// It was not taken.
    #[error("artifact `{artifact}` of run {run} was not read")]
    Refused {
        /// The artifact.
        artifact: String,
        /// The run.
        run: u64,
        /// What is wrong with it.
        #[source]
        refusal: Refusal,
    },
}

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
}

/// Returns the one file of an artifact. Two requests, and a third to where GitHub keeps it.
///
/// Where a run was attempted several times, the latest upload counts.
///
/// # Errors
/// GitHub did not answer; there is no such artifact any more; or it is anything but one file of the right name and size.
pub fn fetch(client: &Client, run: RunId, wanted: &Wanted) -> Result<Vec<u8>, ArtifactError> {
    let refused = |refusal| ArtifactError::Refused {
        artifact: wanted.artifact.clone(),
        run: run.id,
        refusal,
    };
    let listed = newest(client, run, wanted)?;
    let listed = listed.ok_or_else(|| refused(Refusal::Missing))?;
    if listed.expired {
        return Err(refused(Refusal::Expired));
    }
    let too_large = |bytes| Refusal::ZipTooLarge {
        bytes,
        bytes_max: wanted.zip_bytes_max,
    };
    if listed.size_in_bytes > wanted.zip_bytes_max {
        return Err(refused(too_large(Some(listed.size_in_bytes))));
    }
    let number = listed.id.to_string();
    let call = Call::get(&["actions", "artifacts", &number, "zip"]).or_say(
        format!(
            "artifact `{}` of run {} was not downloaded",
            wanted.artifact, run.id
        ),
        NEEDS,
    );
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
    unpack(&zip, &wanted.file, wanted.file_bytes_max).map_err(refused)
}

fn newest(client: &Client, run: RunId, wanted: &Wanted) -> Result<Option<Listed>, HubError> {
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
    Ok(named.max_by_key(|listed| listed.id))
}
