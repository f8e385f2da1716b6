//! Calls with a frame: which functions are followed once for all callers, and how a state is split at a call and combined again.

mod callgraph;
mod split;

pub(crate) use callgraph::Plan;
pub use callgraph::{Apart, Calls};
pub use split::Caller;
pub(crate) use split::Unsplit;
