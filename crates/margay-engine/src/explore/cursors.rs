//! Numbers that are only met together become one: a cursor that stands at `a + b + c`, where nothing else speaks of its way, stands at
//! a place. Over-approximates: what comparisons say of the sum is kept, the rest of what they say of its parts goes with these.
//!
//! ```text
//!   at = first + used + more,  used ≤ end - first,  more ≤ end - first - used        at = place,  place ≤ end
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::limits::MOST_COMPARED;
use super::past::Comparison;
use crate::heap::{Context, Object, Run, Smg, State, Store, values};
use crate::memory::BlockId;
use crate::smt::{Node, Op, SymId, Term, Terms, mask};

/// Gives sums of symbols that are met in these sums only a symbol of their own; whether there were any.
pub fn name_sums(state: &mut State) -> bool {
    let context = state.memory.context().clone();
    let terms = &context.terms;
    let uses = Uses::of(terms, state);
    let groups = groups(&context, &uses);
    if groups.is_empty() {
        return false;
    }
    for group in groups {
        let sum = group.iter().fold(None, |sum: Option<Term>, (symbol, is_added)| {
            let part = terms.symbol_term(*symbol);
            let part = if *is_added { part } else { terms.neg(part) };
            Some(sum.map_or(part, |sum| terms.add(sum, part)))
        });
        let (Some(sum), Some((symbol, is_added))) = (sum, group.first()) else { continue };
        let width = terms.width(sum);
        let (low, high) = state.memory.store.signed_range(&context, sum);
        let (least, most) = state.memory.store.range(&context, sum);
        let said = said_of_sum(&state.memory, &group, sum, &|symbol| uses.factors.contains_key(&symbol));
        let whole = state.memory.forgotten(width);
        // whole = ±symbol + rest
        let own = terms.symbol_term(*symbol);
        let rest = if *is_added { terms.sub(sum, own) } else { terms.add(sum, own) };
        let value = if *is_added { terms.sub(whole, rest) } else { terms.sub(rest, whole) };
        let by = FxHashMap::from_iter([(*symbol, value)]);
        replace(state, &by, &said);
        let bounds = [
            terms.sle(terms.signed_constant(low, width), whole),
            terms.sle(whole, terms.signed_constant(high, width)),
            terms.ule(terms.constant(least, width), whole),
            terms.ule(whole, terms.constant(most, width)),
        ];
        bounds.into_iter().for_each(|bound| state.memory.store.assume(&context, bound));
    }
    true
}

/// Gives places where texts end that are no sums, such as `n < 32 ? n : 31`, symbols of their own, where nothing else speaks of their
/// parts, not even the block's size: texts that end at another kind of place are alike then. Whether there were any.
pub fn name_ends(state: &mut State) -> bool {
    let context = state.memory.context().clone();
    let terms = &context.terms;
    let ends: Vec<(BlockId, Term)> = state
        .memory
        .blocks()
        .filter(|(_, object)| object.is_region() && terms.as_const(object.size).is_some())
        .flat_map(|(block, object)| compound_ends(&context, object).into_iter().map(move |end| (block, end)))
        .filter(|(block, end)| is_spoken_of_once(state, *block, *end))
        .collect();
    for &(block, end) in &ends {
        let width = terms.width(end);
        let memory = &state.memory;
        let Some(size) = memory.object(block).map(|object| object.size) else { continue };
        // A choice between numbers, and where the field begins.
        let begin = terms.linear(end).constant;
        let choice = terms.add_constant(end, -(begin as i128));
        let constants = terms.reachable(&[choice]).into_iter().filter_map(|part| terms.as_const(part));
        let constants: BTreeSet<u128> = constants.filter(|number| *number > 1).collect();
        let mosts =
            constants.into_iter().take(MOST_COMPARED).map(|most| terms.constant((begin + most) & mask(width), width));
        // It lies in the block.
        let mut mosts = mosts.chain([terms.add_constant(size, -1)]);
        let most = mosts.find(|most| memory.supports(terms.ule(end, *most)));
        let least = terms.constant(begin, width);
        let is_behind = memory.supports(terms.ule(least, end));
        let place = state.memory.forgotten(width);
        let mut runs = state.memory.runs(block).to_vec();
        for run in &mut runs {
            if run.first == end {
                (run.first, run.last) = (place, terms.add_constant(place, 1));
            } else if run.last == end {
                run.last = place;
            }
        }
        state.memory.set_runs(block, runs);
        let most = most.map(|most| terms.ule(place, most));
        let bounds = most.into_iter().chain(is_behind.then(|| terms.ule(least, place)));
        bounds.for_each(|bound| state.memory.store.assume(&context, bound));
    }
    !ends.is_empty()
}

/// Where texts in the object end, where that is neither a number nor a sum of symbols.
fn compound_ends(context: &Context, object: &Object) -> Vec<Term> {
    let terms = &context.terms;
    let is_compound = |place: Term| terms.linear(place).parts.iter().any(|(_, part)| terms.as_symbol(*part).is_none());
    let ends = object.content.runs().iter().filter(|run| run.is_end_of_text(context)).map(|run| run.first);
    ends.filter(|end| context.is_number(*end) && is_compound(*end)).collect()
}

/// Whether symbols of the place are met nowhere else in the state, but in constraints and where the text before it ends.
fn is_spoken_of_once(state: &State, block: BlockId, end: Term) -> bool {
    let terms = &state.memory.context().terms;
    let own = terms.symbols_of(end);
    let speaks = |term: Term| terms.symbols_of(term).iter().any(|symbol| own.contains(symbol));
    let is_other = |run: &&Run| run.first != end && run.last != end;
    let mut is_free = !values(state).into_iter().any(speaks);
    for (other, object) in state.memory.blocks() {
        let mut visit = |term: Term| is_free &= !speaks(term);
        if other == block {
            let mut object: Object = object.clone();
            object.content.set_runs(object.content.runs().iter().filter(is_other).cloned().collect());
            object.each_term(&mut visit);
        } else {
            object.each_term(&mut visit);
        }
    }
    is_free
}

/// Symbols of one kind of use, and whether each has the factors of the first one or the opposite ones.
type Group = Vec<(SymId, bool)>;

/// Groups of two symbols or more that stand in the same sums with the same factors, or the opposite ones.
fn groups(context: &Context, uses: &Uses) -> Vec<Group> {
    let terms = &context.terms;
    let mut groups: BTreeMap<(u32, Vec<(u32, u128)>), Group> = BTreeMap::new();
    for (symbol, factors) in &uses.factors {
        let (symbol, mut factors) = (*symbol, factors.clone());
        let info = terms.symbol_info(symbol);
        if !context.is_number(info.term) || info.alignment != 0 {
            continue;
        }
        let is_added = factors.first().is_some_and(|(_, factor)| !is_negative(*factor, info.width));
        if !is_added {
            factors.iter_mut().for_each(|(_, factor)| *factor = factor.wrapping_neg() & mask(info.width));
        }
        groups.entry((info.width, factors)).or_default().push((symbol, is_added));
    }
    let mut groups: Vec<Group> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

/// The sums that the terms of a state are, and consist of.
struct Uses<'a> {
    terms: &'a Terms,
    /// A number for each sum, constants aside.
    sums: FxHashMap<Vec<(u128, Term)>, u32>,
    seen: FxHashSet<Term>,
    /// In which sums each symbol stands, with which factor.
    factors: FxHashMap<SymId, Vec<(u32, u128)>>,
}

impl<'a> Uses<'a> {
    fn of(terms: &'a Terms, state: &State) -> Self {
        let (sums, seen, factors) = (FxHashMap::default(), FxHashSet::default(), FxHashMap::default());
        let mut uses = Self { terms, sums, seen, factors };
        values(state).into_iter().for_each(|value| uses.visit(value));
        for (_, object) in state.memory.blocks() {
            uses.visit(object.address);
            object.each_term(&mut |term| uses.visit(term));
        }
        uses
    }

    fn visit(&mut self, term: Term) {
        if self.terms.symbols_of(term).is_empty() || !self.seen.insert(term) {
            return;
        }
        let parts = self.terms.linear(term).parts;
        let next = self.sums.len() as u32;
        if self.sums.contains_key(&parts) {
            return;
        }
        self.sums.insert(parts.clone(), next);
        for (factor, part) in parts {
            // The lower half of a sum is the sum of the lower halves.
            let whole = match self.terms.node(part) {
                Node::Extract { lo: 0, of, .. } => of,
                _ => part,
            };
            match self.terms.as_symbol(whole) {
                Some(symbol) => {
                    let width = self.terms.width(whole);
                    let factor = if is_negative(factor, self.terms.width(part)) { mask(width) } else { factor };
                    self.factors.entry(symbol).or_default().push((next, factor));
                }
                None => self.terms.node(part).operands().for_each(|operand| self.visit(operand)),
            }
        }
    }
}

fn is_negative(factor: u128, width: u32) -> bool {
    factor >> (width - 1) & 1 == 1
}

/// What is known of the sum of the group: comparisons of it with nothing subtracted (`used ≤ end - at` says `at + used ≤ end` where
/// `at ≤ end`), and how it relates to what conditions compare its parts with.
fn said_of_sum(memory: &Smg, group: &Group, sum: Term, is_live: &dyn Fn(SymId) -> bool) -> Vec<Term> {
    let context = memory.context();
    let terms = &context.terms;
    let mut guesses: Vec<Term> = Vec::new();
    let mut others: BTreeSet<Term> = BTreeSet::new();
    let mut known: FxHashSet<Term> = FxHashSet::default();
    for constraint in memory.store.constraints() {
        let symbols = terms.symbols_of(*constraint);
        let is_part = |symbol: &SymId| group.iter().any(|(part, _)| part == symbol);
        if !symbols.iter().any(is_part) {
            continue;
        }
        known.insert(*constraint);
        let live = symbols.iter().filter(|symbol| is_live(**symbol) && !is_part(symbol));
        others.extend(live.map(|symbol| terms.symbol_term(*symbol)));
        others.extend(compared(terms, *constraint, group, sum));
        for comparison in Comparison::of(context, *constraint) {
            if let Some(added) = comparison.added(terms).filter(|added| speaks_of_sum(terms, added, group)) {
                guesses.push(added.condition(terms));
            }
        }
    }
    let is_alike = |other: &Term| terms.width(*other) == terms.width(sum) && context.is_number(*other);
    for other in others.into_iter().filter(is_alike).take(MOST_COMPARED) {
        guesses.extend([terms.ule(sum, other), terms.ule(other, sum), terms.not(terms.eq(sum, other))]);
    }
    let mut said: Vec<Term> = Vec::new();
    for guess in guesses {
        if !known.contains(&guess) && !said.contains(&guess) && memory.supports(guess) {
            said.push(guess);
        }
    }
    said
}

/// What parts of the condition compare the sum of the group with.
fn compared(terms: &Terms, condition: Term, group: &Group, sum: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for part in terms.reachable(&[condition]) {
        let Node::Bin(Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle, left, right) = terms.node(part) else { continue };
        let difference = terms.sub(right, left);
        match factor_of_sum(terms, difference, group) {
            Some(1) => found.push(terms.sub(sum, difference)),
            Some(factor) if factor == mask(terms.width(sum)) => found.push(terms.add(sum, difference)),
            _ => {}
        }
    }
    found
}

/// Whether the comparison is one of the group's sum.
fn speaks_of_sum(terms: &Terms, comparison: &Comparison, group: &Group) -> bool {
    factor_of_sum(terms, terms.sub(comparison.right, comparison.left), group).is_some()
}

/// How many times the group's sum stands in `difference`, where that is no part of it only.
fn factor_of_sum(terms: &Terms, difference: Term, group: &Group) -> Option<u128> {
    let difference = terms.linear(difference);
    let factor = |symbol: SymId| {
        let is_it = |(_, part): &&(u128, Term)| terms.as_symbol(*part) == Some(symbol);
        difference.parts.iter().find(is_it).map_or(0, |(factor, _)| *factor)
    };
    let turned = |(symbol, is_added): &(SymId, bool)| match is_added {
        true => factor(*symbol),
        false => factor(*symbol).wrapping_neg() & mask(difference.width),
    };
    let first = group.first().map(turned).filter(|first| *first != 0)?;
    group.iter().all(|part| turned(part) == first).then_some(first)
}

/// Replaces symbols in everything that the state holds and knows, and adds what is `said`.
fn replace(state: &mut State, by: &FxHashMap<SymId, Term>, said: &[Term]) {
    let context = state.memory.context().clone();
    let terms = &context.terms;
    state.memory.substitute_everywhere(by);
    for frame in &mut state.frames {
        let speaks = |value: &Term| terms.symbols_of(*value).iter().any(|symbol| by.contains_key(symbol));
        if frame.regs.iter().flatten().any(speaks) {
            for value in Rc::make_mut(frame).regs.iter_mut().flatten() {
                *value = terms.substitute(*value, by);
            }
        }
    }
    let known = state.memory.store.constraints().iter().chain(said);
    let constraints: Vec<Term> = known.map(|constraint| terms.substitute(*constraint, by)).collect();
    state.memory.store = Store::of(&context, &state.memory.placed(), &constraints);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits::Limits;
    use crate::c::with_big_stack;
    use crate::explore::start;
    use crate::frame::probe_tests::program;
    use crate::heap::{Cell, Layout};
    use crate::memory::{BlockKind, BlockSpec, Origin};

    /// A state with a block of these 64-bit cells, made of three numbers.
    fn with_cells(cells: &dyn Fn(&Terms, [Term; 3]) -> Vec<Term>, test: &dyn Fn(State, BlockId, [Term; 3])) {
        let program = program("void f(int n) { }", "int n", "n", "f(1);");
        let mut state = start(&program, &Limits::none()).expect("it has no globals");
        let context = state.memory.context().clone();
        let numbers = [(); 3].map(|()| state.memory.forgotten(64));
        let (kind, size, origin) = (BlockKind::Static, context.pointer_constant(64), Origin::outside("cells"));
        let block = state.memory.add_object(BlockSpec { kind, size, align: 8, zeroed: false, origin });
        for (index, value) in (0..).zip(cells(&context.terms, numbers)) {
            state.memory.write_cell(block, 8 * index, 8, Cell::Value(value));
        }
        test(state, block, numbers);
    }

    fn cell(state: &mut State, block: BlockId, index: u64) -> Term {
        state.memory.read_exactly(block, 8 * index, 8)
    }

    /// `n < 32 ? n : 31` is where a text of at most 31 characters ends, unless something else speaks of `n`.
    #[test]
    fn an_end_that_is_chosen_becomes_a_place() {
        with_big_stack(|| {
            for is_kept in [false, true] {
                let cells = |_: &Terms, [n, _, other]: [Term; 3]| vec![if is_kept { n } else { other }];
                with_cells(&cells, &|mut state, block, [n, ..]| {
                    let context = state.memory.context().clone();
                    let terms = &context.terms;
                    let [least, most] = [8, 31].map(|number| context.pointer_constant(number));
                    let end = terms.add(terms.ite(terms.ult(n, most), n, most), least);
                    let zero = Run::cell(&context, Layout::BYTES, end, terms.constant(0, 8), false);
                    state.memory.set_runs(block, vec![zero]);
                    assert_eq!(name_ends(&mut state), !is_kept);
                    let run = state.memory.runs(block).first().expect("the zero stays").clone();
                    assert_eq!(terms.as_symbol(run.first).is_some(), !is_kept);
                    assert!(state.memory.entails(terms.ule(least, run.first)));
                    assert!(state.memory.entails(terms.ule(run.first, terms.add(least, most))));
                    assert!(!state.memory.entails(terms.ult(run.first, terms.add(least, most))));
                });
            }
        });
    }

    #[test]
    fn a_sum_of_numbers_that_are_met_together_is_one_number() {
        with_big_stack(|| {
            let cells = |terms: &Terms, [at, used, end]: [Term; 3]| {
                let sum = terms.add(at, used);
                vec![sum, terms.add_constant(sum, 3), end]
            };
            with_cells(&cells, &|mut state, block, [at, used, end]| {
                let context = state.memory.context().clone();
                let terms = &context.terms;
                let sum = terms.add(at, used);
                for known in [
                    terms.ule(at, end),
                    terms.ule(used, terms.sub(end, at)),
                    terms.ult(end, terms.constant(100, 64)),
                    terms.not(terms.eq(terms.ite(terms.eq(used, terms.constant(0, 64)), at, sum), end)),
                ] {
                    state.memory.store.assume(&context, known);
                }
                assert!(name_sums(&mut state));
                let place = cell(&mut state, block, 0);
                assert!(terms.as_symbol(place).is_some(), "{}", terms.display(place));
                assert_eq!(cell(&mut state, block, 1), terms.add_constant(place, 3));
                // What is known of the parts may be forgotten now.
                let parts = [at, used].map(|part| terms.symbols_of(part)[0]);
                state.memory.weaken(&|known| parts.iter().all(|part| !terms.symbols_of(known).contains(part)));
                assert!(state.memory.entails(terms.ult(place, end)));
                assert!(!state.memory.entails(terms.ult(place, terms.constant(98, 64))));
                assert!(!name_sums(&mut state));
            });
        });
    }

    /// A part that stands alone, or in another sum, has to stay.
    #[test]
    fn parts_that_are_met_by_themselves_stay() {
        with_big_stack(|| {
            let alone = |terms: &Terms, [at, used, _]: [Term; 3]| vec![terms.add(at, used), at];
            let with_others =
                |terms: &Terms, [at, used, end]: [Term; 3]| vec![terms.add(at, used), terms.add(at, end), end];
            let within = |terms: &Terms, [at, used, end]: [Term; 3]| {
                vec![terms.add(at, used), terms.ite(terms.ult(used, end), end, terms.constant(1, 64))]
            };
            for cells in [&alone as &dyn Fn(&Terms, [Term; 3]) -> Vec<Term>, &with_others, &within] {
                with_cells(cells, &|mut state, block, [at, used, _]| {
                    assert!(!name_sums(&mut state));
                    let sum = state.memory.context().terms.add(at, used);
                    assert_eq!(cell(&mut state, block, 0), sum);
                });
            }
            // One is subtracted, in both places.
            let difference = |terms: &Terms, [at, used, end]: [Term; 3]| {
                vec![terms.sub(at, used), terms.ite(terms.ult(terms.sub(used, at), end), end, at)]
            };
            with_cells(&difference, &|mut state, _, _| assert!(!name_sums(&mut state)));
            let difference = |terms: &Terms, [at, used, end]: [Term; 3]| {
                vec![terms.sub(at, used), terms.ite(terms.ult(terms.sub(used, at), end), end, terms.constant(1, 64))]
            };
            with_cells(&difference, &|mut state, block, _| {
                assert!(name_sums(&mut state));
                let place = cell(&mut state, block, 0);
                let terms = &state.memory.context().terms;
                assert_eq!(terms.symbols_of(place).len(), 1, "{}", terms.display(place));
            });
        });
    }
}
