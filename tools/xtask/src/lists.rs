//! The hand-written lists of adapters and renderers: reading them, and adding a name.
//!
//! A list is a file of plain `mod x;` lines and one `const` array with an `&x::ITEM` for each, beside a folder with the
//! files. Plain lines, because a macro that declares modules hides them from rustfmt; and a rule that compares folder
//! and list, because plain lines are easily forgotten.
//!
//! Tested below; the rule `forgotten` and the scaffolds, which both build on this, test it on whole trees.

use anyhow::{Context as _, Result};

use crate::source::{Kind, Source};

/// A list and the folder it lists.
pub(crate) struct List {
    /// The file with the list; the folder has the same path without `.rs`.
    pub(crate) file: &'static str,
    /// The constant every listed module has.
    pub(crate) item: &'static str,
    /// The array they are all in.
    pub(crate) array: &'static str,
}

/// The widest array that rustfmt keeps on one line.
const ARRAY_WIDTH_MAX: usize = 60;

/// The adapters.
pub(crate) const ADAPTERS: List = List {
    file: "crates/tripline-read/src/adapters.rs",
    item: "ADAPTER",
    array: "ADAPTERS",
};

/// The renderers.
pub(crate) const RENDERERS: List = List {
    file: "crates/tripline-render/src/renderers.rs",
    item: "RENDERER",
    array: "RENDERERS",
};

/// An entry of the array.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) line: usize,
}

impl List {
    /// Returns the folder whose files are listed.
    pub(crate) fn folder(&self) -> &'static str {
        self.file.trim_end_matches(".rs")
    }

    /// Returns the modules that the array names, in its order, or nothing where there is no such array.
    pub(crate) fn entries(&self, source: &Source) -> Option<Vec<Entry>> {
        let start = source
            .places(&format!("const {} :", self.array))
            .into_iter()
            .next()?;
        let tokens = source.tokens();
        let end = tokens[start..]
            .iter()
            .position(|token| token.text == ";")
            .map_or(tokens.len(), |length| start + length);
        let places = source
            .places(&format!(": : {}", self.item))
            .into_iter()
            .filter(|at| (start..end).contains(at));
        let names = places
            .filter_map(|at| tokens.get(at.checked_sub(1)?))
            .filter(|token| token.kind == Kind::Word);
        Some(
            names
                .map(|token| Entry {
                    name: token.text.clone(),
                    line: token.line,
                })
                .collect(),
        )
    }

    /// Returns the text of the list with a module more: its `mod` line and its entry, and nothing else moved.
    pub(crate) fn with(&self, text: &str, module: &str) -> Result<String> {
        let text = self.with_entry(text, module)?;
        let source = Source::read(&text);
        let lines = source.mod_lines().into_iter().filter(|line| !line.in_test);
        let names = lines.filter_map(|line| Some((line.names.into_iter().next_back()?, line.line)));
        let modules: Vec<Entry> = names.map(|(name, line)| Entry { name, line }).collect();
        let place = place(&modules, module).with_context(|| self.first_by_hand())?;
        let neighbour = text.lines().nth(modules[0].line - 1).unwrap_or_default();
        // As visible as its neighbours.
        let visibility = neighbour
            .split_once("mod ")
            .map_or("", |(before, _)| before);
        let line = format!("{visibility}mod {module};");
        Ok(with_line(&text, place.line_before(&modules), line))
    }

    fn with_entry(&self, text: &str, module: &str) -> Result<String> {
        let entries = self.entries(&Source::read(text));
        let entries =
            entries.with_context(|| format!("`{}` has no array {}", self.file, self.array))?;
        let place = place(&entries, module).with_context(|| self.first_by_hand())?;
        let entry = format!("&{module}::{}", self.item);
        let line_at = entries[0].line - 1;
        let line = text.lines().nth(line_at).unwrap_or_default();
        // A short array is kept on one line, `&[&a::ITEM, &b::ITEM];`, as long as it is short.
        let inner = line
            .rsplit_once("&[")
            .and_then(|(head, rest)| Some((head, rest.strip_suffix("];")?)));
        let Some((head, inner)) = inner else {
            return Ok(with_line(
                text,
                place.line_before(&entries),
                format!("    {entry},"),
            ));
        };
        let mut items: Vec<&str> = inner
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .collect();
        items.insert(place.0, &entry);
        let one_line = items.join(", ");
        let array = if one_line.len() <= ARRAY_WIDTH_MAX {
            format!("{head}&[{one_line}];")
        } else {
            format!("{head}&[\n    {},\n];", items.join(",\n    "))
        };
        let mut lines: Vec<&str> = text.lines().collect();
        lines[line_at] = &array;
        Ok(lines.join("\n") + "\n")
    }

    fn first_by_hand(&self) -> String {
        format!(
            "`{}` lists nothing yet: write its first lines by hand",
            self.file
        )
    }
}

/// Before which of the existing entries a new one stands; their number, for the end.
struct Place(usize);

impl Place {
    fn line_before(&self, existing: &[Entry]) -> usize {
        match existing.get(self.0) {
            Some(next) => next.line - 1,
            None => existing.last().map_or(0, |last| last.line),
        }
    }
}

/// Returns where a new name belongs: where it sorts, or at the end of a list in an order of its own.
fn place(existing: &[Entry], name: &str) -> Option<Place> {
    let names = || existing.iter().map(|entry| entry.name.as_str());
    let sorted = names()
        .position(|other| other > name)
        .filter(|_| names().is_sorted());
    (!existing.is_empty()).then(|| Place(sorted.unwrap_or(existing.len())))
}

/// Returns a text with one line more, after so many others.
fn with_line(text: &str, after: usize, line: String) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.insert(after, line);
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! List.\n\npub mod b;\npub mod d;\n\n#[cfg(test)]\nmod tests;\n\n\
                        pub const ADAPTERS: &[&Adapter] = &[\n    &b::ADAPTER,\n    // Why.\n    &d::ADAPTER,\n];\n";

    #[test]
    fn reads_the_entries() {
        let entries = ADAPTERS.entries(&Source::read(TEXT)).unwrap();
        let entry = |name: &str, line| Entry {
            name: name.to_owned(),
            line,
        };
        assert_eq!(entries, [entry("b", 10), entry("d", 12)]);
        assert_eq!(ADAPTERS.entries(&Source::read("mod b;\n")), None);
    }

    #[test]
    fn adds_at_the_start_in_the_middle_and_at_the_end() {
        for (module, mod_line, entry_line) in [("a", 3, 11), ("c", 4, 13), ("e", 5, 14)] {
            let text = ADAPTERS.with(TEXT, module).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), TEXT.lines().count() + 2);
            assert_eq!(lines[mod_line - 1], format!("pub mod {module};"), "{text}");
            assert_eq!(
                lines[entry_line - 1],
                format!("    &{module}::ADAPTER,"),
                "{text}"
            );
        }
    }

    #[test]
    fn an_order_of_its_own_is_kept() {
        let text = TEXT.replace("&b", "&z");
        let added = ADAPTERS.with(&text, "c").unwrap();
        assert!(
            added.contains(
                "    &z::ADAPTER,\n    // Why.\n    &d::ADAPTER,\n    &c::ADAPTER,\n];\n"
            ),
            "{added}"
        );
    }

    #[test]
    fn an_array_on_one_line_stays_there_while_it_is_short() {
        let text = "mod csv;\nmod text;\nconst RENDERERS: &[&Renderer] = &[&csv::RENDERER, &text::RENDERER];\n";
        let added = RENDERERS.with(text, "json").unwrap();
        let array = "= &[&csv::RENDERER, &json::RENDERER, &text::RENDERER];\n";
        assert!(
            added.starts_with("mod csv;\nmod json;\nmod text;\n") && added.ends_with(array),
            "{added}"
        );
        let added = RENDERERS.with(&added, "junit").unwrap();
        let array = "= &[\n    &csv::RENDERER,\n    &json::RENDERER,\n    &junit::RENDERER,\n    &text::RENDERER,\n];\n";
        assert!(added.ends_with(array), "{added}");
    }

    #[test]
    fn does_not_guess_where_the_first_line_goes() {
        assert!(
            ADAPTERS
                .with("pub const ADAPTERS: &[&Adapter] = &[];\n", "a")
                .is_err()
        );
        assert!(ADAPTERS.with("mod b;\n", "a").is_err());
    }
}
