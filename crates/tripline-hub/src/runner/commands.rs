//! Workflow commands: lines by which a step that prints talks to the runner.
//!
//! A command is a line like `::error file=a.rs,line=1::message`, and anything printed that looks like one is one. Here a
//! command takes exactly one line, whatever is in it, and text of others is printed while commands are switched off.
//!
//! Tested by `tests/hub/runner/commands.rs`.

use std::fmt;
use std::num::NonZeroU32;

/// So many annotations of each level are shown of one step; the runner only logs the others.
pub const PER_LEVEL_MAX: usize = 10;
/// The runner cuts messages that are longer than this, counted as it counts.
const MESSAGE_UNITS_MAX: usize = 4096;
/// A check takes no longer title.
const TITLE_UNITS_MAX: usize = 255;

/// How bad it is, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A red cross.
    Error,
    /// A yellow triangle.
    Warning,
    /// A note.
    Notice,
}

impl Level {
    const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// A remark, on a line of a file where it has one. Shown, it is the command that makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// How bad it is.
    pub level: Level,
    /// The file it is about, from the top of the repository.
    pub file: Option<String>,
    /// The line it is about, which needs a file.
    pub line: Option<NonZeroU32>,
    /// The headline.
    pub title: Option<String>,
    /// What there is to say.
    pub message: String,
}

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.as_deref().map(str::trim);
        let file = file.filter(|file| !file.is_empty());
        let line = self
            .line
            .filter(|_| file.is_some())
            .map(|line| line.to_string());
        let title = self
            .title
            .as_deref()
            .map(|title| cut(title.trim(), TITLE_UNITS_MAX));
        let title = title.filter(|title| !title.is_empty());
        let properties = [
            ("file", file),
            ("line", line.as_deref()),
            ("title", title.as_deref()),
        ];
        write!(f, "::{}", self.level.word())?;
        let there = properties
            .iter()
            .filter_map(|(key, value)| Some((key, (*value)?)));
        for (at, (key, value)) in there.enumerate() {
            let before = if at == 0 { ' ' } else { ',' };
            write!(f, "{before}{key}={}", property(value))?;
        }
        write!(f, "::{}", data(&cut(&self.message, MESSAGE_UNITS_MAX)))
    }
}

/// Returns the commands for as many annotations as are shown, the worst first and otherwise in the order given, and a
/// line that counts the others.
#[must_use]
pub fn annotations(all: &[Annotation]) -> String {
    let mut out = String::new();
    let mut left_out = Vec::new();
    for level in Level::ALL {
        let of_level = || all.iter().filter(|annotation| annotation.level == level);
        for annotation in of_level().take(PER_LEVEL_MAX) {
            out.extend([annotation.to_string().as_str(), "\n"]);
        }
        match (
            of_level().count().saturating_sub(PER_LEVEL_MAX),
            level.word(),
        ) {
            (0, _) => {}
            (1, word) => left_out.push(format!("1 {word}")),
            (many, word) => left_out.push(format!("{many} {word}s")),
        }
    }
    if !left_out.is_empty() {
        let counted = left_out.join(", ");
        out.extend([
            "Left out, because the runner shows ten of each: ",
            &counted,
            ".\n",
        ]);
    }
    out
}

/// Escapes what follows a command's second pair of colons.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes what stands between a command's name and its second pair of colons.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Cuts a text to so many units of UTF-16, as the runner counts, and shows that it did.
fn cut(text: &str, units_max: usize) -> String {
    if text.encode_utf16().count() <= units_max {
        return text.to_owned();
    }
    let mut units = 1;
    let kept = text.chars().take_while(|c| {
        units += c.len_utf16();
        units <= units_max
    });
    kept.chain(['…']).collect()
}
