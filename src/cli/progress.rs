//! How far long work is, for people who wait.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::base::status;

/// Only drawn where standard error is a terminal.
pub fn progress_bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr_with_hz(4));
    let style = ProgressStyle::with_template("[{elapsed_precise}] {bar:30} {pos}/{len} {msg} (about {eta} left)");
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// One line on standard error about work that takes long, kept up to date; nothing where that is no terminal.
pub struct StatusLine {
    is_on: bool,
    /// When the line was drawn last, since the beginning.
    drawn: Option<Duration>,
}

/// Work that is done sooner is not reported.
const SOON: Duration = Duration::from_secs(2);
const BETWEEN: Duration = Duration::from_millis(500);

impl StatusLine {
    pub fn new() -> Self {
        Self { is_on: std::io::stderr().is_terminal(), drawn: None }
    }

    /// Draws the line anew if it is time.
    pub fn announce(&mut self, wall: Duration, cpu: Duration, resident: u64) {
        if !self.is_on || wall < self.drawn.map_or(SOON, |last| last + BETWEEN) {
            return;
        }
        self.drawn = Some(wall);
        let _ = write!(std::io::stderr(), "\r\x1b[K{}", status_text(wall, cpu, resident, &status::get()));
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// `12 s, 20.1 s of CPU time, 340 MB: abstract-1, round 4`, so short that it stays one line.
fn status_text(wall: Duration, cpu: Duration, resident: u64, what: &str) -> String {
    let figures = format!("{} s, {:.1} s of CPU time, {} MB", wall.as_secs(), cpu.as_secs_f64(), resident / 1_000_000);
    let text = if what.is_empty() { figures } else { format!("{figures}: {what}") };
    text.chars().filter(|c| !c.is_control()).take(79).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_tried_and_what_it_cost() {
        let text = status_text(Duration::from_secs(12), Duration::from_millis(20_140), 340_500_000, "precise, round 4");
        assert_eq!(text, "12 s, 20.1 s of CPU time, 340 MB: precise, round 4");
        let long = status_text(Duration::ZERO, Duration::ZERO, 0, &"x\n".repeat(100));
        assert!(long.chars().count() == 79 && !long.contains('\n'), "{long}");
    }

    #[test]
    fn nothing_is_drawn_where_nothing_looks() {
        let mut line = StatusLine { is_on: false, drawn: None };
        line.announce(Duration::from_secs(60), Duration::ZERO, 0);
        assert_eq!(line.drawn, None);
        let mut line = StatusLine { is_on: true, drawn: None };
        line.announce(Duration::from_millis(1999), Duration::ZERO, 0);
        assert_eq!(line.drawn, None);
    }
}
