//! The only file that prints. stdout is data, stderr is talk; data is whole or an error, talk may be lost.
//!
//! On a terminal progress is a bar with the time that is left; elsewhere it is plain lines, one per step.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tripline_render::Color;

use crate::error::{CommandError, Outcome};
use crate::exit::Exit;

/// Says when to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Returns whether what goes to stdout is coloured.
    pub(crate) fn for_data(self) -> Color {
        let wanted = match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                io::stdout().is_terminal() && !refused
            }
        };
        if wanted { Color::Ansi } else { Color::Plain }
    }
}

/// Returns how many columns stdout has; what is not a terminal has plenty.
pub(crate) fn width() -> usize {
    const WIDTH_ELSEWHERE: usize = 120;
    const WIDTH_MIN: usize = 40;
    if !io::stdout().is_terminal() {
        return WIDTH_ELSEWHERE;
    }
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    let asked = || {
        rustix::termios::tcgetwinsize(io::stdout())
            .ok()
            .map(|size| size.ws_col.into())
    };
    columns
        .or_else(asked)
        .unwrap_or(WIDTH_ELSEWHERE)
        .max(WIDTH_MIN)
}

/// Writes data to stdout.
pub(crate) fn data(text: &str) -> Outcome<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        // Whoever closed the pipe, as `head` does, has read what it wanted.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CommandError::new(
            Exit::BadInput,
            "not everything was written to stdout",
        )
        .because(error)),
    }
}

/// Says something on stderr. Nobody may be listening any more, and the work goes on.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", shown(text));
}

/// Makes control characters visible, and breaks what a job's log would take for a command: paths and file contents must
/// not steer the terminal or the runner.
pub(crate) fn shown(text: &str) -> String {
    let text = text
        .replace("##[", "#\\u{23}[")
        .replace("##vso[", "#\\u{23}vso[");
    let text: Vec<String> = text.split('\n').map(uncommanded).collect();
    let text = text.join("\n");
    let visible = |c: char| match c {
        '\n' => "\n".to_owned(),
        c if c.is_control() => c.escape_default().to_string(),
        c => c.to_string(),
    };
    text.chars().map(visible).collect()
}

/// Breaks a line that begins as a command does.
fn uncommanded(line: &str) -> String {
    let start = line.len() - line.trim_start().len();
    match line[start..].strip_prefix("::") {
        Some(rest) => format!("{}\\u{{3a}}:{rest}", &line[..start]),
        None => line.to_owned(),
    }
}

/// Says how many there are of something.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Says that a command failed, and why.
pub(crate) fn complain(error: &CommandError) {
    say(&error.to_string());
}

/// Shows how far the work is.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    on_terminal: bool,
}

impl Progress {
    /// Begins, with the time the work is expected to take where it was measured before.
    pub(crate) fn begin(steps: usize, expected: Option<Duration>) -> Self {
        let on_terminal = io::stderr().is_terminal();
        let bar = ProgressBar::new(steps as u64);
        bar.set_draw_target(if on_terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        });
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} {msg}");
        bar.set_style(style.expect("the template is a constant and tested"));
        if on_terminal {
            bar.enable_steady_tick(Duration::from_millis(200));
        } else if let Some(expected) = expected {
            say(&format!(
                "{}, about {} in all",
                counted(steps, "step"),
                in_words(expected)
            ));
        }
        Self { bar, on_terminal }
    }

    /// Says which step begins and how much time is left.
    pub(crate) fn step_begins(&self, name: &str, left: Option<Duration>) {
        let left = left.map_or(String::new(), |left| {
            format!(", about {} left", in_words(left))
        });
        if self.on_terminal {
            self.bar.set_message(format!("{name}{left}"));
        } else {
            say(&format!("{name} ...{left}"));
        }
    }

    /// Says how far a step is that is measured in rounds: on a terminal each time, elsewhere now and then.
    pub(crate) fn round_ended(&self, round: u32, done: usize, all: usize, took: Duration) {
        const ROUNDS_BETWEEN_LINES: u32 = 10;
        let far = format!(
            "round {round}, {done} of {} decided",
            counted(all, "benchmark")
        );
        if self.on_terminal {
            let message = self.bar.message();
            let step = message
                .split(": round")
                .next()
                .unwrap_or_default()
                .to_owned();
            self.bar.set_message(format!("{step}: {far}"));
        } else if round.is_multiple_of(ROUNDS_BETWEEN_LINES) {
            say(&format!("  {far}, {} so far", in_words(took)));
        }
    }

    /// Says how a step ended.
    pub(crate) fn step_ended(&self, name: &str, how: &str, took: Duration) {
        self.bar.inc(1);
        self.note(&format!("{name}: {how} in {}", in_words(took)));
    }

    /// Says a line that stays.
    pub(crate) fn note(&self, line: &str) {
        if self.on_terminal {
            self.bar.suspend(|| say(line));
        } else {
            say(line);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Says a duration as a person would.
fn in_words(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 10.0 {
        return format!("{seconds:.1} s");
    }
    let whole = duration.as_secs();
    if whole < 60 {
        format!("{whole} s")
    } else {
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_runner_would_obey_is_broken() {
        let text = "::add-mask::x\n  ::error::y a::b\nx##[group]z ##vso[task]";
        let said =
            "\\u{3a}:add-mask::x\n  \\u{3a}:error::y a::b\nx#\\u{23}[group]z #\\u{23}vso[task]";
        assert_eq!(shown(text), said);
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(in_words(Duration::from_millis(1_240)), "1.2 s");
        assert_eq!(in_words(Duration::from_secs(59)), "59 s");
        assert_eq!(in_words(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn what_is_said_does_not_steer_the_terminal() {
        assert_eq!(shown("a\u{1b}[31m\nb\u{7}"), "a\\u{1b}[31m\nb\\u{7}");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(2, "step"), "2 steps");
    }

    #[test]
    fn the_template_of_the_bar_is_one() {
        drop(Progress::begin(1, None));
    }
}
