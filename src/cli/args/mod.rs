//! The options: one file for each family of commands, and what they share.

mod bench;
mod contracts;
mod execution;
mod shared;
mod show;
mod sources;
mod verify;

use clap::{Parser, Subcommand};

pub use bench::{Bench, Report, ReportArgs};
pub use contracts::Contracts;
pub use execution::{CheckProof, Run, Validate};
pub use shared::BoundArgs;
pub use show::{Diagnose, Show, Shown, ShownExploration};
pub use sources::{SourceArgs, TextArgs};
pub use verify::Verify;

/// Verifies C programs: memory safety, leaks, reachability and signed overflow.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, max_term_width = 110, args_override_self = true)]
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
    /// Check a proof that `verify --proof` or `contracts --proof` wrote, without a search
    CheckProof(CheckProof),
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
