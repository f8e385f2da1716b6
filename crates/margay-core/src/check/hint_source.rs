//! Who says how an arrival lies within a state of a proof, and what a function shares with its callers. Nothing that is said here
//! is believed: see [`super::verify`] and [`super::frame`].

use super::binding::Binding;
use crate::certificate::{CoverEdge, Embedding, Proof};
use crate::cfa::FunctionId;
use crate::frame::Sharing;
use crate::heap::State;
use crate::memory::Checks;

/// What has to lie within some state of a proof.
pub struct Arrival<'a> {
    /// The proof that is checked.
    pub proof: &'a Proof,
    /// Where the run has arrived.
    pub state: &'a State,
    /// The states of the proof it may lie in: those of its context with its call stack, or the entries with its call stack.
    pub candidates: &'a [usize],
    /// What the proof says of arrivals by the same path.
    pub recorded: &'a [&'a CoverEdge],
    /// How many came by the same path before.
    pub nth: usize,
}

/// An untrusted source of what a check needs to know and only verifies.
pub trait HintSource {
    /// Proposes states of the proof and embeddings in them, until `accepts` takes one or there are no more.
    fn embed(&self, arrival: &Arrival, accepts: &mut dyn FnMut(usize, &Embedding) -> bool);

    /// Chooses what symbols stand for that the embedding does not say; whether there is hope.
    fn settle(&self, _binding: &mut Binding) -> bool {
        true
    }
    /// Whether `function` is followed once for all callers.
    fn is_summarised(&self, function: FunctionId) -> bool;

    /// What a function that `state` has just entered shares with the rest of it, in the order of the outside frame's registers.
    /// `None`: this call is followed within its caller.
    fn shared(&self, checks: &Checks, state: &State) -> Option<Vec<Sharing>>;
}
