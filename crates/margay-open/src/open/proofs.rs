//! Contracts with what they rest on, as plain data, and the check of all of a file's.

use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::check::{Unproved, check};
use super::contract::Contract;
use super::cut::Cut;
use super::follow::Follower;
use super::heap::{Aliasing, World};
use super::matching::Mode;
use super::registry::Registry;
use super::report::FunctionReport;
use super::statics::{Linked, statics};
use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::cfa::{CallGraph, OpenProgram};
use crate::heap::Context;
use crate::smt::Z3Solver;

/// The contracts of a function, each with the cut points that its proof rests on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FunctionProofs {
    /// The function's.
    pub name: Arc<str>,
    /// In the order of the report.
    pub contracts: Vec<ProvedContract>,
}

/// A contract and its evidence.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProvedContract {
    /// What was proved.
    pub contract: Contract,
    /// The cut points that the proof rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<Cut>,
}

/// A contract that is not believed.
#[derive(Clone, Debug)]
pub struct RefusedContract {
    /// The function's name.
    pub function: Arc<str>,
    /// From 0.
    pub contract: usize,
    /// What does not hold, and where.
    pub why: Unproved,
}

impl FunctionProofs {
    /// Those of a report.
    pub fn of(report: &FunctionReport) -> Self {
        let proved = report.contracts.iter().zip(&report.proofs);
        let proved = proved.map(|(contract, cuts)| ProvedContract { contract: contract.clone(), cuts: cuts.clone() });
        Self { name: report.name.clone(), contracts: proved.collect() }
    }

    /// Without the evidence.
    pub fn claims(&self) -> Vec<Contract> {
        self.contracts.iter().map(|proved| proved.contract.clone()).collect()
    }
}

/// Checks all contracts of a file, where those of each other and of other files (`known`) may be used at calls.
///
/// # Errors
/// The first one that is not accepted.
pub fn check_contracts(
    open: &OpenProgram,
    known: &Linked,
    proofs: &[FunctionProofs],
    limits: &Limits,
) -> Result<usize, RefusedContract> {
    let program = &open.program;
    let mut statics = statics(open);
    let registry = Registry::new(open, known.for_file(open, &mut statics));
    let mut functions = Vec::new();
    for proofs in proofs {
        let function = open.functions.iter().find(|id| program.function(**id).name == proofs.name);
        let Some(&function) = function.filter(|id| !program.function(**id).is_stub()) else {
            let why = Unproved { why: "there is no such function".to_owned(), span: Span::default() };
            return Err(RefusedContract { function: proofs.name.clone(), contract: 0, why });
        };
        registry.set(function, Some(proofs.claims().into()));
        functions.push(function);
    }
    let targets = CallGraph::new(program).addressed().to_vec();
    let mut checked = 0;
    for (function, proofs) in functions.into_iter().zip(proofs) {
        for (index, proved) in proofs.contracts.iter().enumerate() {
            let context = Context::new(program.model, Box::new(Z3Solver::new()), limits.clone());
            let world = Rc::new(World {
                context: Rc::new(context),
                statics: statics.clone(),
                targets: targets.clone(),
                aliasing: Aliasing::None,
                assumed: Default::default(),
                narrowed: Default::default(),
            });
            let follower = Follower { program, world, callees: &registry, mode: Mode::Split, inline: false };
            check(&follower, function, &proved.contract, &proved.cuts).map_err(|why| RefusedContract {
                function: proofs.name.clone(),
                contract: index,
                why,
            })?;
            checked += 1;
        }
    }
    Ok(checked)
}
