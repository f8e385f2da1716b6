//! Why one state does not lie within another in the way an embedding says.

use crate::memory::BlockId;

/// What does not correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A state has an object that abstraction has lost track of.
    Lost,
    /// Functions, places or variables of the call stacks differ.
    Stack,
    /// An object has no counterpart, or one that stands for something else already.
    Object,
    /// Storage, liveness or size of two objects differ.
    Kind,
    /// The embedding gives an object another form than the general state.
    Form,
    /// An address has another alignment, or two meanings.
    Address,
    /// Cells of the special state do not hold what the general one says.
    Cells,
    /// Parts of a list are not linked as its segment says, or too few.
    List,
    /// Parts of a tree are not linked as the tree says, or too few.
    Tree,
    /// Parts of a table do not follow each other, or are not what arrays hold.
    Table,
    /// A node is of no kind that the general summary has.
    Node,
    /// Kinds of nodes do not follow one another as the general list says.
    Order,
    /// A live heap block has no counterpart.
    Unaccounted,
    /// The embedding gives a symbol a value that it may not give.
    Symbol,
    /// No values of the symbols were proposed under which everything could follow.
    Unsettled,
    /// An equation, constraint or fact of the general state does not follow from the special one.
    Constraint,
}

/// A reason, and the object of the general state it was found at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What does not hold.
    pub reason: Reason,
    /// Of the general state, where it is about one.
    pub object: Option<BlockId>,
}

impl From<Reason> for Mismatch {
    fn from(reason: Reason) -> Self {
        Self { reason, object: None }
    }
}

impl Reason {
    /// # Errors
    /// This reason, where the condition does not hold.
    pub(super) fn unless(self, holds: bool) -> Result<(), Mismatch> {
        if holds { Ok(()) } else { Err(self.into()) }
    }
}

impl Mismatch {
    /// The same, found at an object of the general state.
    pub(super) fn at(self, object: BlockId) -> Self {
        Self { object: self.object.or(Some(object)), ..self }
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.reason {
            Reason::Lost => "an object was lost by abstraction",
            Reason::Stack => "the call stacks differ",
            Reason::Object => "an object has no counterpart of its own",
            Reason::Kind => "storage, liveness or size of two objects differ",
            Reason::Form => "an object has another form than the embedding says",
            Reason::Address => "an address has another alignment or two meanings",
            Reason::Cells => "cells do not hold what the state says",
            Reason::List => "a list is not linked as the state says, or too short",
            Reason::Tree => "a tree is not linked as the state says, or too small",
            Reason::Table => "the parts of a table do not follow each other, or are not what arrays hold",
            Reason::Node => "a node is of no kind that the summary has",
            Reason::Order => "kinds of nodes do not follow one another as the list says",
            Reason::Unaccounted => "a live heap block has no counterpart",
            Reason::Symbol => "the embedding gives a symbol a value that it may not give",
            Reason::Unsettled => "no values of symbols were proposed that fit",
            Reason::Constraint => "a constraint of the state does not follow",
        })?;
        match self.object {
            Some(block) => write!(f, " (object {})", block.0),
            None => Ok(()),
        }
    }
}
