//! Symbolic memory graphs: the memory of closed-program proofs.
//!
//! Values are bit-vector terms over symbols; an *address* is a term with exactly one address symbol of coefficient one,
//! which the points-to function maps to its object. One heap operation per file.

mod abstraction;
mod access;
mod addresses;
mod canonical;
mod census;
mod content;
mod context;
mod copy;
mod discover;
mod domain;
mod draw;
mod extract;
mod fold;
mod graph;
mod inputs;
mod join;
mod join_content;
mod join_only;
mod join_side;
mod leak;
mod materialise;
mod memory;
mod normalise;
mod numeric;
#[cfg(test)]
mod numeric_tests;
mod picture;
mod resolve;
mod segment;
mod system;
mod widen;

pub use abstraction::{NotProved, Proved, prove};
pub use context::{Context, Statistics};
pub use domain::{Alarm, Shapes, State, Step};
pub use draw::picture;
pub use graph::Smg;
pub use inputs::{Feasibility, feasible_inputs};
pub use picture::{End, Form, FrameView, List, Picture, Row, Shape as ShapeView, Storage, Target, Value};
pub use system::{Exploration, System, SystemNode, explore, states_at};
