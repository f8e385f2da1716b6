//! Text for people: excerpts, counterexamples, tables, scores.

mod excerpt;
mod trace;

pub use excerpt::{Sources, error_text};
pub use trace::counterexample_text;
