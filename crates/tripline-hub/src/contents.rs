//! A file of a commit, read without any checkout. Tested in `tests/hub/contents`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use crate::client::{Call, Client};
use crate::error::{HubError, Problem};
use crate::git::FilePath;
use crate::names::CommitId;

#[derive(Deserialize)]
struct Listed {
    encoding: Option<String>,
    content: Option<String>,
}

/// Returns a file of a commit, or nothing where the commit has none of that name. GitHub gives files of up to a megabyte.
///
/// # Errors
/// GitHub did not answer; or there is something else than a file, or a larger one.
pub fn file_at(
    client: &Client,
    commit: &CommitId,
    path: &FilePath,
) -> Result<Option<Vec<u8>>, HubError> {
    let parts: Vec<&str> = ["contents"]
        .into_iter()
        .chain(path.as_str().split('/'))
        .collect();
    let call = Call::get(&parts).asking("ref", commit.as_str()).or_say(
        format!("`{path}` was not read at {}", commit.short()),
        "contents: read",
    );
    let listed: Listed = match client.send(&call) {
        Err(error) if error.status() == Some(404) => return Ok(None),
        result => result?.json()?,
    };
    let unexpected = |why: &str| {
        call.failed(Problem::Unexpected {
            why: why.to_owned(),
        })
    };
    let (Some("base64"), Some(content)) = (listed.encoding.as_deref(), listed.content) else {
        return Err(unexpected("it is no file of up to a megabyte"));
    };
    let content: String = content.split_ascii_whitespace().collect();
    let bytes = STANDARD.decode(content);
    bytes
        .map(Some)
        .map_err(|error| unexpected(&format!("its bytes are not in Base64: {error}")))
}
