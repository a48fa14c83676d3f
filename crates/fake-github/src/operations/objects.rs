//! Files, trees and commits that are not on a branch yet.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{
    call::Call,
    reply::{Answer, Reply},
    world::{Commit, Repository, World},
};

pub(super) fn create_blob(world: &mut World, call: &Call) -> Answer {
    let content = call.text("content").unwrap_or_default();
    let base64 = match call.text("encoding") {
        Some("base64") => without_line_ends(content)?,
        _ => STANDARD.encode(content),
    };
    let repository = call.repository_mut(world)?;
    let sha = repository.add_blob(&base64);
    let url = format!(
        "{}/repos/{}/git/blobs/{sha}",
        call.views.api, repository.name
    );
    Ok(Reply::json(201, json!({"sha": sha, "url": url})))
}

pub(super) fn create_tree(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository_mut(world)?;
    let mut files = match call.text("base_tree") {
        Some(base) => tree(repository, base)?,
        None => BTreeMap::new(),
    };
    for entry in call.body["tree"].as_array().into_iter().flatten() {
        let path = entry["path"].as_str().unwrap_or_default().to_owned();
        match (entry["content"].as_str(), &entry["sha"]) {
            (Some(content), _) => {
                let sha = repository.add_blob(&STANDARD.encode(content));
                files.insert(path, sha);
            }
            (None, Value::String(sha)) if repository.blobs.contains_key(sha) => {
                files.insert(path, sha.clone());
            }
            (None, Value::String(sha)) => {
                let message = format!("tree.sha {sha} is not a valid blob");
                return Err(Reply::refusal(422, message));
            }
            (None, _) => {
                files.remove(&path);
            }
        }
    }
    let entries: Vec<Value> = files
        .iter()
        .map(|(path, sha)| json!({"path": path, "mode": "100644", "type": "blob", "sha": sha}))
        .collect();
    let sha = repository.add_tree(files);
    Ok(Reply::json(
        201,
        json!({"sha": sha, "tree": entries, "truncated": false}),
    ))
}

pub(super) fn create_commit(world: &mut World, call: &Call) -> Answer {
    let date = world.tick();
    let repository = call.repository_mut(world)?;
    let tree_sha = call.owned("tree").unwrap_or_default();
    if !repository.trees.contains_key(&tree_sha) {
        return Err(Reply::refusal(422, "Tree SHA does not exist"));
    }
    let parents: Vec<String> = call.body["parents"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|parent| parent.as_str().map(str::to_owned))
        .collect();
    if parents
        .iter()
        .any(|parent| repository.resolve(parent).is_none())
    {
        return Err(Reply::refusal(
            422,
            "Parent SHA does not exist or is not a commit object",
        ));
    }
    let message = call.owned("message").unwrap_or_default();
    let who = json!({"name": call.login(), "email": "noreply@github.com", "date": date});
    let api = format!("{}/repos/{}/git", call.views.api, repository.name);
    let shown_parents: Vec<Value> = parents
        .iter()
        .map(|sha| json!({"sha": sha, "url": format!("{api}/commits/{sha}")}))
        .collect();
    let sha = repository.add_commit(Commit {
        message: message.clone(),
        tree: tree_sha.clone(),
        parents,
        date,
    });
    let shown = json!({
        "sha": sha,
        "url": format!("{api}/commits/{sha}"),
        "message": message,
        "author": who,
        "committer": who,
        "tree": {"sha": tree_sha, "url": format!("{api}/trees/{tree_sha}")},
        "parents": shown_parents,
    });
    Ok(Reply::json(201, shown))
}

/// A tree by its own name, or by that of a commit.
fn tree(repository: &Repository, name: &str) -> Result<BTreeMap<String, String>, Reply> {
    let commit = repository.commits.get(name);
    let name = commit.map_or(name, |commit| &commit.tree);
    let tree = repository.trees.get(name).cloned();
    tree.ok_or_else(|| Reply::refusal(422, "base_tree is not a valid tree oid"))
}

/// Checks base64, in which GitHub and others put line ends.
pub(super) fn without_line_ends(base64: &str) -> Result<String, Reply> {
    let text: String = base64.split_ascii_whitespace().collect();
    match STANDARD.decode(&text) {
        Ok(_) => Ok(text),
        Err(_) => Err(Reply::refusal(422, "content is not valid Base64")),
    }
}
