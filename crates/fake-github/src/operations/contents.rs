//! Files on a branch.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::objects::without_line_ends;
use crate::{
    call::Call,
    reply::{Answer, Reply},
    views::escape,
    world::{Repository, World},
};

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository_mut(world)?;
    let branch = call
        .asked("ref")
        .unwrap_or(&repository.default_branch)
        .to_owned();
    let tip = repository.resolve(&branch).unwrap_or(branch.clone());
    repository.learn(&tip);
    let commit = repository.resolve(&branch).ok_or_else(|| {
        let message = format!("No commit found for the ref {branch}");
        Reply::refusal(404, message)
    })?;
    let files = repository.files(&commit);
    let path = call.part("path").trim_end_matches('/');
    if let Some(sha) = files.get(path) {
        let mut shown = entry(call, repository, path, sha, "file");
        shown["encoding"] = json!("base64");
        shown["content"] = json!(repository.blobs.get(sha));
        return Ok(Reply::json(200, shown));
    }
    let inside = inside(&files, path);
    if inside.is_empty() {
        return Err(Reply::not_found());
    }
    let entries: Vec<Value> = inside
        .into_iter()
        .map(|(path, (sha, kind))| entry(call, repository, &path, &sha, kind))
        .collect();
    Ok(Reply::json(200, Value::Array(entries)))
}

pub(super) fn put(world: &mut World, call: &Call) -> Answer {
    let date = world.tick();
    let repository = call.repository_mut(world)?;
    let branch = call
        .owned("branch")
        .unwrap_or_else(|| repository.default_branch.clone());
    let path = call.part("path");
    let commit = repository.refs.get(&format!("refs/heads/{branch}"));
    let commit = commit.ok_or_else(|| {
        let message = format!("Branch {branch} not found");
        Reply::refusal(404, message)
    })?;
    let before = repository.files(commit).remove(path);
    match (&before, call.text("sha")) {
        (Some(_), None) => {
            let message = "Invalid request.\n\n\"sha\" wasn't supplied.";
            return Err(Reply::refusal(422, message));
        }
        (Some(before), Some(sha)) if before != sha => {
            let message = format!("{path} does not match {sha}");
            return Err(Reply::refusal(409, message));
        }
        _ => {}
    }
    let base64 = without_line_ends(call.text("content").unwrap_or_default())?;
    let bytes = STANDARD.decode(base64).unwrap_or_default();
    let message = call.text("message").unwrap_or_default();
    let commit = repository.commit_file(&branch, path, Some(&bytes), message, &date);
    let sha = repository.files(&commit).remove(path).unwrap_or_default();
    let shown = json!({
        "content": entry(call, repository, path, &sha, "file"),
        "commit": {"sha": commit, "message": message},
    });
    world.follow_branches();
    Ok(Reply::json(if before.is_some() { 200 } else { 201 }, shown))
}

/// What a folder holds: by path, the digest and kind.
fn inside(
    files: &BTreeMap<String, String>,
    folder: &str,
) -> BTreeMap<String, (String, &'static str)> {
    let below = files.iter().filter_map(|(path, sha)| {
        let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
        let (name, kind) = match rest.split_once('/') {
            Some((name, _)) => (name, "dir"),
            None => (rest, "file"),
        };
        Some((format!("{folder}/{name}"), (sha.clone(), kind)))
    });
    below.collect()
}

fn entry(call: &Call, repository: &Repository, path: &str, sha: &str, kind: &str) -> Value {
    let base64 = repository.blobs.get(sha);
    let bytes = base64.and_then(|base64| STANDARD.decode(base64).ok());
    let api = format!(
        "{}/repos/{}/contents/{}",
        call.views.api,
        repository.name,
        escape(path)
    );
    json!({
        "type": kind,
        "name": path.rsplit('/').next(),
        "path": path,
        "sha": sha,
        "size": bytes.map_or(0, |bytes| bytes.len()),
        "url": api,
        "_links": {"self": api},
    })
}
