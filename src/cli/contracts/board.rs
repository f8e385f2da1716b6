//! What is known so far while functions are analysed: printed as soon as it is settled, and written at the end, whatever ends the
//! work.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

use super::super::Refused;
use super::super::output::say;
use super::super::progress::progress_bar;
use super::super::supervise::Stop;
use super::Known;
use crate::api::units::Unit;
use crate::open::{Causes, FunctionReport};
use crate::report::{Detail, contracts_text, errors_text};

/// Which functions are shown, and what of them.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Those of headers, too.
    pub headers: bool,
    /// Only the one of this name.
    pub only: Option<String>,
    pub detail: Detail,
    pub what: Printed,
}

/// What is printed of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    Contracts,
    Errors,
    Nothing,
}

/// Shared by the thread that analyses and the one that waits for it.
pub struct Board {
    shown: Shown,
    state: Mutex<State>,
}

/// By file and function, in the order of the text.
struct State {
    units: Arc<Vec<Unit>>,
    reports: Vec<Vec<FunctionReport>>,
    printed: Vec<Vec<bool>>,
    causes: Causes,
    progress: ProgressBar,
    /// Standard output took nothing any more.
    is_closed: bool,
}

impl Board {
    pub fn new(shown: Shown) -> Self {
        let state = State {
            units: Arc::default(),
            reports: Vec::new(),
            printed: Vec::new(),
            causes: Causes::default(),
            progress: ProgressBar::hidden(),
            is_closed: false,
        };
        Self { shown, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Files were read; nothing is known of their functions yet.
    pub fn begin(&self, units: Arc<Vec<Unit>>) {
        let mut state = self.state();
        let unknown = |unit: &Unit| {
            let why = "the work ended before it was analysed";
            let functions = unit.open.functions.iter();
            let unknown = |id| FunctionReport::not_analysed(&unit.open, id, why.to_owned());
            functions.map(|id| FunctionReport { unfinished: true, ..unknown(*id) }).collect()
        };
        state.reports = units.iter().map(unknown).collect();
        state.printed = state.reports.iter().map(|reports| vec![false; reports.len()]).collect();
        state.progress = progress_bar(state.reports.iter().map(Vec::len).sum());
        state.units = units;
    }

    /// Something was found of a function of a file, and perhaps all that will be.
    pub fn found(&self, file: usize, report: &FunctionReport, is_settled: bool) {
        let mut state = self.state();
        let is_same = |known: &FunctionReport| {
            (&known.name, &known.file, known.line) == (&report.name, &report.file, report.line)
        };
        let Some(index) = state.reports[file].iter().position(is_same) else { return };
        if report.keeps(&state.reports[file][index]) {
            state.reports[file][index] = report.clone();
        }
        if is_settled {
            self.print(&mut state, file, index);
        }
    }

    fn print(&self, state: &mut State, file: usize, index: usize) {
        if std::mem::replace(&mut state.printed[file][index], true) {
            return;
        }
        let report = &state.reports[file][index];
        state.progress.set_message(report.name.to_string());
        state.progress.inc(1);
        let is_own = *report.file == *state.units[file].path.display().to_string();
        let is_meant = self.shown.only.as_deref().is_none_or(|only| *report.name == *only);
        if self.shown.what == Printed::Nothing || state.is_closed || !is_meant || !(is_own || self.shown.headers) {
            return;
        }
        let fresh = state.causes.fresh(report);
        let text = match self.shown.what {
            Printed::Errors => errors_text(&fresh, self.shown.detail.latent),
            _ => contracts_text(&fresh, self.shown.detail),
        };
        state.is_closed = state.progress.suspend(|| say(&text)).is_err();
    }

    /// The work is done, and these are its results.
    pub fn finish(&self, reports: Vec<Vec<FunctionReport>>) {
        self.state().reports = reports;
    }

    /// Prints what was not yet printed; the files, and what was found of each. There are none where the work ended before all were
    /// read.
    ///
    /// # Errors
    /// Not all was printed.
    pub fn results(&self, stop: Option<Stop>) -> Result<Known, Refused> {
        let mut state = self.state();
        for file in 0..state.reports.len() {
            for index in 0..state.reports[file].len() {
                self.print(&mut state, file, index);
            }
        }
        state.progress.finish_and_clear();
        if state.is_closed {
            return Err(Refused);
        }
        Ok(Known { units: state.units.clone(), found: state.reports.clone(), stop })
    }
}
