//! Numbers that keep changing: after a few values of a variable at one loop head, with one shape of the heap, only bounds
//! of it are kept. Over-approximates: the bounds contain every value met so far, this one included.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::arrays::{forget_array_numbers, forget_cells, is_in_array, last_zero};
use super::canonical::{Hole, Place, blind};
use super::elements::{Elements, factors};
use super::free::{forget_large, free_numbers, number_at};
use super::limits::{MOST_CHOICES, MOST_CLIMBS, MOST_STOPS, MOST_TOGETHER};
use super::relate::relate;
use super::samples::Sampler;
use super::seen::{Chosen, Numbers, Remainder, Seen, Variable};
use crate::cfa::{BinOp, Expr, FunctionId, Op, Program, Records, Reg, for_exprs};
use crate::fold::{Downward, Keep, Suggested};
use crate::heap::{Cell, Context, Edge, Object, Run, Smg, State, SymbolKind, values};
use crate::memory::{BlockKind, Site};
use crate::numeric::Thresholds;
use crate::smt::{SymId, Term, mask};

/// Bounds worth stopping at: constants that conditions of the program compare with, and their neighbours; how many elements an object
/// may have whose size is a multiple of a constant.
pub fn thresholds(program: &Program) -> Thresholds {
    let mut thresholds = Thresholds::from([-1, 0, 1]);
    for function in &program.functions {
        for edge in function.locations.iter().flat_map(|location| &location.edges) {
            if let Op::Assume(condition) = &edge.op {
                constants(condition, &mut thresholds);
            }
            for_exprs(&edge.op, &mut |expr| sizes(expr, 8 * program.model.pointer_bytes(), &mut thresholds));
        }
    }
    thresholds
}

/// What the text of a program suggests to keep of its numbers.
#[derive(Debug, Default)]
pub struct Hints {
    /// Bounds worth stopping at.
    pub thresholds: Thresholds,
    /// Variables of a function that are added to each other.
    pub sums: FxHashSet<(FunctionId, Reg, Reg)>,
    /// Variables of a function that are compared with each other.
    pub compared: FxHashSet<(FunctionId, Reg, Reg)>,
    /// Those that are compared as unsigned numbers, where such orders are kept.
    pub unsigned: FxHashSet<(FunctionId, Reg, Reg)>,
    /// Pointers that lead down from one list to another.
    pub downward: Downward,
    /// What structures are made of.
    pub records: Arc<Records>,
    /// Which objects are arrays, and of what.
    pub arrays: Elements,
}

impl Hints {
    /// Collected from the whole text, functions of the library included.
    pub fn of(program: &Program) -> Self {
        let (mut sums, mut compared) = (FxHashSet::default(), FxHashSet::default());
        for (index, function) in program.functions.iter().enumerate() {
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                let mut visit = |part: &Expr| {
                    let Expr::Binary(op, left, right) = part else { return };
                    let (pairs, of): (_, fn(&Expr) -> Option<Reg>) = match op {
                        BinOp::Add => (&mut sums, shifted_variable),
                        op if op.is_comparison() => (&mut compared, shifted_variable),
                        _ => return,
                    };
                    if let (Some(left), Some(right)) = (of(left), of(right)) {
                        pairs.insert((FunctionId(index as u32), left.min(right), left.max(right)));
                    }
                };
                for_exprs(&edge.op, &mut |expr| expr.visit(&mut visit));
                // The end of what is read or written is such a sum, too.
                for (address, size) in extents(&edge.op) {
                    if let (Some(left), Some(right)) = (shifted_variable(address), shifted_variable(size)) {
                        sums.insert((FunctionId(index as u32), left.min(right), left.max(right)));
                    }
                }
            }
        }
        Self {
            thresholds: thresholds(program),
            sums,
            compared,
            unsigned: FxHashSet::default(),
            downward: Downward::of(&program.records),
            records: program.records.clone(),
            arrays: Elements::of(program),
        }
    }

    /// More of numbers is kept, so that it is known which do not wrap: bounds stop one before the largest and the least number, too,
    /// and unsigned variables that `program` compares keep their order.
    pub fn keep_from_wrapping(&mut self, program: &Program) {
        let most = |width: u32| (1_i128 << (width - 1)) - 1;
        [32, 64].into_iter().for_each(|width| self.thresholds.add([most(width) - 1, -most(width)], width));
        for (index, function) in program.functions.iter().enumerate() {
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                for_exprs(&edge.op, &mut |expr| {
                    expr.visit(&mut |part| {
                        if let Expr::Binary(BinOp::Ult | BinOp::Ule, left, right) = part
                            && let (Some(left), Some(right)) = (variable(left), variable(right))
                        {
                            self.unsigned.insert((FunctionId(index as u32), left.min(right), left.max(right)));
                        }
                    });
                });
            }
        }
    }

    /// Those for folding.
    pub fn suggested(&self) -> Suggested<'_> {
        Suggested { thresholds: &self.thresholds, downward: Some(&self.downward) }
    }
}

/// The addresses of stretches of bytes that an op reads or writes, and how many bytes each has.
fn extents(op: &Op) -> Vec<(&Expr, &Expr)> {
    match op {
        Op::Copy { dst, src, size } => vec![(dst, size), (src, size)],
        Op::Set { dst, size, .. } | Op::Havoc { dst, size, .. } => vec![(dst, size)],
        _ => Vec::new(),
    }
}

/// The variable whose value, converted or not, an expression is.
fn variable(expr: &Expr) -> Option<Reg> {
    match expr {
        Expr::Reg(reg, _) => Some(*reg),
        Expr::Convert(_, _, inner) => variable(inner),
        _ => None,
    }
}

/// The variable that an expression adds a constant to, or whose value it is.
fn shifted_variable(expr: &Expr) -> Option<Reg> {
    match expr {
        Expr::Binary(BinOp::Add | BinOp::Sub, part, by) if matches!(**by, Expr::Const(_)) => shifted_variable(part),
        Expr::Convert(_, _, inner) => shifted_variable(inner),
        _ => variable(expr),
    }
}

/// The greatest signed number.
fn most_signed(width: u32) -> i128 {
    i128::MAX >> (128 - width)
}

/// Replaces numbers that took more values than are kept in states like this one; their bounds stop at thresholds.
/// Variables that hold one of a few values in `samples` keep them.
pub fn widen(
    state: &mut State,
    numbers: &mut Numbers,
    (hints, thresholds): (&Hints, &Thresholds),
    keep: &Keep,
    samples: Option<&dyn Sampler>,
) {
    let most = keep.values;
    let context = state.memory.context().clone();
    forget_large(state);
    let roots = values(state);
    forget_array_numbers(&mut state.memory, most, &roots, &mut numbers.arrays, hints);
    forget_cells(&mut state.memory);
    let (mut shape, mut holes) = blind(state, true);
    if free_numbers(state, &holes) {
        (shape, holes) = blind(state, true);
    }
    let chosen = chosen(state, &holes, samples, &mut numbers.chosen);
    // A counter that moves in states of many shapes is not followed value by value in those of new ones.
    let are_many = numbers.seen.len() > most.saturating_add(1);
    let taken = &mut numbers.taken;
    let met = numbers.seen.entry((shape, chosen.clone())).or_default();
    let most_together = most.saturating_mul(MOST_TOGETHER);
    if met.together.len() <= most_together {
        met.together.insert(holes.iter().map(|hole| anonymous(&context, hole.number)).collect());
    }
    // Each cell may hold few values where all of them together hold too many.
    let is_crowded = met.together.len() > most_together;
    let seen = &mut met.numbers;
    seen.resize_with(holes.len().max(seen.len()), Seen::default);
    let mut widened = vec![false; holes.len()];
    for (index, hole) in holes.iter().enumerate() {
        let seen = &mut seen[index];
        let width = context.terms.width(hole.number);
        let stops = thresholds.of(width);
        seen.relations.is_count = matches!(hole.place, Place::Count(_));
        seen.relations.is_end = ends_run(state, hole);
        let remainder = Remainder::of(&context.terms, hole.number);
        let bounds = state.memory.store.signed_range(&context, hole.number);
        let object = hole.block(&state.memory).and_then(|block| state.memory.object(block));
        let bounds = object.map_or(bounds, |object| bounds_in(&state.memory, object, hole.number, bounds));
        let landmark = |most| landmark(&context, object?, most);
        // Places in one block say nothing of those in another.
        let variable =
            variable_at(state, hole.place).map(|variable| (variable, object.map(|object| object.origin.site)));
        if let Some(variable) = variable {
            let value = anonymous(&context, hole.number);
            let rounded = |bounds: (i128, i128)| {
                let (low, high) = thresholds.snap(bounds, width);
                (low, landmark(bounds.1).map_or(high, |landmark| high.min(landmark)))
            };
            let most = variable.0.most_of_all_shapes(most);
            let taken = taken.entry(variable).or_default();
            taken.add((value, bounds), most, rounded);
            (seen.step, seen.varies) = (taken.step(), taken.varies());
        }
        let moved = variable.and_then(|variable| taken[&variable].moving).filter(|_| are_many);
        // A walk that went on in other shapes may stop here at a zero that those did not have.
        let moved = moved.map(|(low, high)| (low, landmark(bounds.1).map_or(high, |landmark| high.min(landmark))));
        let old = seen.bounds.or(moved);
        let (all, common) = match old {
            None => (bounds_of_sum(&state.memory, hole.number, bounds), remainder),
            Some(old) => {
                let kept = bounds_within(&state.memory, hole.number, old, bounds, stops);
                let common = seen.bounds.map_or_else(Remainder::default, |_| seen.remainder.common(remainder));
                ((old.0.min(kept.0), old.1.max(kept.1)), common)
            }
        };
        seen.unsigned = Some(unsigned_bounds(&state.memory, hole.number, seen.unsigned, all, stops));
        seen.relations.tied |= seen.bounds.is_none() && moved.is_some();
        seen.remainder = common;
        if seen.values.len() <= most {
            seen.values.insert(anonymous(&context, hole.number));
        }
        seen.bounds = Some(all);
        let is_cell_of_many = is_crowded && seen.has_changed() && is_cell_of_array(state, hole.place, hints);
        let is_steady = (seen.values.len() <= most && !is_cell_of_many) || all.0 == all.1;
        let is_chosen = chosen.iter().any(|(chosen, _)| *chosen == index);
        if is_chosen || (is_steady && !seen.relations.tied) || ends_text(state, hole) {
            continue;
        }
        widened[index] = true;
        // An end that held this time stays: `i % n`, where no condition speaks of `n - 1`.
        let (low, high) = thresholds.snap(all, width);
        let low = if old.is_some_and(|old| old.0 == all.0) { all.0 } else { low };
        let stays = old.is_some_and(|old| old.1 == all.1);
        seen.climbs += usize::from(!stays);
        // What never exceeded another number that changes is bounded by that one: constants come and go.
        let is_bounded = seen.climbs > MOST_CLIMBS && met.orders.bound(index, &holes, state);
        let high = match stays {
            true => all.1,
            false if is_bounded => most_signed(width),
            false => high,
        };
        let high = landmark(all.1).map_or(high, |landmark| high.min(landmark));
        seen.bounds = Some((low, high));
        if let Some(variable) = variable {
            taken.entry(variable).or_default().moves_within((low, high));
        }
    }
    relate(state, &holes, met, &mut widened, (hints, thresholds), keep.counted, &chosen);
}

/// The variables that hold one of a few constants, as samples show, and did so far.
fn chosen(
    state: &State,
    holes: &[Hole],
    samples: Option<&dyn Sampler>,
    values: &mut FxHashMap<Variable, FxHashSet<Term>>,
) -> Chosen {
    let Some(samples) = samples else { return Chosen::default() };
    let terms = &state.memory.context().terms;
    let mut chosen = Vec::new();
    for (index, hole) in holes.iter().enumerate().filter(|(_, hole)| terms.as_const(hole.number).is_some()) {
        let Some(variable) = variable_at(state, hole.place).filter(|_| is_choice(state, samples, hole)) else {
            continue;
        };
        let values = values.entry(variable).or_default();
        values.insert(hole.number);
        if values.len() <= MOST_CHOICES {
            chosen.push((index, hole.number));
        }
    }
    chosen.into()
}

/// Whether the variable holds one of a few values, as samples show.
fn is_choice(state: &State, samples: &dyn Sampler, hole: &Hole) -> bool {
    let Some(number) = number_at(state, hole) else { return false };
    let bytes = u64::from(state.memory.context().terms.width(hole.number) / 8);
    let (visits, values) = samples.values((state.top().function, state.top().at), number, bytes);
    values <= MOST_CHOICES && 2 * values <= visits
}

/// The variable that a number is held by, if it is not a node of the heap.
fn variable_at(state: &State, place: Place) -> Option<Variable> {
    match place {
        Place::Register(frame, register) => Some(Variable::Register(frame, register)),
        Place::Cell(block, offset) => {
            let object = state.memory.object(block)?;
            let is_declared = matches!(object.origin.site, Site::Global(_) | Site::Slot(..));
            is_declared.then_some(Variable::Object(object.origin.site, offset))
        }
        Place::Size(..) | Place::Count(_) | Place::First(..) | Place::Last(..) => None,
    }
}

/// Whether the number is where a run of cells begins or ends, of tables or of texts or among them, which is not that of all cells of its
/// object.
fn ends_run(state: &State, hole: &Hole) -> bool {
    let (Place::First(block, run) | Place::Last(block, run)) = hole.place else { return false };
    let terms = &state.memory.context().terms;
    let runs = state.memory.runs(block);
    if runs.iter().all(Run::has_facts) {
        return false;
    }
    let stride = runs.get(run).map_or(1, |run| run.layout.stride);
    let size = state.memory.object(block).and_then(|object| terms.as_const(object.size));
    let ends = size.zip(terms.as_const(hole.number)).map(|(size, end)| (size / u128::from(stride), end));
    ends.is_none_or(|(count, end)| end != 0 && end < count)
}

/// Whether the number is the zero that ends the texts of an array: without it nothing is known of where they end.
fn ends_text(state: &State, hole: &Hole) -> bool {
    let Place::Cell(block, offset) = hole.place else { return false };
    let context = state.memory.context();
    context.terms.as_const(hole.number) == Some(0)
        && state.memory.object(block).is_some_and(|object| last_zero(context, object) == Some(offset))
}

/// Whether the number is that of a cell of an array, which loops go through.
fn is_cell_of_array(state: &State, place: Place, hints: &Hints) -> bool {
    let Place::Cell(block, offset) = place else { return false };
    state.memory.object(block).is_some_and(|object| is_in_array(&state.memory, object, offset, hints))
}

/// The first place at or after `offset` where a walk through the region may stop: a zero, or its end.
fn landmark(context: &Context, object: &Object, offset: i128) -> Option<i128> {
    let terms = &context.terms;
    let content = &object.content;
    let is_zero = |edge: &&Edge| match edge.cell {
        Cell::Value(value) => terms.as_const(value) == Some(0),
        Cell::Uniform(_) | Cell::Forgotten => false,
    };
    let zeros = content.edges().iter().filter(is_zero).map(|edge| edge.offset);
    let end = terms.as_const(object.size).and_then(|size| u64::try_from(size).ok());
    // What a literal leaves open ends its text; what other objects leave open is still to be filled.
    let from = u64::try_from(offset).unwrap_or(0);
    let is_text = object.kind == BlockKind::Literal && content.is_zeroed();
    let open = end.filter(|_| is_text).and_then(|end| content.gaps(from, end.saturating_sub(from)).first().copied());
    let near = zeros.chain(open.map(|(open, _)| open)).chain(end).map(i128::from);
    let cells = content.runs().iter().filter_map(|run| run.single(context));
    let cells = cells.filter(|(_, value)| terms.as_const(*value) == Some(0));
    let far = cells.filter_map(|(place, _)| terms.as_signed_const(place));
    near.chain(far).filter(|place| *place >= offset).min()
}

/// `bounds` of a place in an object, made tighter where intervals know too little: it does not lie behind the last zero, or the object's
/// end.
fn bounds_in(smg: &Smg, object: &Object, number: Term, bounds: (i128, i128)) -> (i128, i128) {
    let terms = &smg.context.terms;
    let Some(end) = terms.as_signed_const(object.size).filter(|_| terms.as_const(number).is_none()) else {
        return bounds;
    };
    let zero = last_zero(&smg.context, object).map(i128::from);
    let is_within = |most: &i128| {
        *most < bounds.1 && smg.supports(terms.ule(number, terms.signed_constant(*most, terms.width(number))))
    };
    match zero.into_iter().chain([end]).find(is_within) {
        Some(most) => (bounds.0.max(0), most),
        None => bounds,
    }
}

/// `bounds` of a number that is met for the first time: where it is a difference, it may be known not to be negative by what was compared.
fn bounds_of_sum(smg: &Smg, number: Term, bounds: (i128, i128)) -> (i128, i128) {
    let terms = &smg.context.terms;
    let may_be_positive = bounds.0 < 0 && bounds.1 > 0 && terms.symbols_of(number).len() > 1;
    let is_positive = || smg.supports(terms.sle(terms.constant(0, terms.width(number)), number));
    if may_be_positive && is_positive() { (0, bounds.1) } else { bounds }
}

/// `bounds` of `number`, as far as they leave `old`, made tighter where the solver finds that they do not, or not beyond the next
/// thresholds: intervals know little of sums.
fn bounds_within(
    smg: &Smg,
    number: Term,
    old: (i128, i128),
    bounds: (i128, i128),
    thresholds: &[i128],
) -> (i128, i128) {
    let terms = &smg.context.terms;
    let width = terms.width(number);
    let constant = |value: i128| terms.signed_constant(value, width);
    let holds_low = |low: &i128| bounds.0 < *low && *low <= old.0 && smg.supports(terms.sle(constant(*low), number));
    let holds_high =
        |high: &i128| *high < bounds.1 && old.1 <= *high && smg.supports(terms.sle(number, constant(*high)));
    let below = thresholds.partition_point(|threshold| *threshold < old.0);
    let above = thresholds.partition_point(|threshold| *threshold <= old.1);
    let lower = thresholds[..below].iter().rev().take(MOST_STOPS).copied();
    let higher = thresholds[above..].iter().take(MOST_STOPS).copied();
    let low = [old.0, 0].into_iter().chain(lower).find(holds_low).unwrap_or(bounds.0);
    let high = [old.1, 0].into_iter().chain(higher).find(holds_high).unwrap_or(bounds.1);
    (low, high)
}

/// Unsigned bounds of `number` and all before it, where `signed` ones are known of all: what leaves the `old` ones stops at thresholds.
/// The solver is asked only where the signed ones say nothing.
fn unsigned_bounds(
    smg: &Smg,
    number: Term,
    old: Option<(u128, u128)>,
    signed: (i128, i128),
    thresholds: &[i128],
) -> (u128, u128) {
    let bounds = smg.store.range(&smg.context, number);
    let Some(old) = old else { return bounds };
    if old.0 <= bounds.0 && bounds.1 <= old.1 {
        return old;
    }
    let terms = &smg.context.terms;
    let width = terms.width(number);
    let full = mask(width);
    let negative = thresholds.partition_point(|threshold| *threshold < 0);
    let ascending = thresholds[negative..].iter().chain(&thresholds[..negative]);
    let stops: Vec<u128> = ascending.map(|threshold| *threshold as u128 & full).collect();
    let constant = |value: u128| terms.constant(value, width);
    let is_asked = signed.0 < 0 && signed.1 >= 0;
    let holds_low = |low: &u128| *low <= bounds.0 || (is_asked && smg.supports(terms.ule(constant(*low), number)));
    let holds_high = |high: &u128| bounds.1 <= *high || (is_asked && smg.supports(terms.ule(number, constant(*high))));
    let lower = stops.iter().rev().copied().filter(|stop| *stop < old.0).take(MOST_STOPS);
    let higher = stops.iter().copied().filter(|stop| *stop > old.1).take(MOST_STOPS);
    let low = [old.0].into_iter().chain(lower).find(holds_low).unwrap_or(0);
    let high = [old.1].into_iter().chain(higher).find(holds_high).unwrap_or(full);
    (low, high)
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

fn constants(expr: &Expr, found: &mut Thresholds) {
    expr.visit(&mut |part| {
        if let Expr::Const(bits) = part {
            let value = bits.signed();
            found.add([value.saturating_sub(1), value, value.saturating_add(1)], bits.width);
        }
    });
}

/// The most elements of a size for which all of them together, in numbers of `width` bits, are no more than an object may be: what
/// counts them does not wrap.
fn sizes(expr: &Expr, width: u32, found: &mut Thresholds) {
    let most = (1_i128 << (width - 1)) - 1;
    factors(expr, width, &mut |size| found.add([most / size], width));
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::base::limits::Limits;
    use crate::cfa::NondetKind;
    use crate::memory::{BlockSpec, Memory, Origin};
    use crate::smt::Z3Solver;
    use crate::task::DataModel;

    /// Intervals know nothing of a difference that a condition bounds: thresholds behind the old bounds are asked for.
    #[test]
    fn a_number_that_leaves_its_bounds_stops_at_the_next_thresholds() {
        let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
        let mut smg = Smg::new(context.clone());
        let [a, b] = [(); 2].map(|()| smg.nondet(&NondetKind::Uninitialised, 32));
        let terms = &context.terms;
        let number = |value: i128| terms.signed_constant(value, 32);
        for term in [a, b] {
            smg.store.assume(&context, terms.sle(number(0), term));
            smg.store.assume(&context, terms.sle(term, number(1000)));
        }
        let difference = terms.sub(a, b);
        smg.store.assume(&context, terms.sle(number(-7), difference));
        smg.store.assume(&context, terms.sle(difference, number(15)));
        let (low, high) = (-1000, 1000);
        let within = |old, thresholds: &[i128]| bounds_within(&smg, difference, old, (low, high), thresholds);
        assert_eq!(within((0, 14), &[-10, -1, 0, 14, 15, 99]), (-10, 15));
        assert_eq!(within((-7, 15), &[-10, 0, 99]), (-7, 15));
        // Of many thresholds only the next ones are asked for.
        assert_eq!(within((0, 5), &[-3, -2, -1, 0, 5, 6, 7, 8, 15]), (low, high));
    }

    /// A difference that a condition keeps from zero may be on either side of the sign.
    #[test]
    fn unsigned_bounds_stop_where_signed_ones_say_nothing() {
        let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
        let mut smg = Smg::new(context.clone());
        let [a, b] = [(); 2].map(|()| smg.nondet(&NondetKind::Uninitialised, 32));
        let terms = &context.terms;
        smg.store.assume(&context, terms.ult(b, a));
        let difference = terms.sub(a, b);
        let all = (i32::MIN.into(), i32::MAX.into());
        let within = |number, old, signed| unsigned_bounds(&smg, number, Some(old), signed, &[-2, -1, 0, 1, 7]);
        let most = u128::from(u32::MAX);
        assert_eq!(within(difference, (7, 9), all), (1, most));
        assert_eq!(within(difference, (1, most), all), (1, most));
        // Nothing keeps `b` from zero, and it is not asked where signs tell as much.
        assert_eq!(within(b, (1, 9), all), (0, most - 1));
        assert_eq!(within(difference, (7, 9), (0, i32::MAX.into())), (0, most));
    }

    /// A walk stops at the zero that ends a literal, which no cell speaks of; what other objects leave open is no zero to stop at.
    #[test]
    fn texts_of_literals_end_at_their_zero() {
        let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
        let object = |kind| {
            let mut smg = Smg::new(context.clone());
            let origin = Origin::outside("text");
            let size = context.pointer_constant(8);
            let block = smg.add_object(BlockSpec { kind, size, align: 1, zeroed: true, origin });
            for offset in 0..4 {
                smg.write_cell(block, offset, 1, Cell::Value(context.terms.constant(120, 8)));
            }
            smg.object(block).expect("it was made").clone()
        };
        let stops = |object: &Object| [-1, 0, 4, 5, 8, 9].map(|offset| landmark(&context, object, offset));
        assert_eq!(stops(&object(BlockKind::Literal)), [Some(4), Some(4), Some(4), Some(5), Some(8), None]);
        assert_eq!(stops(&object(BlockKind::Static)), [Some(8), Some(8), Some(8), Some(8), Some(8), None]);
    }
}
