//! `margay check-proof`: a proof from a file against the program.

use std::process::ExitCode;

use super::Refused;
use super::args::CheckProof;
use super::output::{complain, say};
use super::process::{Interrupt, exit_now};
use super::supervise::{Bounds, Stop, supervise};
use crate::base::error::{Error, ErrorKind};
use crate::portfolio::ProofFile;
use crate::report::error_text;

/// Checks and prints the answer; `FAILURE` for a refused proof.
pub fn run(options: &CheckProof, interrupt: &Interrupt) -> Result<ExitCode, Refused> {
    let text = std::fs::read_to_string(&options.proof)
        .map_err(|error| Error::new(ErrorKind::Io, format!("cannot read {}: {error}", options.proof.display())))?;
    let proof = ProofFile::from_text(&text)?;
    say(&proof.claim()?)?;
    let bounds = Bounds { time: options.bounds.timeout, memory: options.bounds.memory };
    let file = options.file.clone();
    let work = move |limits: &_| match proof.check(&file, limits) {
        Ok(Ok(report)) => Ok(Ok(format!("Proof accepted: {} states, {} edges\n", report.states, report.edges))),
        Ok(Err(why)) => Ok(Err(format!("Proof refused: {why}\n"))),
        Err(error) => Err(error_text(&error)),
    };
    match supervise(bounds, interrupt, work) {
        Ok(Ok(Ok(text))) => {
            say(&text)?;
            Ok(ExitCode::SUCCESS)
        }
        Ok(Ok(Err(text))) => {
            say(&text)?;
            Ok(ExitCode::from(1))
        }
        Ok(Err(text)) => {
            complain(&text);
            Err(Refused)
        }
        Err(stop) => {
            complain(&format!("error: the proof was not checked: {}\n", stop.reason()));
            if let Stop::Panic(_) = stop { Err(Refused) } else { exit_now(2) }
        }
    }
}
