//! Options of the commands that execute a program or judge evidence: `run`, `validate` and `check-proof`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{BoundArgs, data_model};
use super::sources::{SourceArgs, TextArgs};
use crate::task::DataModel;

/// A program and its inputs.
#[derive(Debug, Args)]
#[command(
    after_help = "The program's output goes to standard output. The outcome goes to standard error, with the steps of the run \
                        where it violates the property. The exit code is the program's status; 134 after `abort`, 120 after a \
                        violation, 121 where the run does not reach an end (undefined behaviour, a limit of steps, an \
                        assumption that does not hold), 130 after Ctrl-C, and 2 for wrong usage or input that is no \
                        program. Nondeterministic values that are not given are zero, and files other than the standard \
                        streams cannot be opened.\n\n\
                        Example: margay run echo.c --argv one --argv two --stdin input.txt"
)]
pub struct Run {
    /// C files of one program [default: `files` of margay.toml]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Results of the __VERIFIER_nondet functions, in order of the calls: numbers separated by commas, such as 1,-2,0x3
    #[arg(short, long, value_name = "NUMBERS", allow_hyphen_values = true, conflicts_with = "inputs_file")]
    pub inputs: Option<String>,
    /// The same from a file, separated by commas or white space; `#` starts a comment
    #[arg(long, value_name = "FILE")]
    pub inputs_file: Option<PathBuf>,
    /// An argument of the program; may be repeated
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    pub argv: Vec<String>,
    /// The program's standard input, `-` for that of this command [default: empty]
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// Choose values that are not given pseudo-randomly, by this seed
    #[arg(long, value_name = "SEED")]
    pub random: Option<u64>,
    /// What counts as a violation, as `verify` takes it [default: valid-memsafety and calls of reach_error]
    #[arg(short, long, value_name = "PROPERTY")]
    pub property: Vec<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    /// Give up after this many steps of the automaton [default: no limit]
    #[arg(long, value_name = "NUMBER")]
    pub steps: Option<u64>,
    #[command(flatten)]
    pub bounds: BoundArgs,
    /// Print the whole trace, also of a run without a violation (slowly)
    #[arg(short, long)]
    pub verbose: bool,
}

/// A witness and its program.
#[derive(Debug, Args)]
#[command(
    after_help = "A violation witness is confirmed only by a run that passes its waypoints in order, passes none that it avoids, \
                        and violates the property at its target; it is rejected only where there is no such run. A correctness \
                        witness is confirmed where the program is correct and all its invariants hold; each is reported on a \
                        line of its own.\n\n\
                        The last line on standard output is `Witness result: CONFIRMED`, `REJECTED (<reason>)`, \
                        `MALFORMED (<reason>)` or `UNKNOWN (<reason>)`. A witness is malformed where it is no witness of this \
                        program: other keys than the format's, another version, hash, file or place. The exit code is 0 for \
                        confirmed, 1 for rejected and malformed, 3 for unknown, and 2 for wrong usage or input that is no program."
)]
pub struct Validate {
    /// Witness in GraphML 1.0 or YAML 2.0 to 2.2
    pub witness: PathBuf,
    /// C file
    pub file: PathBuf,
    #[command(flatten)]
    pub text: TextArgs,
    /// The property, as `verify` takes it [default: what the witness says]
    #[arg(short, long, value_name = "PROPERTY")]
    pub property: Option<PathBuf>,
    /// Sizes of C's types: ILP32 or LP64 [default: what the witness says]
    #[arg(short, long, value_name = "MODEL", value_parser = data_model)]
    pub data_model: Option<DataModel>,
    /// Let malloc, calloc and realloc return null as well, as for the answer that the witness belongs to
    #[arg(long)]
    pub malloc_may_fail: bool,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

/// A proof and its program.
#[derive(Debug, Args)]
#[command(
    after_help = "Prints the claim of the proof, then `Proof accepted: N states, M edges` or `Proof refused: <reason>`. The exit \
                        code is 0 for accepted, 1 for refused, 130 after Ctrl-C, and 2 for wrong usage, input that is \
                        no proof or no program, or where a limit was reached."
)]
pub struct CheckProof {
    /// The proof
    pub proof: PathBuf,
    /// The C file it was made for; for contracts all of them, in the same order
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub text: TextArgs,
    #[command(flatten)]
    pub bounds: BoundArgs,
}
