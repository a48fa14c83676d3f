//! What tells values of one name and one unit apart where a run holds several: what else is said of each, as far as that
//! is another for each of them, and else which of them it is.
//!
//! Tested by `tests/it/data_js/rows.rs`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::fitted;
use super::known::Known;
use super::meaning::Direction;
use super::people::without_addresses;
use super::shape::Bench;
use crate::json::Text;
use tripline_model::{NAME_BYTES_MAX, few};

/// What is mostly enough to tell a series: name, unit, and which direction is better.
pub(super) type Named<'t> = (Cow<'t, str>, Option<Cow<'t, str>>, Direction);

/// The member of a benchmark that holds whatever its author likes.
const EXTRA: &str = "extra";

/// Which of the values of one name and unit it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum Twin<'t> {
    /// The only one, or the first of those that nothing tells apart.
    #[default]
    First,
    /// Another of those, from 2.
    Numbered(usize),
    /// The one of which a member says so.
    Labelled(Cow<'t, str>, Cow<'t, str>),
}

impl<'t> Twin<'t> {
    /// Returns whether a benchmark at its place may be it.
    pub(super) fn may_be(&self, bench: &Bench<'t>) -> bool {
        match self {
            Self::First | Self::Numbered(_) => true,
            Self::Labelled(member, text) => label(bench, member).as_ref() == Some(text),
        }
    }
}

/// What those of one name and unit were told apart by, if anything, and which labels there were.
#[derive(Debug, Default)]
struct Told<'t> {
    member: Option<Cow<'t, str>>,
    labels: BTreeSet<Cow<'t, str>>,
    /// Those of runs that are there already, as they are kept.
    before: BTreeSet<String>,
}

/// Those of each name and unit that ever stood in one run.
#[derive(Debug, Default)]
pub(super) struct Twins<'t>(BTreeMap<Named<'t>, Told<'t>>);

impl<'t> Twins<'t> {
    /// Returns which of its like each benchmark of a run is, and whether there are any alike. What a harness writes as
    /// `extra` is another in every run, so it tells nothing apart.
    pub(super) fn of(
        &mut self,
        run: &[Bench<'t>],
        names: &[Option<Named<'t>>],
        is_of_harness: bool,
        known: &Known,
    ) -> (Vec<Twin<'t>>, bool) {
        let mut twins = vec![Twin::First; run.len()];
        let mut alike: BTreeMap<&Named<'t>, Vec<usize>> = BTreeMap::new();
        for (place, named) in names.iter().enumerate() {
            let has_value = run[place].value.is_some_and(|value| value.get() != "null");
            if let Some(named) = named.as_ref().filter(|_| has_value) {
                alike.entry(named).or_default().push(place);
            }
        }
        let mut has_some = false;
        for (named, places) in alike {
            let is_new = !self.0.contains_key(named);
            let before = is_new.then(|| known.apart(&named.0, named.1.as_deref()));
            let before = before.flatten();
            if places.len() == 1 && is_new && before.is_none() {
                continue;
            }
            has_some |= places.len() > 1;
            let all: Vec<&Bench<'t>> = places.iter().map(|place| &run[*place]).collect();
            let told = self.0.entry(named.clone()).or_insert_with(|| match before {
                Some((member, before)) => Told {
                    member: member.clone().map(Cow::Owned),
                    before: before.clone(),
                    ..Told::default()
                },
                None => Told {
                    member: told_by(&all, is_of_harness),
                    ..Told::default()
                },
            });
            for (place, twin) in places.iter().zip(told.twins(&all, is_of_harness)) {
                twins[*place] = twin;
            }
        }
        (twins, has_some)
    }
}

impl<'t> Told<'t> {
    /// Returns which one each of a run is: as it is labelled, and where no label was met before, by their order.
    fn twins(&mut self, all: &[&Bench<'t>], is_of_harness: bool) -> Vec<Twin<'t>> {
        let member = self.member.as_ref();
        let member = member.filter(|member| !is_of_harness || **member != EXTRA);
        let found = member.and_then(|member| Some((member.clone(), labels(all, member)?)));
        if let Some((member, labels)) = found {
            let is_known = |label: &Cow<'t, str>| {
                let is_there = || self.before.contains(&kept(label));
                self.labels.contains(label) || !self.before.is_empty() && is_there()
            };
            let is_first = self.labels.is_empty() && self.before.is_empty();
            if is_first || labels.iter().any(is_known) {
                self.labels.extend(labels.iter().cloned());
                let labels = labels.into_iter();
                return labels
                    .map(|text| Twin::Labelled(member.clone(), text))
                    .collect();
            }
        }
        let by_order = |place: usize| match place {
            0 => Twin::First,
            _ => Twin::Numbered(place + 1),
        };
        (0..all.len()).map(by_order).collect()
    }
}

/// Returns a label as the param of a series.
pub(super) fn kept(label: &str) -> String {
    fitted(&without_addresses(label), NAME_BYTES_MAX)
}

/// Returns the first member that is a text, and another one, for each of them.
fn told_by<'t>(all: &[&Bench<'t>], is_of_harness: bool) -> Option<Cow<'t, str>> {
    let extra = (!is_of_harness).then_some(Cow::Borrowed(EXTRA));
    let others = all.first()?.others.iter();
    // A name with the sign of an address may be one, and would be that of a param.
    let others = others.filter(|(name, _)| !name.contains('@'));
    let others = others.map(|(name, _)| name.clone().into());
    extra
        .into_iter()
        .chain(others)
        .find(|member| labels(all, member).is_some())
}

/// Returns what a member says of each, if it says another thing of each.
fn labels<'t>(all: &[&Bench<'t>], member: &str) -> Option<Vec<Cow<'t, str>>> {
    let labels: Option<Vec<_>> = all.iter().map(|bench| label(bench, member)).collect();
    let are_different = |labels: &Vec<Cow<'t, str>>| {
        let different = few::set_of(labels.iter());
        different.len() == labels.len()
    };
    labels.filter(are_different)
}

fn label<'t>(bench: &Bench<'t>, member: &str) -> Option<Cow<'t, str>> {
    if member == EXTRA {
        return bench.extra.text().cloned();
    }
    let (_, raw) = bench.others.iter().find(|(name, _)| **name == *member)?;
    serde_json::from_str::<Text<'t>>(raw.get())
        .ok()
        .map(Into::into)
}
