//! Workflow runs, how workflows are set up, and what starts from them.

use serde_json::{Value, json};

use crate::{
    call::Call,
    reply::{Answer, Reply},
    views::home_name,
    world::{Deployment, Dispatch, World},
};

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let id = call.number("run_id");
    let run = world.runs.iter().find(|run| run.id == id);
    let run = run.ok_or_else(Reply::not_found)?;
    let mut shown = call.views.run(world, run);
    if call.asked("exclude_pull_requests") == Some("true") {
        shown["pull_requests"] = json!([]);
    }
    Ok(Reply::json(200, shown))
}

pub(super) fn jobs(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let (run, attempt) = (call.number("run_id"), call.number("attempt_number"));
    if !world.runs.iter().any(|known| known.id == run) {
        return Err(Reply::not_found());
    }
    let jobs = world.jobs.iter();
    let jobs = jobs.filter(|job| (job.run, job.attempt) == (run, attempt));
    let shown = jobs.map(|job| call.views.job(world, job));
    call.counted_page("jobs", shown.collect())
}

pub(super) fn dispatch(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let reference = call.owned("ref").unwrap_or_default();
    if call.repository(world)?.resolve(&reference).is_none() {
        let message = format!("No ref found for: {reference}");
        return Err(Reply::refusal(422, message));
    }
    world.tick();
    let inputs = call.body.get("inputs").cloned().unwrap_or(Value::Null);
    world.dispatches.push(Dispatch {
        workflow: call.part("workflow_id").to_owned(),
        reference,
        inputs,
    });
    Ok(Reply::empty(204))
}

pub(super) fn default_permissions(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let settings = &world.settings;
    let word = if settings.workflows_may_write {
        "write"
    } else {
        "read"
    };
    let shown = json!({
        "default_workflow_permissions": word,
        "can_approve_pull_request_reviews": settings.actions_may_create_pulls,
    });
    Ok(Reply::json(200, shown))
}

pub(super) fn permissions(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let settings = &world.settings;
    let mut shown = json!({"enabled": settings.actions_enabled, "sha_pinning_required": false});
    if settings.actions_enabled {
        shown["allowed_actions"] = json!(settings.allowed_actions);
    }
    Ok(Reply::json(200, shown))
}

pub(super) fn deploy_pages(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let id = world.new_id();
    world.tick();
    world.deployments.push(Deployment {
        id,
        request: call.body.clone(),
    });
    let home = home_name(world);
    let (owner, name) = home.split_once('/').unwrap_or((&home, ""));
    let shown = json!({
        "id": id,
        "status_url": format!("{}/repos/{home}/pages/deployments/{id}", call.views.api),
        "page_url": format!("https://{}.github.io/{name}/", owner.to_lowercase()),
    });
    Ok(Reply::json(200, shown))
}
