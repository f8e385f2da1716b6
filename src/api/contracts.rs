//! Contracts of functions without a caller.

use std::time::Duration;

use super::program::Prepared;
use super::units::{Unit, analyse_all, load, lowering, reported};
use super::{Error, Limits, Program};
use crate::base::error::{Error as Refusal, ErrorKind, Result};
use crate::base::limits::Limits as Bounds;
use crate::open::{Aliasing, FunctionReport, Options};

/// Infers contracts of a program's functions, and finds errors in them; it needs no `main`. Files may call each other.
#[derive(Clone, Debug)]
pub struct Contracts {
    program: Program,
    how: Options,
    headers: bool,
    malloc_may_fail: bool,
    limits: Limits,
}

impl Contracts {
    /// Of all functions that the program's files define.
    pub fn new(program: Program) -> Self {
        Self { program, how: Options::default(), headers: false, malloc_may_fail: false, limits: Limits::none() }
    }

    /// Only of this function; those that it calls are analysed as well.
    pub fn function(mut self, name: impl Into<String>) -> Self {
        self.how.only = Some(name.into());
        self
    }

    /// Reports functions that headers define, too.
    pub fn headers(self, reported: bool) -> Self {
        Self { headers: reported, ..self }
    }

    /// Which addresses may be guessed to be equal where memory is missing; none by default.
    pub fn aliasing(mut self, aliasing: Aliasing) -> Self {
        self.how.aliasing = aliasing;
        self
    }

    /// Lets `malloc`, `calloc` and `realloc` return null as well; by default allocation never fails.
    pub fn malloc_may_fail(self, may_fail: bool) -> Self {
        Self { malloc_may_fail: may_fail, ..self }
    }

    /// How many functions are analysed at a time, one by default.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.how.jobs = jobs.max(1);
        self
    }

    /// Time for each function, a minute by default.
    pub fn time_for_each(mut self, time: Duration) -> Self {
        self.how.patience = time;
        self
    }

    /// What all of it may cost. What is not finished is reported as far as it is known.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// What is found of each function, in the order of the files.
    ///
    /// # Errors
    /// Input that is no C program, or has a construct that is not supported; no function of the name that was asked for.
    pub fn infer(&self) -> std::result::Result<Vec<FunctionReport>, Error> {
        let program = self.program.prepare()?;
        let found = self.limits.run(|bounds| self.found(&program, bounds))?;
        found.map_err(|error| program.error(error))
    }

    fn found(&self, program: &Prepared, limits: &Bounds) -> Result<Vec<FunctionReport>> {
        let load = |text| load(text, &[], self.program.model(), lowering(self.malloc_may_fail));
        let units: Vec<Unit> = program.files().iter().map(load).collect::<Result<_>>()?;
        let found = analyse_all(&units, &self.how, limits, None, &|_, _, _| {});
        let reports = reported(&units, found, self.headers, self.how.only.as_deref())?;
        let reports: Vec<FunctionReport> = reports.into_iter().flat_map(|(_, reports)| reports).collect();
        // Names of files stand in expressions, too.
        let renamed = serde_json::to_string(&reports).and_then(|text| serde_json::from_str(&program.named(&text)));
        renamed.map_err(|error| Refusal::new(ErrorKind::Io, format!("the contracts cannot be written: {error}")))
    }
}
