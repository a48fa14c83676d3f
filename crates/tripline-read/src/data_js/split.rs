//! Takes a history apart into texts, for whoever adds to it and must not change what is there.
//!
//! Tested by `tests/it/data_js.rs`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::{as_json, byte_of, json_of, place_at, text_of};
use crate::encoding::Decoded;
use crate::json::Members;
use crate::place::{Place, ReadError, shown};

/// A history as the texts it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataJs<'t> {
    /// Its members, in order.
    pub members: Vec<(String, Cow<'t, str>)>,
    /// The runs of each suite, in order: the members of `entries`.
    pub suites: Vec<(String, Cow<'t, str>)>,
}

/// The members of an object, as texts.
type Texts<'t> = Vec<(String, &'t str)>;

/// Takes a history apart.
///
/// # Errors
/// The text is no history, or is cut off.
pub fn split_data_js<'t>(name: &str, bytes: &'t [u8]) -> Result<DataJs<'t>, ReadError> {
    let file = shown(name);
    let Decoded { text, added, .. } = text_of(&file, bytes)?;
    let place = |at| place_at(&file, &text, &added, at);
    let owned = |text: &str, place: &dyn Fn(usize) -> Place| {
        let (members, suites) = split(text, place)?;
        let text = |(name, text): (String, &str)| (name, Cow::Owned(text.to_owned()));
        Ok(DataJs {
            members: members.into_iter().map(text).collect(),
            suites: suites.into_iter().map(text).collect(),
        })
    };
    let as_it_is = match text {
        Cow::Borrowed(text) => split(text, &place).map(|(members, suites)| {
            let text = |(name, text)| (name, Cow::Borrowed(text));
            DataJs {
                members: members.into_iter().map(text).collect(),
                suites: suites.into_iter().map(text).collect(),
            }
        }),
        Cow::Owned(ref text) => owned(text, &place),
    };
    // A script is added to as the JSON that it is, which that action reads, too.
    as_it_is.or_else(|_| {
        let script = as_json(&text);
        owned(&script.text, &|at| place(script.original(at)))
    })
}

/// Returns the members, and those of `entries`, each of which stands once: of two of a name a browser sees the last alone.
fn split<'t>(
    text: &'t str,
    place: &dyn Fn(usize) -> Place,
) -> Result<(Texts<'t>, Texts<'t>), ReadError> {
    let json = json_of(text);
    let failed = |problem: String, at: usize| ReadError {
        place: place(at),
        problem,
        hint: Some("give the file that github-action-benchmark keeps, whole"),
    };
    // Where a part of the text begins, seen from the whole.
    let offset = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
    let members_of = |part: &'t str| {
        let members: Result<Members<'t, &'t RawValue>, _> = serde_json::from_str(part);
        let members = members.map_err(|error| {
            let said = error.to_string();
            let said = said
                .rsplit_once(" at line ")
                .map_or(&*said, |(said, _)| said);
            let at = offset(part) + byte_of(part, error.line(), error.column());
            failed(format!("the history cannot be read: {}", shown(said)), at)
        })?;
        let members = texts(members);
        let Some((name, [first, second])) = twice(&members) else {
            return Ok(members);
        };
        let (name, first) = (shown(name), place(offset(first)));
        Err(ReadError {
            hint: Some("put what both hold into one of them, and take the other out"),
            ..failed(
                format!("`{name}` stands twice, first with what is at {first}"),
                offset(second),
            )
        })
    };
    let members = members_of(json)?;
    let entries = members.iter().find(|(name, _)| name == "entries");
    let (_, entries) = entries.ok_or_else(|| {
        let problem = "there are no `entries`, which hold suites by name";
        failed(problem.to_owned(), offset(json))
    })?;
    let suites = members_of(entries)?;
    if let Some((name, list)) = suites.iter().find(|(_, list)| !list.starts_with('[')) {
        let problem = format!("suite `{}` is no list of runs", shown(name));
        return Err(failed(problem, offset(list)));
    }
    Ok((members, suites))
}

/// Returns the first name that two members have, and both.
fn twice<'m, 't>(members: &'m Texts<'t>) -> Option<(&'m str, [&'t str; 2])> {
    let mut seen = BTreeMap::new();
    members.iter().find_map(|(name, text)| {
        let first = seen.insert(&**name, *text)?;
        Some((&**name, [first, *text]))
    })
}

fn texts<'t>(Members(members): Members<'t, &'t RawValue>) -> Texts<'t> {
    let text = |(name, raw): (crate::json::Text<'t>, &'t RawValue)| (name.to_string(), raw.get());
    members.into_iter().map(text).collect()
}
