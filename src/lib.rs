//! Margay: a software verifier for C.
//!
//! The library is a pipeline of rooms with plain data between them; `ARCHITECTURE.md` is the map.
//! A room uses only rooms declared above it here (enforced by `tests/tidy.rs`).

pub mod base;
pub mod task;
pub mod smt;
pub mod c;
pub mod cfa;
pub mod memory;
pub mod ats;
pub mod concrete;
pub mod verdict;
pub mod numeric;
pub mod heap;
pub mod calls;
pub mod written;
pub mod proof;
pub mod fold;
pub mod explore;
pub mod classes;
pub mod propose;
pub mod show;
#[cfg(any(test, feature = "gamma"))]
pub mod gamma;
pub mod open;
pub mod bmc;
pub mod cegar;
pub mod control;
pub mod witness;
pub mod portfolio;
pub mod report;
pub mod cli;
