//! The program against itself: what it takes, and what it says.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Output, Stdio};

use workload_p2p::Digest;

const PROGRAM: &str = env!("CARGO_BIN_EXE_workload-p2p");

fn run(words: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(words)
        .output()
        .expect("the program starts")
}

#[test]
fn a_client_and_a_server_tell_what_they_did() {
    let mut server = Command::new(PROGRAM)
        .args([
            "server",
            "--listen-address",
            "/ip4/127.0.0.1/tcp/0",
            "--check",
            "digest",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    let address = line.split('"').nth(3).unwrap();
    // The node of the report.
    assert!(
        address.ends_with("/p2p/12D3KooWBpZHDZu7YSbvPaPXKhkRNJvR7MkTJMQQAVBKx9mCqz3q"),
        "{line}"
    );
    let server_address = ["--server-address", address];
    let exchange = [
        "client",
        "--upload-bytes",
        "3000",
        "--download-bytes",
        "2000",
        "--repeats",
        "2",
        "--check",
        "digest",
    ];
    let output = run(&[&exchange[..], &server_address].concat());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert_eq!(
        said.matches(&Digest::of_payload(2_000).to_string()).count(),
        2,
        "{said}"
    );
    for _ in 0..2 {
        let line = lines.next().unwrap().unwrap();
        let digest = Digest::of_payload(3_000);
        assert_eq!(
            line,
            format!("{{\"uploaded\":3000,\"downloaded\":2000,\"digest\":\"{digest}\"}}")
        );
    }
    let output = run(&[
        &["client-substream", "--substreams", "9"],
        &server_address[..],
    ]
    .concat());
    assert!(output.stdout.starts_with(b"{\"substreams\":9,\"all\":"));
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn slips_and_failures_have_codes_of_their_own() {
    let output = run(&["clients"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output
            .stderr
            .starts_with(b"error: nothing was done: `clients`")
    );
    let too_much = run(&[
        "client",
        "--server-address",
        "/ip4/127.0.0.1/tcp/1",
        "--write-bytes",
        "65538",
    ]);
    assert_eq!(too_much.status.code(), Some(2));
    let said = b"error: nothing was done: `--write-bytes` takes 1 to 65537, and not 65538\n";
    assert!(too_much.stderr.starts_with(said));
    let help = run(&["client", "--help"]);
    assert!(help.status.success() && help.stderr.is_empty());
    assert_eq!(help.stdout, workload_p2p::cli::HELP.as_bytes());
    let nobody = run(&["client", "--server-address", "/ip4/127.0.0.1/tcp/1"]);
    assert_eq!(nobody.status.code(), Some(1));
    assert!(
        nobody
            .stderr
            .starts_with(b"error: no connection was made: ")
    );
    assert!(nobody.stdout.is_empty());
}
