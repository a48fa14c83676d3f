//! Conversations with a server whose streams are in memory: what is asked, what is run, what is said.

use super::*;

/// What a bench that is asked this says and runs, and how it ends.
struct Conversation {
    said: String,
    ran: Vec<(&'static str, u64)>,
    outcome: String,
}

/// Serves a bench of the given ids; the routine of a benchmark called `idle` times nothing.
fn conversation(requests: &str, ids: &[&'static str]) -> Conversation {
    let mut said = Vec::new();
    let mut ran = Vec::new();
    let mut server = Server::open(Ok((requests.as_bytes(), &mut said)));
    for id in ids {
        server.benchmark(id, Vec::new(), &mut |iterations| {
            ran.push((*id, iterations));
            let mut watch = Stopwatch::of_wall();
            watch.told(Duration::from_nanos(10 * iterations));
            (*id != "idle").then_some(watch)
        });
    }
    server.end();
    server.end();
    let outcome = server
        .outcome()
        .map_or_else(|error| error.to_string(), |()| "well".to_owned());
    Conversation {
        said: String::from_utf8(said).unwrap(),
        ran,
        outcome,
    }
}

#[test]
fn benchmarks_are_served_in_order_until_the_driver_goes_on() {
    let found = conversation(
        "block 1\nblock 20\nnext\nnext\nblock 3\nnext\n",
        &["a", "b", "c"],
    );
    let said = "tripline-duet 1\nbenchmark - a\nblock 10 -\nblock 200 -\nbenchmark - b\nbenchmark - c\nblock 30 -\nend\n";
    assert_eq!(found.said, said);
    assert_eq!(found.ran, [("a", 1), ("a", 20), ("c", 3)]);
    assert_eq!(found.outcome, "well");
}

#[test]
fn a_bench_without_benchmarks_greets_and_ends() {
    let found = conversation("", &[]);
    assert_eq!(found.said, "tripline-duet 1\nend\n");
    assert_eq!(found.outcome, "well");
}

#[test]
fn after_quit_nothing_is_run_or_said() {
    let found = conversation("block 1\nquit\nblock 1\n", &["a", "b"]);
    assert_eq!(found.said, "tripline-duet 1\nbenchmark - a\nblock 10 -\n");
    assert_eq!(found.ran, [("a", 1)]);
    assert_eq!(found.outcome, "well");
}

#[test]
fn a_benchmark_that_times_nothing_is_missed() {
    let found = conversation("block 5\nnext\n", &["idle"]);
    assert_eq!(
        found.said,
        "tripline-duet 1\nbenchmark - idle\nmissed\nend\n"
    );
}

#[test]
fn an_id_is_served_once() {
    let found = conversation("next\nblock 1\nnext\n", &["a", "a", "b"]);
    let said = "tripline-duet 1\nbenchmark - a\ntwice a\nbenchmark - b\nblock 10 -\nend\n";
    assert_eq!(found.said, said);
    assert_eq!(found.ran, [("b", 1)]);
}

#[test]
fn a_driver_that_goes_away_or_mumbles_ends_it() {
    for (requests, why) in [
        ("block 1\n", "the driver went away"),
        ("block 1\nnex", "the stream ended within a message"),
        (
            "block 1\nblock none\n",
            "expected a request: `block <iterations>`, `next` or `quit`, got `block none`",
        ),
    ] {
        let found = conversation(requests, &["a", "b"]);
        assert_eq!(found.said, "tripline-duet 1\nbenchmark - a\nblock 10 -\n");
        assert_eq!(
            found.outcome,
            format!("not all benchmarks were served: {why}")
        );
    }
}

#[test]
fn a_driver_that_does_not_listen_ends_it() {
    let mut full = [0; 20];
    let mut server = Server::open(Ok(("block 1\n".as_bytes(), full.as_mut_slice())));
    server.benchmark("a", Vec::new(), &mut |_| None);
    let error = server.outcome().unwrap_err();
    let start = "not all benchmarks were served: the driver does not hear us: ";
    assert!(error.to_string().starts_with(start), "{error}");
    assert_eq!(format!("{error:?}"), error.to_string());
}

#[test]
fn without_a_channel_nothing_is_served() {
    let no_channel: io::Result<(&[u8], Vec<u8>)> = Err(io::ErrorKind::Unsupported.into());
    let mut server = Server::open(no_channel);
    server.benchmark("a", Vec::new(), &mut |_| unreachable!("nobody asked"));
    server.end();
    assert!(server.outcome().is_err());
}

#[test]
fn a_throughput_is_told_in_each_of_its_units() {
    let told = |throughput| -> Vec<(&str, u64)> {
        let amounts = super::told(&throughput).into_iter();
        amounts
            .map(|one| (one.unit.name(), one.per_iteration))
            .collect()
    };
    assert_eq!(told(plain::Throughput::Bits(1)), [("bits", 1)]);
    assert_eq!(told(plain::Throughput::Bytes(2)), [("bytes", 2)]);
    assert_eq!(told(plain::Throughput::BytesDecimal(3)), [("bytes", 3)]);
    assert_eq!(told(plain::Throughput::Elements(4)), [("elements", 4)]);
    let both = plain::Throughput::ElementsAndBytes {
        elements: 5,
        bytes: 6,
    };
    assert_eq!(told(both), [("elements", 5), ("bytes", 6)]);
}
