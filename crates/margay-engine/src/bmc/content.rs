//! The bytes of memory as a log of writes, newest first; `reads` looks through it.
//!
//! `heap : Time → Address → Value` of section 4.1 of the paper, kept as the if-then-else over the writes that the
//! continuations of section 4.2 thread through a block of commands.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::smt::Term;
use crate::typed_id;

typed_id! {
    /// A content of memory: the log up to this entry.
    ContentId
}

/// The newest change, and what was before it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// Whatever memory was at first.
    Root,
    /// As many bytes as the value has.
    Write {
        to: Term,
        value: Term,
        before: ContentId,
    },
    Fill {
        to: Term,
        byte: Term,
        size: Term,
        before: ContentId,
    },
    /// Arbitrary bytes.
    Havoc {
        to: Term,
        size: Term,
        /// They are a part of the input, not what stood there before.
        received: bool,
        before: ContentId,
    },
    Copy {
        to: Term,
        from: Term,
        size: Term,
        before: ContentId,
    },
    /// Two runs meet.
    Join {
        condition: Term,
        then: ContentId,
        otherwise: ContentId,
    },
}

/// Reads of arbitrary bytes at one entry: addresses of aligned groups of [`GROUP_BYTES`] and their values.
pub(super) type Guesses = Vec<(Term, Term)>;

/// All contents of one question.
pub(super) struct ContentLog {
    entries: RefCell<Vec<Change>>,
    pub reads: RefCell<FxHashMap<(ContentId, Term, u32), Term>>,
    pub guesses: RefCell<FxHashMap<ContentId, Guesses>>,
}

/// Arbitrary bytes get their values in aligned groups, so that a word is one symbol.
pub(super) const GROUP_BYTES: u32 = 8;

pub(super) const ROOT: ContentId = ContentId(0);

impl ContentLog {
    pub fn new() -> Self {
        let entries = RefCell::new(vec![Change::Root]);
        Self { entries, reads: RefCell::default(), guesses: RefCell::default() }
    }

    pub fn push(&self, change: Change) -> ContentId {
        let mut entries = self.entries.borrow_mut();
        let id = ContentId::from_index(entries.len());
        entries.push(change);
        id
    }

    pub fn join(&self, condition: Term, then: ContentId, otherwise: ContentId) -> ContentId {
        if then == otherwise { then } else { self.push(Change::Join { condition, then, otherwise }) }
    }

    pub fn entry(&self, id: ContentId) -> Change {
        self.entries.borrow()[id.index()]
    }

    /// The ranges of arbitrary bytes, in order: start, size, whether they are received, and guesses about them.
    pub fn guesses(&self) -> Vec<(Term, Term, bool, Guesses)> {
        let guesses = self.guesses.borrow();
        let range = |(index, change): (usize, &Change)| match *change {
            Change::Havoc { to, size, received, .. } => {
                let of = guesses.get(&ContentId::from_index(index)).cloned().unwrap_or_default();
                Some((to, size, received, of))
            }
            _ => None,
        };
        self.entries.borrow().iter().enumerate().filter_map(range).collect()
    }
}
