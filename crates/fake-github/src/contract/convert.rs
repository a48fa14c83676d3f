//! From the dialect of OpenAPI 3.0 to JSON Schema: `nullable` becomes a type, or an alternative. And the few places where
//! GitHub does what its description forbids.

use serde_json::{Value, json};

/// Converts all schemas of a description in place.
pub(super) fn to_json_schema(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(to_json_schema),
        Value::Object(members) => {
            members.values_mut().for_each(to_json_schema);
            // A member of the data may be called so, too: then this is its schema, and no truth.
            if let Some(Value::Bool(is_nullable)) = members.get("nullable") {
                let is_nullable = *is_nullable;
                members.remove("nullable");
                if is_nullable {
                    allow_null(value);
                }
            }
        }
        _ => {}
    }
}

/// What may be null, whatever the description says: the repository of a head whose fork was deleted.
const NULL_AFTER_ALL: &[&str] = &[
    "/components/schemas/pull-request-simple/properties/head/properties/repo",
    "/components/schemas/pull-request/properties/head/properties/repo",
];

/// Alternatives that exclude each other, and cannot: whatever is one of these refusals is the other, too.
const NOT_ONE_OF: &[&str] = &[
    "/paths/~1repos~1{owner}~1{repo}~1contents~1{path}/put/responses/409/content/application~1json/schema",
];

/// Lets a description allow what GitHub does.
pub(super) fn correct(document: &mut Value) {
    for place in NOT_ONE_OF {
        let schema = document.pointer_mut(place).and_then(Value::as_object_mut);
        if let Some(schema) = schema
            && let Some(branches) = schema.remove("oneOf")
        {
            schema.insert("anyOf".to_owned(), branches);
        }
    }
    for place in NULL_AFTER_ALL {
        if let Some(schema) = document.pointer_mut(place) {
            allow_null(schema);
        }
    }
}

fn allow_null(schema: &mut Value) {
    if let Some(allowed) = schema.get_mut("enum").and_then(Value::as_array_mut)
        && !allowed.contains(&Value::Null)
    {
        allowed.push(Value::Null);
    }
    match schema.get("type") {
        Some(Value::String(kind)) => schema["type"] = json!([kind, "null"]),
        Some(_) => {}
        None => *schema = json!({"anyOf": [schema.take(), {"type": "null"}]}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_a_type_or_an_alternative() {
        let mut schema = json!({"properties": {
            "a": {"type": "string", "nullable": true, "enum": ["b"]},
            "c": {"oneOf": [{"type": "string"}], "nullable": true},
            "d": {"type": "string", "nullable": false}
        }});
        to_json_schema(&mut schema);
        let wanted = json!({"properties": {
            "a": {"type": ["string", "null"], "enum": ["b", null]},
            "c": {"anyOf": [{"oneOf": [{"type": "string"}]}, {"type": "null"}]},
            "d": {"type": "string"}
        }});
        assert_eq!(schema, wanted);
    }

    #[test]
    fn a_member_may_be_called_so() {
        let mut schema = json!({"properties": {"nullable": {"type": "boolean"}}});
        let before = schema.clone();
        to_json_schema(&mut schema);
        assert_eq!(schema, before);
    }

    #[test]
    fn every_correction_finds_its_place() {
        let mut document: Value = serde_json::from_str(crate::CONTRACT).unwrap();
        for place in NOT_ONE_OF {
            assert!(document.pointer(place).unwrap().get("oneOf").is_some());
        }
        correct(&mut document);
        for place in NOT_ONE_OF.iter().chain(NULL_AFTER_ALL) {
            assert!(document.pointer(place).unwrap().get("anyOf").is_some());
        }
    }
}
