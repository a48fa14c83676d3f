//! What scans found, in an SQLite database that is written while they run.
//!
//! Neighbours of one verdict are one row: most ports of a host answer alike, and a row for each would take as long as a third of
//! the scan. Whoever reads asks the view, which has a row for each port. At the same time as the scan they see what was found
//! some thousand ports ago. A scan that was stopped is `partial`, and one that was killed stays `running`; what it found until
//! the last thousand ports is there.
//!
//! Tests: `tests/it/store.rs`.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, ErrorCode, TransactionBehavior, params};

use crate::Error;
use crate::feed::Found;
use crate::plan::Plan;

/// What says that a database is ours ("scan" in ASCII), and of which version.
const APPLICATION: i64 = 0x7363_616e;
const VERSION: i64 = 2;
/// How long to wait before a database that somebody holds is asked again.
const BUSY_PAUSE: Duration = Duration::from_millis(2);
/// What SQLite calls the journal that lets others read meanwhile.
const LOG: &str = "wal";
/// How many batches become visible at once: some thousand ports.
const BATCHES: usize = 8;

const SCHEMA: &str = "
CREATE TABLE scan (
  id INTEGER PRIMARY KEY,
  began_ms INTEGER NOT NULL,
  targets TEXT NOT NULL,
  ports TEXT NOT NULL,
  total INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'partial'))
) STRICT;
CREATE TABLE host (
  scan INTEGER NOT NULL REFERENCES scan,
  host INTEGER NOT NULL,
  address TEXT NOT NULL,
  PRIMARY KEY (scan, host)
) STRICT, WITHOUT ROWID;
-- All ports from the first to the last: 1 is open, 2 closed, 3 filtered.
CREATE TABLE span (
  scan INTEGER NOT NULL,
  host INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  verdict INTEGER NOT NULL,
  PRIMARY KEY (scan, host, first)
) STRICT, WITHOUT ROWID;
CREATE VIEW verdict (scan, host, port, verdict) AS
WITH RECURSIVE each (scan, host, port, last, verdict) AS (
  SELECT scan, host, first, last, verdict FROM span
  UNION ALL
  SELECT scan, host, port + 1, last, verdict FROM each WHERE port < last
)
SELECT scan, host, port, verdict FROM each;
";

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreFault {
    /// SQLite says no.
    #[error("{advice}")]
    Refused {
        /// What to do.
        advice: &'static str,
        /// What it said.
        source: rusqlite::Error,
    },
    /// A database of another program.
    #[error("it is a database of something else, and was left as it is; name another file")]
    NotOurs,
    /// A place where there can be no log beside it.
    #[error(
        "it would be written with the journal `{0}`, so that nobody could read it while a scan runs; name a file on a local disk"
    )]
    NoLog(String),
    /// A database of another version of this program.
    #[error("it is of version {0}, and this program writes version {VERSION}; name another file")]
    OtherVersion(i64),
}

impl From<rusqlite::Error> for StoreFault {
    fn from(source: rusqlite::Error) -> Self {
        let advice = match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                "another program holds it; wait for that, or name another file"
            }
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                "see that its folder exists and that both may be written to"
            }
            Some(ErrorCode::DiskFull) => "make room on the disk",
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                "it is no database, or a damaged one, and was left as it is; name another file"
            }
            _ => "see what SQLite says",
        };
        Self::Refused { advice, source }
    }
}

/// A database that is ready to be written to.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

impl Store {
    /// Opens a database, or makes one. Where another program writes to it at the moment, it waits for that as long as
    /// `patience`.
    pub fn open(path: &Path, patience: Duration) -> Result<Self, Error> {
        let opened = Self::prepare(path, patience);
        let connection = opened.map_err(|source| Error::Store {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self {
            connection,
            path: path.to_owned(),
        })
    }

    fn prepare(path: &Path, patience: Duration) -> Result<Connection, StoreFault> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(patience)?;
        // All at one moment: somebody else may be making it.
        let looking = connection.transaction()?;
        let application = pragma(&looking, "PRAGMA application_id")?;
        let tables = pragma(&looking, "SELECT count(*) FROM sqlite_schema")?;
        let version = pragma(&looking, "PRAGMA user_version")?;
        drop(looking);
        if application != APPLICATION && (application != 0 || tables > 0) {
            return Err(StoreFault::NotOurs);
        }
        if application == APPLICATION && version != VERSION {
            return Err(StoreFault::OtherVersion(version));
        }
        let mode = take_log(&connection, patience)?;
        if mode != LOG {
            return Err(StoreFault::NoLog(mode));
        }
        connection.execute_batch("PRAGMA synchronous = NORMAL")?;
        if application != APPLICATION {
            let making = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Somebody else's first scan may have made it meanwhile.
            if pragma(&making, "PRAGMA application_id")? != APPLICATION {
                making.execute_batch(&format!(
                    "{SCHEMA} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}"
                ))?;
            }
            making.commit()?;
        }
        Ok(connection)
    }

    /// Writes down that a scan begins.
    pub(crate) fn begin(mut self, plan: &Plan) -> Result<Recorder, Error> {
        let begun = Self::announce(&mut self.connection, plan);
        match begun {
            Ok(scan) => Ok(Recorder { store: self, scan }),
            Err(error) => Err(Error::Store {
                path: self.path,
                source: error.into(),
            }),
        }
    }

    fn announce(connection: &mut Connection, plan: &Plan) -> rusqlite::Result<i64> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let began = since.map_or(0, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        });
        let transaction = connection.transaction()?;
        transaction.execute(
            "INSERT INTO scan (began_ms, targets, ports, total, state) VALUES (?, ?, ?, ?, 'running')",
            params![began, plan.targets.to_string(), plan.ports.to_string(), signed(plan.count())],
        )?;
        let scan = transaction.last_insert_rowid();
        {
            let mut insert = transaction.prepare("INSERT INTO host VALUES (?, ?, ?)")?;
            for (host, address) in plan.targets.addresses().iter().enumerate() {
                insert.execute(params![scan, signed(host as u64), address.to_string()])?;
            }
        }
        transaction.commit()?;
        Ok(scan)
    }
}

/// The number that a question has for an answer.
fn pragma(connection: &Connection, question: &str) -> rusqlite::Result<i64> {
    connection.query_row(question, [], |row| row.get(0))
}

/// Has the database keep its log, and returns which journal it keeps. SQLite waits for nobody here, because two who change
/// to it at the same moment would wait for each other.
fn take_log(connection: &Connection, patience: Duration) -> rusqlite::Result<String> {
    let until = Instant::now() + patience;
    loop {
        let taken = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
        match taken {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < until =>
            {
                thread::sleep(BUSY_PAUSE);
            }
            taken => return taken,
        }
    }
}

/// Whoever writes down what a scan finds.
pub(crate) struct Recorder {
    store: Store,
    scan: i64,
}

impl Recorder {
    /// Writes down what arrives until nobody is left to send, and how the scan ended.
    pub(crate) fn record(
        self,
        plan: &Plan,
        total: u64,
        receiver: &Receiver<Vec<Found>>,
    ) -> Result<(), Error> {
        let Self { store, scan } = self;
        let recorded = record(&store.connection, scan, plan, total, receiver);
        if recorded.is_err() {
            // It may be possible still, and a row that says `running` is one of a scan that was killed. The error that counts
            // is the first.
            let _ = end(&store.connection, scan, "partial");
        }
        recorded.map_err(|source| Error::NotStored {
            path: store.path,
            source: source.into(),
        })
    }
}

fn record(
    connection: &Connection,
    scan: i64,
    plan: &Plan,
    total: u64,
    receiver: &Receiver<Vec<Found>>,
) -> rusqlite::Result<()> {
    let mut stored = 0;
    let mut insert = connection.prepare("INSERT INTO span VALUES (?, ?, ?, ?, ?)")?;
    while let Ok(mut arrived) = receiver.recv() {
        // What has arrived becomes visible before anybody waits for more.
        arrived.extend(receiver.try_iter().take(BATCHES - 1).flatten());
        stored += arrived.len() as u64;
        let transaction = connection.unchecked_transaction()?;
        for span in spans(plan, arrived) {
            let host = signed(span.host as u64);
            insert.execute((scan, host, span.first, span.last, signed(span.verdict)))?;
        }
        transaction.commit()?;
    }
    let state = if stored == total {
        "complete"
    } else {
        "partial"
    };
    end(connection, scan, state)
}

/// Neighbouring ports of a host that have one verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    host: usize,
    first: u16,
    last: u16,
    verdict: u64,
}

/// Joins what was found, in whatever order, to spans in order.
fn spans(plan: &Plan, mut found: Vec<Found>) -> Vec<Span> {
    found.sort_unstable_by_key(|found| found.place());
    let mut spans: Vec<Span> = Vec::new();
    for found in found {
        let (host, port) = plan.split(found.place());
        let verdict = found.bits();
        match spans.last_mut() {
            Some(span) if span.goes_on_with(host, port, verdict) => span.last = port,
            _ => spans.push(Span {
                host,
                first: port,
                last: port,
                verdict,
            }),
        }
    }
    spans
}

impl Span {
    fn goes_on_with(&self, host: usize, port: u16, verdict: u64) -> bool {
        (self.host, self.verdict) == (host, verdict) && self.last.checked_add(1) == Some(port)
    }
}

/// Writes down how a scan ended.
fn end(connection: &Connection, scan: i64, state: &str) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE scan SET state = ? WHERE id = ?",
        params![state, scan],
    )?;
    Ok(())
}

/// SQLite's numbers have a sign; ours are far below that.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Targets;
    use crate::verdicts::Verdict;

    fn spanned(
        targets: &str,
        ports: &str,
        found: &[(u64, Verdict)],
    ) -> Vec<(usize, u16, u16, u64)> {
        let targets = Targets::parse(targets).unwrap();
        let plan = Plan::new(targets, ports.parse().unwrap()).unwrap();
        let found = found.iter();
        let found = found.map(|&(place, verdict)| Found::new(place, verdict));
        let spans = spans(&plan, found.collect()).into_iter();
        spans
            .map(|span| (span.host, span.first, span.last, span.verdict))
            .collect()
    }

    #[test]
    fn neighbours_of_one_verdict_are_one_row() {
        use Verdict::{Closed, Open};
        let found = [
            (3, Closed),
            (0, Closed),
            (2, Open),
            (1, Closed),
            (4, Closed),
        ];
        let wanted = [(0, 1, 2, 2), (0, 3, 3, 1), (0, 4, 5, 2)];
        assert_eq!(spanned("127.0.0.1", "1-5", &found), wanted);
    }

    #[test]
    fn ports_that_nobody_asked_and_other_hosts_are_no_neighbours() {
        let all = [0, 1, 2, 3, 4, 5].map(|place| (place, Verdict::Filtered));
        let wanted = [(0, 1, 1, 3), (0, 3, 3, 3), (0, 65535, 65535, 3)];
        let other = wanted.map(|(_, first, last, verdict)| (1, first, last, verdict));
        let spans = spanned("127.0.0.1,127.0.0.2", "1,3,65535", &all);
        assert_eq!(spans, [wanted, other].concat());
    }
}
