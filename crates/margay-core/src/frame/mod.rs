//! Calls with a frame: which functions are followed once for all callers, and how a state is split at a call and combined again.

mod callgraph;
mod opaque;
mod combine;
mod follows;
#[cfg(test)]
mod follows_tests;
mod caller_stubs;
mod parts;
#[cfg(any(test, feature = "testing"))]
pub mod probe_tests;
mod renaming;
mod split;

pub use caller_stubs::{CallerStubs, STUB_RESULT};
pub use caller_stubs::{Sharing, Summarised};
pub use callgraph::Calls;
pub use callgraph::Plan;
pub use split::Caller;
#[cfg(any(test, feature = "testing"))]
pub use split::Shared;
pub use split::Unsplit;
