//! Blocks of a function under construction, and where jumps land in them.

use super::super::ir::{Loc, SlotId};
use crate::c::syntax;
use crate::typed_id;

typed_id! {
    /// A block of the function; the first is the function's own.
    ScopeId
}

#[derive(Clone, Debug, Default)]
pub struct Scope<'u> {
    pub parent: Option<ScopeId>,
    pub depth: u32,
    /// Objects of the block; `true` for those that come into being at entry (not VLAs, compound literals, temporaries).
    pub slots: Vec<(SlotId, bool)>,
    /// Evaluated where the block is left; whether by jumps out of calls as well.
    pub cleanup: Option<(&'u syntax::Expr, bool)>,
    /// It is the rest of its parent's block, after a declaration with an end of its own.
    pub is_rest: bool,
}

impl Scope<'_> {
    pub fn add(&mut self, slot: SlotId, at_entry: bool) {
        if !self.slots.iter().any(|&(known, _)| known == slot) {
            self.slots.push((slot, at_entry));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.cleanup.is_none()
    }
}

/// A `switch` whose body is being lowered.
#[derive(Debug, Default)]
pub struct SwitchContext {
    pub width: u32,
    /// In order of appearance: lowest and highest value, and where to go.
    pub cases: Vec<(i128, i128, JumpTarget)>,
    pub default: Option<JumpTarget>,
}

/// A jump target in a scope.
#[derive(Clone, Copy, Debug)]
pub struct JumpTarget {
    pub loc: Loc,
    pub scope: ScopeId,
}
