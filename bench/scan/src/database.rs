//! Databases that scans are stored in: new ones, and ones that many scans were stored in before.
//!
//! Tests: `tests/smoke.rs`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;
use workload_scan::{Scan, Settings, Store};

use crate::{Failure, Fixture};

/// How many scans a database has that has grown, as in the report.
const SCANS: u32 = 20;

/// A database of its own.
#[derive(Debug)]
pub struct Database {
    folder: TempDir,
}

impl Database {
    /// One that nothing was stored in.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn fresh() -> Result<Self, Failure> {
        Ok(Self {
            folder: tempfile::tempdir()?,
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("scans.sqlite")
    }

    /// Opens it for a scan.
    ///
    /// # Errors
    /// It cannot be written to.
    pub fn store(&self) -> Result<Store, Failure> {
        Ok(Store::open(&self.path(), Duration::ZERO)?)
    }

    /// Holds that its last scan is there with so many ports.
    ///
    /// # Errors
    /// It is not.
    pub fn check(&self, ports: u64) -> Result<(), Failure> {
        let query = "SELECT state, (SELECT count(*) FROM verdict WHERE scan = id) FROM scan ORDER BY id DESC LIMIT 1";
        let database = Connection::open(self.path())?;
        let (state, rows): (String, i64) =
            database.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        match state == "complete" && u64::try_from(rows) == Ok(ports) {
            true => Ok(()),
            false => Err(format!("the stored scan is {state}, with {rows} rows of {ports}").into()),
        }
    }
}

/// A database with many scans, of which copies are taken.
#[derive(Debug)]
pub struct Grown(Database);

impl Grown {
    /// Scans as often as that takes.
    ///
    /// # Errors
    /// A scan is wrong, or was not stored.
    pub fn new(fixture: &Fixture, ports: &str) -> Result<Self, Failure> {
        let database = Database::fresh()?;
        for _ in 0..SCANS {
            let scan = Scan::new(fixture.targets(), ports.parse()?, Settings::default())?;
            let report = scan.store(database.store()?).run()?;
            fixture.check(&report)?;
            fixture.drain();
        }
        Ok(Self(database))
    }

    /// A copy, on which nobody works yet, and which is on the disk as what has grown is: the first to sync it would write
    /// all that was copied.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn copy(&self) -> Result<Database, Failure> {
        let copy = Database::fresh()?;
        fs::copy(self.0.path(), copy.path())?;
        File::open(copy.path())?.sync_all()?;
        Ok(copy)
    }
}

/// The file that run after run of the program writes to, as in the report; a new one after so many of them, so that it is never
/// larger than theirs.
pub(crate) fn reused(folder: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder)?;
    let path = folder.join("bench-scan-reused.sqlite");
    let count = "SELECT count(*) FROM scan";
    let scans = match path.is_file() {
        true => Connection::open(&path)?.query_row(count, [], |row| row.get::<_, u32>(0))?,
        false => 0,
    };
    if scans >= SCANS {
        fs::remove_file(&path)?;
    }
    Ok(path)
}
