//! How a proof is checked.

use crate::smt::Effort;

/// What is kept of the edges that a check follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Nothing.
    Nothing,
    /// How arrivals lie within the states.
    Embeddings,
    /// That, and the arrivals themselves.
    Arrivals,
}

/// In how many shares a proof is checked, how many of them at a time, and how hard the solver tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// How many.
    pub shares: usize,
    /// What comes of it does not depend on it.
    pub cores: usize,
    /// On one query.
    pub effort: Effort,
    /// An access at one of several places is one state ([`Semantics::places_by_values`]), not one for each.
    ///
    /// [`Semantics::places_by_values`]: crate::heap::Semantics::places_by_values
    pub places_by_values: bool,
    /// See [`Semantics::endless_memory`]; where it is asked whether the program ends it is so anyway.
    ///
    /// [`Semantics::endless_memory`]: crate::heap::Semantics::endless_memory
    pub endless_memory: bool,
    /// What is kept of where runs arrive.
    pub keeps: Keeps,
    /// Each query goes to a new Z3 as it stands: slow, and nothing of it is our own.
    pub plain: bool,
}

impl Manner {
    /// All at once: what is found of the proof is found of all of it.
    pub const WHOLE: Manner = Manner {
        shares: 1,
        cores: 1,
        effort: Effort::NORMAL,
        places_by_values: false,
        endless_memory: false,
        keeps: Keeps::Embeddings,
        plain: false,
    };
}
