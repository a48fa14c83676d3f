//! GitHub-flavoured Markdown, for comments and job summaries: the verdict in the first line, what needs attention open,
//! the rest folded.
//!
//! Nothing out of a report is markup here: data stands in code, and our own words around it. A comment has a size
//! limit, so where not everything is wanted, unchanged rows are left out first; regressions are always shown whole. The
//! folded table is for those who look closer: it has every detail, and keeps the footnotes that only it needs.
//!
//! Tested by snapshots of every canonical report, and with a Markdown parser over arbitrary names.

mod spoken;

use tripline_model::{Failure, Finding, Report, Unit, Verdict};

use self::spoken::spoken;
use crate::escape::{markdown_block, markdown_cell, markdown_code, visible_lines};
use crate::footnote::{Footnote, Footnotes};
use crate::grid::Align;
use crate::number::plural;
use crate::outline::{Glance, Outline, overall, worst_first};
use crate::standing::is_quiet;
use crate::tail::Tail;
use crate::{Detail, Renderer, View, cell};

/// The bytes to stay within where not everything is wanted. GitHub refuses comments of more than 65,536 characters, and
/// whoever posts adds a few.
const COMMENT_BYTES_MAX: usize = 60_000;

/// What is set aside for the frame of a table: its heading, and the note of what was left out.
const FRAME_BYTES: usize = 512;

/// GitHub-flavoured Markdown.
pub(crate) static RENDERER: Renderer = Renderer {
    name: "markdown",
    about: "GitHub-flavoured Markdown, for comments and job summaries",
    render,
};

fn render(reports: &[Report], view: &View) -> String {
    let outlines = worst_first(reports, view.detail);
    let mut sections = first_line(&outlines);
    let mut drafts: Vec<Draft<'_>> = outlines
        .into_iter()
        .map(|outline| Draft::of(outline, view.detail))
        .collect();
    // What must be shown is written first; what remains of a comment is shared by what may be left out.
    let taken: usize = drafts.iter().map(Draft::bytes).sum();
    let share = match view.detail {
        Detail::Full => usize::MAX,
        Detail::Brief => COMMENT_BYTES_MAX.saturating_sub(taken) / drafts.len().max(1),
    };
    for draft in &mut drafts {
        draft.fill(share);
        sections.push(draft.parts.concat());
    }
    sections.join("\n")
}

/// Says the verdict on all suites in one line; of one suite, its own line is the first.
fn first_line(outlines: &[Outline<'_>]) -> Vec<String> {
    match outlines {
        [] => vec!["**Nothing was judged: there is no report.**\n".to_owned()],
        [_] => Vec::new(),
        several => {
            let (status, said) = overall(several);
            vec![["**", status.word(), " ", &said, "**\n"].concat()]
        }
    }
}

/// The section of one report, while it is written.
struct Draft<'a> {
    outline: Outline<'a>,
    parts: Vec<String>,
    notes: Footnotes<'a>,
}

impl<'a> Draft<'a> {
    /// Writes what is always shown.
    fn of(outline: Outline<'a>, detail: Detail) -> Self {
        let report = outline.report;
        // The caveats of the whole come first.
        let mut notes = Footnotes::default();
        for caveat in outline.caveats() {
            notes.number(Footnote::Caveat(caveat));
        }
        let identity = markdown_code(&outline.identity());
        let word = outline.status.word();
        let mut parts = vec![
            [
                "**",
                word,
                " ",
                &outline.headline(),
                "**\n\n",
                &identity,
                "\n",
            ]
            .concat(),
        ];
        let steps = outline.next_steps();
        if !steps.is_empty() {
            let steps = steps.iter().map(|step| ["- ", step, "\n"].concat());
            parts.push("\n".to_owned());
            parts.extend(steps);
        }
        let canary = outline.canary_failures();
        parts.extend(canary.map(|what| {
            let what = markdown_code(what.as_str());
            ["\n**The canary failed:** ", &what, "\n"].concat()
        }));
        parts.extend(report.failures.iter().map(|f| failed(f, detail)));
        if !outline.open.is_empty() {
            let (table, _) = findings(&outline.open, detail, &mut notes, usize::MAX);
            let left_out = omitted(outline.left_out, "row", "rows");
            parts.push(["\n", &table, &left_out].concat());
        }
        Self {
            outline,
            parts,
            notes,
        }
    }

    /// Returns how long the section is so far.
    fn bytes(&self) -> usize {
        let notes: usize = self.notes.all().iter().map(|note| spoken(note).len()).sum();
        self.parts.iter().map(String::len).sum::<usize>() + notes + FRAME_BYTES
    }

    /// Adds what is shown as far as there is room.
    fn fill(&mut self, room: usize) {
        let before = self.bytes();
        if self.outline.is_glance_wanted() {
            let (table, left_out) = glances(&self.outline, &mut self.notes, room);
            self.parts
                .push(["\n", &table, &omitted(left_out, "benchmark", "benchmarks")].concat());
        }
        if let Some(undecided) = self.outline.undecided() {
            self.parts
                .push(["\n", &undecided, " (see all findings).\n"].concat());
        }
        let room = room.saturating_sub(self.bytes() - before + FRAME_BYTES);
        self.parts.push(footnotes(&self.notes, 0));
        // Where every finding is open already, there is nothing to fold.
        if self.outline.report.findings.len() != self.outline.open.len() {
            self.fold(room);
        }
    }

    /// Adds all findings, folded, as far as there is room.
    fn fold(&mut self, room: usize) {
        let all: Vec<&Finding> = self.outline.report.findings.iter().collect();
        let known = self.notes.all().len();
        let (mut table, mut left_out) = findings(&all, Detail::Full, &mut self.notes, room);
        let total = all.len();
        if left_out > 0 {
            // What did not change, or may not have, is what nobody misses.
            self.notes.keep(known);
            let changed: Vec<&Finding> = all
                .into_iter()
                .filter(|finding| !is_quiet(finding))
                .collect();
            (table, left_out) = findings(&changed, Detail::Full, &mut self.notes, room);
            left_out += total - changed.len();
        }
        let title = plural(total, "finding", "findings");
        self.parts.extend([
            ["\n<details><summary>All ", &title, "</summary>\n\n"].concat(),
            table,
            omitted(left_out, "row", "rows"),
            footnotes(&self.notes, known),
            "\n</details>\n".to_owned(),
        ]);
    }
}

/// Lists the footnotes, without the first that are listed elsewhere.
fn footnotes(notes: &Footnotes<'_>, known: usize) -> String {
    let mut text = String::new();
    for (index, note) in notes.all().iter().enumerate().skip(known) {
        if index == known {
            text.push('\n');
        }
        text.extend([&(index + 1).to_string(), ". ", &spoken(note), "\n"]);
    }
    text
}

/// Says loudly what was not measured, with the end of what it wrote.
fn failed(failure: &Failure, detail: Detail) -> String {
    let step = markdown_code(failure.step.as_str());
    let mut text = ["\n**Step ", &step, " ", &failure.kind.text(), "**\n"].concat();
    for line in failure
        .detail
        .iter()
        .flat_map(|detail| visible_lines(detail))
    {
        text.extend(["\n", &markdown_code(&line), "\n"]);
    }
    text.extend(["\n→ ", failure.kind.advice(), "\n"]);
    let tail = Tail::of(failure, detail);
    if tail.left_out > 0 {
        let left_out = plural(tail.left_out, "line", "lines");
        text.extend(["\n… ", &left_out, " of output before:\n"]);
    }
    if !tail.lines.is_empty() {
        text.extend(["\n", &markdown_block(&tail.lines)]);
    }
    text
}

/// Says how many rows were left out, if any.
fn omitted(how_many: usize, one: &str, many: &str) -> String {
    if how_many == 0 {
        return String::new();
    }
    let what = plural(how_many, one, many);
    [
        "\n… and ",
        &what,
        " more, left out to stay within the size of a comment.\n",
    ]
    .concat()
}

/// Writes one row per finding, as far as there is room; returns how many were left out.
fn findings<'a>(
    findings: &[&'a Finding],
    detail: Detail,
    notes: &mut Footnotes<'a>,
    room: usize,
) -> (String, usize) {
    let has_sight = cell::has_sight(findings, detail);
    let mut columns = vec![
        ("benchmark", Align::Left),
        ("metric", Align::Left),
        ("base", Align::Right),
        ("head", Align::Right),
        ("change", Align::Right),
    ];
    columns.extend(has_sight.then_some(("sees", Align::Right)));
    columns.push(("verdict", Align::Left));
    table(&columns, findings, notes, room, |finding, notes| {
        let evidence = &finding.evidence;
        let mut cells = vec![
            markdown_cell(&finding.bench.within_suite()),
            markdown_cell(finding.metric.name.as_str()),
            number(finding, cell::side(finding, evidence.base.as_ref())),
            number(finding, cell::side(finding, evidence.head.as_ref())),
            // Our own text, but a sign of its own would open a tag.
            cell::change(finding, detail).replace('<', "&lt;"),
        ];
        cells.extend(has_sight.then(|| cell::sight(finding)));
        cells.push(verdict(finding, &notes.of_all(&[finding])));
        cells
    })
}

/// Writes one row per benchmark, as far as there is room; returns how many were left out.
fn glances<'a>(outline: &Outline<'a>, notes: &mut Footnotes<'a>, room: usize) -> (String, usize) {
    let count = cell::Pick::new(&outline.glances, |glance| glance.count, "count");
    let time = cell::Pick::new(&outline.glances, |glance| glance.time, "time");
    let picks: Vec<&cell::Pick> = [&count, &time].into_iter().flatten().collect();
    let heads: Vec<String> = picks.iter().map(|pick| markdown_cell(&pick.head)).collect();
    let mut columns = vec![("benchmark", Align::Left)];
    columns.extend(heads.iter().map(|head| (head.as_str(), Align::Left)));
    columns.push(("verdict", Align::Left));
    let values = |pick: &cell::Pick, glance: &Glance<'a>| {
        let text = pick.cell(glance);
        if pick.holds_data(glance) {
            return markdown_cell(&text);
        }
        text
    };
    table(
        &columns,
        &outline.glances,
        notes,
        room,
        |glance: &Glance<'a>, notes| {
            let mut cells = vec![markdown_cell(&glance.deciding.bench.within_suite())];
            cells.extend(picks.iter().map(|pick| values(pick, glance)));
            let shown: Vec<&Finding> = [glance.count, glance.time].into_iter().flatten().collect();
            cells.push(verdict(glance.deciding, &notes.at_a_glance(&shown)));
            cells
        },
    )
}

/// Writes a table row by row until there is no room; returns how many rows were left out.
fn table<'a, T>(
    columns: &[(&str, Align)],
    items: &[T],
    notes: &mut Footnotes<'a>,
    room: usize,
    row: impl Fn(&T, &mut Footnotes<'a>) -> Vec<String>,
) -> (String, usize) {
    let heads: Vec<&str> = columns.iter().map(|(head, _)| *head).collect();
    let rules: Vec<&str> = columns
        .iter()
        .map(|(_, align)| match align {
            Align::Left => "---",
            Align::Right => "---:",
        })
        .collect();
    let line = |cells: &str| ["| ", cells, " |\n"].concat();
    let mut text = [line(&heads.join(" | ")), line(&rules.join(" | "))].concat();
    let mut spent = 0_usize;
    for (index, item) in items.iter().enumerate() {
        let known = notes.all().len();
        let row = line(&row(item, notes).join(" | "));
        // A row's new footnotes need room, too, and go with the row where there is none.
        let new: usize = notes.all()[known..]
            .iter()
            .map(|note| spoken(note).len())
            .sum();
        spent += row.len() + new;
        if spent > room {
            notes.keep(known);
            return (text, items.len() - index);
        }
        text.push_str(&row);
    }
    (text, 0)
}

/// Returns a number's cell. Only the symbol of an unknown unit is data.
fn number(finding: &Finding, text: String) -> String {
    match finding.metric.unit {
        Unit::Other(_) => markdown_cell(&text),
        _ => text,
    }
}

/// Returns the verdict's cell, with the numbers of the footnotes of all findings its row shows.
fn verdict(deciding: &Finding, notes: &[usize]) -> String {
    let word = cell::word(deciding);
    let mut text = match deciding.verdict {
        Verdict::Broken | Verdict::Regressed => ["**", word, "**"].concat(),
        _ => word.to_owned(),
    };
    if let Some((before, limit)) = cell::limit(deciding) {
        text.extend([&before, "(", &number(deciding, limit), ")"]);
    }
    text.push_str(cell::consequence(deciding));
    let numbers: Vec<String> = notes.iter().map(ToString::to_string).collect();
    if !numbers.is_empty() {
        text.extend([" <sup>", &numbers.join(" "), "</sup>"]);
    }
    text
}
