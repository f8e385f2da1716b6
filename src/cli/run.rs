//! `margay run`: the interpreter on given inputs.

use std::io::Read;
use std::num::IntErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Refused;
use super::args::Run;
use super::output::{colours, complain, say_bytes};
use super::process::Interrupt;
use super::program::{load_program, without_result};
use super::sources;
use super::supervise::{Supervised, supervise};
use crate::base::error::{Error, ErrorKind, Result};
use crate::cfa::LowerOptions;
use crate::concrete::{Outcome, RunLimits, Source, Stream, World, run_in};
use crate::question::{checks, lowering};
use crate::report::{Look, counterexample_text, error_text, steps_text};
use crate::task::{Property, PropertyFile};

/// What a shell says of a program that `abort` ended.
const ABORTED: u8 = 134;
/// A property is violated.
const VIOLATED: u8 = 120;
/// The run has no end that C knows, or none was seen.
const NO_END: u8 = 121;

/// What a run came to.
struct Reported {
    written: Vec<(Stream, Vec<u8>)>,
    report: String,
    code: u8,
}

/// Runs the program: its output, and its exit status. What there is to say of the run goes to standard error.
pub fn run(options: &Run, interrupt: &Interrupt) -> std::result::Result<ExitCode, Refused> {
    let source = Source::Scripted { inputs: inputs(options)?, seed: options.random };
    let properties = properties(&options.property)?;
    let checks = checks(&properties);
    let (file, setup) = sources::program(&options.files, &options.sources)?;
    let world = world(options, &file)?;
    let (model, steps, verbose) = (options.data_model, options.steps.unwrap_or(u64::MAX), options.verbose);
    let look = Look { whole: verbose, colour: colours() };
    let done = supervise(options.bounds.bounds(), interrupt, move |limits| {
        let lowering = LowerOptions { world: true, ..lowering(&checks, false) };
        let program = load_program(&file, &setup, model, lowering).map_err(|error| error_text(&error))?;
        let limits = |trace| RunLimits { trace, within: limits.clone(), ..RunLimits::steps(steps) };
        let (mut run, mut after) = run_in(world.clone(), &program, &checks, source.clone(), &limits(verbose));
        // Steps are reported of runs that go wrong.
        if !verbose && matches!(run.outcome, Outcome::Violated(_)) {
            (run, after) = run_in(world, &program, &checks, source, &limits(true));
        }
        let mut report = steps_text(&run.trace, &run.story, look);
        let (outcome, code) = match &run.outcome {
            Outcome::Violated(fault) => (format!("{} is violated: {}", fault.violation.name(), fault.detail), VIOLATED),
            Outcome::Finished(status) => match after.status.or(*status) {
                // As the system keeps it.
                Some(status) => (format!("the program ends with status {status}"), status as u8),
                None => ("the program ends".to_owned(), 0),
            },
            Outcome::Aborted => match after.status {
                Some(status) => (format!("the program ends with status {status}"), status as u8),
                None => ("the program aborts".to_owned(), ABORTED),
            },
            Outcome::Undefined(what) => (format!("undefined behaviour: {what}"), NO_END),
            Outcome::Stuck(why) => (format!("the run cannot go on: {why}"), NO_END),
            Outcome::StepLimit => (format!("given up after {} steps", run.steps), NO_END),
            Outcome::Vanished => ("the run is blocked by an assumption".to_owned(), NO_END),
        };
        if let Some(name) = &run.approximated {
            report += &format!("note: the result of `{name}` is not computed: what follows from it may be otherwise\n");
        }
        if let Ok(found) = run.violating() {
            report = counterexample_text(&found, look);
        }
        report += &format!("Outcome: {outcome}\n");
        Ok(Reported { written: after.written, report, code })
    });
    match done {
        Ok(Supervised { result: Ok(reported), .. }) => {
            for (stream, bytes) in &reported.written {
                say_bytes(*stream == Stream::Errors, bytes)?;
            }
            complain(&reported.report);
            Ok(ExitCode::from(reported.code))
        }
        Ok(Supervised { result: Err(text), .. }) => {
            let text: String = text;
            complain(&text);
            Err(Refused)
        }
        Err(stop) => Err(without_result("no result", &stop)),
    }
}

/// The arguments and the standard input that are asked for.
fn world(options: &Run, file: &Path) -> Result<World> {
    let mut arguments = vec![file.with_extension("").to_string_lossy().into_owned().into_bytes()];
    arguments.extend(options.argv.iter().map(|argument| argument.clone().into_bytes()));
    let mut input = Vec::new();
    let read = match &options.stdin {
        None => Ok(0),
        Some(path) if path == Path::new("-") => std::io::stdin().read_to_end(&mut input),
        Some(path) => std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut input)),
    };
    match (read, &options.stdin) {
        (Err(error), Some(path)) => Err(Error::cannot_read(path, error)),
        _ => Ok(World::new(arguments, input)),
    }
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
        (None, Some(path)) => std::fs::read_to_string(path).map_err(|e| Error::cannot_read(path, e))?,
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
        Err(error) => {
            let why = match error.kind() {
                IntErrorKind::PosOverflow => "has more than 128 bits",
                _ => "is no number",
            };
            Err(Error::new(ErrorKind::Usage, format!("`{word}` {why}")))
        }
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
