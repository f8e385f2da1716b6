//! Symbolic memory graphs: states that stand for sets of memories, and what C's operations do to them.
//!
//! Values are bit-vector terms over symbols; an *address* is a term with exactly one address symbol of coefficient one,
//! which the points-to function maps to its object. One heap operation per file. Shared by proofs of closed programs, by open
//! code and by pictures; it knows of no exploration.

mod access;
mod addresses;
mod empty_lists;
mod conditions;
mod consistent;
mod content;
mod context;
mod copy;
mod find;
#[cfg(test)]
mod find_tests;
mod forms;
mod graph;
mod leak;
mod limits;
mod materialise;
mod memory;
mod numeric;
mod resolve;
mod run;
mod runs;
#[cfg(test)]
mod runs_tests;
#[cfg(test)]
mod texts_tests;
mod state;
mod tables;
mod texts;
#[cfg(test)]
mod tables_tests;
mod well_formed;

pub use content::{Cell, Content, Edge, Found};
pub use context::{Context, Semantics, Statistics, SymbolKind};
pub use empty_lists::{all_split, cases_at_most, split_among, without_empty_lists};
pub use forms::{
    Body, Branches, Form, Kinds, Links, MOST_ORDERED, Naming, Optional, Role, SHORTEST, Segment, Sketch, Succession,
    Summary, Table, Tree, Visitor, WellFormed, each, encode_body, encode_object, no_content, substituted,
};
#[cfg(any(test, feature = "testing"))]
pub use forms::{BodyParts, Change, Held, Lead, Outer, Piece, Unfolding, has};
pub use graph::{Event, Object, Smg};
pub use numeric::Store;
pub use resolve::Target;
pub use run::{Layout, Run};
pub use runs::KeptCells;
pub use state::{State, outermost, values};
pub use texts::InElement;
pub use well_formed::{has_empty_cycle, well_formed_object, well_formed_symbol, well_formed_terms};
