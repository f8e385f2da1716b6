//! The results of many tasks: what answers are worth, kept in files, compared with others, as text, plots and a page.

mod compare;
mod csv;
mod junit;
mod others;
mod page;
mod plots;
mod results;
mod scores;

pub use compare::{Beside, beside_text, changes_text, loses_any};
pub use junit::to_junit;
pub use others::{Table, read_tables};
pub use page::results_page;
pub use plots::{quantile_plot, scatter_plot};
pub use results::{Outcome, Status, from_csv, status, to_csv};
pub use scores::results_text;
pub(super) use scores::{score_line, suite_rows};
