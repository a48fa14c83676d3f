//! Answers queries from record files and the blocks of segments, without an engine.
//!
//! Of a segment no more is read than is asked for: one row group for a series. Tested below: the answers are the same
//! whether a record has a file or is in a segment.

use std::collections::BTreeMap;
use std::ops::Range;

use tripline_model::few;
use tripline_model::{CommitId, Head, Point, Record, Segment, SeriesSet};

use super::{Archive, Damage, named_after, path_of};
use crate::file::File;
use crate::query::{Answer, Line, Pair, Placed, Places, Query, Total};
use crate::segment::{Row, Rows};

/// What gives the bytes of a block, by its path.
type Blocks<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// The records of a history with what gives the blocks of its segments.
pub struct Plain<'a> {
    archive: &'a Archive,
    blocks: &'a Blocks<'a>,
    places: &'a Places,
    segments: Vec<Open<'a>>,
}

/// A segment, and which of its records are asked for: one that has a file, or is in an earlier segment, is not.
struct Open<'a> {
    path: &'a str,
    segment: &'a Segment,
    place: Vec<Option<usize>>,
}

/// The latest point of each place.
type ByPlace = BTreeMap<usize, Placed>;

impl<'a> Plain<'a> {
    /// Takes a history that was read, or whose index was.
    #[must_use]
    pub fn new(archive: &'a Archive, blocks: &'a Blocks<'a>, places: &'a Places) -> Self {
        let mut seen: std::collections::BTreeSet<String> =
            archive.records.keys().cloned().collect();
        let mut open = |(path, segment): (&'a String, &'a Segment)| {
            let place = |head: &Head| {
                let is_new = seen.insert(path_of(segment, head));
                let is_whole = archive.missing(&head.record).is_none();
                let place = places.place(&head.record.commit);
                place.filter(|_| is_new && is_whole)
            };
            let place = segment.heads.iter().map(place).collect();
            Open {
                path,
                segment,
                place,
            }
        };
        let segments = archive.segments.iter().map(&mut open).collect();
        Self {
            archive,
            blocks,
            places,
            segments,
        }
    }

    fn block(&self, segment: &Segment, at: usize) -> Result<Rows, Damage> {
        let path = File::block_path(&segment.suite, &segment.blocks[at].digest);
        let bytes = (self.blocks)(&path).and_then(|bytes| {
            named_after(&path, &bytes)?;
            Rows::open(bytes).map_err(|error| error.to_string())
        });
        bytes.map_err(|why| Damage { path, why })
    }

    /// Looks at every point within a range.
    fn each(&self, range: &Range<usize>, mut take: impl FnMut(Line, Placed)) -> Vec<Damage> {
        for record in self.archive.records.values() {
            let place = self.places.place(&record.commit);
            let Some(place) = place.filter(|place| range.contains(place)) else {
                continue;
            };
            let set = &self.archive.series[&record.series];
            for (at, point) in record.points.iter().enumerate() {
                take(
                    self.line(record, set, at),
                    placed(place, record, set, at, *point),
                );
            }
        }
        let mut damaged = Vec::new();
        for open in &self.segments {
            let is_asked = |place: &Option<usize>| place.is_some_and(|at| range.contains(&at));
            if !open.place.iter().any(is_asked) {
                continue;
            }
            let numbers = Numbered::of(open, self.archive);
            for at in 0..open.segment.blocks.len() {
                let rows = self.block(open.segment, at).and_then(|rows| {
                    let groups: Result<Vec<_>, _> = rows.all().collect();
                    groups.map_err(|error| open.damage(&error.to_string()))
                });
                match rows {
                    Ok(groups) => {
                        for row in groups.iter().flatten() {
                            if let Some((place, record, set, at)) = numbers.find(open, row, range) {
                                let placed = placed(place, record, set, at, row.point);
                                take(self.line(record, set, at), placed);
                            }
                        }
                    }
                    Err(damage) => damaged.push(damage),
                }
            }
        }
        damaged
    }

    fn line(&self, record: &Record, set: &SeriesSet, at: usize) -> Line {
        let series = &set.all()[at];
        Line {
            bench: series.bench.clone(),
            metric: series.metric.name.clone(),
            environment: self.archive.environments[&record.environment].name.clone(),
        }
    }

    /// Collects what is within a range, the latest of each place.
    fn lines(&self, range: &Range<usize>) -> Answer<BTreeMap<Line, ByPlace>> {
        let mut found: BTreeMap<Line, ByPlace> = BTreeMap::new();
        let damaged = self.each(range, |line, placed| {
            keep_latest(found.entry(line).or_default(), placed);
        });
        Answer { found, damaged }
    }

    /// Takes the points that a segment has of a series.
    fn of_segment(
        &self,
        open: &Open<'_>,
        line: &Line,
        range: &Range<usize>,
        found: &mut ByPlace,
    ) -> Result<(), Damage> {
        if open.segment.environment != line.environment || open.segment.suite != line.bench.suite {
            return Ok(());
        }
        let numbers = Numbered::of(open, self.archive);
        let Some(number) = numbers.number(line) else {
            return Ok(());
        };
        let of = |block: &tripline_model::Block| block.first + block.count <= number;
        let at = open.segment.blocks.partition_point(of);
        if at == open.segment.blocks.len() {
            return Err(open.damage("it has no block of a series that its records have"));
        }
        let rows = self.block(open.segment, at)?;
        let rows = rows.of(number);
        for row in rows.map_err(|error| open.damage(&error.to_string()))? {
            if let Some((place, record, set, at)) = numbers.find(open, &row, range) {
                keep_latest(found, placed(place, record, set, at, row.point));
            }
        }
        Ok(())
    }
}

impl Query for Plain<'_> {
    fn series(&self, line: &Line, range: Range<usize>) -> Answer<Vec<Placed>> {
        let mut found = ByPlace::new();
        for record in self.archive.records.values() {
            let place = self.places.place(&record.commit);
            let place = place.filter(|place| range.contains(place));
            let is_there = |_: &usize| {
                let environment = &self.archive.environments[&record.environment].name;
                *environment == line.environment && record.suite == line.bench.suite
            };
            let Some(place) = place.filter(is_there) else {
                continue;
            };
            let set = &self.archive.series[&record.series];
            if let Some(at) = place_in(set, line) {
                let point = record.points[at];
                keep_latest(&mut found, placed(place, record, set, at, point));
            }
        }
        let segments = self.segments.iter();
        let damaged =
            segments.filter_map(|open| self.of_segment(open, line, &range, &mut found).err());
        let damaged = damaged.collect();
        Answer {
            found: found.into_values().collect(),
            damaged,
        }
    }

    fn pair(&self, base: &CommitId, head: &CommitId) -> Answer<Vec<Pair>> {
        let mut sides = [base, head].map(|commit| match self.places.place(commit) {
            Some(place) => self.lines(&(place..place + 1)),
            None => Answer {
                found: BTreeMap::new(),
                damaged: Vec::new(),
            },
        });
        let mut pairs: BTreeMap<Line, [Option<Placed>; 2]> = BTreeMap::new();
        let mut damaged = Vec::new();
        for (side, answer) in sides.iter_mut().enumerate() {
            damaged.append(&mut answer.damaged);
            for (line, by_place) in std::mem::take(&mut answer.found) {
                pairs.entry(line).or_default()[side] = by_place.into_values().next();
            }
        }
        few::sort(&mut damaged);
        damaged.dedup();
        let pair = |(line, [base, head]): (Line, [_; 2])| Pair { line, base, head };
        Answer {
            found: pairs.into_iter().map(pair).collect(),
            damaged,
        }
    }

    fn totals(&self, range: Range<usize>) -> Answer<Vec<Total>> {
        let Answer { found, damaged } = self.lines(&range);
        let total = |(line, by_place): (Line, ByPlace)| {
            let centers = || by_place.values().map(|placed| placed.point.center);
            Some(Total {
                line,
                count: by_place.len(),
                min: centers().fold(f64::INFINITY, f64::min),
                max: centers().fold(f64::NEG_INFINITY, f64::max),
                first: by_place.values().next()?.clone(),
                last: by_place.values().next_back()?.clone(),
            })
        };
        Answer {
            found: found.into_iter().filter_map(total).collect(),
            damaged,
        }
    }
}

impl Open<'_> {
    fn damage(&self, why: &str) -> Damage {
        Damage {
            path: self.path.to_owned(),
            why: why.to_owned(),
        }
    }
}

/// The sets of a segment that are there, with the numbers that their series have.
struct Numbered<'a>(
    Vec<Option<(&'a SeriesSet, &'a tripline_model::Numbers)>>,
    Vec<Option<usize>>,
);

impl<'a> Numbered<'a> {
    fn of(open: &Open<'a>, archive: &'a Archive) -> Self {
        let Segment { sets, heads, .. } = open.segment;
        let set = |of: &'a tripline_model::Numbered| {
            let set = archive.series.get(&of.set)?;
            let is_whole = set.all().len() == of.numbers.count();
            is_whole.then_some((set, &of.numbers))
        };
        let of = |head: &Head| sets.iter().position(|of| of.set == head.record.series);
        Self(
            sets.iter().map(set).collect(),
            heads.iter().map(of).collect(),
        )
    }

    /// Returns the number of a series.
    fn number(&self, line: &Line) -> Option<u32> {
        let mut sets = self.0.iter().flatten();
        sets.find_map(|(set, numbers)| numbers.at(place_in(set, line)?))
    }

    /// Returns what a row is of, if it is asked for.
    fn find(
        &self,
        open: &Open<'a>,
        row: &Row,
        range: &Range<usize>,
    ) -> Option<(usize, &'a Record, &'a SeriesSet, usize)> {
        let run = row.run as usize;
        let place = (*open.place.get(run)?).filter(|place| range.contains(place))?;
        let (set, numbers) = self.0[self.1[run]?]?;
        let at = numbers.place(row.series)?;
        Some((place, &open.segment.heads[run].record, set, at))
    }
}

/// Returns where a series stands in a set.
fn place_in(set: &SeriesSet, line: &Line) -> Option<usize> {
    let key = (&line.bench, line.metric.as_str());
    let of =
        |series: &tripline_model::Series| (&series.bench, series.metric.name.as_str()).cmp(&key);
    set.all().binary_search_by(of).ok()
}

fn placed(place: usize, record: &Record, set: &SeriesSet, at: usize, point: Point) -> Placed {
    Placed {
        place,
        commit: record.commit.clone(),
        measured_at: record.measured_at,
        metric: set.all()[at].metric.clone(),
        point,
    }
}

/// Keeps the latest of a place. Of two that were measured at once it is always the same that stays.
fn keep_latest(found: &mut ByPlace, placed: Placed) {
    let rank = |placed: &Placed| {
        let (low, high) = placed.point.ends();
        (
            placed.measured_at,
            placed.point.center.to_bits(),
            low.to_bits(),
            high.to_bits(),
        )
    };
    match found.get(&placed.place) {
        Some(known) if rank(known) >= rank(&placed) => {}
        _ => drop(found.insert(placed.place, placed)),
    }
}
