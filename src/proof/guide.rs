//! Who says how an arrival lies within a state of a proof. Nothing that is said here is believed: see [`super::verify`].

use super::binding::Binding;
use crate::heap::State;
use crate::written::{Embedding, Landing, Proof};

/// What has to lie within some state of a proof.
pub struct Arrival<'a> {
    pub proof: &'a Proof,
    pub state: &'a State,
    /// The states of the proof it may lie in: those of its context with its call stack, or the entries with its call stack.
    pub candidates: &'a [usize],
    /// What the proof says of arrivals by the same path.
    pub told: &'a [&'a Landing],
    /// How many came by the same path before.
    pub nth: usize,
}

/// An untrusted source of embeddings.
pub trait Guide {
    /// Proposes states of the proof and embeddings in them, until `accepts` takes one or there are no more.
    fn embed(&self, arrival: &Arrival, accepts: &mut dyn FnMut(usize, &Embedding) -> bool);

    /// Chooses what symbols stand for that the embedding does not say; whether there is hope.
    fn settle(&self, _binding: &mut Binding) -> bool {
        true
    }
}

/// What the proof itself says, and nothing else.
pub struct Told;

impl Guide for Told {
    fn embed(&self, arrival: &Arrival, accepts: &mut dyn FnMut(usize, &Embedding) -> bool) {
        if let Some(Landing { target, embedding: Some(embedding), .. }) = arrival.told.get(arrival.nth) {
            accepts(*target, embedding);
        }
    }
}
