//! What a record keeps, a segment keeps; and compaction changes no answer at any step.

use proptest::prelude::*;
use tripline_history::keep_closed;

use crate::yard::{
    Made, add, asked, block, close, config, entry, files, index, read, read_shuffled, runs, told,
};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn records_are_segments_for_every_question(runs in runs(), size in 1..5_usize, by in 1..30_usize) {
        let mut all = files(&runs);
        let expected = (told(&read(&all)), asked(&read(&all), &all));
        prop_assert_eq!(&asked(&index(&all), &all), &expected.1);

        // A segment is there, and the files of its records still are.
        close(&mut all, size);
        prop_assert_eq!(&told(&read_shuffled(&all, by)), &expected.0);
        prop_assert_eq!(&asked(&index(&all), &all), &expected.1);
        prop_assert_eq!(index(&all).close(size), vec![], "what is closed is not closed again");

        // Files go one by one.
        let spent = index(&all).spent(|path| block(&all, path));
        for (at, spent) in spent.iter().enumerate() {
            prop_assert!(all.contains_key(&spent.segment));
            all.remove(&spent.path).unwrap();
            if at == 0 {
                prop_assert_eq!(&asked(&index(&all), &all), &expected.1);
            }
        }
        prop_assert_eq!(&told(&read_shuffled(&all, by)), &expected.0);
        prop_assert_eq!(&asked(&read(&all), &all), &expected.1);
        let left = all.keys().filter(|path| path.starts_with("records/")).count();
        prop_assert!(left < size * 4, "{} records of {} are left", left, size);
    }

    #[test]
    fn what_is_taken_over_closed_is_what_is_taken_over(runs in runs()) {
        let expected = files(&runs);
        let mut closed = std::collections::BTreeMap::new();
        for made in &runs {
            let (set, environment, entry) = entry(made);
            add(&mut closed, keep_closed(&[set], &environment, [entry]).unwrap());
        }
        prop_assert!(!closed.keys().any(|path| path.starts_with("records/")));
        prop_assert_eq!(told(&read(&closed)), told(&read(&expected)));
        prop_assert_eq!(asked(&index(&closed), &closed), asked(&read(&expected), &expected));
    }
}

/// Many runs of one kind.
fn many(count: usize) -> Vec<Made> {
    let made = |at: usize| Made {
        suite: 0,
        environment: 0,
        commit: at % 8,
        second: i64::try_from(at).unwrap(),
        has: vec![true; 6],
        number: u32::try_from(at % 9).unwrap(),
        is_taken_over: at % 2 == 1,
    };
    (0..count).map(made).collect()
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let all = files(&many(9));
    let mut reversed = all.clone().into_iter().rev().collect::<Vec<_>>();
    let first = index(&all).close(4);
    reversed.rotate_left(3);
    let second = index(&reversed.into_iter().collect()).close(4);
    assert_eq!(first, second);
    let paths: Vec<&str> = first.iter().map(|file| &*file.path).collect();
    // Where these change, so would every segment that is written again: it is a change of the stored form.
    insta::assert_snapshot!(paths.join("\n"), @r"
    segments/kv/614ba4c139b7d540cb33e64930795983.parquet
    segments/kv/6ae0f98d0b95d7c1df33d06b1bd689a9.json
    segments/kv/8e7bc6ad7ee8067abd9fdd74b160eb87.parquet
    segments/kv/1ab6907deecf5e98780483928f49523b.json
    ");
}

#[test]
fn the_latest_records_stay_as_they_are() {
    let mut all = files(&many(9));
    close(&mut all, 4);
    let spent = index(&all).spent(|path| block(&all, path));
    assert_eq!(spent.len(), 8);
    all.retain(|path, _| !path.starts_with("segments/"));
    spent.iter().for_each(|spent| drop(all.remove(&spent.path)));
    let left = read(&all);
    let [last] = &left.records()[..] else {
        panic!("one is left");
    };
    assert_eq!(last.record.measured_at.as_second(), 1_700_000_008);
}
