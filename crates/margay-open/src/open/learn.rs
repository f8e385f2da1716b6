//! The first phase: what a function needs is found by following it with nothing given (ECOOP'22, section 6.3, round 1).
//!
//! Nothing is abstracted here, so that each path is what some run does; loops are followed a few times only. What the paths
//! needed is then generalised to candidates, which the second phase believes or not.

use std::collections::BTreeSet;
use std::rc::Rc;

use imbl::OrdMap;

use super::blame::Culprit;
use super::contract::{Expr, Formula, ValueText};
use super::fold::{Caution, fold};
use super::follow::{Follower, State, Step};
use super::heap::{Missing, SymbolicHeap};
use super::leaks;
use super::report::BOUNDED_ROUNDS;
use super::terms::Namer;
use crate::base::span::Span;
use crate::cfa::{Callee, FunctionId, Loc, Location, Op};
use crate::heap::SymbolKind;
use crate::memory::{Fault, Gap};
use crate::smt::Term;
use crate::task::Violation;

/// What was found along one path.
pub(super) struct Found {
    /// What the path needed, over logical variables; the first are the parameters.
    pub pre: Pre,
    /// The same with its chains as lists, where it was not followed to its end.
    pub shapes: Vec<Pre>,
    pub end: Ending,
    /// See [`SymbolicHeap::supposes`].
    pub supposes: bool,
    pub culprit: Option<Culprit>,
}

pub(super) enum Ending {
    /// The function ended.
    Returned,
    /// It goes wrong here.
    Wrong {
        fault: Fault,
        span: Span,
        trail: Vec<Span>,
        /// What was called on the way, and where.
        calls: Vec<(FunctionId, Span)>,
    },
    /// It was not followed any further.
    Cut,
}

/// A precondition with the widths of its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pre {
    pub vars: Vec<u32>,
    pub formula: Formula,
}

/// What the first phase comes to.
#[derive(Default)]
pub(super) struct Learned {
    pub found: Vec<Found>,
    /// Guesses of preconditions, the most general first.
    pub candidates: Vec<Pre>,
    /// Where paths got stuck, and why.
    pub stuck: Vec<(String, Span)>,
    /// A loop goes on after what can be written of its rounds.
    pub is_cut: bool,
    /// Functions whose contracts do not cover all of their paths, and decided how a path goes on.
    pub narrowed: BTreeSet<FunctionId>,
}

/// How often a loop is followed where something new is learned in it.
const MAX_VISITS: u32 = BOUNDED_ROUNDS + 1;
/// How often a loop is followed that learns nothing.
const MAX_PLAIN_VISITS: u32 = 70;
const MAX_STEPS: usize = 12_000;
const MAX_ENDS: usize = 100;

#[derive(Clone)]
struct Path {
    state: State,
    /// By loop head: visits that count, all visits, and how many choices had been made at the last one.
    visits: OrdMap<(usize, FunctionId, Loc), (u32, u32, u32)>,
    choices: u32,
    trail: Option<Rc<Trail>>,
}

struct Trail {
    span: Span,
    before: Option<Rc<Trail>>,
}

pub(super) fn learn(follower: &Follower, function: FunctionId) -> Learned {
    let mut heap = SymbolicHeap::new(follower.world.clone(), true);
    let decl = follower.program.function(function);
    let args: Vec<Term> = decl.params.iter().map(|param| heap.anchor(decl.regs[param.index()].width)).collect();
    let state = follower.start(function, heap, &args);
    let mut learned = Learned::default();
    follower.world.narrowed.take();
    let mut ends: Vec<(SymbolicHeap, Ending)> = Vec::new();
    let mut work = vec![Path { state, visits: OrdMap::new(), choices: 0, trail: None }];
    let mut steps = 0;
    while let Some(mut path) = work.pop() {
        steps += 1;
        let finished = ends.iter().filter(|(_, end)| matches!(end, Ending::Returned)).count();
        if steps > MAX_STEPS || finished > MAX_ENDS {
            learned.stuck.push(("there are more paths than are followed".to_owned(), decl.span));
            break;
        }
        if follower.world.context.is_out_of_time() {
            break;
        }
        let top = path.state.top();
        let location = follower.program.function(top.function).location(top.at);
        if location.loop_head {
            let key = (path.state.frames.len(), top.function, top.at);
            let (counted, all, choices) = path.visits.get(&key).copied().unwrap_or((0, 0, u32::MAX));
            let counted = if choices == path.choices { counted } else { counted + 1 };
            if counted > MAX_VISITS || all > MAX_PLAIN_VISITS {
                ends.push((path.state.memory, Ending::Cut));
                continue;
            }
            path.visits.insert(key, (counted, all + 1, path.choices));
        }
        let is_choice = location.edges.len() > 1 && location.edges.iter().any(|edge| matches!(edge.op, Op::Assume(_)));
        if is_choice && let Some(edge) = location.edges.first() {
            path.trail = Some(Rc::new(Trail { span: edge.span, before: path.trail.take() }));
        }
        let next = follower.expand(&path.state);
        let known = path.state.memory.missing.as_ref().map_or(0, |missing| weight(missing));
        let ways = next.len() as u32;
        for step in next {
            match step {
                Step::Next(state) => {
                    let more = state.memory.missing.as_ref().map_or(0, |missing| weight(missing)) > known;
                    let choices = path.choices + u32::from(more || ways > 1);
                    work.push(Path { state, choices, ..path.clone() });
                }
                Step::End(state, result) => {
                    let lost = leaks::leaked(&state.memory, result).cloned();
                    match lost {
                        Some(block) => {
                            let memory = state.memory.blaming(block.start);
                            let detail = format!("{} is lost: it can no longer be freed", block.origin.name);
                            let fault = Fault::new(Violation::ValidMemtrack, detail);
                            let span = last_span(&path, follower);
                            let trail = spans(path.trail.as_ref());
                            ends.push((memory, Ending::Wrong { fault, span, trail, calls: Vec::new() }));
                        }
                        None => ends.push((state.memory, Ending::Returned)),
                    }
                }
                Step::Exit(state) => ends.push((state.memory, Ending::Returned)),
                Step::Fault(state, fault, span) => {
                    let trail = spans(path.trail.as_ref());
                    let calls = state.frames.iter().skip(1).map(|frame| (frame.function, frame.call)).collect();
                    ends.push((state.memory, Ending::Wrong { fault, span, trail, calls }));
                }
                Step::Miss(miss, span) => learned.stuck.push((miss.fault.detail.to_string(), span)),
                // A pointer is taken to lead to any function: those that do not fit are not meant.
                Step::Stuck(stuck, _) if stuck.gap == Gap::Undefined && is_indirect_call(location) => {}
                Step::Stuck(stuck, span) => learned.stuck.push((stuck.to_string(), span)),
            }
        }
    }
    learned.narrowed = follower.world.narrowed.take();
    let mut exact = Vec::new();
    let mut general = Vec::new();
    let mut folded = Vec::new();
    for (heap, end) in ends {
        let needed = Needed { follower, heap: &heap, params: &args };
        let Some(pre) = needed.exact() else {
            if matches!(end, Ending::Cut) {
                learned.is_cut = true;
                continue;
            }
            learned.stuck.push((
                "the path needs what no caller can provide, or what is too long to be written".to_owned(),
                decl.span,
            ));
            continue;
        };
        let mut shapes = Vec::new();
        if matches!(end, Ending::Returned | Ending::Cut) {
            for guess in needed.folded() {
                if matches!(end, Ending::Cut) {
                    shapes.push(guess.clone());
                }
                push(&mut folded, guess);
            }
            if let Some(guess) = needed.general() {
                push(&mut general, guess);
            }
            push(&mut exact, pre.clone());
        }
        let (supposes, culprit) = (heap.supposes, heap.culprit.clone());
        learned.found.push(Found { pre, shapes, end, supposes, culprit });
    }
    // Small ones first: what fewer bytes are enough for.
    let size = |pre: &Pre| pre.formula.cells.len() + pre.formula.segments.len() + pre.formula.pure.len();
    folded.sort_by_key(size);
    general.sort_by_key(size);
    exact.sort_by_key(size);
    for pre in folded.into_iter().chain(general).chain(exact) {
        push(&mut learned.candidates, pre);
    }
    learned
}

fn is_indirect_call(location: &Location) -> bool {
    location.edges.iter().any(|edge| matches!(&edge.op, Op::Call { callee: Callee::Indirect(_), .. }))
}

fn push(known: &mut Vec<Pre>, pre: Pre) {
    if !known.contains(&pre) {
        known.push(pre);
    }
}

fn weight(missing: &Missing) -> usize {
    missing.cells.len() + missing.segments.len() + missing.blocks.len() + missing.pure.len()
}

fn spans(trail: Option<&Rc<Trail>>) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = trail;
    while let Some(trail) = at {
        spans.push(trail.span);
        at = trail.before.as_ref();
    }
    spans.reverse();
    spans
}

fn last_span(path: &Path, follower: &Follower) -> Span {
    let top = path.state.top();
    let location = follower.program.function(top.function).location(top.at);
    location.edges.first().map_or_else(Span::default, |edge| path.state.user_span(follower.program, edge.span))
}

/// What a path needed.
struct Needed<'a> {
    follower: &'a Follower<'a>,
    heap: &'a SymbolicHeap,
    params: &'a [Term],
}

impl Needed<'_> {
    /// All that the path asked for.
    fn exact(&self) -> Option<Pre> {
        let missing = self.heap.missing.as_ref()?;
        let pure: Vec<Term> = missing.pure.iter().map(|condition| self.heap.norm(*condition)).collect();
        self.written(missing, &pure)
    }

    /// The bytes it asked for, and which addresses are equal; no other conditions.
    fn general(&self) -> Option<Pre> {
        let missing = self.heap.missing.as_ref()?;
        self.written(missing, &self.needed_anyway(missing))
    }

    /// Conditions without which the bytes make no sense: those on the sizes of blocks.
    fn needed_anyway(&self, missing: &Missing) -> Vec<Term> {
        let terms = self.heap.terms();
        let sizes: Vec<Term> = missing.blocks.iter().map(|block| self.heap.norm(block.size)).collect();
        let conditions = missing.pure.iter().map(|condition| self.heap.norm(*condition));
        conditions
            .filter(|condition| {
                let symbols = terms.symbols_of(*condition);
                !symbols.is_empty()
                    && symbols.iter().all(|symbol| sizes.iter().any(|size| terms.as_symbol(*size) == Some(*symbol)))
            })
            .collect()
    }

    /// The bytes as lists, of any length.
    fn folded(&self) -> Vec<Pre> {
        let Some(missing) = self.heap.missing.as_ref() else { return Vec::new() };
        let mut heap = SymbolicHeap::new(self.heap.world.clone(), false);
        heap.next_unknown = self.heap.next_unknown;
        heap.bound = self.heap.bound.clone();
        heap.cells = Rc::new(missing.cells.iter().map(|cell| cell.map(&|term| self.heap.norm(term))).collect());
        let mut segments = missing.segments.clone();
        segments.iter_mut().for_each(|segment| segment.map(&|term| self.heap.norm(term)));
        heap.segments = Rc::new(segments);
        let mut blocks = missing.blocks.clone();
        blocks.iter_mut().for_each(|block| block.map(&|term| self.heap.norm(term)));
        heap.blocks = Rc::new(blocks);
        let mut roots: Vec<Term> = self.params.iter().map(|param| self.heap.norm(*param)).collect();
        roots.extend(heap.addresses.iter().copied());
        if !fold(&mut heap, &roots, Caution::Guess) {
            return Vec::new();
        }
        let mut guesses = Vec::new();
        for nonempty in [false, true] {
            let mut guess = (**missing).clone();
            guess.cells = heap.cells.to_vec();
            guess.blocks = heap.blocks.to_vec();
            guess.segments = heap.segments.to_vec();
            if !nonempty {
                guess.segments.iter_mut().for_each(|segment| segment.nonempty = false);
            }
            guesses.extend(self.written(&guess, &self.needed_anyway(missing)));
        }
        guesses
    }

    fn written(&self, missing: &Missing, pure: &[Term]) -> Option<Pre> {
        let world = &self.heap.world;
        let terms = &world.context.terms;
        let heap = self.heap;
        let mut namer = Namer::new(world, self.follower.program);
        for param in self.params {
            namer.number(terms.as_symbol(*param)?);
        }
        let controlled = |term: Term| heap.is_controlled(term) || self.is_of_list(term);
        let mut formula = Formula::default();
        let norm = |term: Term| heap.norm(term);
        for cell in &missing.cells {
            let cell = cell.map(&norm);
            let value = match cell.value {
                super::heap::Value::Is(term) | super::heap::Value::Each(term) => controlled(term),
                super::heap::Value::Any => true,
            };
            if !controlled(cell.at) || !controlled(cell.size) || !value {
                return None;
            }
            if terms.as_const(cell.size) == Some(0) {
                continue;
            }
            formula.cells.push(namer.cell(&cell));
        }
        for segment in &missing.segments {
            let mut segment = segment.clone();
            segment.map(&norm);
            if !segment.terms().all(controlled) {
                return None;
            }
            formula.segments.push(namer.segment(&segment));
        }
        for block in &missing.blocks {
            let mut block = block.clone();
            block.map(&norm);
            block.live = true;
            if !controlled(block.start) || !controlled(block.size) {
                return None;
            }
            formula.blocks.push(namer.block(&block));
        }
        // Parameters that equal something else.
        for param in self.params {
            let value = norm(*param);
            if value != *param {
                if !controlled(value) {
                    return None;
                }
                let left = namer.expr(*param);
                let right = namer.expr(value);
                formula.pure.push(Expr::Op(Box::new(("eq".to_owned(), left, right))));
            }
        }
        let implied = self.implied(missing);
        for condition in pure {
            let condition = norm(*condition);
            if terms.as_const(condition).is_some() || !controlled(condition) || implied.known(condition) == Some(true) {
                continue;
            }
            // Of what nothing else speaks of, something fulfils it.
            if !terms.symbols_of(condition).iter().any(|symbol| namer.has(*symbol)) {
                continue;
            }
            let expr = namer.expr(condition);
            if !formula.pure.contains(&expr) {
                formula.pure.push(expr);
            }
        }
        (!namer.is_full()).then(|| Pre { vars: namer.widths(), formula })
    }

    /// Unknowns of a guess are what every list may have.
    fn is_of_list(&self, term: Term) -> bool {
        let symbols = self.heap.terms().symbols_of(term);
        symbols.iter().all(|symbol| {
            matches!(self.heap.kind(*symbol), Some(SymbolKind::Anchor(_)))
                || matches!(self.heap.kind(*symbol), Some(SymbolKind::Forgotten(n)) if n >= self.heap.next_unknown)
        })
    }

    /// The bytes alone, for what follows from them.
    fn implied(&self, missing: &Missing) -> SymbolicHeap {
        let mut heap = SymbolicHeap::new(self.heap.world.clone(), false);
        heap.cells = Rc::new(missing.cells.iter().map(|cell| cell.map(&|term| self.heap.norm(term))).collect());
        heap.bound = self.heap.bound.clone();
        heap
    }
}

/// What is missing in `heap`, over the variables `vars` and new ones.
pub(super) fn needed(follower: &Follower, heap: &SymbolicHeap, vars: &[Term]) -> Option<Pre> {
    Needed { follower, heap, params: vars }.general()
}

/// Whether a caller could avoid it: the precondition says something of numbers, of which addresses are equal, or of what
/// stands in memory.
pub(super) fn is_conditional(pre: &Pre, params: usize) -> bool {
    let mut seen: Vec<u32> = Vec::new();
    let is_free = |value: &ValueText, seen: &mut Vec<u32>| match value {
        ValueText::Any => true,
        ValueText::Is(Expr::Var(n)) if *n as usize >= params && !seen.contains(n) => {
            seen.push(*n);
            true
        }
        _ => false,
    };
    !pre.formula.pure.is_empty()
        || !pre.formula.segments.is_empty()
        || !pre.formula.cells.iter().all(|cell| is_free(&cell.value, &mut seen))
}
