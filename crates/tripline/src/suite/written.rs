//! In which file a suite is written, and its steps on which lines, for whoever shows what was found beside them.
//!
//! No verdict hangs on it. A suite that is not here has no place, as what is read may be of another commit or another
//! project; and of a file that cannot be read the first line is named. Tested below and by `tests/it/publish`.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use tripline_model::{Report, SuiteName};
use tripline_render::{Places, Source, Written};

use super::{FILE_NAME, SuiteProblem};
use crate::files;
use crate::project::Project;

/// What is read of the file; the rest may be as it likes.
#[derive(Deserialize)]
struct Steps {
    #[serde(default)]
    step: Vec<Spanned<Step>>,
}

#[derive(Deserialize)]
struct Step {
    name: String,
    benchmark: Option<String>,
}

/// Returns where the suites of reports are written, as far as the project that we are in, or that was named, has them.
pub(crate) fn places(root: Option<&Path>, reports: &[Report]) -> Places {
    let Ok(project) = Project::find(root) else {
        return Places::UNKNOWN;
    };
    let suites = reports.iter().map(|report| &report.suite);
    let written = suites.filter_map(|suite| Some((suite.clone(), source(&project, suite)?)));
    written.collect()
}

fn source(project: &Project, suite: &SuiteName) -> Option<Source> {
    let file = project.suite_folder(suite).join(FILE_NAME);
    let bytes = files::read(&file).ok()?;
    let root = project.root();
    // Paths are named from the repository's top folder, where the project may be below it.
    let top = root.ancestors().find(|folder| folder.join(".git").exists());
    let path = file.strip_prefix(top.unwrap_or(root)).ok()?;
    Some(Source {
        path: path.to_str()?.to_owned(),
        steps: steps(str::from_utf8(&bytes).unwrap_or_default()),
    })
}

/// Returns the steps of a suite's file, with their lines.
fn steps(text: &str) -> Vec<Written> {
    let steps = toml::from_str(text).map_or(Vec::new(), |file: Steps| file.step);
    let written = steps.into_iter().map(|step| {
        let line = SuiteProblem::at(text, step.span().start, "").line;
        let Step { name, benchmark } = step.into_inner();
        Written {
            step: name,
            benchmark,
            line: u32::try_from(line).unwrap_or(1),
        }
    });
    written.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_has_the_line_it_begins_on() {
        let text = "about = \"x\"\n\n[[step]]\nname = \"a\"\nharness = \"go\"\n\n# The program.\n[[step]]\nname = \"b\"\nbenchmark = \"scan\"\n";
        let found: Vec<(String, Option<String>, u32)> = steps(text)
            .into_iter()
            .map(|it| (it.step, it.benchmark, it.line))
            .collect();
        let scan = Some("scan".to_owned());
        assert_eq!(found, [("a".into(), None, 3), ("b".into(), scan, 8)]);
    }

    #[test]
    fn a_file_that_is_damaged_has_no_steps() {
        for text in ["", "[[step]]\nharness = \"go\"\n", "[[step", "step = 1\n"] {
            assert_eq!(steps(text), [], "{text}");
        }
    }
}
