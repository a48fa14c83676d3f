//! Builds a bench target and finds its executable.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::Message;
use tripline_model::{Failure, FailureKind, StepName};

use super::interrupt::Interrupt;
use super::process::{self, How};

/// How long a build may take; a cold one of a large workspace takes minutes.
const BUILD_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(3_600);

/// A command that runs cargo as the person at the keyboard would.
///
/// *Note:* iai-callgrind bakes `IAI_CALLGRIND_RUNNER` into the executable when it is compiled, so that the same source
/// would give other bytes on another machine; without it the runner is looked for on `PATH`.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(folder)
        .env_remove("IAI_CALLGRIND_RUNNER")
        .env_remove("GUNGRAUN_RUNNER");
    command
}

/// Builds one bench target of the package in a folder, and returns its executable.
pub(crate) fn build(
    step: &StepName,
    folder: &Path,
    bench: &str,
    log: &mut File,
    interrupt: &Interrupt,
) -> Result<PathBuf, Failure> {
    let failure = |kind, detail: Option<String>, output: &str| {
        Failure::new(step.clone(), kind, detail, output)
    };
    let mut command = command(folder);
    command.args([
        "bench",
        "--no-run",
        "--message-format=json-render-diagnostics",
        "--bench",
        bench,
    ]);
    let finished = process::run(&mut command, log, BUILD_TIMEOUT, interrupt)
        .map_err(|error| failure(FailureKind::Start, Some(format!("cargo: {error}")), ""))?;
    match finished.how {
        How::Exited(0) => {}
        How::Interrupted => return Err(failure(FailureKind::Interrupted, None, "")),
        _ => {
            return Err(failure(
                FailureKind::Build,
                None,
                &without_messages(&finished.tail),
            ));
        }
    }
    let artifact = Message::parse_stream(&*finished.stdout)
        .filter_map(|message| match message {
            Ok(Message::CompilerArtifact(artifact)) if artifact.target.name == bench => {
                Some(artifact)
            }
            _ => None,
        })
        .find(|artifact| artifact.executable.is_some() && artifact.target.is_bench());
    let Some(artifact) = artifact else {
        let detail = format!("cargo built no bench target `{bench}`");
        return Err(failure(
            FailureKind::Build,
            Some(detail),
            &without_messages(&finished.tail),
        ));
    };
    if artifact.profile.opt_level == "0" {
        return Err(failure(FailureKind::DebugBuild, None, ""));
    }
    Ok(artifact
        .executable
        .expect("the search asked for one")
        .into_std_path_buf())
}

/// Leaves out cargo's messages to programs, which say nothing to people.
fn without_messages(output: &str) -> String {
    output
        .lines()
        .filter(|line| !line.starts_with('{'))
        .collect::<Vec<_>>()
        .join("\n")
}
