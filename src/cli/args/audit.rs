//! Options of `audit`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::shared::{BoundArgs, data_model, duration};
use super::sources::TextArgs;
use crate::task::DataModel;

/// What is audited, and where the results go.
#[derive(Debug, Args)]
#[command(
    after_help = "Errors are printed as soon as they are known, then a table of the files. What was found is kept in a folder: a \
                        later run goes on where one ended, and analyses again what an edit concerns. The exit code is 1 where \
                        --fail-on asks for it, 130 after Ctrl-C, 2 where nothing can be read or the results not be written, and \
                        0 otherwise."
)]
pub struct Audit {
    /// A folder, whose compile_commands.json is used if it has one and whose C files are searched for otherwise, or a compilation
    /// database
    #[arg(value_name = "FOLDER|compile_commands.json", default_value = ".")]
    pub project: PathBuf,
    #[command(flatten)]
    pub text: TextArgs,
    /// Report errors that a caller can keep clear of, too: not only those that happen in every caller, or in one of these files
    #[arg(long)]
    pub latent: bool,
    /// What makes the exit code 1: an error, a latent one too, or nothing
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// Keep what is found in this folder [default: .margay-cache in the project's folder]
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// How many functions are analysed at a time
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Write a page for a browser here
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Write the errors as SARIF here, those that a caller can keep clear of as notes
    #[arg(long, value_name = "FILE.sarif")]
    pub sarif: Option<PathBuf>,
    /// Write errors and contracts as JSON here, as `contracts` does
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Let malloc, calloc and realloc return null as well (by default allocation never fails)
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Time for each function; all get a little of it at first, and those for which that is not enough more in further rounds
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub patience: Duration,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

/// What makes an audit fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// An error that happens in every caller, or in one of the files.
    Error,
    /// Any error.
    Latent,
    /// Nothing.
    Never,
}
