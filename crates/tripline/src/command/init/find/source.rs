//! Which words stand in a source, as far as that can be told without reading the language: comments are taken out, and
//! what is looked for is a whole word with what must follow it.
//!
//! Tested below.

/// Takes the comments out of a source whose comments are `//` and `/* */`, as Rust's and Go's are.
///
/// *Note:* a `//` within a string takes the rest of its line along. That may hide a word and never makes one up.
pub(super) fn without_comments(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        code.push_str(&rest[..at]);
        let end = if rest[at..].starts_with("//") {
            "\n"
        } else {
            "*/"
        };
        let after = rest[at + 2..].find(end);
        rest = after.map_or("", |after| &rest[at + 2 + after..]);
        rest = rest.strip_prefix("*/").unwrap_or(rest);
        code.push(' ');
    }
    code.push_str(rest);
    code
}

/// Returns what stands before and after each place where a whole word stands.
pub(super) fn around_each<'a>(
    code: &'a str,
    word: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.match_indices(word)
        .map(move |(at, _)| (&code[..at], &code[at + word.len()..]))
        .filter(move |(before, after)| {
            !before.ends_with(is_letter) && !after.starts_with(is_letter)
        })
}

/// Returns where a crate is first used in Rust code.
pub(super) fn first_use(code: &str, name: &str) -> Option<usize> {
    let uses = around_each(code, name).filter(|(before, after)| {
        let last_word = before.split_whitespace().next_back();
        after.trim_start().starts_with("::") || matches!(last_word, Some("use" | "crate"))
    });
    uses.map(|(before, _)| before.len()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_nothing() {
        let code = without_comments("a // b\nc /* d\n// e */ f \"x//y\" g\nh /*/ i");
        for word in ["a", "c", "f", "h"] {
            assert!(around_each(&code, word).next().is_some(), "{word}: {code}");
        }
        for word in ["b", "d", "e", "i"] {
            assert!(around_each(&code, word).next().is_none(), "{word}: {code}");
        }
        for odd in [
            "",
            "/",
            "//",
            "/*",
            "/*/",
            "*/",
            "ä//ö",
            "/*ä*/",
            "a/*b//c\n*/d",
        ] {
            without_comments(odd);
        }
        assert_eq!(without_comments("a/*b//c\n*/d"), "a d");
    }

    #[test]
    fn a_crate_is_used_by_its_name_alone() {
        for code in [
            "use criterion::x;",
            "criterion ::main!()",
            "#[macro_use]\nextern crate criterion;",
            "use criterion as c;",
        ] {
            assert!(first_use(code, "criterion").is_some(), "{code}");
        }
        for code in [
            "use criterion_perf::x;",
            "use my_criterion::x;",
            "let name = \"criterion\";",
            "fn criterion() {}",
        ] {
            assert_eq!(first_use(code, "criterion"), None, "{code}");
        }
    }
}
