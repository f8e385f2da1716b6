//! Z3 behind one narrow face: hash-consed bit-vector terms in normal form, an incremental solver, range analysis,
//! SMT-LIB text of every query.
//!
//! Everything is a bit-vector of 1 to 128 bits; a boolean is a bit-vector of width 1. [`Terms`] owns the terms and its
//! constructors simplify, so that equal meanings mostly have equal ids; a [`Solver`] decides conjunctions of terms.

mod arith;
mod bits;
mod bounds;
mod compare;
mod elimination;
mod fold;
mod helper;
mod horn;
mod integers;
mod interrupt;
mod known;
mod order;
mod plain;
mod polynomial;
mod polynomials;
mod quotients;
mod range;
mod script;
mod shape;
mod single;
mod smtlib;
mod solver;
mod sums;
mod term;
mod text;
mod translate;
mod walk;
mod z3solver;

#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod simplify_tests;
#[cfg(test)]
mod solver_tests;
#[cfg(test)]
mod sums_tests;

pub use arith::Linear;
pub use fold::{gcd, mask, to_signed, truncate};
pub use helper::Helper;
pub use horn::{Horn, HornAnswer, HornPredicate, HornSort, solve_horn};
pub use interrupt::SolverHandle;
pub use plain::PlainSolver;
pub use range::SymbolRanges;
pub use script::{Script, Scripted};
pub use smtlib::{in_lets, let_name, literal, to_smtlib};
pub use solver::{Effort, Model, RecordingSolver, Sat, Solver, Stats, relevant};
pub use term::{Node, Op, SymId, SymbolInfo, Term, Terms};
pub use z3solver::{Z3Solver, replay_smtlib, solver_work};
