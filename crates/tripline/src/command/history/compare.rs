//! `tripline history compare`: two commits over all benchmarks, the largest change first.

use tripline_history::{Pair, Placed, Places, Plain, Query as _};
use tripline_model::few;

use super::{at, exit_of, not_there, source};
use crate::cli::{HistoryCompare, Shared};
use crate::error::Outcome;
use crate::exit::Exit;
use crate::history;
use crate::talk;

const NOT_DONE: &str = "nothing was compared";

pub(super) fn run(shared: &Shared, args: &HistoryCompare) -> Outcome<Exit> {
    let (source, root) = source(shared, &args.lying)?;
    let archive = source.index_checked()?;
    let commit = |name: &str| {
        let commit = history::commit(at(&root), name, &archive);
        commit.map_err(|why| not_there(NOT_DONE, why))
    };
    let (base, head) = (commit(&args.base)?, commit(&args.head)?);
    // Two commits stand where they are asked for, on whichever branch.
    let places = Places::of([base.clone(), head.clone()]);
    let blocks = source.contents(&tripline_history::is_block)?;
    let block = |path: &str| {
        let block = blocks.get(path).cloned();
        block.ok_or_else(|| "it is missing".to_owned())
    };
    let answer = Plain::new(&archive, &block, &places).pair(&base, &head);
    let mut pairs = answer.found;
    pairs.retain(|pair| !history::is_named_aside(&pair.line.metric, &pair.line.environment));
    let mut pairs: Vec<Pair> = pairs.into_iter().flat_map(of_one_unit).collect();
    few::sort_by(&mut pairs, |a, b| effect(b).total_cmp(&effect(a)));
    let head = "environment,benchmark,metric,unit,base,head,change_percent\n";
    let rows = pairs.iter().map(row).collect::<String>();
    talk::data(&format!("{head}{rows}"))?;
    Ok(exit_of(&archive, &answer.damaged))
}

/// What is in another unit than before is another metric of that name: one is gone, and one has come.
fn of_one_unit(pair: Pair) -> Vec<Pair> {
    let unit = |side: &Option<Placed>| side.as_ref().map(|placed| placed.metric.unit.clone());
    let (base, head) = (unit(&pair.base), unit(&pair.head));
    if base.is_none() || head.is_none() || base == head {
        return vec![pair];
    }
    let line = pair.line.clone();
    let gone = Pair {
        line,
        base: pair.base,
        head: None,
    };
    let come = Pair { base: None, ..pair };
    vec![gone, come]
}

/// Returns how far apart the two are. What only one commit has is told before all else.
fn effect(pair: &Pair) -> f64 {
    match change(pair) {
        Some(change) => change.abs(),
        None => f64::INFINITY,
    }
}

fn change(pair: &Pair) -> Option<f64> {
    let base = pair.base.as_ref()?.point.center;
    let head = pair.head.as_ref()?.point.center;
    match base == head {
        true => Some(0.0),
        false => Some((head - base) / base.abs()),
    }
}

fn row(pair: &Pair) -> String {
    let center = |side: &Option<Placed>| {
        let center = side.as_ref().map(|placed| placed.point.center.to_string());
        center.unwrap_or_default()
    };
    let metric = pair.head.as_ref().or(pair.base.as_ref());
    let unit = metric.map_or_else(String::new, |placed| placed.metric.unit.symbol().to_owned());
    let change = change(pair).map_or_else(String::new, |change| format!("{:+.2}", 100.0 * change));
    format!(
        "{},{},{},{},{},{},{change}\n",
        pair.line.environment,
        quoted(&pair.line.bench.to_string()),
        pair.line.metric,
        quoted(&unit),
        center(&pair.base),
        center(&pair.head),
    )
}

/// Quotes a text for a table where that is needed.
pub(super) fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
