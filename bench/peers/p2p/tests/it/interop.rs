//! Each implementation against each: all nine pairings move every size, and what arrives is what was sent.
//!
//! Sizes are all of the report, up to a gibibyte, and a few that are odd: for `cargo test --release`, which takes minutes.

use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use workload_p2p::Digest;

const STACKS: [&str; 3] = ["ours", "litep2p", "libp2p"];

/// With those that are set up for bandwidth.
const ALL: [&str; 5] = ["ours", "litep2p", "litep2p-tuned", "libp2p", "libp2p-tuned"];

const PROGRAM: &str = env!("CARGO_BIN_EXE_peers-p2p");

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A server in a process of its own, which ends with the test.
struct Server {
    process: Child,
    lines: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    fn start(stack: &str) -> Outcome<Self> {
        let mut process = Command::new(PROGRAM)
            .args([stack, "server", "--listen-address", "/ip4/127.0.0.1/tcp/0"])
            .args(["--node-key", stack, "--check", "digest"])
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = process.stdout.take().ok_or("no output")?;
        let mut server = Self {
            process,
            lines: BufReader::new(stdout),
            address: String::new(),
        };
        let line = server.line()?;
        let address = line.split('"').nth(3).ok_or("no address")?;
        server.address = address.to_owned();
        Ok(server)
    }

    fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        self.lines.read_line(&mut line)?;
        Ok(line)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already is fine.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn client(stack: &str, verb: &str, server: &Server, words: &[&str]) -> Outcome<String> {
    let output = Command::new(PROGRAM)
        .args([stack, verb, "--server-address", &server.address])
        .args(words)
        .stderr(Stdio::inherit())
        .output()?;
    assert!(
        output.status.success(),
        "{stack} against {}",
        server.address
    );
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn every_pairing_moves_every_size() -> Outcome<()> {
    let mut servers = STACKS.map(|stack| (stack, Server::start(stack)));
    for size in (10..=30).map(|power| 1_u64 << power).chain([0, 1, 65_537]) {
        let (upload, download) = (size, size + 1);
        let [expected_up, expected_down] =
            [upload, download].map(|bytes| Digest::of_payload(bytes).to_string());
        for (of_server, server) in &mut servers {
            let server = server.as_mut().map_err(|error| error.to_string())?;
            for of_client in STACKS {
                let words = [
                    "--upload-bytes",
                    &upload.to_string(),
                    "--download-bytes",
                    &download.to_string(),
                    "--check",
                    "digest",
                ];
                let downloaded = client(of_client, "client", server, &words)?;
                let uploaded = server.line()?;
                let case = format!("{of_client} -> {of_server}, {size}: {downloaded} {uploaded}");
                assert!(downloaded.contains(&expected_down), "{case}");
                assert!(uploaded.contains(&expected_up), "{case}");
            }
        }
    }
    Ok(())
}

#[test]
fn every_pairing_goes_on_over_many_windows_on_one_connection() -> Outcome<()> {
    // More than two of the widest windows, which is ours.
    let bytes = 40 << 20;
    let expected = Digest::of_payload(bytes).to_string();
    let bytes = bytes.to_string();
    for of_server in ALL {
        let mut server = Server::start(of_server)?;
        for of_client in ALL {
            let words = ["--upload-bytes", &bytes, "--download-bytes", &bytes];
            let words = [&words[..], &["--repeats", "3", "--check", "digest"]].concat();
            let said = client(of_client, "client", &server, &words)?;
            assert_eq!(said.matches(&expected).count(), 3, "{of_client}: {said}");
            for _ in 0..3 {
                let uploaded = server.line()?;
                assert!(uploaded.contains(&expected), "{of_server}: {uploaded}");
            }
        }
    }
    Ok(())
}

#[test]
fn every_pairing_opens_substreams() -> Outcome<()> {
    for of_server in ALL {
        let server = Server::start(of_server)?;
        for of_client in ALL {
            // A server of libp2p is sure to take one at a time: `libp2p-stream` has a channel with room for one, and drops
            // what comes before that is taken. Ours asks for all at once and hears of those that are reset; libp2p asks for
            // one after another, and to litep2p one is open that was agreed on, whatever comes after.
            let count = match (of_client, of_server) {
                ("ours", "libp2p" | "libp2p-tuned") => 1,
                _ => 32,
            };
            let line = client(
                of_client,
                "client-substream",
                &server,
                &["--substreams", &count.to_string()],
            )?;
            assert!(
                line.starts_with(&format!("{{\"substreams\":{count},")),
                "{of_client} -> {of_server}: {line}"
            );
        }
    }
    Ok(())
}
