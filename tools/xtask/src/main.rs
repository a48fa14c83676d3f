//! The chores of this repository: its rules, and scaffolds for what is added often.
//!
//! One program in the project's own language instead of scripts, so that a chore is read, tested and refactored like
//! the rest. This file parses the command line and prints; everything else returns values.
//!
//! Tested where the work is done; the tests of the rules are the rules themselves, run on this repository.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the one file of this program that prints"
)]

use std::{
    collections::BTreeSet,
    env,
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::Result;
use clap::{Parser, Subcommand};
use signal_hook::consts::SIGINT;

use crate::{
    fuzz::Fuzz,
    scaffold::Scaffold,
    tidy::{RULES, Rule},
    tree::Tree,
    trial::Trial,
};

mod contract;
mod fuzz;
mod lists;
mod modules;
mod scaffold;
mod source;
mod tidy;
mod tree;
mod trial;
mod workflow;

/// Chores of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Check the rules that no compiler holds.
    Tidy {
        /// Check these rules only.
        #[arg(value_name = "RULE", value_parser = rule)]
        rules: Vec<&'static Rule>,
        /// List the rules instead.
        #[arg(long)]
        list: bool,
    },
    /// Start an adapter: a reader for one more harness.
    NewAdapter { name: String },
    /// Start a suite: a package of benches.
    NewSuite { name: String },
    /// Start a renderer: one more output of a report.
    NewRenderer { name: String },
    /// Cut what the stand-in for GitHub answers out of GitHub's published description.
    Contract {
        /// The description, or the unpacked folder of the npm package `@octokit/openapi`.
        #[arg(long)]
        from: PathBuf,
    },
    /// Fuzz the readers of harness output, and keep what was found in the corpus.
    Fuzz {
        /// The reader; all where none is named.
        reader: Option<String>,
        /// How long each.
        #[arg(long, default_value = "10")]
        seconds: u32,
    },
    /// Check HEAD against itself again and again beside a busy core, and print errors, false alarms and what was caught.
    Trial {
        /// How often.
        #[arg(long, default_value = "20")]
        runs: u32,
        /// The suites; all where none is named.
        #[arg(long = "suite")]
        suites: Vec<String>,
        /// The program that is tried.
        #[arg(long, default_value = "target/release/tripline")]
        program: String,
        /// Add what each run finds to this file, and print what all of it comes to; with `--runs 0`, print that alone.
        #[arg(long)]
        keep: Option<PathBuf>,
        /// Keep no core busy, because another trial, from a clone of its own, runs beside this one and does.
        #[arg(long)]
        beside: bool,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().chore) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            for cause in error.chain().skip(1) {
                eprintln!("  caused by: {cause}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<ExitCode> {
    let tree = Tree::read(&tree::find_root(&env::current_dir()?)?)?;
    match chore {
        Chore::Tidy { list: true, .. } => {
            for rule in RULES {
                println!("{:<10} {}", rule.name, rule.about);
            }
            Ok(ExitCode::SUCCESS)
        }
        Chore::Tidy { rules, list: false } => Ok(tidy(&rules, &tree)),
        Chore::NewAdapter { name } => start(&tree, Scaffold::Adapter, &name),
        Chore::NewSuite { name } => start(&tree, Scaffold::Suite, &name),
        Chore::NewRenderer { name } => start(&tree, Scaffold::Renderer, &name),
        Chore::Contract { from } => {
            let cut = contract::cut(tree.root(), &from)?;
            eprintln!(
                "contract: {} and {} in {} bytes",
                count(cut.operations, "operation"),
                count(cut.components, "component"),
                cut.bytes
            );
            Ok(ExitCode::SUCCESS)
        }
        Chore::Fuzz { reader, seconds } => {
            let broken = Fuzz { reader, seconds }.run(&tree, |line| eprintln!("{line}"))?;
            Ok(if broken == 0 {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            })
        }
        Chore::Trial {
            runs,
            suites,
            program,
            keep,
            beside,
        } => {
            let trial = Trial {
                runs,
                suites,
                program,
                keep,
                beside,
            };
            let is_interrupted = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register(SIGINT, Arc::clone(&is_interrupted))?;
            let say = |line: &str| eprintln!("{line}");
            let (found, ended) = trial.run(tree.root(), &is_interrupted, say);
            print!("{}", trial::table(&found));
            ended.map(|()| ExitCode::SUCCESS)
        }
    }
}

fn rule(name: &str) -> Result<&'static Rule, String> {
    RULES
        .iter()
        .find(|rule| rule.name == name)
        .copied()
        .ok_or_else(|| {
            let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
            format!("the rules are {}", names.join(", "))
        })
}

fn tidy(rules: &[&'static Rule], tree: &Tree) -> ExitCode {
    let rules = if rules.is_empty() { RULES } else { rules };
    let broken = tidy::run(rules, tree);
    for complaint in &broken {
        println!("{complaint}");
    }
    let files: BTreeSet<&str> = broken
        .iter()
        .map(|broken| broken.complaint.path.as_str())
        .collect();
    let checked = format!(
        "{} and {}",
        count(rules.len(), "rule"),
        count(tree.paths().count(), "file")
    );
    if broken.is_empty() {
        eprintln!("tidy: {checked}, nothing to complain about");
        ExitCode::SUCCESS
    } else {
        eprintln!(
            "tidy: {} in {} ({checked} checked)",
            count(broken.len(), "complaint"),
            count(files.len(), "file")
        );
        ExitCode::FAILURE
    }
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

fn start(tree: &Tree, scaffold: Scaffold, name: &str) -> Result<ExitCode> {
    let plan = scaffold.plan(tree, name)?;
    plan.carry_out(tree.root())?;
    for (path, what) in plan.changes() {
        println!("{what} {path}");
    }
    eprintln!("\n{}", plan.next.trim_end());
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
        assert!(Arguments::try_parse_from(["xtask", "tidy", "edges", "words"]).is_ok());
        assert!(Arguments::try_parse_from(["xtask", "tidy", "unheard-of"]).is_err());
    }

    #[test]
    fn things_are_counted_in_english() {
        assert_eq!(
            [count(0, "file"), count(1, "file"), count(2, "file")],
            ["0 files", "1 file", "2 files"]
        );
    }
}
