//! `margay run`: the interpreter on given inputs.

use std::path::PathBuf;

use super::Refused;
use super::args::Run;
use super::output::colours;
use super::process::Interrupt;
use super::program::{load_program, print_result};
use super::sources;
use crate::base::error::{Error, ErrorKind, Result};
use crate::concrete::{self, Outcome, RunLimits, Source};
use crate::portfolio::{checks, lowering};
use crate::report::{Look, counterexample_text, steps_text};
use crate::task::{Property, PropertyFile};

/// Runs and tells the outcome.
pub fn run(options: &Run, interrupt: &Interrupt) -> std::result::Result<(), Refused> {
    let source = Source::Scripted { inputs: inputs(options)?, seed: options.random };
    let properties = properties(&options.property)?;
    let checks = checks(&properties);
    let (file, setup) = sources::program(&options.files, &options.sources)?;
    let (model, steps) = (options.data_model, options.steps);
    let look = Look { whole: options.verbose, colour: colours() };
    print_result(&options.bounds, interrupt, move |limits| {
        let program = load_program(&file, &setup, model, lowering(&checks, false))?;
        let run = concrete::run(&program, &checks, source, &RunLimits { steps, trace: true, within: limits.clone() });
        let outcome = match &run.outcome {
            Outcome::Violated(fault) => {
                let told = format!("Outcome: {} is violated: {}\n", fault.violation.name(), fault.detail);
                let shown = run.violating().map(|found| counterexample_text(&found, look));
                return Ok(shown.unwrap_or_default() + &told);
            }
            Outcome::Finished(Some(status)) => format!("the program ends with status {status}"),
            Outcome::Finished(None) => "the program ends".to_owned(),
            Outcome::Aborted => "the program aborts".to_owned(),
            Outcome::Undefined(what) => format!("undefined behaviour: {what}"),
            Outcome::Stuck(why) => format!("the run cannot go on: {why}"),
            Outcome::StepLimit => format!("given up after {} steps", run.steps),
            Outcome::Vanished => "the run is blocked by an assumption".to_owned(),
        };
        Ok(format!("{}Outcome: {outcome}\n", steps_text(&run.trace, &run.story, look)))
    })
}

/// The checks of all files.
fn properties(files: &[PathBuf]) -> Result<Vec<Property>> {
    if files.is_empty() {
        return Ok(PropertyFile::run_default().checks);
    }
    let mut checks = Vec::new();
    for file in files {
        let file = PropertyFile::read(file)?;
        if let Some(name) = file.unsupported() {
            return Err(Error::new(ErrorKind::Usage, format!("property {name} is not supported")));
        }
        checks.extend(file.checks);
    }
    Ok(checks)
}

/// The inputs given, as bits.
fn inputs(options: &Run) -> Result<Vec<Option<u128>>> {
    let text = match (&options.inputs, &options.inputs_file) {
        (Some(text), _) => text.clone(),
        (None, Some(path)) => std::fs::read_to_string(path)
            .map_err(|e| Error::new(ErrorKind::Io, format!("cannot read {}: {e}", path.display())))?,
        (None, None) => return Ok(Vec::new()),
    };
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = lines.flat_map(|line| line.split([',', ' ', '\t'])).filter(|word| !word.is_empty());
    words.map(|word| number(word).map(Some)).collect()
}

fn number(word: &str) -> Result<u128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let lower = digits.to_ascii_lowercase();
    let parsed = match lower.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16),
        None => lower.parse(),
    };
    match parsed {
        Ok(value) => Ok(if negative { value.wrapping_neg() } else { value }),
        Err(_) => Err(Error::new(ErrorKind::Usage, format!("`{word}` is no number"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(number("12").unwrap(), 12);
        assert_eq!(number("-1").unwrap(), u128::MAX);
        assert_eq!(number("0xFf").unwrap(), 255);
        assert!(number("x").is_err() && number("").is_err() && number("--1").is_err());
    }
}
