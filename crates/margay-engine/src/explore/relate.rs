//! How numbers that are about to be forgotten relate to each other: what loops keep true of their counters.
//!
//! Two kinds of relations are kept: a number that *follows* another one, `j = slope * i + rest` (counters in lockstep,
//! one that goes up while the other goes down, a pointer and an index), and one that stays *below* another (an index and
//! a length, see `orders`). Each is checked in the state at hand before it is kept, so the state stays among those it is widened to.

use super::arrays::{is_array, is_beside_array};
use super::canonical::{Hole, Place};
use super::limits::MOST_PAST_VISITS;
use super::orders::{Line, is_below};
use super::seen::{Chosen, Follow, LinearRelation, Met, Seen};
use super::widen::Hints;
use crate::heap::{Context, State};
use crate::memory::BlockId;
use crate::numeric::Thresholds;
use crate::smt::{Term, to_signed};

/// Replaces the numbers of `widened` holes by fresh ones with what is known of them: bounds and relations; sums where lists are
/// `counted`. The `chosen` ones stay.
pub(super) fn relate(
    state: &mut State,
    holes: &[Hole],
    met: &mut Met,
    widened: &mut [bool],
    (hints, thresholds): (&Hints, &Thresholds),
    counted: bool,
    chosen: &Chosen,
) {
    let Met { numbers: seen, orders, sums, together: _ } = met;
    let context = state.memory.context().clone();
    let terms = &context.terms;
    let mut numbers: Vec<Term> = holes.iter().map(|hole| hole.number).collect();
    let anchors = anchors(state, holes);
    numbers.extend(anchors.iter().map(|(_, number)| *number));
    let mut replaced = numbers.clone();
    let mut leaders: Vec<usize> = Vec::new();
    let is_chosen = |index: usize| chosen.iter().any(|(chosen, _)| *chosen == index);
    let is_data: Vec<bool> = holes.iter().map(|hole| is_data(state, hole, hints)).collect();
    for index in 0..holes.len() {
        if !widened[index] && !is_data[index] && !is_chosen(index) && is_partner(state, &numbers, seen, widened, index)
        {
            let width = terms.width(numbers[index]);
            seen[index].relations.tied = true;
            seen[index].bounds = seen[index].bounds.map(|bounds| thresholds.snap(bounds, width));
            widened[index] = true;
        }
    }
    // Followers after those they may follow: what changes by less leads, then what has fewer bits.
    let mut order: Vec<usize> = (0..holes.len()).filter(|index| widened[*index]).collect();
    order.sort_by_key(|index| {
        let follows = matches!(seen[*index].relations.follows, Follow::Of(_));
        let step = step(&context, &numbers, seen, *index).unwrap_or(0).unsigned_abs();
        (follows, step, terms.width(numbers[*index]), seen[*index].relations.is_count, *index)
    });
    for index in order {
        if is_data[index] {
            replaced[index] = seen[index].remainder.forgotten(state, terms.width(numbers[index]));
            continue;
        }
        let linear_relation = linear_relation(state, &numbers, seen, &leaders, index);
        seen[index].relations.follows = linear_relation.map_or(Follow::Nothing, Follow::Of);
        replaced[index] = match linear_relation {
            Some(linear_relation) => {
                apply(&context, linear_relation, replaced[linear_relation.leader], terms.width(numbers[index]))
            }
            None => {
                leaders.push(index);
                seen[index].remainder.forgotten(state, terms.width(numbers[index]))
            }
        };
    }
    // A size that is forgotten is another anchor from now on.
    for (anchor, (block, number)) in anchors.iter().enumerate() {
        for (hole, after) in holes.iter().zip(replaced.clone()) {
            if let Place::Size(other, bytes) = hole.place
                && other == *block
                && terms.scale(hole.number, bytes.into()) == *number
            {
                replaced[holes.len() + anchor] = terms.scale(after, bytes.into());
            }
        }
    }
    // Visits that differ in nothing say nothing of how numbers change.
    let is_new = (0..holes.len()).any(|index| seen[index].relations.past.front() != Some(&numbers[index]));
    for (index, seen) in seen.iter_mut().enumerate().take(holes.len()).filter(|_| is_new) {
        seen.relations.past.push_front(numbers[index]);
        seen.relations.past.truncate(MOST_PAST_VISITS);
    }
    let mut facts: Vec<Term> = Vec::new();
    for index in (0..holes.len()).filter(|index| widened[*index]) {
        let width = terms.width(numbers[index]);
        let (low, high) = seen[index].bounds.unwrap_or((i128::MIN, i128::MAX));
        facts.push(terms.sle(terms.signed_constant(low, width), replaced[index]));
        facts.push(terms.sle(replaced[index], terms.signed_constant(high, width)));
        if let Some((least, most)) = seen[index].unsigned.filter(|_| low < 0 && high >= 0) {
            facts.push(terms.ule(terms.constant(least, width), replaced[index]));
            facts.push(terms.ule(replaced[index], terms.constant(most, width)));
        }
    }
    let line = Line { state, holes, anchors: &anchors, numbers: &numbers, is_data: &is_data, seen, hints };
    orders.update(&line, widened);
    facts.extend(orders.facts(&line, &replaced));
    if counted {
        sums.update(&line);
        facts.extend(sums.facts(&context, &replaced));
    }
    facts.extend(places(state, holes, &numbers, &anchors, widened));
    for fact in facts.into_iter().filter(|fact| !terms.is_true(*fact)) {
        state.memory.store.assume(&context, fact);
    }
    for index in (0..holes.len()).filter(|index| widened[*index]) {
        holes[index].put(state, replaced[index]);
    }
}

/// Where pointers stand with regard to the anchors of their own blocks: what a comparison of bytes told of it would be lost
/// with the bytes.
fn places(state: &State, holes: &[Hole], numbers: &[Term], anchors: &[(BlockId, Term)], widened: &[bool]) -> Vec<Term> {
    let context = state.memory.context();
    let mut facts = Vec::new();
    for index in (0..holes.len()).filter(|index| !widened[*index]) {
        let own = holes[index].block(&state.memory);
        for (_, anchor) in anchors.iter().filter(|(block, _)| Some(*block) == own) {
            let below = |strictly| is_below(context, numbers[index], *anchor, strictly, true);
            let known = [true, false].into_iter().filter_map(below).find(|fact| state.memory.supports(*fact));
            facts.extend(known);
        }
    }
    facts
}

/// Whether the number is data in an array: related to nothing.
fn is_data(state: &State, hole: &Hole, hints: &Hints) -> bool {
    let Place::Cell(block, offset) = hole.place else { return false };
    let memory = &state.memory;
    memory
        .object(block)
        .is_some_and(|object| is_array(memory, object) && !is_beside_array(memory, object, offset, hints))
}

/// Sizes and places that pointers of the state have to do with, in the order of the pointers.
fn anchors(state: &State, holes: &[Hole]) -> Vec<(BlockId, Term)> {
    let terms = &state.memory.context().terms;
    let mut blocks: Vec<BlockId> = Vec::new();
    let mut anchors = Vec::new();
    for block in holes.iter().filter_map(|hole| hole.block(&state.memory)) {
        let Some(object) = state.memory.object(block) else { continue };
        if blocks.contains(&block) {
            continue;
        }
        blocks.push(block);
        let context = state.memory.context();
        let cells = object.content.runs().iter().filter_map(|run| run.single(context));
        anchors.extend(cells.map(|(offset, _)| (block, offset)));
        if terms.as_const(object.size).is_none() {
            anchors.push((block, object.size));
        }
    }
    anchors
}

fn apply(context: &Context, linear_relation: LinearRelation, leader: Term, width: u32) -> Term {
    let terms = &context.terms;
    let leader = extended(context, leader, width, linear_relation.is_signed);
    terms.add(terms.mul(terms.signed_constant(linear_relation.slope, width), leader), linear_relation.rest)
}

fn extended(context: &Context, number: Term, width: u32, is_signed: bool) -> Term {
    match context.terms.width(number) < width {
        true if is_signed => context.terms.sext(number, width),
        true => context.terms.zext(number, width),
        false => number,
    }
}

/// Whether number `index` has changed in step with one that is about to be forgotten for the first time: if it stayed, nothing
/// would be known of the other.
fn is_partner(state: &State, numbers: &[Term], seen: &[Seen], widened: &[bool], index: usize) -> bool {
    let terms = &state.memory.context().terms;
    (0..widened.len()).any(|other| {
        let is_new = widened[other] && matches!(seen[other].relations.follows, Follow::Untried);
        let follows = |leader: usize, index: usize| {
            guess(state.memory.context(), numbers, seen, leader, index).is_some_and(|linear_relation| {
                linear_relation.slope != 0 && is_true(state, numbers, &linear_relation, index)
            })
        };
        let is_wider = terms.width(numbers[index]) > terms.width(numbers[other]);
        is_new && (follows(index, other) || ((is_wider || seen[index].relations.is_end) && follows(other, index)))
    })
}

/// Whether number `index` follows the law in `state`.
fn is_true(state: &State, numbers: &[Term], linear_relation: &LinearRelation, index: usize) -> bool {
    let context = state.memory.context();
    let follower =
        apply(context, *linear_relation, numbers[linear_relation.leader], context.terms.width(numbers[index]));
    follower == numbers[index] || state.memory.entails(context.terms.eq(follower, numbers[index]))
}

/// The law by which number `index` follows one of `leaders`, true in `state`.
fn linear_relation(
    state: &State,
    numbers: &[Term],
    seen: &[Seen],
    leaders: &[usize],
    index: usize,
) -> Option<LinearRelation> {
    let context = state.memory.context();
    let holds = |linear_relation: &LinearRelation| is_true(state, numbers, linear_relation, index);
    match seen[index].relations.follows {
        Follow::Nothing => None,
        Follow::Of(linear_relation) => Some(linear_relation)
            .filter(|linear_relation| leaders.contains(&linear_relation.leader) && holds(linear_relation)),
        Follow::Untried => leaders.iter().find_map(|&leader| {
            let guess = guess(context, numbers, seen, leader, index)?;
            Some(guess).filter(holds)
        }),
    }
}

/// What this visit and the last one on which the leader was another number suggest.
fn guess(context: &Context, numbers: &[Term], seen: &[Seen], leader: usize, index: usize) -> Option<LinearRelation> {
    let terms = &context.terms;
    let (to, own_to) = (numbers[leader], numbers[index]);
    let width = terms.width(own_to);
    if terms.width(to) > width {
        return None;
    }
    let is_signed = !seen[index].relations.is_count;
    let wide = |term: Term| extended(context, term, width, is_signed);
    // Where a run ends a counter stands, or before the cell that it numbers.
    let rest = terms.sub(own_to, wide(to));
    let is_at_end = seen[index].relations.is_end && seen[leader].has_changed();
    if is_at_end && terms.as_const(rest).is_some_and(|rest| rest <= 1) {
        return Some(LinearRelation { leader, slope: 1, rest, is_signed });
    }
    if let Some(relation) = same_symbol(context, (to, own_to), leader) {
        return Some(relation);
    }
    let mut past = seen[leader].relations.past.iter().zip(&seen[index].relations.past);
    let (&from, &own_from) = past.find(|(from, _)| **from != to)?;
    // The slope is the quotient of the two steps, where both are numbers.
    let step = signed(context, terms.sub(wide(to), wide(from)))?;
    let own_step = signed(context, terms.sub(own_to, own_from))?;
    let slope = (step != 0 && own_step % step == 0).then(|| own_step / step)?;
    let rest = |leading: Term, own: Term| terms.sub(own, terms.mul(terms.signed_constant(slope, width), wide(leading)));
    let relation = LinearRelation { leader, slope, rest: rest(to, own_to), is_signed };
    // Any numbers are related on two visits: a third one shows whether they go by steps of their own.
    let known = terms.as_const(relation.rest);
    let is_contradicted = |(leading, own): (&Term, &Term)| {
        terms.as_const(rest(*leading, *own)).zip(known).is_some_and(|(other, known)| other != known)
    };
    let mut past = seen[leader].relations.past.iter().zip(&seen[index].relations.past);
    (slope.abs() <= 1 || !past.any(is_contradicted)).then_some(relation)
}

/// The relation of a number with the symbol that it is made of: `28 * n` of `n`, or the same with more bits. One visit says nothing of
/// numbers of one width at a distance: a counter that has gone down three times is `n - 3`, too.
fn same_symbol(context: &Context, (leading, own): (Term, Term), leader: usize) -> Option<LinearRelation> {
    let terms = &context.terms;
    let width = terms.width(own);
    let relation = |is_signed: bool| {
        let is_wider = terms.width(leading) < width;
        let leading = extended(context, leading, width, is_signed);
        let sum = terms.linear(leading);
        let (&[(1, part)], &[(factor, own_part)]) = (&sum.parts[..], &terms.linear(own).parts[..]) else { return None };
        let slope =
            (part == own_part).then(|| to_signed(factor, width)).filter(|slope| is_wider || slope.abs() != 1)?;
        let rest = terms.sub(own, terms.mul(terms.constant(factor, width), leading));
        Some(LinearRelation { leader, slope, rest, is_signed })
    };
    relation(true).or_else(|| relation(false))
}

/// How much number `index` has changed since the last visit, where that is a number.
fn step(context: &Context, numbers: &[Term], seen: &[Seen], index: usize) -> Option<i128> {
    signed(context, context.terms.sub(numbers[index], *seen[index].relations.past.front()?))
}

fn signed(context: &Context, term: Term) -> Option<i128> {
    let unused = 128 - context.terms.width(term);
    Some(((context.terms.as_const(term)? << unused) as i128) >> unused)
}
