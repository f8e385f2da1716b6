//! What is known of the functions of a file while it is analysed or checked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::contract::Contract;
use super::follow::Callees;
use super::report::Status;
use super::statics::Known;
use crate::cfa::{FunctionId, OpenProgram};

/// The contracts of each function, those of other files' functions as well.
pub(super) struct Registry<'a> {
    open: &'a OpenProgram,
    /// By function: the file defines it.
    pub own: Vec<bool>,
    contracts: Mutex<BTreeMap<FunctionId, Arc<[Contract]>>>,
    /// Functions with errors that callers can keep clear of.
    latent: Mutex<BTreeSet<FunctionId>>,
    /// Functions that have paths which their contracts do not cover, and which.
    gaps: Mutex<BTreeMap<FunctionId, Status>>,
}

impl<'a> Registry<'a> {
    pub fn new(open: &'a OpenProgram, known: Known) -> Self {
        let Known { contracts, gaps } = known;
        let mut own = vec![false; open.program.functions.len()];
        open.functions.iter().for_each(|function| own[function.index()] = true);
        Self { open, own, contracts: Mutex::new(contracts), latent: Mutex::default(), gaps: Mutex::new(gaps) }
    }

    pub fn get(&self, function: FunctionId) -> Option<Arc<[Contract]>> {
        self.contracts.lock().unwrap_or_else(PoisonError::into_inner).get(&function).cloned()
    }

    /// What was known before.
    pub fn set(&self, function: FunctionId, contracts: Option<Arc<[Contract]>>) -> Option<Arc<[Contract]>> {
        let mut known = self.contracts.lock().unwrap_or_else(PoisonError::into_inner);
        match contracts {
            Some(contracts) => known.insert(function, contracts),
            None => known.remove(&function),
        }
    }

    /// The function goes wrong in some circumstances.
    pub fn set_latent(&self, function: FunctionId) {
        self.latent.lock().unwrap_or_else(PoisonError::into_inner).insert(function);
    }

    /// How much its contracts say.
    pub fn set_status(&self, function: FunctionId, status: Status) {
        let mut gaps = self.gaps.lock().unwrap_or_else(PoisonError::into_inner);
        if status == Status::Complete {
            gaps.remove(&function)
        } else {
            gaps.insert(function, status)
        };
    }

    /// What its contracts do not cover, if there is something.
    pub fn gap(&self, function: FunctionId) -> Option<Status> {
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner).get(&function).copied()
    }

    /// Whether [`Self::set_latent`] said so of it.
    pub fn may_go_wrong(&self, function: FunctionId) -> bool {
        self.latent.lock().unwrap_or_else(PoisonError::into_inner).contains(&function)
    }
}

impl Callees for Registry<'_> {
    fn contracts(&self, function: FunctionId) -> Option<Arc<[Contract]>> {
        self.get(function).or_else(|| {
            let is_stub = self.open.program.function(function).is_stub();
            (self.own[function.index()] || is_stub && !self.is_foreign(function)).then(|| Arc::from([]))
        })
    }

    fn is_covered(&self, function: FunctionId) -> bool {
        self.gap(function).is_none()
    }

    fn is_foreign(&self, function: FunctionId) -> bool {
        self.open.externs.contains(&function)
    }
}
