//! Contracts of open code by low-level bi-abduction: what functions need and what they leave, without a harness.
//!
//! Source: "Low-Level Bi-Abduction" (ECOOP'22). Each function is followed once, by the same [`crate::memory::step`] as
//! everything else, over a symbolic heap with a per-byte separating conjunction; bytes that are missing become its precondition.

mod access;
mod blame;
mod blocks;
mod groups;
mod check;
mod cut;
mod ends;
mod findings;
mod follow;
mod fold;
mod functions;
mod heap;
mod judge;
mod leaks;
mod learn;
mod calls;
mod common;
mod conditions;
mod contract;
mod evaluate;
mod lists;
mod matching;
mod memory;
mod proofs;
mod registry;
mod report;
mod shape;
mod specs;
mod statics;
mod terms;
mod verify;
mod widen;

pub use check::Unproved;
pub use contract::{BlockText, CellText, Contract, Expr, Formula, Post, SegmentText, ValueText};
pub use cut::{Cut, CutBlock, CutSegment, CutVar, FrameText};
pub use findings::{Causes, merge};
pub use functions::{Options, analyse};
pub use heap::{Aliasing, SymbolicHeap, World};
pub use proofs::{FunctionProofs, ProvedContract, RefusedContract, check_contracts};
pub use report::{BOUNDED_ROUNDS, CallSite, Finding, FunctionReport, Kind, Object, Root, Status};
pub use shape::{Held, Part, Shape, Sum};
pub use specs::{Cache, Remembered};
pub use statics::Linked;
#[cfg(any(test, feature = "testing"))]
pub use statics::static_names;
