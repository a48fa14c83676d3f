//! Reads iai-callgrind: the summaries its runner writes with `--output-format=json` or `--save-summary=json`.
//!
//! Versions 1 to 3 keep callgrind apart from the other tools; from version 4 on all tools are profiles. Version 6 is
//! written by iai-callgrind 0.16 and by gungraun up to 0.19. What the counts mean is the same in all of them. Tested by
//! `fixtures/iai_callgrind`.

mod profiles;
mod runs;
mod sides;
mod totals;

use serde::Deserialize;
use tripline_model::SuiteName;

use crate::adapter::{Adapter, Mark};
use crate::input::Input;
use crate::json::{self, Misread, Text};
use crate::valgrind::{self, Dialect, Summary};
use crate::{Observed, ReadError};

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "iai-callgrind",
    about: "iai-callgrind 0.9 to 0.16 and gungraun up to 0.19: JSON lines of `--output-format=json`, or the tree of `--save-summary=json`",
    files: valgrind::is_summary_file,
    mark: Mark::Object(|object| valgrind::is_summary(object) && !valgrind::is_newer(object)),
    hint: "run the benches with `--output-format=json`; a filter that selects none still ends well",
    read,
};

const DIALECT: Dialect = Dialect {
    adapter: &ADAPTER,
    versions: &["1", "2", "3", "4", "5", "6"],
    version_hint: "for gungraun 0.20 name the harness `gungraun`",
    parse,
};

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    valgrind::read(input, suite, &DIALECT)
}

/// What says how a summary with tools apart goes on.
#[derive(Deserialize)]
struct Version<'t> {
    #[serde(borrow)]
    version: Text<'t>,
}

fn parse(text: &str) -> Result<Summary<'_>, Misread> {
    // Looking for a member takes longer than reading most summaries does.
    let read = profiles::parse(text);
    if read.is_ok() || !valgrind::has_tools_apart(text) {
        return read;
    }
    match &*json::read::<Version<'_>>(text)?.version {
        "1" | "2" => runs::parse(text),
        _ => totals::parse(text),
    }
}
