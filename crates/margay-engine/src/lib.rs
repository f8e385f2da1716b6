//! The search for answers. Nothing here is trusted: proofs are checked by `margay-core`, violations replayed by `margay-run`.
//!
//! A room uses only rooms above it, and those of the crates below, which go by the same names here.

use margay_c::{c, cfa, task};
use margay_core::{certificate, check, evidence, frame, heap, memory, question, sharing};
use margay_run::{concrete, verdict};
use margay_smt::{base, numeric, smt, typed_id};

pub mod ats;
pub mod fold;
pub mod hints;
pub mod explore;
pub mod classes;
pub mod names;
pub mod ranking;
pub mod claims;
pub mod show;
#[cfg(any(test, feature = "testing"))]
pub mod gamma;
pub mod bmc;
pub mod cegar;
pub mod control;
pub mod portfolio;
