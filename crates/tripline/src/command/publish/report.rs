//! The report that stage one left, fetched and read as a stranger's: one file of bounded size, of a strict schema.
//!
//! Each upload has a number of its own, which stands for these very bytes. The comment names it, so that whoever takes a
//! regression on purpose says which report they have read. Tested below, and by `tests/it/publish`.

use std::error::Error;

use tripline_hub::artifact::{self, ArtifactError, AsGood, Refusal, Wanted};
use tripline_hub::jobs::{self, Left};
use tripline_hub::{Client, CommitId, WorkflowRun};
use tripline_model::{Report, wire};

use super::NOT_DONE;
use crate::actions::hub_failed;
use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// The job of stage one that leaves the report.
const JOB: &str = "judge";
/// The artifact that it leaves, and the one file in it.
const ARTIFACT: &str = "tripline-report";
const FILE: &str = "report.jsonl";
/// A report of five hundred benchmarks by eight metrics has 2 MB, and a tenth of it packed.
const ZIP_BYTES_MAX: u64 = 16 << 20;
const FILE_BYTES_MAX: u64 = 64 << 20;
/// More than anybody has; what has more was made to be a burden.
const REPORTS_MAX: usize = 200;
const FINDINGS_MAX: usize = 50_000;

/// What a run left.
#[derive(Default)]
pub(super) struct Told {
    /// The number of the upload; nothing where there was none.
    pub(super) number: Option<u64>,
    /// What it says.
    pub(super) reports: Vec<Report>,
}

/// Fetches the report of a run, as its job left it last. There is none where stage one ended before it: an outage, which is
/// told as one.
pub(super) fn of_run(client: &Client, run: &WorkflowRun) -> Outcome<Told> {
    let since = match jobs::left_by(client, run.run, JOB).map_err(hub_failed)? {
        Left::Any => None,
        Left::Since(start) => Some(start),
        Left::Nothing => return Ok(Told::default()),
    };
    match artifact::fetch(client, run.run, since, &wanted()) {
        Ok(found) => Ok(Told {
            number: Some(found.number),
            reports: read_for(&found.bytes, NOT_DONE)?,
        }),
        Err(ArtifactError::Refused {
            refusal: Refusal::Missing,
            ..
        }) => Ok(Told::default()),
        Err(error) => Err(not_read(error, NOT_DONE)),
    }
}

/// Fetches the report of a number, which a run on this commit left, or on one that is as good, and says which commit it is
/// of; or why there is none.
pub(in crate::command) fn numbered(
    client: &Client,
    number: u64,
    heads: (&CommitId, AsGood<'_>),
    not_done: &str,
) -> Outcome<Result<(CommitId, Vec<Report>), String>> {
    match artifact::fetch_numbered(client, number, heads, &wanted()) {
        Ok((of, found)) => Ok(Ok((of, read_for(&found.bytes, not_done)?))),
        Err(ArtifactError::Refused {
            refusal: refusal @ (Refusal::Foreign { .. } | Refusal::Expired),
            ..
        }) => Ok(Err(refusal.to_string())),
        Err(error) => Err(not_read(error, not_done)),
    }
}

fn wanted() -> Wanted {
    Wanted {
        artifact: ARTIFACT.to_owned(),
        file: FILE.to_owned(),
        zip_bytes_max: ZIP_BYTES_MAX,
        file_bytes_max: FILE_BYTES_MAX,
    }
}

fn not_read(error: ArtifactError, not_done: &str) -> CommandError {
    match error {
        ArtifactError::Hub(error) => hub_failed(error),
        refused => CommandError::new(Exit::BadInput, not_done).because(refused),
    }
}

fn read_for(bytes: &[u8], not_done: &str) -> Outcome<Vec<Report>> {
    read(bytes).map_err(|why| {
        let what = format!("{not_done}: `{FILE}` of the run is no report");
        CommandError::new(Exit::BadInput, what).because(why)
    })
}

/// Reads a report as one of a stranger.
fn read(bytes: &[u8]) -> Result<Vec<Report>, Box<dyn Error + Send + Sync>> {
    let reports = wire::read_report(bytes)?;
    let findings: usize = reports.iter().map(|report| report.findings.len()).sum();
    if reports.is_empty() {
        return Err("it is empty".into());
    }
    if reports.len() > REPORTS_MAX || findings > FINDINGS_MAX {
        let count = reports.len();
        return Err(format!("{count} reports with {findings} findings are too many").into());
    }
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGE_ONE: &str = include_str!("../../../../../.github/workflows/bench.yml");
    const REPORT: &str = include_str!("../../../../tripline-model/fixtures/v1/report-first.jsonl");

    #[test]
    fn the_job_is_called_as_stage_one_calls_it() {
        let (_, of_job) = STAGE_ONE
            .split_once(&format!("\n    name: {JOB}\n"))
            .unwrap();
        for line in [
            format!("          name: {ARTIFACT}\n"),
            format!("          path: ${{{{ runner.temp }}}}/{FILE}\n"),
        ] {
            assert!(of_job.contains(&line), "{line}");
        }
    }

    #[test]
    fn a_report_of_a_stranger_has_a_size() {
        let most = REPORT.repeat(REPORTS_MAX);
        assert_eq!(read(most.as_bytes()).unwrap().len(), REPORTS_MAX);
        let told = read((most + REPORT).as_bytes())
            .expect_err("too many")
            .to_string();
        assert!(told.contains("too many"), "{told}");
        read(b"").expect_err("nothing");

        let mut report = wire::read_report(REPORT.as_bytes()).unwrap().remove(0);
        let finding = report.findings.remove(0);
        report.findings = (0..=FINDINGS_MAX)
            .map(|at| {
                let mut finding = finding.clone();
                finding.bench.name = tripline_model::BenchName::new(format!("b{at}")).unwrap();
                finding
            })
            .collect();
        let told = read(wire::write_report(&report).as_bytes()).expect_err("too many");
        assert!(told.to_string().contains("50001 findings"), "{told}");
    }
}
