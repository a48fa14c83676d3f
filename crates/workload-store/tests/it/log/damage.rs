//! What is stored is cut and flipped, and the log opened on it.
//!
//! A log that was closed vouches for all of itself: whatever is wrong, it has every record or it is not opened. One
//! whose machine died vouches for all but its last batch: that may be cut off, and then it is told. In both, what is
//! read was written, and a log that is not opened is left as it was.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use proptest::prelude::{ProptestConfig, any, prop_assert, prop_oneof, proptest};
use proptest::sample::Index;
use proptest::strategy::{Just, Strategy};
use workload_store::log::{Error, Log, Record, Recovery};

use super::{SMALL, scratch};

/// The files of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stored(BTreeMap<String, Vec<u8>>);

/// A log as it was stored, and what it held.
struct Case {
    stored: Stored,
    payloads: Vec<Vec<u8>>,
    /// The records that a later one vouches for.
    vouched: usize,
    /// Where the last record stands, in the last segment.
    last: Range<usize>,
}

const HEADER_BYTES: usize = 32;

impl Stored {
    fn of(folder: &Path) -> Self {
        let entries = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let segments = entries.filter(|path| path.extension().is_some_and(|e| e == "segment"));
        let named = |path: std::path::PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        };
        Self(segments.map(named).collect())
    }

    fn write(&self, folder: &Path) {
        for (name, bytes) in &self.0 {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }

    fn last(&mut self) -> &mut Vec<u8> {
        self.0.values_mut().next_back().unwrap()
    }

    /// Returns the segment of a number, counted round.
    fn any(&mut self, index: &Index) -> &mut Vec<u8> {
        let count = self.0.len();
        self.0.values_mut().nth(index.index(count)).unwrap()
    }
}

/// Returns a log of some segments, as a kill leaves it, and as closing leaves it.
fn cases() -> [Case; 2] {
    let folder = scratch();
    let (log, _) = Log::open(folder.path(), SMALL).unwrap();
    let payloads: Vec<Vec<u8>> = (1..=90_u8).map(|n| vec![n; usize::from(n) + 20]).collect();
    for batch in payloads.chunks(4) {
        log.append_batch(batch).unwrap();
    }
    let killed = Stored::of(folder.path());
    log.close().unwrap();
    let closed = Stored::of(folder.path());
    let end = data_end(&mut closed.clone()) - HEADER_BYTES;
    let last = end - HEADER_BYTES - payloads[payloads.len() - 1].len()..end;
    let vouched = payloads.chunks(4).len() * 4 - 4;
    [
        Case {
            stored: killed,
            payloads: payloads.clone(),
            vouched,
            last: last.clone(),
        },
        Case {
            stored: closed,
            vouched: payloads.len(),
            payloads,
            last,
        },
    ]
}

/// Returns where the last header of a closed log ends: its last number is small, and has seven zeros.
fn data_end(stored: &mut Stored) -> usize {
    stored.last().iter().rposition(|byte| *byte != 0).unwrap() + 8
}

/// Opens a log of these files and checks that nothing is lost silently, and nothing made up.
fn open(case: &Case, stored: &Stored, what: &str) -> Result<Recovery, Error> {
    let folder = scratch();
    stored.write(folder.path());
    let (log, recovery) = match Log::open(folder.path(), SMALL) {
        Ok(opened) => opened,
        Err(error) => {
            assert_names_the_place(&error, folder.path(), stored, what);
            assert!(
                Stored::of(folder.path()) == *stored,
                "{what}: it was changed"
            );
            return Err(error);
        }
    };
    let records: Result<Vec<Record>, Error> = log.records(0).unwrap().collect();
    let records = records.unwrap();
    assert!(
        records.len() >= case.vouched,
        "{what}: {} records are left",
        records.len()
    );
    for (number, record) in records.iter().enumerate() {
        assert_eq!(record.sequence, number as u64, "{what}");
        assert!(
            record.payload == case.payloads[number],
            "{what}: record {number}"
        );
    }
    assert_eq!(recovery.records, 0..records.len() as u64, "{what}");
    let lost = records.len() < case.payloads.len();
    assert!(!lost || recovery.cut.is_some(), "{what}: lost and not told");
    // What was cut off does not come back, and what is appended does.
    assert_eq!(log.append(b"next").unwrap(), records.len() as u64, "{what}");
    drop(log);
    let (log, again) = Log::open(folder.path(), SMALL).unwrap();
    assert_eq!(again.cut, None, "{what}");
    assert_eq!(
        super::payloads(&log, records.len() as u64),
        [b"next"],
        "{what}"
    );
    Ok(recovery)
}

fn assert_names_the_place(error: &Error, folder: &Path, stored: &Stored, what: &str) {
    match error {
        Error::Damaged { file, offset, .. } => {
            assert_eq!(file.parent(), Some(folder), "{what}");
            let name = file.file_name().unwrap().to_str().unwrap();
            let bytes = stored.0[name].len() as u64;
            assert!(*offset <= bytes, "{what}: byte {offset} of {bytes}");
        }
        Error::OtherVersion { file, .. } => assert!(file.exists(), "{what}"),
        other => panic!("{what}: {other}"),
    }
}

#[test]
fn an_undamaged_log_is_opened_without_a_word() {
    for case in cases() {
        assert!(case.stored.0.len() > 2);
        let recovery = open(&case, &case.stored, "nothing").unwrap();
        assert_eq!(recovery.cut, None);
        assert_eq!(recovery.records.end, case.payloads.len() as u64);
    }
}

#[test]
fn every_flipped_bit_of_the_last_record_is_told() {
    let [killed, closed] = cases();
    for (at, bit) in killed
        .last
        .clone()
        .flat_map(|at| (0..8).map(move |bit| (at, bit)))
    {
        let what = format!("bit {bit} of byte {at} was flipped");
        let flipped = |case: &Case| {
            let mut stored = case.stored.clone();
            stored.last()[at] ^= 1 << bit;
            open(case, &stored, &what)
        };
        // Nothing in the files of the first says that this record was ever on the disk.
        let cut = flipped(&killed).unwrap().cut.expect("it was told");
        assert_eq!(cut.offset as usize, killed.last.start, "{what}");
        assert!(
            matches!(flipped(&closed), Err(Error::Damaged { .. })),
            "{what}"
        );
    }
}

#[test]
fn every_half_written_last_record_is_cut_off_and_told() {
    let [killed, closed] = cases();
    for at in killed.last.clone() {
        let what = format!("nothing was written from byte {at} on");
        let torn = |case: &Case, until: usize| {
            let mut stored = case.stored.clone();
            stored.last()[at..until].fill(0);
            open(case, &stored, &what)
        };
        if at > killed.last.start {
            let cut = torn(&killed, killed.last.end)
                .unwrap()
                .cut
                .expect("it was told");
            assert_eq!(cut.offset as usize, killed.last.start, "{what}");
        }
        // Behind the record stands what closing wrote: it says that the record was on the disk.
        let vouched = torn(&closed, closed.last.end);
        assert!(matches!(vouched, Err(Error::Damaged { .. })), "{what}");
    }
}

#[test]
fn every_cut_in_the_last_record_is_damage() {
    for case in cases() {
        for at in case.last.clone() {
            let mut stored = case.stored.clone();
            stored.last().truncate(at);
            let what = format!("the file was cut at byte {at}");
            assert!(
                matches!(open(&case, &stored, &what), Err(Error::Damaged { .. })),
                "{what}"
            );
        }
    }
}

/// It is told by its length alone: what a file of any length holds is more than there is memory for.
#[test]
fn a_file_that_is_longer_than_it_was_made_is_damage() {
    let folder = scratch();
    let (log, _) = Log::open(folder.path(), SMALL).unwrap();
    log.append(b"a record").unwrap();
    drop(log);
    let path = folder.path().join(format!("{:020}.segment", 0));
    for bytes in [SMALL.segment_bytes + 1, 10 << 40] {
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_len(bytes).unwrap();
        file.write_all_at(b"x", bytes - 1).unwrap();
        let error = Log::open(folder.path(), SMALL).unwrap_err();
        assert!(
            matches!(&error, Error::Damaged { file, .. } if *file == path),
            "{error}"
        );
    }
}

/// The mark of an earlier closing is no record, and yet what stands behind it must not be lost with it.
#[test]
fn a_flipped_mark_in_the_middle_loses_nothing() {
    let folder = scratch();
    for _ in 0..2 {
        let (log, _) = Log::open(folder.path(), SMALL).unwrap();
        log.append(b"a record").unwrap();
        log.close().unwrap();
    }
    let mut stored = Stored::of(folder.path());
    // Takes the mark of the second closing away, so that nothing but the second record vouches for what is before.
    let end = data_end(&mut stored);
    stored.last()[end - HEADER_BYTES..].fill(0);
    let first_mark = HEADER_BYTES * 2 + b"a record".len();
    for at in first_mark..first_mark + HEADER_BYTES {
        let case = Case {
            stored: stored.clone(),
            payloads: vec![b"a record".to_vec(); 2],
            vouched: 2,
            last: 0..0,
        };
        let mut flipped = stored.clone();
        flipped.last()[at] ^= 0x10;
        let what = format!("byte {at} was flipped");
        assert!(
            matches!(open(&case, &flipped, &what), Err(Error::Damaged { .. })),
            "{what}"
        );
    }
}

/// One thing that happens to a segment.
#[derive(Clone, Debug)]
enum Harm {
    Flip(Index, u32),
    Cut(Index),
    Append(Vec<u8>),
}

fn harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        6 => (any::<Index>(), 0..8_u32).prop_map(|(at, bit)| Harm::Flip(at, bit)),
        3 => any::<Index>().prop_map(Harm::Cut),
        1 => Just(Harm::Append(vec![7; 40])),
    ]
}

proptest! {
    // What fails is printed whole, so nothing needs to be written beside the sources.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_anywhere_nothing_is_lost_silently(segment in any::<Index>(), harm in harm()) {
        for case in cases() {
            let mut stored = case.stored.clone();
            let bytes = stored.any(&segment);
            match &harm {
                Harm::Flip(at, bit) => {
                    let at = at.index(bytes.len());
                    bytes[at] ^= 1 << bit;
                }
                Harm::Cut(at) => bytes.truncate(at.index(bytes.len())),
                Harm::Append(more) => bytes.extend_from_slice(more),
            }
            let opened = open(&case, &stored, "harm");
            if let Harm::Cut(_) = harm {
                prop_assert!(opened.is_err(), "no crash makes a file shorter");
            }
        }
    }

    /// Files that are no log at all, and files that begin as one.
    #[test]
    fn any_bytes_are_an_error_or_a_log(bytes in proptest::collection::vec(any::<u8>(), 0..200), begins in any::<bool>()) {
        let folder = scratch();
        drop(Log::open(folder.path(), SMALL).unwrap());
        let mut stored = Stored::of(folder.path());
        let from = if begins { HEADER_BYTES } else { 0 };
        stored.last()[from..from + bytes.len()].copy_from_slice(&bytes);
        stored.write(folder.path());
        if let Ok((log, _)) = Log::open(folder.path(), SMALL) {
            prop_assert!(log.end() == 0);
        }
    }
}
