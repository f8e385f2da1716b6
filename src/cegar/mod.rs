//! The refinement loop: an alarm of the abstract exploration becomes a confirmed violation, a finer abstraction, or a diagnosis.
//!
//! ```text
//!            ┌────────────── finer precision, subtree below the cut explored again ◀─────────────┐
//!            ▼                                                                                    │
//!   abstract exploration ──alarm──▶ feasible? ──no──▶ diagnosis (discontinuity, doomed state) ──▶ refiners
//!            │ complete                │ yes, replayed                                            │ none helps
//!            ▼                         ▼                                                          ▼
//!     proof, checked               violation                                       no proof, with the diagnosis
//! ```
//! Source: algorithm 1 of the CAV'12 paper on counterexample-guided shape refinement; thresholds and cut states are those of
//! the thesis on list-length thresholds, chapter 4.

mod attempt;
mod diagnosis;
mod feasible;
mod path;
mod precision_file;
mod prefix;
mod prover;
mod record;
mod refine;

pub use diagnosis::{Diagnosis, DoomedState};
pub use precision_file::WrittenPrecision;
pub use prover::{NotProved, Outcome, Proved, Prover, Ways, prove};
pub use record::{Iteration, Refinement, ToldDiscontinuity, ToldRefinement, ToldRound, ToldSlice};
pub use refine::{Refiner, RefinerName, Refiners};

use crate::bmc::Choice;

/// How the loop goes about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which encoding asks the slices of alarms for runs; without one only the alarms' own paths are followed.
    pub slices: Option<Choice>,
    pub refiners: Refiners,
    /// Whether each spurious alarm is diagnosed, even where no refiner needs it.
    pub diagnoses: bool,
    /// Where refinement begins; otherwise where it does by default.
    pub precision: Option<WrittenPrecision>,
}
