//! What stands above and below all sections: the verdict in one line, what to do next, and the links.
//!
//! Tested by the snapshots, and by `tests/render/comment`.

use std::borrow::Cow;

use crate::link::{Link, Links};
use crate::outline::{Outline, Status, overall};
use crate::view::{Before, Taking};

/// Says the verdict in one line of plain words; of one suite, its own line is that.
pub(super) fn first(outlines: &[Outline<'_>], before: Before) -> String {
    let (status, said) = match outlines {
        [] => return "Nothing was judged: there is no report.".to_owned(),
        [one] => (one.status, one.headline()),
        several => overall(several),
    };
    [status.word(), " ", &said, news(outlines, status, before)].concat()
}

/// Says that what failed before does not any more, to whoever was told that it does.
fn news(outlines: &[Outline<'_>], status: Status, before: Before) -> &'static str {
    if before != Before::Red || status >= Status::Fail {
        return "";
    }
    let mut findings = outlines.iter().flat_map(|outline| &outline.report.findings);
    if findings.any(|finding| finding.acceptance.is_some()) {
        return "; what failed before is fixed or accepted";
    }
    "; what failed before is fixed"
}

/// Lists what to do next in all suites, the most pressing first.
pub(super) fn steps(outlines: &[Outline<'_>], taking: Taking) -> String {
    let mut steps: Vec<Cow<'static, str>> = Vec::new();
    let all = outlines.iter().map(|outline| outline.next_steps(taking));
    for step in all.flatten() {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    let lines: String = steps
        .iter()
        .map(|step| ["- ", step.as_ref(), "\n"].concat())
        .collect();
    if lines.is_empty() {
        return lines;
    }
    ["\n", &lines].concat()
}

/// Lists the links there are.
pub(super) fn links(links: &Links) -> String {
    let all = [
        ("run", &links.run),
        ("trend", &links.trend),
        ("head", &links.head),
        ("base", &links.base),
    ];
    let links = all
        .iter()
        .filter_map(|(word, link)| Some(linked(word, link.as_ref()?)));
    let links: Vec<String> = links.collect();
    if links.is_empty() {
        return String::new();
    }
    ["\n", &links.join(" · "), "\n"].concat()
}

/// Returns words that lead somewhere. A link holds no sign that would end it.
pub(super) fn linked(words: &str, link: &Link) -> String {
    ["[", words, "](", link.as_str(), ")"].concat()
}
