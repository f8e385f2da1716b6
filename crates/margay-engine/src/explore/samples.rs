//! What runs of the program show, for an exploration that cannot run it.

use crate::fold::{Number, Place};

/// What runs of the program show of its variables.
pub trait Sampler {
    /// How often a number of so many bytes was seen where runs stood at this place, and how many different values it had.
    fn values(&self, place: Place, number: Number, bytes: u64) -> (usize, usize);
}
