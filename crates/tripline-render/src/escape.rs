//! Makes hostile text harmless, once per target. Benchmark names, facts, units and the output of harnesses come from
//! whoever opened the pull request.
//!
//! *Note:* in Markdown everything hostile stands in code, never in escaped prose. An escaped `@name` is a mention all
//! the same, because the forge looks for mentions, links and issue numbers in the rendered text; it leaves code alone.
//!
//! Tested below, and by `tests/render/hostile.rs` with a Markdown parser over arbitrary names.

/// Returns a text that moves no cursor and reorders nothing: what cannot be seen is written as its number. Line breaks
/// are such characters, too.
pub(crate) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_shown(c) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

/// Returns the lines of a text, each made visible. A tab becomes a blank, as it moves the cursor.
pub(crate) fn visible_lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(|line| visible(&line.replace('\t', " ")))
}

/// Returns whether a character shows itself and leaves its neighbours where they are.
fn is_shown(c: char) -> bool {
    let reorders = matches!(
        c,
        '\u{061C}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}'
    );
    !c.is_control() && !reorders
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
