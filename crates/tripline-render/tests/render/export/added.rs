//! What a history is added to by runs of several environments, at once and one after the other.

use super::*;

/// Returns a history after runs were added to it, and what is told.
fn added(runs: &[&Run], there: &Value) -> (Value, Vec<String>) {
    let runs: Vec<Run> = runs.iter().map(|run| (*run).clone()).collect();
    let suites = there.as_object().unwrap().iter();
    let suites: Vec<_> = suites
        .map(|(title, runs)| (title.clone(), Cow::Owned(runs.to_string())))
        .collect();
    let told = Export {
        existing: Some(Existing {
            members: &[("entries".to_owned(), Cow::Borrowed(""))],
            suites: &suites,
        }),
        ..Export::of(&runs)
    };
    let exported = (exporter("external-data-json").unwrap().export)(&told).unwrap();
    let notes = exported.notes().map(str::to_owned).collect();
    let history: Value = serde_json::from_str(&exported.to_string()).unwrap();
    (history["entries"].clone(), notes)
}

/// Returns the values of each suite.
fn values(history: &Value) -> Vec<(&str, Vec<f64>)> {
    let value = |run: &Value| run["benches"][0]["value"].as_f64().unwrap();
    let suites = history.as_object().unwrap().iter();
    suites
        .map(|(title, runs)| {
            (
                &**title,
                runs.as_array().unwrap().iter().map(value).collect(),
            )
        })
        .collect()
}

fn counted(value: f64, commit: char, environment: &str) -> Run {
    let readings = vec![reading(Metric::known("instructions").unwrap(), &[value])];
    let run = run("s", &[("get", &[], readings)]);
    let mut run = at(&run, commit, value as i64);
    run.environment = Environment::new(EnvironmentName::new(environment).unwrap());
    run
}

#[test]
fn a_run_goes_to_the_suite_of_its_machine_and_is_not_added_again() {
    let [a, b, c] = [(1.0, 'a', "here"), (2.0, 'b', "there"), (3.0, 'c', "there")]
        .map(|(value, commit, environment)| counted(value, commit, environment));
    let nothing = serde_json::json!({});
    let (first, notes) = added(&[&a], &nothing);
    assert_eq!(notes, [""; 0]);
    // Which machine is first is told by the runs that are there.
    let (whole, notes) = added(&[&a, &b], &first);
    assert_eq!(whole, added(&[&a, &b], &nothing).0);
    assert_eq!(
        values(&whole),
        [("s", vec![1.0]), ("s on there", vec![2.0])]
    );
    assert_eq!(notes, [""; 0]);
    let (more, notes) = added(&[&c], &whole);
    let expected = [("s", vec![1.0]), ("s on there", vec![2.0, 3.0])];
    assert_eq!(values(&more), expected);
    assert_eq!(notes, [""; 0]);
    // Else nobody knows, which is told where there are several machines; a run that is there stays where it is.
    let (mixed, notes) = added(&[&b], &first);
    assert_eq!(values(&mixed), [("s", vec![1.0, 2.0])]);
    assert_eq!(notes, [""; 0]);
    let elsewhere = counted(4.0, 'd', "elsewhere");
    let (_, notes) = added(&[&b, &elsewhere], &first);
    let unsure = "suite `s` is there already, and does not say on which machine it was measured: the run of `there` is added to it";
    assert_eq!(notes, [unsure]);
    let (again, notes) = added(&[&a, &b], &mixed);
    assert_eq!(again, mixed);
    assert_eq!(notes, [""; 0]);
    let expected = [("s", vec![1.0, 2.0]), ("s on there", vec![3.0])];
    assert_eq!(values(&added(&[&a, &b, &c], &mixed).0), expected);
}
