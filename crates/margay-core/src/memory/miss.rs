//! Errors that know their fixes: what a bi-abductive analysis adds to a precondition.
//!
//! A run from a precondition that describes a part of memory only may need more of it. What a closed program does not own is an
//! error; here it is a [`Miss`], and its fix is the piece of memory that is not there.

use super::{Fault, Stuck};
use crate::typed_id;

typed_id! {
    /// A logical variable of a precondition: an address of which nothing is known but what the precondition says of it.
    Anchor
}

/// `bytes` bytes at `offset` behind an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The variable.
    pub anchor: Anchor,
    /// In bytes.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
}

/// An operation needs bytes that nothing provides. The memory it comes with is the one before the operation, on the runs that need
/// them: once there is memory at `place`, the operation may be tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The fix. More may be missing besides.
    pub place: Place,
    /// What it is where they are not provided.
    pub fault: Fault,
}

/// Where nothing is abduced, a miss ends a path as not known: never as a violation, and never without a word.
impl From<Miss> for Stuck {
    fn from(miss: Miss) -> Self {
        Stuck::foreign(format!("memory that nothing is known of is used ({})", miss.fault.detail))
    }
}
