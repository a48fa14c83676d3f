//! A request as it came in, before anybody knows what it means.

use std::collections::BTreeMap;

use url::form_urlencoded;

/// A request.
pub(crate) struct Request {
    pub(crate) method: String,
    /// As it was sent, escapes and all.
    pub(crate) path: String,
    /// As it was sent, without the question mark.
    pub(crate) query: String,
    /// By name in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// Where an Enterprise server keeps what elsewhere is a host of its own.
const ENTERPRISE: &str = "/api/v3";

impl Request {
    /// The path without what an Enterprise server puts before it.
    pub(crate) fn api_path(&self) -> &str {
        match self.path.strip_prefix(ENTERPRISE) {
            Some(rest) if rest.starts_with('/') => rest,
            _ => &self.path,
        }
    }

    /// The address that API paths are below, as the client called it.
    pub(crate) fn base(&self) -> String {
        let host = self.header("host").unwrap_or("127.0.0.1");
        let prefix = if self.api_path().len() == self.path.len() {
            ""
        } else {
            ENTERPRISE
        };
        format!("http://{host}{prefix}")
    }

    /// The query in pairs, unescaped.
    pub(crate) fn pairs(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(self.query.as_bytes())
            .into_owned()
            .collect()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The token in the header, with either of the words before it.
    pub(crate) fn token(&self) -> Option<&str> {
        let (scheme, token) = self.header("authorization")?.split_once(' ')?;
        let is_known = ["bearer", "token"]
            .iter()
            .any(|word| scheme.eq_ignore_ascii_case(word));
        is_known.then_some(token.trim())
    }
}
