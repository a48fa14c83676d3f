//! A closed part of a history, as it stands in its file: its records without their numbers, and which blocks hold those.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parts::version;
use super::record::RecordV1;
use crate::names::NameError;
use crate::{Block, Digest, EnvironmentName, Head, Numbered, Numbers, Segment, SuiteName};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct SegmentV1 {
    #[serde(deserialize_with = "version")]
    version: u32,
    suite: String,
    /// What the environment is called. Which facts were stated, each record says.
    environment: String,
    /// The sets of series that the records have points of.
    sets: Vec<NumberedV1>,
    /// The records without their points, in order.
    records: Vec<HeadV1>,
    /// The files of the points, in the order of their series.
    blocks: Vec<BlockV1>,
}

/// The digest of a set's file, and the numbers of its series in the blocks: of each stretch the first and the count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct NumberedV1(String, Vec<(u32, u32)>);

/// What the record's file was named after, and the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct HeadV1(String, RecordV1);

/// The digest of the file, the number of its first series, and how many it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct BlockV1(String, u32, u32);

impl SegmentV1 {
    pub(super) fn of(segment: &Segment) -> Self {
        let set = |Numbered { set, numbers }: &Numbered| {
            NumberedV1(set.to_string(), numbers.stretches().to_vec())
        };
        let head = |head: &Head| HeadV1(head.digest.to_string(), RecordV1::of(&head.record));
        let block = |block: &Block| BlockV1(block.digest.to_string(), block.first, block.count);
        Self {
            version: 1,
            suite: segment.suite.to_string(),
            environment: segment.environment.to_string(),
            sets: segment.sets.iter().map(set).collect(),
            records: segment.heads.iter().map(head).collect(),
            blocks: segment.blocks.iter().map(block).collect(),
        }
    }

    pub(super) fn into_domain(self) -> Result<Segment, String> {
        let text = |error: NameError| error.to_string();
        let suite = SuiteName::new(self.suite).map_err(text)?;
        let set = |NumberedV1(set, stretches)| {
            let numbers = Numbers::new(stretches);
            Ok(Numbered {
                set: Digest::new(set).map_err(text)?,
                numbers: numbers.ok_or("the numbers of a set are not in order")?,
            })
        };
        let sets: Box<[Numbered]> = self
            .sets
            .into_iter()
            .map(set)
            .collect::<Result<_, String>>()?;
        let head = |HeadV1(digest, record): HeadV1| {
            let digest = Digest::new(digest).map_err(text)?;
            let record = record.into_domain()?;
            let is_known = sets.iter().any(|known| known.set == record.series);
            if record.suite != suite || !record.points.is_empty() || !is_known {
                return Err(format!(
                    "the record of {} has no place in it",
                    record.commit
                ));
            }
            Ok(Head { digest, record })
        };
        let heads = self
            .records
            .into_iter()
            .map(head)
            .collect::<Result<_, String>>()?;
        Ok(Segment {
            environment: EnvironmentName::new(self.environment).map_err(text)?,
            heads,
            blocks: blocks(self.blocks)?,
            sets,
            suite,
        })
    }
}

/// Takes blocks that follow one another.
fn blocks(blocks: Vec<BlockV1>) -> Result<Box<[Block]>, String> {
    let mut next = 0;
    let mut all = Vec::with_capacity(blocks.len());
    for BlockV1(digest, first, count) in blocks {
        let end = first
            .checked_add(count)
            .filter(|_| first == next && count > 0);
        next = end.ok_or("the blocks do not follow one another")?;
        let digest = Digest::new(digest).map_err(|error| error.to_string())?;
        all.push(Block {
            digest,
            first,
            count,
        });
    }
    Ok(all.into())
}
