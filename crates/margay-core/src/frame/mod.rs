//! Calls with a frame: how a state is split at a call of a function that is followed once for all callers, and put together again.

mod caller_stubs;
mod combine;
#[cfg(any(test, feature = "testing"))]
pub mod probe_tests;
mod rest;
mod split;

pub use caller_stubs::{CallerStubs, STUB_RESULT, Sharing, Summarised};
pub use combine::is_variable;
pub use rest::Rest;
pub use split::Called;
