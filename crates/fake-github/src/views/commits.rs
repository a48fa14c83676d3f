//! Commits, and what is said about them.

use serde_json::{Value, json};

use super::{PAGES, Views, home_name, number_of};
use crate::{
    time,
    world::{CheckRun, Commit, Repository, Status, World, digest},
};

impl Views {
    pub(crate) fn check_run(&self, world: &World, check: &CheckRun) -> Value {
        let home = home_name(world);
        let id = check.id;
        let url = format!("{}/repos/{home}/check-runs/{id}", self.api);
        let pulls = world.pulls.iter().filter(|pull| {
            pull.head.sha == check.head_sha && pull.head.repository.as_deref() == Some(&home)
        });
        json!({
            "id": id,
            "name": check.name,
            "head_sha": check.head_sha,
            "external_id": check.external_id.clone().unwrap_or_default(),
            "url": url,
            "html_url": format!("{PAGES}/{home}/runs/{id}"),
            "details_url": check.details_url.clone()
                .unwrap_or_else(|| format!("{PAGES}/{home}/runs/{id}")),
            "status": check.status,
            "conclusion": check.conclusion,
            "started_at": check.started_at,
            "completed_at": check.completed_at,
            "output": {
                "title": check.title,
                "summary": check.summary,
                "text": check.text,
                "annotations_count": check.annotations.len(),
                "annotations_url": format!("{url}/annotations"),
            },
            "app": {
                "id": 15368, "slug": "github-actions", "name": "GitHub Actions",
                "owner": self.account("github"),
            },
            "check_suite": {"id": number_of(&check.head_sha)},
            "pull_requests": pulls.map(|pull| self.pull_in_short(world, pull)).collect::<Vec<_>>(),
        })
    }

    pub(crate) fn status(&self, status: &Status, home: &str) -> Value {
        json!({
            "id": status.id,
            "url": format!("{}/repos/{home}/statuses/{}", self.api, status.sha),
            "state": status.state,
            "context": status.context,
            "description": status.description,
            "target_url": status.target_url,
            "creator": self.account(&status.author),
            "created_at": status.created_at,
            "updated_at": status.created_at,
        })
    }

    pub(crate) fn commit(&self, repository: &Repository, sha: &str) -> Value {
        let unknown = Commit {
            message: String::new(),
            tree: digest("tree", sha.as_bytes()),
            parents: Vec::new(),
            date: time::stamp(time::START),
        };
        let commit = repository.commits.get(sha).unwrap_or(&unknown);
        let api = format!("{}/repos/{}", self.api, repository.name);
        let who = json!({"name": "octocat", "email": "octocat@github.com", "date": commit.date});
        let parents = commit
            .parents
            .iter()
            .map(|parent| json!({"sha": parent, "url": format!("{api}/commits/{parent}")}));
        json!({
            "sha": sha,
            "url": format!("{api}/commits/{sha}"),
            "html_url": format!("{PAGES}/{}/commit/{sha}", repository.name),
            "commit": {
                "message": commit.message,
                "author": who,
                "committer": who,
                "tree": {"sha": commit.tree},
            },
            "author": self.account("octocat"),
            "committer": self.account("octocat"),
            "parents": parents.collect::<Vec<_>>(),
        })
    }
}
