//! The programs that are set against each other, and how they are started.
//!
//! Tests: `tests/smoke`, because the tests of a library cannot be started as a program of ours; and below, with a program
//! that is no server.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use workload_p2p::cli::{Ours, run};

use crate::said::{Exchanged, Failure, Opened};

/// The variable that makes a bench the program of ours.
pub const STACK: &str = "BENCH_P2P_STACK";

/// The variable that names the program of the peers; empty, they are left out.
pub const PEERS: &str = "BENCH_P2P_PEERS";

/// Where that is by itself.
const PEERS_BUILT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../peers/target/release/peers-p2p"
);

/// Longer than a server takes to say what an exchange was.
const TOO_LONG: Duration = Duration::from_secs(60);

/// One implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stack {
    /// The one of this repository.
    Ours,
    /// litep2p.
    Litep2p,
    /// libp2p.
    Libp2p,
}

impl Stack {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Ours, Self::Litep2p, Self::Libp2p];

    /// The word by which it is asked for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Litep2p => "litep2p",
            Self::Libp2p => "libp2p",
        }
    }
}

/// A client and a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Who asks.
    pub client: Stack,
    /// Who answers.
    pub server: Stack,
}

impl Pair {
    /// Its name among the params of a benchmark.
    #[must_use]
    pub fn name(self) -> String {
        [self.client.name(), "-", self.server.name()].concat()
    }
}

/// Runs the program of ours instead of the bench, if that is what this process was started for.
#[must_use]
pub fn program() -> Option<ExitCode> {
    env::var_os(STACK)?;
    Some(run(&Ours, env::args().skip(1), io::stdout(), io::stderr()))
}

/// The programs that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    ours: PathBuf,
    peers: Option<PathBuf>,
    /// Whether the peers are to be set up for bandwidth.
    tuned: bool,
}

impl Programs {
    /// Finds the programs. The peers are built by
    /// `cargo build --release --locked --package peers-p2p --target-dir target` in `bench/peers`, which keeps them for the
    /// next time; `BENCH_P2P_PEERS` names them elsewhere, or leaves them out where it is empty.
    ///
    /// # Errors
    /// A program that was named is not there.
    pub fn find() -> Result<Self, Failure> {
        let peers = match env::var_os(PEERS) {
            None => Some(PathBuf::from(PEERS_BUILT)).filter(|built| built.is_file()),
            Some(named) if named.is_empty() => None,
            Some(named) => Some(existing(named)?),
        };
        Ok(Self {
            peers,
            ..Self::of_ours()?
        })
    }

    /// Leaves the peers out, whether they are there or not.
    ///
    /// # Errors
    /// The system does not say where this program is.
    pub fn of_ours() -> Result<Self, Failure> {
        Ok(Self {
            ours: env::current_exe()?,
            peers: None,
            tuned: false,
        })
    }

    /// The same programs, the peers set up for bandwidth.
    #[must_use]
    pub fn tuned(&self) -> Self {
        Self {
            tuned: true,
            ..self.clone()
        }
    }

    /// All pairs that can be measured.
    #[must_use]
    pub fn pairs(&self) -> Vec<Pair> {
        let is_there = |stack: &Stack| *stack == Stack::Ours || self.peers.is_some();
        let stacks = || Stack::ALL.into_iter().filter(is_there);
        stacks()
            .flat_map(|client| stacks().map(move |server| Pair { client, server }))
            .collect()
    }

    fn command(&self, stack: Stack) -> Result<Command, Failure> {
        Ok(match (stack, &self.peers) {
            (Stack::Ours, _) => {
                let mut command = Command::new(&self.ours);
                command.env(STACK, stack.name());
                command
            }
            (_, Some(peers)) => {
                let mut command = Command::new(peers);
                let setup = if self.tuned { "-tuned" } else { "" };
                command.arg([stack.name(), setup].concat());
                command
            }
            (_, None) => return Err(format!("{} is not built", stack.name()).into()),
        })
    }

    /// Starts a server of each stack among the pairs.
    ///
    /// # Errors
    /// One cannot be started, or does not say where it listens.
    pub fn serve(&self, pairs: &[Pair], words: &[&str]) -> Result<Vec<(Stack, Server)>, Failure> {
        let stacks = Stack::ALL.into_iter();
        stacks
            .filter(|stack| pairs.iter().any(|pair| pair.server == *stack))
            .map(|stack| Ok((stack, Server::start(self.command(stack)?, words)?)))
            .collect()
    }

    /// Has exchanges, one after the other on one connection.
    ///
    /// # Errors
    /// The client fails, or does not say as much as was asked for.
    pub fn exchange(&self, client: Client<'_>) -> Result<Vec<Exchanged>, Failure> {
        let said = self.said("client", client)?;
        said.lines().map(Exchanged::read).collect()
    }

    /// Opens substreams, all at once on one connection.
    ///
    /// # Errors
    /// The client fails, or does not say how long they took.
    pub fn open(&self, client: Client<'_>) -> Result<Opened, Failure> {
        Opened::read(self.said("client-substream", client)?.trim_end())
    }

    fn said(&self, verb: &str, client: Client<'_>) -> Result<String, Failure> {
        let Client {
            stack,
            server,
            words,
        } = client;
        let mut command = self.command(stack)?;
        let output = command
            .args([verb, "--server-address", &server.address])
            .args(words)
            .stdin(Stdio::null())
            .output()?;
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout)?),
            false => Err(format!(
                "{} {verb} {} against {}: {}, {}",
                stack.name(),
                words.join(" "),
                server.address,
                output.status,
                String::from_utf8_lossy(&output.stderr).trim_end()
            )
            .into()),
        }
    }
}

fn existing(named: OsString) -> Result<PathBuf, Failure> {
    let path = PathBuf::from(named);
    match Path::is_file(&path) {
        true => Ok(path),
        false => Err(format!(
            "nothing was measured: `{}`, which {PEERS} names, is not there",
            path.display()
        )
        .into()),
    }
}

/// What a client is to do, and against whom.
#[derive(Clone, Copy)]
pub struct Client<'a> {
    /// Whose client it is.
    pub stack: Stack,
    /// Who answers.
    pub server: &'a Server,
    /// Its options.
    pub words: &'a [&'a str],
}

/// A server in a process of its own, which ends with this.
pub struct Server {
    process: Child,
    address: String,
    /// What it says of every exchange.
    said: Receiver<String>,
}

impl Server {
    fn start(mut command: Command, words: &[&str]) -> Result<Self, Failure> {
        let process = command
            .args(["server", "--listen-address", "/ip4/127.0.0.1/tcp/0"])
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        // From here on it ends with this, whatever goes wrong before it is known where it listens.
        let (tell, said) = channel();
        let mut server = Self {
            process,
            address: String::new(),
            said,
        };
        let output = server.process.stdout.take();
        let mut lines = BufReader::new(output.ok_or("a server has no output")?);
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let said: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
        let address = said["listening"].as_str();
        address
            .ok_or_else(|| format!("a server said `{line}`, and not where it is"))?
            .clone_into(&mut server.address);
        // It says something of every exchange, and would wait for somebody to listen.
        thread::spawn(move || {
            lines
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| tell.send(line))
        });
        Ok(server)
    }

    /// Waits for what it says of the next exchange.
    pub(crate) fn said(&self) -> Result<String, Failure> {
        let said = self.said.recv_timeout(TOO_LONG).ok();
        Ok(said
            .ok_or_else(|| format!("the server at {} has ended, or says nothing", self.address))?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already is fine.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_that_are_tuned_are_asked_for_by_another_word_and_ours_is_not() {
        let programs = Programs {
            ours: PathBuf::from("ours"),
            peers: Some(PathBuf::from("peers")),
            tuned: false,
        };
        let words = |programs: &Programs, stack| {
            let command = programs.command(stack).unwrap();
            command.get_args().map(OsString::from).collect::<Vec<_>>()
        };
        assert_eq!(words(&programs, Stack::Libp2p), ["libp2p"]);
        let tuned = programs.tuned();
        assert_eq!(words(&tuned, Stack::Libp2p), ["libp2p-tuned"]);
        assert_eq!(words(&tuned, Stack::Litep2p), ["litep2p-tuned"]);
        assert!(words(&tuned, Stack::Ours).is_empty());
    }

    #[test]
    fn a_server_that_does_not_say_where_it_is_does_not_stay() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo $$; exec sleep 600", "sh"]);
        let failed = Server::start(command, &[])
            .err()
            .expect("it says no address");
        let said = failed.to_string();
        let process = said.trim_start_matches("a server said `");
        let process = process
            .split_whitespace()
            .next()
            .expect("it says its number");
        let is_there = std::path::Path::new("/proc").join(process).exists();
        assert!(!is_there, "{process} still runs: {said}");
    }
}
