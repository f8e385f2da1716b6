//! The language: front end, lowering, interpreter and library, held against gcc and the C library.

mod corpus_front;
mod csmith_vs_gcc;
mod initialisers_vs_gcc;
mod interpreter_vs_gcc;
mod layout_vs_gcc;
mod library_vs_glibc;
mod lowering_vs_gcc;
mod programs_vs_gcc;
#[path = "../random/mod.rs"]
mod random;
mod robust_front;
mod robust_lowering;
