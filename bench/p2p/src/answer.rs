//! What arrived in our own transfers: digests of every byte.
//!
//! Who loses bytes is fast. Runs whose digests differ did different work, and are not compared. Tests: what arrives is
//! what was sent; the line's exact form.

use std::fmt;
use std::sync::mpsc::channel;

use workload_p2p::{Check, Client, Digest, Direction, Error, Identity, Server, Settings};

use crate::BANDWIDTH_FROM;

/// The answer of one benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The value of its parameter `bytes`.
    pub bytes: u64,
    /// The value of its parameter `direction`.
    pub direction: Direction,
    /// The digest of what arrived at whoever received it.
    pub digest: Digest,
}

impl fmt::Display for Answer {
    /// Writes the answer as one JSON object. Nothing in it needs escaping.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            bytes,
            direction,
            digest,
        } = self;
        let name = match *bytes < BANDWIDTH_FROM {
            true => "latency",
            false => "bandwidth",
        };
        let direction = match direction {
            Direction::Upload => "upload",
            Direction::Download => "download",
        };
        write!(
            out,
            r#"{{"benchmark":"{name}","params":{{"bytes":"{bytes}","direction":"{direction}","pair":"ours-ours"}},"answer":"{digest}"}}"#
        )
    }
}

/// Returns the answers of our client and our server, both ways.
///
/// # Errors
/// The loopback interface carries nothing.
pub fn answers(sizes: &[u64]) -> Result<Vec<Answer>, Error> {
    let settings = Settings {
        check: Check::Digest,
        ..Settings::default()
    };
    let (tell, told) = channel();
    let here = "127.0.0.1:0".parse().expect("it is an address");
    let server = Server::start(here, Identity::from_text("server"), settings.clone(), {
        // Who does not listen any more has failed already.
        move |served| drop(tell.send(served))
    })?;
    let identity = Identity::from_text("client");
    let mut client = Client::connect(&server.address(), &identity, settings)?;
    let mut answers = Vec::new();
    for bytes in sizes.iter().copied() {
        for direction in [Direction::Upload, Direction::Download] {
            let outcome = client.transfer(direction, bytes)?;
            let served = told.recv().expect("the server still runs")?;
            let digest = match direction {
                Direction::Upload => served.digest,
                Direction::Download => outcome.digest,
            };
            answers.push(Answer {
                bytes,
                direction,
                digest: digest.expect("it was asked for"),
            });
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arrives_is_what_was_sent() {
        for answer in answers(&[0, 1 << 10, 3 << 20]).unwrap() {
            assert_eq!(answer.digest, Digest::of_payload(answer.bytes));
        }
    }

    #[test]
    fn an_answer_is_one_json_object() {
        let answer = Answer {
            bytes: 1_024,
            direction: Direction::Upload,
            digest: Digest::of_payload(0),
        };
        assert_eq!(
            answer.to_string(),
            r#"{"benchmark":"latency","params":{"bytes":"1024","direction":"upload","pair":"ours-ours"},"answer":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}"#
        );
        let longer = Answer {
            bytes: 1 << 20,
            direction: Direction::Download,
            ..answer
        };
        assert!(
            longer
                .to_string()
                .contains(r#""bandwidth","params":{"bytes":"1048576","direction":"download""#)
        );
    }
}
