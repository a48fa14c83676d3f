//! Artifacts: listed here, kept elsewhere.

use serde_json::Value;

use crate::{
    call::Call,
    reply::{Answer, Body, Reply},
    request::Request,
    world::{Artifact, World},
};

/// Where artifacts are kept: no part of the interface, and at another host name.
const STORE: &str = "/_artifacts/";

/// Tells whether a path is one of the store's.
pub(crate) fn is_store(path: &str) -> bool {
    path.starts_with(STORE)
}

pub(super) fn list_of_run(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    look_into_folder(world);
    let run = call.number("run_id");
    let is_known = world.runs.iter().any(|known| known.id == run)
        || world.artifacts.iter().any(|artifact| artifact.run == run);
    if !is_known {
        return Err(Reply::not_found());
    }
    list(world, call, |artifact| artifact.run == run)
}

pub(super) fn list_all(world: &mut World, call: &Call) -> Answer {
    call.only_at_home()?;
    look_into_folder(world);
    list(world, call, |_| true)
}

/// The newest first, unless asked otherwise.
fn list(world: &World, call: &Call, wanted: impl Fn(&Artifact) -> bool) -> Answer {
    let name = call.asked("name");
    let is_named = |artifact: &Artifact| name.is_none_or(|name| artifact.name == name);
    let mut found: Vec<&Artifact> = world
        .artifacts
        .iter()
        .filter(|artifact| wanted(artifact) && is_named(artifact))
        .collect();
    found.sort_by_key(|artifact| artifact.id);
    if call.asked("direction") != Some("asc") {
        found.reverse();
    }
    let shown = found.into_iter();
    let shown: Vec<Value> = shown
        .map(|artifact| call.views.artifact(world, artifact))
        .collect();
    call.counted_page("artifacts", shown)
}

pub(super) fn get(world: &mut World, call: &Call) -> Answer {
    let artifact = find(world, call)?;
    Ok(Reply::json(200, call.views.artifact(world, artifact)))
}

pub(super) fn download(world: &mut World, call: &Call) -> Answer {
    let artifact = find(world, call)?;
    if call.caller.is_none() {
        return Err(Reply::refusal(401, "Requires authentication"));
    }
    if artifact.expired {
        return Err(Reply::refusal(410, "Artifact has expired"));
    }
    let place = format!(
        "{}{STORE}{}.zip?sig=once",
        other_name(&call.views.api),
        artifact.id
    );
    Ok(Reply::empty(302).header("location", place))
}

/// The same server under its other name: for a client that is another host, which must not see the token.
fn other_name(api: &str) -> String {
    let host = api.trim_start_matches("http://");
    let host = host.split('/').next().unwrap_or(host);
    let (name, port) = host.rsplit_once(':').unwrap_or((host, "80"));
    let other = if name == "localhost" {
        "127.0.0.1"
    } else {
        "localhost"
    };
    format!("http://{other}:{port}")
}

/// Answers where artifacts are kept. Whoever brings a token there is turned away, as GitHub's store does.
pub(crate) fn fetch(world: &World, request: &Request) -> Answer {
    if request.header("authorization").is_some() {
        let message =
            "InvalidAuthenticationInfo: the address is signed, and a token was sent beside it";
        return Err(Reply::refusal(400, message));
    }
    let name = request.path.trim_start_matches(STORE);
    let id = name.strip_suffix(".zip").and_then(|id| id.parse().ok());
    let mut artifacts = world.artifacts.iter();
    let artifact = artifacts
        .find(|artifact| Some(artifact.id) == id)
        .ok_or_else(Reply::not_found)?;
    let bytes = match &artifact.file {
        Some(file) => std::fs::read(file)
            .map_err(|error| Reply::refusal(404, format!("BlobNotFound: {error}")))?,
        None => artifact.zip.clone(),
    };
    Ok(Reply {
        status: 200,
        headers: Vec::new(),
        body: Body::Bytes("application/zip", bytes),
    })
}

fn find<'a>(world: &'a World, call: &Call) -> Result<&'a Artifact, Reply> {
    call.only_at_home()?;
    let id = call.number("artifact_id");
    let mut artifacts = world.artifacts.iter();
    artifacts
        .find(|artifact| artifact.id == id)
        .ok_or_else(Reply::not_found)
}

/// Adds the artifacts that came into the folder since somebody last asked, in the order of their names.
fn look_into_folder(world: &mut World) {
    let Some(folder) = &world.artifact_folder else {
        return;
    };
    let mut files = Vec::new();
    for run in entries(folder) {
        let number = run.file_name().and_then(|name| name.to_str()?.parse().ok());
        let number: Option<u64> = number;
        files.extend(number.into_iter().flat_map(|number| {
            let files = entries(&run).into_iter();
            files.map(move |file| (number, file))
        }));
    }
    files.sort();
    for (run, file) in files {
        let is_zip = file.extension().is_some_and(|extension| extension == "zip");
        let is_known = world
            .artifacts
            .iter()
            .any(|it| it.file.as_ref() == Some(&file));
        if is_zip && !is_known {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let mut artifact = Artifact::new(world.new_id(), run, &name, Vec::new());
            artifact.size_in_bytes = std::fs::metadata(&file).map_or(0, |about| about.len());
            artifact.created_at = world.tick();
            artifact.file = Some(file);
            world.artifacts.push(artifact);
        }
    }
}

fn entries(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let listed = std::fs::read_dir(folder).into_iter().flatten();
    listed.flatten().map(|entry| entry.path()).collect()
}
