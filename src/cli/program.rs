//! What the commands that look at one program share: loading it on the analysis thread, and text as their result.

use std::path::Path;

use super::Refused;
use super::args::BoundArgs;
use super::graphviz;
use super::output::{complain, say, write_file};
use super::process::{INTERRUPTED, Interrupt, exit_now};
use super::supervise::{Stop, Supervised, supervise};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::limits::Limits;
use crate::c;
use crate::cfa::{LowerOptions, Program, lower};
use crate::memory::Checks;
use crate::question::{checks, lowering};
use crate::report::error_text;
use crate::task::{DataModel, PropertyFile};

/// The automaton of a program, which may consist of several files.
pub fn load_program(file: &Path, setup: &c::Setup, model: DataModel, options: LowerOptions) -> Result<Program> {
    let source = c::load_program(file, setup, model)?;
    let unit = c::parse(&source)?;
    lower(&unit, &options)
}

/// What is looked for, and how the program is lowered for that: memory safety where no property file says otherwise.
///
/// # Errors
/// The property file cannot be read, or names a property that is not supported.
pub fn asked(property: Option<&Path>, malloc_may_fail: bool) -> Result<(Checks, LowerOptions)> {
    let property = match property {
        Some(path) => PropertyFile::read(path)?,
        None => PropertyFile::memory_safety(),
    };
    if let Some(name) = property.unsupported() {
        return Err(Error::new(ErrorKind::Usage, format!("property {name} is not supported")));
    }
    let checks = checks(&property.checks);
    Ok((checks, lowering(&checks, malloc_may_fail)))
}

/// A text, drawn first where that is wanted, to the file or as the result.
///
/// # Errors
/// It cannot be drawn or written.
pub fn shown(text: String, svg: bool, output: Option<&Path>) -> Result<String> {
    let text = if svg { graphviz::svg(&text)? } else { text };
    match output {
        Some(path) => write_file(path, &text).map(|()| String::new()),
        None => Ok(text),
    }
}

/// Prints what `work` makes, or says why there is nothing.
pub fn print_result(
    bounds: &BoundArgs,
    interrupt: &Interrupt,
    work: impl FnOnce(&Limits) -> Result<String> + Send + 'static,
) -> std::result::Result<(), Refused> {
    match supervise(bounds.bounds(), interrupt, move |limits| work(limits).map_err(|error| error_text(&error))) {
        Ok(Supervised { result: Ok(text), .. }) => say(&text),
        Ok(Supervised { result: Err(text), .. }) => {
            complain(&text);
            Err(Refused)
        }
        Err(stop) => Err(without_result("no result", &stop)),
    }
}

/// Says why there is no result. What was left behind on its thread ends with the process.
pub fn without_result(what: &str, stop: &Stop) -> Refused {
    complain(&format!("error: {what}: {}\n", stop.reason()));
    match stop {
        Stop::Panic(_) => Refused,
        Stop::Interrupted => exit_now(INTERRUPTED),
        Stop::OutOf(_) => exit_now(2),
    }
}
