//! What was not measured, said loudly, with the end of what it wrote.
//!
//! Where there is no room for what it wrote, the failure itself is still named. Tested by the snapshots.

use tripline_model::Failure;

use super::room::Room;
use super::spoken::code;
use crate::Detail;
use crate::escape::{markdown_block, visible_lines};
use crate::tail::Tail;
use tripline_model::number::plural;

/// The lines about a failure that are shown; its output stands below them.
const DETAIL_LINES_MAX: usize = 10;

/// Says what failed, as far as there is room; returns how many failures were left out.
pub(super) fn failures(failures: &[Failure], detail: Detail, room: &mut Room) -> (String, usize) {
    let mut text = String::new();
    let mut left_out = 0;
    for failure in failures {
        let (named, wrote) = (named(failure), wrote(failure, detail));
        if !room.take(named.len()) {
            left_out += 1;
            continue;
        }
        text.push_str(&named);
        if room.take(wrote.len()) {
            text.push_str(&wrote);
        }
    }
    (text, left_out)
}

fn named(failure: &Failure) -> String {
    let step = code(failure.step.as_str());
    let kind = failure.kind.text();
    let advice = failure.advice();
    ["\n**Step ", &step, " ", &kind, "**\n\n→ ", advice, "\n"].concat()
}

fn wrote(failure: &Failure, detail: Detail) -> String {
    let mut text = String::new();
    let lines = failure
        .detail
        .iter()
        .flat_map(|detail| visible_lines(detail));
    for line in lines.take(DETAIL_LINES_MAX) {
        text.extend(["\n", &code(&line), "\n"]);
    }
    let tail = Tail::of(failure, detail);
    if tail.left_out > 0 {
        let left_out = plural(tail.left_out, "line", "lines");
        text.extend(["\n… ", &left_out, " of output before:\n"]);
    }
    if !tail.lines.is_empty() {
        text.extend(["\n", &markdown_block(&tail.lines)]);
    }
    text
}
