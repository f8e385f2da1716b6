//! What one run of a program is given: all that C and the environment leave open.

use std::collections::BTreeMap;

/// What a concrete run was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Results of nondeterministic operations ([`crate::cfa::Op::Nondet`] and registers read before set), in order of execution;
    /// a run that asks for more gets zeros.
    pub values: Vec<u128>,
    /// Bytes of memory that was read before it was written: (block number, byte offset) → byte; zero where absent. What the n-th
    /// [`Op::Havoc`](crate::cfa::Op::Havoc) of the run that filled any byte left open, a line of input say, has [`RECEIVED`]` + n` in
    /// place of the block number.
    pub bytes: BTreeMap<(u32, u64), u8>,
    /// Where new blocks lie.
    pub addresses: Addresses,
}

/// Numbers from here on stand for parts of the input that were received; no run has so many blocks.
pub const RECEIVED: u32 = 1 << 31;

/// Where an implementation puts new objects, which C leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addresses {
    /// Each at an address that no other object has had; later ones higher.
    #[default]
    Fresh,
    /// Where an object of the same size was before, the last one first; on the stack, later ones lower.
    Reused,
}
