//! `tripline history list`: which suites and environments have a history, and how long it is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tripline_history::Listed;

use super::{exit_of, source};
use crate::cli::{Lying, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::history::is_aside;
use crate::talk;

pub(super) fn run(shared: &Shared, lying: &Lying) -> Outcome<Exit> {
    let (source, _) = source(shared, lying)?;
    let archive = source.index_checked()?;
    let mut by_place: BTreeMap<_, Vec<Listed<'_>>> = BTreeMap::new();
    for listed in archive.listed() {
        if is_aside(listed.series, listed.environment) {
            continue;
        }
        let place = (&listed.record.suite, listed.environment);
        by_place.entry(place).or_default().push(listed);
    }
    let mut text = String::new();
    for ((suite, environment), all) in &by_place {
        let day = |listed: &Listed<'_>| listed.record.measured_at.to_string()[..10].to_owned();
        let closed = all.iter().filter(|listed| listed.segment.is_some()).count();
        let series = all.last().map_or(0, |listed| listed.series.all().len());
        writeln!(
            text,
            "{suite} in {environment}: {}, {closed} of them in segments; {series} series; {} to {}",
            talk::counted(all.len(), "record"),
            all.first().map_or_else(String::new, day),
            all.last().map_or_else(String::new, day),
        )
        .expect("writing to a text cannot fail");
    }
    talk::data(&talk::shown(&text))?;
    Ok(exit_of(&archive, &[]))
}
