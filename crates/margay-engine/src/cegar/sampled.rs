//! What a few runs of the program show of its variables: asked for when a precision wants to know.

use std::cell::OnceCell;

use crate::cfa::Program;
use crate::concrete::{SampledPlace, Samples};
use crate::explore::Sampler;
use crate::fold::{Number, Place};
use crate::memory::Checks;

/// Samples of one program, made once.
pub struct Sampled<'p> {
    program: &'p Program,
    checks: Checks,
    samples: OnceCell<Samples>,
}

impl<'p> Sampled<'p> {
    /// Nothing is run yet.
    pub fn new(program: &'p Program, checks: Checks) -> Self {
        Self { program, checks, samples: OnceCell::new() }
    }
}

impl Sampler for Sampled<'_> {
    fn values(&self, place: Place, number: Number, bytes: u64) -> (usize, usize) {
        let samples = self.samples.get_or_init(|| Samples::of(self.program, &self.checks, 0));
        let sampled = match number {
            Number::Register(function, register) => SampledPlace::Register { function, register },
            Number::Cell(site, offset) => SampledPlace::Object { site, offset, bytes },
        };
        let (visits, values) = samples.values(place, sampled);
        (visits, values.len())
    }
}
