//! How far long work is, for people who wait.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Only drawn where standard error is a terminal.
pub fn progress_bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr_with_hz(4));
    let style = ProgressStyle::with_template("[{elapsed_precise}] {bar:30} {pos}/{len} {msg} (about {eta} left)");
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
