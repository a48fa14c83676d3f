//! Words and tables for a person at a terminal: the verdict first, then what to do, then the rows that need attention.
//!
//! Everything is understood without colour, and nothing out of a report can move the cursor. Tested by snapshots of
//! every canonical report, and by the property that no control character of the data arrives.

use tripline_model::{Caveat, Failure, Finding, Report};

use crate::escape::{visible, visible_lines};
use crate::footnote::{Footnote, Footnotes};
use crate::grid::{Align, Cell, Column, grid};
use crate::number::plural;
use crate::outline::{Glance, Outline, overall, worst_first};
use crate::paint::{Tone, paint};
use crate::tail::Tail;
use crate::{Detail, Renderer, View, cell};

/// The benchmarks shown at a glance where not everything is wanted: about a screen.
const GLANCES: usize = 50;

/// Words and tables for a person at a terminal.
pub(crate) static RENDERER: Renderer = Renderer {
    name: "terminal",
    about: "words and tables, for a person at a terminal",
    render,
};

fn render(reports: &[Report], view: &View) -> String {
    let outlines = worst_first(reports, view.detail);
    let mut sections: Vec<String> = Vec::new();
    if outlines.len() > 1 {
        let (status, said) = overall(&outlines);
        let word = paint(status.word(), Tone::of_status(status), view.color);
        sections.push([&word, " ", &said, "\n"].concat());
    }
    sections.extend(outlines.iter().map(|outline| section(outline, view)));
    if sections.is_empty() {
        return "nothing was judged: there is no report\n".to_owned();
    }
    sections.join("\n")
}

/// Renders one report.
fn section(outline: &Outline<'_>, view: &View) -> String {
    let tone = Tone::of_status(outline.status);
    let word = paint(outline.status.word(), tone, view.color);
    let headline = paint(&outline.headline(), Tone::Strong, view.color);
    let identity = paint(&outline.identity(), Tone::Faint, view.color);
    let mut parts = vec![[&word, " ", &headline, "\n  ", &identity, "\n"].concat()];
    let steps = outline.next_steps();
    parts.extend(steps.iter().map(|step| ["  -> ", step, "\n"].concat()));
    let failures = outline.report.failures.iter();
    parts.extend(failures.map(|failure| failed(failure, view)));

    // The caveats of the whole come first, and a first run's absent baseline is said by the headline.
    let mut notes = Footnotes::default();
    for caveat in outline
        .report
        .caveats
        .iter()
        .filter(|c| **c != Caveat::NoBaseline)
    {
        notes.number(Footnote::Caveat(caveat));
    }
    if !outline.open.is_empty() {
        parts.push(["\n", &rows(&outline.open, &mut notes, view)].concat());
    }
    if outline.left_out > 0 {
        let more = plural(outline.left_out, "more row", "more rows");
        parts.push(["  … and ", &more, " (show with --all)\n"].concat());
    }
    match view.detail {
        Detail::Full if !outline.report.findings.is_empty() => {
            let all: Vec<&Finding> = outline.report.findings.iter().collect();
            let title = ["\n  all ", &plural(all.len(), "finding", "findings"), "\n"].concat();
            parts.extend([title, rows(&all, &mut notes, view)]);
        }
        Detail::Brief if outline.is_glance_wanted() => {
            parts.push(["\n", &glances(outline, &mut notes, view)].concat());
        }
        Detail::Full | Detail::Brief => {}
    }
    if outline.folded > 0 && view.detail == Detail::Brief {
        let more = plural(outline.folded, "more metric", "more metrics");
        parts.push(["\n  … and ", &more, " changed (show with --all)\n"].concat());
    }
    parts.push(footnotes(&notes, view));
    parts.concat()
}

/// Says loudly what was not measured, with the end of what it wrote.
fn failed(failure: &Failure, view: &View) -> String {
    let what = ["step `", failure.step.as_str(), "` ", &failure.kind.text()].concat();
    let mut lines = vec![["\n  ", &paint(&what, Tone::Bad, view.color)].concat()];
    let detail = failure
        .detail
        .iter()
        .flat_map(|detail| visible_lines(detail));
    lines.extend(detail.map(|line| ["    ", &line].concat()));
    lines.push(["    -> ", failure.kind.advice()].concat());
    let tail = Tail::of(failure, view.detail);
    if tail.left_out > 0 {
        let left_out = plural(tail.left_out, "line", "lines");
        lines.push(["    | … ", &left_out, " before (show with --all)"].concat());
    }
    lines.extend(tail.lines.iter().map(|line| ["    | ", line].concat()));
    // An empty line of output must not leave blanks at the end of ours.
    let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    [&trimmed.join("\n"), "\n"].concat()
}

/// Lays out one row per finding.
fn rows<'a>(findings: &[&'a Finding], notes: &mut Footnotes<'a>, view: &View) -> String {
    let columns = [
        ("benchmark", Align::Left),
        ("metric", Align::Left),
        ("base", Align::Right),
        ("head", Align::Right),
        ("change", Align::Right),
        ("verdict", Align::Left),
    ];
    let columns = columns.map(|(head, align)| Column {
        head: head.to_owned(),
        align,
    });
    let rows: Vec<Vec<Cell>> = findings
        .iter()
        .map(|finding| {
            let evidence = &finding.evidence;
            let number = |side| Cell::plain(visible(&cell::side(finding, side)));
            vec![
                Cell::plain(visible(&finding.bench.within_suite())),
                Cell::plain(finding.metric.name.to_string()),
                number(evidence.base.as_ref()),
                number(evidence.head.as_ref()),
                Cell::plain(cell::change(finding)),
                verdict(finding, &[finding], notes),
            ]
        })
        .collect();
    grid(&columns, &rows, view.width, view.color)
}

/// Lays out one row per benchmark, with its most telling numbers.
fn glances<'a>(outline: &Outline<'a>, notes: &mut Footnotes<'a>, view: &View) -> String {
    // Full detail never comes here: it shows every finding instead.
    let shown = outline.glances.len().min(GLANCES);
    let count = cell::Pick::new(&outline.glances, |glance| glance.count, "count");
    let time = cell::Pick::new(&outline.glances, |glance| glance.time, "time");
    let picks: Vec<&cell::Pick> = [&count, &time].into_iter().flatten().collect();
    let column = |head: &str| Column {
        head: head.to_owned(),
        align: Align::Left,
    };
    let mut columns = vec![column("benchmark")];
    columns.extend(picks.iter().map(|pick| column(&pick.head)));
    columns.push(column("verdict"));
    let row = |glance: &Glance<'a>| {
        let name = visible(&glance.deciding.bench.within_suite());
        let mut cells = vec![Cell::plain(name)];
        cells.extend(
            picks
                .iter()
                .map(|pick| Cell::plain(visible(&pick.cell(glance)))),
        );
        let shown: Vec<&Finding> = [glance.count, glance.time].into_iter().flatten().collect();
        cells.push(verdict(glance.deciding, &shown, notes));
        cells
    };
    let rows: Vec<Vec<Cell>> = outline.glances[..shown].iter().map(row).collect();
    let mut text = grid(&columns, &rows, view.width, view.color);
    let hidden = outline.glances.len() - shown;
    if hidden > 0 {
        let more = plural(hidden, "more benchmark", "more benchmarks");
        text.extend(["  … and ", &more, " (show with --all)\n"]);
    }
    text
}

/// Returns the verdict's cell, with the footnotes of all findings its row shows.
fn verdict<'a>(deciding: &Finding, shown: &[&'a Finding], notes: &mut Footnotes<'a>) -> Cell {
    let mut text = [deciding.verdict.word(), cell::consequence(deciding)].concat();
    for number in notes.of_all(shown) {
        text.extend([" [", &number.to_string(), "]"]);
    }
    Cell {
        text,
        tone: Tone::of(deciding.verdict),
    }
}

/// Lists the footnotes, each with what to do about it.
fn footnotes(notes: &Footnotes<'_>, view: &View) -> String {
    let mut out = String::new();
    for (index, note) in notes.all().iter().enumerate() {
        let (text, advice) = match note {
            Footnote::Caveat(caveat) => (visible(&caveat.text()), Some(caveat.advice())),
            Footnote::Accepted(acceptance) => {
                let (who, because) = (visible(&acceptance.who), visible(&acceptance.because));
                (["accepted by ", &who, ": ", &because].concat(), None)
            }
        };
        if index == 0 {
            out.push('\n');
        }
        let number = ["  [", &(index + 1).to_string(), "] "].concat();
        out.extend([number.as_str(), &text, "\n"]);
        if let Some(advice) = advice {
            let line = ["-> ", advice].concat();
            let indent = " ".repeat(number.len());
            out.extend([
                indent.as_str(),
                &paint(&line, Tone::Faint, view.color),
                "\n",
            ]);
        }
    }
    out
}
