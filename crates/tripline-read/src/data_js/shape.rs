//! What a history is made of: suites, their runs, and what a run holds. Addresses of people are skipped.

use std::fmt;
use std::marker::PhantomData;
use std::mem::replace;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::gather::Gather;
use super::loose::{Any, Loose, LooseVisitor, others};
use crate::json::Text;

/// The most members of a value that nobody here knows: each is looked for among the others.
const MEMBERS_MAX: usize = 64;

/// A commit.
#[derive(Debug, Default)]
pub(super) struct Commit<'t> {
    pub(super) id: Loose<'t>,
    pub(super) message: Loose<'t>,
    pub(super) timestamp: Loose<'t>,
    pub(super) author: Option<Somebody<'t>>,
    pub(super) committer: Option<Somebody<'t>>,
    pub(super) distinct: Loose<'t>,
    pub(super) tree: Loose<'t>,
    pub(super) url: Loose<'t>,
    /// Whether there are members that nobody here knows, or somebody who is no object.
    has_others: bool,
    /// Whether a member stands twice.
    is_twice: bool,
}

impl Commit<'_> {
    /// Returns whether there is more than is kept, whatever its length: members that nobody here knows, or of other types.
    pub(super) fn has_others(&self) -> bool {
        let people = [&self.author, &self.committer].into_iter().flatten();
        let names = people.clone().flat_map(|one| [&one.name, &one.username]);
        let texts = [&self.message, &self.timestamp, &self.tree, &self.url];
        let is_distinct =
            |value: &Loose<'_>| matches!(value, Loose::Truth(_) | Loose::Nothing | Loose::Null);
        self.has_others
            || people.clone().any(|one| one.has_others)
            || names.chain(texts).any(|value| !value.is_text_or_nothing())
            || !is_distinct(&self.distinct)
    }

    /// Returns whether a member stands twice, of it or of somebody in it.
    pub(super) fn is_twice(&self) -> bool {
        let mut people = [&self.author, &self.committer].into_iter().flatten();
        self.is_twice || people.any(|one| one.is_twice)
    }
}

/// Somebody, without where they can be reached.
#[derive(Debug, Default)]
pub(super) struct Somebody<'t> {
    pub(super) name: Loose<'t>,
    pub(super) username: Loose<'t>,
    /// Whether there are members that nobody here knows.
    has_others: bool,
    /// Whether a member stands twice.
    is_twice: bool,
}

/// One value of one benchmark.
#[derive(Debug, Default)]
pub(super) struct Bench<'t> {
    pub(super) name: Loose<'t>,
    /// As it is written, because what it loses by becoming a number depends on its unit.
    pub(super) value: Option<&'t RawValue>,
    pub(super) unit: Loose<'t>,
    pub(super) range: Loose<'t>,
    pub(super) extra: Loose<'t>,
    /// Whether more of it is better, where it says so itself.
    pub(super) is_bigger_better: Option<bool>,
    /// Members that nobody here knows, and the one that says which direction is better, as they are written.
    pub(super) others: Vec<(Text<'t>, &'t RawValue)>,
    /// Whether there are more of these than are looked at.
    pub(super) has_more: bool,
    /// Whether a member stands twice.
    pub(super) is_twice: bool,
}

/// One run of a suite.
#[derive(Debug, Default)]
pub(super) struct Run<'t> {
    /// The name of its first member, by which a run that names no commit has a place.
    pub(super) first: Option<Text<'t>>,
    pub(super) commit: Commit<'t>,
    pub(super) date: Loose<'t>,
    pub(super) tool: Loose<'t>,
    pub(super) benches: Option<Vec<Bench<'t>>>,
    /// Whether there are members that nobody here knows.
    pub(super) has_others: bool,
    /// Whether a member stands twice.
    is_twice: bool,
}

impl Run<'_> {
    /// Returns whether a member stands twice, of it or of anything in it.
    pub(super) fn is_twice(&self) -> bool {
        let mut benches = self.benches.iter().flatten();
        self.is_twice || self.commit.is_twice() || benches.any(|bench| bench.is_twice)
    }
}

/// An object of which some members are looked at; those of other types are as good as missing.
pub(super) trait Object<'t>: Default {
    /// Reads the value of a member, or skips it.
    fn member<A: MapAccess<'t>>(&mut self, key: &Text<'t>, map: &mut A) -> Result<(), A::Error>;
}

impl<'t> Object<'t> for Commit<'t> {
    fn member<A: MapAccess<'t>>(&mut self, key: &Text<'t>, map: &mut A) -> Result<(), A::Error> {
        let member = match &**key {
            "id" => &mut self.id,
            "message" => &mut self.message,
            "timestamp" => &mut self.timestamp,
            "distinct" => &mut self.distinct,
            "tree_id" => &mut self.tree,
            "url" => &mut self.url,
            "author" => {
                self.is_twice |= self.author.is_some();
                self.author = map.next_value_seed(object())?;
                self.has_others |= self.author.is_none();
                return Ok(());
            }
            "committer" => {
                self.is_twice |= self.committer.is_some();
                self.committer = map.next_value_seed(object())?;
                self.has_others |= self.committer.is_none();
                return Ok(());
            }
            _ => {
                self.has_others = true;
                return skip(map);
            }
        };
        if member.is_said() {
            self.is_twice = true;
        }
        *member = map.next_value_seed(Any(LooseVisitor))?;
        Ok(())
    }
}

impl<'t> Object<'t> for Somebody<'t> {
    fn member<A: MapAccess<'t>>(&mut self, key: &Text<'t>, map: &mut A) -> Result<(), A::Error> {
        let member = match &**key {
            "name" => &mut self.name,
            "username" => &mut self.username,
            "email" => return skip(map),
            _ => {
                self.has_others = true;
                return skip(map);
            }
        };
        if member.is_said() {
            self.is_twice = true;
        }
        *member = map.next_value_seed(Any(LooseVisitor))?;
        Ok(())
    }
}

impl<'t> Object<'t> for Bench<'t> {
    fn member<A: MapAccess<'t>>(&mut self, key: &Text<'t>, map: &mut A) -> Result<(), A::Error> {
        let member = match &**key {
            "name" => &mut self.name,
            "value" => {
                if self.value.is_some() {
                    self.is_twice = true;
                }
                self.value = Some(map.next_value()?);
                return Ok(());
            }
            "unit" => &mut self.unit,
            "range" => &mut self.range,
            "extra" => &mut self.extra,
            name => {
                let raw: &'t RawValue = map.next_value()?;
                if self.others.len() == MEMBERS_MAX {
                    self.has_more = true;
                    return Ok(());
                }
                if name == "biggerIsBetter" {
                    self.is_bigger_better = serde_json::from_str(raw.get()).ok();
                }
                self.others.push((key.clone(), raw));
                return Ok(());
            }
        };
        if member.is_said() {
            self.is_twice = true;
        }
        *member = map.next_value_seed(Any(LooseVisitor))?;
        Ok(())
    }
}

impl<'t> Object<'t> for Run<'t> {
    fn member<A: MapAccess<'t>>(&mut self, key: &Text<'t>, map: &mut A) -> Result<(), A::Error> {
        self.first.get_or_insert_with(|| key.clone());
        match &**key {
            "commit" => {
                self.is_twice |= self.commit.id.is_said();
                self.commit = map.next_value_seed(object())?.unwrap_or_default();
            }
            "date" => {
                self.is_twice |= self.date.is_said();
                self.date = map.next_value_seed(Any(LooseVisitor))?;
            }
            "tool" => {
                self.is_twice |= self.tool.is_said();
                self.tool = map.next_value_seed(Any(LooseVisitor))?;
            }
            "benches" => {
                self.is_twice |= self.benches.is_some();
                self.benches = map.next_value_seed(Any(BenchesVisitor))?;
            }
            _ => {
                self.has_others = true;
                return skip(map);
            }
        }
        Ok(())
    }
}

fn skip<'t, A: MapAccess<'t>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

/// Reads an object, or says that there is none.
struct ObjectVisitor<T>(PhantomData<T>);

fn object<'t, T: Object<'t>>() -> Any<ObjectVisitor<T>> {
    Any(ObjectVisitor(PhantomData))
}

impl<'t, T: Object<'t>> Visitor<'t> for ObjectVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Option<T>, A::Error> {
        let mut object = T::default();
        while let Some(key) = map.next_key::<Text<'t>>()? {
            object.member(&key, &mut map)?;
        }
        Ok(Some(object))
    }

    others!('t, None, [scalar, text, number, list]);
}

struct BenchesVisitor;

impl<'t> Visitor<'t> for BenchesVisitor {
    type Value = Option<Vec<Bench<'t>>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of benchmarks")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut benches = Vec::new();
        while let Some(bench) = list.next_element_seed(object::<Bench<'t>>())? {
            // What is no object has no name, and is told of as a benchmark without one.
            benches.push(bench.unwrap_or_default());
        }
        Ok(Some(benches))
    }

    others!('t, None, [scalar, text, number, object]);
}

/// Hands each run of a suite on as soon as it is read.
struct RunsVisitor<'g, 't>(&'g mut Gather<'t>);

impl<'t> Visitor<'t> for RunsVisitor<'_, 't> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of runs")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<bool, A::Error> {
        while let Some(run) = list.next_element_seed(object::<Run<'t>>())? {
            self.0.run(run);
        }
        Ok(true)
    }

    others!('t, false, [scalar, text, number, object]);
}

struct SuitesVisitor<'g, 't>(&'g mut Gather<'t>);

impl<'t> Visitor<'t> for SuitesVisitor<'_, 't> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("suites by name")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<bool, A::Error> {
        while let Some(title) = map.next_key::<Text<'t>>()? {
            self.0.suite(&title);
            if !map.next_value_seed(Any(RunsVisitor(self.0)))? {
                let what = format!("suite `{}`", &*title);
                self.0.leave_out(&what, "it is no list of runs");
            }
        }
        Ok(true)
    }

    others!('t, false, [scalar, text, number, list]);
}

/// Reads the whole: an object with `entries`.
pub(super) struct HistoryVisitor<'g, 't>(pub(super) &'g mut Gather<'t>);

impl<'t> Visitor<'t> for HistoryVisitor<'_, 't> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `entries`")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut has_entries, mut is_again) = (false, false);
        while let Some(key) = map.next_key::<Text<'t>>()? {
            if &*key == "entries" {
                if replace(&mut is_again, true) {
                    self.0.entries_again(&key);
                }
                has_entries |= map.next_value_seed(Any(SuitesVisitor(self.0)))?;
            } else if &*key == "repoUrl" {
                let page = map.next_value_seed(Any(LooseVisitor))?;
                self.0.repository(&page);
            } else if &*key == "lastUpdate" {
                let time = map.next_value_seed(Any(LooseVisitor))?;
                self.0.last_update(&time);
            } else {
                self.0.other_member(&key);
                skip(&mut map)?;
            }
        }
        if has_entries {
            return Ok(());
        }
        Err(A::Error::custom(
            "there are no `entries`, which hold suites by name",
        ))
    }
}
