//! Tests of the lowering, on small programs and on whole suites.

mod corpus;
mod dead;
mod refused;
mod shown;
