//! The analyses: memories, exploration, bounded model checking, refinement, proofs and what checks them.

mod abstract_soundness;
mod array_programs;
mod clauses_of_lists;
mod exploration;
mod feasibility;
mod given_invariants;
mod independent_check;
mod integer_programs;
mod memories_agree;
mod proof_mutations;
mod proofs;
mod proofs_vs_runs;
#[path = "../random/mod.rs"]
mod random;
mod refinement;
mod summaries;
