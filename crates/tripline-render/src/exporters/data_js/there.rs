//! Which of the runs that are to be added stand there already: those of one commit, date and tool that have all their
//! values, and maybe more, because what cannot be kept is not taken over.
//!
//! What is there may have been written by several versions and tools, so it is read as leniently as a page would, and a
//! run that is none is passed by. Two that are alike are two: one that is there takes the place of one. Tested below.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;
use tripline_model::few;
use tripline_model::time_written;

/// When a run of a suite was made, of what, and by what.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    commit: String,
    date: i64,
    tool: String,
}

/// How often each name, unit and value is in a run, as far as it is a number.
type Values = BTreeMap<(String, String, u64), usize>;

/// Takes those out of what is to be added that are meant and stand in a list, and returns them.
pub(super) fn take_out<T: AsRef<str>>(
    added: &mut Vec<T>,
    there: &str,
    is_meant: impl Fn(&T) -> bool,
) -> Vec<T> {
    let meant = added.iter().filter(|run| is_meant(run));
    let commits = few::set_of(meant.filter_map(|run| commit_of(run.as_ref())));
    // Most often what is added is of one commit, which is new: then nothing has to be read.
    if commits.len() < 2 && commits.iter().all(|commit| !there.contains(&**commit)) {
        return Vec::new();
    }
    let mut known: BTreeMap<Key, Vec<Values>> = BTreeMap::new();
    let runs: Vec<&RawValue> = serde_json::from_str(there).unwrap_or_default();
    let runs = runs.iter().map(|run| run.get());
    let of_commits = runs.filter(|run| commit_of(run).is_some_and(|it| commits.contains(&it)));
    for (key, values) in of_commits.filter_map(parts_of) {
        known.entry(key).or_default().push(values);
    }
    // Those that are there just so come first: a run of fewer values would do with any that has them.
    let mut taken = take(added, &mut known, &is_meant, |there, values| {
        there == values
    });
    taken.extend(take(added, &mut known, &is_meant, holds));
    taken
}

/// Takes out those that one of the known runs is like, which is then known no more.
fn take<T: AsRef<str>>(
    added: &mut Vec<T>,
    known: &mut BTreeMap<Key, Vec<Values>>,
    is_meant: impl Fn(&T) -> bool,
    is_like: impl Fn(&Values, &Values) -> bool,
) -> Vec<T> {
    let is_there = |run: &mut T| {
        if !is_meant(run) {
            return false;
        }
        let there = parts_of(run.as_ref()).and_then(|(key, values)| {
            let alike = known.get_mut(&key)?;
            let at = alike.iter().position(|there| is_like(there, &values))?;
            Some(alike.swap_remove(at))
        });
        there.is_some()
    };
    added.extract_if(.., is_there).collect()
}

/// Returns whether all values of a run are in another.
fn holds(all: &Values, some: &Values) -> bool {
    let has = |(value, count): (_, &usize)| all.get(value).is_some_and(|there| there >= count);
    some.iter().all(has)
}

/// Returns the commit of a run, and reads nothing else of it: its values are most of a file.
fn commit_of(run: &str) -> Option<String> {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(run).ok()?;
    let commit: Value = serde_json::from_str(members.get("commit")?.get()).ok()?;
    Some(commit["id"].as_str()?.trim().to_owned())
}

/// The members of an object, of which only those that are asked for are read: another may be of any depth.
#[derive(Default)]
struct Members<'t>(BTreeMap<String, &'t RawValue>);

impl<'t> Members<'t> {
    fn of(object: &'t str) -> Option<Self> {
        serde_json::from_str(object).ok().map(Self)
    }

    /// Returns a member; nothing where there is none.
    fn value(&self, name: &str) -> Value {
        let raw = self.0.get(name);
        raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default()
    }
}

/// Returns what tells a run from others; none where it is no run.
fn parts_of(run: &str) -> Option<(Key, Values)> {
    let run = Members::of(run)?;
    let mut values = Values::new();
    let benches: Vec<&RawValue> = serde_json::from_str(run.0.get("benches")?.get()).ok()?;
    for bench in benches {
        let bench = Members::of(bench.get()).unwrap_or_default();
        let text = |name| bench.value(name).as_str().unwrap_or_default().to_owned();
        if let Some(value) = number(&bench.value("value")) {
            *values
                .entry((text("name"), text("unit"), value.to_bits()))
                .or_default() += 1;
        }
    }
    let commit = Members::of(run.0.get("commit")?.get())?;
    let key = Key {
        commit: commit.value("id").as_str()?.trim().to_owned(),
        date: milliseconds(&run.value("date"))
            .or_else(|| milliseconds(&commit.value("timestamp")))?,
        tool: run.value("tool").as_str().unwrap_or_default().to_owned(),
    };
    Some((key, values))
}

/// Returns a number, or a text that is one.
fn number(value: &Value) -> Option<f64> {
    let of_text = || value.as_str()?.trim().replace(',', "").parse().ok();
    let number = value.as_f64().or_else(of_text)?;
    // There is one nought.
    Some(number + 0.0)
}

fn milliseconds(value: &Value) -> Option<i64> {
    if let Some(time) = value.as_str().and_then(time_written) {
        return Some(time.as_millisecond());
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "what is out of range is the date of no run"
    )]
    let of_number = |number: f64| number.floor() as i64;
    number(value).map(of_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(commit: &str, date: &str, value: &str) -> String {
        format!(
            r#"{{"commit": {{"id": "{commit}"}}, "date": {date}, "tool": "go",
            "benches": [{{"name": "get", "unit": "ns", "value": {value}, "range": "± 1"}}]}}"#
        )
    }

    fn added(runs: &[String], there: &[String]) -> Vec<String> {
        let mut added = runs.to_vec();
        take_out(&mut added, &format!("[{}]", there.join(", ")), |_| true);
        added
    }

    #[test]
    fn a_run_that_is_there_is_not_added() {
        let ours = run("aa", "1700000000000", "1.5");
        for theirs in [
            ours.clone(),
            run(" aa ", "1700000000000.2", "1.50"),
            run("aa", "\"2023-11-14T22:13:20Z\"", "\"1.5\""),
            run("aa", "\"2023-11-14 22:13:20 +0000\"", "1.5"),
        ] {
            assert!(added(std::slice::from_ref(&ours), &[theirs]).is_empty());
        }
        for theirs in [
            run("ab", "1700000000000", "1.5"),
            run("aa", "1700000000001", "1.5"),
            run("aa", "1700000000000", "1.6"),
            run("aa", "1700000000000", "null"),
            "7".to_owned(),
        ] {
            assert_eq!(
                added(std::slice::from_ref(&ours), &[theirs]),
                std::slice::from_ref(&ours)
            );
        }
    }

    #[test]
    fn a_run_that_was_taken_over_in_part_is_not_added() {
        let ours = run("aa", "1700000000000", "1.5");
        let more = |bench: &str| ours.replace("[{", &format!("[{bench}, {{"));
        let theirs = more(r#"{"unit": "ns", "value": 7}"#);
        assert!(added(std::slice::from_ref(&ours), std::slice::from_ref(&theirs)).is_empty());
        // The one that has just these is taken for it, so that the other is there for the other.
        let both = [ours.clone(), theirs.clone()];
        assert!(added(&both, &[both[1].clone(), ours.clone()]).is_empty());
        assert_eq!(added(&both, std::slice::from_ref(&ours)), [theirs]);
        let [none, few, all] = [
            more(r#"{"value": 7}, {"value": 8}"#),
            ours.clone(),
            more(r#"{"name": "put", "unit": "ns", "value": 2}"#),
        ];
        assert!(added(&[few, all.clone()], &[none, all]).is_empty());
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        let deep = ours.replace("\"range\"", &format!("\"deep\": {deep}, \"range\""));
        assert!(added(std::slice::from_ref(&deep), std::slice::from_ref(&deep)).is_empty());
        let twice = more(r#"{"name": "get", "unit": "ns", "value": 1.5}"#);
        assert_eq!(added(std::slice::from_ref(&twice), &[ours]), [twice]);
    }

    #[test]
    fn of_two_that_are_alike_one_takes_the_place_of_one() {
        let ours = run("aa", "1700000000000", "1.5");
        let twice = [ours.clone(), ours.clone()];
        assert_eq!(
            added(&twice, std::slice::from_ref(&ours)),
            std::slice::from_ref(&ours)
        );
        assert!(added(&twice, &twice).is_empty());
        assert!(added(&[ours], &twice).is_empty());
    }
}
