//! Words and tables for a person at a terminal: the verdict first, then what to do, then the rows that need attention.
//!
//! Everything is understood without colour, and nothing out of a report can move the cursor. Tested by snapshots of
//! every canonical report, and by the property that no control character of the data arrives.

use tripline_model::{Acceptance, Failure, Finding, Report};

use crate::escape::{visible, visible_lines};
use crate::footnote::{Footnote, Footnotes, accepted_values};
use crate::grid::{Align, Cell, Column, grid};
use crate::outline::{Glance, Outline, overall, worst_first};
use crate::paint::{Tone, paint};
use crate::standing::Standing;
use crate::tail::Tail;
use crate::{Detail, Renderer, View, cell, limit};
use tripline_model::number::plural;

/// The benchmarks shown at a glance where not everything is wanted: about a screen.
const GLANCES: usize = 50;

/// The limits that are kept, shown where not everything is wanted: all that somebody wrote down, unless a pattern makes very
/// many of one.
const LIMITS: usize = 64;

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
    let steps = outline.next_steps(view.taking);
    parts.extend(
        steps
            .iter()
            .map(|step| ["  -> ", step.as_ref(), "\n"].concat()),
    );
    parts.push(canary(outline, view));
    let failures = outline.report.failures.iter();
    parts.extend(failures.map(|failure| failed(failure, view)));

    let mut notes = Footnotes::default();
    for caveat in outline.caveats() {
        notes.number(Footnote::Caveat(caveat, caveat.advice()));
    }
    parts.extend(tables(outline, &mut notes, view));
    parts.push(footnotes(&notes, view));
    parts.concat()
}

/// Says loudly what the canary did otherwise than it should.
fn canary(outline: &Outline<'_>, view: &View) -> String {
    let lines = outline.canary_failures().map(|what| {
        let said = ["the canary failed: ", &visible(what.as_str())].concat();
        ["  ", &paint(&said, Tone::Bad, view.color), "\n"].concat()
    });
    let lines: String = lines.collect();
    let gap = if lines.is_empty() { "" } else { "\n" };
    [gap, &lines].concat()
}

/// Lays out the rows that need attention, and then all or a glance, with how many were left out of each.
fn tables<'a>(outline: &Outline<'a>, notes: &mut Footnotes<'a>, view: &View) -> Vec<String> {
    let mut parts = Vec::new();
    if !outline.open.is_empty() {
        parts.push(["\n", &rows(&outline.open, notes, view)].concat());
    }
    if outline.left_out > 0 {
        let more = plural(outline.left_out, "more row", "more rows");
        parts.push(["  … and ", &more, " (show with --all)\n"].concat());
    }
    if view.detail != Detail::Full {
        parts.push(limits(outline, view));
    }
    if view.detail == Detail::Full {
        let all: Vec<&Finding> = outline.report.findings.iter().collect();
        if !all.is_empty() {
            let title = ["\n  all ", &plural(all.len(), "finding", "findings"), "\n"].concat();
            parts.extend([title, rows(&all, notes, view)]);
        }
        return parts;
    }
    if outline.is_glance_wanted() {
        parts.push(["\n", &glances(outline, notes, view)].concat());
    }
    if outline.folded > 0 {
        let more = plural(outline.folded, "more metric", "more metrics");
        parts.push(["\n  … and ", &more, " changed (show with --all)\n"].concat());
    }
    if let Some(undecided) = outline.undecided() {
        parts.push(["\n  ", &undecided, " (show with --all)\n"].concat());
    }
    parts
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
    lines.push(["    -> ", failure.advice()].concat());
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
    let has_sight = cell::has_sight(findings, view.detail);
    let mut columns = vec![
        ("benchmark", Align::Left),
        ("metric", Align::Left),
        ("base", Align::Right),
        ("head", Align::Right),
        ("change", Align::Right),
    ];
    columns.extend(has_sight.then_some(("sees", Align::Right)));
    columns.push(("verdict", Align::Left));
    let columns: Vec<Column> = columns
        .into_iter()
        .map(|(head, align)| Column {
            head: head.to_owned(),
            align,
        })
        .collect();
    let rows: Vec<Vec<Cell>> = findings
        .iter()
        .map(|finding| {
            let evidence = &finding.evidence;
            let number = |side| Cell::plain(visible(&cell::side(finding, side)));
            let mut cells = vec![
                Cell::plain(visible(&finding.bench.within_suite())),
                Cell::plain(finding.metric.name.to_string()),
                number(evidence.base.as_ref()),
                number(evidence.head.as_ref()),
                Cell::plain(cell::change(finding, view.detail)),
            ];
            cells.extend(has_sight.then(|| Cell::plain(cell::sight(finding))));
            let kept = (view.detail == Detail::Full).then(|| limit::kept(finding));
            cells.push(verdict(finding, kept.flatten(), &notes.of_all(&[finding])));
            cells
        })
        .collect();
    grid(&columns, &rows, view.width, view.color)
}

/// Lays out the limits that are kept, each with the value that keeps it: they are what somebody cared to define.
fn limits(outline: &Outline<'_>, view: &View) -> String {
    let is_open = |finding: &Finding| outline.open.iter().any(|open| std::ptr::eq(*open, finding));
    let findings = outline.report.findings.iter().filter(|f| !is_open(f));
    let kept: Vec<(&Finding, String)> = findings
        .filter_map(|finding| Some((finding, limit::kept(finding)?)))
        .collect();
    if kept.is_empty() {
        return String::new();
    }
    let column = |(head, align): (&str, Align)| Column {
        head: head.to_owned(),
        align,
    };
    let columns = [
        ("limits that are kept", Align::Left),
        ("metric", Align::Left),
        ("value", Align::Right),
        ("limit", Align::Left),
    ];
    let row = |(finding, limit): &(&Finding, String)| {
        vec![
            Cell::plain(visible(&finding.bench.within_suite())),
            Cell::plain(finding.metric.name.to_string()),
            Cell::plain(visible(&cell::range(finding))),
            Cell::plain(visible(limit)),
        ]
    };
    let shown = kept.len().min(LIMITS);
    let rows: Vec<Vec<Cell>> = kept[..shown].iter().map(row).collect();
    let mut text = grid(&columns.map(column), &rows, view.width, view.color);
    if kept.len() > shown {
        let more = plural(kept.len() - shown, "more limit", "more limits");
        text.extend(["  … and ", &more, " (show with --all)\n"]);
    }
    ["\n", &text].concat()
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
        cells.push(verdict(glance.deciding, None, &notes.at_a_glance(&shown)));
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

/// Returns the verdict's cell, with the limit that is crossed or the limits that are kept, and the numbers of the
/// footnotes of all findings its row shows.
fn verdict(deciding: &Finding, kept: Option<String>, notes: &[usize]) -> Cell {
    let mut text = cell::word(deciding).to_owned();
    if let Some((before, limit)) = cell::limit(deciding) {
        text.extend([&before, "(", &visible(&limit), ")"]);
    } else if let Some(limits) = kept {
        text.extend([", within ", &visible(&limits)]);
    }
    text.push_str(cell::consequence(deciding));
    for number in notes {
        text.extend([" [", &number.to_string(), "]"]);
    }
    Cell {
        text,
        tone: Tone::of(Standing::of(deciding)),
    }
}

/// Lists the footnotes, each with what to do about it.
fn footnotes(notes: &Footnotes<'_>, view: &View) -> String {
    let mut out = String::new();
    for (index, note) in notes.all().iter().enumerate() {
        let (text, advice) = match note {
            Footnote::Caveat(caveat, advice) => (visible(&caveat.text()), Some(*advice)),
            Footnote::OfValue(caveat, unit) => {
                (visible(&caveat.text_in(unit)), Some(caveat.advice()))
            }
            Footnote::Accepted(acceptance, unit) => {
                let [from, to] = accepted_values(acceptance, unit);
                let commit = acceptance.commit.as_ref();
                let place = commit.map_or(String::new(), |c| [" at ", c.short()].concat());
                let Acceptance { who, because, .. } = acceptance;
                let said = [
                    "accepted by ",
                    who,
                    &place,
                    ", ",
                    &from,
                    " -> ",
                    &to,
                    ": ",
                    because,
                ];
                (visible(&said.concat()), None)
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
