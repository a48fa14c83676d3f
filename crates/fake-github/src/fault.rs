//! What goes wrong on purpose.
//!
//! Tested in `tests/fake/faults.rs`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    reply::{Body, Reply},
    request::Request,
    time,
};

/// Something that goes wrong the next time a request fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// `GET`, `POST` and so on; empty fits all.
    pub method: String,
    /// What the path begins with, below `/api/v3` if that is used.
    pub path_prefix: String,
    /// A pair that must be in the query, such as `page=2`; empty fits all.
    pub query: String,
    /// What goes wrong.
    pub kind: FaultKind,
    /// How often.
    pub times: u32,
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaultKind {
    /// This status with a short text, and nothing is done: 500, 502, 503, 429.
    Status(u16),
    /// The request is carried out, and the answer is this status all the same.
    StatusAfter(u16),
    /// Too much at once: 403, to be tried again after so many seconds.
    Secondary {
        /// Seconds.
        retry_after: u64,
    },
    /// Nothing left for this hour: 403, until so many seconds from now.
    Primary {
        /// Seconds.
        reset_in: u64,
    },
    /// The right answer, late.
    Slow(Duration),
    /// The request is carried out, and the connection breaks in the middle of the answer; one without a body comes whole.
    Cut,
    /// Elsewhere, which is here: with enough times, a circle.
    Redirect,
    /// 200 with a body that is not JSON, as from a proxy in between.
    Garbage,
}

impl Fault {
    /// A fault that happens once, to requests of this method (empty: any) whose path begins so.
    pub fn on(method: &str, path_prefix: &str, kind: FaultKind) -> Self {
        Self {
            method: method.to_owned(),
            path_prefix: path_prefix.to_owned(),
            query: String::new(),
            kind,
            times: 1,
        }
    }

    /// The same, but only with this pair in the query, such as `page=2`.
    #[must_use]
    pub fn with_query(mut self, pair: &str) -> Self {
        pair.clone_into(&mut self.query);
        self
    }

    /// The same, so often.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// Tells whether it is about a request whose path, below `/api/v3` if that is used, is this.
    pub(crate) fn fits(&self, request: &Request, path: &str) -> bool {
        let pairs = request.pairs();
        let mut pairs = pairs.iter().map(|(name, value)| format!("{name}={value}"));
        (self.method.is_empty() || self.method.eq_ignore_ascii_case(&request.method))
            && self.times > 0
            && path.starts_with(&self.path_prefix)
            && (self.query.is_empty() || pairs.any(|pair| pair == self.query))
    }
}

impl FaultKind {
    /// The answer that takes the place of the right one; nothing where the request is carried out first.
    pub(crate) fn instead(&self, request: &Request) -> Option<Reply> {
        match self {
            Self::Status(status) => Some(outage(*status)),
            Self::Secondary { retry_after } => Some(secondary(403, *retry_after)),
            Self::Primary { reset_in } => Some(
                Reply::refusal(403, PRIMARY)
                    .header("x-ratelimit-remaining", "0")
                    .header(
                        "x-ratelimit-reset",
                        (time::real_now() + reset_in).to_string(),
                    )
                    .with_manual(LIMITS),
            ),
            Self::Redirect => {
                let query = match request.query.as_str() {
                    "" => String::new(),
                    query => format!("?{query}"),
                };
                let host = request.header("host").unwrap_or_default();
                let place = format!("http://{host}{}{query}", request.path);
                Some(Reply::empty(302).header("location", place))
            }
            Self::Garbage => Some(Reply {
                status: 200,
                headers: Vec::new(),
                body: Body::Bytes("text/html", b"<html>It works!</html>".to_vec()),
            }),
            Self::StatusAfter(_) | Self::Slow(_) | Self::Cut => None,
        }
    }
}

/// Where limits are explained.
const LIMITS: &str = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api";

/// What is said when nothing is left.
pub(crate) const PRIMARY: &str = "API rate limit exceeded for installation ID 1.";

/// The answer of a server in trouble.
pub(crate) fn outage(status: u16) -> Reply {
    if status == 429 {
        return secondary(429, 1);
    }
    let message = match status {
        502 => "Server Error",
        503 => "No server is currently available to service your request. Sorry about that.",
        _ => "Internal Server Error",
    };
    Reply::refusal(status, message)
}

fn secondary(status: u16, retry_after: u64) -> Reply {
    let message =
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    Reply::refusal(status, message)
        .header("retry-after", retry_after.to_string())
        .with_manual(&format!("{LIMITS}#about-secondary-rate-limits"))
}
