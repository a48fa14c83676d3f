//! Pull requests, and what is said on them.

use serde_json::{Value, json};

use super::{PAGES, Views, escape, home_name, number_of};
use crate::{
    time,
    world::{Comment, Permission, Pull, PullState, Reaction, Side, World},
};

impl Views {
    fn side(&self, world: &World, side: &Side) -> Value {
        let repository = side
            .repository
            .as_deref()
            .and_then(|name| world.repository(name));
        let owner = side.owner().unwrap_or("unknown");
        json!({
            "label": format!("{owner}:{}", side.branch),
            "ref": side.branch,
            "sha": side.sha,
            "user": self.account(owner),
            "repo": repository.map(|repository| self.repository(world, repository)),
        })
    }

    pub(crate) fn pull(&self, world: &World, pull: &Pull) -> Value {
        let home = home_name(world);
        let number = pull.number;
        let api = format!("{}/repos/{home}", self.api);
        let page = format!("{PAGES}/{home}/pull/{number}");
        let is_closed = pull.state == PullState::Closed;
        let closed_at = is_closed.then(|| time::stamp(world.now));
        let link = |place: String| json!({ "href": place });
        json!({
            "id": 1_000_000 + number,
            "number": number,
            "state": pull.state,
            "title": pull.title,
            "body": pull.body,
            "draft": pull.draft,
            "user": self.account(&pull.author),
            "labels": pull.labels.iter().map(|name| self.label(&home, name)).collect::<Vec<_>>(),
            "head": self.side(world, &pull.head),
            "base": self.side(world, &pull.base),
            "closed_at": closed_at,
            "merged_at": closed_at.filter(|_| pull.merged),
            "author_association": self.association(world, &pull.author),
            "url": format!("{api}/pulls/{number}"),
            "html_url": page,
            "diff_url": format!("{page}.diff"),
            "patch_url": format!("{page}.patch"),
            "issue_url": format!("{api}/issues/{number}"),
            "comments_url": format!("{api}/issues/{number}/comments"),
            "commits_url": format!("{api}/pulls/{number}/commits"),
            "statuses_url": format!("{api}/statuses/{}", pull.head.sha),
            "_links": {
                "self": link(format!("{api}/pulls/{number}")),
                "html": link(page.clone()),
                "issue": link(format!("{api}/issues/{number}")),
                "comments": link(format!("{api}/issues/{number}/comments")),
            },
        })
    }

    /// What is shown of a pull request only when it is asked for alone.
    pub(crate) fn whole_pull(&self, world: &World, pull: &Pull) -> Value {
        let mut shown = self.pull(world, pull);
        shown["merged"] = json!(pull.merged);
        shown["mergeable"] = json!(pull.state == PullState::Open);
        shown["mergeable_state"] = json!("clean");
        shown["comments"] = json!(world.comments_on(pull.number).len());
        shown["commits"] = json!(1);
        shown
    }

    pub(crate) fn pull_in_short(&self, world: &World, pull: &Pull) -> Value {
        let side = |side: &Side| {
            let repository = side
                .repository
                .as_deref()
                .and_then(|name| world.repository(name))
                .or(world.home());
            json!({
                "ref": side.branch,
                "sha": side.sha,
                "repo": repository.map(|repository| self.repository_in_short(repository)),
            })
        };
        json!({
            "id": 1_000_000 + pull.number,
            "number": pull.number,
            "url": format!("{}/repos/{}/pulls/{}", self.api, home_name(world), pull.number),
            "head": side(&pull.head),
            "base": side(&pull.base),
        })
    }

    pub(crate) fn label(&self, home: &str, name: &str) -> Value {
        json!({
            "id": number_of(name),
            "name": name,
            "description": "",
            "color": "ededed",
            "url": format!("{}/repos/{home}/labels/{}", self.api, escape(name)),
        })
    }

    pub(crate) fn comment(&self, world: &World, comment: &Comment) -> Value {
        let home = home_name(world);
        let Comment { id, issue, .. } = comment;
        let api = format!("{}/repos/{home}/issues", self.api);
        json!({
            "id": id,
            "url": format!("{api}/comments/{id}"),
            "html_url": format!("{PAGES}/{home}/pull/{issue}#issuecomment-{id}"),
            "issue_url": format!("{api}/{issue}"),
            "body": comment.body,
            "user": self.account(&comment.author),
            "author_association": self.association(world, &comment.author),
            "created_at": comment.created_at,
            "updated_at": comment.updated_at,
        })
    }

    pub(crate) fn reaction(&self, reaction: &Reaction) -> Value {
        json!({
            "id": reaction.id,
            "user": self.account(&reaction.login),
            "content": reaction.content,
            "created_at": reaction.created_at,
        })
    }

    fn association(&self, world: &World, login: &str) -> &'static str {
        let is_owner = world
            .home()
            .is_some_and(|home| home.owner().eq_ignore_ascii_case(login));
        match world.permissions.get(login) {
            _ if is_owner => "OWNER",
            Some(permission) if *permission >= Permission::Write => "COLLABORATOR",
            _ => "NONE",
        }
    }
}
