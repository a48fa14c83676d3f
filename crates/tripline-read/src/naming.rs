//! How the names harnesses use become a benchmark's name and params.
//!
//! Params are first class in reports, and harnesses know only one text; so benches write params into it by one of two
//! forms, which are read here and nowhere else. A text of neither form is kept whole, as one param. Tested below.

use std::borrow::Cow;

use tripline_model::{BenchId, BenchName, NameError, ParamKey, ParamValue, Params, SuiteName};

use crate::place::shown;

/// Key and value of params, not yet checked.
pub(crate) type Pairs<'a> = Vec<(&'a str, &'a str)>;

/// Puts an id together from texts of an input, or says which of them cannot be part of one.
pub(crate) fn bench_id(
    suite: &SuiteName,
    name: &str,
    pairs: &[(impl AsRef<str>, impl AsRef<str>)],
) -> Result<BenchId, String> {
    let name = BenchName::new(name).map_err(|error| error.to_string())?;
    let mut params = Params::new();
    for (key, value) in pairs {
        let (key, value) = (key.as_ref(), value.as_ref());
        let of_param =
            |error: NameError| format!("param `{}` of benchmark `{name}`: {error}", shown(key));
        params.insert(
            ParamKey::new(key).map_err(of_param)?,
            ParamValue::new(value).map_err(of_param)?,
        );
    }
    Ok(BenchId {
        suite: suite.clone(),
        name,
        params,
    })
}

/// Returns a name of several lines as one line: a blank stands for each break between them and the blanks around it.
pub(crate) fn in_one_line(text: &str) -> Cow<'_, str> {
    const BREAKS: [char; 3] = ['\n', '\r', '\t'];
    if !text.contains(BREAKS) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    for part in text.split(BREAKS).map(str::trim) {
        let is_between = !line.is_empty() && !part.is_empty();
        line.push_str(if is_between { " " } else { "" });
        line.push_str(part);
    }
    Cow::Owned(line)
}

/// Returns the benchmark of a name that says nothing of params.
pub(crate) fn bench_of_name(suite: &SuiteName, name: &str) -> Result<BenchId, String> {
    bench_id(suite, name, &Pairs::new())
}

/// Returns the name in a path such as `file::group::function`: all of it but the file.
///
/// The file is left out because it is where a benchmark lies and not what it measures; moving it keeps its history.
pub(crate) fn name_of_module(path: &str) -> Option<String> {
    let (_file, rest) = path.split_once("::")?;
    Some(rest.replace("::", "/"))
}

/// Returns the params in an id such as `bytes_64_threads_4`, which has the form of a Rust name.
///
/// An id made of groups `word(_word)*_number` gives one param per group; any other is the param `id`.
pub(crate) fn params_of_id(id: &str) -> Pairs<'_> {
    grouped(id).unwrap_or_else(|| vec![("id", id)])
}

fn grouped(id: &str) -> Option<Pairs<'_>> {
    let mut pairs: Pairs<'_> = Vec::new();
    // The beginning and end of the words not yet closed by a number.
    let mut words: Option<(usize, usize)> = None;
    let mut at = 0;
    for part in id.split('_') {
        let end = at + part.len();
        if is_number(part) {
            let (from, to) = words.take()?;
            let key = &id[from..to];
            // A key that stands twice would lose its first value.
            if pairs.iter().any(|(known, _)| *known == key) {
                return None;
            }
            pairs.push((key, part));
        } else if is_word(part) {
            words = Some((words.map_or(at, |(from, _)| from), end));
        } else {
            return None;
        }
        at = end + 1;
    }
    words.is_none().then_some(pairs)
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
}

fn is_word(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_alphabetic())
        && part.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Returns the params in a value such as `bytes=64,mode=warm`; any other form is the param `value`.
pub(crate) fn params_of_value(value: &str) -> Pairs<'_> {
    assigned(value).unwrap_or_else(|| vec![("value", value)])
}

/// Returns the params in a text such as `bytes=64,mode=warm`, if it is one.
pub(crate) fn assigned(value: &str) -> Option<Pairs<'_>> {
    let mut pairs: Pairs<'_> = Vec::new();
    for part in value.split(',') {
        let (key, value) = part.split_once('=')?;
        let well_formed = !key.is_empty() && !value.is_empty() && !value.contains('=');
        if !well_formed || pairs.iter().any(|(known, _)| *known == key) {
            return None;
        }
        pairs.push((key, value));
    }
    Some(pairs)
}

/// Returns the benchmark that a joined name such as `kv/get/bytes=64` stands for.
///
/// # Errors
/// Says which part of the name no benchmark can have.
pub fn bench_of_title(suite: &SuiteName, title: &str) -> Result<BenchId, String> {
    let (name, params) = split_title(title);
    bench_id(suite, name, &params)
}

/// Splits a joined name such as `kv/get/bytes=64` where its last part is a value and not a name.
pub(crate) fn split_title(title: &str) -> (&str, Pairs<'_>) {
    let Some((name, last)) = title.rsplit_once('/') else {
        return (title, Vec::new());
    };
    match assigned(last) {
        Some(pairs) => (name, pairs),
        None if is_decimal(last) => (name, params_of_value(last)),
        None => (title, Vec::new()),
    }
}

/// Returns the benchmark of an id as our exporters write it, `suite/name{key=value}`; any other text is a name.
pub(crate) fn bench_of_text(suite: &SuiteName, text: &str) -> Result<BenchId, String> {
    let own = text
        .strip_prefix(suite.as_str())
        .and_then(|rest| rest.strip_prefix('/'));
    if let Some((name, pairs)) = own.and_then(unescaped) {
        let bench = bench_id(suite, &name, &pairs)?;
        if bench.to_string() == text {
            return Ok(bench);
        }
    }
    bench_of_name(suite, text)
}

/// Takes an id apart whose structural characters are escaped where they are text.
fn unescaped(text: &str) -> Option<(String, Vec<(String, String)>)> {
    let mut parts = vec![String::new()];
    let mut signs = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let part = parts.last_mut()?;
        match c {
            '\\' => part.push(chars.next()?),
            '{' | '}' => {
                signs.push(c);
                parts.push(String::new());
            }
            // Within a name these two are text.
            '=' | ',' if !signs.is_empty() => {
                signs.push(c);
                parts.push(String::new());
            }
            c => part.push(c),
        }
    }
    let (name, values) = parts.split_first()?;
    let mut pairs = Vec::new();
    if let Some((last, inner)) = signs.split_last() {
        let is_closed = *last == '}' && inner.first() == Some(&'{');
        let are_pairs = inner.chunks(2).all(|pair| matches!(pair, ['{' | ',', '=']));
        let (after, values) = values.split_last()?;
        if !is_closed || !are_pairs || !after.is_empty() {
            return None;
        }
        for pair in values.chunks(2) {
            let [key, value] = pair else {
                return None;
            };
            pairs.push((key.clone(), value.clone()));
        }
    }
    Some((name.clone(), pairs))
}

/// Returns the key of the param that holds a number without a name, counted from 1: `value`, `value2` and so on.
pub(crate) fn numbered_value(number: usize) -> String {
    match number {
        1 => "value".to_owned(),
        _ => format!("value{number}"),
    }
}

/// Returns whether a text is a number as a benchmark's input size is written: digits, and perhaps a fraction.
pub(crate) fn is_decimal(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    is_number(whole) && is_number(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pairs: &Pairs<'_>) -> String {
        let pairs: Vec<_> = pairs.iter().map(|(k, v)| format!("{k}={v}")).collect();
        pairs.join(" ")
    }

    #[test]
    fn an_id_of_words_and_numbers_is_params_and_any_other_is_kept_whole() {
        for (id, expected) in [
            ("bytes_64", "bytes=64"),
            ("bytes_64_threads_4", "bytes=64 threads=4"),
            (
                "key_bytes_16_value_bytes_1024",
                "key_bytes=16 value_bytes=1024",
            ),
            ("fnv1a_8", "fnv1a=8"),
            ("by_size_0", "by_size=0"),
            ("small", "id=small"),
            ("t4", "id=t4"),
            ("64", "id=64"),
            ("bytes_64_warm", "id=bytes_64_warm"),
            ("bytes_64_128", "id=bytes_64_128"),
            ("a_1_a_2", "id=a_1_a_2"),
            ("bytes__64", "id=bytes__64"),
            ("_64", "id=_64"),
            ("bytes_64_", "id=bytes_64_"),
            ("größe_64", "id=größe_64"),
        ] {
            assert_eq!(text(&params_of_id(id)), expected, "{id}");
        }
    }

    #[test]
    fn a_value_of_assignments_is_params_and_any_other_is_kept_whole() {
        for (value, expected) in [
            ("bytes=64", "bytes=64"),
            ("bytes=64,mode=warm", "bytes=64 mode=warm"),
            ("64", "value=64"),
            ("a=b=c", "value=a=b=c"),
            ("a=1,", "value=a=1,"),
            ("=1", "value==1"),
            ("a=1,a=2", "value=a=1,a=2"),
            ("", "value="),
        ] {
            assert_eq!(text(&params_of_value(value)), expected, "{value}");
        }
    }

    #[test]
    fn a_title_ends_in_params_or_in_its_name() {
        for (title, name, expected) in [
            ("kv/get/bytes=64", "kv/get", "bytes=64"),
            ("kv/get/64", "kv/get", "value=64"),
            ("kv/get/0.5", "kv/get", "value=0.5"),
            ("kv/get/v1.0", "kv/get/v1.0", ""),
            ("kv/get/1.", "kv/get/1.", ""),
            ("kv/get", "kv/get", ""),
            ("64", "64", ""),
        ] {
            let (found, pairs) = split_title(title);
            assert_eq!((found, &*text(&pairs)), (name, expected), "{title}");
        }
    }

    #[test]
    fn an_id_as_it_is_exported_is_the_same_again() {
        let suite = SuiteName::new("kv").unwrap();
        for (text, expected) in [
            ("kv/get", "kv/get"),
            ("kv/a=b,c", "kv/a=b,c"),
            ("kv/get{bytes=64,mode=a\\,b}", "kv/get{bytes=64,mode=a\\,b}"),
            // None of ours: all of it is the name.
            ("get", "kv/get"),
            ("p2p/get", "kv/p2p/get"),
            ("kv/get{bytes}", "kv/kv/get\\{bytes\\}"),
            ("kv/get{b=1,a=2}", "kv/kv/get\\{b=1,a=2\\}"),
            ("kv/get{a=1}x", "kv/kv/get\\{a=1\\}x"),
            ("kv/get\\", "kv/kv/get\\\\"),
        ] {
            let bench = bench_of_text(&suite, text).unwrap();
            assert_eq!(bench.to_string(), expected, "{text}");
        }
        let bench = bench_of_text(&suite, "kv/get{bytes=64,mode=a\\,b}").unwrap();
        assert_eq!(bench.params.len(), 2);
    }

    #[test]
    fn a_name_of_several_lines_is_one_line() {
        for (text, expected) in [
            ("a  b ", "a  b "),
            (
                "for n in 1 2; do\n  work $n\r\n\ndone\n",
                "for n in 1 2; do work $n done",
            ),
            ("\ta\tb", "a b"),
            ("\n", ""),
        ] {
            assert_eq!(in_one_line(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_module_path_loses_its_file() {
        for (path, expected) in [
            ("lib_bench::sorts::quick", Some("sorts/quick")),
            ("file::a::b::c", Some("a/b/c")),
            ("file::main", Some("main")),
            ("file", None),
        ] {
            assert_eq!(name_of_module(path).as_deref(), expected, "{path}");
        }
    }

    proptest::proptest! {
        /// Nothing of a text is lost on its way into params, so two texts are never one benchmark by accident.
        #[test]
        fn an_id_can_be_put_together_again(id in "[a-c0-9_]{1,12}") {
            let pairs = params_of_id(&id);
            let parts: Vec<_> = pairs.iter().map(|(k, v)| format!("{k}_{v}")).collect();
            let joined = parts.join("_");
            let is_kept_whole = joined == format!("id_{id}");
            proptest::prop_assert!(joined == id || is_kept_whole);
        }

        #[test]
        fn a_title_can_be_put_together_again(title in "[a-c0-9=,./]{1,12}") {
            let (name, pairs) = split_title(&title);
            let parts: Vec<_> = pairs.iter().map(|(k, v)| format!("{k}={v}")).collect();
            let last = parts.join(",");
            let joined = match pairs[..] {
                [] => name.to_owned(),
                _ => format!("{name}/{last}"),
            };
            proptest::prop_assert!(joined == title || joined.replace("/value=", "/") == title);
        }
    }
}
