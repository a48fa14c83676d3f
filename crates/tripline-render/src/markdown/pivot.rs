//! Benchmarks of one name that differ in several params, as one table: a param goes across, the others go down, and a
//! cell holds the change.
//!
//! It is made where it is shorter than the rows would be, and their values stand in the table of all findings. Cells
//! beside those that need attention are filled as well: whether only one size is slower, or all are, is what such a
//! table is for. Tested by snapshots, and by `tests/render/pivot`.

use std::collections::BTreeMap;

use tripline_model::laid::{Laid, varied};
use tripline_model::{BenchName, Finding, MetricName, ParamKey, Verdict};

use super::room::Room;
use super::rows::{self, references};
use super::spoken::code;
use super::table::{Column, Table};
use crate::footnote::Footnotes;
use crate::grid::Align;
use crate::standing::Standing;
use crate::{Detail, cell};

/// The rows that need attention from which on a table is tried: two by two.
const OPEN_MIN: usize = 4;

/// The most values that go across.
const COLUMNS_MAX: usize = 8;

/// What is in one table: one metric of the benchmarks of one name, with the same keys.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Family<'a> {
    name: &'a BenchName,
    metric: &'a MetricName,
    keys: Vec<&'a ParamKey>,
}

impl<'a> Family<'a> {
    fn of(finding: &'a Finding) -> Self {
        Self {
            name: &finding.bench.name,
            metric: &finding.metric.name,
            keys: finding.bench.params.keys().collect(),
        }
    }
}

/// One table before it is written.
#[derive(Debug)]
pub(super) struct Pivot<'a> {
    family: Family<'a>,
    laid: Laid<'a, &'a Finding>,
}

/// Returns the tables into which rows that need attention can be put, among all findings.
pub(super) fn candidates<'a>(open: &[&'a Finding], all: &'a [Finding]) -> Vec<Pivot<'a>> {
    let mut families: BTreeMap<Family<'a>, usize> = BTreeMap::new();
    for finding in open.iter().filter(|f| f.bench.params.len() > 1) {
        *families.entry(Family::of(finding)).or_default() += 1;
    }
    families.retain(|_, count| *count >= OPEN_MIN);
    if families.is_empty() {
        return Vec::new();
    }
    let mut members: BTreeMap<Family<'a>, Vec<&'a Finding>> = BTreeMap::new();
    for finding in all {
        let family = Family::of(finding);
        if families.contains_key(&family) {
            members.entry(family).or_default().push(finding);
        }
    }
    let members = members.into_iter();
    members
        .filter_map(|(family, findings)| Pivot::of(family, &findings))
        .collect()
}

impl<'a> Pivot<'a> {
    /// Makes a table of findings, or none where fewer than two params differ or most of it would be empty.
    fn of(family: Family<'a>, findings: &[&'a Finding]) -> Option<Self> {
        let values = varied(findings.iter().map(|finding| &finding.bench.params));
        // The narrowest table is the one that can be read.
        let across = *values.iter().min_by_key(|(_, values)| values.len())?.0;
        let down: Vec<&ParamKey> = values.keys().copied().filter(|k| *k != across).collect();
        let has_rows = !down.is_empty();
        let mut laid = Laid::new(across, down);
        for finding in findings {
            laid.put(&finding.bench.params, *finding);
        }
        let is_sparse = findings.len() * 2 < laid.lines.len() * laid.values.len();
        let is_table = has_rows && laid.values.len() <= COLUMNS_MAX && !is_sparse;
        is_table.then_some(Self { family, laid })
    }

    /// Returns whether it holds a finding.
    pub(super) fn holds(&self, finding: &Finding) -> bool {
        Family::of(finding) == self.family
    }

    /// Writes the table with what it shows in words, if that takes at most so many bytes and there is room.
    pub(super) fn write(
        &self,
        notes: &mut Footnotes<'a>,
        bytes_max: usize,
        room: &mut Room,
    ) -> Option<String> {
        let known = notes.all().len();
        let least = bytes_max.min(room.left());
        let mut part = Room::new(least);
        let written = self.written(notes, &mut part);
        match written {
            Some(_) => room.take(least - part.left()),
            None => {
                notes.keep(known);
                false
            }
        };
        written
    }

    fn written(&self, notes: &mut Footnotes<'a>, room: &mut Room) -> Option<String> {
        let title = self.title();
        if !room.take(title.len()) {
            return None;
        }
        let mut columns: Vec<Column> = vec![(String::new(), Align::Left)];
        columns.extend(
            self.laid
                .heads()
                .map(|head| (rows::pair(head), Align::Right)),
        );
        let mut table = Table::begin(columns, room)?;
        for (line, findings) in &self.laid.lines {
            let known = notes.all().len();
            let mut cells = vec![rows::pairs(self.laid.side(line))];
            for value in &self.laid.values {
                let finding = findings.get(value);
                cells.push(finding.map_or_else(String::new, |finding| changed(finding, notes)));
            }
            if !table.add(cells, rows::notes_bytes(notes, known), room) {
                return None;
            }
        }
        Some([title, table.text(room)].concat())
    }

    /// Says what the cells hold. The params that are the same everywhere stand with the name.
    fn title(&self) -> String {
        let mut findings = self.laid.lines.values().flat_map(BTreeMap::values);
        let common = findings
            .next()
            .map(|finding| self.laid.common(&finding.bench));
        let name = common.map_or_else(String::new, |id| code(&id.within_suite()));
        let metric = code(self.family.metric.as_str());
        [&metric, " of ", &name, ", how it changed:\n\n"].concat()
    }
}

/// Returns a cell: the change, and what it counts as where that is something to act on.
fn changed<'a>(finding: &'a Finding, notes: &mut Footnotes<'a>) -> String {
    let change = cell::change(finding, Detail::Brief);
    let is_shown = change != cell::NOTHING;
    let words = match Standing::of(finding) {
        Standing::Is(Verdict::Unchanged) => String::new(),
        Standing::Is(Verdict::Broken | Verdict::Regressed) | Standing::OutsideBudget => {
            ["**", cell::word(finding), "**"].concat()
        }
        _ => cell::word(finding).to_owned(),
    };
    let gap = if is_shown && !words.is_empty() {
        " "
    } else {
        ""
    };
    let shown = if is_shown { change.as_str() } else { "" };
    let numbers = references(&notes.of_all(&[finding]));
    [shown, gap, &words, cell::consequence(finding), &numbers].concat()
}
