//! Suites that the base of a session measures and the head does not: they were deleted or renamed, or are measured only on
//! demand since.
//!
//! The one idea: no run tells of such a suite, so git is asked for the base's files. What the base keeps as its baseline
//! names the benchmarks that are gone. Tested by `tests/it/gone`.

use tripline_judge::Judge;
use tripline_model::{CommitId, Report, Run, SuiteName, wire};

use crate::accepted;
use crate::command::policy_of;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::git;
use crate::measure::Measured;
use crate::project::Project;
use crate::suite::{self, Suite};
use crate::talk;

/// Reports on each suite that is gone. The base is the revision that somebody named, or else what was measured beside the
/// suites; without any there is nothing to ask.
pub(super) fn reports(
    project: &Project,
    suites: &[(Suite, Measured)],
    against: Option<&str>,
) -> Outcome<Vec<Report>> {
    let mut own = project.suites_on_demand_too(&[])?;
    own.retain(|suite| !suite.on_demand);
    let is_judged = |own: &Suite| suites.iter().any(|(suite, _)| suite.name == own.name);
    let Some(base) = Base::of(project, suites, against)? else {
        return Ok(Vec::new());
    };
    // Whoever asks for some suites hears of no others.
    let (Some((_, Measured { head, .. })), true) = (suites.first(), own.iter().all(is_judged))
    else {
        return Ok(Vec::new());
    };
    let mut gone = base.suites()?;
    gone.retain(|name| suites.iter().all(|(suite, _)| suite.name != *name));
    gone.into_iter()
        .map(|name| base.report(name, head))
        .collect()
}

/// The base's files, as git has them.
struct Base<'a> {
    project: &'a Project,
    commit: CommitId,
}

impl<'a> Base<'a> {
    fn of(
        project: &'a Project,
        suites: &[(Suite, Measured)],
        against: Option<&str>,
    ) -> Outcome<Option<Self>> {
        let mut beside = suites.iter().filter_map(|(_, it)| it.base.as_ref());
        let beside = beside.find_map(|base| Some(base.revision.as_ref()?.commit.as_str()));
        let Some(name) = against.or(beside) else {
            return Ok(None);
        };
        let commit = git::commit_of(project.root(), name);
        if commit.is_none() && against.is_some() {
            let what = format!("nothing was judged: there is no commit `{name}` here");
            return Err(CommandError::new(Exit::BadInput, what).hint(git::FETCH_FIRST));
        }
        if commit.is_none() {
            talk::say(&format!(
                "note: whether a suite of the base is gone is not known, because its commit {name} is not here"
            ));
        }
        Ok(commit.map(|commit| Self { project, commit }))
    }

    /// Returns the suites that it measures without being asked for them.
    fn suites(&self) -> Outcome<Vec<SuiteName>> {
        let files = self.files("bench/", &["-r"])?;
        let suite_of = |file: &String| {
            let name = file.strip_prefix("bench/")?.strip_suffix("/suite.toml")?;
            SuiteName::new(name).ok()
        };
        let mut suites: Vec<SuiteName> = files.iter().filter_map(suite_of).collect();
        suites.retain(|suite| !self.is_on_demand(suite));
        Ok(suites)
    }

    fn is_on_demand(&self, suite: &SuiteName) -> bool {
        let file = self.file(&format!("bench/{suite}/suite.toml"));
        file.is_some_and(|file| suite::is_on_demand(&file))
    }

    fn report(&self, suite: SuiteName, head: &Run) -> Outcome<Report> {
        let policy = policy_of(self.project, &suite)?;
        let kept = self.kept(&suite, head)?;
        let mut nothing = Run::new(
            suite,
            head.measured_at,
            head.environment.clone(),
            head.producer.clone(),
        );
        nothing.revision = head.revision.clone();
        Ok(Judge::by(&policy).gone(kept.as_ref(), &nothing))
    }

    /// Returns the run that it keeps of a suite: that of the head's environment, or else any.
    fn kept(&self, suite: &SuiteName, head: &Run) -> Outcome<Option<Run>> {
        let mut files = self.files(&format!("baselines/{suite}/"), &[])?;
        files.retain(|file| {
            file.ends_with(".jsonl") && !file.ends_with(&format!("/{}", accepted::FILE))
        });
        let its = format!("/{}.jsonl", head.environment.name);
        if let Some(place) = files.iter().position(|file| file.ends_with(&its)) {
            files.swap(0, place);
        }
        for file in files {
            let run = self.file(&file).map(|text| wire::read_run(&text));
            match run {
                Some(Ok(run)) if run.suite == *suite => return Ok(Some(run)),
                _ => talk::say(&format!(
                    "note: `{file}` of the base was passed over: it is no run of suite `{suite}` that can be read"
                )),
            }
        }
        Ok(None)
    }

    /// Lists the files of a folder, with their paths from the project's root.
    fn files(&self, folder: &str, more: &[&str]) -> Outcome<Vec<String>> {
        let list = ["ls-tree", "-z", "--name-only"];
        let args = [&list, more, &[self.commit.as_str(), "--", folder]].concat();
        let listed = git::git(self.project.root(), &args, &[]).map_err(|why| {
            let what = format!("nothing was judged: {why}");
            CommandError::new(Exit::BadInput, what)
        })?;
        let listed = String::from_utf8_lossy(&listed);
        let paths = listed.split('\0').filter(|path| !path.is_empty());
        Ok(paths.map(ToOwned::to_owned).collect())
    }

    fn file(&self, path: &str) -> Option<Vec<u8>> {
        git::file_at(self.project.root(), &self.commit, path)
    }
}
