//! Symbolic memory graphs: the memory of closed-program proofs.
//!
//! Values are bit-vector terms over symbols; an *address* is a term with exactly one address symbol of coefficient one,
//! which the points-to function maps to its object. One heap operation per file.

mod abstraction;
mod access;
mod addresses;
mod binding;
mod binding_search;
mod callgraph;
mod calls;
#[cfg(test)]
mod calls_tests;
mod canonical;
mod census;
mod check;
mod consistent;
mod content;
mod context;
mod copy;
mod covers;
#[cfg(test)]
mod covers_tests;
mod discover;
mod domain;
mod draw;
mod embedding;
mod extract;
mod far;
mod file;
mod file_read;
mod file_write;
mod fold;
mod follow;
pub mod gamma;
mod graph;
mod inputs;
mod invariants;
mod join;
mod join_content;
mod join_only;
mod join_side;
mod lawful;
mod leak;
mod lists;
mod materialise;
mod memory;
mod merge;
mod normalise;
mod numeric;
#[cfg(test)]
mod numeric_tests;
mod patterns;
mod picture;
mod precision;
mod propose;
mod propose_chain;
mod relate;
mod resolve;
mod segment;
mod system;
mod verify;
mod violation;
mod widen;

pub use abstraction::Abstract;
pub use callgraph::{Apart, Calls};
pub use calls::Caller;
pub use check::{Landing, Proof, check};
pub use content::{Cell, Edge};
pub use context::{Context, Statistics, SymbolKind};
pub use covers::covers;
pub use domain::{Alarm, Shapes, State, Step};
pub use draw::picture;
pub use file::WrittenProof;
pub use file_read::check_written;
pub use file_write::write as write_proof;
pub use follow::Followed;
pub use graph::{Object, Smg};
pub use inputs::{Feasibility, feasible_inputs};
pub use invariants::loop_invariants;
pub use lists::{filled, instances, lists};
pub use patterns::Pattern;
pub use picture::{End, Form, FrameView, List, Picture, Row, Shape as ShapeView, Storage, Target, Value};
pub use precision::{Keep, Place, Precision};
pub use system::{Exploration, System, SystemNode, explore, states_at};
pub use violation::violation_state;
