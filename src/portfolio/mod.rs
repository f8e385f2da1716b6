//! One question – a file, a data model, the checks of one property file – and its answer.

mod decide;

pub use decide::{Stats, decide};

use std::path::Path;

use crate::base::error::Result;
use crate::base::limits::Limits;
use crate::task::{DataModel, Property};
use crate::verdict::{Verdict, Why};

/// What is asked.
pub struct Job<'a> {
    pub file: &'a Path,
    pub model: DataModel,
    /// The checks of one property file: answered together.
    pub properties: &'a [Property],
    pub limits: &'a Limits,
    pub options: &'a Options,
}

/// How to go about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `malloc` and its kin may return null.
    pub malloc_may_fail: bool,
    /// Of every random choice.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub verdict: Verdict,
    /// Figures for people: key and value, in the order to print.
    pub stats: Vec<(String, String)>,
}

/// Answers `job`.
///
/// # Errors
/// Input that is no C program: unreadable, not C, or C with errors. What the tool does not handle is an answer, not an error.
pub fn verify(job: &Job) -> Result<Answer> {
    let _ = (job.file, job.model, job.properties, job.limits, job.options);
    Ok(Answer { verdict: Verdict::Unknown(Why::NotProved("no analysis yet".into())), stats: Vec::new() })
}
