//! Margay: a software verifier for C.
//!
//! [`api`] is the library: its items stand here, too. The rooms below, exported under their own names, may change with each version;
//! `ARCHITECTURE.md` is the map. Reports and the command line come with the feature `cli`.

#![deny(missing_docs)]

pub use margay_c::{c, cfa, task};
pub use margay_core::{certificate, check, evidence, frame, heap, memory, question, sharing};
#[cfg(feature = "testing")]
pub use margay_engine::gamma;
pub use margay_engine::{ats, bmc, cegar, claims, classes, control, explore, fold, portfolio, show};
pub use margay_open::open;
pub use margay_run::{concrete, verdict};
pub use margay_smt::{base, numeric, smt};

pub mod witness;
pub mod validation;
pub mod entry;
pub mod api;
#[cfg(feature = "cli")]
pub mod report;
#[cfg(feature = "cli")]
pub mod cli;

pub use api::{
    Action, Aliasing, Answer, Assumptions, Cancellation, Contract, Contracts, Counterexample, DataModel, Error,
    Execution, Finding, FunctionReport, Judgement, Limits, LoopInvariant, Outcome, OutsideMemory, Place, Pos, Program,
    Property, Reason, Runner, Specification, Step, Validator, Validity, Value, Verdict, Verifier, Violation, Weakness,
    Witnesses,
};
