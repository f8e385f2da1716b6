//! Text for people: excerpts, counterexamples, tables, scores, pictures of states and transition systems.

mod acsl;
mod answer;
mod audit;
mod bench;
mod classes;
mod contracts;
mod contracts_dot;
mod contracts_sarif;
mod excerpt;
mod given;
mod harness;
mod html;
mod outline;
mod picture_dot;
mod picture_text;
mod refinement;
mod reproducer;
mod sarif;
mod summary;
mod system;
mod table;
mod trace;
mod unknown;

pub use acsl::{Annotated, Written};
pub use answer::{Answered, Reported, answer_json};
pub use audit::{Tally, audit_page, audit_text};
pub use bench::{
    Beside, Outcome, Status, Table, beside_text, changes_text, from_csv, loses_any, quantile_plot, read_tables,
    results_page, results_text, scatter_plot, status, to_csv, to_junit,
};
pub use classes::classes_text;
pub use contracts::{Detail, contracts_text, errors_text};
pub use contracts_dot::contracts_dot;
pub use contracts_sarif::contracts_sarif;
pub use excerpt::{Sources, error_text, remarks_text};
pub use harness::{Called, harness};
pub use html::{MOST_STEPS, Shown, page};
pub use outline::outline;
pub use picture_dot::pictures_dot;
pub use picture_text::picture_text;
pub use refinement::{diagnosis_text, round_clauses, round_text};
pub use reproducer::reproducer;
pub use sarif::{answer_sarif, answers_sarif};
pub use summary::{answer_summary, results_summary};
pub use system::{line, place, system_dot, system_text};
pub use table::{Align, table};
pub use trace::{Look, counterexample_text, steps_text};
pub use unknown::unknown_text;
