//! Where the zeros at the end of a segment begin.
//!
//! A segment is allocated far beyond its last record, and a file system knows what was never written: it is asked
//! first, so that opening a log reads what it holds and not what it may grow to.
//!
//! Tests: data before, behind and between holes.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use rustix::fs::{SeekFrom, seek};
use rustix::io::Errno;

const PIECE_BYTES: usize = 64 << 10;

/// Returns the offset behind the last byte that is not zero, or `from` if there is none at or after `from`.
pub(crate) fn end_of_data(file: &File, from: u64) -> io::Result<u64> {
    let mut end = from;
    let mut at = from;
    while let Some((start, stop)) = next_written(file, at)? {
        if let Some(last) = last_nonzero(file, start, stop)? {
            end = last + 1;
        }
        at = stop;
    }
    Ok(end)
}

/// Returns the next range that was written, at or after an offset.
pub(crate) fn next_written(file: &File, at: u64) -> io::Result<Option<(u64, u64)>> {
    let start = match seek(file, SeekFrom::Data(at)) {
        Ok(start) => start,
        Err(Errno::NXIO) => return Ok(None),
        // A file system that does not know: all may be data.
        Err(Errno::INVAL | Errno::OPNOTSUPP) => {
            let bytes = file.metadata()?.len();
            return Ok((at < bytes).then_some((at, bytes)));
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Some((start, seek(file, SeekFrom::Hole(start))?)))
}

fn last_nonzero(file: &File, start: u64, stop: u64) -> io::Result<Option<u64>> {
    let mut piece = vec![0; PIECE_BYTES];
    let mut last = None;
    let mut at = start;
    while at < stop {
        let read = file.read_at(&mut piece, at)?;
        if read == 0 {
            break;
        }
        if let Some(index) = piece[..read].iter().rposition(|byte| *byte != 0) {
            last = Some(at + index as u64);
        }
        at += read as u64;
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt as _;

    use super::end_of_data;

    #[test]
    fn the_last_byte_is_found_among_holes() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(1 << 20).unwrap();
        assert_eq!(end_of_data(&file, 0).unwrap(), 0);
        assert_eq!(end_of_data(&file, 77).unwrap(), 77);
        file.write_all_at(b"x", 10).unwrap();
        assert_eq!(end_of_data(&file, 0).unwrap(), 11);
        assert_eq!(end_of_data(&file, 11).unwrap(), 11);
        file.write_all_at(b"x", 700_000).unwrap();
        file.write_all_at(&[0; 9], 800_000).unwrap();
        assert_eq!(end_of_data(&file, 11).unwrap(), 700_001);
        file.write_all_at(b"x", (1 << 20) - 1).unwrap();
        assert_eq!(end_of_data(&file, 11).unwrap(), 1 << 20);
    }
}
