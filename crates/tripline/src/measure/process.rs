//! One harness process: its output goes to a log as it comes, it ends with all its children when it is over, when its
//! time is over, or when somebody asks, and how it ended is told apart exactly.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::group::Group;
use super::interrupt::Interrupt;

const MIB: u64 = 1024 * 1024;

/// The most a harness may write to stdout, which is held in memory: beyond it nothing is a result any more.
const STDOUT_BYTES_MAX: u64 = 256 * MIB;

/// The most the log of a step may hold: what the step writes in all its repeats fits many times, and a harness that
/// loops does not fill the disk before its time is over.
const LOG_BYTES_MAX: u64 = 1024 * MIB;

/// How much of the end of all output is kept for a failure.
const TAIL_BYTES: usize = 16 * 1024;

/// How much is read at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// How many chunks may wait for the log. A disk that is slower than the harness makes the harness wait, as a pipe does,
/// instead of filling the memory.
const CHUNKS_WAITING_MAX: usize = 64;

/// How long a process may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// How often time, interrupts and the process are looked at.
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
    Flooded(Limit),
    /// Somebody asked it to.
    Interrupted,
}

/// What a flood crosses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// What stdout may hold.
    Stdout,
    /// What the log may hold.
    Log,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => write!(
                f,
                "it was stopped, having written more than {} MiB to stdout",
                STDOUT_BYTES_MAX / MIB
            ),
            Self::Log => write!(
                f,
                "it was stopped, its log having grown beyond {} MiB",
                LOG_BYTES_MAX / MIB
            ),
        }
    }
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

/// Says why a process was not run to its end. None of it is left running.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunError {
    /// There is no such program, or it may not be run.
    #[error("{0}")]
    Start(io::Error),
    /// What it wrote could not be kept.
    #[error("its log could not be written: {0}")]
    Log(io::Error),
    /// The system does not say how it ended.
    #[error("it was started, and then lost sight of: {0}")]
    Watch(io::Error),
}

#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

/// What a turn of waiting for output gave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Something,
    Nothing,
    /// All who could write have closed the streams.
    End,
}

/// Runs a command to its end.
pub(crate) fn run(
    command: &mut Command,
    log: &mut File,
    timeout: Duration,
    interrupt: &Interrupt,
) -> Result<Finished, RunError> {
    let mut running = Running::start(command, log, interrupt).map_err(RunError::Start)?;
    // A time that no clock can show never comes.
    let followed = running.follow(Instant::now().checked_add(timeout));
    if !matches!(followed, Ok(None)) {
        running.stop();
    }
    // Nobody is left behind, who would live on beside the next step and disturb its times.
    let status = running.group.end();
    let how = match followed? {
        Some(how) => how,
        None => ended(status.map_err(RunError::Watch)?),
    };
    Ok(Finished {
        stdout: running.stdout,
        tail: String::from_utf8_lossy(&running.tail).into_owned(),
        how,
    })
}

/// A process that was started, and all that is known of it.
struct Running<'a> {
    /// The process is the first of a group of its own, so that it can be stopped with all its children.
    group: Group,
    receiver: Receiver<(Stream, Vec<u8>)>,
    /// How long to wait for the process once there is nothing to hear.
    pause: Duration,
    log: &'a mut File,
    log_bytes: u64,
    stdout: Vec<u8>,
    tail: Vec<u8>,
    interrupt: &'a Interrupt,
}

impl<'a> Running<'a> {
    fn start(
        command: &mut Command,
        log: &'a mut File,
        interrupt: &'a Interrupt,
    ) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let (sender, receiver) = mpsc::sync_channel(CHUNKS_WAITING_MAX);
        pump(child.stdout.take(), Stream::Out, sender.clone());
        pump(child.stderr.take(), Stream::Err, sender);
        Ok(Self {
            group: Group::of(child),
            receiver,
            pause: Duration::from_millis(1),
            // The steps before, and the repeats before, are in the same log. What has no place has no size.
            log_bytes: log.stream_position().unwrap_or(0),
            log,
            stdout: Vec::new(),
            tail: Vec::new(),
            interrupt,
        })
    }

    /// Follows the process until it ends by itself, or until there is a reason to stop it.
    fn follow(&mut self, deadline: Option<Instant>) -> Result<Option<How>, RunError> {
        let mut looked_at = Instant::now();
        let mut ended_at: Option<Instant> = None;
        loop {
            let heard = self.turn().map_err(RunError::Log)?;
            if let Some(limit) = self.crossed() {
                return Ok(Some(How::Flooded(limit)));
            }
            // Whoever writes without a pause is looked at no more often than one who is silent.
            if heard == Heard::Something && looked_at.elapsed() < TICK {
                continue;
            }
            looked_at = Instant::now();
            if self.interrupt.is_asked() {
                return Ok(Some(How::Interrupted));
            }
            if !self.group.has_ended().map_err(RunError::Watch)? {
                if deadline.is_some_and(|deadline| looked_at >= deadline) {
                    return Ok(Some(How::TimedOut));
                }
                continue;
            }
            let over = ended_at.get_or_insert(looked_at).elapsed();
            // A child that it left may hold the streams for ever. With the child gone, what the process itself wrote
            // is still read to its end; only a child that has left the group can prevent that.
            if heard == Heard::End || over > 2 * GRACE {
                return Ok(None);
            }
            if over > GRACE {
                self.group.signal(Signal::KILL);
            }
        }
    }

    /// Waits a little for output, and keeps it.
    fn turn(&mut self) -> io::Result<Heard> {
        match self.receiver.recv_timeout(TICK) {
            Ok((stream, bytes)) => self.keep(stream, &bytes).map(|()| Heard::Something),
            Err(RecvTimeoutError::Timeout) => Ok(Heard::Nothing),
            Err(RecvTimeoutError::Disconnected) => {
                // Most processes end right after their streams do, and are not to be waited for long.
                std::thread::sleep(self.pause);
                self.pause = TICK.min(2 * self.pause);
                Ok(Heard::End)
            }
        }
    }

    fn keep(&mut self, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        // A flood goes on while the process is asked to end.
        if self.crossed().is_some() {
            return Ok(());
        }
        self.tail.extend_from_slice(bytes);
        if self.tail.len() > 2 * TAIL_BYTES {
            self.tail.drain(..self.tail.len() - TAIL_BYTES);
        }
        if matches!(stream, Stream::Out) {
            self.stdout.extend_from_slice(bytes);
        }
        self.log_bytes += bytes.len() as u64;
        self.log.write_all(bytes)
    }

    fn crossed(&self) -> Option<Limit> {
        if self.stdout.len() as u64 > STDOUT_BYTES_MAX {
            Some(Limit::Stdout)
        } else if self.log_bytes > LOG_BYTES_MAX {
            Some(Limit::Log)
        } else {
            None
        }
    }

    /// Asks the process and its children to end, and gives them some time to do so.
    fn stop(&mut self) {
        self.group.signal(Signal::TERM);
        let asked = Instant::now();
        while asked.elapsed() < GRACE && !self.interrupt.is_urgent() {
            // Without an answer there is nothing to wait for.
            if self.group.has_ended().unwrap_or(true) {
                return;
            }
            // Its last words may say what it was doing. A log that takes none is complained about elsewhere.
            let _ = self.turn();
        }
    }
}

/// Sends what a stream gives until it ends.
fn pump(
    stream: Option<impl Read + Send + 'static>,
    which: Stream,
    sender: SyncSender<(Stream, Vec<u8>)>,
) {
    let Some(mut stream) = stream else { return };
    std::thread::spawn(move || {
        let mut buffer = vec![0; CHUNK_BYTES];
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

fn ended(status: ExitStatus) -> How {
    match (status.code(), status.signal()) {
        (Some(code), _) => How::Exited(code),
        (None, signal) => How::Signaled(signal.unwrap_or_default()),
    }
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

    #[test]
    fn a_time_beyond_all_clocks_never_comes() {
        let (finished, _) = shell("exit 0", Duration::MAX, &Interrupt::default());
        assert_eq!(finished.how, How::Exited(0));
    }

    #[test]
    fn nothing_is_lost_of_what_was_written_before_the_end() {
        let script = "sleep 30 & head -c 20000000 /dev/zero";
        let (finished, log) = shell(script, LONG, &Interrupt::default());
        assert_eq!(finished.how, How::Exited(0));
        assert_eq!((finished.stdout.len(), log.len()), (20_000_000, 20_000_000));
    }
}
