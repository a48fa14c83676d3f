//! Takes a history apart into texts, for whoever adds to it and must not change what is there.
//!
//! Tested by `tests/it/data_js.rs`.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{as_json, byte_of, json_of, place_at, text_of};
use crate::json::Members;
use crate::place::{ReadError, shown};

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
    let text = text_of(&file, bytes)?;
    let owned = |text: &str| {
        let (members, suites) = split(&file, text)?;
        let text = |(name, text): (String, &str)| (name, Cow::Owned(text.to_owned()));
        Ok(DataJs {
            members: members.into_iter().map(text).collect(),
            suites: suites.into_iter().map(text).collect(),
        })
    };
    let as_it_is = match text {
        Cow::Borrowed(text) => split(&file, text).map(|(members, suites)| {
            let text = |(name, text)| (name, Cow::Borrowed(text));
            DataJs {
                members: members.into_iter().map(text).collect(),
                suites: suites.into_iter().map(text).collect(),
            }
        }),
        Cow::Owned(ref text) => owned(text),
    };
    // A script is added to as the JSON that it is, which that action reads, too.
    as_it_is.or_else(|error| owned(&as_json(&text).text).or(Err(error)))
}

/// Returns the members, and those of `entries`.
fn split<'t>(file: &str, text: &'t str) -> Result<(Texts<'t>, Texts<'t>), ReadError> {
    let json = json_of(text);
    let failed = |problem: String, at: usize| ReadError {
        place: place_at(file, text, at),
        problem,
        hint: Some("give the file that github-action-benchmark keeps, whole"),
    };
    // Where a part of the text begins, seen from the whole.
    let offset = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
    let members_of = |part: &'t str| {
        let members: Result<Members<'t, &'t RawValue>, _> = serde_json::from_str(part);
        members.map_err(|error| {
            let said = error.to_string();
            let said = said
                .rsplit_once(" at line ")
                .map_or(&*said, |(said, _)| said);
            let at = offset(part) + byte_of(part, error.line(), error.column());
            failed(format!("the history cannot be read: {}", shown(said)), at)
        })
    };
    let members = texts(members_of(json)?);
    let entries = members.iter().find(|(name, _)| name == "entries");
    let (_, entries) = entries.ok_or_else(|| {
        let problem = "there are no `entries`, which hold suites by name";
        failed(problem.to_owned(), offset(json))
    })?;
    let suites = texts(members_of(entries)?);
    if let Some((name, list)) = suites.iter().find(|(_, list)| !list.starts_with('[')) {
        let problem = format!("suite `{}` is no list of runs", shown(name));
        return Err(failed(problem, offset(list)));
    }
    Ok((members, suites))
}

fn texts<'t>(Members(members): Members<'t, &'t RawValue>) -> Texts<'t> {
    let text = |(name, raw): (crate::json::Text<'t>, &'t RawValue)| (name.to_string(), raw.get());
    members.into_iter().map(text).collect()
}
