//! Messages on a stream: a line each, of bounded length, and whole or not at all.
//!
//! A stream that ends between two lines has ended; one that ends within a line was cut, and what is left of the line is
//! no message. Tested together with the messages.

use std::{
    error::Error,
    fmt,
    io::{self, BufRead, Read as _, Write},
    str::FromStr,
};

use super::Unreadable;

/// The most bytes that a line has, its end not counted.
pub const LINE_BYTES_MAX: usize = 64 * 1024;

/// Why a message was not received.
#[derive(Debug)]
pub enum ReceiveError {
    /// The stream failed.
    Stream(io::Error),
    /// The stream ended within a line.
    Cut,
    /// The line is longer than [`LINE_BYTES_MAX`].
    TooLong,
    /// The line is no text.
    NoText,
    /// The line is no message.
    Unreadable(Unreadable),
}

impl fmt::Display for ReceiveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stream(_) => out.write_str("no message was read"),
            Self::Cut => out.write_str("the stream ended within a message"),
            Self::TooLong => write!(out, "a message has more than {LINE_BYTES_MAX} bytes"),
            Self::NoText => out.write_str("a message is not valid UTF-8"),
            Self::Unreadable(error) => error.fmt(out),
        }
    }
}

impl Error for ReceiveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Stream(error) => Some(error),
            _ => None,
        }
    }
}

/// Writes a message and sends it off.
///
/// # Errors
///
/// When the stream fails, as it does when nobody reads any more.
pub fn send(stream: &mut impl Write, message: &impl fmt::Display) -> io::Result<()> {
    stream.write_all(format!("{message}\n").as_bytes())?;
    stream.flush()
}

/// Waits for a message; there is none when the stream has ended.
///
/// # Errors
///
/// When the stream fails or ends within a line, and when a line is no message. The stream is of no use afterwards.
pub fn receive<M: FromStr<Err = Unreadable>>(
    stream: &mut impl BufRead,
) -> Result<Option<M>, ReceiveError> {
    let mut line = Vec::new();
    // One more for the line's end.
    let mut bounded = stream.take(LINE_BYTES_MAX as u64 + 1);
    bounded
        .read_until(b'\n', &mut line)
        .map_err(ReceiveError::Stream)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_none() {
        let is_too_long = line.len() > LINE_BYTES_MAX;
        return Err(if is_too_long {
            ReceiveError::TooLong
        } else {
            ReceiveError::Cut
        });
    }
    let Ok(line) = str::from_utf8(&line) else {
        return Err(ReceiveError::NoText);
    };
    line.parse().map(Some).map_err(ReceiveError::Unreadable)
}
