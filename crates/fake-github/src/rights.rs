//! Who may do what, and how GitHub says no.
//!
//! Tested in `tests/fake/refusals.rs`.

use crate::{
    call::Call,
    operations::Row,
    reply::Reply,
    world::{Access, Permission, Rights, Scope, World},
};

/// Refuses what the caller may not do.
pub(crate) fn check(world: &World, call: &Call, row: &Row) -> Result<(), Reply> {
    let is_private = world
        .repository(&call.repository)
        .is_some_and(|repository| repository.private);
    let Some(caller) = &call.caller else {
        return match row.access {
            _ if is_private => Err(Reply::not_found()),
            Access::Write => Err(Reply::refusal(401, "Requires authentication")),
            _ if row.scopes.contains(&Scope::Administration) => {
                Err(Reply::refusal(401, "Requires authentication"))
            }
            _ => Ok(()),
        };
    };
    let rights = row
        .scopes
        .iter()
        .map(|scope| right(world, call, caller, *scope));
    let right = match rights.max() {
        Some(right) => right,
        // Whoever has any right sees that the repository is there.
        None if is_private && !call.is_home => Access::None,
        None => row.access,
    };
    if right >= row.access {
        Ok(())
    } else if row.access == Access::Read && !row.scopes.contains(&Scope::Administration) {
        // What may not be read is not there.
        Err(Reply::not_found())
    } else if caller.is_bot() {
        let message = "Resource not accessible by integration";
        Err(Reply::refusal(403, message).header("x-accepted-github-permissions", accepted(row)))
    } else if caller.scopes.is_none() {
        let message = "Resource not accessible by personal access token";
        Err(Reply::refusal(403, message).header("x-accepted-github-permissions", accepted(row)))
    } else {
        Err(Reply::refusal(403, "Must have admin rights to Repository."))
    }
}

/// Returns the rights of which one is enough, as GitHub writes them.
fn accepted(row: &Row) -> String {
    let access = match row.access {
        Access::Write => "write",
        Access::Read | Access::None => "read",
    };
    let rights = row.scopes.iter();
    let rights: Vec<String> = rights
        .map(|scope| format!("{}={access}", scope.name()))
        .collect();
    rights.join("; ")
}

/// How far a caller's right goes: no further than the token, nor than the person's role. Elsewhere than in the repository
/// under test everybody may look at what is public, and no more.
fn right(world: &World, call: &Call, caller: &Rights, scope: Scope) -> Access {
    if !call.is_home {
        let is_public = world
            .repository(&call.repository)
            .is_some_and(|repository| !repository.private);
        return if is_public {
            Access::Read
        } else {
            Access::None
        };
    }
    let of_token = caller.right(scope);
    if caller.is_bot() {
        return of_token;
    }
    let role = world
        .permissions
        .get(&caller.login)
        .copied()
        .unwrap_or(Permission::Read);
    of_token.min(of_role(role, scope))
}

fn of_role(role: Permission, scope: Scope) -> Access {
    let needed = match scope {
        Scope::Administration if role < Permission::Admin => return Access::None,
        Scope::Administration => Permission::Admin,
        // Whoever may look may talk.
        Scope::Issues | Scope::PullRequests => Permission::Read,
        _ => Permission::Write,
    };
    if role >= needed {
        Access::Write
    } else if role >= Permission::Read {
        Access::Read
    } else {
        Access::None
    }
}
