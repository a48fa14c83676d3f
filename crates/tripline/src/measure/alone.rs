//! Runs a program by itself, and says what it took: the time, the processor's time, and memory at its highest.
//!
//! The kernel says so to whoever waits for a program. It also counts for a program's memory that of the process it was
//! made from, and Tripline is larger than many a program. So a second Tripline has a shell make it, which is small and is
//! gone at once, and takes over from the shell to wait for it. The program starts when it is told to, and from there on the
//! time is taken: the shell's own start is no part of it.
//!
//! Tested by `tests/it/whole`.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, getpid, set_child_subreaper, waitid};
use signal_hook::consts::SIGTERM;
use wait4::{ResUse, try_wait4_pid};

use super::process::How;

/// What asks this program to run another one by itself.
pub(super) const ASK: &str = "--run-alone";

/// Makes a process that says its number, ends the shell that made it, and becomes the program when it reads a line.
///
/// *Note:* a shell that starts something in the background has it ignore SIGINT and SIGQUIT, and so would the program.
const SHELL: &str = r#"(exec /bin/sh -c 'echo $$ >"$0"; kill -s KILL $PPID; read -r go && exec "$@" </dev/null' "$@"); :"#;

/// What a program took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spent {
    pub(super) wall_time: Duration,
    pub(super) user_time: Duration,
    pub(super) system_time: Duration,
    /// In bytes, of the largest of its processes.
    pub(super) resident_peak: u64,
}

/// Runs a program and writes what it took, if that is what this process was started for.
pub(crate) fn served() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    if args.next()? != ASK {
        return None;
    }
    let (Some(report), Some(program)) = (args.next(), args.next()) else {
        return Some(ExitCode::FAILURE);
    };
    let text = told(&program, args, Path::new(&report));
    // Whoever reads it sees that there is none.
    let written = std::fs::write(report, text);
    Some(written.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS))
}

/// Runs a program, and returns what is to be told of it.
fn told(program: &OsStr, args: impl Iterator<Item = OsString>, report: &Path) -> String {
    match is_there(program).and_then(|()| run(program, args, report)) {
        Err(error) => format!("start {error}\n"),
        Ok((wall_time, ResUse { status, rusage })) => {
            let how = match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit {code}"),
                (None, signal) => format!("signal {}", signal.unwrap_or_default()),
            };
            let numbers = [
                wall_time.as_nanos(),
                rusage.utime.as_nanos(),
                rusage.stime.as_nanos(),
                rusage.maxrss.into(),
            ];
            let numbers = numbers.map(|number| number.to_string()).join(" ");
            format!("{how}\n{numbers}\n")
        }
    }
}

/// A shell that does not find a program ends with a code, as the program might.
fn is_there(program: &OsStr) -> io::Result<()> {
    let path = Path::new(program);
    let is_there = if path.components().count() > 1 {
        path.exists()
    } else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    };
    is_there
        .then_some(())
        .ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn run(
    program: &OsStr,
    args: impl Iterator<Item = OsString>,
    report: &Path,
) -> io::Result<(Duration, ResUse)> {
    // Whoever asks the whole group to end asks the program, whose end is waited for here.
    signal_hook::flag::register(SIGTERM, Arc::default())?;
    // Whoever loses the process that made it is this process's child from then on.
    set_child_subreaper(Some(getpid()))?;
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", SHELL, "tripline-alone"])
        .arg(report)
        .arg(program)
        .args(args);
    let mut shell = shell.stdin(Stdio::piped()).spawn()?;
    let mut go = shell.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    shell.wait()?;
    let number = std::fs::read_to_string(report)?;
    let pid: i32 = number.trim().parse().map_err(io::Error::other)?;
    let child = Pid::from_raw(pid).ok_or(io::ErrorKind::NotFound)?;
    let began = Instant::now();
    go.write_all(b"go\n")?;
    // It is looked at and left, so that its number stays its own until it is asked what it took.
    waitid(
        WaitId::Pid(child),
        WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
    )?;
    let wall_time = began.elapsed();
    let ended = try_wait4_pid(pid.unsigned_abs())?;
    ended
        .map(|took| (wall_time, took))
        .ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Reads what was told of a program: how it ended and what it took, or why it was not started.
pub(super) fn read(report: &Path) -> Result<(How, Spent), String> {
    let text = std::fs::read_to_string(report)
        .map_err(|error| format!("nobody told what it took: {error}"))?;
    if let Some(why) = text.strip_prefix("start ") {
        return Err(why.trim().to_owned());
    }
    parsed(&text).ok_or_else(|| "what was told of it is damaged".to_owned())
}

fn parsed(text: &str) -> Option<(How, Spent)> {
    let mut lines = text.lines();
    let how = match lines.next()?.split_once(' ')? {
        ("exit", code) => How::Exited(code.parse().ok()?),
        ("signal", signal) => How::Signaled(signal.parse().ok()?),
        _ => return None,
    };
    let numbers: Option<Vec<u64>> = lines
        .next()?
        .split(' ')
        .map(|word| word.parse().ok())
        .collect();
    let [wall, user, system, resident_peak] = numbers?[..] else {
        return None;
    };
    Some((
        how,
        Spent {
            wall_time: Duration::from_nanos(wall),
            user_time: Duration::from_nanos(user),
            system_time: Duration::from_nanos(system),
            resident_peak,
        },
    ))
}
