//! A small model of how the runner reads commands and files: the rules of its parsers, over ordinary strings.

use std::collections::BTreeMap;

/// The commands that the runner knows and that could do harm.
const KNOWN: &[&str] = &[
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
];

/// A command as the runner understands it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) name: String,
    pub(super) properties: BTreeMap<String, String>,
    pub(super) data: String,
}

/// A line as the runner takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// It is followed.
    Followed(Command),
    /// It is printed.
    Printed(String),
}

/// Reads what a step prints: line by line, where a carriage return ends a line, too.
pub(super) fn read(printed: &str) -> Vec<Line> {
    let mut stopped_by: Option<String> = None;
    let mut lines: Vec<&str> = printed.split_inclusive('\n').collect();
    lines = lines
        .into_iter()
        .flat_map(|line| line.split_inclusive('\r'))
        .collect();
    let lines = lines
        .into_iter()
        .map(|line| line.trim_end_matches(['\r', '\n']));
    // Between the two characters of one line break is no line.
    lines
        .filter(|line| !line.is_empty())
        .map(|line| read_line(line, &mut stopped_by))
        .collect()
}

fn read_line(line: &str, stopped_by: &mut Option<String>) -> Line {
    let known = |name: &str| {
        KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name))
            || stopped_by
                .as_ref()
                .is_some_and(|word| word.eq_ignore_ascii_case(name))
    };
    let Some(command) = newer_form(line, &known).or_else(|| older_form(line, &known)) else {
        return Line::Printed(line.to_owned());
    };
    match stopped_by {
        Some(word) if word.eq_ignore_ascii_case(&command.name) => {
            *stopped_by = None;
            Line::Followed(command)
        }
        Some(_) => Line::Printed(line.to_owned()),
        None => {
            if command.name.eq_ignore_ascii_case("stop-commands") {
                *stopped_by = Some(command.data.clone());
            }
            Line::Followed(command)
        }
    }
}

/// `::name key=value,key=value::data`, after blanks.
fn newer_form(line: &str, known: &impl Fn(&str) -> bool) -> Option<Command> {
    let (about, data) = line.trim_start().strip_prefix("::")?.split_once("::")?;
    let (name, properties) = about.split_once(' ').unwrap_or((about, ""));
    known(name).then(|| Command {
        name: name.to_owned(),
        properties: pairs(properties.trim(), ',', &["%0D", "%0A", "%3A", "%2C", "%25"]),
        data: unescaped(data, &["%0D", "%0A", "%25"]),
    })
}

/// `##[name key=value;key=value]data`, anywhere in a line.
fn older_form(line: &str, known: &impl Fn(&str) -> bool) -> Option<Command> {
    const ESCAPES: &[&str] = &["%3B", "%0D", "%0A", "%5D", "%25"];
    let (_, rest) = line.split_once("##[")?;
    let (about, data) = rest.split_once(']')?;
    let (name, properties) = about.split_once(' ').unwrap_or((about, ""));
    known(name).then(|| Command {
        name: name.to_owned(),
        properties: pairs(properties, ';', ESCAPES),
        data: unescaped(data, ESCAPES),
    })
}

fn pairs(text: &str, between: char, escapes: &[&str]) -> BTreeMap<String, String> {
    let pairs = text.split(between).filter_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        // Empty parts are dropped, and so are further signs at the beginning of a value.
        let value = value.trim_start_matches('=');
        (!key.is_empty() && !value.is_empty()).then(|| (key.to_owned(), unescaped(value, escapes)))
    });
    pairs.collect()
}

/// Replaces one escape after the other, the percent sign last.
fn unescaped(text: &str, escapes: &[&str]) -> String {
    escapes.iter().fold(text.to_owned(), |text, escape| {
        let code = u8::from_str_radix(&escape[1..], 16).unwrap();
        text.replace(escape, &char::from(code).to_string())
    })
}

/// Reads a file of names and values, or says what is wrong with it.
pub(super) fn read_outputs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut outputs = Vec::new();
    let mut lines = text.split_terminator('\n');
    while let Some(line) = lines.next() {
        let equals = line.find('=').unwrap_or(usize::MAX);
        let mark = line.find("<<").unwrap_or(usize::MAX);
        if line.is_empty() {
            continue;
        } else if equals < mark {
            outputs.push((line[..equals].to_owned(), line[equals + 1..].to_owned()));
        } else if mark < equals {
            let (name, end) = (&line[..mark], &line[mark + 2..]);
            let mut value = Vec::new();
            loop {
                match lines.next() {
                    Some(line) if line == end => break,
                    Some(line) => value.push(line),
                    None => return Err(format!("no line {end:?}")),
                }
            }
            outputs.push((name.to_owned(), value.join("\n")));
        } else {
            return Err(format!("no form: {line:?}"));
        }
    }
    Ok(outputs)
}
