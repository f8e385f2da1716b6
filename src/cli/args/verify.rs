//! Options of `verify`.

use std::path::PathBuf;

use clap::Args;

use super::super::portfolio::PortfolioArgs;
use super::super::refinement::RefinementArgs;
use super::shared::{AnalysisArgs, BoundArgs, data_model};
use super::sources::SourceArgs;
use crate::task::DataModel;

/// What is verified, and what is written of the answer.
#[derive(Debug, Args)]
#[command(
    after_help = "The last line on standard output is `Verification result: TRUE`, `FALSE(<violated property>)` or \
                        `UNKNOWN (<reason>)`. The exit code is 0 whenever there is a result and all of it could \
                        be written (but see --exit-code), and 2 otherwise: for wrong usage, unreadable input, or where a file \
                        that an option names or standard output cannot be written to."
)]
pub struct Verify {
    /// C files of one program (.c is preprocessed, .i taken as is) or an SV-COMP task definition (.yml) [default:
    /// `files` of margay.toml]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub sources: SourceArgs,
    /// What to check: a property file, or one of unreach-call, unreach-label, assertions (none fails), valid-memsafety,
    /// valid-deref, valid-free, valid-memtrack, valid-memcleanup, no-overflow, termination; may be repeated, one answer each. Without it:
    /// what the task definition asks, or valid-memsafety for a C file
    #[arg(short, long, value_name = "PROPERTY")]
    pub property: Vec<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64 [default: what the task definition says, LP64 for a C file]
    #[arg(short, long, value_name = "MODEL", value_parser = data_model)]
    pub data_model: Option<DataModel>,
    #[command(flatten)]
    pub bounds: BoundArgs,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    /// Write the GraphML witness here. When neither this nor --witness-yaml is given, witnesses of definite answers go to the
    /// folder of --witnesses
    #[arg(long, value_name = "FILE.graphml", conflicts_with = "no_witness")]
    pub witness: Option<PathBuf>,
    /// Write the YAML witness here
    #[arg(long, value_name = "FILE.yml", conflicts_with = "no_witness")]
    pub witness_yaml: Option<PathBuf>,
    /// Folder of the witnesses <program>.graphml and <program>.yml (with the property's name where there are several)
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = "witnesses",
        conflicts_with_all = ["no_witness", "witness", "witness_yaml"]
    )]
    pub witnesses: PathBuf,
    /// Draw the heap at a violation: as Graphviz (.dot), as a drawing (.svg, needs the program `dot`) or as text
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Write no witness
    #[arg(long)]
    pub no_witness: bool,
    /// Write the proof of a TRUE here, for `check-proof`
    #[arg(long, value_name = "FILE.json")]
    pub proof: Option<PathBuf>,
    /// Write the answer here as JSON: the verdict, the run of a violation step by step, loop invariants of a proof, figures
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write the answer here in SARIF 2.1.0, which editors and code review show beside the code
    #[arg(long, value_name = "FILE.sarif")]
    pub sarif: Option<PathBuf>,
    /// Write the answer here as one page for a browser: the run of a violation step by step, with the source and what memory
    /// holds, or the loops of a proof with their states and invariants
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Write the answer here in Markdown, for a page of continuous integration
    #[arg(long, value_name = "FILE.md")]
    pub summary: Option<PathBuf>,
    /// Write a C file here that causes the violation: the input functions with the values that they return in turn. It is compiled
    /// together with the program
    #[arg(long, value_name = "FILE.c")]
    pub harness: Option<PathBuf>,
    /// Go on after a violation and list others, of each kind one at each place; a single leak. The answer and its witness are about the
    /// first. Each further search is short, and runs end where a violation is known
    #[arg(long)]
    pub all_violations: bool,
    #[command(flatten)]
    pub portfolio: PortfolioArgs,
    #[command(flatten)]
    pub refinement: RefinementArgs,
    /// Print `key: value` lines about the analysis before the result
    #[arg(long)]
    pub stats: bool,
    /// Let the exit code tell the answer: 0 for TRUE, 10 for FALSE, 20 for UNKNOWN, 130 after Ctrl-C. Of several properties a
    /// FALSE counts most, then an UNKNOWN
    #[arg(long)]
    pub exit_code: bool,
    /// Print the whole trace of a violation
    #[arg(short, long)]
    pub verbose: bool,
}
