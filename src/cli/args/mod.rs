//! The options: one file for each family of commands, and what they share.

mod audit;
mod bench;
mod contracts;
mod execution;
mod manual;
mod open;
mod shared;
mod show;
mod sources;
mod verify;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use audit::{Audit, FailOn};
pub use bench::{Bench, Report, ReportArgs};
pub use contracts::Contracts;
pub use execution::{CheckProof, Run, Validate};
pub use manual::{Completions, Man};
pub use shared::{BoundArgs, data_model, duration, size};
pub use show::{Diagnose, Show, Shown, ShownExploration};
pub use sources::{SourceArgs, TextArgs};
pub use verify::Verify;

/// Verifies C programs: memory safety, leaks, reachability and signed overflow.
#[derive(Debug, Parser)]
#[command(
    version,
    long_version = long_version(),
    about,
    propagate_version = true,
    max_term_width = 110,
    args_override_self = true,
    after_help = "Options of verify, run, validate, check-proof, contracts, audit, show and diagnose that are not given are taken from a margay.toml beside the \
                  sources: see --config of these commands."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify a C program, or all properties of a task definition
    Verify(Verify),
    /// Run many tasks and compare the answers with the expected ones
    Bench(Bench),
    /// Show results of `bench`: compare them with earlier results or another tool's, draw plots
    Report(Report),
    /// Execute a C program on given inputs
    Run(Run),
    /// Validate a witness of any tool: search for the run of a violation witness, check the invariants of a correctness witness
    Validate(Validate),
    /// Show a C file's control-flow automaton, transition system, heaps at a line, shape classes, or Horn clauses
    Show(Show),
    /// Explain why a proof fails: alarms, the places where abstraction introduces them, and heaps that show it
    Diagnose(Diagnose),
    /// Infer contracts of functions without a `main`: the memory that each needs, what it leaves, and the errors in it
    Contracts(Contracts),
    /// Search the functions of a whole project for errors, without a `main`: its C files, linked by name
    Audit(Audit),
    /// Check a proof that `verify --proof` or `contracts --proof` wrote, without a search
    CheckProof(CheckProof),
    /// Print a script that completes commands and options in a shell
    Completions(Completions),
    /// Write the manual pages
    Man(Man),
}

impl Command {
    /// The files of the program that the command is about, and how they are read; `None` for commands that a `margay.toml` says
    /// nothing of.
    pub fn program(&self) -> Option<(&[PathBuf], &TextArgs)> {
        match self {
            Self::Verify(options) => Some((&options.files, &options.sources.text)),
            Self::Run(options) => Some((&options.files, &options.sources.text)),
            Self::Contracts(options) => Some((&options.files, &options.text)),
            Self::Audit(options) => Some((std::slice::from_ref(&options.project), &options.text)),
            Self::Show(options) => Some((std::slice::from_ref(&options.file), &options.sources.text)),
            Self::Diagnose(options) => Some((std::slice::from_ref(&options.file), &options.sources.text)),
            Self::Validate(options) => Some((std::slice::from_ref(&options.file), &options.text)),
            Self::CheckProof(options) => Some((&options.files, &options.text)),
            Self::Bench(_) | Self::Report(_) => None,
            Self::Completions(_) | Self::Man(_) => None,
        }
    }

    /// How the files of [`Self::program`] are read.
    pub fn text_mut(&mut self) -> Option<&mut TextArgs> {
        match self {
            Self::Verify(options) => Some(&mut options.sources.text),
            Self::Run(options) => Some(&mut options.sources.text),
            Self::Contracts(options) => Some(&mut options.text),
            Self::Audit(options) => Some(&mut options.text),
            Self::Show(options) => Some(&mut options.sources.text),
            Self::Diagnose(options) => Some(&mut options.sources.text),
            Self::Validate(options) => Some(&mut options.text),
            Self::CheckProof(options) => Some(&mut options.text),
            Self::Bench(_) | Self::Report(_) => None,
            Self::Completions(_) | Self::Man(_) => None,
        }
    }
}

/// What `--version` says after the name: on the first line the version, then what this build consists of.
fn long_version() -> String {
    let commit = option_env!("MARGAY_COMMIT").map_or_else(String::new, |commit| format!("commit {commit}\n"));
    format!("{}\n{commit}Z3 {}", env!("CARGO_PKG_VERSION"), z3::full_version())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
