//! Tests of the lowering, on small programs and on whole suites.

mod corpus;
mod dead;
mod open;
mod refused;
mod shown;
