//! Which bytes belong to live blocks, and where heap blocks start: `alloc` and `objsize` of section 4.1 of the paper, as
//! one log of blocks made and blocks gone; `accesses` looks through it.
//!
//! One thing is stricter than in the paper: an access has to lie in one block, not in bytes of several neighbours, because
//! in C it would leave its object.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::memory::BlockKind;
use crate::memory::rules::Act;
use crate::smt::Term;
use crate::typed_id;

typed_id! {
    /// A state of all blocks: the log up to this entry.
    BlocksId
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Root,
    Create { base: Term, size: Term, kind: BlockKind, before: BlocksId },
    Destroy { base: Term, size: Term, before: BlocksId },
    Join { condition: Term, then: BlocksId, otherwise: BlocksId },
}

type Access = (BlocksId, Term, Term, Act);

/// All states of blocks of one question.
pub(super) struct BlockLog {
    entries: RefCell<Vec<Change>>,
    pub accesses: RefCell<FxHashMap<Access, Term>>,
    pub starts: RefCell<FxHashMap<(BlocksId, Term), (Term, Term)>>,
    pub places: RefCell<FxHashMap<(BlocksId, BlocksId, Term, Term), Term>>,
}

pub(super) const ROOT: BlocksId = BlocksId(0);

impl BlockLog {
    pub fn new() -> Self {
        let entries = RefCell::new(vec![Change::Root]);
        Self { entries, accesses: RefCell::default(), starts: RefCell::default(), places: RefCell::default() }
    }

    pub fn push(&self, change: Change) -> BlocksId {
        let mut entries = self.entries.borrow_mut();
        let id = BlocksId::from_index(entries.len());
        entries.push(change);
        id
    }

    pub fn join(&self, condition: Term, then: BlocksId, otherwise: BlocksId) -> BlocksId {
        if then == otherwise { then } else { self.push(Change::Join { condition, then, otherwise }) }
    }

    pub fn entry(&self, id: BlocksId) -> Change {
        self.entries.borrow()[id.index()]
    }
}
