//! Workflow runs and artifacts.

use serde_json::{Value, json};

use super::{PAGES, Views, home_name};
use crate::{
    time,
    world::{Artifact, Job, PullState, Repository, Run, Side, World},
};

impl Views {
    pub(crate) fn run(&self, world: &World, run: &Run) -> Value {
        let home = home_name(world);
        let id = run.id;
        let url = format!("{}/repos/{home}/actions/runs/{id}", self.api);
        // As with GitHub, a pull request from a fork is not among them.
        let pulls = world.pulls.iter().filter(|pull| {
            pull.state == PullState::Open
                && run.head_repository == home
                && pull.head == Side::new(&home, &run.head_branch, &run.head_sha)
        });
        let head = world.repository(&run.head_repository).or(world.home());
        let shown = |repository: Option<&Repository>| {
            repository.map(|repository| self.repository(world, repository))
        };
        json!({
            "id": id,
            "name": run.name,
            "path": run.path,
            "workflow_id": run.workflow_id,
            "run_number": 1,
            "run_attempt": run.attempt,
            "event": run.event,
            "status": run.status,
            "conclusion": run.conclusion,
            "head_branch": run.head_branch,
            "head_sha": run.head_sha,
            "display_title": run.name,
            "actor": self.account(&run.actor),
            "repository": shown(world.home()),
            "head_repository": shown(head),
            "pull_requests": pulls.map(|pull| self.pull_in_short(world, pull)).collect::<Vec<_>>(),
            "url": url,
            "artifacts_url": format!("{url}/artifacts"),
            "html_url": format!("{PAGES}/{home}/actions/runs/{id}"),
        })
    }

    pub(crate) fn job(&self, world: &World, job: &Job) -> Value {
        let home = home_name(world);
        let run = job.run;
        json!({
            "run_id": run,
            "run_url": format!("{}/repos/{home}/actions/runs/{run}", self.api),
            "run_attempt": job.attempt,
            "name": job.name,
            "status": "completed",
            "conclusion": job.conclusion,
            "created_at": job.started_at,
            "started_at": job.started_at,
            "completed_at": job.started_at,
            "html_url": format!("{PAGES}/{home}/actions/runs/{run}"),
        })
    }

    pub(crate) fn artifact(&self, world: &World, artifact: &Artifact) -> Value {
        let id = artifact.id;
        let url = format!(
            "{}/repos/{}/actions/artifacts/{id}",
            self.api,
            home_name(world)
        );
        let run = world.runs.iter().find(|run| run.id == artifact.run);
        let run = run.map(|run| {
            json!({
                "id": run.id,
                "repository_id": world.home().map(|home| home.id),
                "head_repository_id": world.repository(&run.head_repository).map(|it| it.id),
                "head_branch": run.head_branch,
                "head_sha": run.head_sha,
            })
        });
        json!({
            "id": id,
            "name": artifact.name,
            "size_in_bytes": artifact.size_in_bytes,
            "url": url,
            "archive_download_url": format!("{url}/zip"),
            "expired": artifact.expired,
            "created_at": artifact.created_at,
            "expires_at": time::stamp(world.now + 90 * 24 * 3600),
            "updated_at": artifact.created_at,
            "workflow_run": run,
        })
    }
}
