//! Numbers that keep changing: after a few values of a variable at one loop head, with one shape of the heap, only bounds
//! of it are kept. Over-approximates: the bounds contain every value met so far, this one included.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::canonical::{Hole, Place, Shape, blind};
use super::content::Cell;
use super::context::{Context, SymbolKind};
use super::domain::State;
use super::fold::Precision;
use crate::cfa::{Expr, Op, Program};
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
        Self { precision, thresholds: thresholds.into_iter().collect(), seen: FxHashMap::default() }
    }

    /// Bounds worth stopping at, ascending.
    pub fn thresholds(&self) -> &[i128] {
        &self.thresholds
    }

    /// Replaces numbers that took too many values in states like this one.
    pub fn widen(&mut self, state: &mut State) {
        let context = state.memory.context().clone();
        let (shape, holes) = blind(state);
        let seen = self.seen.entry(shape).or_default();
        seen.resize_with(holes.len().max(seen.len()), Seen::default);
        for (hole, seen) in holes.iter().zip(seen.iter_mut()) {
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
            let wide = snap(&self.thresholds, all, width);
            seen.bounds = Some(wide);
            let fresh = state.memory.forgotten_aligned(width, common);
            let terms = &context.terms;
            let (low, high) = (terms.signed_constant(wide.0, width), terms.signed_constant(wide.1, width));
            for bound in [terms.sle(low, fresh), terms.sle(fresh, high)] {
                if !terms.is_true(bound) {
                    state.memory.store.assume(&context, bound);
                }
            }
            put(state, hole, fresh);
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
