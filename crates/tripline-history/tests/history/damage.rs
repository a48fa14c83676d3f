//! Whatever is gone or garbled is named, hides nothing that does not need it, and keeps its record's file alive.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use crate::yard::{Made, asked, block, close, files, index, read, told};

fn made(at: usize) -> Made {
    Made {
        suite: 0,
        environment: 0,
        commit: at,
        second: i64::try_from(at).unwrap(),
        has: vec![true; 6],
        number: u32::try_from(at).unwrap(),
        is_taken_over: false,
    }
}

/// A history in two segments, whose records have no files of their own.
fn closed() -> BTreeMap<String, Vec<u8>> {
    let mut all = files(&(0..6).map(made).collect::<Vec<_>>());
    close(&mut all, 3);
    all.retain(|path, _| !path.starts_with("records/"));
    all
}

/// The whole history is whole: what lies in a folder of another day is in no segment, and there all the same.
#[test]
fn a_record_that_lies_elsewhere_is_in_what_is_handed_on() {
    let mut all = files(&(0..6).map(made).collect::<Vec<_>>());
    let is_record = |path: &&String| path.starts_with("records/");
    let path = all.keys().find(is_record).cloned().unwrap();
    let record = all.remove(&path).unwrap();
    let mut parts: Vec<&str> = path.split('/').collect();
    parts[2] = "1066";
    all.insert(parts.join("/"), record);
    let before = read(&all);
    let handed_on = before.closed().unwrap();
    let handed_on: BTreeMap<String, Vec<u8>> = handed_on
        .into_iter()
        .map(|file| (file.path, file.bytes))
        .collect();
    assert_eq!(handed_on.keys().filter(is_record).count(), 1);
    assert_eq!(told(&read(&handed_on)), told(&before));
}

fn segments(all: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let is_segment = |path: &&String| path.starts_with("segments/");
    all.keys().filter(is_segment).cloned().collect()
}

#[test]
fn a_segment_or_block_that_is_gone_or_damaged_hides_no_other() {
    let whole = closed();
    assert_eq!(read(&whole).records().len(), 6);
    assert_eq!(read(&whole).damaged(), []);
    for path in segments(&whole) {
        let mut damaged = whole.clone();
        damaged.get_mut(&path).unwrap()[17] ^= 1;
        let mut gone = whole.clone();
        gone.remove(&path);
        for all in [damaged, gone] {
            let archive = read(&all);
            assert_eq!(
                archive
                    .records()
                    .iter()
                    .filter(|kept| !kept.record.points.is_empty())
                    .count(),
                3,
                "{path}"
            );
            let is_named = archive.damaged().iter().any(|damage| damage.path == path);
            assert_eq!(
                is_named,
                all.contains_key(&path) || path.ends_with(".parquet"),
                "{path}"
            );
            let (_, lost) = asked(&index(&all), &all);
            assert_eq!(lost.contains(&path), path.ends_with(".parquet"), "{path}");
        }
    }
}

#[test]
fn a_record_whose_segment_is_damaged_keeps_its_file() {
    let mut all = files(&(0..3).map(made).collect::<Vec<_>>());
    close(&mut all, 3);
    assert_eq!(index(&all).spent(|path| block(&all, path)).len(), 3);
    for path in segments(&all) {
        let mut damaged = all.clone();
        damaged.get_mut(&path).unwrap()[17] ^= 1;
        assert_eq!(index(&damaged).spent(|path| block(&damaged, path)), []);
        assert_eq!(read(&damaged).records().len(), 3);
    }
}

/// A file of a branch of data is written once, so a segment that would have to replace one is never pushed.
#[test]
fn a_listing_that_is_damaged_is_not_made_again() {
    let mut all = files(&(0..9).map(made).collect::<Vec<_>>());
    let open = all.clone();
    close(&mut all, 3);
    let listings = segments(&all);
    let listings = listings.iter().filter(|path| path.ends_with(".json"));
    let listings: Vec<&String> = listings.collect();
    assert_eq!(listings.len(), 3);
    for path in &listings {
        // None of the segments is there but this one, and its records have their files.
        let mut damaged = open.clone();
        damaged.insert((*path).clone(), b"{}".to_vec());
        let archive = index(&damaged);
        assert_eq!(archive.damaged().len(), 1);
        let closed = archive.close(3);
        let made = closed.iter().filter(|file| file.path.ends_with(".json"));
        let made: Vec<&String> = made.map(|file| &file.path).collect();
        let others = listings.iter().filter(|other| *other != path);
        let (mut made, mut others) = (made, others.copied().collect::<Vec<_>>());
        made.sort();
        others.sort();
        assert_eq!(made, others);
        close(&mut damaged, 3);
        let read = read(&damaged);
        assert_eq!((read.records().len(), read.damaged().len()), (9, 1));
    }
}

/// The listing of its segment is gone, so that nothing says what it should hold but its name.
#[test]
fn a_block_that_is_damaged_without_its_listing_is_said_and_not_made_again() {
    let mut all = files(&(0..9).map(made).collect::<Vec<_>>());
    let open = all.clone();
    close(&mut all, 3);
    let blocks = segments(&all);
    let blocks: Vec<&String> = blocks
        .iter()
        .filter(|it| it.ends_with(".parquet"))
        .collect();
    assert_eq!(blocks.len(), 3);
    for path in &blocks {
        let mut left = open.clone();
        left.insert((*path).clone(), all[*path].clone());
        assert_eq!(read(&left).damaged(), [], "it is whole");
        left.insert((*path).clone(), b"{}".to_vec());
        let damaged = read(&left);
        let named: Vec<&String> = damaged.damaged().iter().map(|it| &it.path).collect();
        assert_eq!((damaged.records().len(), named), (9, vec![*path]));

        let mut archive = index(&left);
        assert_eq!(archive.close(3).len(), 6, "nobody has looked at it yet");
        assert!(!archive.look_at([(path.as_str(), &b"{}"[..])]));
        let made = archive.close(3);
        let kinds = [".json", ".parquet"];
        let counts = kinds.map(|kind| made.iter().filter(|it| it.path.ends_with(kind)).count());
        assert_eq!(counts, [2, 2]);
        assert!(!made.iter().any(|file| file.path == **path));
    }
}

fn digest(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Returns a history in which a block is another, and everything is named after what it holds.
fn with_block(
    whole: &BTreeMap<String, Vec<u8>>,
    path: &str,
    bytes: Vec<u8>,
) -> BTreeMap<String, Vec<u8>> {
    let old = path
        .rsplit('/')
        .next()
        .unwrap()
        .trim_end_matches(".parquet");
    let new = digest(&bytes);
    let mut all = whole.clone();
    all.remove(path);
    all.insert(format!("segments/kv/{new}.parquet"), bytes);
    for path in segments(whole)
        .iter()
        .filter(|path| path.ends_with(".json"))
    {
        let text = String::from_utf8(all.remove(path).unwrap()).unwrap();
        let text = text.replace(old, &new).into_bytes();
        all.insert(format!("segments/kv/{}.json", digest(&text)), text);
    }
    all
}

/// What a block is named after keeps damage out. What is named after damage is still no reason to panic.
#[test]
fn bytes_that_are_no_block_are_an_error() {
    let whole = closed();
    let is_block = |path: &String| path.ends_with(".parquet");
    let path = segments(&whole).into_iter().find(is_block).unwrap();
    let bytes = &whole[&path];
    let same = with_block(&whole, &path, bytes.clone());
    assert_eq!(same, whole);
    for at in (0..bytes.len()).step_by(13) {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x55;
        for wrong in [wrong, bytes[..at].to_vec()] {
            let all = with_block(&whole, &path, wrong);
            assert_eq!(read(&all).records().len(), 6);
        }
    }
}
