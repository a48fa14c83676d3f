//! A history that is a script and no JSON: names without quotes, texts in single ones, commas at the end of lists, comments,
//! `NaN`. A browser reads it as well, and so whoever has formatters go over their whole repository has one. What would have
//! to be worked out, such as `Date.now()`, is passed by where nothing that was measured stands, and nowhere else.
//!
//! It is written as JSON, with a list of what stood where, so that problems have the place of the original. Tested below.

use serde::de::IgnoredAny;

/// What is no value, or a number that JSON has no word for.
const NOTHING: &[&str] = &["NaN", "Infinity", "undefined"];

/// A script as JSON.
#[derive(Debug)]
pub(super) struct AsJson {
    pub(super) text: String,
    /// Where pieces begin that are as they were: here, and in the original.
    pieces: Vec<(usize, usize)>,
}

impl AsJson {
    /// Returns the place in the original of what stands at a place of the JSON.
    pub(super) fn original(&self, at: usize) -> usize {
        let next = self.pieces.partition_point(|(here, _)| *here <= at);
        let piece = next.checked_sub(1).map(|last| self.pieces[last]);
        piece.map_or(at, |(here, there)| there + (at - here))
    }
}

/// Writes a script as JSON. What is JSON already stays as it is, and so does what nobody here knows.
pub(super) fn as_json(script: &str) -> AsJson {
    let mut writer = Writer {
        script,
        at: 0,
        out: String::with_capacity(script.len() + script.len() / 8),
        pieces: Vec::new(),
        is_lost: false,
    };
    let mut depth = 0_usize;
    while let Some(c) = writer.rest().chars().next() {
        let is_within = depth > 0;
        match c {
            '/' if writer.comment() => {}
            '"' | '\'' if is_within => writer.quoted(c),
            '{' | '[' => {
                depth += 1;
                writer.copy(1);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                writer.forget_comma();
                writer.copy(1);
            }
            ':' if depth == 1 => {
                writer.copy(1);
                writer.pass_expression();
            }
            // What is in the middle of a number is no word.
            '0'..='9' if is_within => writer.copy(length(writer.rest(), is_of_number)),
            _ if is_within && is_of_word(c) => writer.word(),
            _ => writer.copy(c.len_utf8()),
        }
    }
    AsJson {
        text: writer.out,
        pieces: writer.pieces,
    }
}

struct Writer<'t> {
    script: &'t str,
    at: usize,
    out: String,
    pieces: Vec<(usize, usize)>,
    /// Whether there was a value that does not end: then nobody knows what stands behind it.
    is_lost: bool,
}

impl<'t> Writer<'t> {
    fn rest(&self) -> &'t str {
        &self.script[self.at..]
    }

    fn copy(&mut self, bytes: usize) {
        self.out.push_str(&self.rest()[..bytes]);
        self.at += bytes;
    }

    /// Writes something in the place of what is so long.
    fn replace(&mut self, bytes: usize, with: &str) {
        self.out.push_str(with);
        self.at += bytes;
        self.pieces.push((self.out.len(), self.at));
    }

    /// Passes a comment by, if one stands here.
    fn comment(&mut self) -> bool {
        let rest = self.rest();
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 2)
        } else {
            return false;
        };
        self.replace(end.unwrap_or(rest.len()), " ");
        true
    }

    /// Writes a text, whichever quotes it has.
    fn quoted(&mut self, quote: char) {
        self.replace(1, "\"");
        let is_plain = |c| !matches!(c, '"' | '\'' | '\\');
        while let Some(c) = self.rest().chars().next() {
            match c {
                _ if c == quote => {
                    self.replace(1, "\"");
                    return;
                }
                '"' => self.replace(1, "\\\""),
                '\\' => self.escape(),
                _ => self.copy(length(self.rest(), is_plain).max(1)),
            }
        }
    }

    /// Writes an escape, of which JavaScript has some that JSON has not.
    fn escape(&mut self) {
        let Some(escaped) = self.rest()[1..].chars().next() else {
            return self.copy(1);
        };
        let bytes = 1 + escaped.len_utf8();
        match escaped {
            '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u' => self.copy(bytes),
            'x' => self.replace(bytes, "\\u00"),
            'v' => self.replace(bytes, "\\u000b"),
            '0' => self.replace(bytes, "\\u0000"),
            '\n' => self.replace(bytes, ""),
            _ => {
                self.replace(1, "");
                self.copy(bytes - 1);
            }
        }
    }

    /// Writes a word: the name of a member, or a value.
    fn word(&mut self) {
        let rest = self.rest();
        let bytes = length(rest, is_of_word);
        let word = &rest[..bytes];
        if rest[bytes..].trim_start().starts_with(':') {
            self.replace(0, "\"");
            self.copy(bytes);
            self.replace(0, "\"");
        } else if NOTHING.contains(&word) {
            let end = self.out.trim_end_matches('-').len();
            self.out.truncate(end);
            self.replace(bytes, "null");
        } else {
            self.copy(bytes);
        }
    }

    /// Writes a value that every member of the whole but `entries` is told for, in the place of what would have to be worked
    /// out. When it was written is asked as a number, so that nothing stands for none.
    fn pass_expression(&mut self) {
        let behind = self.rest().trim_start();
        let name = self.out.strip_suffix(':').unwrap_or(&self.out).trim_end();
        // Lists and objects are written like all others, and so are texts.
        if self.is_lost || name.ends_with("\"entries\"") || behind.starts_with(['[', '{']) {
            return;
        }
        let Some(end) = end_of_expression(behind) else {
            self.is_lost = true;
            return;
        };
        let expression = behind[..end].trim_end();
        let is_value =
            is_one_text(expression) || serde_json::from_str::<IgnoredAny>(expression).is_ok();
        if !expression.is_empty() && !is_value {
            let with = if name.ends_with("\"lastUpdate\"") {
                "null"
            } else {
                "false"
            };
            self.copy(self.rest().len() - behind.len());
            self.replace(expression.len(), with);
        }
    }

    /// Takes the comma away that stands behind the last of a list.
    fn forget_comma(&mut self) {
        let end = self.out.trim_end().len();
        if self.out[..end].ends_with(',') {
            self.out.replace_range(end - 1..end, " ");
        }
    }
}

/// Returns where the value of a member ends that may be any expression; nothing where another member begins in it, as in a
/// file that lost a byte, or it never ends.
fn end_of_expression(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth > 0 => depth -= 1,
            (None, ',' | '}' | '\n') if depth == 0 => return Some(at),
            (None, '/') if depth == 0 && text[at + 1..].starts_with(['/', '*']) => {
                return Some(at);
            }
            (None, ':' | ')' | ']') if depth == 0 => return None,
            (None, _) => {}
        }
    }
    None
}

/// Returns whether an expression is one text in quotes, of either kind.
fn is_one_text(expression: &str) -> bool {
    let Some(quote) = expression
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\''))
    else {
        return false;
    };
    let mut is_escaped = false;
    let end = expression[1..].find(|c| {
        let is_end = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.is_some_and(|end| end + 2 == expression.len())
}

fn length(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of them alone would be looked for to the end of the file.
    #[test]
    fn members_that_never_end_are_soon_gone_through() {
        for member in [":", ":("] {
            let script = format!("{{a{}", member.repeat(1 << 18));
            let json = as_json(&script).text;
            assert_eq!(json.replace('"', ""), script);
        }
    }

    #[test]
    fn a_script_is_written_as_json() {
        for (script, expected) in [
            ("x = {a: 1};", "x = {\"a\": 1};"),
            ("{a_1 :'b',$c:[1,],\n}", "{\"a_1\" :\"b\",\"$c\":[1 ] \n}"),
            (
                "{'a \"b\" \\'c\\'': \"d'e\"}",
                "{\"a \\\"b\\\" 'c'\": \"d'e\"}",
            ),
            ("[1e5, -2.5E-7, true, null]", "[1e5, -2.5E-7, true, null]"),
            ("[NaN, -Infinity, undefined]", "[null, null, null]"),
            ("// {\n[1 /* , */, // 2\n3]//", " \n[1  ,  \n3] "),
            (
                "['https://a//b', '/* c */']",
                "[\"https://a//b\", \"/* c */\"]",
            ),
            (
                r"['\x41\v\0\a\u0041\n\\']",
                r#"["\u0041\u000b\u0000a\u0041\n\\"]"#,
            ),
            ("['a\\\nb']", "[\"ab\"]"),
            ("[\"\u{b1}\", 'größe']", "[\"\u{b1}\", \"größe\"]"),
            ("{a: 'b", "{\"a\": \"b"),
            ("{a: 'b\\", "{\"a\": \"b\\"),
            ("{größe: 1}", "{\"größe\": 1}"),
            ("]}", "]}"),
            (
                "{a: Date.now(), 'b': new Date('a, }').getTime() // now\n}",
                "{\"a\": false, \"b\": false  \n}",
            ),
            (
                "{a: f({b: [1, `}`]}) + 'c\\',',\nd: 1}",
                "{\"a\": false,\n\"d\": 1}",
            ),
            (
                "{a: -Infinity, b: 12, c: 'd'}",
                "{\"a\": false, \"b\": 12, \"c\": \"d\"}",
            ),
            (
                r#"{a: "\x2f", b: 'c' + d, e: "it's \\" }"#,
                r#"{"a": "\u002f", "b": false, "e": "it's \\" }"#,
            ),
            ("{lastUpdate: f()}", "{\"lastUpdate\": null}"),
            // What was measured is never passed by, and no member either.
            ("{entries\t: f()}", "{\"entries\"\t: f()}"),
            ("{entries : f()}", "{\"entries\" : f()}"),
            ("{\"entries\": f()}", "{\"entries\": f()}"),
            ("{a: {b: f()}}", "{\"a\": {\"b\": f()}}"),
            ("{a: 1 \"b\": 2}", "{\"a\": 1 \"b\": 2}"),
            ("{a: f(", "{\"a\": f("),
            ("{a: 1)}", "{\"a\": 1)}"),
        ] {
            assert_eq!(as_json(script).text, expected, "{script}");
        }
    }

    #[test]
    fn a_place_is_that_of_the_original() {
        let script = "/* c */ {a: 'b', long: [NaN, 7]}";
        let json = as_json(script);
        for part in ["b", "long", "7", "]}"] {
            let at = json.text.find(part).unwrap();
            assert_eq!(json.original(at), script.find(part).unwrap(), "{part}");
        }
        assert_eq!(as_json("{}").original(1), 1);
    }
}
