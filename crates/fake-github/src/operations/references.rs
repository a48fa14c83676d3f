//! Branches and tags, as git knows them.

use serde_json::{Value, json};

use super::commits::ancestors;
use crate::{
    call::Call,
    reply::{Answer, Reply},
    views::escape,
    world::{Repository, World},
};

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository(world)?;
    let name = format!("refs/{}", call.part("ref"));
    let sha = repository.refs.get(&name).ok_or_else(Reply::not_found)?;
    Ok(Reply::json(200, shown(call, repository, &name, sha)))
}

pub(super) fn matching(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository(world)?;
    let prefix = format!("refs/{}", call.part("ref"));
    let found = repository.refs.iter();
    let found = found.filter(|(name, _)| name.starts_with(&prefix));
    let all: Vec<Value> = found
        .map(|(name, sha)| shown(call, repository, name, sha))
        .collect();
    Ok(Reply::json(200, Value::Array(all)))
}

pub(super) fn create(world: &mut World, call: &Call) -> Answer {
    world.tick();
    let repository = call.repository_mut(world)?;
    let name = call.owned("ref").unwrap_or_default();
    let sha = call.owned("sha").unwrap_or_default();
    if !name.starts_with("refs/") || name.matches('/').count() < 2 {
        let message = format!("{name} is not a valid ref name.");
        return Err(Reply::refusal(422, message));
    }
    if repository.refs.contains_key(&name) {
        return Err(Reply::refusal(422, "Reference already exists"));
    }
    object(repository, &sha)?;
    repository.refs.insert(name.clone(), sha.clone());
    Ok(Reply::json(201, shown(call, repository, &name, &sha)))
}

pub(super) fn update(world: &mut World, call: &Call) -> Answer {
    world.tick();
    let repository = call.repository_mut(world)?;
    let name = format!("refs/{}", call.part("ref"));
    let sha = call.owned("sha").unwrap_or_default();
    let before = repository
        .refs
        .get(&name)
        .ok_or_else(|| Reply::refusal(422, "Reference does not exist"))?;
    object(repository, &sha)?;
    let is_forward = ancestors(repository, &sha).contains(before);
    if !is_forward && call.body["force"] != true {
        return Err(Reply::refusal(422, "Update is not a fast forward"));
    }
    repository.refs.insert(name.clone(), sha.clone());
    let shown = shown(call, repository, &name, &sha);
    world.follow_branches();
    Ok(Reply::json(200, shown))
}

pub(super) fn delete(world: &mut World, call: &Call) -> Answer {
    world.tick();
    let repository = call.repository_mut(world)?;
    let name = format!("refs/{}", call.part("ref"));
    match repository.refs.remove(&name) {
        Some(_) => Ok(Reply::empty(204)),
        None => Err(Reply::refusal(422, "Reference does not exist")),
    }
}

fn object(repository: &Repository, sha: &str) -> Result<(), Reply> {
    match repository.resolve(sha) {
        Some(found) if found == sha => Ok(()),
        _ => Err(Reply::refusal(422, "Object does not exist")),
    }
}

fn shown(call: &Call, repository: &Repository, name: &str, sha: &str) -> Value {
    let api = format!("{}/repos/{}/git", call.views.api, repository.name);
    json!({
        "ref": name,
        "url": format!("{api}/{}", escape(name)),
        "object": {"type": "commit", "sha": sha, "url": format!("{api}/commits/{sha}")},
    })
}
