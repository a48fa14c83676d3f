//! The arena of a shard: its records, one behind the other in chunks.
//!
//! A record is found by its offset, which is four bytes where a pointer is eight, and costs no allocation of its own.
//! One that is dropped stays as a hole. A full chunk that is more than half holes is emptied: the shard moves what
//! lives in it to the newest chunk, and its memory is freed. So the chunks of a shard are never more than twice as
//! large as what lives in them, but for the newest one, and no call moves more than half a chunk for each it empties.
//!
//! Tests: holes are given back, and the last chunk is kept for moving.

use super::record::{self, Body, Record, Shape};

const CHUNK_BITS: u32 = 17;

/// Large enough for the longest key, small enough to be emptied within a call.
const CHUNK_BYTES: usize = 1 << CHUNK_BITS;

/// As many as an offset can tell apart.
const CHUNKS_MAX: usize = 1 << (u32::BITS - CHUNK_BITS);

/// The memory that the first record takes, for it and for those that follow.
const FIRST_BYTES: usize = 1 << 9;

/// How many times as large a chunk is made when it is too small.
const GROWTH: usize = 4;

/// Where a record is.
pub(super) type Offset = u32;

/// Says that offsets cannot tell more records apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArenaFull;

#[derive(Debug, Default)]
struct Chunk {
    bytes: Vec<u8>,
    holes: usize,
}

/// Records by offset. In this order: what every read looks at comes first.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Arena {
    chunks: Vec<Chunk>,
    chunks_max: usize,
    /// The chunk that grows.
    newest: usize,
    /// Chunks that were emptied.
    free: Vec<usize>,
    /// Chunks to be emptied.
    holey: Vec<usize>,
}

impl Default for Arena {
    fn default() -> Self {
        Self {
            chunks: Vec::new(),
            chunks_max: CHUNKS_MAX,
            newest: 0,
            free: Vec::new(),
            holey: Vec::new(),
        }
    }
}

impl Arena {
    /// Returns the record at an offset.
    #[inline]
    pub(super) fn at(&self, at: Offset) -> Record<'_> {
        let (chunk, start) = place(at);
        Record::of(&self.chunks[chunk].bytes[start..])
    }

    /// Returns the bytes from an offset on, if there are any: small enough to be looked at while the table is searched.
    #[inline]
    pub(super) fn find(&self, at: Offset) -> Option<&[u8]> {
        let (chunk, start) = place(at);
        self.chunks.get(chunk)?.bytes.get(start..)
    }

    /// Returns the bytes from an offset on, to be changed.
    #[inline]
    pub(super) fn at_mut(&mut self, at: Offset) -> &mut [u8] {
        let (chunk, start) = place(at);
        &mut self.chunks[chunk].bytes[start..]
    }

    /// Appends a record.
    pub(super) fn add(
        &mut self,
        shape: Shape,
        key: &[u8],
        body: Body<'_>,
    ) -> Result<Offset, ArenaFull> {
        // One chunk is kept back: when all others are taken, holes can still be given back.
        let (at, out) = self.room(shape.bytes(), self.chunks_max - 1)?;
        record::append(out, shape, key, body);
        Ok(at)
    }

    /// Makes a hole of a record.
    pub(super) fn drop(&mut self, at: Offset) {
        let record = self.at_mut(at);
        record::set_dead(record);
        let bytes = Shape::of(record).bytes();
        self.widen_holes(place(at).0, bytes);
    }

    /// Returns a chunk to be emptied, by its number and with all its records.
    #[inline]
    pub(super) fn next_to_empty(&mut self) -> Option<(usize, Vec<u8>)> {
        let number = self.holey.pop()?;
        Some((number, std::mem::take(&mut self.chunks[number].bytes)))
    }

    /// Returns where a record was, given its chunk and its place in it.
    pub(super) const fn offset(chunk: usize, start: usize) -> Offset {
        (chunk << CHUNK_BITS | start) as Offset
    }

    /// Appends a copy of a record out of a chunk that is being emptied.
    pub(super) fn copy(&mut self, record: Record<'_>) -> Result<Offset, ArenaFull> {
        let (at, out) = self.room(record.bytes().len(), self.chunks_max)?;
        out.extend_from_slice(record.bytes());
        Ok(at)
    }

    /// Lets a chunk be used again, after all that lived in it has been copied.
    pub(super) fn emptied(&mut self, number: usize) {
        self.chunks[number].holes = 0;
        self.free.push(number);
    }

    /// Returns the end of a chunk with room for a record.
    fn room(
        &mut self,
        bytes: usize,
        chunks_max: usize,
    ) -> Result<(Offset, &mut Vec<u8>), ArenaFull> {
        let used = self
            .chunks
            .get(self.newest)
            .map_or(CHUNK_BYTES, |chunk| chunk.bytes.len());
        if used + bytes > CHUNK_BYTES {
            self.begin_chunk(chunks_max)?;
        }
        let out = &mut self.chunks[self.newest].bytes;
        let at = Self::offset(self.newest, out.len());
        if out.capacity() - out.len() < bytes {
            let wanted = (out.capacity() * GROWTH)
                .max(FIRST_BYTES)
                .max(out.len() + bytes)
                .min(CHUNK_BYTES);
            out.reserve_exact(wanted - out.len());
        }
        Ok((at, out))
    }

    /// Makes another chunk the newest. What is left of the one before is a hole.
    fn begin_chunk(&mut self, chunks_max: usize) -> Result<(), ArenaFull> {
        let before = self.newest;
        if self.chunks.len() - self.free.len() >= chunks_max {
            return Err(ArenaFull);
        }
        self.newest = self.free.pop().unwrap_or_else(|| {
            self.chunks.push(Chunk::default());
            self.chunks.len() - 1
        });
        if self.newest != before {
            // A shard that filled one chunk is likely to fill the next: it need not grow step by step.
            self.chunks[self.newest].bytes.reserve_exact(CHUNK_BYTES);
            let chunk = &self.chunks[before];
            let rest = CHUNK_BYTES - chunk.bytes.len();
            if is_holey(chunk.holes) {
                self.holey.push(before);
            }
            self.widen_holes(before, rest);
        }
        Ok(())
    }

    fn widen_holes(&mut self, number: usize, bytes: usize) {
        let chunk = &mut self.chunks[number];
        let was_holey = is_holey(chunk.holes);
        chunk.holes += bytes;
        if number != self.newest {
            if !was_holey && is_holey(chunk.holes) {
                self.holey.push(number);
            }
        } else if chunk.holes == chunk.bytes.len() {
            chunk.bytes.clear();
            chunk.holes = 0;
        }
    }
}

fn is_holey(holes: usize) -> bool {
    holes > CHUNK_BYTES / 2
}

/// Returns the chunk of a record, and where in it the record begins.
#[inline]
fn place(at: Offset) -> (usize, usize) {
    ((at >> CHUNK_BITS) as usize, at as usize & (CHUNK_BYTES - 1))
}

#[cfg(test)]
mod tests {
    use super::{Arena, ArenaFull, Offset};
    use crate::store::record::{Body, Record, Shape};

    static KEY: [u8; 40_000] = [7; 40_000];

    fn add(arena: &mut Arena) -> Result<Offset, ArenaFull> {
        arena.add(Shape::new(KEY.len(), Some(1)), &KEY, Body::Short(b"v"))
    }

    fn empty(arena: &mut Arena) -> usize {
        let mut moved = 0;
        while let Some((number, bytes)) = arena.next_to_empty() {
            let mut start = 0;
            while start < bytes.len() {
                let record = Record::of(&bytes[start..]);
                start += record.bytes().len();
                if !record.shape.is_dead() {
                    arena.copy(record).unwrap();
                    moved += 1;
                }
            }
            arena.emptied(number);
        }
        moved
    }

    #[test]
    fn holes_are_given_back() {
        let mut arena = Arena::default();
        let records: Vec<Offset> = (0..9).map(|_| add(&mut arena).unwrap()).collect();
        assert_eq!(arena.chunks.len(), 3);
        arena.drop(records[0]);
        assert!(arena.next_to_empty().is_none());
        arena.drop(records[1]);
        assert_eq!(empty(&mut arena), 1);
        assert_eq!(arena.chunks[0].bytes.capacity(), 0);
        assert_eq!(arena.free, [0]);
    }

    #[test]
    fn the_last_chunk_is_kept_for_moving() {
        let mut arena = Arena {
            chunks_max: 2,
            ..Arena::default()
        };
        let records = [(); 3].map(|()| add(&mut arena).unwrap());
        assert_eq!(add(&mut arena), Err(ArenaFull));
        arena.drop(records[0]);
        assert_eq!(add(&mut arena), Err(ArenaFull));
        // All holes: the chunk begins again.
        arena.drop(records[1]);
        arena.drop(records[2]);
        assert_eq!(add(&mut arena), Ok(0));
    }
}
