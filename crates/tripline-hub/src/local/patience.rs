//! A line with an end of its patience: all reads and writes together take no longer, however little each of them brings.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A line of which every wait can be bounded.
pub(super) trait Line {
    /// Lets no read or write wait for longer.
    fn wait_at_most(&self, time: Duration) -> io::Result<()>;
}

impl Line for &TcpStream {
    fn wait_at_most(&self, time: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(time))?;
        self.set_write_timeout(Some(time))
    }
}

/// A line that is given up at a time.
pub(super) struct Patient<S, N> {
    line: S,
    now: N,
    end: Instant,
}

impl<S: Line, N: Fn() -> Instant> Patient<S, N> {
    /// Takes a line for so long, by a clock.
    pub(super) fn new(line: S, patience: Duration, now: N) -> Self {
        let end = now() + patience;
        Self { line, now, end }
    }

    fn wait_no_longer(&self) -> io::Result<()> {
        match self.end.saturating_duration_since((self.now)()) {
            Duration::ZERO => Err(io::ErrorKind::TimedOut.into()),
            left => self.line.wait_at_most(left),
        }
    }
}

impl<S: Line + Read, N: Fn() -> Instant> Read for Patient<S, N> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.wait_no_longer()?;
        self.line.read(bytes)
    }
}

impl<S: Line + Write, N: Fn() -> Instant> Write for Patient<S, N> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait_no_longer()?;
        self.line.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.line.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Whoever takes or gives a byte every four seconds, by a clock that only this moves.
    struct Slow<'c> {
        clock: &'c Cell<Instant>,
        waits: Cell<Duration>,
    }

    impl Slow<'_> {
        fn some(&self) -> io::Result<usize> {
            let time = Duration::from_secs(4);
            let waited = time.min(self.waits.get());
            self.clock.set(self.clock.get() + waited);
            match waited == time {
                true => Ok(1),
                false => Err(io::ErrorKind::WouldBlock.into()),
            }
        }
    }

    impl Line for Slow<'_> {
        fn wait_at_most(&self, time: Duration) -> io::Result<()> {
            self.waits.set(time);
            Ok(())
        }
    }

    impl Read for Slow<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            bytes[0] = b'x';
            self.some()
        }
    }

    impl Write for Slow<'_> {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.some()
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn who_sends_or_takes_a_byte_at_a_time_is_given_up_when_the_time_is_over() {
        let begin = Instant::now();
        let clock = Cell::new(begin);
        let patient = || {
            let waits = Cell::new(Duration::MAX);
            let slow = Slow {
                clock: &clock,
                waits,
            };
            Patient::new(slow, Duration::from_secs(10), || clock.get())
        };
        super::super::head(&mut patient()).expect_err("it never ends");
        assert_eq!(clock.get() - begin, Duration::from_secs(10));
        let error = patient().write_all(&[0; 9]).expect_err("it takes 36 s");
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        assert_eq!(clock.get() - begin, Duration::from_secs(20));
    }
}
