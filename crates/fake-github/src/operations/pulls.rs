//! Pull requests.

use serde_json::{Value, json};

use crate::{
    call::Call,
    reply::{Answer, Reply},
    views::home_name,
    world::{Pull, PullState, Side, World},
};

pub(super) fn list(world: &mut World, call: &Call) -> Answer {
    let state = call.asked("state").unwrap_or("open");
    let mut fitting: Vec<&Pull> = world
        .pulls
        .iter()
        .filter(|pull| call.is_home && fits(pull, call, state))
        .collect();
    fitting.sort_by_key(|pull| pull.number);
    if call.asked("direction") != Some("asc") {
        fitting.reverse();
    }
    let shown = fitting.into_iter().map(|pull| call.views.pull(world, pull));
    call.page(shown.collect())
}

fn fits(pull: &Pull, call: &Call, state: &str) -> bool {
    let is_of_state = match state {
        "all" => true,
        "closed" => pull.state == PullState::Closed,
        _ => pull.state == PullState::Open,
    };
    // As with GitHub: a head without an owner is no filter at all.
    let head = call.asked("head").and_then(|head| head.split_once(':'));
    let is_from_there = head.is_none_or(|(owner, branch)| {
        let pull_owner = pull.head.owner().unwrap_or("unknown");
        pull_owner.eq_ignore_ascii_case(owner) && pull.head.branch == branch
    });
    let base = call.asked("base");
    is_of_state && is_from_there && base.is_none_or(|base| pull.base.branch == base)
}

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    let pull = find(world, call)?;
    Ok(Reply::json(200, call.views.whole_pull(world, pull)))
}

pub(super) fn commits(world: &mut World, call: &Call) -> Answer {
    let pull = find(world, call)?;
    let head = pull.head.repository.as_deref();
    let repository = head
        .and_then(|name| world.repository(name))
        .or(world.home())
        .ok_or_else(Reply::not_found)?;
    call.page(vec![call.views.commit(repository, &pull.head.sha)])
}

/// Pull requests whose head is this commit of the repository asked about. A head in a fork is not: whoever asks the
/// repository it wants to be merged into gets nothing.
pub(super) fn of_commit(world: &mut World, call: &Call) -> Answer {
    let sha = call.part("commit_sha");
    let found = world.pulls.iter().filter(|pull| {
        let from = pull.head.repository.as_deref().unwrap_or_default();
        pull.head.sha == sha && from.eq_ignore_ascii_case(&call.repository)
    });
    let shown = found.map(|pull| call.views.pull(world, pull));
    call.page(shown.collect())
}

pub(super) fn create(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    if call.is_bot() && !world.settings.actions_may_create_pulls {
        let message = "GitHub Actions is not permitted to create or approve pull requests.";
        return Err(Reply::refusal(403, message));
    }
    let title = call
        .owned("title")
        .ok_or_else(|| refusal("missing_field", json!({"field": "title"})))?;
    let base = side(world, call, "base")?;
    let head = side(world, call, "head")?;
    let is_same = |pull: &&Pull| {
        let same_head = pull.head.repository == head.repository && pull.head.branch == head.branch;
        same_head && pull.state == PullState::Open && pull.base.branch == base.branch
    };
    if world.pulls.iter().any(|pull| is_same(&pull)) {
        let owner = head.owner().unwrap_or_default();
        let message = format!("A pull request already exists for {owner}:{}.", head.branch);
        return Err(refusal("custom", json!({"message": message})));
    }
    if base.sha == head.sha {
        let message = format!("No commits between {} and {}", base.branch, head.branch);
        return Err(refusal("custom", json!({"message": message})));
    }
    let numbers = world.pulls.iter().map(|pull| pull.number);
    let pull = Pull {
        number: numbers.max().unwrap_or_default() + 1,
        title,
        body: call.owned("body"),
        draft: call.body["draft"] == true,
        author: call.login().to_owned(),
        head,
        base,
        ..Pull::default()
    };
    world.tick();
    let shown = call.views.whole_pull(world, &pull);
    world.pulls.push(pull);
    let place = shown["url"].as_str().unwrap_or_default().to_owned();
    Ok(Reply::json(201, shown).header("location", place))
}

/// Finds the branch that one side of a new pull request names.
fn side(world: &World, call: &Call, name: &str) -> Result<Side, Reply> {
    let invalid = || refusal("invalid", json!({"field": name}));
    let text = call.text(name).unwrap_or_default();
    let home = home_name(world);
    let (repository, branch) = match text.split_once(':') {
        Some((owner, branch)) if name == "head" => {
            let mut all = world.repositories.iter();
            let found = all.find(|repository| repository.owner().eq_ignore_ascii_case(owner));
            (found.ok_or_else(invalid)?, branch)
        }
        _ => (world.repository(&home).ok_or_else(invalid)?, text),
    };
    let reference = format!("refs/heads/{branch}");
    let sha = repository.refs.get(&reference).ok_or_else(invalid)?;
    Ok(Side::new(&repository.name, branch, sha))
}

pub(super) fn update(world: &mut World, call: &Call) -> Answer {
    let number = find(world, call)?.number;
    let base = match call.text("base") {
        Some(_) => Some(side(world, call, "base")?),
        None => None,
    };
    world.tick();
    if let Some(pull) = world.pull_mut(number) {
        if let Some(title) = call.owned("title") {
            pull.title = title;
        }
        if let Some(body) = call.owned("body") {
            pull.body = Some(body);
        }
        if let Some(base) = base {
            pull.base = base;
        }
        match call.text("state") {
            Some("closed") => pull.state = PullState::Closed,
            Some("open") if !pull.merged => pull.state = PullState::Open,
            _ => {}
        }
    }
    let pull = find(world, call)?;
    Ok(Reply::json(200, call.views.whole_pull(world, pull)))
}

pub(super) fn add_labels(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let home = home_name(world);
    let pull = world
        .pull_mut(call.number("issue_number"))
        .ok_or_else(Reply::not_found)?;
    let asked = call.body["labels"].as_array().into_iter().flatten();
    let names = asked.filter_map(|label| label.as_str().or_else(|| label["name"].as_str()));
    for name in names {
        if !pull.labels.iter().any(|label| label == name) {
            pull.labels.push(name.to_owned());
        }
    }
    let shown: Vec<Value> = pull
        .labels
        .iter()
        .map(|name| call.views.label(&home, name))
        .collect();
    Ok(Reply::json(200, Value::Array(shown)))
}

fn find<'a>(world: &'a World, call: &Call) -> Result<&'a Pull, Reply> {
    call.only_at_home()?;
    world
        .pull(call.number("pull_number"))
        .ok_or_else(Reply::not_found)
}

fn refusal(code: &str, more: Value) -> Reply {
    let mut error = json!({"resource": "PullRequest", "code": code});
    if let (Some(error), Value::Object(more)) = (error.as_object_mut(), more) {
        error.extend(more);
    }
    Reply::invalid(json!([error]))
}
