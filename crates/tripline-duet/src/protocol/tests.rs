//! Round trips of arbitrary messages and lines, and lines that must be refused.

use std::io::{self, BufReader, Read as _};

use proptest::{collection::vec, option, prelude::*};

use super::*;

fn units() -> impl Strategy<Value = Unit> {
    prop::sample::select(Unit::ALL.to_vec())
}

fn throughputs() -> impl Strategy<Value = Vec<Throughput>> {
    let one = (units(), any::<u64>()).prop_map(|(unit, per_iteration)| Throughput {
        unit,
        per_iteration,
    });
    vec(one, 0..4)
}

/// Names of every kind, and often those whose letters the escapes are made of.
fn ids() -> impl Strategy<Value = String> {
    prop_oneof!["[nr/= \\\\\n\r-]{1,12}", "(?s).{1,40}"]
}

fn requests() -> impl Strategy<Value = Request> {
    prop_oneof![
        (1..=u64::MAX).prop_map(Request::Block),
        Just(Request::Next),
        Just(Request::Quit),
    ]
}

fn replies() -> impl Strategy<Value = Reply> {
    prop_oneof![
        any::<u32>().prop_map(|version| Reply::Greeting { version }),
        (ids(), throughputs()).prop_map(|(id, throughput)| Reply::Benchmark { id, throughput }),
        (any::<u64>(), option::of(any::<u64>())).prop_map(|(wall, cpu)| Reply::Block { wall, cpu }),
        Just(Reply::Missed),
        ids().prop_map(|id| Reply::Twice { id }),
        Just(Reply::End),
    ]
}

/// Lines that are nearly messages.
fn lines() -> impl Strategy<Value = String> {
    let word = "(block|next|quit|end|missed|twice|benchmark|tripline-duet|bytes=|-|,|\\+?0?[0-9]{1,21}|[a-z/\\\\]{1,4})";
    vec(word, 0..5).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn requests_come_through_a_stream(messages in vec(requests(), 0..8)) {
        assert_comes_through(&messages);
    }

    #[test]
    fn replies_come_through_a_stream(messages in vec(replies(), 0..8)) {
        assert_comes_through(&messages);
    }

    #[test]
    fn a_message_has_one_text(line in lines()) {
        if let Ok(request) = line.parse::<Request>() {
            prop_assert_eq!(request.to_string(), line.as_str());
        }
        if let Ok(reply) = line.parse::<Reply>() {
            prop_assert_eq!(reply.to_string(), line.as_str());
        }
    }

    #[test]
    fn whatever_is_received_is_a_message_or_an_error(bytes in vec(any::<u8>(), 0..200)) {
        let mut stream = bytes.as_slice();
        while let Ok(Some(_)) = receive::<Reply>(&mut stream) {}
    }
}

fn assert_comes_through<M>(messages: &[M])
where
    M: fmt::Display + fmt::Debug + PartialEq + FromStr<Err = Unreadable>,
{
    let mut bytes = Vec::new();
    for message in messages {
        send(&mut bytes, message).unwrap();
    }
    let mut stream = bytes.as_slice();
    for message in messages {
        assert_eq!(&receive::<M>(&mut stream).unwrap().unwrap(), message);
    }
    assert!(receive::<M>(&mut stream).unwrap().is_none());
}

#[test]
fn the_texts_are_those_of_the_protocol() {
    let throughput = vec![
        Throughput {
            unit: Unit::Elements,
            per_iteration: 3,
        },
        Throughput {
            unit: Unit::Bytes,
            per_iteration: 192,
        },
    ];
    let id = "kv/get\n/bytes=64 \\".to_owned();
    let texts = [
        (Reply::Greeting { version: 1 }, "tripline-duet 1"),
        (
            Reply::Benchmark {
                id: id.clone(),
                throughput,
            },
            "benchmark elements=3,bytes=192 kv/get\\n/bytes=64 \\\\",
        ),
        (
            Reply::Benchmark {
                id: "a".to_owned(),
                throughput: Vec::new(),
            },
            "benchmark - a",
        ),
        (
            Reply::Block {
                wall: 7,
                cpu: Some(5),
            },
            "block 7 5",
        ),
        (Reply::Block { wall: 7, cpu: None }, "block 7 -"),
        (Reply::Missed, "missed"),
        (Reply::Twice { id }, "twice kv/get\\n/bytes=64 \\\\"),
        (Reply::End, "end"),
    ];
    for (reply, text) in texts {
        assert_eq!(reply.to_string(), text);
    }
    assert_eq!(Request::Block(12).to_string(), "block 12");
    assert_eq!(Request::Next.to_string(), "next");
    assert_eq!(Request::Quit.to_string(), "quit");
}

#[test]
fn other_lines_are_refused_and_quoted() {
    let requests = [
        "",
        " ",
        "block",
        "block ",
        "block 0",
        "block -1",
        "block 1 ",
        "block 1.5",
        "next 1",
        "Quit",
        "block 18446744073709551616",
    ];
    for line in requests {
        let error = line.parse::<Request>().unwrap_err().to_string();
        assert!(error.ends_with(&format!(", got `{line}`")), "{error}");
    }
    let replies = [
        "",
        "tripline-duet",
        "tripline-duet x",
        "benchmark",
        "benchmark -",
        "benchmark - ",
        "benchmark kv/get",
        "benchmark bytes kv",
        "benchmark bytes=1, kv",
        "benchmark parsecs=1 kv",
        "block 1",
        "block 1 2 3",
        "block - 1",
        "twice",
        "twice ",
        "end ",
        "hello",
    ];
    for line in replies {
        let error = line.parse::<Reply>().unwrap_err().to_string();
        assert!(error.ends_with(&format!(", got `{line}`")), "{error}");
    }
    for line in ["twice a\\", "twice a\\t"] {
        assert!(line.parse::<Reply>().is_err(), "{line}");
    }
    let long = "x".repeat(1_000).parse::<Request>().unwrap_err();
    assert_eq!(long.line, format!("{}...", "x".repeat(120)));
}

#[test]
fn a_line_is_bounded_and_whole() {
    let longest = format!("twice {}\n", "x".repeat(LINE_BYTES_MAX - "twice ".len()));
    let received = receive::<Reply>(&mut longest.as_bytes()).unwrap();
    assert!(matches!(received, Some(Reply::Twice { .. })));
    // Without a bound this would never return.
    let mut endless = BufReader::new(io::repeat(b'x'));
    let error = receive::<Reply>(&mut endless).unwrap_err();
    assert!(matches!(error, ReceiveError::TooLong), "{error}");
    let error = receive::<Reply>(&mut format!("x{longest}").as_bytes()).unwrap_err();
    assert!(matches!(error, ReceiveError::TooLong), "{error}");
    let error = receive::<Reply>(&mut "en".as_bytes()).unwrap_err();
    assert!(matches!(error, ReceiveError::Cut), "{error}");
    let error = receive::<Reply>(&mut "twice \u{e9}\n".as_bytes().take(7)).unwrap_err();
    assert!(matches!(error, ReceiveError::Cut), "{error}");
    let error = receive::<Reply>(&mut [0xff, b'\n'].as_slice()).unwrap_err();
    assert!(matches!(error, ReceiveError::NoText), "{error}");
}
