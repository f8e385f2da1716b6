//! Options of `audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::open::OpenArgs;
use super::sources::TextArgs;

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
    /// What makes the exit code 1: an error, a latent one too, or nothing
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// Keep what is found in this folder [default: .margay-cache in the project's folder]
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// Write a page for a browser here
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Write the errors as SARIF here, with --latent those that a caller can keep clear of as notes
    #[arg(long, value_name = "FILE.sarif")]
    pub sarif: Option<PathBuf>,
    /// Write errors and contracts as JSON here, as `contracts` does
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    #[command(flatten)]
    pub open: OpenArgs,
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
