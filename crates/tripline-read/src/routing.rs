//! Which files of a directory an adapter reads, and what is said of those it does not.
//!
//! A name that a harness gives makes a file its own, however damaged it may be. Any other file belongs to whoever finds a
//! mark in it, whatever it is called: people name what they redirect as they like. A result that is nobody's here is
//! said. Three numbers a line, or `real 0m1s`, are a faint mark: only a harness that is known to have written there, or
//! was named, reads such a file, and others say that they pass it over. Tested by `tests/it/directories.rs`.

use crate::Observed;
use crate::adapter::Adapter;
use crate::adapters::ADAPTERS;
use crate::encoding;
use crate::input::{Input, InputError, InputFile};
use crate::place::{Place, Problem};
use crate::stamps::bare;

/// How the files are called that valgrind's tools leave for iai-callgrind and gungraun.
const KEPT: &[&str] = &[
    "bbv.",
    "cachegrind.",
    "callgrind.",
    "dhat.",
    "drd.",
    "helgrind.",
    "massif.",
    "memcheck.",
];

/// What those two make of them.
const MADE_OF_KEPT: &str = "summary.json";

/// Two adapters of one form, of which somebody says which is meant.
const TWINS: [&str; 2] = ["custom-bigger-is-better", "custom-smaller-is-better"];

/// Returns whether an adapter reads a file.
pub(crate) fn is_read_by(
    adapter: &Adapter,
    file: InputFile<'_>,
    input: &Input,
) -> Result<bool, InputError> {
    if let Some(owner) = owner(file) {
        return Ok(owner.name == adapter.name && file.is_wanted(adapter.files));
    }
    if file.is_wanted(adapter.files) {
        return Ok(true);
    }
    let found = marked(file, input, |other| other.name == adapter.name)?;
    Ok(found.has(adapter))
}

/// Returns the adapter whose harness alone writes files where this one lies.
pub(crate) fn owner(file: InputFile<'_>) -> Option<&'static Adapter> {
    let path = file.path_from_directory()?;
    let mut all = ADAPTERS.iter().copied();
    all.find(|adapter| adapter.mark.is_path(&path))
}

/// The adapters whose mark a file holds.
#[derive(Debug, Default)]
pub(crate) struct Marked {
    pub(crate) sure: Vec<&'static Adapter>,
    /// Those whose form it has, which is no proof.
    pub(crate) faint: Vec<&'static Adapter>,
}

impl Marked {
    pub(crate) fn surely(adapter: &'static Adapter) -> Self {
        Self {
            sure: vec![adapter],
            faint: Vec::new(),
        }
    }

    /// Returns those that surely are in a file beside the adapter that reads it.
    fn beside(&self, adapter: &Adapter) -> Vec<&'static Adapter> {
        let is_twin = |one: &Adapter| TWINS.contains(&one.name) && TWINS.contains(&adapter.name);
        let all = self.sure.iter().copied();
        all.filter(|one| one.name != adapter.name && !is_twin(one))
            .collect()
    }

    fn has(&self, adapter: &Adapter) -> bool {
        let mut all = self.sure.iter().chain(&self.faint);
        all.any(|one| one.name == adapter.name)
    }
}

/// Returns those of some adapters whose mark a file holds. The file is read once for all of them.
pub(crate) fn marked(
    file: InputFile<'_>,
    input: &Input,
    is_asked: impl Fn(&Adapter) -> bool,
) -> Result<Marked, InputError> {
    let asked: Vec<_> = ADAPTERS
        .iter()
        .copied()
        .filter(|one| is_asked(one))
        .collect();
    if asked.is_empty() || is_kept(file, input) {
        return Ok(Marked::default());
    }
    let Some(bytes) = file.bytes_of_text()? else {
        return Ok(Marked::default());
    };
    let text = bare(encoding::looked_at(&bytes));
    let (sure, others): (Vec<_>, Vec<_>) = asked.into_iter().partition(|one| one.mark.is_in(&text));
    let faint = others
        .into_iter()
        .filter(|one| one.mark.is_faintly_in(&text));
    Ok(Marked {
        faint: faint.collect(),
        sure,
    })
}

/// Returns whether a file was kept beside the summary that was made of it, which is read in its place; or is what a tool
/// said of the profile beside it; or is of the run before, which iai-callgrind and gungraun keep under another ending.
fn is_kept(file: InputFile<'_>, input: &Input) -> bool {
    let Some(path) = file.path_in_tree() else {
        return false;
    };
    let name = path.file_name().and_then(|name| name.to_str());
    let is_of_tool = name.is_some_and(|name| KEPT.iter().any(|tool| name.starts_with(tool)));
    let is_said_of_profile = || {
        path.extension().is_some_and(|ending| ending == "log")
            && input.has(&path.with_extension("out"))
    };
    let is_of_run_before = || name.is_some_and(|name| name.split('.').any(|part| part == "old"));
    let is_kept = || input.has(&path.with_file_name(MADE_OF_KEPT)) || is_said_of_profile();
    is_of_tool && (is_of_run_before() || is_kept())
}

/// Returns a problem for every file that holds results of others beside those of the adapter that it was handed to.
///
/// What may be a result is not told: beside what a harness surely wrote, the times that a shell printed are of the harness itself.
pub(crate) fn others_beside(adapter: &Adapter, input: &Input) -> Result<Vec<Problem>, InputError> {
    let mut problems = Vec::new();
    for file in input.files() {
        if owner(file).is_some() {
            continue;
        }
        let found = marked(file, input, |_| true)?;
        let is_handed = matches!(input, Input::Text { .. }) || found.has(adapter);
        let others = found.beside(adapter);
        if is_handed && !others.is_empty() {
            problems.push(Problem {
                place: Place::start(&file.shown_name()),
                text: format!(
                    "it holds results of {} too, which are passed over: read them on their own",
                    names(&others, " and ")
                ),
            });
        }
    }
    Ok(problems)
}

/// Takes note of every file of a directory that looks like a result and was left to others, and of what may be one.
///
/// Of one text nothing is told: whoever names a harness asks for what is in it beside (`others_beside`).
pub(crate) fn tell_of_others(
    adapter: &Adapter,
    input: &Input,
    observed: &mut Observed,
) -> Result<(), InputError> {
    if matches!(input, Input::Text { .. }) {
        return Ok(());
    }
    for file in input.files() {
        let found = match owner(file) {
            Some(owner) if owner.name == adapter.name || !file.is_wanted(owner.files) => continue,
            Some(owner) => Marked::surely(owner),
            None => marked(file, input, |_| true)?,
        };
        if found.has(adapter) {
            continue;
        }
        let place = || Place::start(&file.shown_name());
        if !found.sure.is_empty() {
            let (others, own) = (names(&found.sure, " or "), adapter.name);
            let text = format!(
                "the file looks like output of {others}, and is not read as {own}: read it on its own"
            );
            let place = place();
            observed.problems.push(Problem { place, text });
        } else if !found.faint.is_empty() {
            let others = names(&found.faint, " or ");
            let text = format!(
                "passed over: it may be output of {others}, or of anybody; if it is, read it on its own"
            );
            let place = place();
            observed.remarks.push(Problem { place, text });
        }
    }
    Ok(())
}

fn names(adapters: &[&Adapter], between: &str) -> String {
    let names: Vec<&str> = adapters.iter().map(|adapter| adapter.name).collect();
    names.join(between)
}
