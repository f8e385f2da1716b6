//! Open code: contracts, their proofs, and memory that comes from outside.

mod contract_proofs;
mod contracts;
mod contracts_acsl;
mod contracts_hold;
mod ending_skeletons;
mod open_expectations;
mod open_world;
mod skeleton;
