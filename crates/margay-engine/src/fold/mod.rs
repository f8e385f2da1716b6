//! From chains of nodes to segments, from nodes above trees to trees and paths: what may be folded (census, discovery, extraction), the join of two nodes, and how precisely
//! it is done (patterns, precision). Nothing here is trusted: a proof is checked without it.

mod census;
mod discover;
mod downward;
mod extract;
mod chain;
mod join;
mod join_body;
mod join_content;
mod join_kinds;
mod join_number;
mod join_only;
mod join_side;
mod kinds;
mod lists;
mod node_kinds;
mod join_refutation;
mod join_runs;
mod normalise;
mod paths;
mod patterns;
mod precision;
mod realign;
mod states;
mod tables;
mod promotion;
mod named_links;
mod trees;

pub(crate) use chain::{Suggested, fold};
pub(crate) use downward::Downward;
pub(crate) use lists::{filled, instances, lists};
pub use patterns::Pattern;
pub(crate) use precision::Number;
pub use precision::{Keep, Place, Precision};
pub(crate) use promotion::promote;
pub(crate) use realign::realign;
pub(crate) use states::join_states;
pub(crate) use tables::{fold_tables, may_be_nothing};
pub use trees::TreeClass;
pub(crate) use trees::tree_class;
