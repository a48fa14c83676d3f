//! The parts that run file and report file share.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::{Error as _, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::few;
use crate::{
    CommitId, Environment, EnvironmentName, FactName, FactValue, Failure, FailureKind, Metric,
    MetricName, NameError, ParamKey, ParamValue, Params, Producer, Revision, StepName,
    TAIL_BYTES_MAX, Unit,
};

/// A number that is written without a decimal point where it is whole.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema)]
#[schemars(transparent)]
pub(super) struct Number(pub(super) f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value) = *self;
        if !value.is_finite() {
            // JSON has no word for it: `null` would be written, and the file could not be read back.
            let problem = format!("{value} is not a finite number");
            return Err(serde::ser::Error::custom(problem));
        }
        if value.fract() == 0.0 && (0.0..=crate::COUNT_MAX).contains(&value) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the value is whole, and within 0 and 2^53"
            )]
            return serializer.serialize_u64(value as u64);
        }
        serializer.serialize_f64(value)
    }
}

/// Takes any JSON number that a count or a time can be.
struct AnyNumber;

impl Visitor<'_> for AnyNumber {
    type Value = Number;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number of at most 2^53")
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "what would lose digits is refused, and 2^53 is whole and positive"
    )]
    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Number, E> {
        // Compared as it stands: the conversion would round 2^53 + 1 to 2^53.
        if value > crate::COUNT_MAX as u64 {
            return Err(E::invalid_value(Unexpected::Unsigned(value), &self));
        }
        Ok(Number(value as f64))
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a sample refuses all values below zero"
    )]
    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyNumber)
    }
}

/// A finite number of any size and sign, written like [`Number`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[schemars(transparent)]
#[serde(transparent)]
pub(super) struct Real(#[serde(serialize_with = "real")] pub(super) f64);

fn real<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*value).serialize(serializer)
}

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // JSON has no word for what is not finite.
        f64::deserialize(deserializer).map(Self)
    }
}

/// Takes over a word of the vocabulary in both directions.
macro_rules! words {
    ($(#[$doc:meta])* $wire:ident = $domain:ident { $($variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub(super) enum $wire { $($variant),+ }

        impl From<crate::$domain> for $wire {
            fn from(word: crate::$domain) -> Self {
                match word { $(crate::$domain::$variant => Self::$variant),+ }
            }
        }

        impl From<$wire> for crate::$domain {
            fn from(word: $wire) -> Self {
                match word { $($wire::$variant => Self::$variant),+ }
            }
        }
    };
}
pub(super) use words;

words!(
    /// Which direction is an improvement.
    BetterV1 = Better { Lower, Higher, Neither }
);
words!(
    /// What kind of number a metric is.
    NatureV1 = Nature { Exact, Sampled, Summarized }
);
words!(
    /// What we do about it.
    GateV1 = Gate { Pass, Warn, Fail }
);
words!(
    /// Whether the work tree was the commit.
    WorkTreeV1 = WorkTree { Clean, Modified }
);
words!(
    /// What an acceptance lets pass: a change, that a limit is crossed, or both.
    CoversV1 = Covers { Change, Limit, Both }
);

impl CoversV1 {
    /// What is not said, because most are of a change.
    pub(super) fn is_change(&self) -> bool {
        *self == Self::Change
    }
}

#[expect(
    clippy::derivable_impls,
    reason = "the macro that makes it knows no variant that is the default"
)]
impl Default for CoversV1 {
    fn default() -> Self {
        Self::Change
    }
}

// What wrote a file. No doc comment: it would stand in the schema of the run file, which is frozen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct ProducerV1 {
    name: String,
    version: String,
}

impl ProducerV1 {
    pub(super) fn of(producer: &Producer) -> Self {
        let Producer { name, version } = producer.clone();
        Self { name, version }
    }

    pub(super) fn into_domain(self) -> Producer {
        let Self { name, version } = self;
        Producer { name, version }
    }
}

/// The description of a metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct MetricV1 {
    unit: String,
    better: BetterV1,
    nature: NatureV1,
}

impl MetricV1 {
    pub(super) fn of(metric: &Metric) -> Self {
        Self {
            unit: metric.unit.symbol().to_owned(),
            better: metric.better.into(),
            nature: metric.nature.into(),
        }
    }

    pub(super) fn named(&self, name: &str) -> Result<Metric, NameError> {
        Ok(Metric {
            name: MetricName::new(name)?,
            unit: Unit::from_symbol(&self.unit)?,
            better: self.better.into(),
            nature: self.nature.into(),
        })
    }
}

/// Returns the metrics of a table by their names.
pub(super) fn named_metrics(
    table: &BTreeMap<String, MetricV1>,
) -> Result<BTreeMap<String, Metric>, NameError> {
    let mut named = BTreeMap::new();
    for (name, metric) in table {
        named.insert(name.clone(), metric.named(name)?);
    }
    Ok(named)
}

/// The state of the code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct RevisionV1 {
    commit: String,
    work_tree: WorkTreeV1,
}

impl RevisionV1 {
    pub(super) fn of(revision: &Revision) -> Self {
        Self {
            commit: revision.commit.to_string(),
            work_tree: revision.work_tree.into(),
        }
    }

    pub(super) fn into_domain(self) -> Result<Revision, NameError> {
        let commit = CommitId::new(&self.commit)?;
        Ok(Revision {
            commit,
            work_tree: self.work_tree.into(),
        })
    }
}

/// Where a run was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct EnvironmentV1 {
    name: String,
    #[serde(deserialize_with = "unique")]
    facts: BTreeMap<String, String>,
}

impl EnvironmentV1 {
    pub(super) fn of(environment: &Environment) -> Self {
        let facts = environment.facts();
        Self {
            name: environment.name.to_string(),
            facts: few::map_of(facts.map(|(name, value)| (name.to_string(), value.to_string()))),
        }
    }

    pub(super) fn into_domain(self) -> Result<Environment, NameError> {
        let mut environment = Environment::new(EnvironmentName::new(self.name)?);
        for (name, value) in self.facts {
            environment.state(FactName::new(name)?, FactValue::new(value)?);
        }
        Ok(environment)
    }
}

/// What was to be measured and was not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct FailureV1 {
    step: String,
    kind: FailureKindV1,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    tail: String,
}

/// How a step failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum FailureKindV1 {
    Build,
    Exit(i32),
    Signal(i32),
    Timeout(u64),
    Start,
    Nothing,
    DebugBuild,
    Output,
    NoReading,
    Interrupted,
}

impl FailureV1 {
    pub(super) fn of(failure: &Failure) -> Self {
        let kind = match failure.kind {
            FailureKind::Build => FailureKindV1::Build,
            FailureKind::Exit(code) => FailureKindV1::Exit(code),
            FailureKind::Signal(signal) => FailureKindV1::Signal(signal),
            FailureKind::Timeout(seconds) => FailureKindV1::Timeout(seconds),
            FailureKind::Start => FailureKindV1::Start,
            FailureKind::Nothing => FailureKindV1::Nothing,
            FailureKind::DebugBuild => FailureKindV1::DebugBuild,
            FailureKind::Output => FailureKindV1::Output,
            FailureKind::NoReading => FailureKindV1::NoReading,
            FailureKind::Interrupted => FailureKindV1::Interrupted,
        };
        Self {
            step: failure.step.to_string(),
            kind,
            detail: failure.detail.clone(),
            tail: failure.tail.clone(),
        }
    }

    pub(super) fn into_domain(self) -> Result<Failure, String> {
        let bytes = self.tail.len();
        if bytes > TAIL_BYTES_MAX {
            return Err(format!(
                "a tail of {bytes} bytes, more than the {TAIL_BYTES_MAX} allowed"
            ));
        }
        let kind = match self.kind {
            FailureKindV1::Build => FailureKind::Build,
            FailureKindV1::Exit(code) => FailureKind::Exit(code),
            FailureKindV1::Signal(signal) => FailureKind::Signal(signal),
            FailureKindV1::Timeout(seconds) => FailureKind::Timeout(seconds),
            FailureKindV1::Start => FailureKind::Start,
            FailureKindV1::Nothing => FailureKind::Nothing,
            FailureKindV1::DebugBuild => FailureKind::DebugBuild,
            FailureKindV1::Output => FailureKind::Output,
            FailureKindV1::NoReading => FailureKind::NoReading,
            FailureKindV1::Interrupted => FailureKind::Interrupted,
        };
        let step = StepName::new(self.step).map_err(|error| error.to_string())?;
        Ok(Failure::new(step, kind, self.detail, &self.tail))
    }
}

/// Writes params as texts.
pub(super) fn params_of(params: &Params) -> BTreeMap<String, String> {
    let texts = params
        .iter()
        .map(|(key, value)| (key.to_string(), value.to_string()));
    few::map_of(texts)
}

/// Reads params from texts.
pub(super) fn params_into_domain(params: BTreeMap<String, String>) -> Result<Params, NameError> {
    let mut read = Params::new();
    for (key, value) in params {
        read.insert(ParamKey::new(key)?, ParamValue::new(value)?);
    }
    Ok(read)
}

/// Takes a map in which no key stands twice.
struct UniqueKeys<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for UniqueKeys<V> {
    type Value = BTreeMap<String, V>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("key `{key}` stands twice")));
            }
            map.insert(key, entries.next_value()?);
        }
        Ok(map)
    }
}

/// Reads a map, and refuses a key that stands twice, of which serde would keep the last without a word.
pub(super) fn unique<'de, D: Deserializer<'de>, V: Deserialize<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, V>, D::Error> {
    deserializer.deserialize_map(UniqueKeys(PhantomData))
}

/// Refuses a version this program does not know, before anything else of the file is looked at.
pub(super) fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        1 => Ok(1),
        other => Err(D::Error::custom(format!(
            "the file is of version {other}, and this program reads version 1: use a newer tripline"
        ))),
    }
}

/// The version member alone, so that a file of another version is refused for that and nothing else.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct VersionProbe {
    #[serde(rename = "version", deserialize_with = "version")]
    _version: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It would be written as `null`, which no reader of ours takes.
    #[test]
    fn what_is_no_number_is_not_written() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(serde_json::to_string(&Number(value)).is_err());
        }
        assert_eq!(serde_json::to_string(&Number(-0.0)).unwrap(), "0");
    }
}
