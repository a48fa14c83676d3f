//! `tripline site`: makes the trend pages out of the history.
//!
//! The numbers come from the history, the order of commits from the repository, what was accepted and allowed from the
//! project, and change points from the judge; the pages themselves are a function of all that (`tripline-site`). Tested by
//! `tests/it/site`.

mod commits;
mod derived;
mod folder;
mod lines;
mod noise;
mod parquet;
mod settled;

use std::panic::resume_unwind;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use tripline_history::Archive;
use tripline_hub::Local;
use tripline_site::{About, Canary, Files, RepositoryPage, Trends};

use crate::cli::{Shared, Site};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::heard;
use crate::history;
use crate::project::Project;
use crate::scatter;
use crate::settings::{self, TrendMethod};
use crate::talk;

const NOT_DONE: &str = "no pages were made";

pub(super) fn run(shared: &Shared, args: &Site) -> Outcome<Exit> {
    let folder = args.out.as_deref().map(folder::Folder::open).transpose()?;
    let project = project(shared, &args.history)?;
    let root = match &project {
        Some(project) => project.root().to_owned(),
        None => PathBuf::from("."),
    };
    // Neither waits for the other.
    let (archive, log) = std::thread::scope(|scope| {
        let log = scope.spawn(|| commits::log(&root, args.first_parents_of.as_deref()));
        let archive = match &folder {
            Some(folder) => history::read_with_copies(&root, &args.history, &folder.copies()),
            None => history::read_from(&root, &args.history),
        };
        let log = log.join();
        (archive, log.unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let archive = archive?;
    let trends = trends(&root, args, project.as_ref(), log, &archive)?;
    let about = about(&root, args, project.as_ref(), &archive)?;
    let mut files = tripline_site::site(&trends, &about);
    if args.parquet {
        parquet::add(&archive, &mut files)?;
    }
    let of_lines = [
        talk::counted(files.len(), "file"),
        talk::counted(trends.lines.len(), "line"),
    ];
    let of_lines = of_lines.join(" of ");
    if let Some(folder) = folder {
        let first = folder.place().join("index.html");
        let written = folder.write(&files)?;
        talk::say(&format!(
            "{of_lines}, {written} of them new or changed: open `{}`",
            first.display()
        ));
    }
    if let Some(port) = args.serve {
        return Err(serve(&files, port, &of_lines));
    }
    match archive.damaged() {
        [] => Ok(Exit::Pass),
        // What is left is shown, and is not the whole.
        _ => Ok(Exit::BadInput),
    }
}

/// Hands the pages out until somebody ends it, or else until it cannot be done, and says why.
fn serve(files: &Files, port: u16, of_lines: &str) -> CommandError {
    let local = match Local::listen(files, port) {
        Ok(local) => local,
        Err(error) => {
            let what = format!("the pages were not handed out at port {port}");
            let error = CommandError::new(Exit::BadInput, what).because(error);
            return error.hint("name another port, or none: any that is free is taken then");
        }
    };
    talk::say(&format!(
        "{of_lines}: open {} and end this with Ctrl-C",
        local.address()
    ));
    let error = local.answer_all();
    CommandError::new(Exit::BadInput, "the pages are no longer handed out").because(error)
}

/// Finds the project. Pages of a folder's history need none.
fn project(shared: &Shared, history: &str) -> Outcome<Option<Project>> {
    match super::project_of_history(shared) {
        Ok(project) => Ok(Some(project)),
        Err(error) if error.exit == Exit::NothingMeasured && Path::new(history).is_dir() => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn trends(
    root: &Path,
    args: &Site,
    project: Option<&Project>,
    log: commits::Log,
    archive: &Archive,
) -> Outcome<Trends> {
    let revision = args.first_parents_of.as_deref();
    let records = history::measured(archive);
    let told = commits::order(root, revision, log, &records)?;
    let mut lines = lines::of(&told, &records);
    let mut method = TrendMethod::default();
    if let Some(project) = project {
        derived::add(project, &mut lines.lines)?;
        settled::add(project, &mut lines.lines)?;
        method = settings::trend_method(project)?;
    }
    let found = lines::find_changes(&mut lines.lines, method);
    let sessions = scatter::of_last(&archive.records());
    noise::add(project, &mut lines.lines, &found, &sessions)?;
    Ok(Trends {
        commits: told.commits,
        order: told.order,
        environments: lines.environments,
        lines: lines.lines,
    })
}

fn about(root: &Path, args: &Site, project: Option<&Project>, archive: &Archive) -> Outcome<About> {
    let named = || {
        let root = root.canonicalize().ok()?;
        Some(root.file_name()?.to_string_lossy().into_owned())
    };
    let title = args.title.clone().or_else(named);
    let canaries = match project {
        Some(project) => project.canaries()?,
        None => Vec::new(),
    };
    let mut sung = archive.records();
    sung.retain(|kept| canaries.iter().any(|suite| suite.name == kept.record.suite));
    let last = sung.iter().map(|kept| kept.record.measured_at).max();
    let tally = heard::of_last(&sung);
    Ok(About {
        title: title.unwrap_or_else(|| "this project".to_owned()),
        version: concat!("tripline ", env!("CARGO_PKG_VERSION")).to_owned(),
        made_at: Timestamp::now(),
        repository: repository(args.repository.as_deref())?,
        canary: last.map(|at| Canary { at, tally }),
        damaged: archive.damaged().len(),
        history: args.parquet.then(|| parquet::LIST.to_owned()),
    })
}

/// Returns where the repository is shown: what was named, or what a job of GitHub Actions says.
fn repository(named: Option<&str>) -> Outcome<Option<RepositoryPage>> {
    if let Some(named) = named {
        let page = RepositoryPage::new(named).ok_or_else(|| {
            let what = format!(
                "{NOT_DONE}: `{}` is no address of a page",
                talk::shown(named)
            );
            CommandError::new(Exit::Usage, what).hint("write it as `https://host/owner/repository`")
        })?;
        return Ok(Some(page));
    }
    let said = |name| std::env::var(name).ok();
    let said = said("GITHUB_SERVER_URL").zip(said("GITHUB_REPOSITORY"));
    Ok(said.and_then(|(server, name)| RepositoryPage::new(&format!("{server}/{name}"))))
}
