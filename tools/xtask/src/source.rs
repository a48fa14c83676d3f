//! A Rust file as a flat list of tokens, with the lines they stand on.
//!
//! Tokens rather than a syntax tree: what stands inside `proptest! { .. }` or `write!(..)` is code like any other, and a
//! syntax tree stops at the macro's door. A comment is no token, so no rule trips over an example in one; documentation
//! comments are left out for the same reason. Text inside a string is one token and never mistaken for code.
//!
//! Tested below on small pieces of code, one question each.

use std::{collections::BTreeSet, ops::Range, str::FromStr as _};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// One token. Brackets are tokens of their own and know their partner.
#[derive(Debug)]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// The line it starts on, counted from 1.
    pub(crate) line: usize,
    /// The line it ends on: another one only for a string over several lines.
    pub(crate) end_line: usize,
    /// Where the other bracket is; the token itself for anything else.
    partner: usize,
    /// Whether it belongs to an item that only tests compile.
    pub(crate) in_test: bool,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Mark,
    Literal,
}

/// A `mod x;` line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ModLine {
    /// The names of the inline modules around it, outermost first, and its own name last.
    pub(crate) names: Vec<String>,
    /// The file named by a `#[path]` attribute.
    pub(crate) path: Option<String>,
    pub(crate) line: usize,
    pub(crate) in_test: bool,
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// Lines from `fn` to the closing brace, without the inner lines of strings, which are data.
    pub(crate) lines: usize,
}

/// A Rust file, read.
#[derive(Debug)]
pub(crate) struct Source {
    tokens: Vec<Token>,
    error: Option<(usize, String)>,
}

impl Source {
    /// Reads a file. One that is no Rust has no tokens, and says so.
    pub(crate) fn read(text: &str) -> Self {
        match TokenStream::from_str(text) {
            Ok(stream) => {
                let mut tokens = Vec::new();
                flatten(stream, &mut tokens);
                mark_tests(&mut tokens);
                Self {
                    tokens,
                    error: None,
                }
            }
            Err(error) => {
                let line = error.span().start().line;
                Self {
                    tokens: Vec::new(),
                    error: Some((line, error.to_string())),
                }
            }
        }
    }

    /// Returns the line and the reason why this is no Rust.
    pub(crate) fn error(&self) -> Option<&(usize, String)> {
        self.error.as_ref()
    }

    /// Returns all tokens.
    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// Returns where a sequence of tokens starts; the pattern has a blank between any two tokens (`"std : : fs"`).
    pub(crate) fn places(&self, pattern: &str) -> Vec<usize> {
        let pattern: Vec<&str> = pattern.split(' ').collect();
        let windows = self.tokens.windows(pattern.len()).enumerate();
        let fits = |window: &[Token]| {
            window
                .iter()
                .zip(&pattern)
                .all(|(token, text)| token.text == *text)
        };
        windows
            .filter(|(_, window)| fits(window))
            .map(|(at, _)| at)
            .collect()
    }

    /// Returns the text of the token at `at`, or nothing past either end.
    pub(crate) fn text_at(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.tokens.get(at))
            .map_or("", |token| token.text.as_str())
    }

    /// Returns the tokens between the bracket at `open` and its partner.
    pub(crate) fn inside(&self, open: usize) -> &[Token] {
        self.tokens
            .get(open + 1..self.tokens[open].partner)
            .unwrap_or_default()
    }

    /// Returns the lines outside tests where a path such as `std::fs` is written or imported, however it is grouped.
    pub(crate) fn lines_with_path(&self, path: &str) -> BTreeSet<usize> {
        let wanted: Vec<&str> = path.split("::").collect();
        let written = self
            .places(&wanted.join(" : : "))
            .into_iter()
            .map(|at| &self.tokens[at]);
        let mut lines: BTreeSet<usize> = written
            .filter(|token| !token.in_test)
            .map(|token| token.line)
            .collect();
        for (start, _) in self
            .tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| token.text == "use" && !token.in_test)
        {
            let mut imports = Vec::new();
            self.import(start + 1, Vec::new(), &mut imports);
            let fits = |names: &[String]| names.windows(wanted.len()).any(|part| part == wanted);
            lines.extend(
                imports
                    .into_iter()
                    .filter(|(names, _)| fits(names))
                    .map(|(_, line)| line),
            );
        }
        lines
    }

    /// Follows one branch of a `use` tree from `at`, and returns where it ends.
    fn import(
        &self,
        mut at: usize,
        mut names: Vec<String>,
        found: &mut Vec<(Vec<String>, usize)>,
    ) -> usize {
        while let Some(token) = self.tokens.get(at) {
            if token.text == "{" {
                let mut inner = at + 1;
                while inner < token.partner {
                    // At least one step each time, so that code we do not understand cannot hold us here.
                    inner = self.import(inner, names.clone(), found).max(inner + 1);
                }
                return token.partner + 1;
            }
            if token.kind == Kind::Word || token.text == "*" {
                names.push(token.text.clone());
                if self.text_at(Some(at + 1)) != ":" {
                    let line = token.line;
                    found.push((names, line));
                    return if self.text_at(Some(at + 1)) == "as" {
                        at + 3
                    } else {
                        at + 1
                    };
                }
            } else if token.text != ":" {
                break;
            }
            at += 1;
        }
        at
    }

    /// Returns every `mod x;` line.
    pub(crate) fn mod_lines(&self) -> Vec<ModLine> {
        // The inline modules that are open: name and closing bracket.
        let mut around: Vec<(String, usize)> = Vec::new();
        let mut lines = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            around.retain(|(_, close)| at < *close);
            if token.text != "mod"
                || self
                    .tokens
                    .get(at + 1)
                    .is_none_or(|next| next.kind != Kind::Word)
            {
                continue;
            }
            let name = self.tokens[at + 1].text.clone();
            match self.text_at(Some(at + 2)) {
                "{" => around.push((name, self.tokens[at + 2].partner)),
                ";" => lines.push(ModLine {
                    names: around
                        .iter()
                        .map(|(name, _)| name.clone())
                        .chain([name])
                        .collect(),
                    path: self.path_attribute(at),
                    line: token.line,
                    in_test: token.in_test,
                }),
                _ => {}
            }
        }
        lines
    }

    /// Returns the value of a `#[path = ".."]` above the item at `at`.
    fn path_attribute(&self, mut at: usize) -> Option<String> {
        while at > 0 {
            at -= 1;
            match self.tokens[at].text.as_str() {
                "pub" | "#" => {}
                ")" => at = self.tokens[at].partner,
                "]" => {
                    at = self.tokens[at].partner;
                    if let [path, equals, value] = self.inside(at)
                        && path.text == "path"
                        && equals.text == "="
                    {
                        return Some(value.text.trim_matches('"').to_owned());
                    }
                }
                _ => return None,
            }
        }
        None
    }

    /// Returns every function with a body, also those written inside a macro.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let mut functions = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let Some(name) = self
                .tokens
                .get(at + 1)
                .filter(|next| next.kind == Kind::Word)
            else {
                continue;
            };
            // A type such as `fn(u8)` has no name, and a declaration in a trait no body.
            if token.text != "fn" {
                continue;
            }
            if let Some(open) = self.body(at + 2) {
                let close = self.tokens[open].partner;
                functions.push(Function {
                    name: name.text.clone(),
                    line: token.line,
                    lines: self.lines_between(at..close + 1),
                });
            }
        }
        functions
    }

    /// Returns the opening brace of the body of the item whose head is at `at`.
    fn body(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.tokens.get(at)?.text.as_str() {
                ";" | "}" => return None,
                // A block as argument of a generic type is no body.
                "{" if self.text_at(at.checked_sub(1)) != "<" => return Some(at),
                "(" | "[" | "{" => at = self.tokens[at].partner + 1,
                _ => at += 1,
            }
        }
    }

    fn lines_between(&self, range: Range<usize>) -> usize {
        let tokens = &self.tokens[range];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return 0;
        };
        let data: usize = tokens
            .iter()
            .map(|token| (token.end_line - token.line).saturating_sub(1))
            .sum();
        last.end_line + 1 - first.line - data
    }

    /// Returns how many lines hold code: no blank ones, no comments, no inner lines of strings.
    pub(crate) fn lines_of_code(&self) -> usize {
        let lines: BTreeSet<usize> = self
            .tokens
            .iter()
            .flat_map(|token| [token.line, token.end_line])
            .collect();
        lines.len()
    }
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while at < trees.len() {
        if let Some(length) = documentation(&trees[at..]) {
            at += length;
            continue;
        }
        match &trees[at] {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                let start = tokens.len();
                push(tokens, open, Kind::Mark, group.span_open());
                flatten(group.stream(), tokens);
                let end = tokens.len();
                push(tokens, close, Kind::Mark, group.span_close());
                tokens[start].partner = end;
                tokens[end].partner = start;
            }
            TokenTree::Ident(word) => push(tokens, &word.to_string(), Kind::Word, word.span()),
            TokenTree::Punct(mark) => {
                push(tokens, &mark.as_char().to_string(), Kind::Mark, mark.span());
            }
            TokenTree::Literal(literal) => {
                push(tokens, &literal.to_string(), Kind::Literal, literal.span());
            }
        }
        at += 1;
    }
}

fn push(tokens: &mut Vec<Token>, text: &str, kind: Kind, span: proc_macro2::Span) {
    let (line, end_line) = (span.start().line, span.end().line);
    tokens.push(Token {
        text: text.to_owned(),
        kind,
        line,
        end_line,
        partner: tokens.len(),
        in_test: false,
    });
}

/// Returns how many trees a documentation comment takes at the start of `trees`: `#[doc = ".."]` or `#![doc = ".."]`.
fn documentation(trees: &[TokenTree]) -> Option<usize> {
    let is = |at: usize, wanted: char| matches!(trees.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == wanted);
    let at = if is(1, '!') { 2 } else { 1 };
    let Some(TokenTree::Group(group)) = trees.get(at).filter(|_| is(0, '#')) else {
        return None;
    };
    let mut inside = group.stream().into_iter();
    let name = inside.next()?.to_string();
    let equals = inside.next()?.to_string();
    (name == "doc" && equals == "=").then_some(at + 1)
}

/// Marks what stands under `#[test]`, `#[cfg(test)]` or a `cfg` that needs `test` among others.
fn mark_tests(tokens: &mut [Token]) {
    let mut at = 0;
    while at < tokens.len() {
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
        let of_file = text(at + 1) == "!";
        let open = if of_file { at + 2 } else { at + 1 };
        if text(at) != "#" || text(open) != "[" {
            at += 1;
            continue;
        }
        let close = tokens[open].partner;
        let inside: Vec<&str> = tokens[open + 1..close]
            .iter()
            .map(|token| token.text.as_str())
            .collect();
        let is_test = match inside.as_slice() {
            ["test"] => true,
            ["cfg", rest @ ..] => {
                rest.contains(&"test") && !rest.contains(&"not") && !rest.contains(&"any")
            }
            _ => false,
        };
        if is_test {
            let end = if of_file {
                tokens.len()
            } else {
                end_of_item(tokens, close + 1)
            };
            tokens[at..end]
                .iter_mut()
                .for_each(|token| token.in_test = true);
        }
        at = close + 1;
    }
}

/// Returns where the item that starts at `at` is over: after its `;` or its braces.
fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at) {
        match token.text.as_str() {
            "{" => return token.partner + 1,
            ";" => return at + 1,
            "}" => return at,
            "(" | "[" => at = token.partner + 1,
            _ => at += 1,
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_no_code() {
        let source =
            Source::read("//! std::fs\n/// std::fs\nfn a() { /* std::fs */ b(\"std::fs\"); }\n");
        assert_eq!(source.lines_with_path("std::fs"), BTreeSet::new());
        assert!(source.error().is_none());
    }

    #[test]
    fn a_path_is_found_however_it_is_imported_and_inside_macros() {
        let text = "use std::{\n    collections::BTreeMap,\n    fs::{File, read},\n    io as fs,\n};\n\
                    use std::fs as disk;\nfn a() { writeln!(x, \"\", std::fs::read(y)); }\n";
        assert_eq!(
            Source::read(text).lines_with_path("std::fs"),
            BTreeSet::from([3, 6, 7])
        );
    }

    #[test]
    fn test_items_are_marked_and_nothing_else() {
        let text = "use std::fs;\n#[cfg(test)]\nuse std::fs;\n#[cfg(all(test, unix))]\n#[derive(Debug)]\nmod a { use std::fs; }\n\
                    #[cfg(not(test))]\nuse std::fs;\n#[test]\nfn a() { std::fs::a() }\nfn b() { std::fs::b() }\n";
        assert_eq!(
            Source::read(text).lines_with_path("std::fs"),
            BTreeSet::from([1, 8, 11])
        );
        assert_eq!(
            Source::read("#![cfg(test)]\nuse std::fs;\n").lines_with_path("std::fs"),
            BTreeSet::new()
        );
    }

    #[test]
    fn module_lines_know_their_place() {
        let text = "mod a;\n#[path = \"x/y.rs\"]\npub(crate) mod b;\nmod c { pub mod d; }\n#[cfg(test)]\nmod e;\nmod f {}\n";
        let lines = Source::read(text).mod_lines();
        let seen: Vec<(String, Option<&str>, bool)> = lines
            .iter()
            .map(|line| (line.names.join("::"), line.path.as_deref(), line.in_test))
            .collect();
        let wanted = [
            ("a", None, false),
            ("b", Some("x/y.rs"), false),
            ("c::d", None, false),
            ("e", None, true),
        ];
        assert_eq!(
            seen,
            wanted.map(|(names, path, in_test)| (names.to_owned(), path, in_test))
        );
    }

    #[test]
    fn functions_are_measured_without_the_inside_of_strings() {
        let text = "trait T { fn none(&self); }\nfn short() {}\nfn long<const N: usize>(f: fn(u8)) -> [u8; N]\nwhere\n    A: B,\n{\n    x()\n}\n\
                    m! { fn inside() {\n} }\nfn data() {\n    \"1\n2\n3\n4\"\n}\n";
        let functions = Source::read(text).functions();
        let seen: Vec<(&str, usize, usize)> = functions
            .iter()
            .map(|function| (function.name.as_str(), function.line, function.lines))
            .collect();
        assert_eq!(
            seen,
            [
                ("short", 2, 1),
                ("long", 3, 6),
                ("inside", 9, 2),
                ("data", 11, 4)
            ]
        );
    }

    #[test]
    fn lines_of_code_leave_out_blank_lines_and_comments() {
        assert_eq!(
            Source::read("//! A.\n\n// b\nfn a() {\n\n    /* c */ d(); // e\n}\n").lines_of_code(),
            3
        );
    }

    #[test]
    fn what_is_no_rust_says_so() {
        let source = Source::read("fn a() {\n");
        assert!(source.error().is_some());
        assert!(source.tokens().is_empty());
    }
}
