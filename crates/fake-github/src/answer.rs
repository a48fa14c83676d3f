//! From a request to an answer, in the order in which GitHub looks at things.
//!
//! A fault comes before everything. Then: what is meant, whether the description allows it, who asks, how much was asked
//! already, whether the caller may; then it is carried out, and the answer itself is held to the description.
//!
//! Tested in `tests/fake/refusals.rs` and `tests/fake/contract.rs`.

use serde_json::{Value, json};

use crate::{
    call::Call,
    contract::{Found, contract},
    fault::{FaultKind, PRIMARY, outage},
    operations::{self, Row, artifacts},
    reply::{Answer, Body, Reply},
    request::Request,
    rights,
    seen::Seen,
    views::Views,
    world::{Rights, World},
};

/// The version of the interface that the description is of, and that one gets without asking.
const VERSION: &str = "2022-11-28";

/// Answers a request, and says how it was seen and what is to go wrong with the answer.
pub(crate) fn answer(world: &mut World, request: &Request) -> (Reply, Seen, Option<FaultKind>) {
    let path = canonical(world, request.api_path());
    let found = contract().find(&request.method, &path);
    let mut seen = Seen::new(
        request,
        &path,
        found.as_ref().map(|it| it.operation.id.as_str()),
    );
    let fault = fault(world, request, &path);
    let reply = match fault.as_ref().and_then(|fault| fault.instead(request)) {
        Some(reply) => reply,
        None => {
            let reply = right_answer(world, request, &path, found.as_ref(), &mut seen);
            match fault {
                Some(FaultKind::StatusAfter(status)) => outage(status),
                _ => reply,
            }
        }
    };
    let mut reply = reply.with_manual("https://docs.github.com/rest");
    if !artifacts::is_store(&path) {
        reply = with_scopes(world, request, with_limits(world, reply));
    }
    seen.status = reply.status;
    (reply, seen, fault)
}

fn right_answer(
    world: &mut World,
    request: &Request,
    path: &str,
    found: Option<&Found>,
    seen: &mut Seen,
) -> Reply {
    if let Some(found) = found {
        return carry_out(world, request, path, found, seen);
    }
    if artifacts::is_store(path) {
        if request.header("authorization").is_some() {
            seen.violation = Some("a token was sent to where artifacts are kept".to_owned());
        }
        let (Ok(reply) | Err(reply)) = artifacts::fetch(world, request);
        return reply;
    }
    seen.violation = Some(format!("{} {path}: no such operation", request.method));
    Reply::not_found()
}

/// GitHub's links name repositories by number. They mean the same as those by name.
fn canonical(world: &World, path: &str) -> String {
    let by_number = path.strip_prefix("/repositories/").and_then(|rest| {
        let (id, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let id: u64 = id.parse().ok()?;
        let mut repositories = world.repositories.iter();
        let repository = repositories.find(|repository| repository.id == id)?;
        Some(format!("/repos/{}/{rest}", repository.name))
    });
    by_number.unwrap_or_else(|| path.to_owned())
}

/// Finds the first fault that fits, and counts it.
fn fault(world: &mut World, request: &Request, path: &str) -> Option<FaultKind> {
    let mut faults = world.faults.iter_mut();
    let fault = faults.find(|fault| fault.fits(request, path))?;
    fault.times -= 1;
    let kind = fault.kind.clone();
    world.faults.retain(|fault| fault.times > 0);
    Some(kind)
}

fn carry_out(
    world: &mut World,
    request: &Request,
    path: &str,
    found: &Found,
    seen: &mut Seen,
) -> Reply {
    let operation = found.operation;
    let reply = match allowed(world, request, path, found, seen) {
        Ok((row, call)) => match (row.answer)(world, &call) {
            Ok(reply) | Err(reply) => reply,
        },
        Err(refusal) => refusal,
    };
    let mut reply = reply.with_manual(&operation.manual);
    if let Body::Json(body) = &mut reply.body {
        contract().complete(operation, reply.status, body);
    }
    let body = match &reply.body {
        Body::Json(body) => Some(body),
        Body::Empty | Body::Bytes(..) => None,
    };
    match contract().reply_fault(operation, reply.status, body) {
        None => reply,
        Some(fault) => {
            let what = format!("our answer to {}: {fault}", operation.id);
            seen.violation = Some(what.clone());
            Reply::refusal(500, what).with_manual(&operation.manual)
        }
    }
}

/// Goes through all that may be said against a request.
fn allowed(
    world: &mut World,
    request: &Request,
    path: &str,
    found: &Found,
    seen: &mut Seen,
) -> Result<(&'static Row, Call), Reply> {
    if request.header("user-agent").is_none_or(str::is_empty) {
        seen.violation = Some("no user agent was sent".to_owned());
        let message = "Request forbidden by administrative rules. Please make sure your request has a User-Agent header";
        return Err(Reply::refusal(403, message));
    }
    if let Some(version) = request
        .header("x-github-api-version")
        .filter(|it| *it != VERSION)
    {
        seen.violation = Some(format!(
            "the description is of version {VERSION}, not {version}"
        ));
        let message =
            format!("{version} is not a supported version. Supported versions: {VERSION}");
        return Err(Reply::refusal(400, message));
    }
    let body = body_of(request, seen)?;
    let query = request.pairs();
    let fault = contract().request_fault(found.operation, &found.parameters, &query, body.as_ref());
    if let Some(fault) = fault {
        let message = format!("Invalid request.\n\n{fault}");
        seen.violation = Some(format!("{}: {fault}", found.operation.id));
        return Err(Reply::refusal(422, message));
    }
    let caller = caller(world, request)?;
    count(world, &found.operation.id)?;
    let row = operations::row(&found.operation.id)
        .ok_or_else(|| Reply::refusal(501, "nobody wrote this operation"))?;
    let mut call = Call {
        path: found.parameters.clone(),
        query,
        body: body.unwrap_or(Value::Null),
        caller,
        repository: String::new(),
        is_home: false,
        address: format!("{}{path}", request.base()),
        views: Views {
            api: request.base(),
        },
    };
    locate(world, &mut call)?;
    rights::check(world, &call, row)?;
    Ok((row, call))
}

fn body_of(request: &Request, seen: &mut Seen) -> Result<Option<Value>, Reply> {
    if request.body.is_empty() {
        return Ok(None);
    }
    match serde_json::from_slice(&request.body) {
        Ok(body) => {
            seen.body = Some(body);
            Ok(seen.body.clone())
        }
        Err(error) => {
            seen.violation = Some(format!("the body is not JSON: {error}"));
            Err(Reply::refusal(400, "Problems parsing JSON"))
        }
    }
}

fn caller(world: &World, request: &Request) -> Result<Option<Rights>, Reply> {
    if request.header("authorization").is_none() {
        return Ok(None);
    }
    let rights = request.token().and_then(|token| world.tokens.get(token));
    match rights {
        Some(rights) => Ok(Some(rights.clone())),
        None => {
            Err(Reply::refusal(401, "Bad credentials").with_manual("https://docs.github.com/rest"))
        }
    }
}

/// Counts the request, if that is still allowed. Asking how many are left is free.
fn count(world: &mut World, operation: &str) -> Result<(), Reply> {
    let settings = &mut world.settings;
    if operation == "rate-limit/get" {
        Ok(())
    } else if settings.rate_used >= settings.rate_limit {
        Err(Reply::refusal(403, PRIMARY))
    } else {
        settings.rate_used += 1;
        Ok(())
    }
}

/// Finds the repository that is asked about.
fn locate(world: &mut World, call: &mut Call) -> Result<(), Reply> {
    let (owner, name) = (call.part("owner"), call.part("repo"));
    if owner.is_empty() && name.is_empty() {
        return Ok(());
    }
    let full = format!("{owner}/{name}");
    let repository = world.repository_mut(&full).ok_or_else(Reply::not_found)?;
    let is_read = repository.refresh();
    call.repository = repository.name.clone();
    let id = repository.id;
    call.is_home = world.home().is_some_and(|home| home.id == id);
    if is_read {
        world.follow_branches();
    }
    // Names may be spelt in any case, and the address in a link has none.
    let prefix = format!("{}/repos/{full}", call.views.api);
    if let Some(rest) = call.address.strip_prefix(&prefix) {
        call.address = format!("{}/repositories/{id}{rest}", call.views.api);
    }
    Ok(())
}

/// Only of classic tokens it is said what they may.
fn with_scopes(world: &World, request: &Request, reply: Reply) -> Reply {
    let caller = caller(world, request).ok().flatten();
    match caller.and_then(|caller| caller.scopes) {
        Some(scopes) => reply.header("x-oauth-scopes", scopes),
        None => reply,
    }
}

fn with_limits(world: &World, mut reply: Reply) -> Reply {
    let settings = &world.settings;
    let left = settings.rate_limit.saturating_sub(settings.rate_used);
    let limits = [
        ("x-ratelimit-limit", settings.rate_limit.to_string()),
        ("x-ratelimit-remaining", left.to_string()),
        ("x-ratelimit-used", settings.rate_used.to_string()),
        (
            "x-ratelimit-reset",
            (crate::time::real_now() + 3600).to_string(),
        ),
        ("x-ratelimit-resource", "core".to_owned()),
    ];
    for (name, value) in limits {
        if !reply.headers.iter().any(|(given, _)| given == name) {
            reply = reply.header(name, value);
        }
    }
    reply
}

/// What those who run the stand-in may ask and set: the whole world.
pub(crate) fn whole_world(world: &mut World, request: &Request) -> Answer {
    match request.method.as_str() {
        "GET" => Ok(Reply::json(200, json!(world))),
        "PUT" => {
            let new = serde_json::from_slice(&request.body)
                .map_err(|error| Reply::refusal(400, format!("this is no world: {error}")))?;
            *world = new;
            Ok(Reply::empty(204))
        }
        _ => Err(Reply::not_found()),
    }
}
