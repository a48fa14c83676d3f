//! A disk that fails, and one that loses power.
//!
//! It works on real files, and beside them remembers what each file would hold after the power goes: what was synced,
//! and of the rest any mixture of sectors; a name that its folder was not synced with may be gone. It fails at a chosen
//! call, and can take a few bytes at a time.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use parking_lot::Mutex;

use super::super::media::{Disk, Media, Medium, folder_of};
use super::PATIENCE;

/// What a disk writes whole or not at all.
const SECTOR_BYTES: usize = 512;

/// A change to a file that is not on the disk yet.
#[derive(Clone, Debug)]
enum Change {
    Write(u64, Vec<u8>),
    Length(u64),
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Write(offset, bytes) => {
                let (start, end) = (*offset as usize, *offset as usize + bytes.len());
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[start..end].copy_from_slice(bytes);
            }
            Self::Length(bytes) => content.resize(*bytes as usize, 0),
        }
    }
}

/// What the disk knows of a file.
#[derive(Debug)]
struct Image {
    /// What stays the same when the file gets another name.
    id: usize,
    path: PathBuf,
    durable: Vec<u8>,
    pending: Vec<Change>,
}

impl Image {
    /// Returns what is left of the file when the power goes: each sector as it was after some of the changes.
    fn after_power_loss(&self, random: &mut Random) -> Vec<u8> {
        let mut stages = vec![self.durable.clone()];
        for change in &self.pending {
            let mut next = stages[stages.len() - 1].clone();
            change.apply(&mut next);
            stages.push(next);
        }
        let length = stages[random.below(stages.len())].len();
        let mut content = vec![0; length];
        for start in (0..length).step_by(SECTOR_BYTES) {
            let end = length.min(start + SECTOR_BYTES);
            let stage = &stages[random.below(stages.len())];
            let known = stage.get(start..end.min(stage.len())).unwrap_or_default();
            content[start..start + known.len()].copy_from_slice(known);
        }
        content
    }
}

/// Numbers that look random and are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

#[derive(Debug, Default)]
pub(super) struct State {
    images: Vec<Image>,
    images_made: usize,
    /// What was there when its folder was last synced.
    pub(super) durable_names: BTreeSet<PathBuf>,
    /// What durable names stood for before others were renamed to them.
    replaced: Vec<Image>,
    /// The calls that are still answered.
    pub(super) calls_left: Option<usize>,
    /// Whether there is no room for another segment.
    pub(super) is_full: bool,
    /// Whether no file can be made, as where a system mounted the disk anew after an error.
    pub(super) is_read_only: bool,
    /// Whether the next call panics.
    pub(super) panics: bool,
    pub(super) syncs: usize,
    /// The next sync waits until the other end is gone.
    pub(super) held: Option<Receiver<()>>,
}

/// The failing disk.
#[derive(Clone, Debug, Default)]
pub(super) struct Faulty {
    pub(super) state: Arc<Mutex<State>>,
    /// The most bytes that a write takes.
    pub(super) write_bytes_max: Option<usize>,
}

impl Faulty {
    /// Returns a disk that answers so many calls, and says from then on that it is full.
    pub(super) fn full_after(calls: usize) -> Self {
        let disk = Self::default();
        disk.state.lock().calls_left = Some(calls);
        disk
    }

    fn call(&self) -> io::Result<()> {
        let mut state = self.state.lock();
        assert!(!state.panics, "the disk panics, as it was told to");
        match &mut state.calls_left {
            Some(0) => Err(io::ErrorKind::StorageFull.into()),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn medium(&self, file: File, path: &Path, durable: Vec<u8>) -> Box<dyn Medium> {
        let mut state = self.state.lock();
        state.images.retain(|image| image.path != path);
        let id = state.images_made;
        state.images_made += 1;
        state.images.push(Image {
            id,
            path: path.to_path_buf(),
            durable,
            pending: Vec::new(),
        });
        Box::new(FaultyFile {
            disk: self.clone(),
            file,
            id,
        })
    }

    /// Leaves in the folder what is there after the power went.
    pub(super) fn lose_power(&self, seed: usize) {
        let mut random = Random(seed as u64);
        let state = self.state.lock();
        for image in &state.images {
            if image.path.exists() {
                fs::write(&image.path, image.after_power_loss(&mut random)).unwrap();
            }
        }
        let folders: BTreeSet<_> = state.images.iter().map(|i| folder_of(&i.path)).collect();
        for path in folders.into_iter().flat_map(names) {
            if !state.durable_names.contains(&path) && random.below(2) == 0 {
                fs::remove_file(path).unwrap();
            }
        }
        for image in &state.replaced {
            if random.below(2) == 0 {
                fs::write(&image.path, image.after_power_loss(&mut random)).unwrap();
            }
        }
    }
}

impl Media for Faulty {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Medium>> {
        self.call()?;
        if self.state.lock().is_read_only {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        Ok(self.medium(File::create(path)?, path, Vec::new()))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Medium>> {
        self.call()?;
        let file = File::options().write(true).open(path)?;
        let known = self
            .state
            .lock()
            .images
            .iter()
            .find(|i| i.path == path)
            .map(|i| i.id);
        if let Some(id) = known {
            let disk = self.clone();
            return Ok(Box::new(FaultyFile { disk, file, id }));
        }
        self.state.lock().durable_names.insert(path.to_path_buf());
        Ok(self.medium(file, path, fs::read(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        Disk.rename(from, to)?;
        let mut state = self.state.lock();
        if let Some(known) = state.images.iter().position(|image| image.path == to) {
            let replaced = state.images.remove(known);
            if state.durable_names.contains(to) {
                state.replaced.push(replaced);
            }
        }
        for image in &mut state.images {
            if image.path == from {
                image.path = to.to_path_buf();
            }
        }
        Ok(())
    }

    /// A name is gone for good at once: a system may be quicker than it has to be.
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        Disk.remove(path)?;
        self.state.lock().images.retain(|image| image.path != path);
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.call()?;
        let mut state = self.state.lock();
        state.durable_names.retain(|path| folder_of(path) != folder);
        state.durable_names.extend(names(folder));
        state
            .replaced
            .retain(|image| folder_of(&image.path) != folder);
        Ok(())
    }
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

struct FaultyFile {
    disk: Faulty,
    file: File,
    /// Of its image.
    id: usize,
}

impl FaultyFile {
    fn with_image<T>(&self, act: impl FnOnce(&mut Image) -> T) -> Option<T> {
        let mut state = self.disk.state.lock();
        let mut images = state.images.iter_mut();
        images.find(|image| image.id == self.id).map(act)
    }
}

impl Medium for FaultyFile {
    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        let failed = self.disk.call();
        let most = self.disk.write_bytes_max.unwrap_or(bytes.len());
        // The call that fails takes half before it does: that is what a full disk looks like.
        let taken = if failed.is_err() {
            bytes.len() / 2
        } else {
            most
        };
        let taken = &bytes[..taken.min(bytes.len())];
        let written = Medium::write_at(&mut self.file, taken, offset)?;
        self.with_image(|image| image.pending.push(Change::Write(offset, taken.to_vec())));
        failed.map(|()| written)
    }

    fn allocate(&mut self, bytes: u64) -> io::Result<()> {
        self.disk.call()?;
        if self.disk.state.lock().is_full {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.with_image(|image| image.pending.push(Change::Length(bytes)));
        Medium::allocate(&mut self.file, bytes)
    }

    fn trim(&mut self, bytes: u64) -> io::Result<()> {
        self.disk.call()?;
        self.with_image(|image| image.pending.push(Change::Length(bytes)));
        self.file.trim(bytes)
    }

    /// A sync that fails forgets what it should have written, as systems do: the next one has nothing left to do.
    fn sync(&mut self) -> io::Result<()> {
        let held = self.disk.state.lock().held.take();
        if let Some(held) = held {
            // A test that fails has its answer before this gives up.
            let _ = held.recv_timeout(PATIENCE);
        }
        let synced = self.disk.call();
        self.disk.state.lock().syncs += 1;
        self.with_image(|image| {
            let pending = std::mem::take(&mut image.pending);
            if synced.is_ok() {
                pending
                    .iter()
                    .for_each(|change| change.apply(&mut image.durable));
            }
        });
        synced
    }
}
