//! What a history that was taken over says besides its numbers, as it stands in the files of records and of series.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parts::Real;
use crate::{Behind, Origin, OriginCommit, Person, Row, Said, Span};

/// Which series; what its benchmark was called, where that is not its name; and its unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct RowV1(usize, Option<String>, Option<String>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub(super) struct OriginV1 {
    /// When the latest of the runs in front of it was measured, as RFC 3339, and by how many places it stands behind that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    behind: Option<BehindV1>,
    /// Row and value in the unit it was written in, where that is not the record's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<ValueV1>,
    /// The ranges that are not `±` and the reach.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ranges: Vec<SpanV1>,
    /// What else was written of values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extras: Vec<SpanV1>,
    /// Members of values that stood there otherwise, or that nothing else says: a list of names and values, as JSON.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    members: Vec<SpanV1>,
    /// What was written of the commit's hash, where that is only the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<PersonV1>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    committer: Option<PersonV1>,
    /// Whether the commit was new to its push.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    distinct: Option<bool>,
    /// The commit's message, where the subject is not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// When the commit was made, as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tree: Option<String>,
    /// The address of the commit's page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct BehindV1(String, u32);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct ValueV1(usize, Real);

/// The first row, how many rows, and the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct SpanV1(usize, usize, String);

/// Somebody, without an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct PersonV1 {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    username: Option<String>,
}

impl RowV1 {
    pub(super) fn of(row: &Row) -> Self {
        Self(row.series, text(&row.name), text(&row.unit))
    }

    pub(super) fn into_domain(self) -> Row {
        let Self(series, name, unit) = self;
        Row {
            series,
            name: name.map(Into::into),
            unit: unit.map(Into::into),
        }
    }
}

fn text(text: &Option<Box<str>>) -> Option<String> {
    text.as_deref().map(str::to_owned)
}

impl OriginV1 {
    pub(super) fn of(origin: &Origin) -> Self {
        let behind = |behind: &Behind| BehindV1(behind.latest.to_string(), behind.places);
        let value = |(row, value): &(usize, f64)| ValueV1(*row, Real(*value));
        let commit = &origin.commit;
        Self {
            behind: origin.behind.as_ref().map(behind),
            values: origin.values.iter().map(value).collect(),
            ranges: SpanV1::all(&origin.ranges),
            extras: SpanV1::all(&origin.extras),
            members: SpanV1::all(&origin.members),
            id: text(&commit.id),
            author: commit.author.as_ref().map(PersonV1::of),
            committer: commit.committer.as_ref().map(PersonV1::of),
            distinct: commit.is_distinct,
            message: text(&commit.message),
            timestamp: text(&commit.timestamp),
            tree: text(&commit.tree),
            page: text(&commit.page),
        }
    }

    /// Takes what is said of so many rows.
    pub(super) fn into_domain(self, rows: usize) -> Result<Origin, String> {
        let behind = |BehindV1(latest, places): BehindV1| {
            let latest = latest.parse();
            let latest = latest.map_err(|error| format!("`behind` is no RFC 3339 time ({error})"));
            Ok::<_, String>(Behind {
                latest: latest?,
                places,
            })
        };
        let values = self.values.into_iter();
        let values: Vec<(usize, f64)> = values.map(|ValueV1(row, value)| (row, value.0)).collect();
        let is_last_within = values.last().is_none_or(|(row, _)| *row < rows);
        if !is_last_within || !values.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(format!("the `values` are not in order among {rows} rows"));
        }
        let is_list = |span: &SpanV1| {
            serde_json::from_str::<Vec<(String, serde::de::IgnoredAny)>>(&span.2).is_ok()
        };
        if !self.members.iter().all(is_list) {
            return Err("the `members` are no lists of names and values".to_owned());
        }
        Ok(Origin {
            behind: self.behind.map(behind).transpose()?,
            values: values.into(),
            ranges: SpanV1::into_domain("ranges", self.ranges, rows)?,
            extras: SpanV1::into_domain("extras", self.extras, rows)?,
            members: SpanV1::into_domain("members", self.members, rows)?,
            commit: OriginCommit {
                id: self.id.map(Into::into),
                author: self.author.map(PersonV1::into_domain),
                committer: self.committer.map(PersonV1::into_domain),
                is_distinct: self.distinct,
                message: self.message.map(Into::into),
                timestamp: self.timestamp.map(Into::into),
                tree: self.tree.map(Into::into),
                page: self.page.map(Into::into),
            },
        })
    }
}

impl SpanV1 {
    fn all(said: &Said) -> Vec<Self> {
        let span = |span: &Span| Self(span.first, span.count, span.text.to_string());
        said.spans().iter().map(span).collect()
    }

    fn into_domain(what: &str, spans: Vec<Self>, rows: usize) -> Result<Said, String> {
        let span = |Self(first, count, text): Self| Span {
            first,
            count,
            text: text.into(),
        };
        let said = Said::new(spans.into_iter().map(span).collect());
        let is_within = |said: &Said| {
            let last = said.spans().last();
            last.is_none_or(|last| last.first + last.count <= rows)
        };
        said.filter(is_within)
            .ok_or_else(|| format!("the `{what}` are not in order among {rows} rows"))
    }
}

impl PersonV1 {
    fn of(person: &Person) -> Self {
        Self {
            name: text(&person.name),
            username: text(&person.username),
        }
    }

    fn into_domain(self) -> Person {
        Person {
            name: self.name.map(Into::into),
            username: self.username.map(Into::into),
        }
    }
}
