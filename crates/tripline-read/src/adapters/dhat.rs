//! Reads what DHAT writes, valgrind's tool or the crate `dhat`: the allocations of one program, by the places that made
//! them, which are added up here.
//!
//! The command is the benchmark. Besides heap profiles there are those of copies and of a program's own events, which
//! nobody judges. Tested by `fixtures/dhat`.

use std::path::Path;

use serde::Deserialize;
use tripline_model::{
    Better, COUNT_MAX, Metric, MetricName, Nature, Reading, Sample, SuiteName, Unit,
};

use crate::Observed;
use crate::adapter::{Adapter, Mark};
use crate::entry::Entry;
use crate::file_names::{has_extension, is_out_of};
use crate::input::Input;
use crate::json::Text;
use crate::naming::{bench_of_name, in_one_line};
use crate::place::{ReadError, shown};
use crate::quantity::nanoseconds;
use crate::reports::read_reports;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "dhat",
    about: "DHAT: the file `dhat.out.*` of valgrind, or `dhat-heap.json` of the crate `dhat`",
    files: is_file,
    mark: Mark::Text(recognizes),
    hint: "run `valgrind --tool=dhat COMMAND`, or a program with the crate `dhat`, and give the file of JSON it writes",
    read,
};

fn is_file(path: &Path) -> bool {
    has_extension(path, &["json", "out"]) || is_out_of("dhat", path)
}

fn recognizes(text: &str) -> bool {
    text.contains("\"dhatFileVersion\"")
}

fn is_marked(text: &str) -> bool {
    ["\"dhatFileVersion\"", "\"pps\"", "\"aps\"", "\"tbk\""]
        .iter()
        .any(|member| text.contains(member))
}

fn read(input: &Input, suite: &SuiteName) -> Result<Observed, ReadError> {
    read_reports(input, &ADAPTER, is_marked, |report, gathered| {
        let Some(profile) = report.parse::<Profile<'_>>(gathered) else {
            return;
        };
        let entry = profile.entry(&report.document.stem(), suite);
        gathered.take(entry, report.start());
    })
}

/// A profile.
#[derive(Deserialize)]
struct Profile<'t> {
    #[serde(rename = "dhatFileVersion")]
    version: u64,
    /// Version 1 knows heaps alone.
    #[serde(borrow)]
    mode: Option<Text<'t>>,
    #[serde(borrow)]
    cmd: Text<'t>,
    #[serde(default, borrow)]
    bu: Option<Text<'t>>,
    /// The unit of times, which version 1 does not say.
    #[serde(borrow)]
    tu: Option<Text<'t>>,
    #[serde(alias = "aps")]
    pps: Vec<Place>,
}

/// A place that allocated: bytes and blocks in all, at the highest point of the heap and at the end, and what was read
/// and written of them.
#[derive(Deserialize)]
struct Place {
    tb: u64,
    tbk: u64,
    #[serde(alias = "tli")]
    tl: Option<u64>,
    gb: Option<u64>,
    gbk: Option<u64>,
    #[serde(alias = "fb")]
    eb: Option<u64>,
    #[serde(alias = "fbk")]
    ebk: Option<u64>,
    rb: Option<u64>,
    wb: Option<u64>,
}

/// The versions of the format that are read. The first has other names for the same numbers.
const VERSIONS: [u64; 2] = [1, 2];

impl Profile<'_> {
    fn entry(&self, file: &str, suite: &SuiteName) -> Result<Entry, String> {
        let is_named = !self.cmd.trim().is_empty();
        let command = if is_named { &*self.cmd } else { file };
        let bench = bench_of_name(suite, &in_one_line(command))?;
        Ok(Entry::new(bench, self.readings()?))
    }

    fn readings(&self) -> Result<Vec<Reading>, String> {
        if !VERSIONS.contains(&self.version) {
            return Err(format!(
                "a profile of version {}, and versions 1 and 2 are read",
                self.version
            ));
        }
        let total = |name: &str, unit: Unit, count: fn(&Place) -> Option<u64>| {
            let counts: Option<Vec<u64>> = self.pps.iter().map(count).collect();
            // A place without the number has it nowhere, as in a program without that kind of profile.
            let Some(counts) = counts else {
                return Ok(None);
            };
            reading(name, unit, &counts).map(Some)
        };
        let mode = self.mode.as_deref().unwrap_or("heap");
        let all: [Result<Option<Reading>, String>; 9] = if mode.ends_with("heap") {
            [
                total("allocations", Unit::Count, |place| Some(place.tbk)),
                total("allocated_bytes", Unit::Byte, |place| Some(place.tb)),
                total("heap_peak", Unit::Byte, |place| place.gb),
                total("at_t_gmax_blocks", Unit::Count, |place| place.gbk),
                total("at_t_end_bytes", Unit::Byte, |place| place.eb),
                total("at_t_end_blocks", Unit::Count, |place| place.ebk),
                total("reads_bytes", Unit::Byte, |place| place.rb),
                total("writes_bytes", Unit::Byte, |place| place.wb),
                total("total_lifetimes", Unit::Count, |place| place.tl)
                    .and_then(|reading| reading.map(|reading| self.timed(reading)).transpose()),
            ]
        } else {
            let (what, unit) = match (mode, self.bu.as_deref()) {
                ("copy", _) => ("copied_bytes", Unit::Byte),
                ("ad-hoc" | "rust-ad-hoc", _) => ("total_units", Unit::Count),
                (mode, _) => {
                    return Err(format!(
                        "a profile of the mode `{}`, which is not known",
                        shown(mode)
                    ));
                }
            };
            let events = if mode == "copy" {
                "copies"
            } else {
                "total_events"
            };
            [
                total(what, unit, |place| Some(place.tb)),
                total(events, Unit::Count, |place| Some(place.tbk)),
                Ok(None),
                Ok(None),
                Ok(None),
                Ok(None),
                Ok(None),
                Ok(None),
                Ok(None),
            ]
        };
        let readings: Result<Vec<Option<Reading>>, String> = all.into_iter().collect();
        Ok(readings?.into_iter().flatten().collect())
    }

    /// Gives lifetimes their unit: valgrind counts instructions, and the crate reads a clock.
    fn timed(&self, mut reading: Reading) -> Result<Reading, String> {
        if let Some(scale) = self.tu.as_deref().and_then(nanoseconds) {
            let time = scale.of(reading.sample.values()[0]);
            reading.sample = Sample::new([time]).map_err(|error| error.to_string())?;
            reading.metric.unit = Unit::Nanosecond;
            reading.metric.nature = Nature::Sampled;
        }
        Ok(reading)
    }
}

fn reading(name: &str, unit: Unit, counts: &[u64]) -> Result<Reading, String> {
    let sum = counts
        .iter()
        .try_fold(0_u64, |sum, count| sum.checked_add(*count));
    let sum = sum.map(|sum| sum as f64).filter(|sum| *sum <= COUNT_MAX);
    let sum = sum.ok_or_else(|| format!("{name} is too large to be kept exactly"))?;
    let metric = Metric::known(name).unwrap_or_else(|| Metric {
        name: MetricName::new(name).expect("the name is a constant"),
        unit,
        better: Better::Neither,
        nature: Nature::Exact,
    });
    let sample = Sample::new([sum]).map_err(|error| format!("{name}: {error}"))?;
    Ok(Reading { metric, sample })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_readings(text: &str) -> Vec<String> {
        let input = Input::from_bytes("dhat.json", text.as_bytes().to_vec());
        let observed = read(&input, &SuiteName::new("kv").unwrap()).unwrap();
        assert!(observed.problems.is_empty(), "{:?}", observed.problems);
        let readings = observed.observations.iter().flat_map(|of| &of.readings);
        let shown = readings.map(|of| {
            let (metric, value) = (&of.metric, of.sample.values()[0]);
            format!("{} {value} {}", metric.name, metric.unit.symbol())
        });
        shown.collect()
    }

    #[test]
    fn the_first_version_has_other_names() {
        let text = r#"{"dhatFileVersion":1,"cmd":"./kv","pid":5,"mi":7,"ei":9,"aps":
 [{"tb":30,"tbk":3,"tli":8,"mb":20,"mbk":2,"gb":10,"gbk":1,"fb":5,"fbk":4,"rb":6,"wb":7,"fs":[1]}],"ftbl":["[root]"]}"#;
        let expected = [
            "allocations 3 count",
            "allocated_bytes 30 B",
            "heap_peak 10 B",
            "at_t_gmax_blocks 1 count",
            "at_t_end_bytes 5 B",
            "at_t_end_blocks 4 count",
            "reads_bytes 6 B",
            "writes_bytes 7 B",
            "total_lifetimes 8 count",
        ];
        assert_eq!(shown_readings(text), expected);
    }

    #[test]
    fn lifetimes_of_the_crate_are_of_its_clock() {
        let text = r#"{"dhatFileVersion":2,"mode":"rust-heap","verb":"Allocated","bklt":true,"bkacc":false,
"tu":"µs","Mtu":"s","tuth":10,"cmd":"./kv","pid":5,"tg":7,"te":9,"pps":
 [{"tb":30,"tbk":3,"tl":8,"mb":20,"mbk":2,"gb":10,"gbk":1,"eb":5,"ebk":4,"fs":[1]}],"ftbl":["[root]"]}"#;
        let shown = shown_readings(text);
        assert_eq!(shown.len(), 7, "{shown:?}");
        assert_eq!(shown[6], "total_lifetimes 8000 ns");
    }
}
