//! Members that no schema knows.
//!
//! GitHub's schemas rarely forbid unknown members, and GitHub ignores them; so a misspelt one would pass every check and do
//! nothing. Here a member is known if any schema that may apply to the object names it.

use serde_json::Value;

use super::Contract;

impl Contract {
    /// Finds a member of a value that the schema at this place does not know, and says where it is.
    pub(super) fn unknown_member(&self, place: &str, value: &Value) -> Option<String> {
        self.unknown_below("", &[self.at(place)], value)
    }

    fn unknown_below(&self, at: &str, schemas: &[&Value], value: &Value) -> Option<String> {
        let schemas = self.alternatives(schemas);
        match value {
            Value::Object(members) => {
                let named: Vec<&Value> = schemas
                    .iter()
                    .filter_map(|schema| schema.get("properties"))
                    .collect();
                // Free by design, as the inputs of a workflow.
                if named.is_empty() {
                    return None;
                }
                members.iter().find_map(|(name, value)| {
                    let at = format!("{at}/{name}");
                    let below: Vec<&Value> =
                        named.iter().filter_map(|named| named.get(name)).collect();
                    if below.is_empty() {
                        return Some(at);
                    }
                    self.unknown_below(&at, &below, value)
                })
            }
            Value::Array(items) => {
                let below: Vec<&Value> = schemas
                    .iter()
                    .filter_map(|schema| schema.get("items"))
                    .collect();
                let mut items = items.iter().enumerate();
                items.find_map(|(index, item)| {
                    self.unknown_below(&format!("{at}/{index}"), &below, item)
                })
            }
            _ => None,
        }
    }

    /// All schemas that may apply where these do.
    fn alternatives<'a>(&'a self, schemas: &[&'a Value]) -> Vec<&'a Value> {
        let mut all = Vec::new();
        let mut open = schemas.to_vec();
        while let Some(schema) = open.pop() {
            let schema = self.resolve(schema);
            for keyword in ["allOf", "anyOf", "oneOf"] {
                let branches = schema.get(keyword).and_then(Value::as_array);
                open.extend(branches.into_iter().flatten());
            }
            all.push(schema);
        }
        all
    }
}
