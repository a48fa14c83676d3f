//! `tripline history series`: the points of one benchmark, commit by commit.

use std::collections::BTreeSet;

use tripline_history::{Archive, Line, Placed, Plain, Query as _};
use tripline_model::few;

use super::{at, exit_of, not_there, source};
use crate::cli::{HistorySeries, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::history;
use crate::talk;

const NOT_DONE: &str = "no series was printed";

pub(super) fn run(shared: &Shared, args: &HistorySeries) -> Outcome<Exit> {
    let (source, root) = source(shared, &args.lying)?;
    let archive = source.index_checked()?;
    let lines = lines(&archive, args);
    if lines.is_empty() {
        let why = format!("the history has no such series of `{}`", args.benchmark);
        let how = "a benchmark is named with its suite: `SUITE/BENCHMARK`, as in reports";
        return Err(not_there(NOT_DONE, why).hint(how));
    }
    let places = history::places(at(&root), &args.until, &archive);
    let begin = match &args.since {
        None => 0,
        Some(since) => {
            let commit = history::commit(at(&root), since, &archive);
            let commit = commit.map_err(|why| not_there(NOT_DONE, why))?;
            let outside = || format!("`{since}` is not on the way to `{}`", args.until);
            let place = places.place(&commit);
            place.ok_or_else(|| not_there(NOT_DONE, outside()))?
        }
    };
    let block = |path: &str| source.block(path);
    let plain = Plain::new(&archive, &block, &places);
    let mut text = "environment,metric,unit,place,commit,measured_at,center,low,high\n".to_owned();
    let mut damaged = Vec::new();
    for line in &lines {
        let answer = plain.series(line, begin..places.count());
        text.extend(answer.found.iter().map(|placed| row(line, placed)));
        damaged.extend(answer.damaged);
    }
    few::sort(&mut damaged);
    damaged.dedup();
    talk::data(&text)?;
    Ok(exit_of(&archive, &damaged))
}

/// Returns the series that were asked for.
fn lines(archive: &Archive, args: &HistorySeries) -> BTreeSet<Line> {
    let mut lines = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for listed in archive.listed() {
        let is_asked = |wanted: &_| wanted == listed.environment;
        let is_new = seen.insert((listed.environment, &listed.record.series));
        if !is_new || !args.environment.as_ref().is_none_or(is_asked) {
            continue;
        }
        for series in listed.series.all() {
            let name = &series.metric.name;
            if args.metric.as_ref().is_none_or(|wanted| wanted == name)
                && series.bench.to_string() == args.benchmark
            {
                lines.insert(Line {
                    bench: series.bench.clone(),
                    metric: name.clone(),
                    environment: listed.environment.clone(),
                });
            }
        }
    }
    lines
}

/// Writes a point. None of the names can hold what would have to be quoted.
fn row(line: &Line, placed: &Placed) -> String {
    let (low, high) = placed.point.ends();
    format!(
        "{},{},{},{},{},{},{},{low},{high}\n",
        line.environment,
        line.metric,
        super::compare::quoted(placed.metric.unit.symbol()),
        placed.place,
        placed.commit,
        placed.measured_at,
        placed.point.center,
    )
}
