//! Repositories, their branches, who may do what in them, and how much may be asked.

use serde_json::{Value, json};

use crate::{
    call::Call,
    reply::{Answer, Reply},
    time,
    views::{escape, number_of},
    world::{Permission, World},
};

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository(world)?;
    let mut shown = call.views.repository(world, repository);
    // Whoever does not say who they are is told nothing; all others their role, whatever the token may. A program has none.
    if let Some(caller) = &call.caller {
        let role = permission_of(world, &caller.login).filter(|_| call.is_home && !caller.is_bot());
        let role = role.unwrap_or(Permission::Read);
        shown["permissions"] = json!({
            "admin": role >= Permission::Admin,
            "maintain": role >= Permission::Maintain,
            "push": role >= Permission::Write,
            "triage": role >= Permission::Triage,
            "pull": true,
        });
    }
    let parent = repository.fork_of.as_deref();
    if let Some(parent) = parent.and_then(|name| world.repository(name)) {
        shown["parent"] = call.views.repository(world, parent);
        shown["source"] = shown["parent"].clone();
    }
    Ok(Reply::json(200, shown))
}

pub(super) fn branch(world: &mut World, call: &Call) -> Answer {
    let repository = call.repository(world)?;
    let name = call.part("branch");
    let sha = repository
        .refs
        .get(&format!("refs/heads/{name}"))
        .ok_or_else(|| Reply::refusal(404, "Branch not found"))?;
    let in_address = escape(name);
    let api = format!(
        "{}/repos/{}/branches/{in_address}",
        call.views.api, repository.name
    );
    let shown = json!({
        "name": name,
        "commit": call.views.commit(repository, sha),
        "_links": {
            "self": api,
            "html": format!("https://github.com/{}/tree/{in_address}", repository.name),
        },
        "protected": false,
    });
    Ok(Reply::json(200, shown))
}

pub(super) fn permission(world: &mut World, call: &Call) -> Answer {
    if call.caller.is_none() {
        return Err(Reply::refusal(401, "Requires authentication"));
    }
    call.only_at_home()?;
    let login = call.part("username");
    let permission = permission_of(world, login)
        .ok_or_else(|| Reply::refusal(404, format!("{login} is not a user")))?;
    // What is asked most often knows no more than these; the finer word stands beside it.
    let coarse = match permission {
        Permission::None => "none",
        Permission::Read | Permission::Triage => "read",
        Permission::Write | Permission::Maintain => "write",
        Permission::Admin => "admin",
    };
    let mut user = call.views.account(login);
    user["role_name"] = json!(permission);
    user["id"] = json!(number_of(login));
    let shown = json!({"permission": coarse, "role_name": permission, "user": user});
    Ok(Reply::json(200, shown))
}

/// What somebody may do. Whoever ever said something exists, and may look at what is public.
fn permission_of(world: &World, login: &str) -> Option<Permission> {
    let same = |other: &str| other.eq_ignore_ascii_case(login);
    let given = world.permissions.iter().find(|(name, _)| same(name));
    let is_private = world.home().is_some_and(|home| home.private);
    let is_somebody = world.pulls.iter().any(|pull| same(&pull.author))
        || world.comments.iter().any(|comment| same(&comment.author))
        || world.repositories.iter().any(|it| same(it.owner()));
    let otherwise = if is_private {
        Permission::None
    } else {
        Permission::Read
    };
    given
        .map(|(_, permission)| *permission)
        .or_else(|| is_somebody.then_some(otherwise))
}

pub(super) fn rate_limit(world: &mut World, _: &Call) -> Answer {
    let settings = &world.settings;
    let rate = |limit: u64, used: u64| -> Value {
        json!({
            "limit": limit,
            "used": used,
            "remaining": limit.saturating_sub(used),
            "reset": time::real_now() + 3600,
        })
    };
    let core = rate(settings.rate_limit, settings.rate_used);
    let shown = json!({"resources": {"core": core, "search": rate(30, 0)}, "rate": core});
    Ok(Reply::json(200, shown))
}
