//! Builds a bench target and finds its executable.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{ArtifactDebuginfo, ArtifactProfile, Message};
use tripline_model::{Failure, FailureKind, StepName};

use super::interrupt::Interrupt;
use super::process::{self, How};

/// How long a build may take; a cold one of a large workspace takes minutes.
const BUILD_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(3_600);

/// How benches are built, where that differs from what the person at the keyboard would do.
#[derive(Debug, Clone, Default)]
pub(crate) struct Build {
    /// Where cargo puts what it builds.
    pub(crate) target: Option<PathBuf>,
    /// The features of the suite's package that are switched on.
    pub(crate) features: Vec<String>,
    /// What the path that is counted under has in place of its random letters: the same for both sides of a session.
    pub(crate) letters: Option<String>,
}

impl Build {
    /// Returns a command that runs cargo.
    ///
    /// *Note:* iai-callgrind bakes `IAI_CALLGRIND_RUNNER` into the executable when it is compiled, so that the same
    /// source would give other bytes on another machine; without it the runner is looked for on `PATH`.
    pub(crate) fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .current_dir(folder)
            .env_remove("IAI_CALLGRIND_RUNNER")
            .env_remove("GUNGRAUN_RUNNER");
        if let Some(target) = &self.target {
            command.env("CARGO_TARGET_DIR", target);
        }
        command
    }
}

/// A command that runs cargo as the person at the keyboard would.
pub(crate) fn command(folder: &Path) -> Command {
    Build::default().command(folder)
}

/// A bench target that is built.
#[derive(Debug)]
pub(crate) struct Artifact {
    /// What to run.
    pub(crate) executable: PathBuf,
    /// The settings it was really built with, wherever they come from.
    pub(crate) profile: String,
}

/// Builds one bench target of the package in a folder.
pub(crate) fn build(
    step: &StepName,
    folder: &Path,
    bench: &str,
    build: &Build,
    (log, interrupt): (&mut File, &Interrupt),
) -> Result<Artifact, Failure> {
    let failure = |kind, detail: Option<String>, output: &str| {
        Failure::new(step.clone(), kind, detail, output)
    };
    let mut command = build.command(folder);
    command.args([
        "bench",
        "--no-run",
        "--message-format=json-render-diagnostics",
        "--bench",
        bench,
    ]);
    if !build.features.is_empty() {
        command.arg("--features").arg(build.features.join(","));
    }
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
    if let Some(detail) = debug_sign(&artifact.profile) {
        return Err(failure(
            FailureKind::DebugBuild,
            Some(detail.to_owned()),
            "",
        ));
    }
    Ok(Artifact {
        profile: settings(&artifact.profile),
        executable: artifact
            .executable
            .expect("the search asked for one")
            .into_std_path_buf(),
    })
}

/// Says what makes a build one for debugging, if it is one. Nobody ships what it measures.
fn debug_sign(profile: &ArtifactProfile) -> Option<&'static str> {
    if profile.opt_level == "0" {
        Some("cargo built it with opt-level 0")
    } else if profile.debug_assertions {
        Some(
            "cargo built it with debug assertions: remove `debug-assertions` from the bench profile",
        )
    } else {
        None
    }
}

/// Says in words what cargo built with. Whether it is a test is left out: to cargo, every bench is one.
fn settings(profile: &ArtifactProfile) -> String {
    let overflow = if profile.overflow_checks { "on" } else { "off" };
    let debuginfo = match &profile.debuginfo {
        ArtifactDebuginfo::None => "no debug info".to_owned(),
        known => format!("debug info {known}"),
    };
    format!(
        "opt-level {}, overflow checks {overflow}, {debuginfo}",
        profile.opt_level
    )
}

/// Leaves out cargo's messages to programs, which say nothing to people.
fn without_messages(output: &str) -> String {
    output
        .lines()
        .filter(|line| !line.starts_with('{'))
        .collect::<Vec<_>>()
        .join("\n")
}
