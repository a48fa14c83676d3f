//! Commits, and what is between two of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::{
    call::Call,
    reply::{Answer, Reply},
    views::escape,
    world::Repository,
    world::World,
};

pub(super) fn list(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository(world)?;
    let from = call.asked("sha").unwrap_or(&repository.default_branch);
    let from = repository.resolve(from).ok_or_else(Reply::not_found)?;
    let commits = ancestors(repository, &from);
    let shown = commits.iter().map(|sha| call.views.commit(repository, sha));
    call.page(shown.collect())
}

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository_mut(world)?;
    let revision = call.part("ref");
    repository.learn(revision);
    let sha = repository.resolve(revision).ok_or_else(|| {
        let message = format!("No commit found for SHA: {revision}");
        Reply::refusal(422, message)
    })?;
    let commit = repository.commits.get(&sha);
    let parent = commit.and_then(|commit| commit.parents.first().cloned());
    parent.iter().for_each(|parent| repository.learn(parent));
    let before = parent.map_or_else(BTreeMap::new, |parent| repository.files(&parent));
    let mut shown = call.views.commit(repository, &sha);
    shown["files"] = changes(call, &before, &repository.files(&sha)).into();
    Ok(Reply::json(200, shown))
}

/// What differs between the files of two commits.
fn changes(
    call: &Call,
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
) -> Vec<Value> {
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = paths.into_iter().filter_map(|path| {
        let status = match (before.get(path), after.get(path)) {
            (None, _) => "added",
            (_, None) => "removed",
            (before, after) if before == after => return None,
            _ => "modified",
        };
        let url = format!(
            "{}/repos/{}/contents/{}",
            call.views.api,
            call.repository,
            escape(path)
        );
        Some(json!({
            "sha": after.get(path).or(before.get(path)), "filename": path, "status": status,
            "additions": 1, "deletions": 0, "changes": 1,
            "blob_url": url, "raw_url": url, "contents_url": url,
        }))
    });
    changed.collect()
}

pub(super) fn compare(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository(world)?;
    let (base, head) = call
        .part("basehead")
        .split_once("...")
        .ok_or_else(Reply::not_found)?;
    let base = repository.resolve(base).ok_or_else(Reply::not_found)?;
    let head = repository.resolve(head).ok_or_else(Reply::not_found)?;
    let of_base = ancestors(repository, &base);
    let of_head = ancestors(repository, &head);
    let merge_base = of_head
        .iter()
        .find(|sha| of_base.contains(sha))
        .ok_or_else(|| Reply::refusal(404, "No common ancestor"))?;
    let without = |these: &[String], those: &[String]| -> Vec<String> {
        let these = these.iter().filter(|sha| !those.contains(sha));
        these.cloned().collect()
    };
    let (ahead, behind) = (without(&of_head, &of_base), without(&of_base, &of_head));
    let status = match (ahead.is_empty(), behind.is_empty()) {
        (true, true) => "identical",
        (false, true) => "ahead",
        (true, false) => "behind",
        (false, false) => "diverged",
    };
    let show = |sha: &String| call.views.commit(repository, sha);
    let commits: Vec<Value> = ahead.iter().rev().map(show).collect();
    let shown = json!({
        "status": status,
        "ahead_by": ahead.len(),
        "behind_by": behind.len(),
        "total_commits": ahead.len(),
        "base_commit": show(&base),
        "merge_base_commit": show(merge_base),
        "commits": commits,
        "html_url": format!("https://github.com/{}/compare/{base}...{head}", repository.name),
    });
    Ok(Reply::json(200, shown))
}

/// A commit and all it builds on, the nearest first.
pub(super) fn ancestors(repository: &Repository, from: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut open = std::collections::VecDeque::from([from.to_owned()]);
    while let Some(sha) = open.pop_front() {
        if seen.insert(sha.clone()) {
            let commit = repository.commits.get(&sha);
            open.extend(commit.into_iter().flat_map(|commit| commit.parents.clone()));
            found.push(sha);
        }
    }
    found
}
