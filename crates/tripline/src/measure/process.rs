//! One harness process: its output goes to a log as it comes, it is stopped with all its children when its time is over
//! or somebody asks, and how it ended is told apart exactly.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::interrupt::Interrupt;

/// The most a harness may write to stdout: beyond it nothing is a result any more.
const STDOUT_BYTES_MAX: usize = 256 * 1024 * 1024;

/// How much of the end of all output is kept for a failure.
const TAIL_BYTES: usize = 16 * 1024;

/// How long a process may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// How often time and interrupts are looked at while nothing is written.
const TICK: Duration = Duration::from_millis(50);

/// Says how a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signaled(i32),
    /// Its time was over.
    TimedOut,
    /// It wrote more than anybody can read.
    Flooded,
    /// Somebody asked it to.
    Interrupted,
}

/// What is left of a process.
#[derive(Debug)]
pub(crate) struct Finished {
    /// All it wrote to stdout.
    pub(crate) stdout: Vec<u8>,
    /// The end of all it wrote.
    pub(crate) tail: String,
    /// How it ended.
    pub(crate) how: How,
}

#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

/// Runs a command to its end.
pub(crate) fn run(
    command: &mut Command,
    log: &mut File,
    timeout: Duration,
    interrupt: &Interrupt,
) -> io::Result<Finished> {
    // A group of its own, so that it can be stopped with all its children.
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let (sender, receiver) = mpsc::channel();
    pump(child.stdout.take(), Stream::Out, sender.clone());
    pump(child.stderr.take(), Stream::Err, sender);

    let deadline = Instant::now() + timeout;
    let mut stdout = Vec::new();
    let mut tail = Vec::new();
    let mut ended_at: Option<Instant> = None;
    let stopped = loop {
        match receiver.recv_timeout(TICK) {
            Ok((stream, bytes)) => {
                log.write_all(&bytes)?;
                keep_tail(&mut tail, &bytes);
                if matches!(stream, Stream::Out) {
                    stdout.extend_from_slice(&bytes);
                }
            }
            Err(RecvTimeoutError::Disconnected) => break None,
            Err(RecvTimeoutError::Timeout) => {
                // A grandchild may keep the pipes open for ever; the harness itself has ended.
                if ended_at.is_none() && child.try_wait()?.is_some() {
                    ended_at = Some(Instant::now());
                }
                if ended_at.is_some_and(|at| at.elapsed() > GRACE) {
                    break None;
                }
            }
        }
        if interrupt.is_asked() {
            break Some(How::Interrupted);
        }
        if Instant::now() >= deadline {
            break Some(How::TimedOut);
        }
        if stdout.len() > STDOUT_BYTES_MAX {
            break Some(How::Flooded);
        }
    };
    let how = match stopped {
        Some(how) => {
            stop(&mut child)?;
            how
        }
        None => ended(wait_until(&mut child, deadline)?),
    };
    Ok(Finished {
        stdout,
        tail: String::from_utf8_lossy(&tail).into_owned(),
        how,
    })
}

/// Sends what a stream gives until it ends.
fn pump(
    stream: Option<impl Read + Send + 'static>,
    which: Stream,
    sender: mpsc::Sender<(Stream, Vec<u8>)>,
) {
    let Some(mut stream) = stream else { return };
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => {
                    if sender.send((which, buffer[..count].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    });
}

fn keep_tail(tail: &mut Vec<u8>, bytes: &[u8]) {
    tail.extend_from_slice(bytes);
    if tail.len() > 2 * TAIL_BYTES {
        tail.drain(..tail.len() - TAIL_BYTES);
    }
}

/// Waits for a process that has closed its streams, which is not yet to have ended.
fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            stop(child)?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn ended(status: Option<ExitStatus>) -> How {
    match status {
        None => How::TimedOut,
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => How::Exited(code),
            (None, signal) => How::Signaled(signal.unwrap_or_default()),
        },
    }
}

/// Asks the process and all its children to end, and then makes them.
fn stop(child: &mut Child) -> io::Result<()> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if let Some(group) = group {
        // Whoever is gone already needs no signal.
        let _ = kill_process_group(group, Signal::TERM);
        let asked = Instant::now();
        while child.try_wait()?.is_none() && asked.elapsed() < GRACE {
            std::thread::sleep(TICK);
        }
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, timeout: Duration, interrupt: &Interrupt) -> (Finished, String) {
        let log_path = tempfile::NamedTempFile::new().unwrap();
        let mut log = log_path.reopen().unwrap();
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        let finished = run(&mut command, &mut log, timeout, interrupt).unwrap();
        (finished, std::fs::read_to_string(log_path.path()).unwrap())
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn ends_are_told_apart() {
        let never = Interrupt::default();
        assert_eq!(shell("exit 7", LONG, &never).0.how, How::Exited(7));
        assert_eq!(shell("kill -9 $$", LONG, &never).0.how, How::Signaled(9));
        assert_eq!(
            shell("sleep 60", Duration::from_millis(100), &never).0.how,
            How::TimedOut
        );
        assert_eq!(
            shell(
                "exec >&- 2>&-; sleep 60",
                Duration::from_millis(100),
                &never
            )
            .0
            .how,
            How::TimedOut
        );
        let asked = Interrupt::default();
        asked.ask();
        assert_eq!(shell("sleep 60", LONG, &asked).0.how, How::Interrupted);
    }

    #[test]
    fn output_is_kept_apart_and_logged_together() {
        let (finished, log) = shell("echo data; echo talk >&2", LONG, &Interrupt::default());
        assert_eq!(finished.stdout, b"data\n");
        assert!(log.contains("data\n") && log.contains("talk\n"));
        assert!(finished.tail.contains("talk"));
    }

    #[test]
    fn children_of_a_stopped_process_do_not_live_on() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("alive");
        let script = format!("(sleep 1; touch {}) & sleep 60", mark.display());
        let (finished, _) = shell(&script, Duration::from_millis(100), &Interrupt::default());
        assert_eq!(finished.how, How::TimedOut);
        std::thread::sleep(Duration::from_millis(1_300));
        assert!(!mark.exists());
    }

    #[test]
    fn a_grandchild_that_holds_the_pipes_does_not_hold_us() {
        let (finished, _) = shell("sleep 30 & echo done", LONG, &Interrupt::default());
        assert_eq!(finished.how, How::Exited(0));
        assert_eq!(finished.stdout, b"done\n");
    }
}
