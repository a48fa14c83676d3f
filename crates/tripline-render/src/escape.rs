//! Makes hostile text harmless, once per target. Benchmark names, facts, units and the output of harnesses come from
//! whoever opened the pull request.
//!
//! What a job writes to its log is read for commands: at the beginning of a line `::`, and anywhere `##[` or `##vso[`. A
//! name must not be one.
//!
//! *Note:* in Markdown everything hostile stands in code, never in escaped prose. An escaped `@name` is a mention all
//! the same, because the forge looks for mentions, links and issue numbers in the rendered text; it leaves code alone.
//!
//! Tested below, and by `tests/render/hostile.rs` with a Markdown parser over arbitrary names.

use std::borrow::Cow;

use tripline_model::is_harmless;

/// Returns a text that moves no cursor, reorders nothing and commands nothing: what cannot be seen is written as its
/// number, and so is the first sign of a command. Line breaks are such characters, too.
pub(crate) fn visible(text: &str) -> String {
    without_commands(text, true)
}

/// Returns such a text for the inside of a line, where no command begins but those that may stand anywhere.
pub(crate) fn visible_within(text: &str) -> String {
    without_commands(text, false)
}

fn without_commands(text: &str, may_begin_line: bool) -> String {
    if is_ordinary(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let command = text.len() - text.trim_start().len();
    let is_command = may_begin_line && text[command..].starts_with("::");
    for (at, c) in text.char_indices() {
        let commands = (is_command && at == command) || (c == '#' && begins_command(&text[at..]));
        if is_harmless(c) && !commands {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

/// Returns whether a text is what nearly every name is: letters, digits and signs, none of which needs a closer look.
fn is_ordinary(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.all(|byte| matches!(byte, b'!'..=b'~') && byte != b'#') && !text.starts_with(':')
}

/// Returns whether a text begins with what a log takes for a command wherever it stands.
fn begins_command(text: &str) -> bool {
    ["##[", "##vso["]
        .iter()
        .any(|command| text.starts_with(command))
}

/// Returns a text of at most so many characters, cut in the middle: names of one family are alike there.
pub(crate) fn shortened(text: &str, chars_max: usize) -> Cow<'_, str> {
    // There are no more characters than bytes.
    let is_short = text.len() <= chars_max || text.chars().count() <= chars_max;
    if is_short {
        return Cow::Borrowed(text);
    }
    let chars = text.chars().count();
    let kept = chars_max.saturating_sub(1);
    let head = text.chars().take(kept - kept / 2);
    let tail = text.chars().skip(chars - kept / 2);
    Cow::Owned(head.chain(['…']).chain(tail).collect())
}

/// Returns the lines of a text, each made visible. A tab becomes a blank, as it moves the cursor.
pub(crate) fn visible_lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(|line| visible(&line.replace('\t', " ")))
}

/// Returns a text for the inside of an XML element or attribute, with what XML cannot hold written as its number. What
/// would command a log is written as a reference, which is the same to whoever reads XML.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut begins_line = true;
    for (at, c) in text.char_indices() {
        let commands = match c {
            ':' => begins_line && text[at..].starts_with("::"),
            '#' => begins_command(&text[at..]),
            _ => false,
        };
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' => out.push('\n'),
            _ if !is_harmless(c) || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {
                out.extend(c.escape_unicode());
            }
            _ if commands => out.extend(["&#", &u32::from(c).to_string(), ";"]),
            _ => out.push(c),
        }
        begins_line = c == '\n' || (begins_line && c.is_whitespace());
    }
    out
}

/// Returns JSON in which no text commands the log it is written to. To whoever reads JSON it is the same: the signs can
/// only stand within strings.
pub(crate) fn json(text: String) -> String {
    if !text.contains("##") {
        return text;
    }
    text.replace("##[", "#\\u0023[")
        .replace("##vso[", "#\\u0023vso[")
}

/// Returns a text as Markdown code within a line.
pub(crate) fn markdown_code(text: &str) -> String {
    let text = visible(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    // A fence swallows one blank on either side, and must not touch a backtick.
    let touches = |c: Option<char>| matches!(c, Some('`' | ' '));
    let pad = if touches(text.chars().next()) || touches(text.chars().next_back()) {
        " "
    } else {
        ""
    };
    [&fence, pad, &text, pad, &fence].concat()
}

/// Returns a text as Markdown code within a cell of a table.
///
/// A table is cut into cells before code is looked for, so a bar needs a backslash even there. Some parsers take any
/// backslash before a bar for that one, others take them in pairs; an odd number of them is understood by all.
pub(crate) fn markdown_cell(text: &str) -> String {
    if !text.contains('|') {
        return markdown_code(text);
    }
    let mut escaped = String::with_capacity(text.len());
    let mut backslashes = 0_usize;
    for c in text.chars() {
        if c == '|' {
            escaped.push_str(if backslashes.is_multiple_of(2) {
                "\\"
            } else {
                "\\\\"
            });
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        escaped.push(c);
    }
    markdown_code(&escaped)
}

/// Returns lines as a block of Markdown code, with a line break at its end.
pub(crate) fn markdown_block(lines: &[String]) -> String {
    let longest = lines.iter().map(|line| longest_run(line)).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    let mut out = [&fence, "text\n"].concat();
    for line in lines {
        out.extend([visible(line).as_str(), "\n"]);
    }
    out.extend([fence.as_str(), "\n"]);
    out
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        assert_eq!(visible("a\u{1b}[31m\r\n"), "a\\u{1b}[31m\\u{d}\\u{a}");
        assert_eq!(visible("\u{202E}x"), "\\u{202e}x");
        assert_eq!(visible("größe 名前"), "größe 名前");
        let lines: Vec<String> = visible_lines("a\tb\n\u{7}c").collect();
        assert_eq!(lines, ["a b", "\\u{7}c"]);
    }

    #[test]
    fn nothing_commands_the_log() {
        assert_eq!(visible("::error::x"), "\\u{3a}:error::x");
        assert_eq!(
            visible_within("::error::\n##[x"),
            "::error::\\u{a}\\u{23}#[x"
        );
        assert_eq!(visible(" \u{3000}::stop"), " \u{3000}\\u{3a}:stop");
        assert_eq!(visible("store::get ::x"), "store::get ::x");
        assert_eq!(visible("x ##[group]"), "x \\u{23}#[group]");
        assert_eq!(visible("# ##vso[a]"), "# \\u{23}#vso[a]");
        let escaped = json("[\"##[x]\"]".to_owned());
        assert_eq!(escaped, "[\"#\\u0023[x]\"]");
        assert_eq!(xml("a\n  ::b\n##[c]"), "a\n  &#58;:b\n&#35;#[c]");
    }

    #[test]
    fn xml_holds_what_it_can_and_the_rest_as_numbers() {
        assert_eq!(xml("a<b>&\"'\n"), "a&lt;b&gt;&amp;&quot;&apos;\n");
        assert_eq!(xml("\u{0}\u{FFFE}\u{85}\r"), "\\u{0}\\u{fffe}\\u{85}\\u{d}");
        assert_eq!(xml("größe 🦀"), "größe 🦀");
    }

    #[test]
    fn long_texts_are_cut_in_the_middle() {
        assert_eq!(shortened("größe", 5), "größe");
        assert_eq!(shortened("größer", 5), "gr…er");
        assert_eq!(shortened("größer", 1), "…");
    }

    #[test]
    fn code_has_a_fence_that_its_text_cannot_close() {
        assert_eq!(markdown_code("get"), "`get`");
        assert_eq!(markdown_code("a`b``c"), "```a`b``c```");
        assert_eq!(markdown_code("`x`"), "`` `x` ``");
        assert_eq!(markdown_code(" x"), "`  x `");
    }

    #[test]
    fn bars_end_no_cell() {
        assert_eq!(markdown_cell("a|b"), "`a\\|b`");
        assert_eq!(markdown_cell("a\\|b"), "`a\\\\\\|b`");
        assert_eq!(markdown_cell("a\\\\|b"), "`a\\\\\\|b`");
    }

    #[test]
    fn a_block_is_closed_by_us_alone() {
        assert_eq!(
            markdown_block(&["a", "```", "b"].map(str::to_owned)),
            "````text\na\n```\nb\n````\n"
        );
    }
}
