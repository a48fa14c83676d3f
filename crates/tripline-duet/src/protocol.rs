//! What a driver and an executable that serves its benchmarks say to each other, one message a line.
//!
//! The executable is a bench that was started with [`VARIABLE`] set to [`SERVE`]. It answers on its standard output and
//! reads requests on its standard input:
//!
//! ```text
//! executable                                      driver
//! tripline-duet 1
//! benchmark elements=1000 kv/get/bytes=64
//!                                                 block 500
//! block 812345 811002
//!                                                 next
//! benchmark - command/help
//!                                                 block 1
//! missed
//!                                                 next
//! twice kv/get/bytes=64
//! end
//! ```
//!
//! - `tripline-duet <version>` comes first, and once.
//! - `benchmark <throughput> <id>` announces a benchmark, in the order of the source; requests follow until `next` or
//!   `quit`. The throughput is `-`, or `<unit>=<amount per iteration>` with commas between several.
//! - `block <iterations>` asks for exactly so many iterations as one block. The answer is `block <wall> <cpu>` with the
//!   nanoseconds of the timed part alone, on the clock and of the thread's processor time; the latter is `-` where the
//!   bench took the time itself. The answer is `missed` where the bench timed nothing.
//! - `next` and `quit` have no answer. After `quit` all benchmarks that are left are passed over in silence.
//! - `twice <id>` tells that a benchmark was passed over because its id was served before; it waits for no request.
//! - `end` comes after the last benchmark. An executable that ends without it has not served all.
//!
//! In an id, `\n`, `\r` and `\\` stand for a line feed, a carriage return and a backslash. A line has at most
//! [`LINE_BYTES_MAX`] bytes. Each message has one text only: what does not read back the same is refused.
//!
//! This module depends on nothing, so that the driver shares it without building a harness. Tested by round trips of
//! arbitrary messages and of arbitrary lines, and by a table of lines that must be refused.

use std::{borrow::Cow, fmt, str::FromStr};

pub use line::{LINE_BYTES_MAX, ReceiveError, receive, send};

mod line;

/// The version that the greeting names. Another one is another language.
pub const VERSION: u32 = 1;

/// The variable in the executable's environment that asks it to serve.
pub const VARIABLE: &str = "TRIPLINE_DUET";

/// The value of [`VARIABLE`] that asks it to serve; with any other it is an ordinary bench.
pub const SERVE: &str = "serve";

/// What a driver asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// One block of that many iterations, at least one.
    Block(u64),
    /// No more of this benchmark.
    Next,
    /// No more of any benchmark.
    Quit,
}

/// What an executable says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It serves.
    Greeting {
        /// The language it speaks: see [`VERSION`].
        version: u32,
    },
    /// The benchmark that it is at.
    Benchmark {
        /// The whole name, as Criterion writes it: group, function and value with slashes between.
        id: String,
        /// What one iteration gets done, in each unit that the bench names.
        throughput: Vec<Throughput>,
    },
    /// What a block took, in nanoseconds.
    Block {
        /// By the clock on the wall.
        wall: u64,
        /// Of the thread's processor time, if the bench left the timing to us.
        cpu: Option<u64>,
    },
    /// The benchmark timed nothing.
    Missed,
    /// A benchmark was passed over because one of the same id came before it.
    Twice {
        /// The id of both.
        id: String,
    },
    /// All benchmarks were served.
    End,
}

/// What one iteration gets done, in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Throughput {
    /// The unit.
    pub unit: Unit,
    /// How many of the unit.
    pub per_iteration: u64,
}

/// A unit of throughput.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bits.
    Bits,
    /// Bytes.
    Bytes,
    /// Whatever the benchmark counts.
    Elements,
}

/// A line that is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The line, or its beginning.
    pub line: String,
    /// What would have been read.
    pub wanted: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "expected {}, got `{}`", self.wanted, self.line)
    }
}

impl std::error::Error for Unreadable {}

/// What a line that is refused shows of itself.
const SHOWN_CHARACTERS_MAX: usize = 120;

const REQUESTS: &str = "a request: `block <iterations>`, `next` or `quit`";
const REPLIES: &str = "a reply: `tripline-duet <version>`, `benchmark <throughput> <id>`, `block <wall> <cpu>`, \
                       `missed`, `twice <id>` or `end`";

impl Unreadable {
    fn new(line: &str, wanted: &'static str) -> Self {
        let mut shown: String = line.escape_debug().take(SHOWN_CHARACTERS_MAX).collect();
        if line.escape_debug().nth(SHOWN_CHARACTERS_MAX).is_some() {
            shown.push_str("...");
        }
        Self {
            line: shown,
            wanted,
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(iterations) => write!(out, "block {iterations}"),
            Self::Next => out.write_str("next"),
            Self::Quit => out.write_str("quit"),
        }
    }
}

impl FromStr for Request {
    type Err = Unreadable;

    fn from_str(line: &str) -> Result<Self, Unreadable> {
        let request = match line.split_once(' ') {
            None if line == "next" => Some(Self::Next),
            None if line == "quit" => Some(Self::Quit),
            Some(("block", iterations)) => {
                let iterations = number(iterations).filter(|&iterations| iterations > 0);
                iterations.map(Self::Block)
            }
            _ => None,
        };
        request.ok_or_else(|| Unreadable::new(line, REQUESTS))
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Greeting { version } => write!(out, "tripline-duet {version}"),
            Self::Benchmark { id, throughput } => {
                out.write_str("benchmark ")?;
                for (
                    at,
                    Throughput {
                        unit,
                        per_iteration,
                    },
                ) in throughput.iter().enumerate()
                {
                    let comma = if at == 0 { "" } else { "," };
                    write!(out, "{comma}{}={per_iteration}", unit.name())?;
                }
                let nothing = if throughput.is_empty() { "-" } else { "" };
                write!(out, "{nothing} {}", escaped(id))
            }
            Self::Block {
                wall,
                cpu: Some(cpu),
            } => write!(out, "block {wall} {cpu}"),
            Self::Block { wall, cpu: None } => write!(out, "block {wall} -"),
            Self::Missed => out.write_str("missed"),
            Self::Twice { id } => write!(out, "twice {}", escaped(id)),
            Self::End => out.write_str("end"),
        }
    }
}

impl FromStr for Reply {
    type Err = Unreadable;

    fn from_str(line: &str) -> Result<Self, Unreadable> {
        let reply = match line.split_once(' ') {
            None if line == "missed" => Some(Self::Missed),
            None if line == "end" => Some(Self::End),
            Some(("tripline-duet", version)) => {
                number(version).map(|version| Self::Greeting { version })
            }
            Some(("benchmark", rest)) => benchmark(rest),
            Some(("block", rest)) => block(rest),
            Some(("twice", id)) => unescaped(id).map(|id| Self::Twice { id }),
            _ => None,
        };
        reply.ok_or_else(|| Unreadable::new(line, REPLIES))
    }
}

fn benchmark(rest: &str) -> Option<Reply> {
    let (throughput, id) = rest.split_once(' ')?;
    let throughput = match throughput {
        "-" => Vec::new(),
        several => several
            .split(',')
            .map(one_throughput)
            .collect::<Option<_>>()?,
    };
    let id = unescaped(id)?;
    Some(Reply::Benchmark { id, throughput })
}

fn one_throughput(text: &str) -> Option<Throughput> {
    let (unit, per_iteration) = text.split_once('=')?;
    Some(Throughput {
        unit: Unit::named(unit)?,
        per_iteration: number(per_iteration)?,
    })
}

fn block(rest: &str) -> Option<Reply> {
    let (wall, cpu) = rest.split_once(' ')?;
    let wall = number(wall)?;
    let cpu = match cpu {
        "-" => None,
        cpu => Some(number(cpu)?),
    };
    Some(Reply::Block { wall, cpu })
}

/// Reads a number in the one way it is written: neither a plus nor a zero before it.
fn number<N: FromStr + ToString>(text: &str) -> Option<N> {
    let number: N = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

impl Unit {
    const ALL: [Self; 3] = [Self::Bits, Self::Bytes, Self::Elements];

    /// Returns the name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bits => "bits",
            Self::Bytes => "bytes",
            Self::Elements => "elements",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }
}

/// Keeps an id on one line.
fn escaped(id: &str) -> Cow<'_, str> {
    if !id.contains(['\\', '\n', '\r']) {
        return Cow::Borrowed(id);
    }
    let id = id.replace('\\', "\\\\");
    Cow::Owned(id.replace('\n', "\\n").replace('\r', "\\r"))
}

/// Reads an id; an empty one names nothing.
fn unescaped(text: &str) -> Option<String> {
    let mut id = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        id.push(match letter {
            '\\' => match letters.next()? {
                '\\' => '\\',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            '\n' | '\r' => return None,
            letter => letter,
        });
    }
    (!id.is_empty()).then_some(id)
}

#[cfg(test)]
mod tests;
