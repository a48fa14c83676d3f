//! Requests as they are remembered.

use serde::Serialize;
use serde_json::Value;

use crate::request::Request;

/// A request, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// The path below `/api/v3`, if that was used, with the repository by its name: what a test compares.
    pub path: String,
    /// The query as it was sent.
    pub query: String,
    /// The path as it was sent.
    pub sent_path: String,
    /// The host as it was called.
    pub host: String,
    /// The operation that was meant, such as `issues/create-comment`.
    pub operation: Option<String>,
    /// The token that was sent.
    pub token: Option<String>,
    /// The body, where it was JSON.
    pub body: Option<Value>,
    /// The status of the answer.
    pub status: u16,
    /// What GitHub's description forbids about the request, or about our answer.
    pub violation: Option<String>,
}

impl Seen {
    pub(crate) fn new(request: &Request, path: &str, operation: Option<&str>) -> Self {
        Self {
            method: request.method.clone(),
            path: path.to_owned(),
            query: request.query.clone(),
            sent_path: request.path.clone(),
            host: request.header("host").unwrap_or_default().to_owned(),
            operation: operation.map(str::to_owned),
            token: request.token().map(str::to_owned),
            body: None,
            status: 0,
            violation: None,
        }
    }
}
