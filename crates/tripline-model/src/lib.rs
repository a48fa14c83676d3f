//! The vocabulary of Tripline: every noun that two stages share, and nothing else.
//!
//! Types here cannot hold an invalid value: a constructor refuses it with the reason. There is no I/O and no clock in
//! this crate; time, ids and bytes come in as values. Stored data is serialized only in [`wire`], by types of its own,
//! so that a refactoring of the vocabulary never changes a file somebody keeps.

mod accepted;
mod bench_id;
mod caveat;
mod environment;
mod evidence;
mod failure;
pub mod few;
mod history;
pub mod laid;
mod measurement;
mod metric;
mod names;
pub mod number;
mod origin;
mod part;
mod profile;
mod report;
mod revision;
mod run;
mod sample;
mod segment;
mod time_written;
pub mod wire;

pub use accepted::{Acceptances, AcceptancesError};
pub use bench_id::{BenchId, ParamValue, Params};
pub use caveat::{Caveat, Refusal};
pub use environment::{ENVIRONMENT_FACTS, Environment, FactDifference, FactRow, Relevance};
pub use evidence::{Budget, Change, Evidence, Method, Summary, Tolerance};
pub use failure::{Failure, FailureKind, OF_THE_BASE, TAIL_BYTES_MAX};
pub use history::{Entry, Point, Record, Series, SeriesError, SeriesSet, Spread};
pub use measurement::{Measurement, MeasurementError, Reading};
pub use metric::{
    Better, ESTIMATE, EXPLAINING_COUNTS, EXPLAINING_TIMES, KNOWN_METRICS, KnownMetric, Metric,
    Nature, Unit,
};
pub use names::{
    BenchName, CommitSubject, Digest, EnvironmentName, FactName, FactValue, KEY_BYTES_MAX,
    MetricName, NAME_BYTES_MAX, NameError, ParamKey, SUBJECT_BYTES_MAX, SessionId, StepName,
    SuiteName, UnitSymbol, is_harmless,
};
pub use origin::{Behind, Origin, OriginCommit, Person, Row, Said, Span};
pub use part::{Part, PartError, Unmeasured};
pub use profile::{Frame, Profile};
pub use report::{Acceptance, Covers, Finding, Gate, Report, RunIdentity, Verdict};
pub use revision::{CommitId, Revision, WorkTree};
pub use run::{Producer, Run, RunError};
pub use sample::{COUNT_MAX, Sample, SampleError};
pub use segment::{Block, Head, Numbered, Numbers, Segment};
pub use time_written::{milliseconds, time_written};
