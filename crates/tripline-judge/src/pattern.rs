//! Patterns that select benchmarks of a suite: `kv/*{bytes=64,mode=per*}`.
//!
//! The text is that of a benchmark without its suite, with two liberties: `*` stands for any characters, and a param that
//! is not mentioned may be anything. As in a benchmark's own text, `\` takes the meaning from the character after it.
//!
//! Tested below: known answers, every mistake with its place, and the property that a benchmark's own text selects it.

use std::fmt;

use tripline_model::{BenchId, ParamKey};

/// Selects benchmarks by name and params.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchPattern {
    text: String,
    name: Wildcard,
    params: Vec<(ParamKey, Wildcard)>,
}

/// Says why a text is no pattern, and at which character of it, from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at character {at}")]
pub struct PatternError {
    /// The character, from 1.
    pub at: usize,
    /// What is wrong there.
    pub problem: String,
}

/// A text in which some characters may be any: the literal parts between its stars.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wildcard {
    parts: Vec<String>,
}

impl BenchPattern {
    /// Understands a pattern.
    ///
    /// # Errors
    /// Says what was expected, and where.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let mut reader = Reader::new(text);
        let name = reader.until(&['{', '}'], "a benchmark's name; `*` stands for any")?;
        let params = reader.params()?;
        Ok(Self {
            text: text.to_owned(),
            name,
            params,
        })
    }

    /// Returns whether a benchmark is selected.
    #[must_use]
    pub fn matches(&self, bench: &BenchId) -> bool {
        let has = |(key, value): &(ParamKey, Wildcard)| {
            let param = bench.params.get(key);
            param.is_some_and(|param| value.matches(param.as_str()))
        };
        self.name.matches(bench.name.as_str()) && self.params.iter().all(has)
    }

    /// Returns whether it selects all benchmarks that another pattern does, or none of them, as far as the texts tell.
    pub(crate) fn covers(&self, other: &Self) -> Option<bool> {
        let value = |key: &ParamKey| other.params.iter().find(|(theirs, _)| theirs == key);
        let params = self
            .params
            .iter()
            .map(|(key, ours)| ours.covers(&value(key)?.1));
        let all: Vec<Option<bool>> = [self.name.covers(&other.name)]
            .into_iter()
            .chain(params)
            .collect();
        if all.contains(&Some(false)) {
            Some(false)
        } else {
            all.into_iter().collect::<Option<Vec<bool>>>().map(|_| true)
        }
    }

    /// Returns whether it selects benchmarks of one name only.
    pub(crate) fn has_whole_name(&self) -> bool {
        self.name.parts.len() == 1
    }

    /// Returns the params it asks for.
    pub(crate) fn params(&self) -> impl Iterator<Item = &ParamKey> {
        self.params.iter().map(|(key, _)| key)
    }
}

impl fmt::Display for BenchPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl std::str::FromStr for BenchPattern {
    type Err = PatternError;
    fn from_str(text: &str) -> Result<Self, PatternError> {
        Self::new(text)
    }
}

impl Wildcard {
    /// Returns whether it matches all texts that another does, or none of them, if that is plain.
    fn covers(&self, other: &Self) -> Option<bool> {
        let is_any = self.parts.len() > 1 && self.parts.iter().all(String::is_empty);
        match other.parts.as_slice() {
            _ if is_any => Some(true),
            [whole] => Some(self.matches(whole)),
            _ => None,
        }
    }

    /// Takes each literal part where it first fits: a later place would leave less for the parts after it.
    fn matches(&self, text: &str) -> bool {
        let [first, inner @ .., last] = self.parts.as_slice() else {
            return self.parts.iter().all(|whole| whole == text);
        };
        let Some(mut rest) = text.strip_prefix(first.as_str()) else {
            return false;
        };
        for part in inner {
            match rest.split_once(part.as_str()) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last.as_str())
    }
}

/// Walks the characters of a pattern.
struct Reader<'a> {
    rest: std::iter::Peekable<std::iter::Enumerate<std::str::Chars<'a>>>,
    length: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            rest: text.chars().enumerate().peekable(),
            length: text.chars().count(),
        }
    }

    fn error(&mut self, problem: String) -> PatternError {
        let at = self.rest.peek().map_or(self.length, |(at, _)| *at) + 1;
        PatternError { at, problem }
    }

    /// Takes a text that ends before an unescaped character of `ends`, or with the pattern.
    fn until(&mut self, ends: &[char], expected: &str) -> Result<Wildcard, PatternError> {
        let mut parts = vec![String::new()];
        while let Some((_, c)) = self.rest.next_if(|(_, c)| !ends.contains(c)) {
            let literal = match c {
                '*' => {
                    parts.push(String::new());
                    continue;
                }
                '\\' => self.rest.next().map(|(_, escaped)| escaped),
                plain => Some(plain),
            };
            let Some(literal) = literal else {
                return Err(self.error("expected a character after `\\`".to_owned()));
            };
            parts.last_mut().expect("it is never empty").push(literal);
        }
        if parts.len() == 1 && parts[0].is_empty() {
            return Err(self.error(format!("expected {expected}")));
        }
        Ok(Wildcard { parts })
    }

    /// Takes the params, and the end of the pattern.
    fn params(&mut self) -> Result<Vec<(ParamKey, Wildcard)>, PatternError> {
        let mut params = Vec::new();
        match self.rest.next_if(|(_, c)| *c == '{') {
            None if self.rest.peek().is_none() => return Ok(params),
            None => return Err(self.error("expected `{` before `}`".to_owned())),
            Some(_) => {}
        }
        loop {
            params.push(self.param(&params)?);
            match self.rest.next_if(|(_, c)| ",}".contains(*c)) {
                Some((_, ',')) => {}
                Some(_) => break,
                None => return Err(self.error("expected `,` or `}`".to_owned())),
            }
        }
        if self.rest.peek().is_some() {
            return Err(self.error("expected nothing after `}`".to_owned()));
        }
        Ok(params)
    }

    /// Takes one `key=value`.
    fn param(
        &mut self,
        earlier: &[(ParamKey, Wildcard)],
    ) -> Result<(ParamKey, Wildcard), PatternError> {
        const STRUCTURE: &[char] = &['{', '}', ',', '='];
        let start = self.rest.peek().map_or(self.length, |(at, _)| *at) + 1;
        let wrong = |problem: String| PatternError { at: start, problem };
        let key = self.until(STRUCTURE, "a param's key")?;
        let [key] = key.parts.as_slice() else {
            return Err(wrong(
                "a param's key is given in full, without `*`".to_owned(),
            ));
        };
        let key = ParamKey::new(key).map_err(|error| wrong(error.to_string()))?;
        if earlier.iter().any(|(other, _)| *other == key) {
            return Err(wrong(format!("param `{key}` stands twice")));
        }
        if self.rest.next_if(|(_, c)| *c == '=').is_none() {
            return Err(self.error(format!("expected `=` after `{key}`")));
        }
        let value = self.until(STRUCTURE, "a param's value; `*` stands for any")?;
        Ok((key, value))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_map;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use tripline_model::{BenchName, ParamValue, SuiteName};

    use super::*;

    fn bench(name: &str, params: &[(&str, &str)]) -> BenchId {
        let param = |(key, value): &(&str, &str)| {
            (ParamKey::new(key).unwrap(), ParamValue::new(value).unwrap())
        };
        BenchId {
            suite: SuiteName::new("store").unwrap(),
            name: BenchName::new(name).unwrap(),
            params: params.iter().map(param).collect(),
        }
    }

    #[test]
    fn a_pattern_says_what_it_knows_of_another() {
        for (ours, theirs, expected) in [
            ("*{streams=4}", "*{streams=4}", Some(true)),
            ("*{streams=4}", "*{streams=1}", Some(false)),
            ("*{streams=4}", "stream", None),
            ("*{streams=*}", "stream{streams=4}", Some(true)),
            ("put-*", "put-new", Some(true)),
            ("put-*{a=1}", "put{a=1}", Some(false)),
            ("put-*", "*{a=1}", None),
            ("put-*{a=1}", "*{a=2}", Some(false)),
        ] {
            let [ours, theirs] = [ours, theirs].map(|text| BenchPattern::new(text).unwrap());
            assert_eq!(ours.covers(&theirs), expected, "{ours} {theirs}");
        }
    }

    #[test]
    fn what_is_not_mentioned_may_be_anything() {
        let get = bench("kv/get", &[("bytes", "64"), ("mode", "persistent")]);
        for pattern in [
            "kv/get",
            "kv/*",
            "*",
            "*{bytes=64}",
            "k*e*{mode=per*}",
            "kv/get{mode=*,bytes=64}",
            "**",
            "k**get",
            "*kv/get*",
        ] {
            assert!(
                BenchPattern::new(pattern).unwrap().matches(&get),
                "{pattern}"
            );
        }
        for pattern in [
            "kv",
            "get",
            "kv/ge",
            "*{bytes=6}",
            "*{bytes=64,mode=volatile}",
            "*{size=*}",
            "kv/get*get",
            "kv/gett*",
            "*v/get*t",
        ] {
            assert!(
                !BenchPattern::new(pattern).unwrap().matches(&get),
                "{pattern}"
            );
        }
    }

    #[test]
    fn an_escaped_character_means_itself() {
        let odd = bench("a*{b}\\", &[("k=", "v,w")]);
        let pattern = BenchPattern::new(r"a\*\{b\}\\{k\==v\,w}").unwrap();
        assert!(pattern.matches(&odd));
        assert!(!pattern.matches(&bench("ax{b}\\", &[("k=", "v,w")])));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let error = |text: &str| BenchPattern::new(text).unwrap_err().to_string();
        for (text, expected) in [
            (
                "",
                "expected a benchmark's name; `*` stands for any at character 1",
            ),
            (
                "{a=b}",
                "expected a benchmark's name; `*` stands for any at character 1",
            ),
            ("a\\", "expected a character after `\\` at character 3"),
            ("a}", "expected `{` before `}` at character 2"),
            ("a{", "expected a param's key at character 3"),
            ("a{}", "expected a param's key at character 3"),
            ("a{b}", "expected `=` after `b` at character 4"),
            (
                "a{b=",
                "expected a param's value; `*` stands for any at character 5",
            ),
            ("a{b=c", "expected `,` or `}` at character 6"),
            ("a{b=c=d}", "expected `,` or `}` at character 6"),
            ("a{b=c,}", "expected a param's key at character 7"),
            ("a{b=c}d", "expected nothing after `}` at character 7"),
            ("a{ä=c,ä=d}", "param `ä` stands twice at character 7"),
            (
                "a{b*=c}",
                "a param's key is given in full, without `*` at character 3",
            ),
            ("a{ =c}", "the param key is empty at character 3"),
        ] {
            assert_eq!(error(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_benchmark_is_selected_by_its_own_text(
            name in r"[a-c{}\\*=,/ä]{1,6}",
            params in btree_map(r"[a-c{}\\=,]{1,3}", r"[a-c{}\\=,ä0-9]{1,3}", 0..3),
        ) {
            let params: Vec<(&str, &str)> =
                params.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
            let bench = bench(&name, &params);
            // A star is plain in a benchmark's text and any text in a pattern, so it selects its like either way.
            prop_assert!(BenchPattern::new(&bench.within_suite()).unwrap().matches(&bench));
        }

        #[test]
        fn a_star_stands_for_any_part_of_a_name(name in "[abä/]{1,6}", cut in any::<Index>()) {
            let at = cut.index(name.chars().count() + 1);
            let front: String = name.chars().take(at).collect();
            let back: String = name.chars().skip(at).collect();
            for pattern in [format!("{front}*"), format!("*{back}"), format!("{front}*{back}"), format!("*{back}*")] {
                prop_assert!(BenchPattern::new(&pattern).unwrap().matches(&bench(&name, &[])), "{pattern}");
            }
        }

        #[test]
        fn any_text_is_a_pattern_or_an_error_with_a_place(text in r"[a{}=,*\\ ]{0,12}|\PC{0,12}") {
            if let Err(error) = BenchPattern::new(&text) {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.at));
            }
        }
    }
}
