//! The section of one report, in the order in which its parts are given room: what it is, what was not measured, the
//! rows that need attention, and then whatever else there is room for.
//!
//! The folded tables are for those who look closer: they have every detail, and keep the footnotes that only they need.
//! Tested by snapshots of every canonical report.

use std::ops::Range;

use tripline_model::{Finding, Unit};

use super::environment;
use super::failures::failures;
use super::open::{Opened, open};
use super::room::Room;
use super::rows::{self, Written};
use super::spoken::{code, spoken};
use super::{Setting, opening};
use crate::Detail;
use crate::footnote::{Footnote, Footnotes};
use crate::outline::Outline;
use crate::standing::is_quiet;
use tripline_model::number::plural;

/// The benchmarks that are shown at a glance without being asked for, about a screen.
const GLANCES_MAX: usize = 20;

/// The ratios and limits that are shown although nothing is the matter with them.
const RATIOS_MAX: usize = 20;

/// What the canary did, and the caveats of the whole, of which more than this nobody reads.
const SAYINGS_MAX: usize = 10;

/// What the line on what was left out takes, without its link.
const LEFT_OUT_BYTES: usize = 300;

/// What the blank lines between the parts take.
const GAPS_BYTES: usize = 32;

/// What a row takes at least, with the shortest names there are.
const ROW_BYTES_MIN: usize = 40;

/// What a fold takes besides what is in it.
const FOLD_BYTES: usize = 120;

/// The section of one report, while it is written.
pub(super) struct Section<'a> {
    outline: Outline<'a>,
    setting: &'a Setting<'a>,
    parts: Vec<String>,
    notes: Footnotes<'a>,
    /// How many of the footnotes are on the whole.
    whole_notes: usize,
    opened: Opened,
    left_out: Vec<String>,
}

impl<'a> Section<'a> {
    /// Begins a section, if there is room for what it has to say at least. Where it is the only one, its headline stands
    /// above it already.
    pub(super) fn begin(
        outline: Outline<'a>,
        setting: &'a Setting<'a>,
        is_alone: bool,
        room: &mut Room,
    ) -> Option<Self> {
        let mut head = String::new();
        if !is_alone {
            let word = outline.status.word();
            head.extend(["**", word, " ", &outline.headline(), "**\n\n"]);
        }
        head.extend([&code(&outline.identity()), "\n"]);
        let canary = outline.canary_failures().take(SAYINGS_MAX);
        for what in canary {
            head.extend(["\n**The canary failed:** ", &code(what.as_str()), "\n"]);
        }
        let link = setting.links.run.as_ref();
        let aside = LEFT_OUT_BYTES + link.map_or(0, |link| link.as_str().len());
        if !room.take(head.len() + aside + GAPS_BYTES) {
            return None;
        }
        let mut section = Self {
            outline,
            setting,
            parts: vec![head],
            notes: Footnotes::default(),
            whole_notes: 0,
            opened: Opened::default(),
            left_out: Vec::new(),
        };
        let unsaid = section.outline.canary_failures().count();
        section.leave_out(
            unsaid.saturating_sub(SAYINGS_MAX),
            ["canary failure", "canary failures"],
        );
        section.number_caveats(room);
        Some(section)
    }

    /// Numbers the caveats of the whole, which come first.
    fn number_caveats(&mut self, room: &mut Room) {
        let mut left_out = 0;
        for (index, caveat) in self.outline.caveats().enumerate() {
            let known = self.notes.all().len();
            self.notes.number(Footnote::Caveat(caveat, caveat.advice()));
            let bytes = rows::notes_bytes(&self.notes, known);
            if index >= SAYINGS_MAX || !room.take(bytes) {
                self.notes.keep(known);
                left_out += 1;
            }
        }
        self.whole_notes = self.notes.all().len();
        self.leave_out(left_out, ["caveat", "caveats"]);
    }

    fn leave_out(&mut self, count: usize, [one, many]: [&str; 2]) {
        if count > 0 {
            self.left_out.push(plural(count, one, many));
        }
    }

    /// Says what was not measured.
    pub(super) fn fail(&mut self, room: &mut Room) {
        let detail = self.setting.size.detail;
        let (text, left_out) = failures(&self.outline.report.failures, detail, room);
        self.parts.push(text);
        self.leave_out(left_out, ["failure", "failures"]);
    }

    /// Lays out the rows that need attention, for which there is so much room, and returns what they take. What was laid
    /// out before is forgotten.
    pub(super) fn lay_out(&mut self, bytes: usize) -> usize {
        self.notes.keep(self.whole_notes);
        let mut room = Room::new(bytes);
        self.opened = open(&self.outline, self.setting, &mut self.notes, &mut room);
        bytes - room.left()
    }

    /// Keeps what was laid out.
    pub(super) fn keep(&mut self) {
        let opened = std::mem::take(&mut self.opened);
        self.parts.push(opened.text);
        let left_out = opened.left_out + self.outline.left_out;
        self.leave_out(left_out, ["row", "rows"]);
    }

    /// Guesses what all the rest would take.
    pub(super) fn need(&self) -> usize {
        const ROW_BYTES: usize = 140;
        let rows = self.outline.report.findings.len() + self.outline.glances.len();
        (rows + GLANCES_MAX + RATIOS_MAX) * ROW_BYTES
    }

    /// Adds what is shown as far as there is room.
    pub(super) fn fill(&mut self, room: &mut Room) {
        self.ratios(room);
        let is_glance_wanted = self.outline.is_glance_wanted();
        let is_few = self.outline.glances.len() <= GLANCES_MAX;
        if is_glance_wanted && is_few {
            let table = rows::glances(&self.outline, &mut self.notes, room);
            self.parts.push(["\n", &table.text].concat());
            self.leave_out(table.left_out, ["benchmark", "benchmarks"]);
        }
        if let Some(undecided) = self.outline.undecided() {
            self.push_if_fits(["\n", &undecided, ".\n"].concat(), room);
        }
        let place = self.parts.len();
        self.parts.push(self.footnotes(0..self.notes.all().len()));
        if is_glance_wanted && !is_few {
            self.fold_glances(room);
        }
        // Where every finding is open already, there is nothing to fold.
        if self.outline.report.findings.len() != self.outline.open.len() {
            self.fold_findings(room);
        }
        if let Some(text) = environment::differences(self.outline.report) {
            self.push_if_fits(text, room);
        }
        let said = self.said_left_out();
        self.parts.insert(place, said);
    }

    fn push_if_fits(&mut self, text: String, room: &mut Room) {
        if room.take(text.len()) {
            self.parts.push(text);
        }
    }

    /// Names ratios and limits that nothing is the matter with: they are what somebody cared to define.
    fn ratios(&mut self, room: &mut Room) {
        let is_meant = |f: &&Finding| f.metric.unit == Unit::Ratio || f.evidence.budget.is_some();
        let findings = self.outline.report.findings.iter().filter(is_meant);
        let is_open = |f: &&Finding| self.outline.open.iter().any(|open| std::ptr::eq(*open, *f));
        let ratios: Vec<&Finding> = findings.filter(|f| !is_open(f)).collect();
        let title = "\nRatios and limits:\n\n";
        if ratios.is_empty() || !room.take(title.len()) {
            return;
        }
        let shown = &ratios[..ratios.len().min(RATIOS_MAX)];
        let table = rows::findings(shown, self.setting.size.detail, &mut self.notes, room);
        if !table.text.is_empty() {
            self.parts.push([title, &table.text].concat());
        }
        let left_out = table.left_out + ratios.len() - shown.len();
        self.leave_out(left_out, ["ratio or limit", "ratios and limits"]);
    }

    /// Adds one row per benchmark, folded, as far as there is room.
    fn fold_glances(&mut self, room: &mut Room) {
        let known = self.notes.all().len();
        let mut part = room.part(room.left());
        if part.take(FOLD_BYTES) {
            let table = rows::glances(&self.outline, &mut self.notes, &mut part);
            let total = self.outline.glances.len();
            let title = said_shown(total - table.left_out, total, ["benchmark", "benchmarks"]);
            self.fold(&title, &table.text, known);
        }
        room.give_back(part);
    }

    /// Adds all findings, folded, as far as there is room.
    fn fold_findings(&mut self, room: &mut Room) {
        let all: Vec<&Finding> = self.outline.report.findings.iter().collect();
        let total = all.len();
        let known = self.notes.all().len();
        if !room.take(FOLD_BYTES) {
            return self.leave_out(total, ["finding", "findings"]);
        }
        let before = room.left();
        let mut table = Written::nothing_of(total);
        if total * ROW_BYTES_MIN <= before {
            table = rows::findings(&all, Detail::Full, &mut self.notes, room);
        }
        if table.left_out > 0 {
            // What did not change, or may not have, is what nobody misses.
            self.notes.keep(known);
            *room = Room::new(before);
            let mut changed = all;
            changed.retain(|finding| !is_quiet(finding));
            table = rows::findings(&changed, Detail::Full, &mut self.notes, room);
            table.left_out += total - changed.len();
        }
        let left_out = table.left_out;
        if left_out < total {
            let title = said_shown(total - left_out, total, ["finding", "findings"]);
            self.fold(&title, &table.text, known);
        }
        self.leave_out(left_out, ["finding", "findings"]);
    }

    fn fold(&mut self, title: &str, table: &str, known: usize) {
        let notes = self.footnotes(known..self.notes.all().len());
        self.parts.push(folded(title, &[table, &notes].concat()));
    }

    /// Lists footnotes, each with what to do about it.
    fn footnotes(&self, which: Range<usize>) -> String {
        let mut text = String::new();
        let first = which.start;
        for (index, note) in self
            .notes
            .all()
            .iter()
            .enumerate()
            .take(which.end)
            .skip(first)
        {
            if index == first {
                text.push('\n');
            }
            text.extend([&(index + 1).to_string(), ". ", &spoken(note), "\n"]);
        }
        text
    }

    /// Says what was left out, and where it is.
    fn said_left_out(&mut self) -> String {
        if self.left_out.is_empty() {
            return String::new();
        }
        let what = self.left_out.join(", ");
        let size = self.setting.size.what;
        let place = self
            .setting
            .links
            .run
            .as_ref()
            .map_or_else(String::new, |link| {
                [
                    ": all of it is in ",
                    &opening::linked("the summary of the run", link),
                ]
                .concat()
            });
        let why = [", left out to stay within the size of a ", size].concat();
        ["\n… and ", &what, " more", &why, &place, ".\n"].concat()
    }

    /// Returns what was written.
    pub(super) fn text(self) -> String {
        self.parts.concat()
    }
}

/// Folds a text under a title.
pub(super) fn folded(title: &str, text: &str) -> String {
    [
        "\n<details><summary>",
        title,
        "</summary>\n\n",
        text,
        "\n</details>\n",
    ]
    .concat()
}

fn said_shown(shown: usize, total: usize, [one, many]: [&str; 2]) -> String {
    let all = plural(total, one, many);
    if shown == total {
        return ["All ", &all].concat();
    }
    [&plural(shown, "of", "of"), " ", &all].concat()
}
