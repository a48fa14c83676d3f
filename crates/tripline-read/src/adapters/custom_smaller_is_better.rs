//! Reads github-action-benchmark's list of values of which the smaller are better: `tool: customSmallerIsBetter`.
//!
//! The same list may be meant the other way, so it has to be named. Tested by `fixtures/custom_smaller_is_better`.

use tripline_model::Better;

use crate::adapter::{Adapter, Mark};
use crate::benchmark_action;
use crate::file_names::is_json;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "custom-smaller-is-better",
    about: "github-action-benchmark: the JSON of `tool: customSmallerIsBetter`",
    files: is_json,
    mark: Mark::Text(benchmark_action::is_list),
    hint: benchmark_action::HINT,
    read: |input, suite| benchmark_action::read(input, suite, &ADAPTER, Better::Lower),
};
