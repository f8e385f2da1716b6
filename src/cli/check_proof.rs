//! `margay check-proof`: a proof from a file against the program.

use std::process::ExitCode;

use super::Refused;
use super::args::CheckProof;
use super::contracts::ContractProofs;
use super::output::{complain, say};
use super::portfolio::offered_cores;
use super::process::Interrupt;
use super::program::without_result;
use super::sources;
use super::supervise::supervise;
use crate::base::error::{Error, ErrorKind};
use crate::base::limits::Limits;
use crate::question::{CertificateFile, Solving};
use crate::report::error_text;

/// Checks and prints the answer; `FAILURE` for a refused proof.
pub fn run(options: &CheckProof, interrupt: &Interrupt) -> Result<ExitCode, Refused> {
    let text = std::fs::read_to_string(&options.proof).map_err(|error| Error::cannot_read(&options.proof, error))?;
    let bounds = options.bounds.bounds();
    let texts = sources::texts(&options.files, &options.text)?;
    let refused = |why: &dyn std::fmt::Display| Ok(Err(format!("Proof refused: {why}\n")));
    let answer = if let Some(contracts) = ContractProofs::from_text(&text)? {
        say(&contracts.claim())?;
        supervise(bounds, interrupt, move |limits| match contracts.check(&texts, limits) {
            Ok(Ok(count)) => Ok(Ok(format!("Proof accepted: {count} contracts\n"))),
            Ok(Err(why)) => refused(&why),
            Err(error) => Err(error_text(&error)),
        })
    } else {
        let proof = CertificateFile::from_text(&text)?;
        let [(file, preprocessor)] = &texts[..] else {
            return Err(Error::new(ErrorKind::Usage, "the proof is one of a single file").into());
        };
        let (file, preprocessor) = (file.clone(), preprocessor.clone());
        say(&proof.claim()?)?;
        let solving = Solving { cores: offered_cores(), plain: false };
        let check = move |limits: &Limits| proof.check(&file, &preprocessor, limits, solving);
        supervise(bounds, interrupt, move |limits| match check(limits) {
            Ok(Ok(report)) => Ok(Ok(format!("Proof accepted: {} states, {} edges\n", report.states, report.edges()))),
            Ok(Err(why)) => refused(&why),
            Err(error) => Err(error_text(&error)),
        })
    };
    match answer.map(|supervised| supervised.result) {
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
        Err(stop) => Err(without_result("the proof was not checked", &stop)),
    }
}
