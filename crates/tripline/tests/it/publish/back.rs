//! What Bencher's form gives back: the reader of the form and what writes it know nothing of each other, and must mean the
//! same.

use std::path::{Path, PathBuf};

use tripline_model::{
    Environment, EnvironmentName, Measurement, Metric, Producer, Reading, Run, SuiteName,
};
use tripline_read::{ADAPTERS, Adapter, Input};
use tripline_render::{Export, exporter};

/// Metrics that are known to both and are no row of the shared table.
const OF_BENCHER: &[&str] = &["throughput", "build_time", "file_size"];

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn read(adapter: &Adapter, input: &Input) -> Run {
    let producer = Producer {
        name: "test".to_owned(),
        version: "1".to_owned(),
    };
    let environment = Environment::new(EnvironmentName::new("elsewhere").unwrap());
    let suite = SuiteName::new("kv").unwrap();
    let time = jiff::Timestamp::UNIX_EPOCH;
    let mut run = Run::new(suite.clone(), time, environment, producer);
    let observed = adapter.read(input, &suite);
    for part in observed.map_or_else(|_| Vec::new(), |observed| observed.observations) {
        if !part.readings.is_empty() {
            let measured = Measurement::new(part.bench, part.readings, None, Vec::new());
            run.insert(measured.unwrap()).unwrap();
        }
    }
    run
}

/// Returns the runs of all fixtures of the readers.
fn fixtures() -> Vec<(String, Run)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tripline-read/fixtures");
    let mut runs = Vec::new();
    for adapter in ADAPTERS {
        let cases = inside(&folder.join(adapter.name.replace('-', "_")));
        for case in cases.iter().filter(|case| case.is_dir()) {
            let input = match &inside(case)[..] {
                [only] if only.is_file() => Input::open(only),
                _ => Input::open(case),
            };
            let run = read(adapter, &input.unwrap());
            if !run.is_empty() {
                runs.push((case.display().to_string(), run));
            }
        }
    }
    runs
}

/// Says which readings of a run are other readings where it was handed on and read again.
fn changed(run: &Run) -> Vec<String> {
    let form = exporter("bmf").unwrap();
    let runs = std::slice::from_ref(run);
    let text = (form.export)(&Export::of(runs)).unwrap().to_string();
    let input = Input::from_bytes("bmf.json", text.clone().into_bytes());
    let back = read(tripline_read::adapter("bmf").unwrap(), &input);
    let mut changed = Vec::new();
    for measurement in run.measurements() {
        let again = back
            .measurements()
            .find(|again| again.bench() == measurement.bench());
        let Some(again) = again else {
            // What has one slug with another comes back with the digest that tells it apart.
            if !text.contains('#') {
                changed.push(measurement.bench().to_string());
            }
            continue;
        };
        let readings = measurement.readings().filter(|reading| is_known(reading));
        changed.extend(readings.filter_map(|reading| {
            let same = again.reading(&reading.metric.name).is_some_and(|again| {
                again.metric.unit == reading.metric.unit
                    && again.metric.better == reading.metric.better
                    && again.sample.median() == reading.sample.median()
            });
            let bench = measurement.bench();
            (!same).then(|| format!("{bench} {}", reading.metric.name))
        }));
    }
    changed
}

fn is_known(reading: &Reading) -> bool {
    let name = reading.metric.name.as_str();
    Metric::known(name).is_some_and(|known| known.unit == reading.metric.unit)
        || OF_BENCHER.contains(&name)
}

#[test]
fn what_all_harnesses_measure_comes_back_from_bencher_s_form_as_it_was() {
    let runs = fixtures();
    assert!(runs.len() > 100, "{}", runs.len());
    for (case, run) in &runs {
        assert_eq!(changed(run), [""; 0], "{case}");
    }
}
