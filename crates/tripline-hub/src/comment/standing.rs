//! What the comment on a pull request is about, as it stands. Tested in `tests/hub/comment/finding.rs`.

use super::{Marker, ours};
use crate::client::Client;
use crate::error::HubError;
use crate::names::{Login, SetName};

/// Returns what our newest comment on a pull request is about, if there is one.
///
/// # Errors
/// GitHub did not answer.
pub fn standing(
    client: &Client,
    pull: u64,
    set: &SetName,
    author: &Login,
) -> Result<Option<Marker>, HubError> {
    let ours = ours(client, pull, set, author)?;
    let markers = ours.into_iter().map(|(_, marker)| marker);
    Ok(markers.max_by_key(|marker| marker.run))
}
