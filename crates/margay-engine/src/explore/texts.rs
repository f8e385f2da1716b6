//! Texts in the elements of arrays: zeros that appear turn by turn become runs of cells in each of which a text ends.
//!
//! ```text
//!   before the turn:   [0 .. n): a text ends                    after it:   [0 .. n + 1): a text ends
//!   in the turn:       [0 .. n): a text ends,  zero at 36·n + k with k < 32
//! ```
//!
//! How large elements are is seen from what the program multiplies their numbers by, and from the runs that are there.

use rustc_hash::{FxHashMap, FxHashSet};

use super::limits::{MOST_FORMS, TEXT_BYTES};
use super::widen::Hints;
use crate::heap::{Cell, Context, Edge, Layout, Object, Run, Smg, State, values};
use crate::memory::{BlockId, Site};
use crate::smt::{Node, SymId, Term};

/// Runs of texts that one array keeps.
const MOST_TEXTS: usize = 4;

/// Elements that a run may go on behind the number of elements that a variable says.
const MOST_BEHIND: i128 = 1;

/// Bytes of the largest variable that may count elements, or structure with such a variable.
const LARGEST_COUNTER: u128 = 64;

/// The texts that end at known places of an array become parts of runs, as far as elements are known that they lie in. Where one ends is
/// kept as well if a variable of `roots` is the number of its element, or leads there. What else is known of single bytes of such
/// elements goes.
pub(super) fn fold_texts(memory: &mut Smg, block: BlockId, roots: &[Term], hints: &Hints) {
    let Some(object) = memory.object(block).cloned() else { return };
    let context = memory.context().clone();
    let is_end = |run: &Run| run.zero_byte(&context).is_some() && !run.read;
    let (ends, others): (Vec<Run>, Vec<Run>) = memory.runs(block).iter().cloned().partition(is_end);
    let (mut texts, mut others): (Vec<Run>, Vec<Run>) = others.into_iter().partition(|run| run.text);
    let (before, known) = (texts.clone(), ends.len());
    let mut left: Vec<Run> = Vec::new();
    let mut current: Vec<Run> = Vec::new();
    for end in ends {
        let place = end.zero_byte(&context).unwrap_or(end.first);
        match text(memory, &object, &texts, hints, place) {
            Some(text) => {
                if is_current(memory, &object, roots, &text, place) {
                    current.push(end);
                }
                add(memory, &mut texts, text);
            }
            None => left.push(end),
        }
    }
    // Zeros at places that are numbers.
    let zero = context.terms.constant(0, 8);
    let is_zero = |edge: &&Edge| edge.bytes == 1 && edge.cell == Cell::Value(zero);
    let mut near: Vec<u64> = Vec::new();
    for edge in object.content.edges().iter().filter(is_zero) {
        if let Some(text) = text(memory, &object, &texts, hints, context.pointer_constant(edge.offset)) {
            add(memory, &mut texts, text);
            near.push(edge.offset);
        }
    }
    let is_same = near.is_empty() && texts == before && left.len() + current.len() == known;
    if texts.is_empty() || is_same {
        return;
    }
    // Zeros that were there from the start end texts, too.
    for layout in texts.iter().map(|run| run.layout).collect::<Vec<Layout>>() {
        if let Some(run) = zeroed(memory, &object, layout) {
            add(memory, &mut texts, run);
        }
    }
    others.retain(|run| !run.has_facts() || run.layout.stride != Layout::BYTES.stride);
    let counters = counters(memory, roots);
    texts.retain_mut(|run| clip(memory, object.size, &counters, run));
    texts.truncate(MOST_TEXTS);
    others.extend(left.into_iter().chain(current).chain(texts));
    if let Some(object) = memory.object_mut(block) {
        let is_kept = |edge: &Edge| matches!(edge.cell, Cell::Value(_)) && !near.contains(&edge.offset);
        object.content.forget(&is_kept);
    }
    memory.set_runs(block, others);
}

/// What may speak of where a text ends: the values of the state, and what its runs say of cells.
pub(super) fn speakers(state: &State) -> Vec<Term> {
    let facts = state.memory.blocks().flat_map(|(_, object)| object.content.runs().iter());
    let facts = facts.flat_map(|run| run.facts.iter().copied());
    values(state).into_iter().chain(facts).collect()
}

/// In which ways texts ended in arrays at one place, by where the arrays were made.
#[derive(Default)]
pub(super) struct Ends(FxHashMap<Site, FxHashSet<Vec<Option<u64>>>>);

/// Of an array of characters that held texts of more than a few forms is only known that a text ends in it, unless a value has to do with
/// where: `""`, a full buffer, and what was copied in between would be different states.
pub(super) fn forget_ends(state: &mut State, ends: &mut Ends, hints: &Hints, is_followed: impl Fn(&Object) -> bool) {
    let context = state.memory.context().clone();
    let terms = &context.terms;
    let is_array = |object: &Object| {
        object.valid && object.is_region() && hints.arrays.size(&object.origin.site) == Some(1) && !is_followed(object)
    };
    let arrays = state.memory.blocks().filter(|(_, object)| is_array(object));
    let arrays: Vec<(BlockId, Object)> = arrays.map(|(block, object)| (block, object.clone())).collect();
    for (block, object) in arrays {
        let size = terms.as_const(object.size).and_then(|size| u64::try_from(size).ok());
        let Some(size) = size.filter(|size| u128::from(*size) >= TEXT_BYTES) else { continue };
        let zero = terms.constant(0, 8);
        let edges = object.content.edges().iter().filter(|edge| edge.bytes == 1 && edge.cell == Cell::Value(zero));
        let known = edges.map(|edge| context.pointer_constant(edge.offset));
        let runs = object.content.runs().iter().filter(|run| !run.read).filter_map(|run| run.zero_byte(&context));
        let places: Vec<Term> = known.chain(runs).collect();
        if places.is_empty() {
            continue;
        }
        let form = places.iter().map(|place| terms.as_const(*place).and_then(|place| u64::try_from(place).ok()));
        let met = ends.0.entry(object.origin.site).or_default();
        met.insert(form.collect());
        if met.len() <= MOST_FORMS {
            continue;
        }
        let Some(text) = only_element(&context, size, (0, size)) else { continue };
        let roots = speakers(state);
        let is_within = |place: &Term| state.memory.store.range(&context, *place).1 < size.into();
        let is_met = places.iter().any(|place| is_current(&state.memory, &object, &roots, &text, *place));
        if is_met || !places.iter().any(is_within) {
            continue;
        }
        if let Some(object) = state.memory.object_mut(block) {
            object.content.forget(&|_| false);
        }
        state.memory.set_runs(block, vec![text]);
    }
}

/// The numbers that variables hold, as numbers of elements.
fn counters(memory: &Smg, roots: &[Term]) -> Vec<Term> {
    let context = memory.context();
    let (terms, width) = (&context.terms, context.model.pointer_bits());
    let is_small = |object: &Object| terms.as_const(object.size).is_some_and(|size| size <= LARGEST_COUNTER);
    let variables = memory.blocks().filter(|(_, object)| object.valid && object.is_region() && is_small(object));
    let cells = variables.flat_map(|(_, object)| object.content.edges().iter().map(|edge| edge.cell));
    let cells = cells.filter_map(|cell| if let Cell::Value(value) = cell { Some(value) } else { None });
    let numbers = roots
        .iter()
        .copied()
        .chain(cells)
        .filter(|value| (16..=width).contains(&terms.width(*value)) && context.is_number(*value));
    let mut counters: Vec<Term> = numbers.map(|number| memory.by_signs(terms.sext(number, width))).collect();
    counters.sort_unstable();
    counters.dedup();
    counters
}

/// Ends the run where a variable says if it ends soon behind that: ends that no variable says would soon be any number. Whether the run is
/// worth keeping.
fn clip(memory: &Smg, size: Term, counters: &[Term], run: &mut Run) -> bool {
    let terms = &memory.context().terms;
    let is_simple =
        |term: Term| terms.linear(term).parts.iter().all(|(_, part)| !matches!(terms.node(*part), Node::Ite(..)));
    let behind = |counter: &Term| {
        let distance = terms.as_signed_const(terms.sub(run.last, *counter))?;
        (0..=MOST_BEHIND).contains(&distance).then_some((distance, *counter))
    };
    let is_whole = terms.as_const(size).zip(terms.as_const(run.last));
    let is_whole = is_whole.is_some_and(|(size, last)| last >= size / u128::from(run.layout.stride));
    if !is_whole && let Some((_, last)) = counters.iter().filter_map(behind).min() {
        run.last = last;
    }
    is_simple(run.first) && is_simple(run.last) && run.first != run.last
}

/// That a text ends in the array of characters, of an element of `object`, that `end` lies in.
fn text(memory: &Smg, object: &Object, texts: &[Run], hints: &Hints, end: Term) -> Option<Run> {
    let terms = &memory.context().terms;
    let known = texts.iter().map(|run| run.layout.stride);
    let declared = hints.arrays.size(&object.origin.site);
    let text = |stride: u64, is_known: bool| {
        let place = memory.in_element_by(stride, end, true)?;
        let found = hints.records.text_at(stride, place.within.0);
        let (from, to) = found.or_else(|| is_known.then_some((0, stride)))?;
        (place.within.1 < to).then_some(())?;
        let layout = Layout { offset: from, stride, bits: u32::try_from(8 * (to - from)).ok()? };
        Some(Run::texts(layout, place.index, terms.add_constant(place.index, 1)))
    };
    let size = terms.as_const(object.size);
    let others = hints.arrays.sizes().filter(|stride| size.is_none_or(|size| size > u128::from(*stride)));
    let found = known.chain(declared.filter(|size| *size > 1)).find_map(|stride| text(stride, true)).or_else(|| {
        let mut others = others.filter(|_| declared.is_none());
        others.find_map(|stride| text(stride, false))
    });
    found.or_else(|| whole_text(memory, object, hints, end))
}

/// That a text ends somewhere in an array of characters, or in that of a structure, where no more is known of the place.
fn whole_text(memory: &Smg, object: &Object, hints: &Hints, end: Term) -> Option<Run> {
    let context = memory.context();
    let size = context.terms.as_const(object.size).and_then(|size| u64::try_from(size).ok())?;
    let (low, high) = memory.store.range(context, end);
    let (from, to) = match hints.arrays.size(&object.origin.site) {
        Some(1) => (0, size),
        _ => hints.records.text_at(size, u64::try_from(low).ok()?)?,
    };
    (u128::from(from) <= low && low < high && high + 2 >= u128::from(to) && high < u128::from(to)).then_some(())?;
    only_element(context, size, (from, to))
}

/// That a text ends in the bytes from `from` to `to` of an object of `size` bytes, its only element.
fn only_element(context: &Context, size: u64, (from, to): (u64, u64)) -> Option<Run> {
    let bits = (to - from).checked_mul(8).and_then(|bits| u32::try_from(bits).ok())?;
    let layout = Layout { offset: from, stride: size, bits };
    Some(Run::texts(layout, context.pointer_constant(0), context.pointer_constant(1)))
}

/// The last elements of an object of known size, as far as all their bytes are zero.
fn zeroed(memory: &Smg, object: &Object, layout: Layout) -> Option<Run> {
    let context = memory.context();
    let size = u64::try_from(context.terms.as_const(object.size).filter(|_| object.content.is_zeroed())?).ok()?;
    let begin = object.content.edges().last().map_or(0, |edge| edge.offset + edge.bytes);
    let (first, last) = (begin.div_ceil(layout.stride), size / layout.stride);
    let number = |number: u64| context.pointer_constant(number);
    (first < last).then(|| Run::texts(layout, number(first), number(last)))
}

/// Whether a variable is the number of the only element of `text`, which ends at `end`, or leads into it.
fn is_current(memory: &Smg, object: &Object, roots: &[Term], text: &Run, end: Term) -> bool {
    let context = memory.context();
    let terms = &context.terms;
    // Of the only element of an object that is the place itself, or a place before or behind which it ends.
    if terms.as_const(object.size) == Some(text.layout.stride.into()) {
        let (symbols, address) = (terms.symbols_of(end), terms.as_symbol(object.address));
        let speaks = |symbol: &SymId| symbols.contains(symbol) || Some(*symbol) == address;
        return roots.iter().any(|root| *root != object.address && terms.symbols_of(*root).iter().any(speaks));
    }
    let is_it = |root: &Term| {
        let number = terms.sext(*root, terms.width(text.first));
        let leads = || {
            let offset = terms.sub(*root, object.address);
            let is_place = context.is_number(offset) && !context.is_number(*root);
            is_place && memory.in_element(text.layout.stride, offset).is_some_and(|place| place.index == text.first)
        };
        number == text.first || (terms.width(*root) == terms.width(object.address) && leads())
    };
    roots.iter().any(is_it)
}

/// Adds a run of texts; neighbours become one.
fn add(memory: &Smg, texts: &mut Vec<Run>, text: Run) {
    let mut text = text;
    while let Some((position, both)) =
        texts.iter().enumerate().find_map(|(position, run)| Some((position, joined(memory, run, &text)?)))
    {
        texts.remove(position);
        text = both;
    }
    texts.push(text);
}

/// Both as one, where nothing lies between them.
fn joined(memory: &Smg, left: &Run, right: &Run) -> Option<Run> {
    (left.layout == right.layout).then_some(())?;
    let terms = &memory.context().terms;
    let is_ordered = |one: Term, other: Term| one == other || memory.entails(terms.ule(one, other));
    let beside = |one: &Run, other: &Run| {
        let is_first = is_ordered(one.first, other.first) && is_ordered(other.first, one.last);
        let last = || if is_ordered(one.last, other.last) { Some(other.last) } else { None };
        is_first.then(|| last().or_else(|| is_ordered(other.last, one.last).then_some(one.last)))?
    };
    let (first, last) = match beside(left, right) {
        Some(last) => (left.first, last),
        None => (right.first, beside(right, left)?),
    };
    Some(Run::texts(left.layout, first, last))
}
