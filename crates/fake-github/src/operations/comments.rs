//! Comments on pull requests, and reactions to them.

use serde_json::{Value, json};

use crate::{
    call::Call,
    reply::{Answer, Reply},
    world::{Comment, Permission, Reaction, World},
};

/// How long a comment may be, in characters.
const BODY_MAX: usize = 65_536;

pub(super) fn list(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let issue = call.number("issue_number");
    world.pull(issue).ok_or_else(Reply::not_found)?;
    let since = call.asked("since").unwrap_or_default();
    let comments = world.comments_on(issue).into_iter();
    let shown = comments
        .filter(|comment| comment.updated_at.as_str() >= since)
        .map(|comment| call.views.comment(world, comment));
    call.page(shown.collect())
}

pub(super) fn create(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let issue = call.number("issue_number");
    world.pull(issue).ok_or_else(Reply::not_found)?;
    let body = short_enough(call)?;
    let id = world.add_comment(issue, call.login(), body);
    let comment = call.views.comment(world, find(world, id)?);
    let place = comment["url"].as_str().unwrap_or_default().to_owned();
    Ok(Reply::json(201, comment).header("location", place))
}

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let comment = find(world, call.number("comment_id"))?;
    Ok(Reply::json(200, call.views.comment(world, comment)))
}

pub(super) fn update(world: &mut World, call: &Call) -> Answer {
    let id = own(world, call)?;
    let body = short_enough(call)?;
    let at = world.tick();
    if let Some(comment) = world.comments.iter_mut().find(|comment| comment.id == id) {
        body.clone_into(&mut comment.body);
        comment.updated_at = at;
    }
    Ok(Reply::json(
        200,
        call.views.comment(world, find(world, id)?),
    ))
}

pub(super) fn delete(world: &mut World, call: &Call) -> Answer {
    let id = own(world, call)?;
    world.comments.retain(|comment| comment.id != id);
    world.reactions.retain(|reaction| reaction.comment != id);
    Ok(Reply::empty(204))
}

pub(super) fn react(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    let comment = find(world, call.number("comment_id"))?.id;
    let content = call.owned("content").unwrap_or_default();
    let mut reactions = world.reactions.iter();
    let before = reactions.find(|reaction| {
        reaction.comment == comment && reaction.login == call.login() && reaction.content == content
    });
    if let Some(reaction) = before {
        return Ok(Reply::json(200, call.views.reaction(reaction)));
    }
    let reaction = Reaction {
        id: world.new_id(),
        comment,
        login: call.login().to_owned(),
        content,
        created_at: world.tick(),
    };
    let shown = call.views.reaction(&reaction);
    world.reactions.push(reaction);
    Ok(Reply::json(201, shown))
}

fn find(world: &World, id: u64) -> Result<&Comment, Reply> {
    let mut comments = world.comments.iter();
    comments
        .find(|comment| comment.id == id)
        .ok_or_else(Reply::not_found)
}

/// Finds the comment asked about, and refuses to let anybody change what is not theirs. People who may push are the
/// exception; programs are not.
fn own(world: &World, call: &Call) -> Result<u64, Reply> {
    call.only_at_home()?;
    let comment = find(world, call.number("comment_id"))?;
    let may_push = world
        .permissions
        .get(call.login())
        .is_some_and(|permission| *permission >= Permission::Write);
    if comment.author == call.login() || may_push {
        Ok(comment.id)
    } else if call.is_bot() {
        Err(Reply::refusal(
            403,
            "Resource not accessible by integration",
        ))
    } else {
        Err(Reply::refusal(403, "Must have admin rights to Repository."))
    }
}

fn short_enough(call: &Call) -> Result<&str, Reply> {
    let body = call.text("body").unwrap_or_default();
    let refusal = |code: &str, field: &str, message: Option<String>| -> Reply {
        let mut error = json!({"resource": "IssueComment", "code": code, "field": field});
        if let Some(message) = message {
            error["message"] = Value::String(message);
        }
        Reply::invalid(json!([error]))
    };
    if body.trim().is_empty() {
        Err(refusal("missing_field", "body", None))
    } else if body.chars().count() > BODY_MAX {
        let message = format!("Body is too long (maximum is {BODY_MAX} characters)");
        Err(refusal("unprocessable", "data", Some(message)))
    } else {
        Ok(body)
    }
}
