//! A process and all its children: they are stopped together, and none of them outlives this program.
//!
//! Whoever started it need not think of its end: a group that is dropped is over.
//!
//! Tested through the processes that are run, and through those that serve.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Ends a group of processes when this program is gone without having said that all is well: when its stdin ends.
const LIFELINE: &str = "trap '' HUP INT TERM; read -r line || kill -s KILL -- \"-$1\"";

/// A group of processes, of which a child of this program is the first.
#[derive(Debug)]
pub(super) struct Group {
    first: Child,
    lifeline: Option<Child>,
    is_over: bool,
}

impl Group {
    /// Watches over the group of a child that was started as the first of one.
    pub(super) fn of(first: Child) -> Self {
        let lifeline = lifeline(Pid::from_child(&first));
        Self {
            first,
            lifeline,
            is_over: false,
        }
    }

    /// Sends a signal to all of the group.
    pub(super) fn signal(&self, signal: Signal) {
        // Whoever is gone already needs no signal, and once all is over the number may be a stranger's.
        if !self.is_over {
            let _ = kill_process_group(Pid::from_child(&self.first), signal);
        }
    }

    /// Looks whether the first process has ended, and leaves it as it is: while nobody has taken note of its end, no
    /// other process gets its number, and a signal to its group reaches no stranger.
    pub(super) fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let first = WaitId::Pid(Pid::from_child(&self.first));
        Ok(self.is_over || waitid(first, options)?.is_some())
    }

    /// Leaves nobody behind, and returns how the first process ended.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        self.signal(Signal::KILL);
        if let Some(mut lifeline) = self.lifeline.take() {
            if let Some(mut stdin) = lifeline.stdin.take() {
                let _ = stdin.write_all(b"over\n");
            }
            let _ = lifeline.wait();
        }
        self.is_over = true;
        self.first.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Starts a shell beside the process that ends its group if this program is killed, which it cannot do itself any more.
///
/// The process itself is started as ever, so nothing that is measured changes; and where there is no shell it runs
/// without.
fn lifeline(group: Pid) -> Option<Child> {
    Command::new("/bin/sh")
        .args(["-c", LIFELINE, "tripline-lifeline"])
        .arg(group.as_raw_nonzero().to_string())
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Ctrl-C, or a kill of this program's whole group, is not for it.
        .process_group(0)
        .spawn()
        .ok()
}
