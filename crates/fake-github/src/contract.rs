//! What GitHub says about its own interface, and the checks that follow from it.
//!
//! The description is a committed part of what GitHub publishes (`contract/README.md`). A request that it does not allow
//! is a mistake of the client; a reply that it does not allow is one of ours. Both are checked on every request.
//!
//! Tested in `tests/fake/contract.rs`: the description leads nowhere but into itself, and is of just the operations answered here.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use jsonschema::{Draft, Registry, Validator};
use serde_json::{Value, json};

mod complete;
mod convert;
mod members;
mod paths;
mod requests;

use paths::Template;

/// The committed description.
pub const TEXT: &str = include_str!("../contract/github.json");

/// The address it is registered under; nothing is ever fetched from it.
const ADDRESS: &str = "contract:/github.json";

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    Contract::read(TEXT).expect("the committed description is read by a test of this package")
});

/// The description, ready to check by.
pub(crate) struct Contract {
    operations: Vec<Operation>,
    document: Value,
    registry: Registry<'static>,
    validators: Mutex<BTreeMap<String, Arc<Validator>>>,
}

/// One operation.
pub(crate) struct Operation {
    /// `issues/create-comment`.
    pub(crate) id: String,
    /// Where GitHub explains it.
    pub(crate) manual: String,
    method: String,
    template: Template,
    parameters: Vec<Parameter>,
    body: Option<Body>,
    /// By status: where the schema of the reply's body is, or nothing where it has none.
    replies: BTreeMap<u16, Option<String>>,
}

struct Parameter {
    name: String,
    in_path: bool,
    required: bool,
    schema: Value,
}

struct Body {
    required: bool,
    schema: String,
}

/// An operation that a path was found to mean, with what stands in the places of its parameters.
pub(crate) struct Found {
    pub(crate) operation: &'static Operation,
    pub(crate) parameters: BTreeMap<String, String>,
}

/// The description, read once.
pub(crate) fn contract() -> &'static Contract {
    &CONTRACT
}

impl Contract {
    fn read(text: &str) -> anyhow::Result<Self> {
        let mut document: Value = serde_json::from_str(text)?;
        convert::to_json_schema(&mut document);
        convert::correct(&mut document);
        let registry = Registry::new().add(ADDRESS, document.clone())?.prepare()?;
        let mut contract = Self {
            operations: Vec::new(),
            document,
            registry,
            validators: Mutex::new(BTreeMap::new()),
        };
        contract.operations = contract.all_operations();
        Ok(contract)
    }

    /// Finds the operation that a method and path mean. Where several fit, it is the one with most fixed parts.
    pub(crate) fn find(&'static self, method: &str, path: &str) -> Option<Found> {
        let fitting = self
            .operations
            .iter()
            .filter(|operation| operation.method == method)
            .filter_map(|operation| {
                let parameters = operation.template.matches(path)?;
                Some(Found {
                    operation,
                    parameters,
                })
            });
        fitting.max_by_key(|found| found.operation.template.fixed_parts())
    }

    /// Follows references until there is none.
    fn resolve<'a>(&'a self, mut schema: &'a Value) -> &'a Value {
        while let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            schema = self.at(reference);
        }
        schema
    }

    /// What a reference leads to; nothing is null.
    fn at(&self, reference: &str) -> &Value {
        static NOTHING: Value = Value::Null;
        let pointer = reference.trim_start_matches('#');
        self.document.pointer(pointer).unwrap_or(&NOTHING)
    }

    /// Says what is wrong with a value by the schema at this place, if anything.
    fn fault(&self, place: &str, value: &Value) -> Option<String> {
        let mut validators = self
            .validators
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let validator = match validators.get(place) {
            Some(validator) => Arc::clone(validator),
            None => {
                let place_in_address = place.replace('{', "%7B").replace('}', "%7D");
                let schema = json!({"$ref": format!("{ADDRESS}{place_in_address}")});
                let built = jsonschema::options()
                    .with_draft(Draft::Draft202012)
                    .with_registry(&self.registry)
                    .should_validate_formats(true)
                    .build(&schema);
                let validator = match built {
                    Ok(validator) => Arc::new(validator),
                    Err(error) => {
                        return Some(format!("the schema at {place} is unusable: {error}"));
                    }
                };
                validators.insert(place.to_owned(), Arc::clone(&validator));
                validator
            }
        };
        drop(validators);
        validator.iter_errors(value).next().map(|error| {
            let at = error.instance_path().to_string();
            let what: String = error.to_string().chars().take(300).collect();
            format!("{}: {what}", if at.is_empty() { "/" } else { &at })
        })
    }

    fn all_operations(&self) -> Vec<Operation> {
        let mut all = Vec::new();
        for (path, methods) in self.document["paths"].as_object().into_iter().flatten() {
            for (method, described) in methods.as_object().into_iter().flatten() {
                let place = format!("#/paths/{}/{method}", escaped(path));
                all.push(self.operation(path, method, described, &place));
            }
        }
        all
    }

    fn operation(&self, path: &str, method: &str, described: &Value, place: &str) -> Operation {
        let parameters: Vec<&Value> = described["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|parameter| self.resolve(parameter))
            .collect();
        let with_slashes = parameters
            .iter()
            .filter(|parameter| parameter["x-multi-segment"] == true)
            .filter_map(|parameter| parameter["name"].as_str());
        let replies = described["responses"].as_object().into_iter().flatten();
        Operation {
            id: text(&described["operationId"]),
            manual: text(&described["externalDocs"]["url"]),
            method: method.to_uppercase(),
            template: Template::new(path, &with_slashes.collect::<Vec<_>>()),
            parameters: parameters
                .into_iter()
                .map(|parameter| Parameter {
                    name: text(&parameter["name"]),
                    in_path: parameter["in"] == "path",
                    required: parameter["required"] == true,
                    schema: self.resolve(&parameter["schema"]).clone(),
                })
                .collect(),
            body: described.get("requestBody").map(|body| Body {
                required: body["required"] == true,
                schema: format!("{place}/requestBody/content/application~1json/schema"),
            }),
            replies: replies
                .filter_map(|(status, reply)| {
                    let place = reply["$ref"]
                        .as_str()
                        .map_or_else(|| format!("{place}/responses/{status}"), str::to_owned);
                    let schema = format!("{place}/content/application~1json/schema");
                    let has_body = !self.at(&schema).is_null();
                    Some((status.parse().ok()?, has_body.then_some(schema)))
                })
                .collect(),
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Writes a path as one part of a JSON pointer.
fn escaped(path: &str) -> String {
    path.replace('~', "~0").replace('/', "~1")
}
