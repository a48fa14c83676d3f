//! Whether a command wrote its output, or left an old one lying there, which would be read as a new measurement.

use std::path::Path;
use std::time::SystemTime;

/// How deep a folder of output is looked into; readers go no deeper.
const DEPTH_MAX: usize = 32;

/// When something last changed in a file or folder; nothing where there is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp(Option<SystemTime>);

impl Stamp {
    /// Looks at a file, or at everything in a folder.
    pub(super) fn of(path: &Path) -> Self {
        Self(newest(path, DEPTH_MAX))
    }
}

fn newest(path: &Path, depth: usize) -> Option<SystemTime> {
    let here = path.symlink_metadata().ok()?;
    let changed = here.modified().ok();
    if !here.is_dir() || depth == 0 {
        // What a link leads to may be written without the link being touched.
        return path
            .metadata()
            .ok()
            .and_then(|found| found.modified().ok())
            .max(changed);
    }
    let inside = std::fs::read_dir(path).ok()?.flatten();
    inside
        .filter_map(|entry| newest(&entry.path(), depth - 1))
        .max()
        .max(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_written_is_fresh() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("out");
        let nothing = Stamp::of(&place);
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("a.json"), "1").unwrap();
        let first = Stamp::of(&place);
        assert_ne!(first, nothing);
        assert_eq!(Stamp::of(&place), first);
        // The clock of a file system is coarse, so the second writing is dated by hand.
        let later = SystemTime::now() + std::time::Duration::from_secs(5);
        std::fs::File::open(place.join("a.json"))
            .unwrap()
            .set_modified(later)
            .unwrap();
        assert_ne!(Stamp::of(&place), first);
    }
}
