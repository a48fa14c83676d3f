//! The scanner as a program: options in, a report out. It writes where it is told to, so that whoever measures it can be it.
//!
//! Tests: `tests/it/program.rs`.

use std::ffi::OsString;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::{
    EngineChoice, Error, PortSet, Progress, Report, Scan, Settings, Store, Targets, Template,
};

/// Nothing was scanned.
const REFUSED: u8 = 2;
/// Not everything was scanned, or not everything was stored.
const PARTIAL: u8 = 3;

/// How long another program may hold the store before that is an error.
const PATIENCE: Duration = Duration::from_secs(2);

/// Says which ports of which hosts are open. Ask only hosts that are yours, or whose owner wants it.
#[derive(Parser)]
#[command(
    name = "workload-scan",
    version,
    after_help = "Exit codes: 0 all ports have a verdict, 2 nothing was scanned, 3 some is missing."
)]
pub struct Options {
    /// Addresses, blocks as 127.0.0.0/30, and names, with commas between.
    targets: String,
    /// Ports and ranges with commas between, or `all`.
    #[arg(short, long, default_value = "1-1000")]
    ports: String,
    /// How hard to press: T0 to T5.
    #[arg(short = 'T', long, default_value = "T3")]
    template: String,
    /// How to ask.
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    engine: EngineName,
    /// Probes at a time, instead of the template's.
    #[arg(long)]
    parallelism: Option<NonZero<u32>>,
    /// Milliseconds from probe to probe, instead of the template's.
    #[arg(long)]
    delay_ms: Option<u64>,
    /// By what part of the delay a probe may be late.
    #[arg(long, value_parser = clap::value_parser!(u8).range(..=100))]
    jitter_percent: Option<u8>,
    /// Milliseconds to wait for an answer.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    timeout_ms: Option<u64>,
    /// How many more probes a silent port gets.
    #[arg(long)]
    retries: Option<u8>,
    /// Threads that ask.
    #[arg(long)]
    threads: Option<NonZero<u32>>,
    /// How many times as fast as the machine's the clock of delays and timeouts runs.
    #[arg(long, default_value = "1")]
    clock_speed: NonZero<u32>,
    /// A database to store what is found in, while it is found.
    #[arg(long)]
    store: Option<PathBuf>,
    /// Report as JSON.
    #[arg(long)]
    json: bool,
    /// Say on standard error how far it is.
    #[arg(long)]
    progress: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum EngineName {
    Auto,
    Ring,
    Epoll,
    Blocking,
    Syn,
}

impl From<EngineName> for EngineChoice {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Auto => Self::Auto,
            EngineName::Ring => Self::Ring,
            EngineName::Epoll => Self::Epoll,
            EngineName::Blocking => Self::Blocking,
            EngineName::Syn => Self::Syn,
        }
    }
}

/// Runs the program: the report goes to `out`, and what went wrong to `talk`.
pub fn run(
    words: impl IntoIterator<Item = OsString>,
    mut out: impl Write,
    mut talk: impl Write,
) -> ExitCode {
    let options = match Options::read(words) {
        Ok(options) => options,
        Err(error) => return explain(&error, &mut out, &mut talk),
    };
    let json = options.json;
    match options.scan(&mut talk) {
        Ok(report) => tell(&report, json, &mut out, &mut talk),
        Err(error) => {
            complain(&error, &mut talk);
            ExitCode::from(REFUSED)
        }
    }
}

/// Says what is wrong with options, or what somebody asked to know about them.
fn explain(error: &clap::Error, out: &mut impl Write, talk: &mut impl Write) -> ExitCode {
    let text = error.render();
    // Who does not want to hear it need not.
    if error.use_stderr() {
        let _ = write!(talk, "{text}");
        ExitCode::from(REFUSED)
    } else {
        let _ = write!(out, "{text}");
        ExitCode::SUCCESS
    }
}

impl Options {
    /// Reads the words of a command line, of which the first is the program.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        Self::try_parse_from(words)
    }

    /// Scans, and says on the way how far it is, if that is wanted.
    pub fn scan(self, talk: &mut impl Write) -> Result<Report, Error> {
        let targets = Targets::parse(&self.targets)?;
        let ports: PortSet = self.ports.parse()?;
        let settings = settings(&self)?;
        for signal in [SIGINT, SIGTERM] {
            // Where a signal cannot be heard, it ends the program as it always did.
            let _ = signal_hook::flag::register(signal, Arc::clone(&settings.stop));
        }
        let mut scan = Scan::new(targets, ports, settings)?;
        if let Some(path) = &self.store {
            scan = scan.store(Store::open(path, PATIENCE)?);
        }
        if !self.progress {
            return scan.run();
        }
        let report = scan.watch(|progress| show(progress, talk))?;
        let _ = writeln!(talk);
        Ok(report)
    }
}

fn settings(options: &Options) -> Result<Settings, Error> {
    let mut timing = options.template.parse::<Template>()?.timing();
    if let Some(parallelism) = options.parallelism {
        timing.parallelism = parallelism.get();
    }
    timing.delay = options.delay_ms.map_or(timing.delay, Duration::from_millis);
    timing.jitter_percent = options.jitter_percent.unwrap_or(timing.jitter_percent);
    timing.timeout = options
        .timeout_ms
        .map_or(timing.timeout, Duration::from_millis);
    timing.retries = options.retries.unwrap_or(timing.retries);
    Ok(Settings {
        timing,
        engine: options.engine.into(),
        threads: options.threads,
        clock_speed: options.clock_speed.get(),
        stop: Arc::new(AtomicBool::new(false)),
    })
}

fn show(progress: Progress, talk: &mut impl Write) {
    let Progress {
        done,
        total,
        open,
        elapsed,
    } = progress;
    // Who does not want to hear it any more need not.
    let _ = write!(
        talk,
        "\r{done} of {total} ports, {open} open, {:.1} s ",
        elapsed.as_secs_f64()
    );
}

fn tell(report: &Report, json: bool, out: &mut impl Write, talk: &mut impl Write) -> ExitCode {
    let problems = [report.problem(), report.store_problem()];
    for problem in problems.into_iter().flatten() {
        complain(problem, talk);
    }
    let text = if json { report.json() } else { report.text() };
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = &written {
        let _ = writeln!(
            talk,
            "error: the report was not written\n  caused by: {error}"
        );
    }
    if report.is_complete() && problems.iter().all(Option::is_none) && written.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(PARTIAL)
    }
}

fn complain(error: &Error, talk: &mut impl Write) {
    let _ = writeln!(talk, "error: {error}");
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let _ = writeln!(talk, "  caused by: {cause}");
        source = cause.source();
    }
}
