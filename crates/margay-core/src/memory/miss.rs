//! Errors that know their fixes: what a bi-abductive analysis adds to a precondition.
//!
//! A run from a precondition that describes a part of memory only may need more of it. What a closed program does not own is an
//! error; here it is a [`Miss`], and its fix is the heaplet that is not there.

use super::{Fault, Memory, Stuck};
use crate::typed_id;

typed_id! {
    /// A logical variable of a precondition: an address of which nothing is known but what was produced there.
    Anchor
}

/// `bytes` bytes at `offset` behind an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub anchor: Anchor,
    pub offset: u64,
    pub bytes: u64,
}

/// `place ↦ value`, a value of `8 * bytes` bits: the piece of memory that is these bytes and no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heaplet<V> {
    pub place: Place,
    pub value: V,
}

/// An operation needs bytes that nothing provides. The memory it comes with is the one before the operation, on the runs that need
/// them: once a heaplet is produced at `place`, the operation may be tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The fix. More may be missing besides.
    pub place: Place,
    /// What it is where nobody provides them.
    pub fault: Fault,
}

/// Where nothing is abduced, a miss ends a path as not known: never as a violation, and never without a word.
impl From<Miss> for Stuck {
    fn from(miss: Miss) -> Self {
        Stuck::foreign(format!("memory that nothing is known of is used ({})", miss.fault.detail))
    }
}

/// A memory that a precondition describes piece by piece. With `*` the separating conjunction, `self` read as a formula:
///
/// - `self.produce(h)` is `self * h`;
/// - `self.consume(p)` is a frame and a heaplet `h` at `p` with `self = frame * h`.
///
/// So consuming what was produced, with nothing in between, gives back the memory and the heaplet.
pub trait Abductive: Memory {
    /// A logical variable that is new, and its address as a value. It may be null, or equal to another one.
    fn anchor(&mut self) -> (Anchor, Self::Value);

    /// `None` where that is unsatisfiable: the memory has some of these bytes already, or the anchor is null. Bytes behind different
    /// anchors lie in different blocks from then on, which is part of what the precondition says.
    fn produce(self, heaplet: &Heaplet<Self::Value>) -> Option<Self>;

    /// # Errors
    /// What of the place is not there.
    fn consume(self, place: Place) -> Result<(Self, Heaplet<Self::Value>), Miss>;
}
