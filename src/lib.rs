//! Margay: a software verifier for C.
//!
//! This crate is the front of the workspace: witnesses, reports and the command line. The rooms of the crates below are
//! exported under their own names; `ARCHITECTURE.md` is the map.

#![deny(missing_docs)]

pub use margay_c::{c, cfa, task};
pub use margay_core::{certificate, check, evidence, frame, heap, memory, question, sharing};
#[cfg(feature = "testing")]
pub use margay_engine::gamma;
pub use margay_engine::{ats, bmc, cegar, classes, control, explore, fold, hints, portfolio, show};
pub use margay_open::open;
pub use margay_run::{concrete, verdict};
pub use margay_smt::{base, numeric, smt};

pub mod witness;
pub mod validation;
pub mod report;
pub mod cli;
