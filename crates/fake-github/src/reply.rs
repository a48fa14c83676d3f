//! An answer, and the refusals that GitHub has words for.

use serde_json::{Value, json};

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Body,
}

/// What an answer holds.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Empty,
    Json(Value),
    /// Media type and bytes.
    Bytes(&'static str, Vec<u8>),
}

/// An answer or a refusal.
pub(crate) type Answer = Result<Reply, Reply>;

impl Reply {
    /// JSON with a status.
    pub(crate) fn json(status: u16, body: Value) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Body::Json(body),
        }
    }

    /// A status and nothing more.
    pub(crate) fn empty(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Body::Empty,
        }
    }

    /// The same with a header.
    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// A refusal in GitHub's shape. Where it is explained is added later.
    pub(crate) fn refusal(status: u16, message: impl Into<String>) -> Self {
        let message: String = message.into();
        Self::json(
            status,
            json!({"message": message, "status": status.to_string()}),
        )
    }

    /// What is not there, or is not for this caller to see.
    pub(crate) fn not_found() -> Self {
        Self::refusal(404, "Not Found")
    }

    /// A body that has the right shape and cannot be.
    pub(crate) fn invalid(errors: Value) -> Self {
        Self::json(
            422,
            json!({"message": "Validation Failed", "errors": errors, "status": "422"}),
        )
    }

    /// Adds where the operation is explained, where it is missing.
    pub(crate) fn with_manual(mut self, manual: &str) -> Self {
        if self.status >= 400
            && let Body::Json(Value::Object(members)) = &mut self.body
        {
            members
                .entry("documentation_url")
                .or_insert_with(|| json!(manual));
        }
        self
    }
}
