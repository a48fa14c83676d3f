//! Makes a segment of records.
//!
//! Tested together with `unpack`.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use parquet::data_type::ByteArray;
use tripline_model::few;
use tripline_model::{
    Block, Digest, EnvironmentName, Head, Numbered, Numbers, Origin, Record, Said, Segment,
    SeriesSet, SuiteName, wire,
};

use super::columns::{Row, block_of};
use crate::file::{File, name_of};

/// After so many points a block ends: it has about one megabyte then, what a hub wants at most of a file.
const BLOCK_POINTS: usize = 1 << 18;

/// After so many points a row group ends. One series costs as much to read as its group.
const GROUP_POINTS: usize = 1 << 15;

/// A record that goes into a segment.
#[derive(Debug, Clone)]
pub(crate) struct Member<'a> {
    /// What its file is named after.
    pub(crate) digest: Digest,
    /// The record.
    pub(crate) record: &'a Record,
}

impl<'a> Member<'a> {
    /// Takes a record that has no file.
    pub(crate) fn of(record: &'a Record) -> Self {
        let digest = name_of(wire::write_record(record).as_bytes());
        Self { digest, record }
    }

    /// Orders members by when they were measured.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let others = (other.record.measured_at, &other.digest);
        (self.record.measured_at, &self.digest).cmp(&others)
    }

    /// Says whether a segment gives the record back just as it is: what is said of rows has no form of its own there.
    pub(crate) fn comes_back(&self) -> bool {
        let is_joined = |said: &Said| {
            let mut joined = Said::default();
            for span in said.spans() {
                for row in span.first..span.first + span.count {
                    joined.push(row, &span.text);
                }
            }
            joined == *said
        };
        let origin = self.record.origin.as_deref();
        origin.is_none_or(|origin| {
            [&origin.ranges, &origin.extras, &origin.members]
                .into_iter()
                .all(is_joined)
        })
    }
}

/// Returns the files of a segment: its blocks, and then what names them.
pub(crate) fn pack(
    suite: &SuiteName,
    environment: &EnvironmentName,
    sets: &BTreeMap<&Digest, &SeriesSet>,
    members: &[Member<'_>],
) -> Vec<File> {
    let (count, sets) = numbered(sets);
    let mut files = Vec::new();
    let mut blocks = Vec::new();
    let origins = members
        .iter()
        .filter_map(|member| member.record.origin.as_deref());
    let has_members = origins
        .into_iter()
        .any(|origin| !origin.members.spans().is_empty());
    let mut groups = Groups::new(&sets, members, count);
    while groups.next < count {
        let first = groups.next;
        let mut points = 0;
        let some = std::iter::from_fn(|| {
            let is_full = points >= BLOCK_POINTS;
            let rows = (!is_full).then(|| groups.next_group()).flatten()?;
            points += rows.len();
            Some(rows)
        });
        let bytes = block_of(some, has_members);
        let (digest, file) = File::of_block(suite, bytes);
        files.push(file);
        let count = groups.next - first;
        blocks.push(Block {
            digest,
            first,
            count,
        });
    }
    let head = |member: &Member<'_>| Head {
        digest: member.digest.clone(),
        record: without_numbers(member.record),
    };
    let segment = Segment {
        suite: suite.clone(),
        environment: environment.clone(),
        heads: members.iter().map(head).collect(),
        blocks: blocks.into(),
        sets: sets.into_values().map(|set| set.numbered).collect(),
    };
    files.push(File::of_segment(suite, wire::write_segment(&segment)));
    files
}

fn without_numbers(record: &Record) -> Record {
    let origin = record.origin.as_deref().map(|origin| Origin {
        behind: origin.behind,
        commit: origin.commit.clone(),
        ..Origin::default()
    });
    Record {
        suite: record.suite.clone(),
        commit: record.commit.clone(),
        committed_at: record.committed_at,
        subject: record.subject.clone(),
        measured_at: record.measured_at,
        producer: record.producer.clone(),
        environment: record.environment.clone(),
        series: record.series.clone(),
        points: Box::default(),
        origin: origin.map(Box::new),
    }
}

/// A set, and where its series are.
struct Places {
    numbered: Numbered,
    /// Of each number in the segment the place in the set.
    place: Vec<Option<usize>>,
    /// Of each place in the set the row.
    row: Vec<usize>,
}

/// Numbers the series of all sets, in their order.
fn numbered<'d>(sets: &BTreeMap<&'d Digest, &SeriesSet>) -> (u32, BTreeMap<&'d Digest, Places>) {
    let series = sets.values().flat_map(|set| set.all());
    let mut all: Vec<_> = series
        .map(|series| (&series.bench, &series.metric.name))
        .collect();
    if sets.len() > 1 {
        all.sort_unstable();
        all.dedup();
    }
    let places = |(digest, set): (&&'d Digest, &&SeriesSet)| {
        let mut numbers = Numbers::default();
        let mut place = vec![None; all.len()];
        let mut number = 0;
        for (at, series) in set.all().iter().enumerate() {
            while all[number] != (&series.bench, &series.metric.name) {
                number += 1;
            }
            place[number] = Some(at);
            numbers.push(u32::try_from(number).expect("a file has not so many series"));
        }
        let mut row = vec![0; set.all().len()];
        for (at, told) in set.rows().iter().enumerate() {
            row[told.series] = at;
        }
        let numbered = Numbered {
            set: (*digest).clone(),
            numbers,
        };
        (
            *digest,
            Places {
                numbered,
                place,
                row,
            },
        )
    };
    let count = u32::try_from(all.len()).expect("a file has not so many series");
    (count, few::map_of(sets.iter().map(places)))
}

/// The points of a segment, in groups of whole series.
struct Groups<'a> {
    members: Vec<(&'a Places, &'a Record)>,
    texts: [Text<'a>; 3],
    next: u32,
    count: u32,
}

impl<'a> Groups<'a> {
    fn new(sets: &'a BTreeMap<&Digest, Places>, members: &[Member<'a>], count: u32) -> Self {
        let member = |member: &Member<'a>| (&sets[&member.record.series], member.record);
        Self {
            members: members.iter().map(member).collect(),
            texts: <[Text<'a>; 3]>::default(),
            next: 0,
            count,
        }
    }

    fn next_group(&mut self) -> Option<Vec<Row>> {
        let mut rows = Vec::with_capacity(GROUP_POINTS);
        while self.next < self.count && rows.len() < GROUP_POINTS {
            for (run, (places, record)) in (0..).zip(&self.members) {
                let Some(place) = places.place[self.next as usize] else {
                    continue;
                };
                let mut row = Row {
                    series: self.next,
                    run,
                    point: record.points[place],
                    value: None,
                    range: None,
                    extra: None,
                    members: None,
                };
                if let Some(origin) = record.origin.as_deref() {
                    let at = places.row[place];
                    let [range, extra, members] = &mut self.texts;
                    row.value = origin.value(at);
                    row.range = range.bytes(origin.ranges.of(at));
                    row.extra = extra.bytes(origin.extras.of(at));
                    row.members = members.bytes(origin.members.of(at));
                }
                rows.push(row);
            }
            self.next += 1;
        }
        (!rows.is_empty()).then_some(rows)
    }
}

/// The last text of a column, which the next row mostly has as well.
#[derive(Default)]
struct Text<'a> {
    text: &'a str,
    bytes: Option<ByteArray>,
}

impl<'a> Text<'a> {
    fn bytes(&mut self, text: Option<&'a str>) -> Option<ByteArray> {
        let text = text?;
        if self.bytes.is_none() || self.text != text {
            *self = Self {
                text,
                bytes: Some(ByteArray::from(text)),
            };
        }
        self.bytes.clone()
    }
}
