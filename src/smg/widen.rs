//! Numbers that keep changing: after a few values of a variable at one loop head, with one shape of the heap, only bounds
//! of it are kept. Over-approximates: the bounds contain every value met so far, this one included.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::canonical::{Hole, Place, Shape, blind};
use super::content::{Cell, Edge};
use super::context::{Context, SymbolKind};
use super::domain::State;
use super::fold::Precision;
use super::graph::{Object, Smg};
use crate::cfa::{Expr, Op, Program};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{SymId, Term};

/// What has been seen at loop heads.
pub(super) struct Widening {
    precision: Precision,
    /// Bounds worth stopping at: constants that conditions compare with, ascending.
    thresholds: Vec<i128>,
    seen: FxHashMap<Shape, Vec<Seen>>,
}

/// The values of one place.
#[derive(Default)]
struct Seen {
    values: FxHashSet<Term>,
    /// Signed bounds of all of them.
    bounds: Option<(i128, i128)>,
    /// So many low bits of all of them are zero.
    alignment: u32,
    /// Places whose number was never less, and whether it was always greater; `None` before anything was forgotten.
    below: Option<Vec<(usize, bool)>>,
}

impl Widening {
    pub fn new(program: &Program, precision: Precision) -> Self {
        let mut thresholds: BTreeSet<i128> = [-1, 0, 1].into_iter().collect();
        for function in &program.functions {
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                if let Op::Assume(condition) = &edge.op {
                    constants(condition, &mut thresholds);
                }
            }
        }
        Self::with_thresholds(precision, thresholds.into_iter().collect())
    }

    /// Stops at these bounds, which ascend.
    pub fn with_thresholds(precision: Precision, thresholds: Vec<i128>) -> Self {
        Self { precision, thresholds, seen: FxHashMap::default() }
    }

    /// Bounds worth stopping at, ascending.
    pub fn thresholds(&self) -> &[i128] {
        &self.thresholds
    }

    /// Replaces numbers that took too many values in states like this one.
    pub fn widen(&mut self, state: &mut State) {
        let context = state.memory.context().clone();
        state.memory.forget_array_numbers(self.precision.values);
        let (shape, holes) = blind(state);
        let seen = self.seen.entry(shape).or_default();
        seen.resize_with(holes.len().max(seen.len()), Seen::default);
        let mut widened = vec![false; holes.len()];
        for (index, hole) in holes.iter().enumerate() {
            let seen = &mut seen[index];
            let width = context.terms.width(hole.number);
            let alignment = context.terms.trailing_zeros(hole.number).min(8);
            let bounds = state.memory.store.signed_range(&context, hole.number);
            let (all, common) = match seen.bounds {
                None => (bounds, alignment),
                Some(old) => ((old.0.min(bounds.0), old.1.max(bounds.1)), seen.alignment.min(alignment)),
            };
            seen.alignment = common;
            if seen.values.len() <= self.precision.values {
                seen.values.insert(anonymous(&context, hole.number));
            }
            seen.bounds = Some(all);
            if seen.values.len() <= self.precision.values || all.0 == all.1 {
                continue;
            }
            widened[index] = true;
            let wide = snap(&self.thresholds, all, width);
            seen.bounds = Some(wide);
        }
        for (index, hole) in holes.iter().enumerate().filter(|(index, _)| widened[*index]) {
            let seen = &mut seen[index];
            let wide = seen.bounds.unwrap_or((i128::MIN, i128::MAX));
            let terms = &context.terms;
            let width = terms.width(hole.number);
            let is_fixed = |other: usize| {
                let number = holes[other].number;
                other != index && !widened[other] && terms.width(number) == width && terms.as_const(number).is_none()
            };
            let candidates = seen.below.take().unwrap_or_else(|| {
                (0..holes.len())
                    .filter(|other| is_fixed(*other))
                    .take(MOST_RELATIONS)
                    .map(|other| (other, true))
                    .collect()
            });
            let mut below = Vec::new();
            for (other, strictly) in candidates.into_iter().filter(|(other, _)| is_fixed(*other)) {
                let bound = holes[other].number;
                if strictly && state.memory.surely(terms.slt(hole.number, bound)) {
                    below.push((other, true));
                } else if state.memory.surely(terms.sle(hole.number, bound)) {
                    below.push((other, false));
                }
            }
            let fresh = state.memory.forgotten_aligned(width, seen.alignment);
            let (low, high) = (terms.signed_constant(wide.0, width), terms.signed_constant(wide.1, width));
            let mut facts = vec![terms.sle(low, fresh), terms.sle(fresh, high)];
            for &(other, strictly) in &below {
                let bound = holes[other].number;
                facts.push(if strictly { terms.slt(fresh, bound) } else { terms.sle(fresh, bound) });
            }
            seen.below = Some(below);
            for fact in facts.into_iter().filter(|fact| !terms.is_true(*fact)) {
                state.memory.store.assume(&context, fact);
            }
            put(state, hole, fresh);
        }
    }
}

/// Numbers a forgotten one is compared with.
const MOST_RELATIONS: usize = 6;

/// Objects of this many bytes (or of unknown size) are arrays: loops may fill them cell by cell.
const ARRAY_BYTES: u128 = 128;

impl Smg {
    /// Whether the condition holds in all runs, as far as the solver can tell.
    pub(super) fn surely(&self, condition: Term) -> bool {
        let context = self.context.clone();
        match self.decide_condition(condition) {
            Some(truth) => truth,
            None => !self.store.may_hold(&context, context.terms.not(condition), &[]),
        }
    }

    /// Forgets the numbers in arrays of which more than `most` are known: over-approximates, as any number may be there.
    pub(super) fn forget_array_numbers(&mut self, most: usize) {
        let context = self.context.clone();
        let terms = &context.terms;
        let is_pointer = |memory: &Smg, edge: &Edge| match edge.cell {
            Cell::Value(value) => terms.symbols_of(value).iter().any(|symbol| memory.points_to.contains_key(symbol)),
            Cell::Uniform(_) | Cell::Forgotten => false,
        };
        let is_full = |memory: &Smg, object: &Object| {
            let is_array = terms.as_const(object.size).is_none_or(|size| size >= ARRAY_BYTES);
            let numbers = object.content.edges().iter().filter(|edge| !is_pointer(memory, edge)).count();
            let fixed = matches!(object.kind, BlockKind::Literal);
            is_array
                && !fixed
                && object.valid
                && object.is_region()
                && (numbers > most || (numbers > 0 && object.content.is_blurred()))
        };
        let full: Vec<BlockId> =
            self.objects.iter().filter(|(_, object)| is_full(self, object)).map(|(block, _)| *block).collect();
        for block in full {
            let pointers: Vec<u64> = self
                .object(block)
                .map(|object| {
                    object
                        .content
                        .edges()
                        .iter()
                        .filter(|edge| is_pointer(self, edge))
                        .map(|edge| edge.offset)
                        .collect()
                })
                .unwrap_or_default();
            if let Some(object) = self.object_mut(block) {
                object.content.forget(&|edge| pointers.contains(&edge.offset));
            }
        }
    }
}

/// Puts `number` where `hole` is.
fn put(state: &mut State, hole: &Hole, number: Term) {
    let context = state.memory.context().clone();
    let value = match hole.base {
        Some(base) => context.terms.add(base, number),
        None => number,
    };
    match hole.place {
        Place::Register(frame, reg) => {
            let frame = std::rc::Rc::make_mut(&mut state.frames[frame]);
            frame.regs[reg] = Some(value);
        }
        Place::Cell(block, offset) => {
            let bytes = u64::from(context.terms.width(value) / 8);
            state.memory.write_cell(block, offset, bytes, Cell::Value(value));
        }
    }
}

/// The number up to the names of its symbols.
fn anonymous(context: &Context, number: Term) -> Term {
    let symbols = context.terms.symbols_of(number);
    let by: FxHashMap<SymId, Term> = symbols
        .iter()
        .enumerate()
        .map(|(index, symbol)| {
            let info = context.terms.symbol_info(*symbol);
            (*symbol, context.symbol(SymbolKind::Canonical(index as u32, 0), info.width, info.alignment))
        })
        .collect();
    context.terms.substitute(number, &by)
}

/// The least bounds of the list that contain `bounds`.
pub(super) fn snap(thresholds: &[i128], (low, high): (i128, i128), width: u32) -> (i128, i128) {
    let most = (u128::MAX >> (129 - width.max(1))) as i128;
    let least = -most - 1;
    let below = thresholds.partition_point(|threshold| *threshold <= low);
    let above = thresholds.partition_point(|threshold| *threshold < high);
    let low = if below == 0 { least } else { thresholds[below - 1].max(least) };
    let high = thresholds.get(above).map_or(most, |threshold| (*threshold).min(most));
    (low, high)
}

fn constants(expr: &Expr, found: &mut BTreeSet<i128>) {
    match expr {
        Expr::Const(bits) => {
            let value = bits.signed();
            found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
        Expr::Reg(..) | Expr::Address(..) => {}
        Expr::Unary(_, operand)
        | Expr::Convert(_, _, operand)
        | Expr::FloatUnary(_, _, operand)
        | Expr::FloatConvert(_, operand) => constants(operand, found),
        Expr::Binary(_, left, right) | Expr::FloatBinary(_, _, left, right) | Expr::FloatCompare(_, _, left, right) => {
            constants(left, found);
            constants(right, found);
        }
        Expr::Ite(condition, then, otherwise) => {
            constants(condition, found);
            constants(then, found);
            constants(otherwise, found);
        }
    }
}
