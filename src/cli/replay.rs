//! `margay replay`: a judgement of a witness.

use super::Refused;
use super::args::Replay;
use super::output::complain;
use super::process::Interrupt;
use super::program::{load, print_result};
use crate::base::error::{Error, ErrorKind};
use crate::cfa::LowerOptions;
use crate::portfolio::{Job, Options, Validity, checks, validate};
use crate::task::{DataModel, PropertyFile};
use crate::witness::{Judgement, WitnessKind, WitnessSequence, program_hash, replay};

/// Follows the witness and prints the judgement.
pub fn run(options: &Replay, interrupt: &Interrupt) -> Result<(), Refused> {
    let witness = WitnessSequence::read(&options.witness)?;
    let property = match &options.property {
        Some(path) => PropertyFile::read(path)?,
        None => PropertyFile::from_specification(&witness.specification)?,
    };
    if let Some(name) = property.unsupported() {
        return Err(Error::new(ErrorKind::Usage, format!("property {name} is not supported")).into());
    }
    let hash = program_hash(&options.file)?;
    if witness.program_hash.as_ref().is_some_and(|given| !given.eq_ignore_ascii_case(&hash)) {
        complain("warning: the witness was made for another file, or another version of this one\n");
    }
    let model = options.data_model.or(witness.model).unwrap_or(DataModel::Lp64);
    let checks = checks(&property.checks);
    let file = options.file.clone();
    print_result(&options.bounds, interrupt, move |limits| {
        if witness.kind == WitnessKind::Correctness {
            let job = Job { file: &file, model, properties: &property.checks, limits, options: &Options::default() };
            return Ok(match validate(&job, &witness.invariants)? {
                Validity::Confirmed => {
                    format!("Invariants that hold: {}\nWitness result: CONFIRMED\n", witness.invariants.len())
                }
                Validity::Rejected(why) => format!("Witness result: REJECTED ({why})\n"),
                Validity::Unknown(why) => format!("Witness result: UNKNOWN ({why})\n"),
            });
        }
        let lowering = LowerOptions { overflow_checks: checks.overflow, malloc_may_fail: false };
        let program = load(&file, model, lowering)?;
        Ok(match replay(&program, &checks, &witness, limits) {
            Judgement::Confirmed { violation, detail, .. } => {
                format!("Violated: {violation}: {detail}\nWitness result: CONFIRMED\n")
            }
            Judgement::Rejected(why) => format!("Witness result: REJECTED ({why})\n"),
            Judgement::Unknown(why) => format!("Witness result: UNKNOWN ({why})\n"),
        })
    })
}
