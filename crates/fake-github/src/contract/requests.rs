//! The two checks: of what was asked, and of what is answered.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Contract, Operation, Parameter};

/// Refusals that GitHub's description leaves out of most operations, and GitHub does not leave out.
const ALWAYS_POSSIBLE: &[u16] = &[400, 401, 403, 404, 422, 429, 500, 502, 503];

/// What every refusal looks like.
const REFUSAL: &str = "#/components/schemas/basic-error";

impl Contract {
    /// Says what is wrong with a request, if anything.
    pub(crate) fn request_fault(
        &self,
        operation: &Operation,
        path: &BTreeMap<String, String>,
        query: &[(String, String)],
        body: Option<&Value>,
    ) -> Option<String> {
        parameter_fault(operation, path, query).or_else(|| match (&operation.body, body) {
            (None, None) => None,
            (None, Some(_)) => Some("A body was sent, and none is expected.".to_owned()),
            (Some(wanted), None) => wanted
                .required
                .then(|| "A body is expected, and none was sent.".to_owned()),
            (Some(wanted), Some(body)) => self
                .fault(&wanted.schema, body)
                .or_else(|| self.stranger(&wanted.schema, body)),
        })
    }

    /// Says what is wrong with a reply, if anything.
    pub(crate) fn reply_fault(
        &self,
        operation: &Operation,
        status: u16,
        body: Option<&Value>,
    ) -> Option<String> {
        match (operation.replies.get(&status), body) {
            (Some(Some(place)), Some(body)) => self.fault(place, body).or_else(|| {
                // Refusals say more than their schemas.
                (status < 400).then(|| self.stranger(place, body)).flatten()
            }),
            (Some(None), None) => None,
            (Some(Some(_)), None) => Some(format!("{status} must have a body")),
            // Of refusals it often says no more than that they are possible.
            (Some(None), Some(body)) if status >= 400 => self.fault(REFUSAL, body),
            (None, Some(body)) if ALWAYS_POSSIBLE.contains(&status) => self.fault(REFUSAL, body),
            (Some(None), Some(_)) => Some(format!("{status} has no body")),
            (None, _) => Some(format!("{} never answers {status}", operation.id)),
        }
    }

    fn stranger(&self, place: &str, body: &Value) -> Option<String> {
        let member = self.unknown_member(place, body)?;
        Some(format!("{member}: no such member is known"))
    }
}

fn parameter_fault(
    operation: &Operation,
    path: &BTreeMap<String, String>,
    query: &[(String, String)],
) -> Option<String> {
    for (name, value) in query {
        let known = |parameter: &&Parameter| !parameter.in_path && parameter.name == *name;
        match operation.parameters.iter().find(known) {
            None => return Some(format!("?{name}: no such parameter is known")),
            Some(parameter) => {
                if let Some(fault) = value_fault(&parameter.schema, value) {
                    return Some(format!("?{name}: {fault}"));
                }
            }
        }
    }
    operation.parameters.iter().find_map(|parameter| {
        let given = if parameter.in_path {
            path.get(&parameter.name)
        } else {
            let found = query.iter().find(|(name, _)| *name == parameter.name);
            found.map(|(_, value)| value)
        };
        let fault = match given {
            Some(value) => value_fault(&parameter.schema, value)?,
            None if parameter.required => "is missing".to_owned(),
            None => return None,
        };
        Some(format!("{}: {fault}", parameter.name))
    })
}

/// Parameters come as text, so their kind is found out from the schema.
fn value_fault(schema: &Value, text: &str) -> Option<String> {
    let value = match schema["type"].as_str() {
        Some("integer") => text.parse().map(|number: i64| json!(number)).ok(),
        Some("boolean") => text.parse().map(|truth: bool| json!(truth)).ok(),
        _ => Some(json!(text)),
    };
    let is_valid = value.is_some_and(|value| jsonschema::is_valid(schema, &value));
    (!is_valid).then(|| format!("`{text}` is not allowed"))
}
