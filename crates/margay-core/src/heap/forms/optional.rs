//! A block that may be absent.

use std::rc::Rc;

use super::{Body, Change, Form, Held, Role, Sketch, Summary, Surroundings, Visitor, WellFormed};
#[cfg(any(test, feature = "testing"))]
use super::{Lead, Piece, Unfolding};
use crate::base::error::ensure;
use crate::heap::context::Context;
use crate::heap::graph::{Object, Smg};
use crate::memory::BlockId;
use crate::smt::Term;

/// A block that may be absent; its owner has the block's content. Only inside bodies.
#[derive(Clone, Copy, Debug)]
pub struct Optional {
    /// The block's address when it is absent. This may be an address of the same body (a ring of nodes that its owner closes is a
    /// pointer of the owner to itself when it is empty).
    pub absent: Term,
}

impl Summary for Optional {
    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.term(Role::Empty, self.absent);
    }

    fn map(&self, change: &mut dyn Change) -> Form {
        Form::Optional(Self { absent: change.term(self.absent) })
    }

    fn ends(&self) -> &[BlockId] {
        &[]
    }

    fn bodies(&self) -> &[Rc<Body>] {
        &[]
    }

    fn link_offsets(&self) -> Vec<u64> {
        Vec::new()
    }

    fn least(&self) -> u32 {
        0
    }

    fn nonempty(&self) -> Option<Form> {
        Some(Form::Region)
    }

    fn empty(&self, _context: &Context, owner: BlockId) -> Vec<(BlockId, Term)> {
        vec![(owner, self.absent)]
    }

    fn holds(&self, _owner: BlockId, _from: BlockId, _held: &mut Held) {}

    fn materialise(&self, memory: Smg, owner: BlockId, _at: BlockId) -> Vec<Smg> {
        self.release(memory, owner, &[owner])
    }

    fn release(&self, memory: Smg, owner: BlockId, siblings: &[BlockId]) -> Vec<Smg> {
        let mut present = memory.clone();
        if let Some(object) = present.object_mut(owner) {
            object.form = Form::Region;
        }
        present.place_ends(owner);
        let absent = memory.without(owner, self).map(|memory| memory.pruned(siblings));
        [present].into_iter().chain(absent).collect()
    }

    fn well_formed(&self, around: &Surroundings, owner: &Object) -> WellFormed {
        let terms = &around.context.terms;
        ensure(!around.alone, || "a block outside of bodies may be absent".into())?;
        ensure(terms.width(self.absent) == terms.width(owner.address), || "an absent address is too narrow".into())
    }

    fn sketch(&self) -> Sketch {
        Sketch { title: "maybe".into(), absent: Some(self.absent), ..Sketch::default() }
    }

    #[cfg(any(test, feature = "testing"))]
    fn unfoldings(&self, context: &Context, owner: BlockId, nodes: u32) -> Vec<Unfolding> {
        match nodes {
            0 => vec![Unfolding::empty(self, context, owner)],
            1 => vec![Unfolding { pieces: vec![Piece::own()], ends: vec![(owner, Lead::Node(0))], order: None }],
            _ => Vec::new(),
        }
    }
}
