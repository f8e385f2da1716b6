//! Numbers that keep changing: after a few values of a variable at one loop head, with one shape of the heap, only bounds
//! of it are kept. Over-approximates: the bounds contain every value met so far, this one included.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::canonical::{Hole, Place, Shape, blind};
use super::relate::{Relations, relate};
use crate::cfa::{Expr, Op, Program};
use crate::heap::{Cell, Context, Edge, Object, Smg, State, SymbolKind, snap};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{SymId, Term};

/// What has been seen at loop heads.
pub(crate) struct Widening {
    /// Bounds worth stopping at: constants that conditions compare with, ascending.
    thresholds: Vec<i128>,
    seen: FxHashMap<Shape, Vec<Seen>>,
}

/// The values of one place.
#[derive(Default)]
pub(super) struct Seen {
    values: FxHashSet<Term>,
    /// Signed bounds of all of them.
    pub bounds: Option<(i128, i128)>,
    /// So many low bits of all of them are zero.
    pub alignment: u32,
    /// How they relate to other numbers.
    pub relations: Relations,
}

impl Seen {
    /// More than one value was seen.
    pub fn has_changed(&self) -> bool {
        self.values.len() > 1
    }
}

impl Widening {
    pub fn new(program: &Program) -> Self {
        let mut thresholds: BTreeSet<i128> = [-1, 0, 1].into_iter().collect();
        for function in &program.functions {
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                if let Op::Assume(condition) = &edge.op {
                    constants(condition, &mut thresholds);
                }
            }
        }
        Self::with_thresholds(thresholds.into_iter().collect())
    }

    /// Stops at these bounds, which ascend.
    pub fn with_thresholds(thresholds: Vec<i128>) -> Self {
        Self { thresholds, seen: FxHashMap::default() }
    }

    /// Bounds worth stopping at, ascending.
    pub fn thresholds(&self) -> &[i128] {
        &self.thresholds
    }

    /// Replaces numbers that took more than `most` values in states like this one.
    pub fn widen(&mut self, state: &mut State, most: usize) {
        let context = state.memory.context().clone();
        state.memory.forget_array_numbers(most);
        let (shape, holes) = blind(state);
        let seen = self.seen.entry(shape).or_default();
        seen.resize_with(holes.len().max(seen.len()), Seen::default);
        let mut widened = vec![false; holes.len()];
        for (index, hole) in holes.iter().enumerate() {
            let seen = &mut seen[index];
            let alignment = context.terms.trailing_zeros(hole.number).min(8);
            let bounds = state.memory.store.signed_range(&context, hole.number);
            let (all, common) = match seen.bounds {
                None => (bounds, alignment),
                Some(old) => {
                    let kept = state.memory.bounds_within(hole.number, old, bounds);
                    ((old.0.min(kept.0), old.1.max(kept.1)), seen.alignment.min(alignment))
                }
            };
            seen.alignment = common;
            if seen.values.len() <= most {
                seen.values.insert(anonymous(&context, hole.number));
            }
            seen.bounds = Some(all);
            let is_steady = seen.values.len() <= most || all.0 == all.1;
            if is_steady && !seen.relations.is_tied() {
                continue;
            }
            widened[index] = true;
            seen.bounds = Some(snap(&self.thresholds, all, context.terms.width(hole.number)));
        }
        relate(state, &holes, seen, &mut widened, &self.thresholds);
    }
}

/// Objects of this many bytes (or of unknown size) are arrays: loops may fill them cell by cell.
const ARRAY_BYTES: u128 = 128;

impl Smg {
    /// `bounds` of `number`, as far as they leave `old`, made tighter where the solver finds that they do not.
    fn bounds_within(&self, number: Term, old: (i128, i128), bounds: (i128, i128)) -> (i128, i128) {
        let terms = &self.context.terms;
        let width = terms.width(number);
        let constant = |value: i128| terms.signed_constant(value, width);
        let holds_low =
            |low: &i128| bounds.0 < *low && *low <= old.0 && self.entails(terms.sle(constant(*low), number));
        let holds_high =
            |high: &i128| *high < bounds.1 && old.1 <= *high && self.entails(terms.sle(number, constant(*high)));
        let low = [old.0, 0].into_iter().find(holds_low).unwrap_or(bounds.0);
        let high = [old.1, 0].into_iter().find(holds_high).unwrap_or(bounds.1);
        (low, high)
    }

    /// Whether loops may fill the object cell by cell.
    pub(super) fn is_array(&self, object: &Object) -> bool {
        self.context.terms.as_const(object.size).is_none_or(|size| size >= ARRAY_BYTES)
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
            // Single cells of an array of any length are rarely what matters.
            let most = if terms.as_const(object.size).is_none() { most.min(1) } else { most };
            let numbers = object.content.edges().iter().filter(|edge| !is_pointer(memory, edge)).count();
            let fixed = matches!(object.kind, BlockKind::Literal);
            memory.is_array(object)
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
pub(super) fn put(state: &mut State, hole: &Hole, number: Term) {
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
