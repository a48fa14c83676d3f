//! multistream-select: two sides agree on what they speak next, on a connection or on one of its substreams.
//!
//! Each message is a line with its length in front. The dialer sends its greeting and what it wants at once; the listener
//! greets too, and repeats what it speaks or says `na`. Neither touches what comes after the agreement.
//!
//! Tests: both sides agree however the bytes are cut; a wrong greeting, a refusal, a line that is too long and a dialer that
//! asks for ever are errors.

use crate::error::Cause;
use crate::protobuf::{put_number, take_number};

const GREETING: &str = "/multistream/1.0.0";
const REFUSAL: &str = "na";

/// Longer than any name of a protocol.
const LINE_BYTES_MAX: usize = 1 << 10;

/// How often a dialer may ask for something else.
const PROPOSALS_MAX: usize = 16;

fn put_line(out: &mut Vec<u8>, line: &str) {
    put_number(out, line.len() as u64 + 1);
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
}

/// What a dialer says, all of it.
pub(crate) fn proposal(protocol: &str) -> Vec<u8> {
    let mut out = Vec::new();
    put_line(&mut out, GREETING);
    put_line(&mut out, protocol);
    out
}

/// Puts lines together from bytes as they come.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Lines {
    fn take(&mut self, input: &mut &[u8]) -> Result<Option<Vec<u8>>, Cause> {
        while let Some((byte, rest)) = input.split_first() {
            *input = rest;
            self.0.push(*byte);
            let mut line = &self.0[..];
            let Some(length) = take_number(&mut line) else {
                if self.0.len() > 2 {
                    return Err(Cause::NotMultistream);
                }
                continue;
            };
            if length == 0 || length > LINE_BYTES_MAX as u64 {
                return Err(Cause::NotMultistream);
            }
            if line.len() as u64 == length {
                let line = line.strip_suffix(b"\n").ok_or(Cause::NotMultistream)?;
                let line = line.to_vec();
                self.0.clear();
                return Ok(Some(line));
            }
        }
        Ok(None)
    }
}

/// The side that asks.
pub(crate) struct Dialing {
    protocol: &'static str,
    lines: Lines,
    was_greeted: bool,
}

impl Dialing {
    pub(crate) fn new(protocol: &'static str) -> Self {
        Self {
            protocol,
            lines: Lines::default(),
            was_greeted: false,
        }
    }

    /// Takes what the other side said off the input. Returns whether both agree; what is left then is not for us.
    pub(crate) fn take(&mut self, input: &mut &[u8]) -> Result<bool, Cause> {
        while let Some(line) = self.lines.take(input)? {
            if !self.was_greeted {
                check_greeting(&line)?;
                self.was_greeted = true;
            } else if line == self.protocol.as_bytes() {
                return Ok(true);
            } else {
                return Err(Cause::NotSpoken(self.protocol));
            }
        }
        Ok(false)
    }
}

/// The side that is asked.
pub(crate) struct Listening {
    protocol: &'static str,
    lines: Lines,
    was_greeted: bool,
    refused: usize,
}

impl Listening {
    pub(crate) fn new(protocol: &'static str) -> Self {
        Self {
            protocol,
            lines: Lines::default(),
            was_greeted: false,
            refused: 0,
        }
    }

    /// Takes what the other side said off the input, and appends what is to be answered. Returns whether both agree.
    pub(crate) fn take(&mut self, input: &mut &[u8], answer: &mut Vec<u8>) -> Result<bool, Cause> {
        while let Some(line) = self.lines.take(input)? {
            if !self.was_greeted {
                check_greeting(&line)?;
                self.was_greeted = true;
                put_line(answer, GREETING);
            } else if line == self.protocol.as_bytes() {
                put_line(answer, self.protocol);
                return Ok(true);
            } else {
                put_line(answer, REFUSAL);
                self.refused += 1;
                if self.refused == PROPOSALS_MAX {
                    return Err(Cause::NothingCommon(self.refused));
                }
            }
        }
        Ok(false)
    }

    /// What to say of a dialer that goes away.
    pub(crate) const fn cause_of_end(&self) -> Cause {
        match self.refused {
            0 => Cause::Ended,
            refused => Cause::NothingCommon(refused),
        }
    }
}

fn check_greeting(line: &[u8]) -> Result<(), Cause> {
    let is_greeting = line == GREETING.as_bytes();
    is_greeting.then_some(()).ok_or(Cause::NotMultistream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_agree_however_the_bytes_are_cut() {
        let said = [&proposal("/a/1")[..], b"rest"].concat();
        assert_eq!(&said[..20], b"\x13/multistream/1.0.0\n");
        for cut in 0..said.len() {
            let mut listening = Listening::new("/a/1");
            let mut answer = Vec::new();
            let mut input = &said[..cut];
            let agreed = listening.take(&mut input, &mut answer).unwrap();
            assert_eq!(agreed, cut >= said.len() - 4);
            if !agreed {
                assert!(input.is_empty());
                input = &said[cut..];
                assert!(listening.take(&mut input, &mut answer).unwrap());
                assert_eq!(input, b"rest");
            }
            assert_eq!(
                answer,
                proposal("/a/1"),
                "a listener that agrees says the same"
            );
            let mut dialing = Dialing::new("/a/1");
            answer.extend(b"rest");
            let (mut one, mut two) = answer.split_at(cut.min(answer.len() - 4));
            let agreed = dialing.take(&mut one).unwrap();
            assert!(agreed || dialing.take(&mut two).unwrap());
            assert!(agreed || two == b"rest");
        }
    }

    #[test]
    fn a_dialer_may_ask_for_something_else_but_not_for_ever() {
        let mut listening = Listening::new("/a/1");
        let mut said = proposal("/b/1");
        put_line(&mut said, "/a/1");
        let mut answer = Vec::new();
        assert!(listening.take(&mut &said[..], &mut answer).unwrap());
        assert!(answer.windows(4).any(|part| part == b"\x03na\n"));
        let mut listening = Listening::new("/a/1");
        let mut said = proposal("/b/1");
        (1..PROPOSALS_MAX).for_each(|_| put_line(&mut said, "/b/1"));
        let error = listening.take(&mut &said[..], &mut answer).unwrap_err();
        assert!(matches!(error, Cause::NothingCommon(PROPOSALS_MAX)));
    }

    #[test]
    fn a_refusal_is_an_error_that_names_the_protocol() {
        let mut said = Vec::new();
        put_line(&mut said, GREETING);
        put_line(&mut said, REFUSAL);
        let error = Dialing::new("/a/1").take(&mut &said[..]).unwrap_err();
        assert!(matches!(error, Cause::NotSpoken("/a/1")));
    }

    #[test]
    fn what_is_no_negotiation_is_refused_and_not_kept() {
        let long = [&[0xff, 0x7f][..], &[b'a'; 4_000]].concat();
        let without_end = [&[4][..], b"/a/1"].concat();
        for said in [
            &b"GET / HTTP/1.1\r\n\r\n"[..],
            &[0; 100],
            &[0xff; 100],
            &long,
            &without_end,
        ] {
            // An `ssh` or a browser may say less than the line that it seems to begin, and then ends.
            let mut listening = Listening::new("/a/1");
            let taken = listening.take(&mut &said[..], &mut Vec::new());
            let is_kept_short = listening.lines.0.len() <= LINE_BYTES_MAX + 2;
            assert!(matches!(taken, Err(Cause::NotMultistream) | Ok(false)) && is_kept_short);
            assert!(taken.is_err() || said.starts_with(b"GET"), "{said:?}");
        }
    }
}
