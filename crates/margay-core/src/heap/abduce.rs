//! Memory that a precondition describes piece by piece: blocks behind anchors, which own the bytes that were produced and no others.

use super::content::{Cell, Content, Found};
use super::context::SymbolKind;
use super::forms::Form;
use super::graph::{Object, Smg};
use crate::memory::{Abductive, Anchor, BlockId, BlockKind, Fault, Heaplet, Miss, Origin, Outcome, Place, Stuck};
use crate::smt::Term;
use crate::task::Violation;

impl Smg {
    fn anchor_term(&self, anchor: Anchor) -> Term {
        self.context.symbol(SymbolKind::Anchor(anchor.0), self.context.model.pointer_bits(), 0)
    }

    /// The anchor whose bytes `block` owns.
    pub(super) fn anchor_of(&self, block: BlockId) -> Option<Anchor> {
        let symbol = self.context.terms.as_symbol(self.object(block)?.address)?;
        match self.context.kind(symbol) {
            Some(SymbolKind::Anchor(n)) => Some(Anchor(n)),
            _ => None,
        }
    }

    fn anchored(&self, anchor: Anchor) -> Option<BlockId> {
        let symbol = self.context.terms.as_symbol(self.anchor_term(anchor))?;
        self.points_to.get(&symbol).copied()
    }

    /// The first bytes of `place` that nothing provides.
    fn missing(&self, place: Place) -> Option<Place> {
        let gaps = match self.anchored(place.anchor).and_then(|block| self.object(block)) {
            Some(object) => object.content.gaps(place.offset, place.bytes),
            None => vec![(place.offset, place.offset + place.bytes)],
        };
        gaps.first().map(|&(from, to)| Place { offset: from, bytes: to - from, ..place })
    }

    /// What an access to `length` bytes comes to that needs more than an anchor's block owns; `None` where it does not, or where
    /// `block` is a block like any other.
    pub(super) fn missed<T>(&self, block: BlockId, offset: Term, length: Term) -> Option<Outcome<Smg, T>> {
        let anchor = self.anchor_of(block)?;
        self.missed_behind(anchor, offset, length)
    }

    /// [`Self::missed`] of the block of an anchor, if it has one.
    pub(super) fn missed_behind<T>(&self, anchor: Anchor, offset: Term, length: Term) -> Option<Outcome<Smg, T>> {
        let number = |term: Term| self.store.constant(&self.context, term).and_then(|n| u64::try_from(n).ok());
        // Bytes before an anchor have huge offsets.
        let place = match (number(offset), number(length)) {
            (Some(offset), Some(bytes)) if offset < 1 << 31 && bytes < 1 << 31 => Place { anchor, offset, bytes },
            _ => {
                return Some(Outcome::Stuck(self.clone(), Stuck::tool("what is missing is not at a known place")));
            }
        };
        self.missing(place).map(|missing| Outcome::Miss(self.clone(), lack(missing)))
    }
}

/// The miss of these bytes.
fn lack(place: Place) -> Miss {
    let Place { anchor, offset, bytes } = place;
    let detail = format!("{bytes} bytes at offset {offset} of unknown memory {}", anchor.0);
    Miss { place, fault: Fault::new(Violation::ValidDeref, detail) }
}

impl Abductive for Smg {
    fn anchor(&mut self) -> (Anchor, Term) {
        let anchor = Anchor(self.next_anchor);
        self.next_anchor += 1;
        (anchor, self.anchor_term(anchor))
    }

    fn produce(mut self, heaplet: &Heaplet<Term>) -> Option<Self> {
        let context = self.context.clone();
        let terms = &context.terms;
        let Heaplet { place, value } = *heaplet;
        if self.missing(place) != Some(place) || u64::from(terms.width(value)) != 8 * place.bytes {
            return None;
        }
        let address = self.anchor_term(place.anchor);
        let size = |bytes: u64| context.pointer_constant(bytes);
        let end = place.offset + place.bytes;
        let block = match self.anchored(place.anchor) {
            Some(block) => block,
            None => {
                self = self.restrict(terms.ne(address, size(0)))?;
                let block = BlockId(self.next_block);
                self.next_block += 1;
                let object = Object {
                    form: Form::Region,
                    kind: BlockKind::Heap,
                    size: size(0),
                    address,
                    valid: true,
                    lost: false,
                    content: Content::new(false),
                    origin: Origin::outside("memory of a precondition"),
                };
                self.points_to.insert(terms.as_symbol(address)?, block);
                self.objects.insert(block, object.into());
                block
            }
        };
        let object = self.object_mut(block)?;
        let known = terms.as_const(object.size).and_then(|known| u64::try_from(known).ok())?;
        object.size = size(known.max(end));
        object.content.write(terms, place.offset, place.bytes, Cell::Value(value));
        Some(self)
    }

    fn consume(mut self, place: Place) -> Result<(Self, Heaplet<Term>), Miss> {
        let context = self.context.clone();
        if let Some(missing) = self.missing(place) {
            return Err(lack(missing));
        }
        let Some(block) = self.anchored(place.anchor) else {
            return Err(lack(place));
        };
        let found = self.object(block).map(|object| object.content.read(&context.terms, place.offset, place.bytes));
        let value = match found {
            Some(Found::Value(value)) => value,
            _ => self.forgotten(8 * place.bytes as u32),
        };
        if let Some(object) = self.object_mut(block) {
            object.content.set_far(Vec::new());
            object.content.open(&context.terms, place.offset, place.bytes);
        }
        // Where nothing is left, the anchor is again one of which nothing is known.
        if self.object(block).is_some_and(|object| object.content.edges().is_empty())
            && let Some(symbol) = context.terms.as_symbol(self.anchor_term(place.anchor))
        {
            self.objects.remove(&block);
            self.points_to.remove(&symbol);
        }
        Ok((self, Heaplet { place, value }))
    }
}
