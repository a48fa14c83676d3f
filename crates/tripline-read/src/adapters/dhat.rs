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
use crate::naming::bench_of_name;
use crate::place::{ReadError, shown};
use crate::reports::read_reports;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "dhat",
    about: "DHAT: the file `dhat.out.*` of valgrind, or `dhat-heap.json` of the crate `dhat`",
    files: is_file,
    mark: Mark::Text(recognizes),
    hint: "run `valgrind --tool=dhat COMMAND` and give the file it writes",
    read,
};

fn is_file(path: &Path) -> bool {
    has_extension(path, &["json", "out"]) || is_out_of("dhat", path)
}

fn recognizes(text: &str) -> bool {
    text.contains("\"dhatFileVersion\"")
}

fn is_marked(text: &str) -> bool {
    ["\"dhatFileVersion\"", "\"pps\"", "\"tbk\""]
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
    #[serde(borrow)]
    mode: Text<'t>,
    #[serde(borrow)]
    cmd: Text<'t>,
    #[serde(default, borrow)]
    bu: Option<Text<'t>>,
    pps: Vec<Place>,
}

/// A place that allocated: bytes and blocks in all, at the highest point of the heap and at the end, and what was read
/// and written of them.
#[derive(Deserialize)]
struct Place {
    tb: u64,
    tbk: u64,
    tl: Option<u64>,
    gb: Option<u64>,
    gbk: Option<u64>,
    eb: Option<u64>,
    ebk: Option<u64>,
    rb: Option<u64>,
    wb: Option<u64>,
}

/// The version of the format that is read.
const VERSION: u64 = 2;

impl Profile<'_> {
    fn entry(&self, file: &str, suite: &SuiteName) -> Result<Entry, String> {
        let is_named = !self.cmd.trim().is_empty();
        let command = if is_named { &*self.cmd } else { file };
        let bench = bench_of_name(suite, command)?;
        Ok(Entry::new(bench, self.readings()?))
    }

    fn readings(&self) -> Result<Vec<Reading>, String> {
        if self.version != VERSION {
            return Err(format!(
                "a profile of version {}, and version {VERSION} is read",
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
        let mode = &*self.mode;
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
                total("total_lifetimes", Unit::Count, |place| place.tl),
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
