//! One state for all runs that meet: what they hold is distinguished by the conditions that brought them there, not by states. So there
//! are no more states than places, round by round, and the solver sees all paths at once.
//!
//! Source: state merging of Kuznetsov, Kinder, Bucur, Candea (PLDI'12), done at every place where runs meet, as bounded model
//! checkers do (Clarke, Kroening, Lerda, TACAS'04); but what ends is a proof like any other.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::ats::{Arrival, CutPoint, Domain, Order};
use crate::cfa::{Program, Step, reverse_postorder};
use crate::evidence::Obligation;
use crate::explore::{Alarm, Constraints, Hole, HolePlace, Shape, Shapes, blind, canonical};
use crate::frame::Rest;
use crate::heap::{Cell, KeptCells, Object, State, values};
use crate::memory::Checks;
use crate::smt::Term;

/// The shape domain with states merged.
pub struct Merging<'p> {
    shapes: Shapes<'p>,
    /// By function and location: where they stand in it.
    numbers: Vec<Vec<u32>>,
}

impl<'p> Merging<'p> {
    /// Every call is followed within its caller.
    pub fn new(program: &'p Program, checks: Checks) -> Self {
        Self {
            shapes: Shapes::new(program, checks),
            numbers: program.functions.iter().map(reverse_postorder).collect(),
        }
    }

    /// Whether it has to be known that runs go on from `state` to `next`, or it might never end: before each round of a loop, and
    /// before each call.
    fn is_asked(&self, state: &State, next: &State) -> bool {
        self.is_loop_head(next) || next.frames.len() > state.frames.len()
    }

    /// Whether the state stands where a loop begins.
    pub(super) fn is_loop_head(&self, state: &State) -> bool {
        let top = state.top();
        self.shapes.program.function(top.function).location(top.at).loop_head
    }
}

impl Domain for Merging<'_> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = Alarm;
    type Key = Shape;
    type Facts = Constraints;
    type Frame = Rest;
    type Place = ();
    type History = ();
    const MERGES: bool = true;

    fn obligation(&self) -> Obligation {
        self.shapes.obligation()
    }

    fn advance(&self, state: &State) -> Vec<(Rc<[Step]>, Arrival<State, Alarm, Rest>)> {
        let mut moves = self.shapes.advance(state);
        if state.memory.semantics.asks_at_branches {
            return moves;
        }
        moves.retain(|(_, arrival)| match arrival {
            Arrival::State(next) => !self.is_asked(state, next) || next.memory.is_possible(),
            Arrival::Alarm(end, _) | Arrival::Stuck(end, _) => end.memory.is_possible(),
            Arrival::Call { .. } | Arrival::Return(_) | Arrival::End => true,
        });
        moves
    }

    fn cut_point(&self, state: &State) -> Option<CutPoint<()>> {
        self.shapes.cut_point(state)
    }

    fn boundary(&self, state: &State) -> CutPoint<()> {
        self.shapes.boundary(state)
    }

    fn tidy(&self, state: &mut State) {
        let roots = values(state);
        // What is known of inputs that are gone distinguishes the runs that they led here.
        state.memory.drop_dead_objects(&mut roots.iter());
    }

    fn is_compared(&self, state: &State) -> bool {
        self.is_loop_head(state)
    }

    fn form(&self, state: &mut State) -> (Shape, Constraints) {
        canonical(state, false)
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        new.entail(old)
    }

    /// Callees come before what follows their calls.
    fn order(&self, state: &State) -> Order {
        let frames = state.frames.iter().map(|frame| self.numbers[frame.function.index()][frame.at.index()]);
        Order::Rounds(frames.chain([u32::MAX]).collect())
    }

    fn merge(&self, waiting: &State, arriving: &State) -> Option<State> {
        merged(waiting, arriving)
    }

    fn resume(&self, caller: &Rest, exit: &State) -> Vec<Arrival<State, Alarm, Rest>> {
        self.shapes.resume(caller, exit)
    }
}

/// Both states as one, if they differ in numbers only.
pub(super) fn merged(left: &State, right: &State) -> Option<State> {
    if !have_same_objects(left, right) {
        return None;
    }
    let (mut left, mut right) = (left.clone(), right.clone());
    for state in [&mut left, &mut right] {
        let roots = values(state);
        state.memory.forget_cells(&roots, |_| KeptCells::Written);
    }
    keep_common_runs(&mut left, &right);
    keep_common_runs(&mut right, &left);
    write_out(&mut left, &right);
    write_out(&mut right, &left);
    let ((shape, holes), (other_shape, others)) = (blind(&left, false), blind(&right, false));
    if shape != other_shape || !are_equal_elsewhere(&left, &right, &holes) {
        return None;
    }
    let context = left.memory.context().clone();
    let terms = &context.terms;
    let apart = |own: &State, other: &State| -> Vec<Term> {
        let other = other.memory.store.constraints();
        own.memory.store.constraints().iter().copied().filter(|part| !other.contains(part)).collect()
    };
    let (of_left, of_right) = (apart(&left, &right), apart(&right, &left));
    // Often a single condition distinguishes the two.
    let established = of_left.iter().copied().find(|part| of_right.contains(&terms.not(*part)));
    let is_left = established.unwrap_or_else(|| terms.conjunction(&of_left));
    let right_holds = terms.conjunction(&of_right);
    if [is_left, right_holds].iter().any(|condition| terms.as_const(*condition).is_some()) {
        return None;
    }
    for (hole, other) in holes.iter().zip(&others) {
        // Shapes are equal up to the names of objects; here the objects have to be the same.
        if hole.base != other.base || hole.place != other.place {
            return None;
        }
        if hole.number != other.number {
            if hole.base.is_some() {
                return None;
            }
            hole.put(&mut left, terms.ite(is_left, hole.number, other.number));
        }
    }
    left.memory.weaken(&|constraint| !of_left.contains(&constraint));
    let conditions = match established {
        Some(established) => {
            let implied = |when: Term, parts: &[Term]| -> Vec<Term> {
                parts.iter().map(|part| terms.implies(when, *part)).collect()
            };
            [implied(established, &of_left), implied(terms.not(established), &of_right)].concat()
        }
        None => vec![terms.or(is_left, right_holds)],
    };
    for condition in conditions {
        if terms.as_const(condition).is_none() {
            left.memory.store.assume(&context, condition);
        }
    }
    let (ours, theirs) = (&mut left.memory, &right.memory);
    ours.next_input = ours.next_input.max(theirs.next_input);
    ours.next_forgotten = ours.next_forgotten.max(theirs.next_forgotten);
    ours.next_block = ours.next_block.max(theirs.next_block);
    Some(left)
}

/// Whether both have the same frames, slot by slot, and the same objects.
fn have_same_objects(left: &State, right: &State) -> bool {
    let same_frames = left.frames.len() == right.frames.len()
        && left.frames.iter().zip(&right.frames).all(|(own, other)| {
            Rc::ptr_eq(own, other)
                || own.slots == other.slots && own.allocas == other.allocas && own.result == other.result
        });
    let objects = |state: &State| -> Vec<_> {
        state.memory.blocks().map(|(block, object)| (block, object.address, object.size, object.valid)).collect()
    };
    same_frames && objects(left) == objects(right)
}

/// Whether what the states hold besides `holes` is the same: shapes are equal up to names.
fn are_equal_elsewhere(left: &State, right: &State, holes: &[Hole]) -> bool {
    let places: FxHashSet<HolePlace> = holes.iter().map(|hole| hole.place).collect();
    let registers = left.frames.iter().zip(&right.frames).enumerate().all(|(index, (own, other))| {
        let mut pairs = own.regs.iter().zip(&other.regs).enumerate();
        pairs.all(|(reg, (own, other))| own == other || places.contains(&HolePlace::Register(index, reg)))
    });
    registers
        && left.memory.blocks().zip(right.memory.blocks()).all(|((block, own), (_, other))| {
            let (own, other) = (&own.content, &other.content);
            let mut pairs = own.edges().iter().zip(other.edges());
            own.edges().len() == other.edges().len()
                && (own.is_zeroed(), own.is_blurred()) == (other.is_zeroed(), other.is_blurred())
                && pairs.all(|(own, other)| own == other || places.contains(&HolePlace::Cell(block, own.offset)))
        })
        && left.memory.blocks().zip(right.memory.blocks()).all(|((_, own), (_, other))| {
            let code = |object: &Object| object.uncounted().code();
            own.is_region() && other.is_region() || code(own) == code(other)
        })
}

/// Drops what only `state` knows of cells on top of its other edges.
fn keep_common_runs(state: &mut State, other: &State) {
    for (block, object) in other.memory.blocks() {
        let mut runs = state.memory.runs(block).to_vec();
        runs.retain(|run| object.content.runs().contains(run));
        state.memory.set_runs(block, runs);
    }
}

/// Writes zeros that stand in `state` because nothing was written there where `other` has something.
fn write_out(state: &mut State, other: &State) {
    for (block, object) in other.memory.blocks() {
        let edges = object.content.edges().iter().filter(|edge| matches!(edge.cell, Cell::Value(_)));
        for (offset, bytes) in edges.map(|edge| (edge.offset, edge.bytes)).collect::<Vec<_>>() {
            let is_there = |memory: &crate::heap::Smg| {
                let own = memory.object(block).filter(|own| own.is_region() && own.content.is_zeroed());
                own.is_none_or(|own| own.content.overlapping(offset, bytes).next().is_some())
            };
            if !is_there(&state.memory) {
                let zero = state.memory.context().terms.constant(0, 8 * bytes as u32);
                state.memory.write_cell(block, offset, bytes, Cell::Value(zero));
            }
        }
    }
}
