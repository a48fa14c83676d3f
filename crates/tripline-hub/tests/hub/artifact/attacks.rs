//! Zip files that mean harm. Each is refused, and the refusal says what for.

use tripline_hub::artifact::{Refusal, unpack};

use crate::support::{Entry, Zip, deflated};

const NAME: &str = "report.jsonl";
const MAX: u64 = 1_000_000;

fn taken(zip: &[u8]) -> Result<Vec<u8>, Refusal> {
    unpack(zip, NAME, MAX)
}

fn entry() -> Entry {
    Entry::stored(NAME, b"one line\n")
}

/// Writes a zip file of one entry that was changed.
fn with(change: impl FnOnce(&mut Entry)) -> Vec<u8> {
    let mut entry = entry();
    change(&mut entry);
    Zip::of(entry).bytes()
}

fn assert_refused(zip: &[u8], expected: &str) {
    let told = taken(zip).expect_err(expected).to_string();
    assert!(told.contains(expected), "{told}\n does not say\n{expected}");
}

#[test]
fn honest_files_are_taken() {
    assert_eq!(taken(&Zip::of(entry()).bytes()).unwrap(), b"one line\n");
    let large = "many lines\n".repeat(50_000);
    assert_eq!(
        taken(&deflated(NAME, large.as_bytes())).unwrap(),
        large.as_bytes()
    );
    assert_eq!(taken(&deflated(NAME, b"")).unwrap(), b"");
    let exact = vec![b'x'; MAX as usize];
    assert_eq!(taken(&deflated(NAME, &exact)).unwrap(), exact);
}

/// What the runner's own program writes: numbers behind the data instead of before them.
#[test]
fn files_written_in_one_go_are_taken() {
    let honest = entry();
    let numbers = [honest.checksum, 9, honest.size]
        .map(u32::to_le_bytes)
        .concat();
    for descriptor in [numbers.clone(), [b"PK\x07\x08", &numbers[..]].concat()] {
        let mut zip = Zip::of(entry());
        zip.entries[0].flags = 1 << 3;
        zip.middle = descriptor.clone();
        let bytes = zip.bytes();
        assert_eq!(taken(&bytes).unwrap(), b"one line\n");
        let mut untold = bytes.clone();
        untold[14..26].fill(0);
        assert_eq!(taken(&untold).unwrap(), b"one line\n");
        zip.middle[4] ^= 1;
        assert_refused(
            &zip.bytes(),
            "something lies between its data and its directory",
        );
    }
}

#[test]
fn names_that_lead_elsewhere() {
    for name in [
        "../report.jsonl",
        "/report.jsonl",
        "/etc/passwd",
        "a/../../report.jsonl",
        "..",
        "..\\report.jsonl",
        "\\\\server\\report.jsonl",
        "C:\\report.jsonl",
        "C:report.jsonl",
    ] {
        let zip = with(|entry| entry.name = name.into());
        assert!(
            matches!(taken(&zip), Err(Refusal::Path { .. })),
            "{name}: {:?}",
            taken(&zip)
        );
        assert_refused(&zip, name.trim_start_matches('\\'));
    }
}

#[test]
fn other_names() {
    for name in [
        "",
        "report.json",
        "REPORT.JSONL",
        "a/report.jsonl",
        "./report.jsonl",
        "report.jsonl\0",
        "report.jsonl\0.exe",
        " report.jsonl",
        "report.jsonl ",
    ] {
        let zip = with(|entry| entry.name = name.into());
        assert!(
            matches!(taken(&zip), Err(Refusal::Name { .. })),
            "{name}: {:?}",
            taken(&zip)
        );
    }
    let steering = with(|entry| entry.name = b"\x1b[2Ja\xff\n::error::".to_vec());
    assert_refused(&steering, r"called `\u{1b}[2Ja");
    let long = with(|entry| entry.name = vec![b'x'; 60_000]);
    assert!(taken(&long).expect_err("it is long").to_string().len() < 200);
}

#[test]
fn what_is_no_regular_file() {
    for kind in [
        0o120_777, 0o040_755, 0o060_644, 0o020_644, 0o010_644, 0o140_644,
    ] {
        let zip = with(|entry| entry.attributes = kind << 16);
        assert_eq!(taken(&zip), Err(Refusal::NoFile), "{kind:o}");
    }
    let folder = with(|entry| entry.attributes |= 0x10);
    assert_eq!(taken(&folder), Err(Refusal::NoFile));
    let folder = with(|entry| entry.name = b"report.jsonl/".to_vec());
    assert_eq!(taken(&folder), Err(Refusal::NoFile));
    let made_elsewhere = with(|entry| entry.attributes = 0x20);
    taken(&made_elsewhere).unwrap();
}

#[test]
fn what_is_encrypted_or_packed_oddly() {
    for flag in [1, 1 << 6, 1 << 13] {
        assert_eq!(
            taken(&with(|entry| entry.flags = flag)),
            Err(Refusal::Encrypted)
        );
    }
    for method in [1, 6, 9, 12, 14, 93, 95, 98, 99, u16::MAX] {
        assert_eq!(
            taken(&with(|entry| entry.method = method)),
            Err(Refusal::Method)
        );
    }
}

#[test]
fn more_or_less_than_one() {
    for count in [0, 2, 3, 500] {
        let zip = Zip {
            entries: vec![entry(); count],
            ..Zip::default()
        };
        let entries = count.try_into().unwrap();
        assert_eq!(taken(&zip.bytes()), Err(Refusal::Entries { entries }));
    }
    let mut hidden = Zip::of(entry());
    hidden.entries.push(entry());
    hidden.entries_said = Some(1);
    assert_refused(&hidden.bytes(), "more in its directory than one entry");
    let mut missing = Zip::of(entry());
    missing.entries_said = Some(65_535);
    assert_eq!(
        taken(&missing.bytes()),
        Err(Refusal::Entries { entries: 65_535 })
    );
}

#[test]
fn bombs() {
    let bomb = deflated(NAME, &vec![0; 16 << 20]);
    assert!(bomb.len() < 30_000, "{}", bomb.len());
    assert_eq!(taken(&bomb), Err(Refusal::FileTooLarge { bytes_max: MAX }));
    // One that says it is small: the numbers stand in both headers.
    let mut liar = bomb.clone();
    let central = liar.len() - 22 - 46 - NAME.len();
    let size_at = [22, central + 24];
    for at in size_at {
        liar[at..at + 4].copy_from_slice(&100_u32.to_le_bytes());
    }
    let refusal = taken(&liar).expect_err("it is a bomb");
    assert!(
        matches!(
            refusal,
            Refusal::FileTooLarge { .. } | Refusal::Malformed { .. }
        ),
        "{refusal}"
    );
    // The same over and over: a directory of many entries that all lie at the first byte.
    let mut overlapping = Zip::of(entry());
    overlapping.entries_said = Some(60_000);
    assert!(matches!(
        taken(&overlapping.bytes()),
        Err(Refusal::Entries { .. })
    ));
}

#[test]
fn something_before_behind_or_between() {
    let mut back = Zip::of(entry());
    back.back = b"x".to_vec();
    assert_refused(&back.bytes(), "does not end where a zip file ends");
    back.back = Zip::of(entry()).bytes();
    assert_refused(&back.bytes(), "");
    let mut front = Zip::of(entry());
    front.front = b"MZ".to_vec();
    assert_refused(&front.bytes(), "does not begin at its first byte");
    let mut middle = Zip::of(entry());
    middle.middle = b"x".to_vec();
    assert_refused(&middle.bytes(), "something lies between");
    let mut comment = Zip::of(entry());
    comment.comment = b"hello".to_vec();
    assert_refused(&comment.bytes(), "does not end where a zip file ends");
    // A comment that is an end itself, with another directory: two readers, two files.
    let mut two = Zip::of(entry());
    two.comment = Zip::of(Entry::stored(NAME, b"other")).bytes();
    assert_refused(&two.bytes(), "");
    let of_entry = with(|entry| entry.comment = b"PK\x06\x07 and so on".to_vec());
    assert_refused(&of_entry, "more in its directory than one entry");
    // A field that may be there, and that programs could take for the numbers of a larger file.
    let of_extra =
        with(|entry| entry.extra = [b"\x99\x99\x14\x00PK\x06\x07", &[0xff; 16][..]].concat());
    assert_refused(&of_extra, "larger than files of its kind can be");
    let harmless = with(|entry| entry.extra = b"\x99\x99\x02\x00ok".to_vec());
    assert_eq!(taken(&harmless).unwrap(), b"one line\n");
}

#[test]
fn two_headers_that_differ() {
    let other_name = with(|entry| entry.local_name = Some(b"report.jsonX".to_vec()));
    assert_refused(&other_name, "its two headers differ in the name");
    let longer_name = with(|entry| entry.local_name = Some(b"report.jsonlx".to_vec()));
    assert_refused(&longer_name, "");
    let honest = Zip::of(entry()).bytes();
    // Flags, method, checksum and sizes of the header before the data.
    for at in [6, 8, 14, 18, 22] {
        let mut zip = honest.clone();
        zip[at] ^= 1;
        assert_refused(&zip, "its two headers differ");
    }
}

#[test]
fn numbers_that_are_not_true() {
    assert_refused(
        &with(|entry| entry.checksum ^= 1),
        "it is no zip file as runners make it",
    );
    assert_refused(
        &with(|entry| entry.size += 1),
        "it is no zip file as runners make it",
    );
    assert_refused(
        &with(|entry| entry.size -= 1),
        "it is no zip file as runners make it",
    );
    assert_eq!(
        taken(&with(|entry| entry.size = u32::MAX)),
        Err(Refusal::FileTooLarge { bytes_max: MAX })
    );
    let honest = Zip::of(entry()).bytes();
    let end = honest.len() - 22;
    // Disks, entries, and where the directory is, at the end.
    for at in [4, 6, 8, 12, 14, 15, 16, 18, 19] {
        for bit in [1, 0x80] {
            let mut zip = honest.clone();
            zip[end + at] ^= bit;
            taken(&zip).expect_err("it is not true");
        }
    }
    let directory = end - 46 - NAME.len();
    // Sizes, lengths, disk and place of the entry.
    for at in [20, 24, 28, 30, 32, 34, 42, 45] {
        let mut zip = honest.clone();
        zip[directory + at] ^= 1;
        taken(&zip).expect_err("it is not true");
    }
}

#[test]
fn what_is_no_zip_file_at_all() {
    for bytes in [
        &b""[..],
        b"PK",
        b"PK\x05\x06",
        &[0; 22],
        &[0xff; 1000],
        b"<html>",
    ] {
        assert!(
            matches!(taken(bytes), Err(Refusal::Malformed { .. })),
            "{bytes:?}"
        );
    }
    let empty = [b"PK\x05\x06", &[0; 18][..]].concat();
    assert_eq!(taken(&empty), Err(Refusal::Entries { entries: 0 }));
}
