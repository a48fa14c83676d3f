//! Takes the one file out of a zip file that anybody could have made: its frame is checked first, its size while it
//! grows, and its checksum last. Nothing touches the disk. Tested in `tests/hub/artifact`, with every attack we know
//! and with damage at random places.

use std::io::{Cursor, Read as _};

use zip::ZipArchive;

use super::frame::Frame;
use super::refusal::Refusal;

/// The two ways to pack that there are: not at all, and deflated.
const METHODS: [u16; 2] = [0, 8];

/// Returns the bytes of the one file in a zip file.
///
/// # Errors
/// It is anything else than one regular file of that name and at most so many bytes.
pub fn unpack(zip: &[u8], wanted: &str, bytes_max: u64) -> Result<Vec<u8>, Refusal> {
    let frame = Frame::of(zip)?;
    if frame.name != wanted.as_bytes() {
        return Err(Refusal::name(frame.name, wanted));
    }
    if !METHODS.contains(&frame.method) {
        return Err(Refusal::Method);
    }
    if u64::from(frame.size) > bytes_max {
        return Err(Refusal::FileTooLarge { bytes_max });
    }
    let unreadable = |error: &dyn std::fmt::Display| Refusal::malformed(&error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(zip)).map_err(|error| unreadable(&error))?;
    let file = archive.by_index(0).map_err(|error| unreadable(&error))?;
    let mut bytes = Vec::new();
    // Packed well, a file can be a thousand times as large. One byte more than the frame says is asked for: it shows a
    // frame that lies, and without it the end, where the checksum is compared, would not be reached.
    let read = file.take(u64::from(frame.size) + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 != u64::from(frame.size) {
        return Err(Refusal::malformed("its file is not as large as it says"));
    }
    Ok(bytes)
}
