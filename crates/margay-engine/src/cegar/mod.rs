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
mod confirm;
mod diagnosis;
mod feasible;
mod inputs;
mod options;
mod outcome;
mod path;
mod precision_file;
mod prefix;
mod prover;
mod record;
mod refine;
mod sampled;
mod trees;

pub(crate) use confirm::confirm;
pub use diagnosis::{Diagnosis, DoomedState};
pub(crate) use inputs::{PathFeasibility, feasible_inputs};
pub use options::Options;
pub use outcome::{Outcome, Proved};
pub use precision_file::WrittenPrecision;
pub(crate) use prover::Line;
pub use prover::{NotProved, Prover, Ways, prove};
pub use record::{DiscontinuityReport, Iteration, Refinement, RefinementReport, RoundReport, SliceReport};
pub use refine::{RefinerName, Refiners};
pub(crate) use trees::trees;
