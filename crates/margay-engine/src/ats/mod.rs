//! Abstract transition systems: nodes, edges with the moves they came by, exploration with covering, and the check of
//! what it ends with. Knows no heap.
//!
//! Source: the ATS of the CAV'12 paper on counterexample-guided shape refinement, section 3.

mod covering;
mod explore;
mod history;
mod prune;
mod slice;
mod tokens;
mod turns;
#[cfg(test)]
mod numeric_loops_tests;
#[cfg(test)]
mod tests;
mod walk;
#[cfg(test)]
mod widening_tests;

pub use explore::{Arrival, ArrivalOf, Domain, Ending, Explorer, Finding, Moves, Node, Summaries};
pub use history::CutPoint;
pub(crate) use history::Histories;
pub use slice::{Slice, SliceEdge};
pub use tokens::{Complete, fit};
pub use turns::{Order, Places};
