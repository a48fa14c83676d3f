//! The list of forms in which runs are handed to other services. A file under `exporters/` that is missing here fails a
//! test.

mod benchmark_action;
mod benchstat;
mod bmf;
mod csv;
mod data_js;
mod openmetrics;
mod otava_csv;

use crate::Exporter;
pub use data_js::is_title_of;

/// All forms.
pub const EXPORTERS: &[&Exporter] = &[
    &bmf::EXPORTER,
    &benchmark_action::SMALLER,
    &benchmark_action::BIGGER,
    &data_js::SCRIPT,
    &data_js::EXTERNAL,
    &benchstat::EXPORTER,
    &csv::EXPORTER,
    &openmetrics::EXPORTER,
    &otava_csv::EXPORTER,
];

/// Returns a form by its name.
#[must_use]
pub fn exporter(name: &str) -> Option<&'static Exporter> {
    EXPORTERS
        .iter()
        .copied()
        .find(|exporter| exporter.name == name)
}
