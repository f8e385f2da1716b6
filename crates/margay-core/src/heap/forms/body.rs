//! Bodies: what one node of a summary looks like, with all that hangs below it; and objects written down for comparisons.

use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Change, Form, Role, Visitor};
use crate::heap::content::Cell;
use crate::heap::context::{Context, SymbolKind};
use crate::heap::graph::Object;
use crate::heap::run::Layout;
use crate::memory::BlockId;
use crate::smt::{SymId, Term, Terms};

/// What each node of a summary looks like; a body never changes.
#[derive(Clone, Debug)]
pub struct Body {
    parts: BodyParts,
    /// See [`Body::symbols`].
    symbols: OnceCell<Box<[SymId]>>,
}

/// What a body consists of.
#[derive(Clone, Debug)]
pub struct BodyParts {
    /// The node itself, then what hangs below it; block ids are positions in this list.
    pub objects: Vec<Object>,
    /// What holds of the bound symbols, in each node.
    pub facts: Vec<Term>,
    /// Greater than the depth of every body inside; distinguishes bound symbols of nested bodies.
    pub depth: u8,
}

impl Deref for Body {
    type Target = BodyParts;

    fn deref(&self) -> &BodyParts {
        &self.parts
    }
}

impl From<BodyParts> for Body {
    fn from(parts: BodyParts) -> Self {
        Self { parts, symbols: OnceCell::new() }
    }
}

impl Object {
    /// It stands for one block.
    pub fn is_region(&self) -> bool {
        matches!(self.form, Form::Region)
    }

    /// Every term in it but its own address.
    pub fn each_term(&self, visit: &mut dyn FnMut(Term)) {
        visit(self.size);
        self.content.terms().for_each(&mut *visit);
        if let Some(summary) = self.form.summary() {
            summary.visit(&mut EachTerm(visit));
        }
    }

    /// Every symbol that [`Object::each_term`] would find in a term, some of them more than once.
    pub fn each_symbol(&self, terms: &Terms, visit: &mut dyn FnMut(SymId)) {
        terms.symbols_of(self.size).iter().copied().for_each(&mut *visit);
        for term in self.content.terms() {
            terms.symbols_of(term).iter().copied().for_each(&mut *visit);
        }
        if let Some(summary) = self.form.summary() {
            summary.visit(&mut EachSymbol { terms, visit });
        }
    }

    /// The same object with every term replaced.
    pub fn map(&self, change: &mut dyn FnMut(Term) -> Term) -> Object {
        self.changed(&mut EveryTerm(change))
    }

    fn changed(&self, change: &mut dyn Change) -> Object {
        Object {
            form: self.form.summary().map_or_else(|| self.form.clone(), |summary| summary.map(change)),
            size: change.term(self.size),
            address: change.term(self.address),
            content: self.content.map(&mut |term| change.term(term)),
            ..self.clone()
        }
    }

    /// The same, which stands for nodes of whose addresses at most so many low bits are known to be zero.
    pub fn with_nodes_aligned(mut self, context: &Context, most: u32) -> Object {
        if let Some(summary) = self.form.summary() {
            self.form = summary.map(&mut Aligned(context, most));
        }
        self
    }

    /// The same object with blocks renamed.
    pub fn map_blocks(&self, change: &dyn Fn(BlockId) -> BlockId) -> Object {
        let form = match &self.form {
            Form::Last(owner) => Form::Last(change(*owner)),
            form => form.summary().map_or_else(|| form.clone(), |summary| summary.map(&mut Renamed(change))),
        };
        Object { form, content: self.content.with_tables(change), ..self.clone() }
    }
}

/// Every term is replaced, those of bodies included.
struct EveryTerm<'a>(&'a mut dyn FnMut(Term) -> Term);

impl Change for EveryTerm<'_> {
    fn term(&mut self, term: Term) -> Term {
        (self.0)(term)
    }

    fn body(&mut self, body: &Rc<Body>) -> Rc<Body> {
        Rc::new(body.map(self.0))
    }
}

/// Nodes are less aligned.
struct Aligned<'a>(&'a Context, u32);

impl Change for Aligned<'_> {
    fn term(&mut self, term: Term) -> Term {
        term
    }

    fn body(&mut self, body: &Rc<Body>) -> Rc<Body> {
        body.aligned(self.0, self.1)
    }
}

/// Ends are called something else.
struct Renamed<'a>(&'a dyn Fn(BlockId) -> BlockId);

impl Change for Renamed<'_> {
    fn term(&mut self, term: Term) -> Term {
        term
    }

    fn end(&mut self, end: BlockId) -> BlockId {
        (self.0)(end)
    }
}

/// Symbols are replaced; bodies that speak of none of them stay what they are.
struct Substituted<'a> {
    terms: &'a Terms,
    by: &'a FxHashMap<SymId, Term>,
}

impl Change for Substituted<'_> {
    fn term(&mut self, term: Term) -> Term {
        self.terms.substitute(term, self.by)
    }

    fn body(&mut self, body: &Rc<Body>) -> Rc<Body> {
        if !body.symbols(self.terms).iter().any(|symbol| self.by.contains_key(symbol)) {
            return body.clone();
        }
        let objects = body.objects.iter().map(|object| object.changed(self)).collect();
        let facts = body.facts.iter().map(|fact| self.terms.substitute(*fact, self.by)).collect();
        Rc::new(Body::new(objects, facts, body.depth))
    }
}

struct EachTerm<'a>(&'a mut dyn FnMut(Term));

impl Visitor for EachTerm<'_> {
    fn term(&mut self, _role: Role, term: Term) {
        (self.0)(term);
    }

    fn body(&mut self, body: &Body) {
        body.each_term(self.0);
    }
}

struct EachSymbol<'a> {
    terms: &'a Terms,
    visit: &'a mut dyn FnMut(SymId),
}

impl Visitor for EachSymbol<'_> {
    fn term(&mut self, _role: Role, term: Term) {
        self.terms.symbols_of(term).iter().copied().for_each(&mut *self.visit);
    }

    fn body(&mut self, body: &Body) {
        body.symbols(self.terms).iter().copied().for_each(&mut *self.visit);
    }
}

impl Body {
    /// A body of these objects, the first of which is the node.
    pub fn new(objects: Vec<Object>, facts: Vec<Term>, depth: u8) -> Self {
        BodyParts { objects, facts, depth }.into()
    }

    /// All symbols of its terms, bound ones included, ascending.
    pub fn symbols(&self, terms: &Terms) -> &[SymId] {
        self.symbols.get_or_init(|| {
            let mut symbols = Vec::new();
            for object in &self.objects {
                symbols.extend_from_slice(&terms.symbols_of(object.address));
                object.each_symbol(terms, &mut |symbol| symbols.push(symbol));
            }
            for fact in &self.facts {
                symbols.extend_from_slice(&terms.symbols_of(*fact));
            }
            symbols.sort_unstable();
            symbols.dedup();
            symbols.into_boxed_slice()
        })
    }

    /// Every term in it, addresses of its objects and facts included.
    pub fn each_term(&self, visit: &mut dyn FnMut(Term)) {
        for object in &self.objects {
            visit(object.address);
            object.each_term(visit);
        }
        self.facts.iter().copied().for_each(visit);
    }

    /// The same with its terms replaced.
    pub fn map(&self, change: &mut dyn FnMut(Term) -> Term) -> Body {
        let objects = self.objects.iter().map(|object| object.map(change)).collect();
        Body::new(objects, self.facts.iter().copied().map(change).collect(), self.depth)
    }

    /// The same with symbols replaced.
    pub fn substituted(self: &Rc<Self>, context: &Context, by: &FxHashMap<SymId, Term>) -> Rc<Self> {
        Substituted { terms: &context.terms, by }.body(self)
    }

    /// The same for nodes of whose addresses at most so many low bits are known to be zero.
    pub fn aligned(self: &Rc<Self>, context: &Context, most: u32) -> Rc<Self> {
        let symbol = self.objects.first().and_then(|node| context.terms.as_symbol(node.address));
        let info = symbol.map(|symbol| (symbol, context.terms.symbol_info(symbol)));
        match info.and_then(|(symbol, info)| Some((symbol, info, context.kind(symbol)?))) {
            Some((symbol, info, kind)) if info.alignment > most => {
                self.substituted(context, &FxHashMap::from_iter([(symbol, context.symbol(kind, info.width, most))]))
            }
            _ => self.clone(),
        }
    }

    /// The symbols bound here (not those of bodies inside), ascending.
    pub fn bound(&self, context: &Context) -> Vec<SymId> {
        let is_own = |symbol: &SymId| matches!(context.kind(*symbol), Some(SymbolKind::Bound { depth, .. }) if depth == self.depth);
        self.symbols(&context.terms).iter().copied().filter(is_own).collect()
    }

    /// The bound symbol that the node holds at `offset` for the sake of others that speak of it; no address of an object in here.
    pub fn tie(&self, context: &Context, offset: u64) -> Option<SymId> {
        let width = u64::from(context.model.pointer_bytes());
        let cells = self.objects.first()?.content.edges();
        let edge = cells.iter().find(|edge| edge.offset == offset && edge.bytes == width)?;
        let Cell::Value(value) = edge.cell else { return None };
        let class = SymbolKind::Address(BlockId(0)).class();
        context.terms.as_symbol(value).filter(|symbol| match context.kind(*symbol) {
            Some(SymbolKind::Bound { depth, class: own, .. }) => depth == self.depth && own != class,
            _ => false,
        })
    }

    /// What a body says of its own, written down: the same in all states.
    pub fn outline(&self, context: &Context) -> Vec<u32> {
        let mut out = Vec::new();
        encode_body(self, &mut Own(context), &mut out);
        out
    }

    /// Equal codes: equal bodies.
    pub fn code(&self) -> Vec<u32> {
        let mut out = Vec::new();
        encode_body(self, &mut Plain, &mut out);
        out
    }
}

impl Object {
    /// Equal codes: the same objects.
    pub fn code(&self) -> Vec<u32> {
        let mut out = Vec::new();
        encode_object(self, &mut Plain, &mut out);
        out
    }
}

/// How terms and blocks are written down when objects are compared.
pub trait Naming {
    /// A number for a value.
    fn value(&mut self, value: Term) -> u32;
    /// A number for a block.
    fn block(&mut self, block: BlockId) -> u32;
    /// A summary's least number of nodes: part of what is compared (the number itself), or kept apart (zero).
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

/// What has to do with anything but bound symbols is not told.
struct Own<'a>(&'a Context);

impl Naming for Own<'_> {
    fn value(&mut self, value: Term) -> u32 {
        let is_bound = |symbol: &SymId| matches!(self.0.kind(*symbol), Some(SymbolKind::Bound { .. }));
        if self.0.terms.symbols_of(value).iter().all(is_bound) { value.0 } else { SEPARATOR }
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
        Form::Tree(_) => 4,
        Form::Table(_) => 5,
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
    for run in object.content.runs() {
        let Layout { offset, stride, bits } = run.layout;
        let table = run.table.map_or(SEPARATOR - u32::from(run.text), |table| naming.block(table));
        out.extend([SEPARATOR - 3, offset as u32, stride as u32, bits, run.facts.len() as u32, table]);
        run.terms().for_each(|term| out.push(naming.value(term)));
    }
    out.extend(object.form.end_of().map(|owner| naming.block(owner)));
    if let Some(summary) = object.form.summary() {
        summary.visit(&mut Encoder { naming, out });
    }
    out.push(SEPARATOR);
}

struct Encoder<'a> {
    naming: &'a mut dyn Naming,
    out: &'a mut Vec<u32>,
}

impl Visitor for Encoder<'_> {
    fn block(&mut self, end: BlockId) {
        self.out.push(self.naming.block(end));
    }

    fn number(&mut self, number: u64) {
        self.out.extend([number as u32, (number >> 32) as u32]);
    }

    fn least(&mut self, nodes: u32) {
        self.out.push(self.naming.length(nodes));
    }

    fn term(&mut self, _role: Role, term: Term) {
        self.out.push(self.naming.value(term));
    }

    fn body(&mut self, body: &Body) {
        encode_body(body, self.naming, self.out);
    }
}

/// Writes down all that matters of a body.
pub fn encode_body(body: &Body, naming: &mut dyn Naming, out: &mut Vec<u32>) {
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
    object.changed(&mut Substituted { terms: &context.terms, by })
}
