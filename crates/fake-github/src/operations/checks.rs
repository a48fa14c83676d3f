//! Check runs and commit statuses.

use serde_json::Value;

use crate::{
    call::Call,
    reply::{Answer, Reply},
    views::home_name,
    world::{CheckRun, Status, World},
};

pub(super) fn create(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    if !call.is_bot() {
        let message = "You must authenticate via a GitHub App.";
        return Err(Reply::refusal(403, message));
    }
    let head_sha = known_commit(world, call.text("head_sha").unwrap_or_default())?;
    let mut check = CheckRun {
        id: world.new_id(),
        head_sha,
        status: "queued".to_owned(),
        author: call.login().to_owned(),
        ..CheckRun::default()
    };
    change(world, &mut check, call)?;
    let shown = call.views.check_run(world, &check);
    world.check_runs.push(check);
    Ok(Reply::json(201, shown))
}

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    let check = &world.check_runs[find(world, call)?];
    Ok(Reply::json(200, call.views.check_run(world, check)))
}

pub(super) fn update(world: &mut World, call: &Call) -> Answer {
    let at = find(world, call)?;
    let mut check = world.check_runs[at].clone();
    change(world, &mut check, call)?;
    let shown = call.views.check_run(world, &check);
    world.check_runs[at] = check;
    Ok(Reply::json(200, shown))
}

pub(super) fn create_status(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let sha = known_commit(world, call.part("sha"))?;
    let status = Status {
        id: world.new_id(),
        sha,
        state: call.owned("state").unwrap_or_default(),
        context: call
            .owned("context")
            .unwrap_or_else(|| "default".to_owned()),
        description: call.owned("description"),
        target_url: call.owned("target_url"),
        author: call.login().to_owned(),
        created_at: world.tick(),
    };
    let shown = call.views.status(&status, &home_name(world));
    world.statuses.push(status);
    Ok(Reply::json(201, shown))
}

/// Writes what a request says into a check run. Annotations are added to those before; the rest takes their place.
fn change(world: &mut World, check: &mut CheckRun, call: &Call) -> Result<(), Reply> {
    let now = world.tick();
    for (name, field) in [("name", &mut check.name), ("status", &mut check.status)] {
        if let Some(text) = call.owned(name) {
            *field = text;
        }
    }
    let output = &call.body["output"];
    let said = |place: &Value, name: &str| place[name].as_str().map(str::to_owned);
    let fields = [
        (&call.body, "conclusion", &mut check.conclusion),
        (&call.body, "external_id", &mut check.external_id),
        (&call.body, "details_url", &mut check.details_url),
        (&call.body, "started_at", &mut check.started_at),
        (&call.body, "completed_at", &mut check.completed_at),
        (output, "title", &mut check.title),
        (output, "summary", &mut check.summary),
        (output, "text", &mut check.text),
    ];
    for (place, name, field) in fields {
        if let Some(text) = said(place, name) {
            *field = Some(text);
        }
    }
    let annotations = output["annotations"].as_array().into_iter().flatten();
    check.annotations.extend(annotations.cloned());
    check.started_at.get_or_insert_with(|| now.clone());
    if call.text("conclusion").is_some() || call.text("completed_at").is_some() {
        "completed".clone_into(&mut check.status);
        check.completed_at.get_or_insert(now);
    }
    if check.status == "completed" && check.conclusion.is_none() {
        let message = "Invalid request.\n\nA completed check run needs a conclusion.";
        return Err(Reply::refusal(422, message));
    }
    Ok(())
}

fn find(world: &World, call: &Call) -> Result<usize, Reply> {
    call.only_at_home()?;
    let id = call.number("check_run_id");
    let mut checks = world.check_runs.iter();
    checks
        .position(|check| check.id == id)
        .ok_or_else(Reply::not_found)
}

/// Refuses a commit that neither the repository nor a fork of it has: they share what they know.
fn known_commit(world: &World, sha: &str) -> Result<String, Reply> {
    let is_there = |sha: &str| {
        let mut repositories = world.repositories.iter();
        repositories.any(|it| it.commits.contains_key(sha) || it.refs.values().any(|at| at == sha))
    };
    let is_head = |sha: &str| {
        let mut pulls = world.pulls.iter();
        pulls.any(|pull| pull.head.sha == sha || pull.base.sha == sha)
    };
    let is_run = |sha: &str| world.runs.iter().any(|run| run.head_sha == sha);
    if is_there(sha) || is_head(sha) || is_run(sha) {
        Ok(sha.to_owned())
    } else {
        let message = format!("No commit found for SHA: {sha}");
        Err(Reply::refusal(422, message))
    }
}
