//! What the later stages are given: what the stages before them make of the inputs.
//!
//! Tested by the stages, which find in it what was planted.

use tripline_model::Report;

use crate::inputs::{Side, harness_output};
use crate::stages::{Runs, judge, read};

/// Makes the input of `judge`.
#[must_use]
pub fn runs(benchmarks: usize) -> Runs {
    Runs {
        base: read(&harness_output(benchmarks, Side::Base)),
        head: read(&harness_output(benchmarks, Side::Head)),
    }
}

/// Makes the input of `render`.
#[must_use]
pub fn report(benchmarks: usize) -> Report {
    judge(&runs(benchmarks))
}
