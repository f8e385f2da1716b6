//! Programs about numbers and flags, without heap: explicit values at cut points, merged paths, and conditions at loop heads that
//! others propose. Nothing here is trusted: what an exploration ends
//! with is a proof that is checked edge by edge, and a violation is replayed.

mod abstract_clauses;
mod builder;
mod clauses;
mod equations;
#[cfg(test)]
mod equations_tests;
mod formula;
#[cfg(test)]
mod formula_tests;
mod given;
mod heads;
mod horn;
mod houdini;
mod hulls;
#[cfg(test)]
mod hulls_tests;
mod integer_program;
mod kind;
mod loose;
mod merging;
#[cfg(test)]
mod merging_tests;
mod outside;
mod samples;
mod spacer;
mod strengthened;
#[cfg(test)]
mod strengthened_tests;
mod templates;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use abstract_clauses::AbstractClauses;
pub(crate) use builder::Builder;
pub use clauses::{Clauses, NoClauses};
pub(crate) use equations::{HIGHEST_DEGREE, equations};
pub use given::GivenInvariants;
pub use horn::horn;
pub use houdini::Conditions;
pub(crate) use houdini::{FOR_PRODUCTS, NotExcluded};
pub(crate) use hulls::hulls;
pub use integer_program::integer_program;
pub(crate) use kind::objection;
pub(crate) use loose::Loose;
pub(crate) use merging::Merging;
pub(crate) use outside::outside;
pub(crate) use samples::Samples;
pub use spacer::{Solved, spacer};
pub(crate) use strengthened::Strengthened;
pub(crate) use templates::templates;
pub(crate) use values::Values;
