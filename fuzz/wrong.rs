//! What is wrong with the proofs of a program, if anything.

use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::{SourceText, parse};
use margay::cegar::prove;
use margay::cfa::{LowerOptions, Program, lower};
use margay::concrete;
use margay::memory::Checks;

use super::simulation::simulate;

/// How hard a program is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub proof: Duration,
    /// For looking for a violation of what was proved.
    pub search: Duration,
    /// Runs compared with each proof.
    pub runs: u64,
}

/// What was tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tried {
    pub programs: usize,
    pub proofs: usize,
    /// States of runs found in proofs.
    pub compared: usize,
    pub generalised: usize,
}

/// The properties, one at a time.
pub fn all_checks() -> [Checks; 4] {
    let none = Checks::default();
    [
        Checks { reach_call: true, ..none },
        Checks { deref: true, free: true, ..none },
        Checks { deref: true, free: true, memtrack: true, ..none },
        Checks { memcleanup: true, ..none },
    ]
}

/// The program of a text.
///
/// # Errors
/// What the front end has against it.
pub fn read(text: &SourceText) -> Result<Program, String> {
    let unit = parse(text).map_err(|error| format!("{error:?}"))?;
    let options = LowerOptions::default();
    lower(&unit, &options).map_err(|error| format!("{error:?}"))
}

/// Proves what can be proved of `program` and compares it with concrete runs.
///
/// # Errors
/// A proof of what is not so, or one that lacks a state of a run.
pub fn refute(
    program: &Program,
    checks: &[Checks],
    seed: u64,
    effort: Effort,
    tried: &mut Tried,
) -> Result<(), String> {
    tried.programs += 1;
    for checks in checks {
        let limits = Limits::new(Some(effort.proof), None);
        let proved = match prove(program, checks, &limits, &Limits::new(Some(effort.proof), None)) {
            Ok(proved) => proved,
            Err(why) => match why.refused {
                Some(refused) if !why.ran_out => return Err(format!("a proof was refused: {refused}")),
                _ => continue,
            },
        };
        tried.proofs += 1;
        if let Some(found) = concrete::RandomSearch::new(program, checks, seed)
            .explore(&Limits::new(Some(effort.search), None), &Limits::none())
        {
            return Err(format!("{checks:?} was proved, but {found:?}"));
        }
        for run in 0..effort.runs {
            let inputs = seed.wrapping_mul(1000).wrapping_add(run);
            let simulated = simulate(program, checks, &proved.proof.states, inputs, 40);
            let simulated = simulated.map_err(|why| format!("{checks:?}: {why}"))?;
            tried.compared += simulated.compared;
            tried.generalised += simulated.generalised;
        }
    }
    Ok(())
}
