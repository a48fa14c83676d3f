//! A client that takes every answer as it is, and the world most tests begin with.

use std::time::Duration;

use fake_github::{Fake, Permission, Pull, Rights, Run, Side, World};
use serde_json::Value;
use ureq::{Agent, http};

/// Commits that are about as good as any.
pub(crate) const MAIN: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
pub(crate) const TOPIC: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
pub(crate) const FORK: &str = "cccccccccccccccccccccccccccccccccccccccc";

/// A repository with a pull request of its own (7), one from a fork (8), and tokens to read and to write.
pub(crate) fn world() -> World {
    let base = Side::new("acme/demo", "main", MAIN);
    let own = Pull::new(7, Side::new("acme/demo", "topic", TOPIC), base.clone());
    let foreign = Pull {
        author: "mallory".to_owned(),
        ..Pull::new(8, Side::new("mallory/demo", "main", FORK), base)
    };
    World::new("acme/demo")
        .with_fork("mallory/demo")
        .with_user("ada", Permission::Write)
        .with_user("rae", Permission::Read)
        .with_pull(own)
        .with_pull(foreign)
        .with_run(Run {
            id: 42,
            head_repository: "mallory/demo".to_owned(),
            head_branch: "main".to_owned(),
            head_sha: FORK.to_owned(),
            ..Run::default()
        })
        .with_token("t-write", Rights::bot())
        .with_token("t-read", Rights::read_only())
        .with_token("t-ada", Rights::person("ada"))
        .with_token("t-rae", Rights::person("rae"))
        .with_token("t-owner", Rights::person("acme"))
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: http::HeaderMap,
    /// Null where it was empty or not JSON.
    pub(crate) body: Value,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The address that a `Link` header gives a relation.
    pub(crate) fn link(&self, relation: &str) -> Option<String> {
        let wanted = format!("rel=\"{relation}\"");
        let mut links = self.header("link")?.split(", ");
        let link = links.find(|link| link.ends_with(&wanted))?;
        let (address, _) = link.trim_start_matches('<').split_once('>')?;
        Some(address.to_owned())
    }

    pub(crate) fn id(&self) -> u64 {
        self.body["id"].as_u64().unwrap()
    }
}

/// Asks with a token, or without.
pub(crate) struct Client {
    agent: Agent,
    base: String,
    token: Option<&'static str>,
}

impl Client {
    pub(crate) fn new(fake: &Fake, token: &'static str) -> Self {
        Self::at(&fake.url(), Some(token))
    }

    pub(crate) fn at(base: &str, token: Option<&'static str>) -> Self {
        Self::patient(base, token, Duration::from_secs(30))
    }

    /// One that waits so long and no longer.
    pub(crate) fn patient(base: &str, token: Option<&'static str>, patience: Duration) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(patience))
            .user_agent("test")
            .build();
        Self {
            agent: agent.into(),
            base: base.to_owned(),
            token,
        }
    }

    /// Asks about something in the repository under test, or, with a whole address, about anything.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, ureq::Error> {
        let address = if path.starts_with("http://") {
            path.to_owned()
        } else if let Some(path) = path.strip_prefix("//") {
            format!("{}/{path}", self.base)
        } else {
            format!("{}/repos/acme/demo{path}", self.base)
        };
        let mut request = http::Request::builder().method(method).uri(address);
        if let Some(token) = self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut response = self.agent.run(request.body(body).unwrap())?;
        let bytes = response.body_mut().read_to_vec()?;
        Ok(Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
            bytes,
        })
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, None).unwrap()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, Some(body)).unwrap()
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> Answer {
        self.ask("PUT", path, Some(body)).unwrap()
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answer {
        self.ask("PATCH", path, Some(body)).unwrap()
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.ask("DELETE", path, None).unwrap()
    }
}
