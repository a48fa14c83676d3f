//! A request in our words. Tested in `tests/hub/client`.

use serde_json::Value;
use url::Url;

use super::message;
use super::retry::Repeat;
use super::transport::{Method, Reply};
use crate::address::Address;
use crate::error::{HubError, Problem};
use crate::names::RepositoryName;

/// What to ask, and what to say if it fails.
#[derive(Debug)]
pub(crate) struct Call {
    pub(super) method: Method,
    /// Below the repository.
    path: Vec<String>,
    query: Vec<(&'static str, String)>,
    pub(super) body: Option<Value>,
    pub(super) repeat: Repeat,
    pub(super) not_done: String,
    pub(super) needs: &'static str,
}

impl Call {
    /// Reads something.
    pub(crate) fn get(path: &[&str]) -> Self {
        Self::new(Method::Get, path, Repeat::Harmless)
    }

    /// Makes something, which done twice makes two of it.
    pub(crate) fn post(path: &[&str], body: Value) -> Self {
        Self::new(Method::Post, path, Repeat::Harmful).with_body(body)
    }

    /// Changes something to what the body says.
    pub(crate) fn patch(path: &[&str], body: Value) -> Self {
        Self::new(Method::Patch, path, Repeat::Harmless).with_body(body)
    }

    /// Removes something.
    pub(crate) fn delete(path: &[&str]) -> Self {
        Self::new(Method::Delete, path, Repeat::Harmless)
    }

    fn new(method: Method, path: &[&str], repeat: Repeat) -> Self {
        Self {
            method,
            path: path.iter().map(|&segment| segment.to_owned()).collect(),
            query: Vec::new(),
            body: None,
            repeat,
            not_done: String::new(),
            needs: "",
        }
    }

    fn with_body(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    /// Adds to the question.
    pub(crate) fn asking(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.query.push((name, value.into()));
        self
    }

    /// Says whether doing it twice does harm, where that differs from what the method promises.
    pub(crate) fn repeating(mut self, repeat: Repeat) -> Self {
        self.repeat = repeat;
        self
    }

    /// Says what will not have happened if it fails, and which permission it needs.
    pub(crate) fn or_say(mut self, not_done: impl Into<String>, needs: &'static str) -> Self {
        self.not_done = not_done.into();
        self.needs = needs;
        self
    }

    /// Returns where it goes.
    pub(super) fn url(&self, api: &Address, repository: &RepositoryName) -> Url {
        let start = ["repos", repository.owner().as_str(), repository.name()];
        let path = self.path.iter().map(String::as_str);
        let mut url = api.below(start.into_iter().chain(path));
        if !self.query.is_empty() {
            let mut query = url.query_pairs_mut();
            for (name, value) in &self.query {
                query.append_pair(name, value);
            }
        }
        url
    }

    /// Says that GitHub did not do it, and what to do about that.
    pub(super) fn refused(&self, reply: &Reply) -> HubError {
        let message = message::of(&reply.body);
        let accepted = reply.header("x-accepted-github-permissions");
        let hint = message::hint(reply.status, &message, self.needs, accepted);
        let status = reply.status;
        let problem = Problem::Refused { status, message };
        self.failed(problem).hinted(hint)
    }

    /// Says that it failed.
    pub(crate) fn failed(&self, problem: Problem) -> HubError {
        HubError::new(&self.not_done, problem)
    }
}
