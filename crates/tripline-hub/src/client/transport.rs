//! One request and its answer: no second try, no redirect followed, no status judged.
//!
//! What went wrong is told apart by whether the request can have arrived, because only then it matters whether doing the
//! thing twice would do harm. Tested in `tests/hub/client`.

use std::io::{self, Read as _};
use std::sync::Arc;
use std::time::Duration;

use ureq::Agent;
use ureq::Timeout;
use ureq::http::{HeaderMap, Request as HttpRequest, Response, header};
use ureq::tls::{RootCerts, TlsConfig};
use url::Url;

use crate::text::shown;
use crate::token::Token;

/// What we call ourselves.
const USER_AGENT: &str = concat!("tripline/", env!("CARGO_PKG_VERSION"));
/// The version of GitHub's interface that we speak.
const API_VERSION: &str = "2022-11-28";
/// The most of an error's text that a message repeats.
const WHY_CHARS_MAX: usize = 200;

/// What is done to the thing that an address names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// Reads it.
    Get,
    /// Makes a new one below it.
    Post,
    /// Changes it.
    Patch,
    /// Removes it.
    Delete,
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// A request as it goes over the wire.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    pub(super) method: Method,
    pub(super) url: &'a Url,
    /// Sent with the request where the address is GitHub's own.
    pub(super) token: Option<&'a Token>,
    pub(super) body: Option<&'a [u8]>,
    /// The most of an answer that is read.
    pub(super) bytes_max: u64,
    /// How long all of it may take.
    pub(super) timeout: Duration,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Reply {
    /// Returns a header that is text.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// The request did not leave this machine, or nobody was there.
    Unsent(String),
    /// The request may have arrived.
    Cut(String),
    /// The answer is larger than is read.
    TooLarge(u64),
    /// Trying again cannot help.
    Hopeless(String),
}

/// Returns what makes requests. A proxy is taken from the environment as everywhere, and never for this machine itself.
pub(super) fn agent(is_local: bool) -> Agent {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let mut config = Agent::config_builder()
        .tls_config(tls)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(USER_AGENT);
    if is_local {
        config = config.proxy(None);
    }
    config.build().new_agent()
}

/// Sends a request and reads the answer.
pub(super) fn exchange(agent: &Agent, exchange: &Exchange<'_>) -> Result<Reply, Failure> {
    let mut builder = HttpRequest::builder()
        .method(exchange.method.name())
        .uri(exchange.url.as_str());
    if let Some(token) = exchange.token {
        builder = builder
            .header(header::ACCEPT, "application/vnd.github+json")
            .header("X-GitHub-Api-Version", API_VERSION)
            .header(header::AUTHORIZATION, format!("Bearer {}", token.reveal()));
    }
    let answer = match exchange.body {
        Some(body) => {
            let builder = builder.header(header::CONTENT_TYPE, "application/json");
            sent(agent, builder.body(body), exchange.timeout)
        }
        None => sent(agent, builder.body(()), exchange.timeout),
    };
    let mut reply = read(answer?, exchange.bytes_max)?;
    if let Some(token) = exchange.token {
        // Whoever stands between us and GitHub may say back what we sent, and answers end up in messages.
        token.blot_out(&mut reply.body);
    }
    Ok(reply)
}

fn sent<B: ureq::AsSendBody>(
    agent: &Agent,
    request: Result<HttpRequest<B>, ureq::http::Error>,
    timeout: Duration,
) -> Result<Response<ureq::Body>, Failure> {
    let request = request.map_err(|error| Failure::Hopeless(error.to_string()))?;
    let request = agent.configure_request(request);
    let request = request.timeout_global(Some(timeout)).build();
    agent.run(request).map_err(|error| failure(&error))
}

fn read(mut answer: Response<ureq::Body>, bytes_max: u64) -> Result<Reply, Failure> {
    let announced = answer.body().content_length();
    if announced.is_some_and(|bytes| bytes > bytes_max) {
        return Err(Failure::TooLarge(bytes_max));
    }
    let mut body = Vec::new();
    let mut reader = answer
        .body_mut()
        .as_reader()
        .take(bytes_max.saturating_add(1));
    let read = reader.read_to_end(&mut body);
    read.map_err(|error| failure(&ureq::Error::from(error)))?;
    if body.len() as u64 > bytes_max {
        return Err(Failure::TooLarge(bytes_max));
    }
    let status = answer.status().as_u16();
    let headers = std::mem::take(answer.headers_mut());
    Ok(Reply {
        status,
        headers,
        body,
    })
}

/// Tells whether the request can have arrived.
fn failure(error: &ureq::Error) -> Failure {
    use ureq::Error as E;
    let why = shown(&error.to_string(), WHY_CHARS_MAX);
    match error {
        E::HostNotFound
        | E::ConnectionFailed
        | E::ConnectProxyFailed(_)
        | E::Timeout(Timeout::Resolve | Timeout::Connect) => Failure::Unsent(why),
        E::Io(error) if nobody_was_there(error) => Failure::Unsent(why),
        E::Io(error) if is_no_trust(error) => Failure::Hopeless(why),
        E::Rustls(_)
        | E::Tls(_)
        | E::TlsRequired
        | E::Pem(_)
        | E::Http(_)
        | E::BadUri(_)
        | E::InvalidProxyUrl => Failure::Hopeless(why),
        _ => Failure::Cut(why),
    }
}

fn nobody_was_there(error: &io::Error) -> bool {
    use io::ErrorKind as K;
    matches!(
        error.kind(),
        K::ConnectionRefused | K::HostUnreachable | K::NetworkUnreachable | K::AddrNotAvailable
    )
}

/// Returns whether no encrypted connection came about: a certificate that is not trusted now will not be in a second.
fn is_no_trust(error: &io::Error) -> bool {
    use rustls::Error as R;
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    matches!(
        inner,
        Some(
            R::InvalidCertificate(_)
                | R::InvalidMessage(_)
                | R::PeerIncompatible(_)
                | R::AlertReceived(_)
        )
    )
}
