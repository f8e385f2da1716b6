//! Evidence for a `TRUE`: the check of an inductive set of states, the token of an accepted one, and the proof it makes.

mod accept;
mod ids;
mod proof;
mod tokens;

pub use accept::{CheckReport, Claim, Part, Refused, Share, Ways, check_share, together};
pub use ids::{ContextId, NodeId};
pub use proof::{LoopInvariant, Proof};
pub use tokens::{Checked, Foreign, Obligation, ProofId};
