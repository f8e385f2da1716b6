//! Options of the commands that analyse functions without a `main`: `contracts` and `audit`.

use std::time::Duration;

use clap::Args;

use super::shared::{BoundArgs, data_model, duration};
use crate::open::{Aliasing, Options};
use crate::task::DataModel;

/// How each function is analysed, and what that may cost.
#[derive(Clone, Debug, Args)]
pub struct OpenArgs {
    /// Report errors that a caller can keep clear of, too: not only those that happen in every caller, or in one of these files
    #[arg(long)]
    pub latent: bool,
    /// Which addresses may be guessed to be equal where memory is missing: none, weak (within one block) or all
    #[arg(long, value_name = "WHICH", default_value = "none", value_parser = aliasing)]
    pub aliasing: Aliasing,
    /// Let malloc, calloc and realloc return null as well (by default allocation never fails)
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// How many functions are analysed at a time
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,
    /// Time for each function; all get a little of it at first, and those for which that is not enough more in further rounds
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub patience: Duration,
    /// Sizes of C's types: ILP32 or LP64
    #[arg(short, long, value_name = "MODEL", default_value = "LP64", value_parser = data_model)]
    pub data_model: DataModel,
    #[command(flatten)]
    pub bounds: BoundArgs,
}

impl OpenArgs {
    /// For the analysis of all functions, or of `only` one and what it calls.
    pub fn options(&self, only: Option<&str>) -> Options {
        Options {
            aliasing: self.aliasing,
            jobs: self.jobs.into(),
            patience: self.patience,
            only: only.map(str::to_owned),
        }
    }
}

fn aliasing(text: &str) -> Result<Aliasing, String> {
    match text {
        "none" => Ok(Aliasing::None),
        "weak" => Ok(Aliasing::Weak),
        "all" => Ok(Aliasing::All),
        _ => Err("it is one of none, weak and all".to_owned()),
    }
}
