//! Options of the commands that show what an analysis did: `show` and `diagnose`.

use std::path::PathBuf;

use clap::Args;

use super::super::refinement::LoopArgs;
use super::shared::{AnalysisArgs, BoundArgs, data_model};
use super::sources::SourceArgs;
use crate::task::DataModel;

#[derive(Debug, Args)]
pub struct Show {
    /// What to show
    #[arg(value_enum)]
    pub what: Shown,
    /// C file
    pub file: PathBuf,
    #[command(flatten)]
    pub sources: SourceArgs,
    /// The line whose states are drawn: those before its first step, and at loop heads those after abstraction
    #[arg(long, value_name = "LINE", required_if_eq("what", "smg"))]
    pub at: Option<u32>,
    /// Text for terminals (the default)
    #[arg(long, group = "format")]
    pub text: bool,
    /// Graphviz instead of text
    #[arg(long, group = "format")]
    pub dot: bool,
    /// A drawing; needs the program `dot` of Graphviz
    #[arg(long, group = "format")]
    pub svg: bool,
    /// Write here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The exploration to show [default: abstract where it completes, then the states of a proof, then precise]
    #[arg(long, value_enum)]
    pub exploration: Option<ShownExploration>,
    /// Only this function (of the automaton)
    #[arg(short, long, value_name = "NAME")]
    pub function: Option<String>,
    /// The property that the transition system is built for, as `verify` takes it [default: valid-memsafety]
    #[arg(short, long, value_name = "PROPERTY")]
    pub property: Option<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    #[command(flatten)]
    pub bounds: BoundArgs,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
}

#[derive(Debug, Args)]
pub struct Diagnose {
    /// C file
    pub file: PathBuf,
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Draw the heaps of every round, not only of the last one with a diagnosis
    #[arg(long)]
    pub all: bool,
    /// The heaps for Graphviz
    #[arg(long, group = "format")]
    pub dot: bool,
    /// The heaps as a drawing; needs the program `dot` of Graphviz
    #[arg(long, group = "format")]
    pub svg: bool,
    /// Write here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The property, as `verify` takes it [default: valid-memsafety]
    #[arg(short, long, value_name = "PROPERTY")]
    pub property: Option<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    #[command(flatten)]
    pub refinement: LoopArgs,
    #[command(flatten)]
    pub bounds: BoundArgs,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
}

/// What can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Shown {
    /// The control-flow automaton
    Cfa,
    /// The transition system: states with their lists, and which covers which
    Ats,
    /// The states at a line: objects, their fields, lists as one box
    Smg,
    /// The shapes of the heap: structures seen without abstraction, the class of each with its facts, one heap of each, and what
    /// refinement did
    Classes,
    /// The program's numbers, and those of its lists' nodes, as Horn clauses over the integers: SMT-LIB text for any solver of the logic
    /// HORN
    Horn,
    /// The same as a C program without memory, for any tool that reads C
    Integers,
    /// Invariants that Z3 finds for these clauses and that hold: conditions at loop heads, as `verify --invariants` takes them
    Invariants,
    /// The C text that makes arguments for the function of `--entry`, for `verify` and for a compiler
    Harness,
}

/// Explorations a picture can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ShownExploration {
    /// Lists are folded at loop heads
    Abstract,
    /// Heaps are not abstracted
    Precise,
}
