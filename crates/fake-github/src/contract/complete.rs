//! Fills in what a reply must have and no test looks at.
//!
//! A repository has forty addresses in it. An answer here says what means something, and the description says what else must
//! be there: it gets the plainest value that is allowed. Nothing that is there is changed.

use serde_json::{Map, Value, json};

use super::{Contract, Operation};
use crate::time;

impl Contract {
    /// Fills in a reply.
    pub(crate) fn complete(&self, operation: &Operation, status: u16, body: &mut Value) {
        if let Some(Some(place)) = operation.replies.get(&status) {
            self.fill(self.at(place), body);
        }
    }

    fn fill(&self, schema: &Value, value: &mut Value) {
        let schema = self.resolve(schema);
        if let Some(members) = value.as_object_mut() {
            self.fill_members(schema, members);
        }
        if let (Some(items), Some(item)) = (value.as_array_mut(), schema.get("items")) {
            items.iter_mut().for_each(|value| self.fill(item, value));
        }
        for branch in list(schema, "allOf") {
            self.fill(branch, value);
        }
        for keyword in ["anyOf", "oneOf"] {
            let branches = list(schema, keyword);
            // The first of the best.
            let best = branches
                .rev()
                .max_by_key(|branch| self.likeness(branch, value));
            if let Some(branch) = best {
                self.fill(branch, value);
            }
        }
    }

    fn fill_members(&self, schema: &Value, members: &mut Map<String, Value>) {
        for name in list(schema, "required").filter_map(Value::as_str) {
            if !members.contains_key(name) {
                let plain = self.plain(name, &schema["properties"][name]);
                members.insert(name.to_owned(), plain);
            }
        }
        for (name, value) in members {
            if let Some(schema) = schema["properties"].get(name) {
                self.fill(schema, value);
            }
        }
    }

    /// How many members of a value a schema knows; one that is about another kind of value is out of the question.
    fn likeness(&self, schema: &Value, value: &Value) -> Option<usize> {
        let schema = self.resolve(schema);
        match value {
            Value::Object(members) => {
                let known = schema.get("properties")?;
                let known = members.keys().filter(|name| known.get(name).is_some());
                Some(known.count())
            }
            Value::Array(_) => schema.get("items").map(|_| 0),
            _ => None,
        }
    }

    /// The plainest value that a schema allows.
    fn plain(&self, name: &str, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        let is_nullable = list(schema, "type").any(|kind| kind == "null");
        let is_nullable = is_nullable || list(schema, "anyOf").any(|it| it["type"] == "null");
        if is_nullable {
            return Value::Null;
        }
        if let Some(first) = list(schema, "enum").next() {
            return first.clone();
        }
        let branches = ["oneOf", "anyOf"];
        let branch = branches
            .iter()
            .find_map(|keyword| list(schema, keyword).next());
        match (schema["type"].as_str(), branch) {
            (Some("string"), _) => plain_text(name, &schema["format"]),
            (Some("integer" | "number"), _) => json!(0),
            (Some("boolean"), _) => json!(false),
            (Some("array"), _) => json!([]),
            (None, Some(branch)) => self.plain(name, branch),
            _ => {
                let mut value = json!({});
                self.fill(schema, &mut value);
                value
            }
        }
    }
}

fn plain_text(name: &str, format: &Value) -> Value {
    if format == "date-time" {
        json!(time::stamp(time::START))
    } else if format == "uri" || name == "url" || name.ends_with("_url") {
        json!(format!("https://github.com/#{name}"))
    } else {
        json!("")
    }
}

fn list<'a>(schema: &'a Value, keyword: &str) -> impl DoubleEndedIterator<Item = &'a Value> {
    schema
        .get(keyword)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}
