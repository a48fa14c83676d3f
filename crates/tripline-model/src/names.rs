//! Names that cannot be invalid: bounded, printable, and never empty.
//!
//! Names come out of benchmark harnesses and artifacts, so they are hostile until proven harmless: control characters,
//! line breaks and characters that reorder text are refused here, once, and no later stage has to think of them.
//! Markup is not refused: `vec<T>` is a fine name, and each renderer makes it inert in its own way.

use std::fmt;

/// The longest name that is accepted, in bytes: longer ones are data, not names, and would flood a table.
pub const NAME_BYTES_MAX: usize = 1_024;

/// The longest fact value that is accepted, in bytes.
const FACT_BYTES_MAX: usize = 4096;

/// The longest first line of a commit's message that is kept, in bytes.
pub const SUBJECT_BYTES_MAX: usize = 256;

/// Says why a text is not a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing is there.
    #[error("{what} is empty")]
    Empty {
        /// Which kind of name it was to be.
        what: &'static str,
    },
    /// The text is longer than the limit.
    #[error("{what} has {bytes} bytes, more than the {max} allowed")]
    TooLong {
        /// Which kind of name it was to be.
        what: &'static str,
        /// Its length in bytes.
        bytes: usize,
        /// The limit in bytes.
        max: usize,
    },
    /// A character that cannot be shown, or that changes how its neighbours are shown.
    #[error("{what} holds the character U+{code:04X} at byte {at}, which cannot be shown safely")]
    Character {
        /// Which kind of name it was to be.
        what: &'static str,
        /// The character's code point.
        code: u32,
        /// Its byte offset.
        at: usize,
    },
    /// The text does not have the form this kind of name has.
    #[error("{what} `{text}` is not of the form {form}")]
    Form {
        /// Which kind of name it was to be.
        what: &'static str,
        /// The text, safe to show.
        text: String,
        /// The form in words.
        form: &'static str,
    },
}

/// Returns whether a character is safe to show: it is visible, and leaves its neighbours where they are.
#[must_use]
#[inline]
pub fn is_harmless(c: char) -> bool {
    let reorders = matches!(c, '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}');
    !c.is_control() && !reorders
}

/// Checks what all names have in common.
pub(crate) fn check_text(what: &'static str, text: &str, max: usize) -> Result<(), NameError> {
    if text.trim().is_empty() {
        return Err(NameError::Empty { what });
    }
    if text.len() > max {
        return Err(NameError::TooLong {
            what,
            bytes: text.len(),
            max,
        });
    }
    match text.char_indices().find(|(_, c)| !is_harmless(*c)) {
        Some((at, c)) => Err(NameError::Character {
            what,
            code: u32::from(c),
            at,
        }),
        None => Ok(()),
    }
}

/// The form of a text that a kind of name has: what every character must be, and how to say so.
struct Form {
    first: fn(char) -> bool,
    rest: fn(char) -> bool,
    bytes_max: usize,
    words: &'static str,
}

/// Names that become a part of a path.
const FOLDER: Form = Form {
    first: is_lower_or_digit,
    rest: |c| is_lower_or_digit(c) || c == '-',
    bytes_max: 64,
    words: "lower-case letters, digits and hyphens, at most 64",
};

/// The longest key that is accepted, such as the name of a metric, in bytes.
pub const KEY_BYTES_MAX: usize = 64;

/// Names that become a key or a file name.
const KEY: Form = Form {
    first: is_lower_or_digit,
    rest: |c| is_lower_or_digit(c) || "._-".contains(c),
    bytes_max: KEY_BYTES_MAX,
    words: "lower-case letters, digits, `.`, `_` and `-`, at most 64",
};

const HEXADECIMAL: Form = Form {
    first: is_lower_hexadecimal,
    rest: is_lower_hexadecimal,
    bytes_max: 128,
    words: "lower-case hexadecimal digits, at most 128",
};

fn is_lower_or_digit(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

fn is_lower_hexadecimal(c: char) -> bool {
    matches!(c, '0'..='9' | 'a'..='f')
}

/// Checks the strict form that some kinds of names have.
fn check_form(what: &'static str, text: &str, form: &Form) -> Result<(), NameError> {
    if text.starts_with(form.first) && text.chars().all(form.rest) && text.len() <= form.bytes_max {
        return Ok(());
    }
    Err(NameError::Form {
        what,
        text: text.to_owned(),
        form: form.words,
    })
}

/// Defines a name as a checked string.
macro_rules! name {
    ($(#[$doc:meta])* $type:ident, $what:literal, $max:expr $(, $form:expr)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(Box<str>);

        impl $type {
            /// Checks the text and keeps it.
            ///
            /// # Errors
            /// Says what is wrong with the text.
            pub fn new(text: impl AsRef<str>) -> Result<Self, NameError> {
                let text = text.as_ref();
                check_text($what, text, $max)?;
                $(check_form($what, text, &$form)?;)?
                Ok(Self(text.into()))
            }

            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl std::str::FromStr for $type {
            type Err = NameError;
            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::new(text)
            }
        }

        impl std::borrow::Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

name!(
    /// A suite: a folder under `bench/`.
    SuiteName, "the suite name", NAME_BYTES_MAX, FOLDER
);
name!(
    /// A step of a suite, as `suite.toml` names it.
    StepName, "the step name", NAME_BYTES_MAX, FOLDER
);
name!(
    /// A benchmark's name within its suite, without params.
    BenchName, "the benchmark name", NAME_BYTES_MAX
);
name!(
    /// A param's key, such as `bytes`.
    ParamKey, "the param key", NAME_BYTES_MAX
);
name!(
    /// A metric's name, such as `instructions`.
    MetricName, "the metric name", NAME_BYTES_MAX, KEY
);
name!(
    /// The symbol of a unit that is not among the known ones.
    UnitSymbol, "the unit", 32
);
name!(
    /// An environment's short name, the file name of its baselines.
    EnvironmentName, "the environment name", NAME_BYTES_MAX, KEY
);
name!(
    /// The name of a fact about an environment.
    FactName, "the fact name", NAME_BYTES_MAX, KEY
);
name!(
    /// What a fact says.
    FactValue, "the fact value", FACT_BYTES_MAX
);
name!(
    /// The first line of a commit's message.
    CommitSubject, "the commit's subject", SUBJECT_BYTES_MAX
);
name!(
    /// The id that runs measured interleaved with one another share.
    SessionId, "the session id", 64
);
name!(
    /// A digest of what a benchmark computed: equal digests mean equal work.
    Digest, "the answer digest", 128, HEXADECIMAL
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_are_no_names() {
        for text in [
            "",
            "  ",
            "a\nb",
            "a\u{1b}[31m",
            "a\0",
            "\u{202E}evil",
            "a\u{200B}b",
            "\u{7f}",
            "\u{85}",
        ] {
            assert!(
                BenchName::new(text).is_err(),
                "{text:?} was taken for a name"
            );
        }
        assert!(BenchName::new("x".repeat(NAME_BYTES_MAX + 1)).is_err());
        assert!(BenchName::new("x".repeat(NAME_BYTES_MAX)).is_ok());
    }

    #[test]
    fn markup_and_other_scripts_are_names() {
        for text in [
            "Vec<T>::push",
            "größe",
            "名前",
            "a | b",
            "@everyone",
            "with space",
            "`x`",
        ] {
            assert!(BenchName::new(text).is_ok(), "{text:?} was refused");
        }
    }

    #[test]
    fn names_that_become_paths_are_strict() {
        for text in ["..", "a/b", "A", "-x", "a b", ".hidden"] {
            assert!(
                SuiteName::new(text).is_err(),
                "{text:?} was taken for a suite"
            );
            assert!(
                EnvironmentName::new(text).is_err(),
                "{text:?} was taken for an environment"
            );
        }
        assert!(SuiteName::new("store-2").is_ok());
        assert!(EnvironmentName::new("debian-12-x86_64").is_ok());
    }

    #[test]
    fn an_answer_is_hexadecimal() {
        assert!(Digest::new("c0ffee").is_ok());
        assert!(Digest::new("f".repeat(128)).is_ok());
        for text in ["xyz", "C0FFEE", "", "f 0"] {
            assert!(
                Digest::new(text).is_err(),
                "{text:?} was taken for a digest"
            );
        }
    }

    #[test]
    fn errors_say_what_and_where() {
        let error = BenchName::new("get\u{1b}").expect_err("an escape is refused");
        assert_eq!(
            error.to_string(),
            "the benchmark name holds the character U+001B at byte 3, which cannot be shown safely"
        );
    }
}
