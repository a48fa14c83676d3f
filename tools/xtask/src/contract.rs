//! Cuts the part of GitHub's published interface that the stand-in answers out of the whole of it.
//!
//! The whole is 13 MB and describes more than a thousand operations; the tests need some forty, and what their schemas
//! lead to. What is left out changes no check: prose, examples, headers, and every media type but JSON. The cut is sorted
//! and has one operation or schema a line, so that a newer description shows as a diff that can be read.
//!
//! Tested below on a small description.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

/// Where the cut is kept, and the list of what is in it.
const FRAGMENT: &str = "crates/fake-github/contract/github.json";
const OPERATIONS: &str = "crates/fake-github/contract/operations.txt";

/// The description inside the npm package `@octokit/openapi`.
const IN_PACKAGE: &str = "generated/api.github.com.json";

/// What is told after a cut.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) operations: usize,
    pub(crate) components: usize,
    pub(crate) bytes: usize,
}

/// Cuts the committed fragment anew. `from` is the description, or the folder of the npm package it is in.
pub(crate) fn cut(root: &Path, from: &Path) -> Result<Cut> {
    let source = find(from)?;
    let text =
        fs::read_to_string(&source).with_context(|| format!("cannot read {}", source.display()))?;
    let whole: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is not JSON", source.display()))?;
    let list = root.join(OPERATIONS);
    let list = fs::read_to_string(&list).with_context(|| format!("cannot read {OPERATIONS}"))?;
    let fragment = Fragment::of(&whole, &list.lines().collect())?;
    let text = fragment.text();
    fs::write(root.join(FRAGMENT), &text).with_context(|| format!("cannot write {FRAGMENT}"))?;
    Ok(Cut {
        operations: fragment.operations.len(),
        components: fragment.components.len(),
        bytes: text.len(),
    })
}

fn find(from: &Path) -> Result<PathBuf> {
    if from.is_file() {
        return Ok(from.to_owned());
    }
    let inside = [from.join(IN_PACKAGE), from.join("package").join(IN_PACKAGE)];
    inside
        .into_iter()
        .find(|path| path.is_file())
        .with_context(|| {
            format!(
                "{} holds no {IN_PACKAGE}; `npm pack @octokit/openapi` and unpack it",
                from.display()
            )
        })
}

/// The part that is kept.
struct Fragment {
    version: Value,
    /// By path and method.
    operations: BTreeMap<(String, String), Value>,
    /// By kind (`schemas`, `parameters`, `responses`) and name.
    components: BTreeMap<(String, String), Value>,
}

impl Fragment {
    fn of(whole: &Value, wanted: &BTreeSet<&str>) -> Result<Self> {
        let mut operations = BTreeMap::new();
        let mut found = BTreeSet::new();
        for (path, methods) in members(&whole["paths"]) {
            for (method, operation) in members(methods) {
                let id = operation["operationId"].as_str().unwrap_or_default();
                if wanted.contains(id) {
                    found.insert(id);
                    operations.insert((path.clone(), method.clone()), operation_of(operation));
                }
            }
        }
        if let Some(missing) = wanted.difference(&found).next() {
            bail!("the description has no operation `{missing}`, which {OPERATIONS} asks for");
        }
        let mut fragment = Self {
            version: json!({"source": "@octokit/openapi", "version": whole["info"]["version"]}),
            operations,
            components: BTreeMap::new(),
        };
        fragment.close(whole)?;
        Ok(fragment)
    }

    /// Adds whatever is pointed at, until nothing points out of the fragment.
    fn close(&mut self, whole: &Value) -> Result<()> {
        let mut open: Vec<String> = self.operations.values().flat_map(references).collect();
        while let Some(reference) = open.pop() {
            let place = reference
                .strip_prefix("#/components/")
                .and_then(|place| place.split_once('/'));
            let Some((kind, name)) = place else {
                bail!("`{reference}` leads out of the components");
            };
            let key = (kind.to_owned(), name.to_owned());
            if self.components.contains_key(&key) {
                continue;
            }
            let found = &whole["components"][kind][name];
            if found.is_null() {
                bail!("`{reference}` leads nowhere");
            }
            let component = match kind {
                "responses" => response_of(found),
                _ => trimmed(found),
            };
            open.extend(references(&component));
            self.components.insert(key, component);
        }
        Ok(())
    }

    /// One operation or component a line.
    fn text(&self) -> String {
        let paths = grouped(&self.operations);
        let components = grouped(&self.components);
        format!(
            "{{\n\"info\":{},\n\"paths\":{paths},\n\"components\":{components}\n}}\n",
            self.version
        )
    }
}

fn grouped(values: &BTreeMap<(String, String), Value>) -> String {
    let mut groups: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((group, name), value) in values {
        let line = format!("{}:{value}", json!(name));
        groups.entry(group).or_default().push(line);
    }
    let groups: Vec<String> = groups
        .into_iter()
        .map(|(group, lines)| format!("{}:{{\n{}\n}}", json!(group), lines.join(",\n")))
        .collect();
    format!("{{\n{}\n}}", groups.join(",\n"))
}

fn operation_of(operation: &Value) -> Value {
    let mut kept = Map::new();
    for name in ["operationId", "parameters"] {
        if let Some(value) = operation.get(name) {
            kept.insert(name.to_owned(), trimmed(value));
        }
    }
    // Where it is explained is part of every refusal.
    if let Some(manual) = operation.get("externalDocs") {
        kept.insert("externalDocs".to_owned(), manual.clone());
    }
    if let Some(body) = operation.get("requestBody") {
        kept.insert("requestBody".to_owned(), response_of(body));
    }
    let responses = members(&operation["responses"]).map(|(status, response)| {
        let response = match response.get("$ref") {
            Some(_) => response.clone(),
            None => response_of(response),
        };
        (status.clone(), response)
    });
    kept.insert("responses".to_owned(), responses.collect());
    Value::Object(kept)
}

/// Keeps the JSON of a request or response, and whether it must be there.
fn response_of(response: &Value) -> Value {
    let mut kept = Map::new();
    if let Some(required) = response.get("required") {
        kept.insert("required".to_owned(), required.clone());
    }
    let media = &response["content"]["application/json"];
    if !media.is_null() {
        let media = json!({"application/json": {"schema": trimmed(&media["schema"])}});
        kept.insert("content".to_owned(), media);
    }
    Value::Object(kept)
}

/// Members of schemas and parameters that say nothing about what is valid.
const PROSE: &[&str] = &[
    "deprecated",
    "description",
    "example",
    "examples",
    "externalDocs",
    "summary",
    "title",
];

fn trimmed(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(name, _)| !PROSE.contains(&name.as_str()) && !is_extension(name))
            .map(|(name, value)| {
                let value = match (name.as_str(), value) {
                    // Here the names are those of the data: one may well be called `description`.
                    ("properties", Value::Object(properties)) => properties
                        .iter()
                        .map(|(name, schema)| (name.clone(), trimmed(schema)))
                        .collect(),
                    ("enum" | "default" | "required", _) => value.clone(),
                    _ => trimmed(value),
                };
                (name.clone(), value)
            })
            .collect(),
        Value::Array(items) => items.iter().map(trimmed).collect(),
        other => other.clone(),
    }
}

/// Of GitHub's own additions, one matters: that a parameter may hold slashes.
fn is_extension(name: &str) -> bool {
    name.starts_with("x-") && name != "x-multi-segment"
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| match (name.as_str(), value) {
                ("$ref", Value::String(reference)) => vec![reference.clone()],
                _ => references(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: &str = "crates/fake-github/contract";

    fn description() -> Value {
        json!({
            "info": {"version": "1.2.3"},
            "paths": {
                "/a/{b}": {
                    "get": {
                        "operationId": "a/get", "summary": "Prose.", "x-github": {},
                        "externalDocs": {"url": "https://manual"},
                        "parameters": [{"name": "b", "in": "path", "x-multi-segment": true, "example": "c"}],
                        "responses": {
                            "200": {"description": "Fine.", "content": {
                                "application/json": {"schema": {"$ref": "#/components/schemas/a"}, "examples": {}},
                                "text/plain": {"schema": {"$ref": "#/components/schemas/unused"}}
                            }},
                            "404": {"$ref": "#/components/responses/none"}
                        }
                    },
                    "put": {"operationId": "a/put", "responses": {}}
                }
            },
            "components": {
                "schemas": {
                    "a": {"title": "A", "properties": {"description": {"type": "string", "description": "Prose."},
                          "next": {"$ref": "#/components/schemas/a"}}},
                    "unused": {"type": "string"}
                },
                "responses": {"none": {"description": "Not there."}}
            }
        })
    }

    #[test]
    fn keeps_what_is_asked_for_and_what_it_leads_to() {
        let cut = Fragment::of(&description(), &BTreeSet::from(["a/get"])).unwrap();
        let wanted = "{\n\"info\":{\"source\":\"@octokit/openapi\",\"version\":\"1.2.3\"},\n\"paths\":{\n\"/a/{b}\":{\n\
             \"get\":{\"externalDocs\":{\"url\":\"https://manual\"},\"operationId\":\"a/get\",\"parameters\":[{\"in\":\"path\",\"name\":\"b\",\"x-multi-segment\":true}],\
             \"responses\":{\"200\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/a\"}}}},\
             \"404\":{\"$ref\":\"#/components/responses/none\"}}}\n}\n},\n\"components\":{\n\
             \"responses\":{\n\"none\":{}\n},\n\"schemas\":{\n\
             \"a\":{\"properties\":{\"description\":{\"type\":\"string\"},\"next\":{\"$ref\":\"#/components/schemas/a\"}}}\n\
             }\n}\n}\n";
        assert_eq!(cut.text(), wanted);
    }

    #[test]
    fn the_package_is_read_and_the_fragment_written() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("package");
        for place in [package.join("generated"), folder.path().join(PLACE)] {
            fs::create_dir_all(place).unwrap();
        }
        fs::write(folder.path().join(OPERATIONS), "a/get\na/put\n").unwrap();
        fs::write(package.join(IN_PACKAGE), description().to_string()).unwrap();
        for from in [folder.path(), &package, &package.join(IN_PACKAGE)] {
            let cut = cut(folder.path(), from).unwrap();
            assert_eq!((cut.operations, cut.components), (2, 2));
            let text = fs::read_to_string(folder.path().join(FRAGMENT)).unwrap();
            assert_eq!(text.len(), cut.bytes);
            let fragment: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(fragment["info"]["version"], "1.2.3");
        }
        let nothing = cut(folder.path(), &folder.path().join(PLACE)).unwrap_err();
        assert!(nothing.to_string().contains("npm pack"), "{nothing}");
    }

    #[test]
    fn what_is_missing_is_named() {
        let unknown = Fragment::of(&description(), &BTreeSet::from(["a/post"])).err();
        assert!(unknown.unwrap().to_string().contains("`a/post`"));

        let mut broken = description();
        broken["components"]["responses"] = json!({});
        let broken = Fragment::of(&broken, &BTreeSet::from(["a/get"])).err();
        assert!(broken.unwrap().to_string().contains("responses/none"));
    }
}
