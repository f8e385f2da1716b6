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
pub use sources::SourceArgs;
pub use verify::Verify;

/// Verifies C programs: memory safety, leaks, reachability and signed overflow.
#[derive(Debug, Parser)]
#[command(version, about, propagate_version = true, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Verify a C file, or everything a task definition asks
    Verify(Verify),
    /// Run many tasks and compare the answers with the expected ones
    Bench(Bench),
    /// Show results that `bench` wrote: compare them, draw them, set them beside another tool's
    Report(Report),
    /// Execute a C file on given inputs
    Run(Run),
    /// Judge a witness of any tool: search for a run as a violation witness describes it, check the invariants of a proof
    Validate(Validate),
    /// Show the control-flow automaton of a C file, its transition system, or the heap at a line
    Show(Show),
    /// Explain why a proof fails: alarms, where abstraction lets them in, and heaps that show it
    Diagnose(Diagnose),
    /// Infer contracts of functions without a harness: what each needs, what it leaves, and what goes wrong in it
    Contracts(Contracts),
    /// Check a proof that `verify --proof` wrote, without searching for anything
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
