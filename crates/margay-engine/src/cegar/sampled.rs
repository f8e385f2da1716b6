//! What a few runs of the program show of its variables: asked for when a precision wants to know.

use std::cell::{OnceCell, RefCell};

use rustc_hash::FxHashMap;

use crate::cfa::Program;
use crate::concrete::{SampledPlace, Samples};
use crate::explore::Sampler;
use crate::fold::{Number, Place};
use crate::memory::Checks;

/// A number of so many bytes, seen from a place.
type Question = (Place, Number, u64);

/// Samples of one program, made once.
pub struct Sampled<'p> {
    program: &'p Program,
    checks: Checks,
    samples: OnceCell<Samples>,
    /// Answers given before: each visit of a loop asks for all its variables.
    known: RefCell<FxHashMap<Question, (usize, usize)>>,
}

impl<'p> Sampled<'p> {
    /// Nothing is run yet.
    pub fn new(program: &'p Program, checks: Checks) -> Self {
        Self { program, checks, samples: OnceCell::new(), known: RefCell::default() }
    }
}

impl Sampler for Sampled<'_> {
    fn values(&self, place: Place, number: Number, bytes: u64) -> (usize, usize) {
        if let Some(known) = self.known.borrow().get(&(place, number, bytes)) {
            return *known;
        }
        let samples = self.samples.get_or_init(|| Samples::of(self.program, &self.checks, 0));
        let sampled = match number {
            Number::Register(function, register) => SampledPlace::Register { function, register },
            Number::Cell(site, offset) => SampledPlace::Object { site, offset, bytes },
        };
        let (visits, values) = samples.values(place, sampled);
        let answer = (visits, values.len());
        self.known.borrow_mut().insert((place, number, bytes), answer);
        answer
    }
}
