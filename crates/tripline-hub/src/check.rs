//! A check run: a verdict on a commit, with annotations on lines of its code.
//!
//! GitHub takes fifty annotations a request and appends those of the next. An append that was cut off may have arrived,
//! and repeating it would show the same twice; so in doubt the whole check is made anew, which harms nobody: GitHub shows
//! the latest of a name. Tested below and in `tests/hub/check`.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::{Call, Client, Repeat};
use crate::error::HubError;
use crate::names::CommitId;
use crate::runner::commands::{Annotation, Level};

/// The most bytes of a summary or a text. GitHub says characters; bytes are never fewer.
const TEXT_BYTES_MAX: usize = 65_535;
/// The most annotations of one request.
const BATCH: usize = 50;
/// The most annotations of a check. Nobody reads more, and each fifty cost a request.
const ANNOTATIONS_MAX: usize = 500;
/// The most bytes of an annotation's message, and of its title.
const MESSAGE_BYTES_MAX: usize = 16 * 1024;
const TITLE_BYTES_MAX: usize = 255;
/// How often the check is begun anew.
const BEGINNINGS_MAX: u32 = 3;
const NEEDS: &str = "checks: write";

/// What a check says in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// All is well.
    Success,
    /// Somebody may want to look.
    Neutral,
    /// Something is wrong.
    Failure,
}

impl Conclusion {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Neutral => "neutral",
            Self::Failure => "failure",
        }
    }
}

/// A check as it shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What it is called. The latest of a name is the one that counts.
    pub name: String,
    /// The commit it is about.
    pub head: CommitId,
    /// What it says in one word.
    pub conclusion: Conclusion,
    /// What it says in one line.
    pub title: String,
    /// What it says, in Markdown.
    pub summary: String,
    /// What else there is to say, in Markdown.
    pub text: Option<String>,
    /// The most important first. Those beyond the limit are counted in the summary; those without a line of a file to stand
    /// on are left to the summary of the job.
    pub annotations: Vec<Annotation>,
    /// Where to read more.
    pub details_page: Option<String>,
}

/// A check that was made.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CheckMade {
    /// Its number.
    pub id: u64,
}

/// Makes a check. One request for up to fifty annotations.
///
/// # Errors
/// GitHub did not answer or refused.
pub fn create(client: &Client, check: &Check) -> Result<CheckMade, HubError> {
    let mut beginnings = 0;
    loop {
        beginnings += 1;
        match create_once(client, check) {
            Err(error) if error.is_uncertain() && beginnings < BEGINNINGS_MAX => {}
            result => return result,
        }
    }
}

fn create_once(client: &Client, check: &Check) -> Result<CheckMade, HubError> {
    let annotations: Vec<Value> = check.annotations.iter().filter_map(annotation).collect();
    let shown = &annotations[..annotations.len().min(ANNOTATIONS_MAX)];
    let left_out = annotations.len() - shown.len();
    let (first, rest) = shown.split_at(shown.len().min(BATCH));
    let mut body = json!({
        "name": check.name,
        "head_sha": check.head.as_str(),
        "status": "completed",
        "conclusion": check.conclusion.name(),
        "output": output(check, first, left_out),
    });
    if let Some(page) = &check.details_page {
        body["details_url"] = page.as_str().into();
    }
    let not_made = format!(
        "the check `{}` was not made on {}",
        check.name,
        check.head.short()
    );
    let call = Call::post(&["check-runs"], body)
        .repeating(Repeat::Harmless)
        .or_say(not_made, NEEDS);
    let made: CheckMade = client.send(&call)?.json()?;
    let number = made.id.to_string();
    for batch in rest.chunks(BATCH) {
        let body = json!({ "output": output(check, batch, left_out) });
        let call = Call::patch(&["check-runs", &number], body)
            .repeating(Repeat::Harmful)
            .or_say(
                format!("check {number} has not all of its annotations"),
                NEEDS,
            );
        client.send(&call)?;
    }
    Ok(made)
}

fn output(check: &Check, annotations: &[Value], left_out: usize) -> Value {
    let mut summary = check.summary.clone();
    if left_out > 0 {
        summary = format!(
            "{left_out} annotations more than GitHub is asked to show were left out.\n\n{summary}"
        );
    }
    let mut output = json!({
        "title": check.title,
        "summary": cut_at_line(&summary, TEXT_BYTES_MAX),
    });
    if let Some(text) = &check.text {
        output["text"] = cut_at_line(text, TEXT_BYTES_MAX).into();
    }
    if !annotations.is_empty() {
        output["annotations"] = annotations.into();
    }
    output
}

/// Returns an annotation as a check takes it, where it has a place.
fn annotation(annotation: &Annotation) -> Option<Value> {
    let (path, line) = (annotation.file.as_ref()?, annotation.line?.get());
    let level = match annotation.level {
        Level::Error => "failure",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    let mut shown = json!({
        "path": path,
        "start_line": line,
        "end_line": line,
        "annotation_level": level,
        "message": cut(&annotation.message, MESSAGE_BYTES_MAX),
    });
    if let Some(title) = &annotation.title {
        shown["title"] = cut(title, TITLE_BYTES_MAX).into();
    }
    Some(shown)
}

/// Returns a text of at most so many bytes that ends with a whole line and says how many are missing.
fn cut_at_line(text: &str, bytes_max: usize) -> String {
    /// More than the last line takes, with as many digits as there can be.
    const ROOM: usize = 80;
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let start = cut(text, bytes_max - ROOM);
    // A single line that is too long is cut where it must be.
    let end = start.rfind('\n').unwrap_or(start.len());
    let missing = text[end..].trim_start_matches('\n').lines().count();
    let lines = if missing == 1 {
        "line was"
    } else {
        "lines were"
    };
    format!("{}\n\n{missing} more {lines} left out.", &text[..end])
}

/// Returns the beginning of a text, of whole characters.
fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngSeed};

    use super::*;

    #[test]
    fn long_texts_end_with_a_whole_line_and_a_count() {
        let text = ["first", &"x".repeat(90), "last", "and one", ""].join("\n");
        assert_eq!(
            cut_at_line(&text, 100),
            "first\n\n3 more lines were left out."
        );
        assert_eq!(cut_at_line(&text, text.len()), text);
        let line = "é".repeat(100);
        assert_eq!(
            cut_at_line(&line, 101),
            "é".repeat(10) + "\n\n1 more line was left out."
        );
    }

    proptest! {
        #![proptest_config(Config { rng_seed: RngSeed::Fixed(2026), failure_persistence: None, ..Config::default() })]

        #[test]
        fn no_text_is_longer_than_allowed(text in "(\\PC{0,40}\n){0,20}", bytes_max in 80_usize..400) {
            let cut = cut_at_line(&text, bytes_max);
            prop_assert!(cut.len() <= bytes_max);
            prop_assert_eq!(cut == text, text.len() <= bytes_max);
        }
    }
}
