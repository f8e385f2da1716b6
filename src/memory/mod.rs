//! The C semantics of the CFA's ops, written once over a trait: what a memory must offer, and what `step` makes of it.
//!
//! `concrete`, `heap` and `bmc` implement [`Memory`]; neither can disagree with the other about what `free` means, because only
//! [`step`] says it.

mod fault;
mod float;
mod frame;
mod start;
mod step;
mod traits;

pub use fault::{Fault, Stuck};
pub use float::float_operation;
pub use frame::{Config, Frame};
pub use start::initial;
pub use step::{Checks, Reason, Successors, fault_span, find_leak, forget_dead, guard_holds, step};
pub use traits::{BlockId, BlockKind, BlockSpec, FloatOp, Memory, Outcome, Outcomes, done};
