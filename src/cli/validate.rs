//! `margay validate`: a judgement of a witness.

use std::process::ExitCode;

use super::Refused;
use super::args::Validate;
use super::output::{complain, say};
use super::process::{Interrupt, exit_now};
use super::sources;
use super::supervise::{Stop, Supervised, supervise};
use crate::base::error::{Error, ErrorKind};
use crate::c::Setup;
use crate::portfolio::{Job, Options};
use crate::report::error_text;
use crate::task::PropertyFile;
use crate::validation::{Judgement, Validity, validate};
use crate::witness::{Question, WitnessSequence};

/// Nothing was found out about the witness.
const UNKNOWN: u8 = 3;
const REJECTED: u8 = 1;

/// Judges the witness and prints the judgement.
pub fn run(options: &Validate, interrupt: &Interrupt) -> Result<ExitCode, Refused> {
    let property = options.property.as_ref().map(|path| PropertyFile::read(path)).transpose()?;
    if let Some(name) = property.as_ref().and_then(PropertyFile::unsupported) {
        return Err(Error::new(ErrorKind::Usage, format!("property {name} is not supported")).into());
    }
    let hash = crate::task::program_hash(&options.file)?;
    let question =
        Question { file: &options.file, hash: &hash, model: options.data_model, property: property.as_ref() };
    let read = WitnessSequence::read(&options.witness)?;
    let admitted = read.and_then(|witness| witness.admitted(&question).map(|admitted| (witness, admitted)));
    let (witness, (checks, model)) = match admitted {
        Ok(admitted) => admitted,
        Err(why) => return announce(&Judgement { validity: Validity::Malformed(why), reported: Vec::new() }),
    };
    let (file, preprocessor) = sources::texts(std::slice::from_ref(&options.file), &options.text)?.remove(0);
    let setup = Setup { preprocessor, acting: options.text.acting.clone(), ..Setup::default() };
    let rules = Options { malloc_may_fail: options.malloc_may_fail, setup, ..Options::default() };
    let answer = supervise(options.bounds.bounds(), interrupt, move |limits| {
        let job = Job { file: &file, model, properties: &checks, limits, options: &rules };
        validate(&job, &witness).map_err(|error| error_text(&error))
    });
    match answer {
        Ok(Supervised { result: Ok(judgement), .. }) => announce(&judgement),
        Ok(Supervised { result: Err(text), .. }) => {
            complain(&text);
            Err(Refused)
        }
        Err(Stop::Panic(what)) => {
            complain(&format!("error: no result: {}\n", Stop::Panic(what).reason()));
            Err(Refused)
        }
        Err(stop) => {
            let validity = Validity::Unknown(stop.reason().to_string());
            announce(&Judgement { validity, reported: Vec::new() })?;
            exit_now(UNKNOWN.into())
        }
    }
}

/// The last line is the result.
fn announce(judgement: &Judgement) -> Result<ExitCode, Refused> {
    let (result, code) = match &judgement.validity {
        Validity::Confirmed => ("CONFIRMED".to_owned(), 0),
        Validity::Rejected(why) => (format!("REJECTED ({why})"), REJECTED),
        Validity::Malformed(why) => (format!("MALFORMED ({why})"), REJECTED),
        Validity::Unknown(why) => (format!("UNKNOWN ({why})"), UNKNOWN),
    };
    let reported: String = judgement.reported.iter().map(|line| format!("{line}\n")).collect();
    // What is told stands on one line, whatever it quotes.
    say(&format!("{reported}Witness result: {}\n", result.replace('\n', " ")))?;
    Ok(ExitCode::from(code))
}
