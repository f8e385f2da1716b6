//! From plain data to a proof that can be checked. The data may be anything: what does not fit is an error with its place, and
//! what fits but means nothing is refused by the check that states are well-formed.

use std::collections::BTreeMap;
use std::rc::Rc;

use imbl::OrdMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::embedding::{Embedding, Link, Place, TablePart, TreePart};
use super::format::{
    BodyText, Certificate, CoverEdgeText, FormText, FrameText, HoldsText, KindText, LinkText, MapText, ObjectText,
    Order, OrderText, PlaceText, RunText, StateText, TablePartText, TermText, TreePartText,
};
use super::proof::{CoverEdge, Proof};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Span;
use crate::cfa::{self, FunctionId, Loc, Program, Reg, Step};
use crate::heap::{
    Body, Cell, Content, Context, Edge, Form, Kinds, Layout, Links, MOST_ORDERED, Object, Optional, Run, Segment,
    Semantics, Smg, State, Store, Succession, SymbolKind, Table, Tree,
};
use crate::memory::{BlockId, Config, Frame, Origin};
use crate::smt::{Model, Op, SymId, Term, truncate};

fn bad<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::new(ErrorKind::Syntax, why))
}

/// The proof that `written` says, in `context`; see [`Semantics::places_by_values`] and [`Semantics::endless_memory`].
///
/// # Errors
/// Data that is no proof.
pub fn read(
    program: &Program,
    written: &Certificate,
    context: &Rc<Context>,
    (places_by_values, endless_memory): (bool, bool),
) -> Result<Proof> {
    let mut reader = Reader::new(program, context);
    let (splits_choices, cells_by_number) = (written.splits_choices, written.cells_by_number);
    let finds_at_once = written.finds_at_once;
    let asks_at_branches = Semantics::default().asks_at_branches;
    reader.semantics = Semantics {
        asks_at_branches,
        places_by_values,
        splits_choices,
        cells_by_number,
        finds_at_once,
        endless_memory,
    };
    for (index, text) in written.terms.iter().enumerate() {
        let term = reader.term(text).map_err(|error| at(error, "term", index))?;
        reader.terms.push(term);
    }
    let mut states = Vec::with_capacity(written.states.len());
    for (index, text) in written.states.iter().enumerate() {
        states.push(Rc::new(reader.state(text).map_err(|error| at(error, "state", index))?));
    }
    let start = written.start.as_ref().map(|cover_edge| reader.cover_edge(cover_edge)).transpose()?;
    let mut cover_edges = Vec::with_capacity(written.edges.len());
    for (index, list) in written.edges.iter().enumerate() {
        let list: Result<Vec<CoverEdge>> = list.iter().map(|cover_edge| reader.cover_edge(cover_edge)).collect();
        cover_edges.push(list.map_err(|error| at(error, "the edges of state", index))?);
    }
    let (count, contexts, entries) = (states.len(), written.contexts.clone(), written.entries.clone());
    if contexts.len() != count || entries.iter().any(|entry| *entry >= count) {
        return bad("the contexts are not those of the states");
    }
    let models: Result<Vec<Model>> = written.models.iter().map(|model| reader.model(model)).collect();
    let entry = |(term, order): &(usize, Order)| Ok((reader.get(*term)?, *order));
    let measure = |entries: &Vec<(usize, Order)>| entries.iter().map(entry).collect::<Result<_>>();
    let measures = written.measures.iter().map(measure).collect::<Result<_>>()?;
    let id = written.id;
    Ok(Proof {
        id,
        states,
        apart: written.apart,
        contexts,
        entries,
        start,
        cover_edges,
        passed: written.passed.iter().map(|(function, at)| (FunctionId(*function), Loc(*at))).collect(),
        splits_choices,
        cells_by_number,
        finds_at_once,
        measures,
        models: models?,
    })
}

fn at(error: Error, what: &str, index: usize) -> Error {
    Error { message: format!("{} ({what} {index})", error.message), ..error }
}

/// Where the caller stands, and what the frame says.
type FrameKey<'a> = (Option<(FunctionId, Loc)>, &'a FrameText);
/// Where objects stand (address symbols with sizes), and constraints.
type StoreKey = (Vec<(SymId, Term)>, Vec<Term>);

struct Reader<'a> {
    program: &'a Program,
    context: Rc<Context>,
    /// Of all states.
    semantics: Semantics,
    terms: Vec<Term>,
    /// What was read of states, by all that it was read from. Neighbouring states have most of it in common.
    objects: FxHashMap<&'a ObjectText, Rc<Object>>,
    frames: FxHashMap<FrameKey<'a>, Rc<Frame<Term>>>,
    stores: FxHashMap<StoreKey, Store>,
    points_to: FxHashSet<OrdMap<SymId, BlockId>>,
}

impl<'a> Reader<'a> {
    fn new(program: &'a Program, context: &Rc<Context>) -> Self {
        Self {
            program,
            context: context.clone(),
            semantics: Semantics::default(),
            terms: Vec::new(),
            objects: FxHashMap::default(),
            frames: FxHashMap::default(),
            stores: FxHashMap::default(),
            points_to: FxHashSet::default(),
        }
    }

    fn model(&self, text: &[(usize, u128)]) -> Result<Model> {
        let mut values = BTreeMap::new();
        for &(index, value) in text {
            let term = self.get(index)?;
            let Some(symbol) = self.context.terms.as_symbol(term) else {
                return bad("a model is of what is no symbol");
            };
            let info = self.context.terms.symbol_info(symbol);
            values.insert(symbol, truncate(value, info.width) >> info.alignment << info.alignment);
        }
        Ok(Model::new(values))
    }

    fn get(&self, index: usize) -> Result<Term> {
        match self.terms.get(index) {
            Some(term) => Ok(*term),
            None => bad(format!("there is no term {index} before this one")),
        }
    }

    fn get_wide(&self, index: usize, width: u32) -> Result<Term> {
        let term = self.get(index)?;
        if self.context.terms.width(term) != width {
            return bad(format!("term {index} is not {width} bits wide"));
        }
        Ok(term)
    }

    fn term(&self, text: &TermText) -> Result<Term> {
        let terms = &self.context.terms;
        let width_of = |index: usize| self.get(index).map(|term| terms.width(term));
        let ensure = |holds: bool| if holds { Ok(()) } else { bad("a term does not fit its operands") };
        let is_width = |width: u32| ensure((1..=128).contains(&width));
        Ok(match text {
            TermText::Const { value, width } => {
                is_width(*width)?;
                ensure(*width == 128 || value >> width == 0)?;
                terms.constant(*value, *width)
            }
            TermText::Symbol { kind, width, alignment } => {
                is_width(*width)?;
                ensure(alignment < width)?;
                self.context.symbol(symbol_kind(*kind), *width, *alignment)
            }
            TermText::Not(of) => terms.not(self.get_wide(*of, 1)?),
            TermText::Op(op, left, right) => {
                let (a, b) = (width_of(*left)?, width_of(*right)?);
                ensure(if *op == Op::Concat { a + b <= 128 } else { a == b })?;
                terms.binary(*op, self.get(*left)?, self.get(*right)?)
            }
            TermText::Extract { of, high, low } => {
                ensure(low <= high && *high < width_of(*of)?)?;
                terms.extract(self.get(*of)?, *high, *low)
            }
            TermText::ZeroExtend { of, width } | TermText::SignExtend { of, width } => {
                is_width(*width)?;
                ensure(*width > width_of(*of)?)?;
                match text {
                    TermText::ZeroExtend { .. } => terms.zext(self.get(*of)?, *width),
                    _ => terms.sext(self.get(*of)?, *width),
                }
            }
            TermText::Ite(condition, then, other) => {
                ensure(width_of(*then)? == width_of(*other)?)?;
                terms.ite(self.get_wide(*condition, 1)?, self.get(*then)?, self.get(*other)?)
            }
        })
    }

    fn state(&mut self, text: &'a StateText) -> Result<State> {
        let mut memory = Smg::new(self.context.clone());
        memory.semantics = self.semantics;
        [memory.next_block, memory.next_input, memory.next_forgotten] = text.next;
        for object in &text.objects {
            let id = BlockId(object.id);
            let read = match self.objects.get(object.as_ref()) {
                Some(read) => read.clone(),
                None => {
                    let read = Rc::new(self.object(object)?);
                    self.objects.insert(object, read.clone());
                    read
                }
            };
            let Some(symbol) = self.context.terms.as_symbol(read.address) else {
                return bad("an address is no symbol");
            };
            let is_new = memory.points_to.insert(symbol, id).is_none();
            if memory.objects.insert(id, read).is_some() || !is_new {
                return bad(format!("object {} is there twice", id.0));
            }
        }
        match self.points_to.get(&memory.points_to) {
            Some(known) => memory.points_to = known.clone(),
            None => _ = self.points_to.insert(memory.points_to.clone()),
        }
        let constraints: Result<Vec<Term>> = text.constraints.iter().map(|index| self.get_wide(*index, 1)).collect();
        let key = (memory.placed(), constraints?);
        let store = self.stores.entry(key).or_insert_with_key(|(placed, all)| Store::of(&self.context, placed, all));
        memory.store = store.clone();
        let mut frames: Vec<Rc<Frame<Term>>> = Vec::new();
        for frame in &text.frames {
            let caller = frames.last();
            let key = (caller.map(|caller| (caller.function, caller.at)), frame.as_ref());
            let read = match self.frames.get(&key) {
                Some(read) => read.clone(),
                None => {
                    let read = Rc::new(self.frame(frame, caller)?);
                    self.frames.insert(key, read.clone());
                    read
                }
            };
            frames.push(read);
        }
        Ok(Config { memory, frames, globals: text.globals.iter().map(|block| BlockId(*block)).collect() })
    }

    fn frame(&self, text: &FrameText, caller: Option<&Rc<Frame<Term>>>) -> Result<Frame<Term>> {
        let Some(function) = self.program.function_named(&text.function) else {
            return bad(format!("the program has no function `{}`", text.function));
        };
        let regs: Result<Vec<Option<Term>>> =
            text.registers.iter().map(|value| value.map(|value| self.get(value)).transpose()).collect();
        Ok(Frame {
            function,
            at: Loc(text.location),
            regs: regs?,
            slots: text.slots.iter().map(|slot| slot.map(BlockId)).collect(),
            allocas: text.allocas.iter().map(|block| BlockId(*block)).collect(),
            result: text.result.map(Reg),
            call: caller.map_or_else(Span::default, |caller| self.call(caller, function)),
        })
    }

    /// The call that led from `caller` to `callee`, for messages.
    fn call(&self, caller: &Frame<Term>, callee: FunctionId) -> Span {
        let edges = self.program.function(caller.function).locations.iter().flat_map(|location| &location.edges);
        let mut calls = edges.filter(|edge| {
            edge.target == caller.at
                && match &edge.op {
                    cfa::Op::Call { callee: cfa::Callee::Direct(target), .. } => *target == callee,
                    cfa::Op::Call { .. } => true,
                    _ => false,
                }
        });
        calls.next().map(|edge| edge.span).unwrap_or_default()
    }

    fn object(&self, text: &ObjectText) -> Result<Object> {
        let terms = &self.context.terms;
        let bits = self.context.model.pointer_bits();
        let mut edges = Vec::new();
        for cell in &text.cells {
            let value = match cell.holds {
                HoldsText::Value(value) => Cell::Value(self.get(value)?),
                HoldsText::Uniform(byte) => Cell::Uniform(self.get(byte)?),
                HoldsText::Forgotten => Cell::Forgotten,
            };
            edges.push(Edge { offset: cell.offset, bytes: cell.bytes, cell: value });
        }
        let mut content = Content::from_edges(edges, text.zeroed, text.blurred);
        let run = |text: &RunText| {
            let facts: Result<_> = text.facts.iter().map(|fact| self.get_wide(*fact, 1)).collect();
            let (first, last) = (self.get_wide(text.first, bits)?, self.get_wide(text.last, bits)?);
            let layout = Layout { offset: text.offset, stride: text.stride, bits: text.bits };
            let table = text.table.map(BlockId);
            Ok(Run { layout, first, last, facts: facts?, read: text.read, table, text: text.text })
        };
        content.set_runs(text.runs.iter().map(run).collect::<Result<_>>()?);
        let form = match &text.form {
            FormText::Region => Form::Region,
            FormText::LastOf(first) => Form::Last(BlockId(*first)),
            FormText::Optional(absent) => Form::Optional(Optional { absent: self.get_wide(*absent, bits)? }),
            FormText::Tree(tree) => Form::Tree(Rc::new(Tree {
                links: tree.links,
                min_len: tree.min_len,
                leaf: self.get_wide(tree.leaf, bits)?,
                up: tree.up.map(|up| self.get_wide(up, bits)).transpose()?,
                body: self.body(&tree.body)?,
            })),
            FormText::Table(table) => Form::Table(Rc::new(Table {
                first: self.get_wide(table.first, bits)?,
                last: self.get_wide(table.last, bits)?,
                body: self.body(&table.body)?,
            })),
            FormText::Segment(segment) => Form::First(Rc::new(Segment {
                last: BlockId(segment.last),
                links: Links {
                    head: segment.head,
                    next: segment.next_at,
                    branching: segment.branching_at,
                    prev: segment.prev_at,
                },
                min_len: segment.min_len,
                next: self.get_wide(segment.next, bits)?,
                prev: segment.prev.map(|prev| self.get_wide(prev, bits)).transpose()?,
                empty: segment.empty.map(|empty| self.get_wide(empty, bits)).transpose()?,
                leaf: segment.leaf.map(|leaf| self.get_wide(leaf, bits)).transpose()?,
                count: segment.count.map(|count| self.get_wide(count, bits)).transpose()?,
                bodies: segment.bodies.iter().map(|body| self.body(body)).collect::<Result<_>>()?,
                order: order(segment.order.as_ref(), segment.bodies.len())?,
            })),
        };
        let address = self.get_wide(text.address, bits)?;
        if terms.as_symbol(address).is_none() {
            return bad("an address is no symbol");
        }
        Ok(Object {
            form,
            kind: text.kind,
            size: self.get_wide(text.size, bits)?,
            address,
            valid: text.valid,
            lost: false,
            content,
            origin: Origin::outside(&text.name),
        })
    }

    fn body(&self, text: &BodyText) -> Result<Rc<Body>> {
        let BodyText { depth, objects, facts } = text;
        if !(0..).zip(objects).all(|(position, object)| object.id == position) {
            return bad("the objects of a body are not in order");
        }
        let objects: Result<Vec<Object>> = objects.iter().map(|object| self.object(object)).collect();
        let facts: Result<Vec<Term>> = facts.iter().map(|fact| self.get_wide(*fact, 1)).collect();
        Ok(Rc::new(Body::new(objects?, facts?, *depth)))
    }

    fn cover_edge(&self, text: &CoverEdgeText) -> Result<CoverEdge> {
        let path =
            text.steps.iter().map(|&(function, at, edge)| Step { function: FunctionId(function), at: Loc(at), edge });
        let embedding = text.map.as_ref().map(|map| self.map(map)).transpose()?;
        Ok(CoverEdge { path: path.collect(), target: text.target, embedding, arrival: None })
    }

    fn map(&self, text: &MapText) -> Result<Embedding> {
        let mut places = BTreeMap::new();
        for (block, place) in &text.objects {
            let place = match place {
                PlaceText::Object(block) => Place::Block(BlockId(*block)),
                PlaceText::Absent => Place::Absent,
                PlaceText::Chain(links) => {
                    Place::Chain(links.iter().map(|link| self.link(link)).collect::<Result<_>>()?)
                }
                PlaceText::Tree(tree_part) => Place::Tree(self.tree_part(tree_part)?),
                PlaceText::Table(parts) => {
                    Place::Table(parts.iter().map(|part| self.table_part(part)).collect::<Result<_>>()?)
                }
            };
            if places.insert(BlockId(*block), place).is_some() {
                return bad(format!("object {block} is mapped twice"));
            }
        }
        let mut symbols = BTreeMap::new();
        for &(symbol, term) in &text.symbols {
            let Some(symbol) = self.context.terms.as_symbol(self.get(symbol)?) else {
                return bad(format!("term {symbol} is mapped and no symbol"));
            };
            if symbols.insert(symbol, self.get(term)?).is_some() {
                return bad("a symbol is mapped twice");
            }
        }
        Ok(Embedding { places, symbols, kind: text.kind })
    }

    fn table_part(&self, text: &TablePartText) -> Result<TablePart> {
        Ok(match text {
            TablePartText::Cell(index, inner) => {
                TablePart::Cell(self.get_wide(*index, self.context.model.pointer_bits())?, self.map(inner)?)
            }
            TablePartText::Nulls((first, last), inner) => {
                let [first, last] = [first, last].map(|end| self.get_wide(*end, self.context.model.pointer_bits()));
                TablePart::Nulls((first?, last?), self.map(inner)?)
            }
            TablePartText::Table(block, cases) => {
                let cases: Result<Vec<Embedding>> = cases.iter().map(|inner| self.map(inner)).collect();
                TablePart::Table(BlockId(*block), cases?)
            }
        })
    }

    fn tree_part(&self, text: &TreePartText) -> Result<TreePart> {
        let maps = |maps: &[MapText]| maps.iter().map(|inner| self.map(inner)).collect::<Result<Vec<Embedding>>>();
        Ok(match text {
            TreePartText::Nothing => TreePart::Nothing,
            TreePartText::Node(block, inner, children) => {
                let children: Result<Vec<TreePart>> = children.iter().map(|child| self.tree_part(child)).collect();
                TreePart::Node(BlockId(*block), self.map(inner)?, children?)
            }
            TreePartText::Tree(block, cases) => TreePart::Tree(BlockId(*block), maps(cases)?),
            TreePartText::Path(block, cases, below) => {
                TreePart::Path(BlockId(*block), maps(cases)?, Box::new(self.tree_part(below)?))
            }
        })
    }

    fn link(&self, text: &LinkText) -> Result<Link> {
        Ok(match text {
            LinkText::Node(block, inner) => Link::Node(BlockId(*block), self.map(inner)?),
            LinkText::Branching(block, inner, second, aside) => {
                Link::Branching(BlockId(*block), self.map(inner)?, *second, self.tree_part(aside)?)
            }
            LinkText::Segment(block, cases) => {
                let cases: Result<Vec<Embedding>> = cases.iter().map(|inner| self.map(inner)).collect();
                Link::Segment(BlockId(*block), cases?)
            }
        })
    }
}

/// The order of nodes of so many kinds.
fn order(text: Option<&OrderText>, kinds: usize) -> Result<Succession> {
    if kinds > MOST_ORDERED {
        return bad("a segment has too many kinds of nodes");
    }
    let Some(OrderText { first, last, follows }) = text else { return Ok(Succession::free(kinds)) };
    let set = |members: &Vec<usize>| {
        members.iter().try_fold(0, |set: Kinds, kind| match kind {
            kind if *kind < kinds => Ok(set | (1 << kind)),
            _ => bad("a kind in the order of nodes is none of the segment"),
        })
    };
    Ok(Succession { first: set(first)?, last: set(last)?, follows: follows.iter().map(set).collect::<Result<_>>()? })
}

fn symbol_kind(kind: KindText) -> SymbolKind {
    match kind {
        KindText::Address(block) => SymbolKind::Address(BlockId(block)),
        KindText::Function(function) => SymbolKind::Function(FunctionId(function)),
        KindText::Input(n) => SymbolKind::Input(n),
        KindText::External(n) => SymbolKind::External(n),
        KindText::Content { object, offset } => SymbolKind::Content { block: BlockId(object), offset },
        KindText::ExternalContent { object, offset } => SymbolKind::ExternalContent { block: BlockId(object), offset },
        KindText::Forgotten(n) => SymbolKind::Forgotten(n),
        KindText::Cell { index } => SymbolKind::Cell { index },
        KindText::Bound { depth, number, class } => SymbolKind::Bound { depth, n: number, class },
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_ORDERED, OrderText, Succession, order};

    fn text(first: &[usize], last: &[usize], follows: &[&[usize]]) -> OrderText {
        let follows = follows.iter().map(|kinds| kinds.to_vec()).collect();
        OrderText { first: first.to_vec(), last: last.to_vec(), follows }
    }

    /// Each of its parts: one that is read as free says less than the proof does, and the proof is refused for no reason.
    #[test]
    fn the_order_of_nodes_is_the_one_that_is_written() {
        let read = order(Some(&text(&[0], &[1, 2], &[&[1], &[], &[0, 2]])), 3).expect("an order");
        let expected = Succession { first: 0b001, last: 0b110, follows: vec![0b010, 0b000, 0b101] };
        assert_eq!(read, expected, "first, last and neighbours");
        assert_eq!(order(None, 3).expect("an order"), Succession::free(3), "nothing is said of the order");
    }

    #[test]
    fn kinds_that_are_not_there_have_no_order() {
        let wrong = [text(&[2], &[], &[&[], &[]]), text(&[], &[2], &[&[], &[]]), text(&[], &[], &[&[], &[0, 2]])];
        for text in wrong {
            assert!(order(Some(&text), 2).is_err(), "{text:?}");
        }
        assert!(order(None, MOST_ORDERED + 1).is_err(), "more kinds than a set may have");
    }
}
