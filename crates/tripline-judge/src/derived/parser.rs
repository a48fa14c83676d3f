//! Understands the text of an expression, by recursive descent over words.
//!
//! Tested by the tables of `expression`.

use tripline_model::MetricName;

use super::expression::{Expression, Node, Operator, TERMS_MAX, Term};
use crate::pattern::BenchPattern;

/// How deep parentheses may stand in one another.
const DEPTH_MAX: usize = 32;

/// The longest expression, in words: what nobody can read is a slip, or meant to break something.
const WORDS_MAX: usize = 200;

/// Says why a text is no expression, and at which character of it, from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at character {at}")]
pub struct ExpressionError {
    /// The character, from 1.
    pub at: usize,
    /// What is wrong there.
    pub problem: String,
}

/// A word and the character it begins at, from 1.
#[derive(Debug, Clone, PartialEq)]
struct Word {
    at: usize,
    text: String,
}

/// Walks the words of an expression.
struct Parser {
    words: std::iter::Peekable<std::vec::IntoIter<Word>>,
    end: usize,
    terms: Vec<Term>,
    depth: usize,
}

pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    let words = words(text);
    if words.len() > WORDS_MAX {
        let problem = format!(
            "expected at most {WORDS_MAX} words, and found {}",
            words.len()
        );
        return Err(error(1, problem));
    }
    let mut parser = Parser {
        words: words.into_iter().peekable(),
        end: text.chars().count() + 1,
        terms: Vec::new(),
        depth: 0,
    };
    let root = parser.sum()?;
    if parser.words.peek().is_some() {
        return Err(parser.expected("an operator or the end"));
    }
    if parser.terms.is_empty() {
        return Err(error(1, "expected at least one metric"));
    }
    Ok(Expression {
        text: text.to_owned(),
        terms: parser.terms,
        root,
    })
}

fn error(at: usize, problem: impl Into<String>) -> ExpressionError {
    let problem = problem.into();
    ExpressionError { at, problem }
}

/// Splits a text at spaces and parentheses, except within braces and after `\`.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut in_word, mut in_braces, mut is_escaped) = (false, false, false);
    for (index, c) in text.chars().enumerate() {
        let divides = !in_braces && !is_escaped && (c.is_whitespace() || "()".contains(c));
        match words.last_mut().filter(|_| in_word && !divides) {
            Some(word) => word.text.push(c),
            None if c.is_whitespace() && divides => {}
            None => words.push(Word {
                at: index + 1,
                text: c.to_string(),
            }),
        }
        in_word = !divides;
        if !is_escaped {
            in_braces = (in_braces || c == '{') && c != '}';
        }
        is_escaped = !is_escaped && c == '\\';
    }
    words
}

impl Parser {
    fn sum(&mut self) -> Result<Node, ExpressionError> {
        let signs = [("+", Operator::Plus), ("-", Operator::Minus)];
        self.chain(signs, Self::product)
    }

    fn product(&mut self) -> Result<Node, ExpressionError> {
        let signs = [("*", Operator::Times), ("/", Operator::Over)];
        self.chain(signs, Self::factor)
    }

    /// Takes parts with operators of one strength between them; the left ones come first.
    fn chain(
        &mut self,
        signs: [(&str, Operator); 2],
        part: fn(&mut Self) -> Result<Node, ExpressionError>,
    ) -> Result<Node, ExpressionError> {
        let mut left = part(self)?;
        loop {
            let sign = self.words.peek().map(|word| word.text.as_str());
            let Some((_, operator)) = signs.iter().find(|(text, _)| sign == Some(*text)) else {
                return Ok(left);
            };
            self.words.next();
            left = Node::Pair(Box::new(left), *operator, Box::new(part(self)?));
        }
    }

    fn factor(&mut self) -> Result<Node, ExpressionError> {
        let is_operand = |word: &Word| !["+", "-", "*", "/", ")"].contains(&word.text.as_str());
        let Some(word) = self.words.next_if(is_operand) else {
            return Err(self.expected("a number, a metric or `(`"));
        };
        if word.text == "(" {
            return self.parenthesized(word.at);
        }
        if word
            .text
            .starts_with(|c: char| c.is_ascii_digit() || c == '.')
        {
            let number: Option<f64> = word.text.parse().ok().filter(|n: &f64| n.is_finite());
            let problem = format!("`{}` is no finite number", word.text);
            return number.map(Node::Number).ok_or(error(word.at, problem));
        }
        let term = term(&word)?;
        if let Some(place) = self.terms.iter().position(|other| other.text == term.text) {
            return Ok(Node::Term(place));
        }
        if self.terms.len() == TERMS_MAX {
            return Err(error(
                word.at,
                format!("expected at most {TERMS_MAX} terms"),
            ));
        }
        self.terms.push(term);
        Ok(Node::Term(self.terms.len() - 1))
    }

    fn parenthesized(&mut self, at: usize) -> Result<Node, ExpressionError> {
        if self.depth == DEPTH_MAX {
            let problem = format!("expected at most {DEPTH_MAX} parentheses within one another");
            return Err(error(at, problem));
        }
        self.depth += 1;
        let inner = self.sum()?;
        self.depth -= 1;
        match self.words.next_if(|word| word.text == ")") {
            Some(_) => Ok(inner),
            None => Err(self.expected("an operator or `)`")),
        }
    }

    fn expected(&mut self, what: &str) -> ExpressionError {
        let at = self.words.peek().map_or(self.end, |word| word.at);
        error(at, format!("expected {what}"))
    }
}

/// Understands a word as a term.
fn term(word: &Word) -> Result<Term, ExpressionError> {
    let text = word.text.as_str();
    let (head, params) = text.split_at(brace(text).unwrap_or(text.len()));
    let (name, metric) = match head.rsplit_once(':') {
        Some(("", _)) => return Err(error(word.at, "expected a benchmark's name before `:`")),
        Some((name, metric)) => (Some(name), metric),
        None => (None, head),
    };
    let before_metric = name.map_or(0, |name| characters(name) + 1);
    let Ok(metric_name) = MetricName::new(metric) else {
        let problem = format!(
            "`{metric}` is no metric; operators stand between spaces, and a benchmark's name before `:`,"
        );
        return Err(error(word.at + before_metric, problem));
    };
    let name = name.unwrap_or("*");
    let pattern = BenchPattern::new(&format!("{name}{params}")).map_err(|wrong| {
        // The pattern lacks the metric, which stands between name and params; a name that is left out is one star.
        let at = match wrong.at.checked_sub(characters(name) + 1) {
            Some(in_params) => before_metric + characters(metric) + in_params,
            None => wrong.at - 1,
        };
        error(word.at + at, wrong.problem)
    })?;
    Ok(Term {
        text: text.to_owned(),
        metric: metric_name,
        pattern,
    })
}

fn characters(text: &str) -> usize {
    text.chars().count()
}

/// Returns where the params of a term begin.
fn brace(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == '{' && !is_escaped {
            return Some(at);
        }
        is_escaped = !is_escaped && c == '\\';
    }
    None
}
