//! HTTP around it: requests in, answers out, late or broken where that is wanted.

use std::{
    convert::Infallible,
    io,
    net::TcpListener,
    pin::Pin,
    sync::{Arc, PoisonError},
    task::{Context, Poll},
};

use axum::{
    Router,
    body::{Body, Bytes, HttpBody, to_bytes},
    extract::{Request as Incoming, State},
    http::{HeaderName, HeaderValue, Response, StatusCode, header},
};
use http_body::Frame;
use tokio::{sync::oneshot, time::sleep};

use crate::{
    answer::{answer, whole_world},
    fake::Shared,
    fault::FaultKind,
    reply::{self, Reply},
    request::Request,
    seen::Seen,
};

/// More than any request here has.
const BODY_MAX: usize = 16 * 1024 * 1024;

/// Where those who run the stand-in reach all of its state.
const WORLD: &str = "/_world";

/// Serves until told to stop. What is still being answered then is dropped.
pub(crate) async fn serve(
    listener: TcpListener,
    shared: Arc<Shared>,
    stopped: oneshot::Receiver<()>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let router = Router::new().fallback(exchange).with_state(shared);
    tokio::spawn(async move { axum::serve(listener, router).await });
    // The sender is gone or has sent: either way it is over.
    let _ = stopped.await;
}

async fn exchange(
    State(shared): State<Arc<Shared>>,
    incoming: Incoming,
) -> Result<Response<Body>, Infallible> {
    let request = match read(incoming).await {
        Ok(request) => request,
        Err(refusal) => return Ok(write(refusal, None)),
    };
    let (reply, fault) = shared.take(&request);
    if let Some(FaultKind::Slow(duration)) = fault {
        sleep(duration).await;
    }
    Ok(write(reply, fault))
}

async fn read(incoming: Incoming) -> Result<Request, Reply> {
    let (parts, body) = incoming.into_parts();
    let body = to_bytes(body, BODY_MAX)
        .await
        .map_err(|error| Reply::refusal(413, error.to_string()))?;
    let headers = parts.headers.iter().filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    });
    Ok(Request {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: headers.collect(),
        body: body.to_vec(),
    })
}

impl Shared {
    /// Answers a request, and keeps the records.
    fn take(&self, request: &Request) -> (Reply, Option<FaultKind>) {
        let mut world = self.world();
        if request.path == WORLD {
            let (Ok(reply) | Err(reply)) = whole_world(&mut world, request);
            return (self.recorded(&world, request, None, reply), None);
        }
        let (reply, seen, fault) = answer(&mut world, request);
        (self.recorded(&world, request, Some(seen), reply), fault)
    }

    /// Writes down what happened. A record that cannot be kept is an answer, too: a script that relies on it must hear of it.
    fn recorded(
        &self,
        world: &crate::World,
        request: &Request,
        seen: Option<Seen>,
        reply: Reply,
    ) -> Reply {
        let mut written = Ok(());
        if let Some(seen) = seen {
            written = self.outputs.saw(&seen);
            let mut all = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            all.push(seen);
        }
        if request.method != "GET" {
            written = written.and_then(|()| self.outputs.changed(world));
        }
        match written {
            Ok(()) => reply,
            Err(error) => Reply::refusal(500, format!("the records cannot be written: {error}")),
        }
    }
}

fn write(reply: Reply, fault: Option<FaultKind>) -> Response<Body> {
    let (media, bytes) = match reply.body {
        reply::Body::Empty => (None, Vec::new()),
        reply::Body::Json(body) => (
            Some("application/json; charset=utf-8"),
            body.to_string().into_bytes(),
        ),
        reply::Body::Bytes(media, bytes) => (Some(media), bytes),
    };
    let length = bytes.len();
    let body = match fault {
        Some(FaultKind::Cut) if length > 0 => Body::new(Half::of(bytes)),
        _ => Body::from(bytes),
    };
    let mut response = Response::new(body);
    *response.status_mut() =
        StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    if length > 0 {
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    if let Some(media) = media {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    }
    for (name, value) in reply.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            headers.insert(name, value);
        }
    }
    response
}

/// The first half of a body. Then the connection breaks.
struct Half {
    left: Option<Bytes>,
}

impl Half {
    fn of(mut bytes: Vec<u8>) -> Self {
        bytes.truncate(bytes.len() / 2);
        Self {
            left: Some(Bytes::from(bytes)),
        }
    }
}

impl HttpBody for Half {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let next = match self.left.take() {
            Some(bytes) => Ok(Frame::data(bytes)),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        Poll::Ready(Some(next))
    }
}
