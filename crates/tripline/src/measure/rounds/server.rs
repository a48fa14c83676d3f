//! One executable that serves its benchmarks: it is asked for blocks, and answers.
//!
//! It talks to a stranger: the executable may be of another revision, hang, or die, and each of these is a failure of
//! the step that says what it was doing. Tested beside it, with executables that misbehave.

use std::fs::File;
use std::io::{self, BufReader};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use tripline_duet::protocol::{self, ReceiveError, Reply, Request};
use tripline_model::FailureKind;

use super::host;
use crate::measure::group::Group;
use crate::measure::interrupt::Interrupt;

/// How often interrupts are looked at while an answer is waited for.
const TICK: Duration = Duration::from_millis(50);

/// How often an executable that has said its last word is looked at, until it has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// The most that an executable may write to its log: one that loops does not fill the disk.
pub(super) const LOG_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// The most benchmarks that an executable may have: one that loops does not fill the memory, nor the pipe of requests.
const BENCHMARKS_MAX: usize = 5_000;

/// How many replies may wait to be heard. Whoever says more than is asked for waits, as at any pipe.
const REPLIES_WAITING_MAX: usize = 16;

/// What is said of an executable that does not serve.
const SERVES_NOT: &str =
    "it does not serve, and its bench must use tripline-duet in place of criterion";

/// What is said of one that serves, and cannot be understood.
const READS_NOT: &str = "what it says cannot be read";

/// An executable that can serve, and where it runs.
#[derive(Debug, Clone)]
pub(in crate::measure) struct Executable {
    /// What is run.
    pub(in crate::measure) program: PathBuf,
    /// Where it is run.
    pub(in crate::measure) folder: PathBuf,
    /// What its failures say of where they happened.
    pub(in crate::measure) whose: Option<&'static str>,
    /// Whether it is a copy of our own, which may be made anew.
    pub(in crate::measure) is_copy: bool,
}

impl Executable {
    /// Makes the copy anew. As long as a file stays the same, its code lies in the same memory, whoever starts it; and two
    /// files of the same bytes may differ by percents for as long.
    pub(super) fn renew(&self) -> Result<(), Trouble> {
        if !self.is_copy {
            return Ok(());
        }
        let mut next = self.program.clone().into_os_string();
        next.push(".next");
        let renewed =
            std::fs::copy(&self.program, &next).and_then(|_| std::fs::rename(&next, &self.program));
        renewed.map_err(|error| Trouble {
            kind: FailureKind::Start,
            detail: Some(format!(
                "no copy of `{}` could be made: {error}",
                self.program.display()
            )),
        })
    }
}

/// What a server's work is bound by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds<'a> {
    /// Where what it says to people goes.
    pub(super) log: &'a Path,
    /// How long that may become.
    pub(super) log_bytes_max: u64,
    /// How long it may take.
    pub(super) timeout: Duration,
    /// When that is over.
    pub(super) deadline: Instant,
    /// Knows whether somebody wants it to stop.
    pub(super) interrupt: &'a Interrupt,
}

/// Why a server is of no use any more.
#[derive(Debug)]
pub(super) struct Trouble {
    /// What kind of failure it makes.
    pub(super) kind: FailureKind,
    /// What happened.
    pub(super) detail: Option<String>,
}

/// What a block took, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) wall: u64,
    pub(super) cpu: Option<u64>,
}

/// An executable that is running and serves.
#[derive(Debug)]
pub(super) struct Server<'a> {
    group: Group,
    requests: Option<ChildStdin>,
    replies: Receiver<Result<Reply, ReceiveError>>,
    bounds: Bounds<'a>,
    has_greeted: bool,
    /// The benchmark it is at; none at the end.
    at: Option<String>,
    /// How many benchmarks it was at.
    count: usize,
}

impl<'a> Server<'a> {
    /// Starts an executable on one core, and waits until it is at its first benchmark.
    pub(super) fn start(
        executable: &Executable,
        core: Option<usize>,
        bounds: Bounds<'a>,
    ) -> Result<Self, Trouble> {
        let start = |what: &Path, error: io::Error| Trouble {
            kind: FailureKind::Start,
            detail: Some(format!("`{}`: {error}", what.display())),
        };
        let log = File::options().create(true).append(true).open(bounds.log);
        let log = log.map_err(|error| start(bounds.log, error))?;
        let mut command = Command::new(&executable.program);
        command
            .arg("--bench")
            .current_dir(&executable.folder)
            .env(protocol::VARIABLE, protocol::SERVE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(log))
            .process_group(0);
        // A suite that measures this very program finds it here.
        if let Ok(program) = std::env::current_exe() {
            command.env("TRIPLINE_BINARY", program);
        }
        let mut child = host::bound_to(core, || command.spawn())
            .map_err(|error| start(&executable.program, error))?;
        let mut server = Self {
            requests: child.stdin.take(),
            replies: heard(child.stdout.take()),
            group: Group::of(child),
            bounds,
            has_greeted: false,
            at: None,
            count: 0,
        };
        server.greet()?;
        server.has_greeted = true;
        server.arrive()?;
        Ok(server)
    }

    fn greet(&mut self) -> Result<(), Trouble> {
        let output = |detail: String| Trouble {
            kind: FailureKind::Output,
            detail: Some(detail),
        };
        match self.hear_or_end() {
            Ok(Some(Reply::Greeting { version })) if version == protocol::VERSION => Ok(()),
            Ok(Some(Reply::Greeting { version })) => Err(output(format!(
                "it serves in version {version} of the protocol, and this program asks in version {}: \
                 use the tripline-duet that belongs to it",
                protocol::VERSION
            ))),
            Ok(None) => Err(self
                .ended()
                .unwrap_or_else(|| output(SERVES_NOT.to_owned()))),
            Ok(Some(_)) => Err(output(SERVES_NOT.to_owned())),
            Err(other) => Err(other),
        }
    }

    /// Returns the benchmark it is at; none at the end.
    pub(super) fn at(&self) -> Option<&str> {
        self.at.as_deref()
    }

    /// Goes on to the next benchmark.
    pub(super) fn next(&mut self) -> Result<(), Trouble> {
        self.ask(&Request::Next)?;
        self.arrive()
    }

    /// Goes on until it is at a benchmark. Says whether it is: the benchmark may have been passed already.
    pub(super) fn reach(&mut self, id: &str) -> Result<bool, Trouble> {
        while let Some(at) = &self.at {
            if at == id {
                return Ok(true);
            }
            self.next()?;
        }
        Ok(false)
    }

    /// Takes a block; nothing where the benchmark times nothing.
    pub(super) fn block(&mut self, iterations: u64) -> Result<Option<Block>, Trouble> {
        self.ask(&Request::Block(iterations))?;
        match self.hear()? {
            Reply::Block { wall, cpu } => Ok(Some(Block { wall, cpu })),
            Reply::Missed => Ok(None),
            other => Err(unexpected(&other, "what a block took")),
        }
    }

    /// Lets it end by itself, and wants it to end well.
    pub(super) fn quit(mut self) -> Result<(), Trouble> {
        if self.at.is_some() {
            self.ask(&Request::Quit)?;
        }
        // It hears the end of requests as well.
        self.requests = None;
        loop {
            match self.hear_or_end()? {
                Some(Reply::End) => {}
                Some(other) => return Err(unexpected(&other, "silence after its last benchmark")),
                None => return self.ended().map_or(Ok(()), Err),
            }
        }
    }

    /// Waits for the next benchmark, or the end of all.
    fn arrive(&mut self) -> Result<(), Trouble> {
        self.at = match self.hear()? {
            Reply::Benchmark { .. } if self.count == BENCHMARKS_MAX => {
                return Err(Trouble {
                    kind: FailureKind::Output,
                    detail: Some(format!("it serves more than {BENCHMARKS_MAX} benchmarks")),
                });
            }
            Reply::Benchmark { id, .. } => {
                self.count += 1;
                Some(id)
            }
            Reply::End => None,
            Reply::Twice { id } => {
                return Err(Trouble {
                    kind: FailureKind::Output,
                    detail: Some(format!(
                        "two benchmarks are named `{id}`: give each a name of its own"
                    )),
                });
            }
            other => return Err(unexpected(&other, "a benchmark or the end")),
        };
        Ok(())
    }

    fn ask(&mut self, request: &Request) -> Result<(), Trouble> {
        // One that answers at once is never waited for, and so looked at here.
        self.check_bounds()?;
        if let Ok(Ok(reply)) = self.replies.try_recv() {
            return Err(unexpected(&reply, "waiting for a request"));
        }
        let requests = self.requests.as_mut();
        match requests.map(|requests| protocol::send(requests, request)) {
            Some(Ok(())) => Ok(()),
            // Nobody reads any more: why is known by how it ended.
            Some(Err(_)) | None => Err(self.gone()),
        }
    }

    fn hear(&mut self) -> Result<Reply, Trouble> {
        match self.hear_or_end()? {
            Some(reply) => Ok(reply),
            None => Err(self.gone()),
        }
    }

    fn hear_or_end(&mut self) -> Result<Option<Reply>, Trouble> {
        let mut has_ended = false;
        loop {
            match self.replies.recv_timeout(TICK) {
                Ok(Ok(reply)) => return Ok(Some(reply)),
                Ok(Err(error)) => {
                    // Whoever does not serve may say anything.
                    let what = if self.has_greeted {
                        READS_NOT
                    } else {
                        SERVES_NOT
                    };
                    let detail = format!("{what}: {error}");
                    return Err(Trouble {
                        kind: FailureKind::Output,
                        detail: Some(detail),
                    });
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                // A child that it left may hold its stdout for ever.
                Err(RecvTimeoutError::Timeout) if has_ended => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    has_ended = self.group.has_ended().unwrap_or(true);
                    self.check_bounds()?;
                }
            }
        }
    }

    fn check_bounds(&self) -> Result<(), Trouble> {
        let trouble = |kind, detail: Option<String>| Err(Trouble { kind, detail });
        if self.bounds.interrupt.is_asked() {
            return trouble(FailureKind::Interrupted, None);
        }
        if Instant::now() >= self.bounds.deadline {
            let at = self.at.as_deref().map(|id| format!("it was at `{id}`"));
            return trouble(FailureKind::Timeout(self.bounds.timeout.as_secs()), at);
        }
        let written = std::fs::metadata(self.bounds.log).map_or(0, |log| log.len());
        if written > self.bounds.log_bytes_max {
            let detail = format!(
                "it was stopped, its log having grown beyond {} MiB",
                self.bounds.log_bytes_max >> 20
            );
            return trouble(FailureKind::Output, Some(detail));
        }
        Ok(())
    }

    /// Says how it ended, which it should not have.
    fn gone(&mut self) -> Trouble {
        let at = match &self.at {
            Some(id) => format!("it was at `{id}`"),
            None => "it was at no benchmark".to_owned(),
        };
        match self.ended() {
            Some(trouble) => Trouble {
                detail: trouble.detail.or(Some(at)),
                ..trouble
            },
            None => Trouble {
                kind: FailureKind::Output,
                detail: Some(format!("it ended before it had served all: {at}")),
            },
        }
    }

    /// Waits for its end, and says what was bad about it.
    fn ended(&mut self) -> Option<Trouble> {
        self.requests = None;
        while !self.group.has_ended().unwrap_or(true) {
            if let Err(trouble) = self.check_bounds() {
                return Some(trouble);
            }
            std::thread::sleep(PAUSE);
        }
        let status = match self.group.end() {
            Ok(status) => status,
            Err(error) => {
                let detail = Some(format!("it was lost sight of: {error}"));
                let kind = FailureKind::Start;
                return Some(Trouble { kind, detail });
            }
        };
        let kind = match (status.code(), status.signal()) {
            (Some(0), _) => return None,
            (Some(code), _) => FailureKind::Exit(code),
            (None, signal) => FailureKind::Signal(signal.unwrap_or_default()),
        };
        Some(Trouble { kind, detail: None })
    }
}

/// Hears what an executable says, until it ends or says what is no reply.
fn heard(stdout: Option<ChildStdout>) -> Receiver<Result<Reply, ReceiveError>> {
    let (sender, replies) = mpsc::sync_channel(REPLIES_WAITING_MAX);
    let mut stdout = BufReader::new(stdout.expect("it was asked for a pipe"));
    std::thread::spawn(move || {
        while let Some(message) = protocol::receive(&mut stdout).transpose() {
            let is_last = message.is_err();
            if sender.send(message).is_err() || is_last {
                return;
            }
        }
    });
    replies
}

fn unexpected(reply: &Reply, wanted: &str) -> Trouble {
    let detail = format!("it said `{reply}` in place of {wanted}");
    Trouble {
        kind: FailureKind::Output,
        detail: Some(detail),
    }
}

#[cfg(test)]
mod tests;
