//! Options of `contracts`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::shared::{BoundArgs, data_model, duration};
use super::sources::TextArgs;
use crate::open::Aliasing;
use crate::task::DataModel;

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
    /// Report errors that a caller can keep clear of, too: not only those that happen in every caller, or in one of these files
    #[arg(long)]
    pub latent: bool,
    /// Report functions that headers define, too
    #[arg(long)]
    pub headers: bool,
    /// Which addresses may be guessed to be equal where memory is missing: none, weak (within one block) or all
    #[arg(long, value_name = "WHICH", default_value = "none", value_parser = aliasing)]
    pub aliasing: Aliasing,
    /// Let malloc, calloc and realloc return null as well (by default allocation never fails)
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// How many functions are analysed at a time
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Write everything as JSON here
    #[arg(long, value_name = "FILE.json")]
    pub json: Option<PathBuf>,
    /// Write the errors as SARIF here, for tools that show them beside the code; those that a caller can keep clear of as notes
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
    /// Time for each function; all get a little of it at first, and those for which that is not enough more in further rounds
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub patience: Duration,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

fn aliasing(text: &str) -> Result<Aliasing, String> {
    match text {
        "none" => Ok(Aliasing::None),
        "weak" => Ok(Aliasing::Weak),
        "all" => Ok(Aliasing::All),
        _ => Err("it is one of none, weak and all".to_owned()),
    }
}
