//! The options of the refinement loop.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::read::read;
use crate::bmc::Choice;
use crate::cegar::{self, Refiners, WrittenPrecision};
use crate::fold::{Keep, Pattern};

/// How the refinement loop goes about it.
#[derive(Clone, Debug, Args)]
pub struct LoopArgs {
    /// How runs along the slice of an alarm are encoded: auto, unrolled, quantified, or off (only the alarm's own path is tried)
    #[arg(long, value_name = "ENCODING", default_value = "auto", value_parser = feasibility)]
    pub feasibility: Feasibility,
    /// Refiners that make the abstraction finer: all, none, or some of numbers, lengths, patterns, pointers, down, cells, orders, kinds,
    /// follows, counts, candidates, naive, apart, choices, values, all-numbers, all-cells (with commas)
    /// [default: all but naive]
    #[arg(long, value_name = "NAMES")]
    pub refiners: Option<Refiners>,
    /// The precision of the abstraction to begin with: a file of --save-precision, or `coarse` for the links of lists only
    #[arg(long, value_name = "FILE.json")]
    pub precision: Option<PathBuf>,
}

/// The refinement loop, and what is written of it.
#[derive(Clone, Debug, Args)]
pub struct RefinementArgs {
    #[command(flatten)]
    pub how: LoopArgs,
    /// Write the precision with which the proof was found
    #[arg(long, value_name = "FILE.json")]
    pub save_precision: Option<PathBuf>,
    /// Write what each round of refinement did, as JSON
    #[arg(long, value_name = "FILE.json")]
    pub trace_cegar: Option<PathBuf>,
}

/// The encoding, or none.
#[derive(Clone, Copy, Debug)]
pub struct Feasibility(pub Option<Choice>);

impl Feasibility {
    fn name(self) -> &'static str {
        self.0.map_or("off", Choice::name)
    }
}

fn feasibility(text: &str) -> Result<Feasibility, String> {
    if text == "off" {
        return Ok(Feasibility(None));
    }
    text.parse().map(|choice| Feasibility(Some(choice))).map_err(|why: String| format!("{why}, or off"))
}

impl LoopArgs {
    /// The same options for another process of this tool.
    pub fn passed_on(&self) -> Vec<OsString> {
        let mut passed: Vec<OsString> = vec!["--feasibility".into(), self.feasibility.name().into()];
        if let Some(refiners) = &self.refiners {
            passed.extend(["--refiners".into(), refiners.to_string().into()]);
        }
        if let Some(file) = &self.precision {
            passed.extend(["--precision".into(), file.into()]);
        }
        passed
    }

    /// # Errors
    /// The precision cannot be read.
    pub fn options(&self) -> crate::base::error::Result<cegar::Options> {
        let coarse = || WrittenPrecision::uniform(Keep { pattern: Pattern::LINKS, ..Keep::LEAST });
        let precision = match &self.precision {
            Some(file) if file.as_os_str() == "coarse" => Some(coarse()),
            Some(file) => Some(read(file, WrittenPrecision::from_text)?),
            None => None,
        };
        Ok(cegar::Options {
            slices: self.feasibility.0,
            refiners: self.refiners.clone().unwrap_or_default(),
            diagnoses: false,
            precision,
            ..cegar::Options::default()
        })
    }
}
