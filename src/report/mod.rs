//! Text for people: excerpts, counterexamples, tables, scores.

mod excerpt;
mod results;
mod scores;
mod table;
mod trace;

pub use excerpt::{Sources, error_text};
pub use results::{Outcome, Status, from_csv, status, to_csv};
pub use scores::{changes_text, results_text};
pub use table::{Align, table};
pub use trace::{counterexample_text, steps_text};
