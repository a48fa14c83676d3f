//! Requests to GitHub about one repository: blocking, tried again where that is harmless, bounded in time and size.
//!
//! The idea to know: a request is a [`Call`], which says in words what will not have happened if it fails, which
//! permission it needs, and whether doing it twice does harm. All waiting goes through the [`Clock`].
//!
//! Tested in `tests/hub/client`, against every fault.

mod call;
mod download;
mod limit;
mod link;
mod message;
mod retry;
mod transport;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::de::DeserializeOwned;
use url::Url;

use crate::address::Address;
use crate::clock::Clock;
use crate::error::{HubError, Problem};
use crate::names::RepositoryName;
use crate::token::Token;

pub(crate) use call::Call;
pub use retry::Patience;
pub(crate) use retry::Repeat;
use retry::{Next, Progress};
use transport::{Exchange, Failure, Reply};

/// The largest answer that is read, artifacts aside: a page of a hundred comments of the greatest length.
const ANSWER_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// The most pages of a list. GitHub closes a conversation long before.
const PAGES_MAX: usize = 50;
/// How many entries of a list make a page; GitHub allows no more.
pub(crate) const PAGE_ENTRIES: &str = "100";

/// Whom to ask, about what, and as whom.
#[derive(Debug, Clone)]
pub struct Settings {
    /// GitHub's interface, as the runner names it in `GITHUB_API_URL`.
    pub api: Address,
    /// The repository all requests are about.
    pub repository: RepositoryName,
    /// What lets us.
    pub token: Token,
    /// How long to go on.
    pub patience: Patience,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes the waits of publishers differ; the id of the run is a good one.
    pub jitter_seed: u64,
}

/// Asks GitHub.
pub struct Client {
    settings: Settings,
    agent: ureq::Agent,
    jitter: Mutex<fastrand::Rng>,
}

impl Client {
    /// Makes a client. Nothing is sent yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            agent: transport::agent(settings.api.is_local()),
            jitter: Mutex::new(fastrand::Rng::with_seed(settings.jitter_seed)),
            settings,
        }
    }

    /// Returns the repository it asks about.
    #[must_use]
    pub fn repository(&self) -> &RepositoryName {
        &self.settings.repository
    }

    /// Makes a request, and takes any answer that is a success.
    pub(crate) fn send(&self, call: &Call) -> Result<Answer, HubError> {
        let url = call.url(&self.settings.api, &self.settings.repository);
        let body = call.body.as_ref().map(|body| body.to_string().into_bytes());
        self.ask(call, &url, body.as_deref())
    }

    /// Makes a request whose answer is a list, and reads all pages of it. A page that fails fails the whole list:
    /// what it would have held must not be taken for absent.
    pub(crate) fn send_for_list<P: DeserializeOwned, T>(
        &self,
        call: &Call,
        entries: impl Fn(P) -> Vec<T>,
    ) -> Result<Vec<T>, HubError> {
        let mut url = call.url(&self.settings.api, &self.settings.repository);
        let mut all = Vec::new();
        for _ in 0..PAGES_MAX {
            let answer = self.ask(call, &url, None)?;
            all.extend(entries(answer.json()?));
            let Some(next) = answer.reply.header("link").and_then(link::next_page) else {
                return Ok(all);
            };
            if !self.settings.api.is_host_of(&next) {
                let why = "its next page is on another host".to_owned();
                return Err(call.failed(Problem::Unexpected { why }));
            }
            url = next;
        }
        let why = format!("it has more than {PAGES_MAX} pages");
        Err(call.failed(Problem::Unexpected { why }))
    }

    fn ask(&self, call: &Call, url: &Url, body: Option<&[u8]>) -> Result<Answer, HubError> {
        let attempt = || {
            let exchange = Exchange {
                method: call.method,
                url,
                token: Some(&self.settings.token),
                body,
                bytes_max: ANSWER_BYTES_MAX,
                timeout: self.settings.patience.timeout,
            };
            transport::exchange(&self.agent, &exchange)
        };
        let reply = self.repeated(call.repeat, attempt);
        let reply = reply.map_err(|problem| call.failed(problem))?;
        if matches!(reply.status, 200..=299) {
            let not_done = call.not_done.clone();
            Ok(Answer { not_done, reply })
        } else {
            Err(call.refused(&reply))
        }
    }

    /// Tries until an answer counts or patience ends.
    fn repeated(
        &self,
        repeat: Repeat,
        mut attempt: impl FnMut() -> Result<Reply, Failure>,
    ) -> Result<Reply, Problem> {
        let mut waited = Duration::ZERO;
        let mut tries = 0;
        loop {
            tries += 1;
            let outcome = attempt();
            let progress = Progress {
                tries,
                waited,
                now: self.settings.clock.now(),
                jitter: self.draw(),
            };
            match retry::next(outcome, repeat, &self.settings.patience, progress) {
                Next::Take(reply) => return Ok(reply),
                Next::Wait(time) => {
                    self.settings.clock.sleep(time);
                    waited += time;
                }
                Next::GiveUp(problem) => return Err(problem),
            }
        }
    }

    /// Waits a little before looking at what was left in doubt: GitHub may need a moment to show it.
    pub(crate) fn pause(&self) {
        const PAUSE: Duration = Duration::from_secs(2);
        self.settings.clock.sleep(PAUSE.mul_f64(0.5 + self.draw()));
    }

    fn draw(&self) -> f64 {
        let mut jitter = self.jitter.lock().unwrap_or_else(PoisonError::into_inner);
        jitter.f64()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// An answer that is a success.
#[derive(Debug)]
pub(crate) struct Answer {
    not_done: String,
    reply: Reply,
}

impl Answer {
    /// Returns a header that is text and says something.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.reply.header(name).filter(|text| !text.is_empty())
    }

    /// Reads the answer as what GitHub describes.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, HubError> {
        serde_json::from_slice(&self.reply.body).map_err(|error| {
            let why = crate::text::shown(&error.to_string(), message::CHARS_MAX);
            HubError::new(&self.not_done, Problem::Unexpected { why })
        })
    }
}
