//! The C semantics of the CFA's ops, written once over a trait: what a memory must offer, and what `step` makes of it.
//!
//! `concrete`, `heap`, `bmc` and `open` implement [`Memory`]. None can disagree with another about what an op does, because only
//! [`step`] says it, nor about a division by zero (`evaluate`), nor about when an access or a `free` is allowed (`rules`).

mod circuit;
mod direct;
mod evaluate;
mod fault;
mod float;
mod float_functions;
mod frame;
mod miss;
mod number;
mod inputs;
mod outside;
pub mod rules;
#[cfg(test)]
mod rules_tests;
mod start;
mod step;
pub mod symbolic;
mod traits;

pub use direct::cross;
pub use evaluate::{Guard, Possible, Trap, guard, possible_edges};
pub use fault::{Fault, Gap, Stuck, Weakness};
pub use float::{float_operation, float_to_integer};
pub use frame::{Config, Frame};
pub use inputs::{Addresses, Inputs};
pub use miss::{Anchor, Miss, Place};
pub use number::{belongs_to_number, number_in};
pub use outside::{Beyond, outside_address};
pub use start::initial;
pub use step::{
    Checks, Reason, Successors, Way, ends_with_cleanup, fault_span, find_leak, fit, forget_dead, go_straight, step,
    step_by_cases,
};
pub use traits::{BlockId, BlockKind, BlockSpec, FloatOp, Memory, Origin, Outcome, Outcomes, Site, done};
