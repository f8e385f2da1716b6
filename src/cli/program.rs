//! What the commands that look at one program share: loading it on the analysis thread, and text as their result.

use std::path::Path;

use super::Refused;
use super::args::BoundArgs;
use super::output::{complain, say};
use super::process::{Interrupt, exit_now};
use super::supervise::{Bounds, Stop, supervise};
use crate::base::error::Result;
use crate::base::limits::Limits;
use crate::c;
use crate::cfa::{LowerOptions, Program, lower};
use crate::report::error_text;
use crate::task::DataModel;

/// The automaton of `file`.
pub fn load(file: &Path, model: DataModel, options: LowerOptions) -> Result<Program> {
    let source = c::load(file, model)?;
    let unit = c::parse(&source)?;
    lower(&unit, &options)
}

/// Prints what `work` makes, or says why there is nothing.
pub fn print_result(
    bounds: &BoundArgs,
    interrupt: &Interrupt,
    work: impl FnOnce(&Limits) -> Result<String> + Send + 'static,
) -> std::result::Result<(), Refused> {
    let bounds = Bounds { time: bounds.timeout, memory: bounds.memory };
    // Errors hold what cannot cross threads.
    match supervise(bounds, interrupt, move |limits| work(limits).map_err(|error| error_text(&error))) {
        Ok(Ok(text)) => {
            say(&text);
            Ok(())
        }
        Ok(Err(text)) => {
            complain(&text);
            Err(Refused)
        }
        Err(stop) => {
            complain(&format!("error: no result: {}\n", stop.reason()));
            if let Stop::Panic(_) = stop { Err(Refused) } else { exit_now(2) }
        }
    }
}
