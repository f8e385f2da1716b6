//! The graph: objects with their content, the points-to function, the numeric store.

use std::rc::Rc;

use imbl::{OrdMap, Vector};

use super::content::{Content, Found};
use super::context::{Context, Semantics, SymbolKind};
use super::forms::Form;
use super::numeric::Store;
use crate::memory::{BlockId, BlockKind, BlockSpec, Origin};
use crate::smt::{SymId, Term};

/// An object: one contiguous block of the program, or one end of a list segment.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it stands for; the ends of a segment have no content of their own.
    pub form: Form,
    /// Why it exists.
    pub kind: BlockKind,
    /// Bytes, of pointer width.
    pub size: Term,
    /// The address symbol.
    pub address: Term,
    /// Freed or out of scope when `false`; such objects have no content.
    pub valid: bool,
    /// Reported as a leak already.
    pub lost: bool,
    /// What its bytes hold.
    pub content: Content,
    /// Where it comes from.
    pub origin: Origin,
}

/// What a run was given or assumed, in order: enough to find inputs that lead here.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// The next nondeterministic value.
    Input(Term),
    /// The first read of bytes that were never written, or filled with arbitrary ones.
    Content {
        /// The block they belong to.
        block: BlockId,
        /// Of the first one.
        offset: u64,
        /// How many.
        bytes: u32,
        /// What they hold.
        value: Term,
    },
    /// Bytes from this address on were filled with arbitrary ones.
    Received {
        /// Of the first one.
        to: Term,
        /// How many.
        size: Term,
    },
    /// A branch or bound that was assumed.
    Assumed(Term),
    /// Memory that is no object of the program was used at this address.
    Outside(Term),
}

/// A symbolic memory graph.
#[derive(Clone)]
pub struct Smg {
    /// Terms, solver and what else all states of an analysis share.
    pub context: Rc<Context>,
    /// How precisely operations follow it.
    pub semantics: Semantics,
    /// By block.
    pub objects: OrdMap<BlockId, Rc<Object>>,
    /// By address symbol: the block that starts there.
    pub points_to: OrdMap<SymId, BlockId>,
    /// What is known of numbers.
    pub store: Store,
    /// The next block's number.
    pub next_block: u32,
    /// The next input's number.
    pub next_input: u32,
    /// The number of the next value about which nothing is known.
    pub next_forgotten: u32,
    /// What the run was given or assumed, in order.
    pub history: Vector<Event>,
    /// Conditions were assumed without asking whether all of them can hold.
    pub(super) is_supposed: bool,
}

impl Smg {
    /// The empty memory.
    pub fn new(context: Rc<Context>) -> Self {
        Self {
            context,
            semantics: Semantics::default(),
            objects: OrdMap::new(),
            points_to: OrdMap::new(),
            store: Store::default(),
            next_block: 0,
            next_input: 0,
            next_forgotten: 0,
            history: Vector::new(),
            is_supposed: false,
        }
    }

    /// The context all states of the analysis share.
    pub fn context(&self) -> &Rc<Context> {
        &self.context
    }

    /// All objects with their blocks, in order of creation.
    pub fn blocks(&self) -> impl Iterator<Item = (BlockId, &Object)> {
        self.objects.iter().map(|(block, object)| (*block, object.as_ref()))
    }

    /// The object of a block, if there is one.
    pub fn block(&self, block: BlockId) -> Option<&Object> {
        self.object(block).map(Rc::as_ref)
    }

    /// The object of a block, shared, if there is one.
    pub fn object(&self, block: BlockId) -> Option<&Rc<Object>> {
        self.objects.get(&block)
    }

    /// The object of `block`, for change; blocks resolved from an address always have one.
    pub fn object_mut(&mut self, block: BlockId) -> Option<&mut Object> {
        self.objects.get_mut(&block).map(Rc::make_mut)
    }

    /// A new block.
    pub fn add_object(&mut self, spec: BlockSpec<Term>) -> BlockId {
        let block = BlockId(self.next_block);
        self.next_block += 1;
        let alignment = spec.align.max(1).trailing_zeros();
        let address = self.context.symbol(SymbolKind::Address(block), self.context.model.pointer_bits(), alignment);
        if let Some(symbol) = self.context.terms.as_symbol(address) {
            self.points_to.insert(symbol, block);
            self.store.place_object(&self.context, symbol, spec.size);
        }
        let object = Object {
            form: Form::Region,
            kind: spec.kind,
            size: spec.size,
            address,
            valid: true,
            lost: false,
            content: Content::new(spec.zeroed),
            origin: spec.origin,
        };
        self.objects.insert(block, Rc::new(object));
        block
    }

    /// The object dies; its address remains, pointing to something invalid.
    pub fn kill(&mut self, block: BlockId) {
        if let Some(object) = self.object_mut(block) {
            object.valid = false;
            object.content = Content::new(false);
        }
    }

    /// Memory from outside lies at `address`.
    pub(super) fn note_outside(&mut self, address: Term) {
        self.history.push_back(Event::Outside(address));
    }

    /// A value about which nothing is known.
    pub fn forgotten(&mut self, width: u32) -> Term {
        let n = self.next_forgotten;
        self.next_forgotten += 1;
        self.context.symbol(SymbolKind::Forgotten(n), width, 0)
    }

    /// The pointer that stands at `offset` of a region.
    pub fn field(&self, block: BlockId, offset: u64) -> Option<Term> {
        let bytes = u64::from(self.context.model.pointer_bytes());
        let object = self.object(block).filter(|object| object.is_region() && object.valid)?;
        let size = self.context.terms.as_const(object.size)?;
        if u128::from(offset + bytes) > size {
            return None;
        }
        match object.content.read(&self.context.terms, offset, bytes) {
            Found::Value(value) => Some(value),
            _ => None,
        }
    }
}
