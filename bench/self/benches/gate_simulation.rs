//! The bench of gates: how often each rule cries wolf, and how often it hears the wolf, as tables on stdout.
//!
//! It measures no time and is no step of the suite. `cargo bench -p bench-self --bench gate_simulation -- --draws 1500`
//! prints it. Tested in the library, with few draws; here is only the printing.
#![expect(clippy::print_stderr, reason = "a wrong argument is said")]

use std::io::{self, Write as _};
use std::process::ExitCode;

use bench_self::simulation::{DRAWS, tables};

fn main() -> ExitCode {
    let draws = match draws(std::env::args().skip(1)) {
        Ok(draws) => draws,
        Err(problem) => {
            eprintln!("error: nothing was simulated: {problem}");
            return ExitCode::from(2);
        }
    };
    let mut stdout = io::stdout().lock();
    for table in tables(draws) {
        if writeln!(stdout, "{table}").is_err() {
            // Whoever read this has stopped reading.
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Returns how many draws are asked for. Cargo adds an argument of its own to every bench.
fn draws(mut arguments: impl Iterator<Item = String>) -> Result<usize, String> {
    let mut draws = DRAWS;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--draws" => {
                let number = arguments.next().unwrap_or_default();
                let count = number.parse().ok().filter(|count| *count > 0);
                let problem = || format!("`--draws` needs a whole number above 0, not `{number}`");
                draws = count.ok_or_else(problem)?;
            }
            other => {
                return Err(format!(
                    "`{other}` is not known; the only option is `--draws N`"
                ));
            }
        }
    }
    Ok(draws)
}
