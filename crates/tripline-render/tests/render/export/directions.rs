//! What forms that hold metrics of one direction say of the others, and what a history says of runs without a commit.

use tripline_render::ExportError;

use super::*;

fn notes(form: &str, runs: &[Run]) -> Vec<String> {
    let form = exporter(form).unwrap();
    let runs = taken_by(form, runs);
    let exported = (form.export)(&Export::of(&runs)).unwrap();
    exported.notes().map(str::to_owned).collect()
}

#[test]
fn a_list_says_what_it_leaves_out_and_what_holds_it() {
    let undirected = "of which no direction is known to be better";
    let neither = format!("left out: 1 metric of 2 benchmarks, {undirected}");
    assert_eq!(
        notes("custom-smaller-is-better", &runs()),
        [
            "left out: 1 metric of 2 benchmarks, better when bigger; `custom-bigger-is-better` holds them",
            &*format!("{neither}; no such list holds them"),
        ]
    );
    assert_eq!(
        notes("custom-bigger-is-better", &runs()),
        [
            "left out: 2 metrics of 3 benchmarks, better when smaller; `custom-smaller-is-better` holds them",
            &*format!("{neither}; no such list holds them"),
        ]
    );
    for form in ["data-js", "external-data-json", "otava-csv"] {
        let expected = format!("{neither}, which the form asks for");
        assert_eq!(notes(form, &runs()).first(), Some(&expected), "{form}");
    }
    for form in ["bmf", "benchstat", "csv", "openmetrics"] {
        assert!(notes(form, &runs()).is_empty(), "{form}");
    }
}

#[test]
fn a_list_of_a_direction_that_no_metric_has_is_refused() {
    let refused = |form, better| {
        let readings = vec![reading(metric("length", better), &[1.0])];
        let runs = [run("store", &[("get", &[], readings)])];
        (exporter(form).unwrap().export)(&Export::of(&runs)).unwrap_err()
    };
    let [smaller, bigger] = ["custom-smaller-is-better", "custom-bigger-is-better"];
    for (form, better, other) in [
        (bigger, Better::Lower, Some(smaller)),
        (smaller, Better::Higher, Some(bigger)),
        (smaller, Better::Neither, None),
    ] {
        let error = refused(form, better);
        let words = error.to_string();
        assert!(words.starts_with(form), "{words}");
        assert!(
            words.contains("they have 1 metric of 1 benchmark"),
            "{words}"
        );
        let ExportError::OtherDirection { instead, .. } = error else {
            panic!("{words}");
        };
        assert_eq!(instead, other);
    }
}

#[test]
fn a_form_that_asks_for_a_direction_takes_no_run_without_one() {
    let readings = vec![reading(metric("length", Better::Neither), &[1.0])];
    let runs = [run("store", &[("get", &[], readings)])];
    for form in ["data-js", "external-data-json", "otava-csv"] {
        let form = exporter(form).unwrap();
        let runs = taken_by(form, &runs);
        let words = (form.export)(&Export::of(&runs)).unwrap_err().to_string();
        let there = "they have 1 metric of 1 benchmark, of which no direction is known";
        assert!(words.contains(there), "{words}");
    }
}

#[test]
fn a_history_takes_no_run_without_a_commit() {
    for form in ["data-js", "external-data-json"] {
        let form = exporter(form).unwrap();
        let refused = (form.export)(&Export::of(&runs())).unwrap_err();
        let words = refused.to_string();
        assert!(
            words.contains("the run of `store` was measured at none"),
            "{words}"
        );
        let mut modified = taken_by(form, &runs());
        modified[1].revision.as_mut().unwrap().work_tree = WorkTree::Modified;
        let refused = (form.export)(&Export::of(&modified)).unwrap_err();
        let words = refused.to_string();
        let changed = "the run of `p2p` was measured with changes that are in none";
        assert!(words.contains(changed), "{words}");
    }
}
