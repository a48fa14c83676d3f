//! The outputs of a step: names and values that later steps and jobs read.
//!
//! A value of several lines stands between two lines that mark its ends. Whoever can guess the mark can end the value and
//! set other outputs, so it is random and not in the value. Tested by `tests/hub/runner/outputs.rs`.

use std::path::Path;

use super::{NotAdded, add};

/// The longest value that is taken; all outputs of a job together may have no more.
pub const VALUE_BYTES_MAX: usize = 1 << 20;
/// The longest name that is taken.
const NAME_BYTES_MAX: usize = 100;

/// Says why an output was not set.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The name would not be found, or could be read as something else.
    #[error(
        "`{name}` is no name of an output, which is letters, digits, `_` and `-`, the first a letter or `_`"
    )]
    Name {
        /// The name, safe to show.
        name: String,
    },
    /// The value is longer than a job may hand on.
    #[error("the output `{name}` has {bytes} bytes, more than {VALUE_BYTES_MAX}")]
    TooLong {
        /// The output.
        name: String,
        /// Its length.
        bytes: usize,
    },
    /// The file could not be written to.
    #[error(transparent)]
    NotAdded(#[from] NotAdded),
}

/// Sets outputs of the step; the file is the one that `GITHUB_OUTPUT` names.
///
/// # Errors
/// One of them cannot be set, and then none is; or the file cannot be written to.
pub fn set(
    file: &Path,
    outputs: &[(&str, &str)],
    random: &mut fastrand::Rng,
) -> Result<(), OutputError> {
    let lines = outputs
        .iter()
        .map(|(name, value)| output(name, value, random));
    let text = lines.collect::<Result<String, OutputError>>()?;
    Ok(add(file, |_| text)?)
}

/// Returns the lines that set one output.
///
/// # Errors
/// The name is none, or the value is too long.
pub fn output(name: &str, value: &str, random: &mut fastrand::Rng) -> Result<String, OutputError> {
    if !is_name(name) {
        let name = crate::text::shown(name, NAME_BYTES_MAX);
        return Err(OutputError::Name { name });
    }
    if value.len() > VALUE_BYTES_MAX {
        let (name, bytes) = (name.to_owned(), value.len());
        return Err(OutputError::TooLong { name, bytes });
    }
    if value.contains(['\r', '\n']) {
        let mark = word_not_in(value, random);
        Ok(format!("{name}<<{mark}\n{value}\n{mark}\n"))
    } else {
        Ok(format!("{name}={value}\n"))
    }
}

fn is_name(text: &str) -> bool {
    text.len() <= NAME_BYTES_MAX
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
}

/// Returns a random word that is not in a text, in any case of its letters.
fn word_not_in(text: &str, random: &mut fastrand::Rng) -> String {
    const LETTERS: usize = 32;
    let text = text.to_lowercase();
    loop {
        let letters = (0..LETTERS).map(|_| random.lowercase());
        let word: String = "tripline-".chars().chain(letters).collect();
        if !text.contains(&word) {
            return word;
        }
    }
}
