//! That sniffing finds the right adapter, and never has to choose between two.

use tripline_read::{ADAPTERS, Input, recognized, sniff};

use crate::support::{FAINT, TWINS, cases};

#[test]
fn every_fixture_is_recognized_by_its_adapter_alone() {
    for case in cases() {
        let found = recognized(&case.input).unwrap();
        let found: Vec<&str> = found.iter().map(|adapter| adapter.name).collect();
        if TWINS.contains(&case.adapter.name) {
            assert_eq!(found, TWINS, "{}", case.name);
            assert!(sniff(&case.input).is_err(), "{}", case.name);
            continue;
        }
        if FAINT.contains(&&*case.name) && matches!(case.input, Input::Tree { .. }) {
            assert!(found.is_empty(), "{}", case.name);
            let said = sniff(&case.input).unwrap_err().to_string();
            assert!(
                said.contains(&format!("though {} (`", case.adapter.name)),
                "{said}"
            );
            continue;
        }
        assert_eq!(found, [case.adapter.name], "{}", case.name);
        assert_eq!(sniff(&case.input).unwrap().name, case.adapter.name);
    }
}

#[test]
fn what_a_text_holds_of_others_is_told_and_no_fixture_holds_any() {
    for case in cases() {
        let others = case.adapter.others_in(&case.input).unwrap();
        assert_eq!(others, [], "{}", case.name);
    }
    let of = |name: &str| {
        let mut all = cases().into_iter();
        let case =
            all.find(|case| case.adapter.name == name && matches!(case.input, Input::Text { .. }));
        match case.map(|case| case.input) {
            Some(Input::Text { bytes, .. }) => bytes,
            _ => Vec::new(),
        }
    };
    let both = [of("criterion-text"), b"\n".to_vec(), of("divan")].concat();
    let both = Input::from_bytes("out.txt", both);
    for (named, other) in [("divan", "criterion-text"), ("criterion-text", "divan")] {
        let named = ADAPTERS.iter().find(|adapter| adapter.name == named);
        let told = named.unwrap().others_in(&both).unwrap();
        let told: Vec<String> = told.iter().map(ToString::to_string).collect();
        let expected = format!(
            "it holds results of {other} too, which are passed over: read them on their own at out.txt:1:1"
        );
        assert_eq!(told, [expected]);
    }
}

#[test]
fn a_cut_input_is_still_recognized_where_its_mark_is_left() {
    for case in cases() {
        let Input::Text { name, bytes } = &case.input else {
            continue;
        };
        if TWINS.contains(&case.adapter.name) {
            continue;
        }
        let cut = Input::from_bytes(name.clone(), bytes[..bytes.len() - 5].to_vec());
        assert_eq!(
            sniff(&cut).unwrap().name,
            case.adapter.name,
            "{}",
            case.name
        );
    }
}

#[test]
fn results_of_libtest_that_are_split_over_two_lines_are_recognized() {
    let text = "test get ... hello\nbench:         100.50 ns/iter (+/- 4.00)\n";
    let input = Input::from_bytes("out.txt", text.as_bytes().to_vec());
    assert_eq!(sniff(&input).unwrap().name, "libtest");
}

#[test]
fn samples_and_iterations_beside_each_other_are_no_mark_of_catch2() {
    let divan = [
        "scene    fastest       │ slowest       │ median        │ mean          │ samples │ iters  ",
        "╰─ 0     14.19 ms      │ 21.57 ms      │ 14.31 ms      │ 15.28 ms      │ 10      │ 10  ",
    ]
    .join("\n");
    let go = "Calibrating: 5 samples of 100 iterations each
BenchmarkGet-8 \t     100\t 12 ns/op
PASS
ok  \ta/b\t0.1s";
    for (text, expected) in [(&*divan, "divan"), (go, "go")] {
        let input = Input::from_bytes("out.txt", text.as_bytes().to_vec());
        let adapter = sniff(&input).unwrap();
        assert_eq!(adapter.name, expected);
        assert_eq!(adapter.others_in(&input).unwrap(), []);
    }
}

#[test]
fn a_list_whose_first_entry_has_no_unit_is_recognized_by_the_unit_of_another() {
    let is_list = |text: &str| {
        let found = recognized(&Input::from_bytes("out.json", text.as_bytes().to_vec())).unwrap();
        let found: Vec<&str> = found.iter().map(|adapter| adapter.name).collect();
        found == TWINS
    };
    let first = r#"{"name": "get", "value": 1}"#;
    let second = r#"{"name": "set", "unit": "ms", "value": 2}"#;
    assert!(is_list(&format!("[{first}, {second}]")));
    // Nothing says that it is such a list, and not what a program keeps of its own.
    assert!(!is_list(&format!("[{first}]")));
}

#[test]
fn what_nobody_or_two_recognize_is_an_error_that_says_what_to_do() {
    let nobody = Input::from_bytes("notes.txt", b"hello\n{}\n".to_vec());
    let mut names: Vec<&str> = ADAPTERS.iter().map(|adapter| adapter.name).collect();
    names.sort_unstable();
    let names = names.join(", ");
    assert_eq!(
        sniff(&nobody).unwrap_err().to_string(),
        format!(
            "no harness is known to write what `notes.txt` holds: name the harness, one of {names}, or check that its output is whole"
        )
    );
    let mut both = b"{\"benchmark\":\"get\",\"answer\":\"00\"}\n".to_vec();
    both.extend(b"{\"reason\":\"benchmark-complete\",\"id\":\"get\"}\n");
    let both = Input::from_bytes("both\n.jsonl", both);
    insta::assert_snapshot!(
        sniff(&both).unwrap_err(),
        @r"`both\n.jsonl` could be the output of answers or cargo-criterion: name the harness, or give the files of each on their own"
    );
}
