//! What is given with an answer: witnesses and their validation, invariants, positions, pages and pictures.

mod evidence;
mod invariants;
mod pages;
mod pictures;
mod positions;
mod schema;
mod validate;
mod witness_schema;
