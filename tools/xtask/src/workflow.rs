//! A workflow of GitHub Actions as the rules see it: every value with the path of keys that leads to it, and its line.
//!
//! An action is read as well: its steps are below `runs`. It reads the YAML that we write and no more: keys and items by their indentation, blocks of text, comments. What is
//! written otherwise is said to be none that can be read, so that no rule passes over it in silence. Tested below.

mod rights;

use std::collections::BTreeMap;

use crate::tree::Tree;

pub(crate) use rights::{RIGHTS, given};

/// The folders of workflows and of the actions that they are made of.
const WORKFLOWS: &str = ".github/workflows";
const ACTIONS: &str = ".github/actions";

/// Returns all workflows, by their paths.
pub(crate) fn all(tree: &Tree) -> BTreeMap<&str, Workflow> {
    let files = tree.below(WORKFLOWS);
    let read = files.filter_map(|path| Some((path, Workflow::read(tree.text(path)?))));
    read.collect()
}

/// Returns all actions beside them, by their paths.
pub(crate) fn actions(tree: &Tree) -> BTreeMap<&str, Workflow> {
    let files = tree.below(ACTIONS);
    let files = files.filter(|path| path.ends_with("/action.yml"));
    let read = files.filter_map(|path| Some((path, Workflow::read(tree.text(path)?))));
    read.collect()
}

/// A workflow.
#[derive(Debug, Default)]
pub(crate) struct Workflow {
    pub(crate) values: Vec<Value>,
    /// The lines that could not be read.
    pub(crate) unread: Vec<usize>,
}

/// A value, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// The keys that lead to it; items of a list are known by their number.
    pub(crate) path: Vec<String>,
    /// What is written, without quotes; nothing where only more keys follow.
    pub(crate) text: String,
    /// Counted from 1.
    pub(crate) line: usize,
}

impl Value {
    /// Tells whether a path leads here, in which `*` stands for any key.
    pub(crate) fn is_at(&self, path: &[&str]) -> bool {
        self.path.len() == path.len() && self.is_below(path)
    }

    /// Returns the step of a job or an action that it is in, and where within the step it is.
    pub(crate) fn in_step(&self) -> Option<(&[String], &[String])> {
        let start = match &self.path[..] {
            [runs, steps, _, _, ..] if runs == "runs" && steps == "steps" => 3,
            [jobs, _, steps, _, _, ..] if jobs == "jobs" && steps == "steps" => 4,
            _ => return None,
        };
        self.path.split_at_checked(start)
    }

    /// Tells whether a path leads here or to something around it.
    pub(crate) fn is_below(&self, path: &[&str]) -> bool {
        let same = |(key, wanted): (&String, &&str)| *wanted == "*" || key == wanted;
        self.path.len() >= path.len() && self.path.iter().zip(path).all(same)
    }
}

impl Workflow {
    /// Reads the text of a workflow.
    pub(crate) fn read(text: &str) -> Self {
        let mut reading = Reading::default();
        for (at, line) in text.lines().enumerate() {
            reading.line(at + 1, line);
        }
        reading.workflow
    }

    /// Returns all values at a path.
    pub(crate) fn at<'a>(&'a self, path: &'a [&'a str]) -> impl Iterator<Item = &'a Value> {
        self.values.iter().filter(|value| value.is_at(path))
    }

    /// Returns the text at a path, where there is one.
    pub(crate) fn text(&self, path: &[&str]) -> Option<&str> {
        let found = self.values.iter().find(|value| value.is_at(path));
        found.map(|value| value.text.as_str())
    }

    /// Tells whether it starts on an event.
    pub(crate) fn starts_on(&self, event: &str) -> bool {
        self.text(&["on", event]).is_some()
    }

    /// Tells whether it starts on what anybody can do, with rights that not everybody has.
    pub(crate) fn is_started_by_anybody(&self) -> bool {
        ["workflow_run", "issue_comment"]
            .iter()
            .any(|event| self.starts_on(event))
    }

    /// Returns the names of its jobs, with their lines.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = (&str, usize)> {
        let jobs = self.at(&["jobs", "*"]);
        jobs.map(|value| (value.path[1].as_str(), value.line))
    }
}

#[derive(Default)]
struct Reading {
    workflow: Workflow,
    /// The keys that the next line may stand below, each with its indentation.
    open: Vec<(usize, String)>,
    /// The indentation of the key whose text goes on over the next lines.
    block: Option<usize>,
}

impl Reading {
    fn line(&mut self, number: usize, line: &str) {
        let indent = line.len() - line.trim_start().len();
        if let Some(block) = self.block {
            if indent > block || line.trim().is_empty() {
                let value = self.workflow.values.last_mut();
                value.into_iter().for_each(|value| {
                    value.text.extend([line.trim(), "\n"]);
                });
                return;
            }
            self.block = None;
        }
        let text = without_comment(line).trim();
        if !text.is_empty() {
            self.entry(number, indent, text);
        }
    }

    fn entry(&mut self, line: usize, indent: usize, text: &str) {
        let is_item = text.starts_with("- ");
        let is_list_of = |key: &str| !key.bytes().all(|byte| byte.is_ascii_digit());
        let beside = self.open.iter().rfind(|(at, _)| *at == indent);
        // A list may stand as far left as its key, where it would be taken for what follows the key.
        if is_item && beside.is_some_and(|(_, key)| is_list_of(key)) {
            return self.workflow.unread.push(line);
        }
        self.open.retain(|(outer, _)| *outer < indent);
        let Some(item) = text.strip_prefix("- ") else {
            return self.member(line, indent, text);
        };
        let parent: Vec<String> = self.open.iter().map(|(_, key)| key.clone()).collect();
        let path: Vec<&str> = parent.iter().map(String::as_str).chain(["*"]).collect();
        let count = self.workflow.at(&path).count();
        self.push(line, indent, count.to_string(), "");
        if key_and_text(item).is_some() {
            self.member(line, indent + 2, item);
        } else if is_flow(item) {
            self.workflow.unread.push(line);
        } else if let Some(value) = self.workflow.values.last_mut() {
            unquoted(item).clone_into(&mut value.text);
        }
    }

    fn member(&mut self, line: usize, indent: usize, text: &str) {
        let Some((key, text)) = key_and_text(text) else {
            self.workflow.unread.push(line);
            return;
        };
        if is_flow(text) {
            self.workflow.unread.push(line);
        } else if text.starts_with(['|', '>']) {
            self.block = Some(indent);
            self.push(line, indent, key.to_owned(), "");
        } else {
            self.push(line, indent, key.to_owned(), unquoted(text));
        }
    }

    fn push(&mut self, line: usize, indent: usize, key: String, text: &str) {
        self.open.push((indent, key));
        self.workflow.values.push(Value {
            path: self.open.iter().map(|(_, key)| key.clone()).collect(),
            text: text.to_owned(),
            line,
        });
    }
}

fn key_and_text(text: &str) -> Option<(&str, &str)> {
    let (key, text) = match text.split_once(": ") {
        Some(parts) => parts,
        None => (text.strip_suffix(':')?, ""),
    };
    let is_key = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (!key.is_empty() && key.chars().all(is_key)).then(|| (key, text.trim()))
}

/// Tells whether keys are hidden in a value: in braces, alone or in a list, or behind a name for something written elsewhere.
fn is_flow(text: &str) -> bool {
    let has_keys = text.starts_with(['{', '[']) && text.contains('{');
    (has_keys && text != "{}") || text.starts_with(['&', '*'])
}

fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '#') if line[..at].ends_with(' ') => return &line[..at],
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    line
}

fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    ['\'', '"'].into_iter().find_map(inner).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# about\nname: 'a # b' # why\non:\n  push:\n    branches: [main]\njobs:\n  one:\n    if: >-\n      ${{ a\n      && b }}\n    steps:\n      - uses: x/y@1 # z\n        with:\n          ref: main\n      - run: |\n          echo: 'a'\n\n          # kept\n    needs:\n      - two\n  last:\n";

    #[test]
    fn every_value_has_its_path_and_line() {
        let read = Workflow::read(TEXT);
        assert_eq!(read.unread, [0; 0]);
        assert_eq!(read.text(&["name"]), Some("a # b"));
        assert_eq!(read.text(&["on", "push", "branches"]), Some("[main]"));
        assert!(read.starts_on("push") && !read.starts_on("pull_request"));
        let whole = read.text(&["jobs", "one", "if"]);
        assert_eq!(whole, Some("${{ a\n&& b }}\n"));
        let steps = ["jobs", "one", "steps"];
        let of_step = |rest: &[&str]| read.text(&[&steps, rest].concat()).unwrap();
        assert_eq!(of_step(&["0", "uses"]), "x/y@1");
        assert_eq!(of_step(&["0", "with", "ref"]), "main");
        assert_eq!(of_step(&["1", "run"]), "echo: 'a'\n\n# kept\n");
        assert_eq!(read.text(&["jobs", "one", "needs", "0"]), Some("two"));
        let jobs: Vec<(&str, usize)> = read.jobs().collect();
        assert_eq!(jobs, [("one", 7), ("last", 21)]);
    }

    #[test]
    fn a_value_knows_its_step() {
        let text = "jobs:\n  steps:\n    steps:\n      - uses: a\n        with:\n          ref: b\n    if: c\nruns:\n  steps:\n    - run: d\n";
        let read = Workflow::read(text);
        let steps = read.values.iter().filter_map(Value::in_step);
        let steps: Vec<String> = steps
            .map(|(step, rest)| format!("{} {}", step.join("/"), rest.join("/")))
            .collect();
        assert_eq!(
            steps,
            [
                "jobs/steps/steps/0 uses",
                "jobs/steps/steps/0 with",
                "jobs/steps/steps/0 with/ref",
                "runs/steps/0 run",
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        assert_eq!(Workflow::read("a: b\n? c\n[d]\n").unread, [2, 3]);
        for hidden in [
            "steps:\n- uses: a\n",
            "with: { ref: a }\n",
            "steps: [{ uses: a }]\n",
            "steps:\n  - { uses: a }\n",
            "steps: *all\n",
            "steps: &all\n",
        ] {
            assert!(!Workflow::read(hidden).unread.is_empty(), "{hidden}");
        }
        for plain in [
            "permissions: {}\n",
            "on: [a, b]\n",
            "steps:\n  - a: b\n  - c\n",
        ] {
            assert_eq!(Workflow::read(plain).unread, [0; 0], "{plain}");
        }
    }
}
