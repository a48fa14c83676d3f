//! Reports as GitHub-flavoured Markdown that keeps to a size: the verdict in the first line, what to do next, what needs
//! attention open, the rest folded.
//!
//! Nothing out of a report is markup here: data stands in code, and our own words around it. Every piece takes its room
//! before it is written (`room`), what matters first: so regressions are whole as long as they fit at all, unchanged rows
//! are the first to go, and no page is ever too long, whatever a report holds.
//!
//! A job summary, a comment and a check run are three sizes of it. Tested by snapshots of every canonical report, with a
//! Markdown parser over arbitrary names, and by the size of pages with thousands of rows.

mod environment;
mod failures;
mod group;
mod open;
mod opening;
mod pivot;
mod room;
mod rows;
mod section;
mod spoken;
mod table;
mod values;

use tripline_model::Report;

use self::room::{Room, shares};
use self::section::Section;
pub use self::values::{Layout, LayoutError, table};
use crate::link::Links;
use crate::outline::{Outline, worst_first};
use crate::{Detail, View};
use tripline_model::number::plural;

/// How long a page may be, and what it is.
#[derive(Debug)]
pub(crate) struct Size {
    /// The bytes to stay within.
    pub(crate) bytes: usize,
    /// How much of a table is wanted, where there is room.
    pub(crate) detail: Detail,
    /// What a reader calls it.
    pub(crate) what: &'static str,
}

/// A page in the parts in which it is published.
#[derive(Debug)]
pub(crate) struct Page {
    /// The verdict in one line, in plain words.
    pub(crate) first: String,
    /// The verdict and what to do next, in Markdown.
    pub(crate) opening: String,
    /// All the rest, in Markdown.
    pub(crate) body: String,
}

impl Page {
    /// Returns the whole.
    pub(crate) fn text(self) -> String {
        let gap = if self.body.is_empty() { "" } else { "\n" };
        [&self.opening, gap, &self.body].concat()
    }
}

/// What all sections share.
struct Setting<'a> {
    size: &'a Size,
    links: &'a Links,
}

/// The part of the room that what was not measured may take before anything else does.
const FAILURES_PART: usize = 4;

/// The part of the room that what the sections say at least may take.
const HEADS_PART: usize = 2;

/// What the line on suites that were left out takes.
const SUITES_LEFT_OUT_BYTES: usize = 120;

/// Writes reports.
pub(crate) fn page(reports: &[Report], view: &View, size: &Size) -> Page {
    let outlines = worst_first(reports, size.detail);
    let first = opening::first(&outlines, view.before);
    let steps = opening::steps(&outlines, view.taking);
    let opening = ["**", &first, "**\n", &steps].concat();
    let links = opening::links(&view.links);
    let mut room = Room::new(size.bytes);
    // Both are a few lines of our own words; the rest is shared by what may be left out.
    room.take(opening.len() + links.len() + SUITES_LEFT_OUT_BYTES);
    let setting = Setting {
        size,
        links: &view.links,
    };
    let (mut sections, left_out) = begun(outlines, &setting, &mut room);
    let mut failures = room.part(size.bytes / FAILURES_PART);
    for section in &mut sections {
        section.fail(&mut failures);
    }
    room.give_back(failures);
    lay_out(&mut sections, &mut room);
    let needs: Vec<usize> = sections.iter().map(Section::need).collect();
    for (section, share) in sections.iter_mut().zip(shares(&needs, room.left())) {
        section.fill(&mut Room::new(share));
    }
    // A gap stands between any two.
    let texts: Vec<String> = sections.into_iter().map(Section::text).collect();
    let body = [texts.join("\n"), suites_left_out(left_out), links].concat();
    Page {
        first,
        opening,
        body,
    }
}

/// Begins the sections for which there is room, the worst first; returns how many reports were left out.
fn begun<'a>(
    outlines: Vec<Outline<'a>>,
    setting: &'a Setting<'a>,
    room: &mut Room,
) -> (Vec<Section<'a>>, usize) {
    let (total, is_alone) = (outlines.len(), outlines.len() == 1);
    let mut heads = room.part(room.left() / HEADS_PART);
    let mut sections = Vec::new();
    for outline in outlines {
        // What stands between two sections.
        let section = heads
            .take(1)
            .then(|| Section::begin(outline, setting, is_alone, &mut heads));
        match section.flatten() {
            Some(section) => sections.push(section),
            None => break,
        }
    }
    room.give_back(heads);
    let left_out = total - sections.len();
    (sections, left_out)
}

/// Lays out the rows that need attention: all of them, or as many as the share of each section holds.
fn lay_out(sections: &mut [Section<'_>], room: &mut Room) {
    let needs: Vec<usize> = sections
        .iter_mut()
        .map(|section| section.lay_out(usize::MAX))
        .collect();
    let shares = shares(&needs, room.left());
    for ((section, need), share) in sections.iter_mut().zip(needs).zip(shares) {
        let taken = if need > share {
            section.lay_out(share)
        } else {
            need
        };
        room.take(taken);
        section.keep();
    }
}

fn suites_left_out(left_out: usize) -> String {
    if left_out == 0 {
        return String::new();
    }
    let suites = plural(left_out, "suite", "suites");
    [
        "\n… and ",
        &suites,
        " more, none of them worse than these.\n",
    ]
    .concat()
}
