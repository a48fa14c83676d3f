//! Which part of its suite a run file holds: a member of its header that only shards have.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parts::{params_into_domain, params_of, unique};
use crate::{BenchName, FactValue, NameError, Part, StepName, Unmeasured};

/// Which of the suite's steps the run holds; one without this member holds all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct PartV1 {
    steps: Vec<String>,
    of: Vec<String>,
    /// How it was measured, in words.
    how: String,
    /// What was answered for and not measured in this part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unmeasured: Vec<UnmeasuredV1>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct UnmeasuredV1 {
    benchmark: String,
    #[serde(
        default,
        deserialize_with = "unique",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    params: BTreeMap<String, String>,
    step: String,
}

impl PartV1 {
    pub(super) fn of(part: &Part) -> Self {
        let texts = |steps: &[StepName]| steps.iter().map(ToString::to_string).collect();
        Self {
            steps: texts(part.steps()),
            of: texts(part.of()),
            how: part.how.to_string(),
            unmeasured: part.unmeasured.iter().map(UnmeasuredV1::of).collect(),
        }
    }

    pub(super) fn into_domain(self) -> Result<Part, String> {
        let text = |error: NameError| error.to_string();
        let names = |texts: Vec<String>| {
            let names = texts.into_iter().map(StepName::new);
            names.collect::<Result<Vec<_>, _>>().map_err(text)
        };
        let how = FactValue::new(self.how).map_err(text)?;
        let part = Part::new(names(self.steps)?, names(self.of)?, how);
        let mut part = part.map_err(|error| error.to_string())?;
        let unmeasured = self.unmeasured.into_iter().map(UnmeasuredV1::into_domain);
        part.unmeasured = unmeasured.collect::<Result<_, _>>().map_err(text)?;
        Ok(part)
    }
}

impl UnmeasuredV1 {
    fn of(unmeasured: &Unmeasured) -> Self {
        Self {
            benchmark: unmeasured.name.to_string(),
            params: params_of(&unmeasured.params),
            step: unmeasured.step.to_string(),
        }
    }

    fn into_domain(self) -> Result<Unmeasured, NameError> {
        Ok(Unmeasured {
            name: BenchName::new(self.benchmark)?,
            params: params_into_domain(self.params)?,
            step: StepName::new(self.step)?,
        })
    }
}
