//! Tables: the cells of an array that lead to blocks of their own, with all that hangs below them, as one object.
//!
//! ```text
//!   array     ─ ─┬────────┬────────┬ ─ ─ ┬────────┬─ ─
//!                │ cell j │  j + 1 │     │        │         first <= j < last
//!             ─ ─┴───┬────┴───┬────┴ ─ ─ ┴───┬────┴─ ─
//!                    ▼        ▼              ▼
//!                  body     body           body
//! ```
//! The first object of the body is the cell: as many bytes as lie between one cell and the next, with the fields that are known.
//! What is bound in the body, each cell has for itself. The table says what there is for each number; that a cell holds it is said
//! by a run of the array ([`Run::table`](crate::heap::Run)). A table without such a run is lost, as a list without a pointer is.
//! No value is the address of a table, so it has none that matters.

use std::rc::Rc;

#[cfg(any(test, feature = "testing"))]
use super::Unfolding;
use super::{Body, Change, Form, Held, Outer, Role, Sketch, Summary, Surroundings, Visitor, WellFormed};
use crate::base::error::ensure;
use crate::heap::context::Context;
use crate::heap::graph::{Object, Smg};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{Term, Terms};

/// What the cells `first <= j < last` of arrays hold.
#[derive(Clone, Debug)]
pub struct Table {
    /// The number of the first cell, of pointer width.
    pub first: Term,
    /// Behind that of the last one; there is no cell where it is at most `first`.
    pub last: Term,
    /// A cell, and what hangs below it.
    pub body: Rc<Body>,
}

impl Table {
    /// That it speaks of cell `index`.
    pub fn contains(&self, terms: &Terms, index: Term) -> Term {
        terms.bool_and(terms.ule(self.first, index), terms.ult(index, self.last))
    }
}

impl Summary for Table {
    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.term(Role::Value, self.first);
        visitor.term(Role::Value, self.last);
        visitor.body(&self.body);
    }

    fn map(&self, change: &mut dyn Change) -> Form {
        let (first, last) = (change.term(self.first), change.term(self.last));
        Form::Table(Rc::new(Self { first, last, body: change.body(&self.body) }))
    }

    fn ends(&self) -> &[BlockId] {
        &[]
    }

    fn bodies(&self) -> &[Rc<Body>] {
        std::slice::from_ref(&self.body)
    }

    fn link_offsets(&self) -> Vec<u64> {
        Vec::new()
    }

    fn least(&self) -> u32 {
        0
    }

    fn has_addresses(&self) -> bool {
        false
    }

    fn emptiness(&self, context: &Context) -> Option<Term> {
        Some(context.terms.ule(self.last, self.first))
    }

    fn nonempty(&self) -> Option<Form> {
        None
    }

    fn holds(&self, _owner: BlockId, _from: BlockId, _held: &mut Held) {}

    /// No address leads here: `Smg::open_cell` takes cells out.
    fn materialise(&self, memory: Smg, _owner: BlockId, _at: BlockId) -> Vec<Smg> {
        vec![memory]
    }

    fn well_formed(&self, around: &Surroundings, owner: &Object) -> WellFormed {
        let terms = &around.context.terms;
        let bits = around.context.model.pointer_bits();
        ensure(around.alone, || "a table stands in a body".into())?;
        let (cell, below) = self.body.objects.split_first().ok_or("the body of a table is empty")?;
        ensure(cell.is_region() && cell.valid && !cell.content.is_zeroed(), || {
            "the cell of a table is no cell".into()
        })?;
        // A table is lost like a heap block, unless none of the blocks below it can be.
        let is_kind_of_table = owner.kind == BlockKind::Heap
            || owner.kind == BlockKind::Argument && below.iter().all(|object| !object.kind.can_leak());
        let alike = cell.kind == owner.kind && is_kind_of_table && cell.size == owner.size;
        ensure(alike && terms.as_const(cell.size).is_some_and(|size| size > 0), || {
            "the cells of a table are not as wide as it says".into()
        })?;
        ensure(terms.width(self.first) == bits && terms.width(self.last) == bits, || {
            "an end of a table is no pointer wide".into()
        })?;
        // The cell is a part of an array: it has no address of its own.
        let address = terms.as_symbol(cell.address);
        let speaks = |term: Term| address.is_some_and(|address| terms.symbols_of(term).contains(&address));
        let mut found = false;
        [cell].into_iter().chain(below).for_each(|object| object.each_term(&mut |term| found |= speaks(term)));
        found |= self.body.facts.iter().any(|fact| speaks(*fact));
        ensure(!found, || "a table speaks of the address of a cell".into())
    }

    fn sketch(&self) -> Sketch {
        let end = |label: &'static str, value: Term| Outer { label, at: 0, from: 0, value };
        Sketch {
            title: "TABLE".into(),
            ends: vec!["cells"],
            outer: vec![end("first", self.first), end("last", self.last)],
            ..Sketch::default()
        }
    }

    /// What a table stands for has to do with the arrays around it: the laws of γ speak of tables without cells only.
    #[cfg(any(test, feature = "testing"))]
    fn unfoldings(&self, context: &Context, owner: BlockId, nodes: u32) -> Vec<Unfolding> {
        match nodes {
            0 => vec![Unfolding::empty(self, context, owner)],
            _ => Vec::new(),
        }
    }
}
