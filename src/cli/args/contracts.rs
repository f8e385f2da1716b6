//! Options of `contracts`.

use std::path::PathBuf;

use clap::Args;

use super::open::OpenArgs;
use super::sources::TextArgs;

/// Which functions are analysed, and what is written of them.
#[derive(Debug, Args)]
#[command(
    after_help = "Each function is analysed by itself, callees first. Contracts are printed as soon as they are known; at a \
                        limit or Ctrl-C, functions without one are reported as not analysed. The exit code is 0, also where errors \
                        were found, 130 after Ctrl-C, and 2 where the files cannot be read or the results not be written."
)]
pub struct Contracts {
    /// C files (.c is preprocessed, .i taken as is); several files may call each other [default: `files` of margay.toml]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub text: TextArgs,
    /// Only this function, and what it calls
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Print all contracts of each function, and all their postconditions; otherwise a few where there are many
    #[arg(long)]
    pub all: bool,
    /// Report functions that headers define, too
    #[arg(long)]
    pub headers: bool,
    /// Write everything as JSON here
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write the errors as SARIF here, for tools that show them beside the code; with --latent those that a caller can keep clear of as notes
    #[arg(long, value_name = "FILE.sarif")]
    pub sarif: Option<PathBuf>,
    /// Write the contracts with their proofs, for `margay check-proof`
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Keep the contracts in this folder and use those kept there: a function is analysed again only where it or the contract
    /// of a callee changed
    #[arg(long, value_name = "FOLDER")]
    pub specs: Option<PathBuf>,
    /// Draw the heaps before and after each function, for Graphviz
    #[arg(long, value_name = "FILE.dot")]
    pub dot: Option<PathBuf>,
    /// Write a C file for each manifest error (one that happens in every caller), which shows it under AddressSanitizer; not
    /// where the memory that it needs cannot be built
    #[arg(long, value_name = "FOLDER")]
    pub harness: Option<PathBuf>,
    /// Write the C file with the contracts as ACSL annotations here; a folder where there are several files, `-` for standard
    /// output instead of the contracts
    #[arg(long, value_name = "FILE.c")]
    pub acsl: Option<PathBuf>,
    /// Write the contracts that ACSL can express as entries `function_contract` of the YAML witness format 2.1 here
    #[arg(long, value_name = "FILE.yml")]
    pub witness_yaml: Option<PathBuf>,
    /// Print `key: value` lines after the contracts: how many functions and errors there are, and with --specs which functions
    /// were analysed
    #[arg(long)]
    pub stats: bool,
    #[command(flatten)]
    pub open: OpenArgs,
}
