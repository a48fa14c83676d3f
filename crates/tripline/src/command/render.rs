//! `tripline render`: renders reports for people or programs, or lays out what a run measured.
//!
//! Rendering a failed gate is a success of rendering: the verdict's exit code is `judge`'s and `check`'s to give. Tables are
//! tested by `tests/it/render`.

use std::path::Path;

use crate::baselines;
use crate::cli::{Layout, Render, Shared, Show, TABLE};
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;
use crate::talk;

const NOT_DONE: &str = "nothing was rendered";

pub(super) fn run(shared: &Shared, args: &Render) -> Outcome<Exit> {
    let text = match (&*args.format, &args.layout) {
        (TABLE, layout) => {
            refuse_all(args)?;
            table(&args.file, layout)?
        }
        (_, layout) => {
            is_absent(layout)?;
            let reports = super::reports(&args.file, NOT_DONE)?;
            let show = Show {
                format: args.format.clone(),
                all: args.all,
            };
            super::rendered(&reports, shared, &show)
        }
    };
    talk::data(&text)?;
    Ok(Exit::Pass)
}

fn table(file: &Path, layout: &Layout) -> Outcome<String> {
    let run = baselines::load_run(file)?;
    let layout = tripline_render::Layout {
        rows: layout.rows.clone(),
        cols: layout
            .cols
            .clone()
            .expect("clap asks for it where a table is wanted"),
        metric: layout.metric.clone(),
    };
    tripline_render::table(&run, &layout).map_err(|error| {
        let what = format!("{NOT_DONE}: `{}` has no such table", file.display());
        CommandError::new(Exit::BadInput, what).because(error).hint(
            "name params that stand in the braces of one benchmark, as in `kv/get{bytes=64,ttl=0}`",
        )
    })
}

/// Refuses to pass over what was asked of a report.
fn refuse_all(args: &Render) -> Outcome<()> {
    if !args.all {
        return Ok(());
    }
    let what = format!("{NOT_DONE}: `--all` is for reports");
    Err(CommandError::new(Exit::Usage, what)
        .because(
            "a table has every metric of the benchmarks with its params, and no other benchmark",
        )
        .hint("leave the option out"))
}

/// Refuses to pass over what was asked of a table.
fn is_absent(layout: &Layout) -> Outcome<()> {
    let given = [
        ("--rows", !layout.rows.is_empty()),
        ("--cols", layout.cols.is_some()),
        ("--metric", layout.metric.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            let what = format!("{NOT_DONE}: `{option}` is for tables");
            Err(CommandError::new(Exit::Usage, what)
                .hint("add `--format table`, or leave the option out"))
        }
    }
}
