//! Gives the records of a segment back as they were.
//!
//! A block that cannot be read takes its own series along and no other. Tested here, together with `pack`, and in `archive`.

use std::collections::BTreeMap;

use parquet::data_type::ByteArray;
use tripline_model::{
    Block, Digest, Head, Numbered, Origin, Point, Record, Row as Told, Said, Segment, SeriesSet,
    wire,
};

use super::columns::{Row, Rows};
use crate::file::File;

/// What a segment gave.
#[derive(Debug, Default)]
pub(crate) struct Unpacked {
    /// Its records, each with its place in the segment.
    pub(crate) records: Vec<(usize, Record)>,
    /// Sets that are what is left of others.
    pub(crate) sets: Vec<(Digest, SeriesSet)>,
    /// Blocks that cannot be used, and why.
    pub(crate) lost: Vec<(String, String)>,
}

/// Reads the records of a segment whose sets are there.
pub(crate) fn unpack(
    segment: &Segment,
    sets: &BTreeMap<Digest, SeriesSet>,
    block: impl Fn(&str) -> Result<Vec<u8>, String>,
) -> Unpacked {
    let mut unpacked = Unpacked::default();
    let mut open = Vec::new();
    for of in &segment.blocks {
        let path = File::block_path(&segment.suite, &of.digest);
        let rows =
            block(&path).and_then(|bytes| Rows::open(bytes).map_err(|error| error.to_string()));
        match rows {
            Ok(rows) => open.push((path, of, rows)),
            Err(why) => unpacked.lost.push((path, why)),
        }
    }
    // Where a block turns out to be none, all begins anew without it.
    loop {
        let there: Vec<&Block> = open.iter().map(|(_, block, _)| *block).collect();
        let mut filling = Filling::new(segment, sets, &there);
        let bad = open.iter().enumerate().find_map(|(at, (_, block, rows))| {
            let why = filling.take_block(block, rows).err()?;
            Some((at, why))
        });
        let Some((at, why)) = bad else {
            unpacked.sets = filling.cut_sets();
            unpacked.records = filling.finish(segment);
            return unpacked;
        };
        let (path, _, _) = open.remove(at);
        unpacked.lost.push((path, why));
    }
}

/// A set as far as its series are there.
struct Left {
    digest: Digest,
    /// What is left of it, where that is not all.
    cut: Option<SeriesSet>,
    /// The numbers of its series.
    numbers: Vec<u32>,
    /// The row of each of its series.
    row: Vec<usize>,
}

/// Records that are being put together.
struct Filling {
    sets: Vec<Left>,
    /// Which set each record is of, if it is there, and what was found of it so far.
    runs: Vec<Option<(usize, Found)>>,
}

#[derive(Default)]
struct Found {
    points: Vec<Point>,
    values: Vec<(usize, f64)>,
    ranges: Vec<(usize, ByteArray)>,
    extras: Vec<(usize, ByteArray)>,
    members: Vec<(usize, ByteArray)>,
}

impl Filling {
    fn new(segment: &Segment, sets: &BTreeMap<Digest, SeriesSet>, there: &[&Block]) -> Self {
        let is_there = |number: u32| {
            let of = |block: &&&Block| (block.first..block.first + block.count).contains(&number);
            there.iter().any(|block| of(&block))
        };
        let (mut names, mut left) = (Vec::new(), Vec::new());
        for of in &segment.sets {
            let set = sets.get(&of.set);
            if let Some(set) = set.filter(|set| set.all().len() == of.numbers.count()) {
                names.push(&of.set);
                left.push(Left::of(of, set, is_there));
            }
        }
        let place = |head: &Head| {
            let set = names.iter().position(|name| **name == head.record.series)?;
            Some((set, Found::default()))
        };
        let runs = segment.heads.iter().map(place).collect();
        Self { sets: left, runs }
    }

    /// Takes the rows of a block, which has to be of the series that its segment says.
    fn take_block(&mut self, block: &Block, rows: &Rows) -> Result<(), String> {
        let series = block.first..block.first + block.count;
        for group in rows.all() {
            let group = group.map_err(|error| error.to_string())?;
            let is_its = group.iter().all(|row| series.contains(&row.series));
            if !is_its || !self.takes(&group) {
                return Err("its rows are not those of the segment's records".to_owned());
            }
        }
        Ok(())
    }

    /// Takes rows; each record's have to follow one another in the order of its set.
    fn takes(&mut self, rows: &[Row]) -> bool {
        for row in rows {
            let Some(run) = self.runs.get_mut(row.run as usize) else {
                return false;
            };
            let Some((set, found)) = run else {
                continue;
            };
            let place = found.points.len();
            let set = &self.sets[*set];
            if set.numbers.get(place) != Some(&row.series) {
                return false;
            }
            found.points.push(row.point);
            let at = set.row[place];
            found.values.extend(row.value.map(|value| (at, value)));
            let text = |text: &Option<ByteArray>| Some((at, text.clone()?));
            found.ranges.extend(text(&row.range));
            found.extras.extend(text(&row.extra));
            found.members.extend(text(&row.members));
        }
        true
    }

    fn cut_sets(&self) -> Vec<(Digest, SeriesSet)> {
        let cut = |left: &Left| Some((left.digest.clone(), left.cut.clone()?));
        self.sets.iter().filter_map(cut).collect()
    }

    /// Returns the records that have all their points.
    fn finish(self, segment: &Segment) -> Vec<(usize, Record)> {
        let mut records = Vec::new();
        for ((at, head), run) in segment.heads.iter().enumerate().zip(self.runs) {
            if let Some((set, found)) = run
                && found.points.len() == self.sets[set].numbers.len()
            {
                let mut record = head.record.clone();
                record.series = self.sets[set].digest.clone();
                found.into_record(&mut record);
                records.push((at, record));
            }
        }
        records
    }
}

impl Left {
    fn of(numbered: &Numbered, set: &SeriesSet, is_there: impl Fn(u32) -> bool) -> Self {
        let all: Vec<u32> = numbered.numbers.iter().collect();
        let numbers: Vec<u32> = all.iter().copied().filter(|n| is_there(*n)).collect();
        let cut = (numbers.len() < all.len()).then(|| cut(set, |at| is_there(all[at])));
        let set = cut.as_ref().unwrap_or(set);
        let mut row = vec![0; set.all().len()];
        for (at, told) in set.rows().iter().enumerate() {
            row[told.series] = at;
        }
        let digest = match &cut {
            None => numbered.set.clone(),
            Some(cut) => crate::file::digest(wire::write_series(cut).as_bytes()),
        };
        Self {
            digest,
            cut,
            numbers,
            row,
        }
    }
}

/// Returns the series of a set that are there, with their rows.
fn cut(set: &SeriesSet, is_there: impl Fn(usize) -> bool) -> SeriesSet {
    let left: Vec<usize> = (0..set.all().len()).filter(|at| is_there(*at)).collect();
    let all: Vec<_> = left.iter().map(|at| set.all()[*at].clone()).collect();
    let told = |told: &Told| {
        let series = left.binary_search(&told.series).ok()?;
        Some(Told {
            series,
            ..told.clone()
        })
    };
    let rows: Vec<Told> = set.rows().iter().filter_map(told).collect();
    let set = SeriesSet::new(set.suite().clone(), all).expect("they stay in order");
    if rows.is_empty() {
        return set;
    }
    set.with_rows(rows).expect("there is still one of each")
}

impl Found {
    fn into_record(mut self, record: &mut Record) {
        record.points = self.points.into();
        if let Some(origin) = record.origin.as_deref_mut() {
            self.values.sort_by_key(|(row, _)| *row);
            *origin = Origin {
                values: self.values.into(),
                ranges: said(self.ranges),
                extras: said(self.extras),
                members: said(self.members),
                ..std::mem::take(origin)
            };
        }
    }
}

fn said(mut texts: Vec<(usize, ByteArray)>) -> Said {
    texts.sort_by_key(|(row, _)| *row);
    let mut said = Said::default();
    for (row, text) in texts {
        said.push(row, &String::from_utf8_lossy(text.data()));
    }
    said
}
