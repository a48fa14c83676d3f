//! What is written of a metric in words, for people to read. Tested through `fixtures/callgrind_text` and
//! `fixtures/iai_callgrind`.

use std::borrow::Cow;

/// What is written in words, by the names that the tools use.
const LABELS: [(&str, &str); 20] = [
    ("Instructions", "Ir"),
    ("L1 Hits", "L1hits"),
    ("L2 Hits", "LLhits"),
    ("LL Hits", "LLhits"),
    ("RAM Hits", "RamHits"),
    ("Total read+write", "TotalRW"),
    ("Estimated Cycles", "EstimatedCycles"),
    ("Total units", "TotalUnits"),
    ("Total events", "TotalEvents"),
    ("Total bytes", "TotalBytes"),
    ("Total blocks", "TotalBlocks"),
    ("At t-gmax bytes", "AtTGmaxBytes"),
    ("At t-gmax blocks", "AtTGmaxBlocks"),
    ("At t-end bytes", "AtTEndBytes"),
    ("At t-end blocks", "AtTEndBlocks"),
    ("Reads bytes", "ReadsBytes"),
    ("Writes bytes", "WritesBytes"),
    ("Total lifetimes", "TotalLifetimes"),
    ("Maximum bytes", "MaximumBytes"),
    ("Maximum blocks", "MaximumBlocks"),
];

/// Returns whether a metric of the table is written so.
pub(crate) fn is_label(label: &str) -> bool {
    LABELS.iter().any(|(known, _)| *known == label)
}

/// Returns the name that the tools use for what is written in words.
pub(crate) fn name_of_label(label: &str) -> Cow<'static, str> {
    let row = LABELS.iter().find(|(known, _)| *known == label);
    row.map_or_else(
        || Cow::Owned(label.replace(' ', "")),
        |(_, name)| Cow::Borrowed(*name),
    )
}
