//! A bench of gates: how often does a rule cry wolf, and how often does it hear the wolf?
//!
//! Every rule gets the same made-up measurements, of which it is known whether anything changed: of a base and a head in
//! one job on a host that drifts (`one_job`), of a suite of 200 benchmarks (`suite`), and of one new value after a
//! history (`history`). The rules of other tools are written here as their source or documentation states them; ours
//! is the judge itself (`session`), and what was tried beside it is made of its functions. Beside each share stands the
//! figure of the study that chose our rules, where it has one: its noise was not ours to the last digit, so the two agree
//! in size and order, not in digits.
//!
//! Seeds are fixed. `cargo bench -p bench-self --bench gate_simulation -- --draws 1500` prints the tables.
//!
//! Tests: few draws with fixed seeds, and what must hold of them whatever the last digit.

mod history;
mod host;
mod one_job;
mod random;
mod runs;
mod session;
mod suite;
mod table;

pub use table::Table;

/// How many draws are made unless one says otherwise: the shares are then good to about one in a hundred.
pub const DRAWS: usize = 1_500;

/// How many histories are drawn for each job that is drawn: they are cheap, and their false alarms rare.
const HISTORIES_PER_DRAW: usize = 2;

/// How many jobs are drawn for each report of a whole suite, which is dear.
const DRAWS_PER_REPORT: usize = 4;

/// Runs all simulations and returns their tables.
#[must_use]
pub fn tables(draws: usize) -> Vec<Table> {
    let mut tables: Vec<Table> = host::HOSTS
        .iter()
        .flat_map(|host| one_job::tables(host, draws))
        .collect();
    tables.extend(suite::tables(draws.div_ceil(DRAWS_PER_REPORT)));
    tables.extend(history::tables(draws * HISTORIES_PER_DRAW));
    tables
}

/// The study has no figure for this.
const UNKNOWN: f64 = f64::NAN;

/// Returns the cell of a table: a share in percent, and the study's figure for it.
fn percent(hits: usize, draws: usize, reference: f64) -> String {
    let measured = 100.0 * hits as f64 / draws.max(1) as f64;
    beside(measured, 100.0 * reference)
}

/// Returns the cell of a table: a number, and the study's figure for it.
fn beside(measured: f64, reference: f64) -> String {
    if reference.is_nan() {
        return format!("{measured:.1}");
    }
    format!("{measured:.1} ({})", rounded(reference))
}

/// Returns a number with at most two decimals, and none that are zero.
fn rounded(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a row of a table.
fn row(name: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(name.to_owned()).chain(cells).collect()
}
