//! List segments: what a whole chain of equal nodes is, as one pair of objects.
//!
//! A segment stands for at least two live heap blocks in a row. Its first and its last node have an address of their own
//! (and are objects of their own, so that all that is true of addresses of distinct objects is true of them):
//! ```text
//!        first                                  last
//!   prev ◀─┐ ┌──────┐    ┌──────┐        ┌──────┐
//!          └─┤ body ├───▶│ body ├─▶ … ──▶│ body ├───▶ next
//!            └──────┘◀───┴──────┘        └──────┘
//! ```
//! Each node has the content of the body and links at the offsets of [`Links`]; symbols *bound* in the body
//! have a value of their own in each node, all other symbols one value for all. Blocks that hang below one node only are
//! objects of the body. A list that may be shorter is a state of its own; only segments inside a body, one per node of an
//! outer list, may stand for fewer than two nodes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::content::{Cell, Content};
use super::context::{Context, SymbolKind};
use super::graph::Object;
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// What an object stands for.
#[derive(Clone, Debug)]
pub enum Form {
    Region,
    /// The first node of a segment.
    First(Rc<Segment>),
    /// The last node of the segment with this first one.
    Last(BlockId),
    /// A region that may be absent; its address is this value then. Only inside bodies; the value may be an address of the
    /// same body (a ring of nodes that its owner closes is a pointer of the owner to itself when it is empty).
    Optional(Term),
}

/// Where the nodes of a list hold their links, and where links point to: bytes from the start of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Links {
    /// Links point here.
    pub head: u64,
    /// The link to the following node.
    pub next: u64,
    /// The link to the preceding node of a doubly linked list; greater than `next` (which direction is "next" is convention).
    pub prev: Option<u64>,
}

/// A chain of nodes.
#[derive(Clone, Debug)]
pub struct Segment {
    pub last: BlockId,
    pub links: Links,
    /// At least so many nodes; at least two outside of bodies.
    pub min_len: u32,
    /// What the last node's `next` holds.
    pub next: Term,
    /// What the first node's `prev` holds.
    pub prev: Option<Term>,
    /// Where pointers to the first and to the last node lead when there is no node, if not to what follows and precedes: a
    /// ring leads to itself, and its owner to nothing. Only where `min_len` is zero.
    pub empty: Option<Term>,
    pub body: Rc<Body>,
}

/// What each node of a segment looks like.
#[derive(Clone, Debug)]
pub struct Body {
    /// The node itself, then what hangs below it; block ids are positions in this list.
    pub objects: Vec<Object>,
    /// What holds of the bound symbols, in each node.
    pub facts: Vec<Term>,
    /// Greater than the depth of every body inside; tells bound symbols of nested bodies apart.
    pub depth: u8,
}

impl Object {
    pub fn is_region(&self) -> bool {
        matches!(self.form, Form::Region)
    }

    /// Every term in it but its own address.
    pub fn each_term(&self, visit: &mut dyn FnMut(Term)) {
        visit(self.size);
        self.content.terms().for_each(&mut *visit);
        match &self.form {
            Form::First(segment) => {
                visit(segment.next);
                segment.prev.into_iter().for_each(&mut *visit);
                segment.empty.into_iter().for_each(&mut *visit);
                segment.body.each_term(visit);
            }
            Form::Optional(absent) => visit(*absent),
            Form::Region | Form::Last(_) => {}
        }
    }

    /// The same object with every term replaced.
    pub fn map(&self, change: &mut dyn FnMut(Term) -> Term) -> Object {
        let form = match &self.form {
            Form::First(segment) => Form::First(Rc::new(Segment {
                next: change(segment.next),
                prev: segment.prev.map(&mut *change),
                empty: segment.empty.map(&mut *change),
                body: Rc::new(segment.body.map(change)),
                ..segment.as_ref().clone()
            })),
            Form::Optional(absent) => Form::Optional(change(*absent)),
            other => other.clone(),
        };
        Object {
            form,
            size: change(self.size),
            address: change(self.address),
            content: self.content.map(change),
            ..self.clone()
        }
    }

    /// The same object with blocks renamed.
    pub fn map_blocks(&self, change: &dyn Fn(BlockId) -> BlockId) -> Object {
        let form = match &self.form {
            Form::First(segment) => {
                Form::First(Rc::new(Segment { last: change(segment.last), ..segment.as_ref().clone() }))
            }
            Form::Last(first) => Form::Last(change(*first)),
            other => other.clone(),
        };
        Object { form, ..self.clone() }
    }
}

impl Body {
    /// Every term in it, addresses of its objects and facts included.
    pub fn each_term(&self, visit: &mut dyn FnMut(Term)) {
        for object in &self.objects {
            visit(object.address);
            object.each_term(visit);
        }
        self.facts.iter().copied().for_each(visit);
    }

    pub fn map(&self, change: &mut dyn FnMut(Term) -> Term) -> Body {
        Body {
            objects: self.objects.iter().map(|object| object.map(change)).collect(),
            facts: self.facts.iter().copied().map(change).collect(),
            depth: self.depth,
        }
    }

    /// The symbols bound here (not those of bodies inside), ascending.
    pub fn bound(&self, context: &Context) -> Vec<SymId> {
        let mut bound = Vec::new();
        self.each_term(&mut |term| {
            let symbols = context.terms.symbols_of(term);
            let own = |symbol: &&SymId| matches!(context.kind(**symbol), Some(SymbolKind::Bound { depth, .. }) if depth == self.depth);
            bound.extend(symbols.iter().filter(own).copied());
        });
        bound.sort_unstable();
        bound.dedup();
        bound
    }

    /// Equal codes: equal bodies.
    pub fn code(&self) -> Vec<u32> {
        let mut out = Vec::new();
        encode_body(self, &mut Plain, &mut out);
        out
    }
}

/// How terms and blocks are written down when objects are compared.
pub trait Naming {
    fn value(&mut self, value: Term) -> u32;
    fn block(&mut self, block: BlockId) -> u32;
    /// A segment's least length: part of what is compared (the number itself), or kept apart (zero).
    fn length(&mut self, min_len: u32) -> u32;
}

/// Everything as it is.
struct Plain;

impl Naming for Plain {
    fn value(&mut self, value: Term) -> u32 {
        value.0
    }

    fn block(&mut self, block: BlockId) -> u32 {
        block.0
    }

    fn length(&mut self, min_len: u32) -> u32 {
        min_len
    }
}

/// Inside a body: blocks are positions in it.
struct Inside<'a>(&'a mut dyn Naming);

impl Naming for Inside<'_> {
    fn value(&mut self, value: Term) -> u32 {
        self.0.value(value)
    }

    fn block(&mut self, block: BlockId) -> u32 {
        block.0
    }

    fn length(&mut self, min_len: u32) -> u32 {
        min_len
    }
}

const SEPARATOR: u32 = u32::MAX - 1;

/// Writes down all that matters of `object`.
pub fn encode_object(object: &Object, naming: &mut dyn Naming, out: &mut Vec<u32>) {
    let form = match object.form {
        Form::Region => 0,
        Form::First(_) => 1,
        Form::Last(_) => 2,
        Form::Optional(_) => 3,
    };
    let flags = u32::from(object.valid)
        | u32::from(object.content.is_zeroed()) << 1
        | u32::from(object.content.is_blurred()) << 2
        | (object.kind as u32) << 3
        | form << 8;
    let address = naming.value(object.address);
    out.extend([address, flags]);
    if object.valid {
        out.push(naming.value(object.size));
    }
    for edge in object.content.edges() {
        out.extend([edge.offset as u32, (edge.offset >> 32) as u32]);
        out.extend([edge.bytes as u32, (edge.bytes >> 32) as u32]);
        match edge.cell {
            Cell::Value(value) => out.push(naming.value(value)),
            Cell::Uniform(byte) => out.extend([SEPARATOR - 1, naming.value(byte)]),
            Cell::Forgotten => out.push(SEPARATOR - 2),
        }
    }
    for edge in object.content.far() {
        out.extend([SEPARATOR - 3, naming.value(edge.offset), naming.value(edge.value)]);
    }
    match &object.form {
        Form::Region => {}
        Form::First(segment) => {
            let Links { head, next, prev } = segment.links;
            let (head, next, prev) = (head as u32, next as u32, prev.map_or(u32::MAX, |prev| prev as u32));
            out.extend([head, next, prev, naming.length(segment.min_len), naming.value(segment.next)]);
            out.extend(segment.prev.map(|prev| naming.value(prev)));
            out.push(segment.empty.map_or(SEPARATOR - 3, |empty| naming.value(empty)));
            out.push(naming.block(segment.last));
            encode_body(&segment.body, naming, out);
        }
        Form::Last(first) => out.push(naming.block(*first)),
        Form::Optional(absent) => out.push(naming.value(*absent)),
    }
    out.push(SEPARATOR);
}

fn encode_body(body: &Body, naming: &mut dyn Naming, out: &mut Vec<u32>) {
    out.extend([body.objects.len() as u32, body.depth.into()]);
    for object in &body.objects {
        encode_object(object, &mut Inside(naming), out);
    }
    let mut facts: Vec<u32> = body.facts.iter().map(|fact| naming.value(*fact)).collect();
    facts.sort_unstable();
    facts.dedup();
    out.push(facts.len() as u32);
    out.extend(facts);
}

/// Replaces symbols throughout an object.
pub fn substituted(context: &Context, object: &Object, by: &FxHashMap<SymId, Term>) -> Object {
    object.map(&mut |term| context.terms.substitute(term, by))
}

/// The content of an object that has none of its own.
pub fn no_content() -> Content {
    Content::new(false)
}
