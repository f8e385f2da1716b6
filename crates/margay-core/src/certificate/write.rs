//! From a proof to plain data.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::embedding::{Embedding, Link, Place, TablePart, TreePart};
use super::format::{
    BodyText, CellText, Certificate, CoverEdgeText, FormText, FrameText, HoldsText, KindText, LinkText, MapText,
    ObjectText, Order, OrderText, PlaceText, RunText, SegmentText, StateText, TablePartText, TableText, TermText,
    TreePartText, TreeText,
};
use super::proof::{CoverEdge, Proof};
use crate::cfa::Program;
use crate::heap::{Body, Cell, Context, Form, Kinds, Object, Optional, State, Succession, SymbolKind, each};
use crate::memory::{BlockId, Frame};
use crate::sharing::Calls;
use crate::smt::{Model, Node, Term};

/// `proof` as plain data.
pub fn write(program: &Program, proof: &Proof) -> Certificate {
    let calls = Calls::new(program, proof.apart);
    let Proof { states, start, cover_edges, .. } = proof;
    let Some(first) = states.first() else { return Certificate::default() };
    let context = first.memory.context().clone();
    let mut roots: BTreeSet<Term> = BTreeSet::new();
    states.iter().for_each(|state| terms_of(state, &mut roots));
    for cover_edge in cover_edges.iter().flatten().chain(start) {
        cover_edge.embedding.iter().for_each(|embedding| terms_of_map(&context, embedding, &mut roots));
    }
    roots.extend(proof.measures.iter().flatten().map(|(term, _)| *term));
    let symbols = proof.models.iter().flat_map(Model::iter);
    roots.extend(symbols.map(|(symbol, _)| context.terms.symbol_term(symbol)));
    // Ascending, so that symbols are made in the same order again: numbers given along the way depend on it.
    let roots: Vec<Term> = roots.into_iter().collect();
    let terms = context.terms.reachable(&roots);
    let index: FxHashMap<Term, usize> = terms.iter().enumerate().map(|(index, term)| (*term, index)).collect();
    let (frames, objects) = (Shared::new(), Shared::new());
    let writer = Writer { program: calls.program(), context: &context, index, frames, objects };
    Certificate {
        id: proof.id,
        terms: terms.iter().map(|term| writer.term(*term)).collect(),
        states: states.iter().map(|state| writer.state(state)).collect(),
        apart: proof.apart,
        contexts: proof.contexts.clone(),
        entries: proof.entries.clone(),
        start: start.as_ref().map(|cover_edge| writer.cover_edge(cover_edge)),
        passed: proof.passed.iter().map(|(function, at)| (function.0, at.0)).collect(),
        splits_choices: proof.splits_choices,
        cells_by_number: proof.cells_by_number,
        finds_at_once: proof.finds_at_once,
        measures: proof.measures.iter().map(|measure| writer.measure(measure)).collect(),
        models: proof.models.iter().map(|model| writer.model(model)).collect(),
        edges: cover_edges
            .iter()
            .map(|list| list.iter().map(|cover_edge| writer.cover_edge(cover_edge)).collect())
            .collect(),
    }
}

fn terms_of(state: &State, roots: &mut BTreeSet<Term>) {
    roots.extend(state.frames.iter().flat_map(|frame| frame.regs.iter().flatten()));
    for object in state.memory.objects.values() {
        roots.insert(object.address);
        object.each_term(&mut |term| {
            roots.insert(term);
        });
    }
    roots.extend(state.memory.store.constraints());
}

fn terms_of_map(context: &Context, map: &Embedding, roots: &mut BTreeSet<Term>) {
    for (symbol, term) in &map.symbols {
        roots.extend([context.terms.symbol_term(*symbol), *term]);
    }
    for place in map.places.values() {
        let links = match place {
            Place::Block(_) | Place::Absent => continue,
            Place::Tree(tree_part) => {
                terms_of_tree_part(context, tree_part, roots);
                continue;
            }
            Place::Table(parts) => {
                for part in parts {
                    match part {
                        TablePart::Cell(index, inner) => {
                            roots.insert(*index);
                            terms_of_map(context, inner, roots);
                        }
                        TablePart::Nulls((first, last), inner) => {
                            roots.extend([*first, *last]);
                            terms_of_map(context, inner, roots);
                        }
                        TablePart::Table(_, cases) => {
                            cases.iter().for_each(|inner| terms_of_map(context, inner, roots));
                        }
                    }
                }
                continue;
            }
            Place::Chain(links) => links,
        };
        for link in links {
            match link {
                Link::Node(_, inner) => terms_of_map(context, inner, roots),
                Link::Branching(_, inner, _, aside) => {
                    terms_of_map(context, inner, roots);
                    terms_of_tree_part(context, aside, roots);
                }
                Link::Segment(_, cases) => cases.iter().for_each(|inner| terms_of_map(context, inner, roots)),
            }
        }
    }
}

fn terms_of_tree_part(context: &Context, tree_part: &TreePart, roots: &mut BTreeSet<Term>) {
    match tree_part {
        TreePart::Nothing => {}
        TreePart::Node(_, inner, children) => {
            terms_of_map(context, inner, roots);
            children.iter().for_each(|child| terms_of_tree_part(context, child, roots));
        }
        TreePart::Tree(_, cases) => cases.iter().for_each(|inner| terms_of_map(context, inner, roots)),
        TreePart::Path(_, cases, below) => {
            cases.iter().for_each(|inner| terms_of_map(context, inner, roots));
            terms_of_tree_part(context, below, roots);
        }
    }
}

/// Parts of states in words, each of which is there once however often it is said.
struct Shared<K, T> {
    /// By the part, at its place in memory: neighbouring states have most of them in common.
    by_part: RefCell<FxHashMap<K, Arc<T>>>,
    all: RefCell<FxHashSet<Arc<T>>>,
}

impl<K: Hash + Eq, T: Hash + Eq> Shared<K, T> {
    fn new() -> Self {
        Self { by_part: RefCell::default(), all: RefCell::default() }
    }

    /// What `write` says of `part`.
    fn get(&self, part: K, write: impl FnOnce() -> T) -> Arc<T> {
        let text = || {
            let text = Arc::new(write());
            let mut all = self.all.borrow_mut();
            let known = all.get(&text).cloned();
            known.unwrap_or_else(|| {
                all.insert(text.clone());
                text
            })
        };
        self.by_part.borrow_mut().entry(part).or_insert_with(text).clone()
    }
}

struct Writer<'a> {
    program: &'a Program,
    context: &'a Context,
    index: FxHashMap<Term, usize>,
    frames: Shared<*const Frame<Term>, FrameText>,
    objects: Shared<(BlockId, *const Object), ObjectText>,
}

impl Writer<'_> {
    /// The position of a term; all that are asked for were gathered.
    fn at(&self, term: Term) -> usize {
        self.index.get(&term).copied().unwrap_or(usize::MAX)
    }

    fn measure(&self, measure: &[(Term, Order)]) -> Vec<(usize, Order)> {
        measure.iter().map(|(term, order)| (self.at(*term), *order)).collect()
    }

    fn model(&self, model: &Model) -> Vec<(usize, u128)> {
        model.iter().map(|(symbol, value)| (self.at(self.context.terms.symbol_term(symbol)), value)).collect()
    }

    fn term(&self, term: Term) -> TermText {
        let terms = &self.context.terms;
        let width = terms.width(term);
        match terms.node(term) {
            Node::Const(value) => TermText::Const { value, width },
            Node::Sym(symbol) => TermText::Symbol {
                kind: kind_text(self.context.kind(symbol)),
                width,
                alignment: terms.symbol_info(symbol).alignment,
            },
            Node::Not(of) => TermText::Not(self.at(of)),
            Node::Bin(op, left, right) => TermText::Op(op, self.at(left), self.at(right)),
            Node::Extract { hi, lo, of } => TermText::Extract { of: self.at(of), high: hi, low: lo },
            Node::ZeroExt(of) => TermText::ZeroExtend { of: self.at(of), width },
            Node::SignExt(of) => TermText::SignExtend { of: self.at(of), width },
            Node::Ite(condition, then, other) => TermText::Ite(self.at(condition), self.at(then), self.at(other)),
        }
    }

    fn state(&self, state: &State) -> StateText {
        let memory = &state.memory;
        let frames = state.frames.iter();
        let frames = frames.map(|frame| self.frames.get(Rc::as_ptr(frame), || self.frame(frame)));
        let objects = memory
            .objects
            .iter()
            .map(|(block, object)| self.objects.get((*block, Rc::as_ptr(object)), || self.object(*block, object)));
        StateText {
            frames: frames.collect(),
            globals: state.globals.iter().map(|block| block.0).collect(),
            objects: objects.collect(),
            constraints: memory.store.constraints().iter().map(|constraint| self.at(*constraint)).collect(),
            next: [memory.next_block, memory.next_input, memory.next_forgotten],
        }
    }

    fn frame(&self, frame: &Frame<Term>) -> FrameText {
        let function = self.program.function(frame.function);
        let span = function.location(frame.at).edges.first().map(|edge| edge.span).unwrap_or_default();
        FrameText {
            function: function.name.to_string(),
            location: frame.at.0,
            line: self.program.source.pos(span.start).line,
            registers: frame.regs.iter().map(|value| value.map(|value| self.at(value))).collect(),
            slots: frame.slots.iter().map(|slot| slot.map(|block| block.0)).collect(),
            allocas: frame.allocas.iter().map(|block| block.0).collect(),
            result: frame.result.map(|reg| reg.0),
        }
    }

    fn object(&self, id: BlockId, object: &Object) -> ObjectText {
        let cells = object.content.edges().iter().map(|edge| CellText {
            offset: edge.offset,
            bytes: edge.bytes,
            holds: match edge.cell {
                Cell::Value(value) => HoldsText::Value(self.at(value)),
                Cell::Uniform(byte) => HoldsText::Uniform(self.at(byte)),
                Cell::Forgotten => HoldsText::Forgotten,
            },
        });
        let runs = object.content.runs().iter().map(|run| RunText {
            offset: run.layout.offset,
            stride: run.layout.stride,
            bits: run.layout.bits,
            first: self.at(run.first),
            last: self.at(run.last),
            facts: run.facts.iter().map(|fact| self.at(*fact)).collect(),
            read: run.read,
            table: run.table.map(|table| table.0),
            text: run.text,
        });
        let form = match &object.form {
            Form::Region => FormText::Region,
            Form::Last(first) => FormText::LastOf(first.0),
            Form::Optional(Optional { absent }) => FormText::Optional(self.at(*absent)),
            Form::Tree(tree) => FormText::Tree(Box::new(TreeText {
                links: tree.links,
                min_len: tree.min_len,
                leaf: self.at(tree.leaf),
                up: tree.up.map(|up| self.at(up)),
                body: self.body(&tree.body),
            })),
            Form::Table(table) => FormText::Table(Box::new(TableText {
                first: self.at(table.first),
                last: self.at(table.last),
                body: self.body(&table.body),
            })),
            Form::First(segment) => FormText::Segment(Box::new(SegmentText {
                last: segment.last.0,
                min_len: segment.min_len,
                head: segment.links.head,
                next_at: segment.links.next,
                branching_at: segment.links.branching,
                prev_at: segment.links.prev,
                next: self.at(segment.next),
                prev: segment.prev.map(|prev| self.at(prev)),
                empty: segment.empty.map(|empty| self.at(empty)),
                leaf: segment.leaf.map(|leaf| self.at(leaf)),
                count: segment.count.map(|count| self.at(count)),
                bodies: segment.bodies.iter().map(|body| self.body(body)).collect(),
                order: order_text(&segment.order),
            })),
        };
        ObjectText {
            id: id.0,
            kind: object.kind,
            name: object.origin.name.to_string(),
            address: self.at(object.address),
            size: self.at(object.size),
            valid: object.valid,
            zeroed: object.content.is_zeroed(),
            blurred: object.content.is_blurred(),
            cells: cells.collect(),
            runs: runs.collect(),
            form,
        }
    }

    fn body(&self, body: &Body) -> BodyText {
        BodyText {
            depth: body.depth,
            objects: (0..).zip(&body.objects).map(|(id, object)| self.object(BlockId(id), object)).collect(),
            facts: body.facts.iter().map(|fact| self.at(*fact)).collect(),
        }
    }

    fn cover_edge(&self, cover_edge: &CoverEdge) -> CoverEdgeText {
        let steps = cover_edge.path.iter().map(|step| (step.function.0, step.at.0, step.edge));
        CoverEdgeText {
            steps: steps.collect(),
            target: cover_edge.target,
            map: cover_edge.embedding.as_ref().map(|map| self.map(map)),
        }
    }

    fn map(&self, map: &Embedding) -> MapText {
        let objects = map.places.iter().map(|(block, place)| {
            let place = match place {
                Place::Block(block) => PlaceText::Object(block.0),
                Place::Absent => PlaceText::Absent,
                Place::Chain(links) => PlaceText::Chain(links.iter().map(|link| self.link(link)).collect()),
                Place::Tree(tree_part) => PlaceText::Tree(self.tree_part(tree_part)),
                Place::Table(parts) => PlaceText::Table(parts.iter().map(|part| self.table_part(part)).collect()),
            };
            (block.0, place)
        });
        let symbols = map.symbols.iter();
        let symbols = symbols.map(|(symbol, term)| (self.at(self.context.terms.symbol_term(*symbol)), self.at(*term)));
        MapText { objects: objects.collect(), symbols: symbols.collect(), kind: map.kind }
    }

    fn table_part(&self, part: &TablePart) -> TablePartText {
        match part {
            TablePart::Cell(index, inner) => TablePartText::Cell(self.at(*index), self.map(inner)),
            TablePart::Nulls((first, last), inner) => {
                TablePartText::Nulls((self.at(*first), self.at(*last)), self.map(inner))
            }
            TablePart::Table(block, cases) => {
                TablePartText::Table(block.0, cases.iter().map(|inner| self.map(inner)).collect())
            }
        }
    }

    fn tree_part(&self, tree_part: &TreePart) -> TreePartText {
        match tree_part {
            TreePart::Nothing => TreePartText::Nothing,
            TreePart::Node(block, inner, children) => TreePartText::Node(
                block.0,
                self.map(inner),
                children.iter().map(|child| self.tree_part(child)).collect(),
            ),
            TreePart::Tree(block, cases) => {
                TreePartText::Tree(block.0, cases.iter().map(|inner| self.map(inner)).collect())
            }
            TreePart::Path(block, cases, below) => {
                let cases = cases.iter().map(|inner| self.map(inner)).collect();
                TreePartText::Path(block.0, cases, Box::new(self.tree_part(below)))
            }
        }
    }

    fn link(&self, link: &Link) -> LinkText {
        match link {
            Link::Node(block, inner) => LinkText::Node(block.0, self.map(inner)),
            Link::Branching(block, inner, second, aside) => {
                LinkText::Branching(block.0, self.map(inner), *second, self.tree_part(aside))
            }
            Link::Segment(block, cases) => {
                LinkText::Segment(block.0, cases.iter().map(|inner| self.map(inner)).collect())
            }
        }
    }
}

fn order_text(order: &Succession) -> Option<OrderText> {
    let kinds = |kinds: &Kinds| each(*kinds).collect();
    let follows = order.follows.iter().map(kinds).collect();
    (!order.is_free()).then(|| OrderText { first: kinds(&order.first), last: kinds(&order.last), follows })
}

fn kind_text(kind: Option<SymbolKind>) -> KindText {
    match kind {
        Some(SymbolKind::Address(block)) => KindText::Address(block.0),
        Some(SymbolKind::Function(function)) => KindText::Function(function.0),
        Some(SymbolKind::Input(n)) => KindText::Input(n),
        Some(SymbolKind::External(n)) => KindText::External(n),
        Some(SymbolKind::Content { block, offset }) => KindText::Content { object: block.0, offset },
        Some(SymbolKind::ExternalContent { block, offset }) => KindText::ExternalContent { object: block.0, offset },
        Some(SymbolKind::Forgotten(n)) => KindText::Forgotten(n),
        Some(SymbolKind::Cell { index }) => KindText::Cell { index },
        Some(SymbolKind::Bound { depth, n, class }) => KindText::Bound { depth, number: n, class },
        // Neither stands in a state of a proof; where one did, the reader refuses this number.
        Some(SymbolKind::Canonical(..) | SymbolKind::Anchor(_)) | None => KindText::Forgotten(u32::MAX),
    }
}
