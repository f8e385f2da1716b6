//! The C semantics of the CFA's ops, written once over a trait: what a memory must offer, and what `step` makes of it.
//!
//! `concrete`, `heap`, `bmc` and `open` implement [`Memory`]. None can disagree with another about what an op does, because only
//! [`step`] says it, nor about a division by zero (`evaluate`), nor about when an access or a `free` is allowed (`rules`).

mod checks;
mod circuit;
mod direct;
mod effects;
mod evaluate;
mod fault;
mod find;
mod float;
mod float_functions;
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

pub use checks::Checks;
pub use direct::cross;
pub use effects::{Reason, Successors, Trap, fit, forget_dead};
pub use evaluate::{Guard, Possible, guard, possible_edges};
pub use fault::{Fault, Gap, Stuck, Weakness};
pub use find::MOST_READ;
pub use float::{float_operation, float_to_integer};
pub use inputs::{Addresses, Inputs, RECEIVED};
pub use miss::{Anchor, Miss, Place};
pub use number::{belongs_to_number, number_in};
pub use outside::outside_address;
pub use start::initial;
pub use step::{Way, ends_with_cleanup, fault_span, find_leak, go_straight, step, step_by_cases};
pub use traits::{
    Beyond, BlockId, BlockKind, BlockSpec, Config, FloatOp, Frame, Memory, Origin, Outcome, Outcomes, Search, Site,
    done,
};
