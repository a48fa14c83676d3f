//! What the program says, as lines of JSON. Numbers are whole, and times are in nanoseconds.
//!
//! Tests: each line as it is, and a text with everything that JSON escapes.

use std::fmt::{self, Write as _};
use std::time::Duration;

use super::Failure;
use crate::{Address, Counters, Outcome, Served};

pub(super) fn listening(address: Address) -> String {
    format!("{{\"listening\":\"{address}\"}}\n")
}

pub(super) fn served(served: &Result<Served, Failure>) -> String {
    match served {
        Ok(served) => format!(
            "{{\"uploaded\":{},\"downloaded\":{},\"digest\":{}}}\n",
            served.uploaded,
            served.downloaded,
            OrNull(served.digest.map(Text))
        ),
        Err(error) => format!("{{\"error\":{}}}\n", Text(error)),
    }
}

pub(super) fn outcome(outcome: &Outcome) -> String {
    let Outcome {
        exchange,
        times,
        digest,
        counters,
    } = outcome;
    let [accepted, confirmed, done] =
        [times.accepted, times.confirmed, times.done].map(|time| time.as_nanos());
    let counted = |count: fn(&Counters) -> u64| OrNull(counters.as_ref().map(count));
    format!(
        "{{\"upload\":{},\"download\":{},\"accepted\":{accepted},\"confirmed\":{confirmed},\"done\":{done},\"sends\":{},\
         \"receives\":{},\"bytes_sent\":{},\"bytes_received\":{},\"digest\":{}}}\n",
        exchange.upload,
        exchange.download,
        counted(|counters| counters.sends),
        counted(|counters| counters.receives),
        counted(|counters| counters.bytes_sent),
        counted(|counters| counters.bytes_received),
        OrNull(digest.map(Text))
    )
}

pub(super) fn substreams(took: &[Duration]) -> String {
    let each: Vec<String> = took
        .iter()
        .map(|took| took.as_nanos().to_string())
        .collect();
    let all = took.iter().max().map_or(0, Duration::as_nanos);
    format!(
        "{{\"substreams\":{},\"all\":{all},\"each\":[{}]}}\n",
        took.len(),
        each.join(",")
    )
}

/// What somebody cannot say is `null`, and no number.
struct OrNull<T>(Option<T>);

impl<T: fmt::Display> fmt::Display for OrNull<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(said) => said.fmt(formatter),
            None => formatter.write_str("null"),
        }
    }
}

struct Text<T>(T);

impl<T: fmt::Display> fmt::Display for Text<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_char('"')?;
        for letter in self.0.to_string().chars() {
            match letter {
                '"' | '\\' => write!(formatter, "\\{letter}")?,
                letter if letter < ' ' => write!(formatter, "\\u{:04x}", u32::from(letter))?,
                letter => formatter.write_char(letter)?,
            }
        }
        formatter.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Digest, Exchange, Times};

    #[test]
    fn lines_are_as_they_are_read() {
        let at = Duration::from_nanos;
        let mut told = Outcome {
            exchange: Exchange {
                upload: 7,
                download: 1,
            },
            times: Times {
                accepted: at(1),
                confirmed: at(2),
                done: at(3),
            },
            digest: None,
            counters: Some(Counters {
                sends: 4,
                receives: 0,
                bytes_sent: 6,
                bytes_received: 5,
                waits: 9,
            }),
        };
        let times = "\"upload\":7,\"download\":1,\"accepted\":1,\"confirmed\":2,\"done\":3";
        let counters = "\"sends\":4,\"receives\":0,\"bytes_sent\":6,\"bytes_received\":5";
        let line = format!("{{{times},{counters},\"digest\":null}}\n");
        assert_eq!(outcome(&told), line);
        // Whoever cannot count has not counted none.
        told.counters = None;
        let absent = "\"sends\":null,\"receives\":null,\"bytes_sent\":null,\"bytes_received\":null";
        assert_eq!(outcome(&told), line.replace(counters, absent));
        assert_eq!(
            substreams(&[at(5), at(9), at(7)]),
            "{\"substreams\":3,\"all\":9,\"each\":[5,9,7]}\n"
        );
        let empty = Served {
            uploaded: 0,
            downloaded: 4,
            digest: Some(Digest::of_payload(0)),
        };
        assert_eq!(
            served(&Ok(empty)),
            "{\"uploaded\":0,\"downloaded\":4,\
             \"digest\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"}\n"
        );
        let error: Failure = "a \"b\" \\ \n c".into();
        assert_eq!(
            served(&Err(error)),
            "{\"error\":\"a \\\"b\\\" \\\\ \\u000a c\"}\n"
        );
    }
}
