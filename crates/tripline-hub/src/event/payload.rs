//! Reads the payload of an event, and says in JSON pointers what is missing or wrong in it. Tested below.

use std::str::FromStr;

use serde_json::Value;

use super::EventError;
use crate::names::NameError;
use crate::text::shown;

/// The largest payload GitHub delivers.
const BYTES_MAX: usize = 25 * 1024 * 1024;

/// Parses the file's bytes.
pub(super) fn parse(file: &str, bytes: &[u8]) -> Result<Value, EventError> {
    let wrong = |problem| EventError::Payload {
        file: file.to_owned(),
        place: "the whole file".to_owned(),
        problem,
    };
    if bytes.len() > BYTES_MAX {
        return Err(wrong(format!("is larger than {BYTES_MAX} bytes")));
    }
    serde_json::from_slice(bytes).map_err(|error| wrong(format!("is no JSON: {error}")))
}

/// A value in the payload that knows where it stands.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    file: &'a str,
    pointer: String,
    value: &'a Value,
}

impl<'a> Node<'a> {
    /// Begins at the top.
    pub(super) fn top(file: &'a str, value: &'a Value) -> Self {
        Self {
            file,
            pointer: String::new(),
            value,
        }
    }

    /// Returns what stands below, by a path such as `head/repo/id`.
    pub(super) fn at(&self, path: &str) -> Result<Self, EventError> {
        let found = self.maybe(path);
        found.ok_or_else(|| self.below(path, &Value::Null).wrong("is missing"))
    }

    /// Returns what stands below, unless it is missing or null.
    pub(super) fn maybe(&self, path: &str) -> Option<Self> {
        let value = self.value.pointer(&format!("/{path}"))?;
        (!value.is_null()).then(|| self.below(path, value))
    }

    fn below<'b>(&self, path: &str, value: &'b Value) -> Node<'b>
    where
        'a: 'b,
    {
        Node {
            file: self.file,
            pointer: format!("{}/{path}", self.pointer),
            value,
        }
    }

    /// Says that something is wrong here.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> EventError {
        EventError::Payload {
            file: self.file.to_owned(),
            place: self.pointer.clone(),
            problem: problem.into(),
        }
    }

    /// Returns the text here, of at most so many bytes.
    pub(super) fn text(&self, bytes_max: usize) -> Result<&'a str, EventError> {
        let text = self
            .value
            .as_str()
            .ok_or_else(|| self.wrong("is no text"))?;
        if text.len() > bytes_max {
            return Err(self.wrong(format!("is longer than {bytes_max} bytes")));
        }
        Ok(text)
    }

    /// Returns the text here as a name.
    pub(super) fn name<T: FromStr<Err = NameError>>(&self) -> Result<T, EventError> {
        let text = self
            .value
            .as_str()
            .ok_or_else(|| self.wrong("is no text"))?;
        text.parse()
            .map_err(|error: NameError| self.wrong(format!("is wrong: {error}")))
    }

    /// Returns the number here: an id or a count.
    pub(super) fn number(&self) -> Result<u64, EventError> {
        let number = self.value.as_u64();
        number.ok_or_else(|| self.wrong("is no whole number"))
    }

    /// Returns the elements of the list here.
    pub(super) fn elements(&self) -> Result<Vec<Self>, EventError> {
        let list = self.value.as_array();
        let list = list.ok_or_else(|| self.wrong("is no list"))?;
        let elements = list.iter().enumerate();
        Ok(elements
            .map(|(at, value)| self.below(&at.to_string(), value))
            .collect())
    }

    /// Returns the members of the object here.
    pub(super) fn members(&self) -> Result<Vec<(&'a str, Self)>, EventError> {
        let object = self.value.as_object();
        let object = object.ok_or_else(|| self.wrong("is no object"))?;
        let members = object.iter().map(|(name, value)| {
            // Their names are somebody's own, and go into messages.
            const NAME_CHARS_MAX: usize = 80;
            let shown = shown(&name.replace('~', "~0").replace('/', "~1"), NAME_CHARS_MAX);
            (name.as_str(), self.below(&shown, value))
        });
        Ok(members.collect())
    }

    /// Returns the value as it stands.
    pub(super) fn value(&self) -> &'a Value {
        self.value
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::names::CommitId;

    #[test]
    fn what_is_missing_or_wrong_is_named_by_its_place() {
        let value = json!({"a": {"id": 7, "sha": "main", "none": null, "list": [{"id": "7"}], "in/put\u{1b}~": 1}});
        let top = Node::top("event.json", &value);
        let a = top.at("a").unwrap();
        assert_eq!(a.at("id").unwrap().number().unwrap(), 7);
        assert!(a.maybe("none").is_none() && a.maybe("more").is_none());
        let element = &a.at("list").unwrap().elements().unwrap()[0];
        let members = a.members().unwrap();
        let (_, odd) = members
            .iter()
            .find(|(name, _)| name.starts_with("in/"))
            .unwrap();
        let errors = [
            a.at("none").unwrap_err(),
            top.at("b/c").unwrap_err(),
            a.at("sha").unwrap().name::<CommitId>().unwrap_err(),
            a.at("sha").unwrap().text(3).unwrap_err(),
            a.at("id").unwrap().text(3).unwrap_err(),
            element.at("id").unwrap().number().unwrap_err(),
            odd.text(9).unwrap_err(),
            a.elements().unwrap_err(),
            element.at("id").unwrap().members().unwrap_err(),
        ];
        let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(said.join("\n"), @r"
        the event was not read: in `event.json`, /a/none is missing
        the event was not read: in `event.json`, /b/c is missing
        the event was not read: in `event.json`, /a/sha is wrong: `main` is no commit, which is 40 or 64 hexadecimal digits
        the event was not read: in `event.json`, /a/sha is longer than 3 bytes
        the event was not read: in `event.json`, /a/id is no text
        the event was not read: in `event.json`, /a/list/0/id is no whole number
        the event was not read: in `event.json`, /a/in~1put\u{1b}~0 is no text
        the event was not read: in `event.json`, /a is no list
        the event was not read: in `event.json`, /a/list/0/id is no object
        ");
    }

    #[test]
    fn what_is_no_json_is_an_error() {
        let error = parse("event.json", b"{").expect_err("it is cut");
        insta::assert_snapshot!(error, @"the event was not read: in `event.json`, the whole file is no JSON: EOF while parsing an object at line 1 column 1");
        parse("event.json", "[".repeat(100_000).as_bytes()).expect_err("it is too deep");
    }
}
