//! A run that was taken over from such a history, as it was there: each value in its own unit and at its own place, and
//! all that was kept of what was written beside it.

use serde_json::value::RawValue;
use tripline_model::{CommitSubject, OriginCommit, Person, Spread, milliseconds};

use super::INDENTS;
use super::json::{list, number, object, quoted};
use crate::{Taken, escape};

pub(super) fn run(taken: &Taken<'_>) -> String {
    let benches: Vec<String> = (0..taken.series.rows().len())
        .map(|row| bench(taken, row))
        .collect();
    let record = taken.record;
    let tool = &record.producer.version;
    let members = [
        ("commit", Some(commit(taken))),
        ("date", Some(number(milliseconds(record.measured_at)))),
        // Forks of that action do not say what made a run.
        ("tool", (!tool.is_empty()).then(|| quoted(tool))),
        ("benches", Some(list(INDENTS[2] + 2, &benches))),
    ];
    object(INDENTS[2], &there(members))
}

fn commit(taken: &Taken<'_>) -> String {
    let OriginCommit {
        id,
        author,
        committer,
        is_distinct,
        message,
        timestamp,
        tree,
        page,
    } = &taken.origin.commit;
    let record = taken.record;
    let subject = record.subject.as_ref().map(CommitSubject::as_str);
    let made = record.committed_at.map(|at| at.to_string());
    let text = |text: Option<&str>| text.map(quoted);
    let members = [
        ("author", author.as_ref().map(person)),
        ("committer", committer.as_ref().map(person)),
        (
            "distinct",
            is_distinct.map(|is_distinct| is_distinct.to_string()),
        ),
        ("id", text(id.as_deref().or(Some(record.commit.as_str())))),
        ("message", text(message.as_deref().or(subject))),
        ("timestamp", text(timestamp.as_deref().or(made.as_deref()))),
        ("tree_id", text(tree.as_deref())),
        ("url", text(page.as_deref())),
    ];
    object(8, &there(members))
}

fn person(person: &Person) -> String {
    let text = |text: &Option<Box<str>>| text.as_deref().map(quoted);
    let members = [
        ("name", text(&person.name)),
        ("username", text(&person.username)),
    ];
    object(10, &there(members))
}

fn bench(taken: &Taken<'_>, row: usize) -> String {
    let at = &taken.series.rows()[row];
    let name = taken.series.all()[at.series].bench.name.as_str();
    let point = &taken.record.points[at.series];
    let value = taken.origin.value(row).unwrap_or(point.center);
    let range = taken.origin.ranges.of(row).map(quoted);
    let range = range.or(match point.spread {
        Spread::Reach(reach) => Some(quoted(&format!("± {reach}"))),
        Spread::Nothing | Spread::Quartiles { .. } => None,
    });
    let mut middle = [("unit", at.unit.as_deref().map(quoted)), ("range", range)];
    if taken.has_range_first {
        middle.reverse();
    }
    let [third, fourth] = middle;
    let mut members = there([
        ("name", Some(quoted(at.name.as_deref().unwrap_or(name)))),
        ("value", Some(number(value))),
        third,
        fourth,
        ("extra", taken.origin.extras.of(row).map(quoted)),
    ]);
    let others: Vec<(String, &RawValue)> = taken
        .origin
        .members
        .of(row)
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    for (name, raw) in &others {
        let text = escape::json(raw.get().to_owned());
        match members.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = text,
            None => members.push((name, text)),
        }
    }
    object(10, &members)
}

/// Returns the members that are there.
fn there<const N: usize>(members: [(&str, Option<String>); N]) -> Vec<(&str, String)> {
    let member = |(name, text): (_, Option<_>)| Some((name, text?));
    members.into_iter().filter_map(member).collect()
}
