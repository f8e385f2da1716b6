//! Numbers in arrays, which loops fill cell by cell: a few are kept, then all are forgotten.

use rustc_hash::{FxHashMap, FxHashSet};

use super::limits::{
    ARRAY_BYTES, INDEXED_BYTES, MOST_ENDS, MOST_FIELDS, MOST_KNOWN_CELLS, MOST_STEADY_CELLS, WORD_BYTES,
};
use super::widen::Hints;
use crate::heap::{Cell, Context, Edge, Layout, Object, Run, Smg};
use crate::memory::{BlockId, BlockKind, Site};
use crate::smt::{SymId, Term};

/// What was seen of arrays at one place; arrays are distinguished by where they were made, their size, and how many cells were written
/// to them at offsets that are no numbers: the end of a text may stand at such a one, or at the array's end.
#[derive(Default)]
pub(super) struct Arrays(FxHashMap<(Site, Term, usize), Met>);

/// Which cells of an object are known: how many members of structures, and the offsets of cells in arrays. A loop may know any of them,
/// so sets of them are what there are too many of.
#[derive(PartialEq, Eq, Hash)]
struct Known {
    members: usize,
    in_arrays: Box<[u64]>,
}

/// What was seen of one.
#[derive(Default)]
struct Met {
    /// Constants that were the same on each visit: what was put at its start before a loop fills the rest.
    steady: Vec<Edge>,
    /// Which cells were known on each visit.
    known: FxHashSet<Known>,
    /// Where the last zero stood, as long as these are few.
    ends: FxHashSet<u64>,
    /// On some visit a cell held a pointer: null in it is one, too.
    has_pointers: bool,
}

impl Arrays {
    /// One more visit sees the object.
    fn meet(
        &mut self,
        context: &Context,
        object: &Object,
        is_pointer: impl Fn(&Edge) -> bool,
        is_in_array: impl Fn(&Edge) -> bool,
    ) -> &Met {
        let edges = object.content.edges();
        let first = || {
            let is_constant = |edge: &&Edge| match edge.cell {
                Cell::Value(value) => context.terms.as_const(value).is_some(),
                Cell::Uniform(_) | Cell::Forgotten => false,
            };
            let constants: Vec<Edge> = edges.iter().filter(is_constant).take(MOST_STEADY_CELLS + 1).copied().collect();
            let is_table = constants.len() > MOST_STEADY_CELLS;
            Met { steady: if is_table { Vec::new() } else { constants }, ..Met::default() }
        };
        let far = object.content.runs().iter().filter(|run| !run.read).count();
        let met = self.0.entry((object.origin.site, object.size, far)).or_insert_with(first);
        met.steady.retain(|edge| edges.contains(edge));
        if met.ends.len() <= MOST_ENDS {
            met.ends.extend(last_zero(context, object));
        }
        let in_arrays: Box<[u64]> = edges.iter().filter(|edge| is_in_array(edge)).map(|edge| edge.offset).collect();
        met.known.insert(Known { members: edges.len() - in_arrays.len(), in_arrays });
        met.has_pointers = met.has_pointers || edges.iter().any(is_pointer);
        met
    }
}

/// Where the last byte stands that is known to be zero: a text before it ends there at the latest.
pub(super) fn last_zero(context: &Context, object: &Object) -> Option<u64> {
    let zero = context.terms.constant(0, 8);
    let is_zero = |edge: &&Edge| edge.bytes == 1 && edge.cell == Cell::Value(zero);
    let near = object.content.edges().iter().rev().find(is_zero).map(|edge| edge.offset);
    let far = object.content.ends_of_texts(context);
    let far = far.filter_map(|end| u64::try_from(context.terms.as_const(end)?).ok());
    near.into_iter().chain(far).max()
}

/// Whether loops may fill the object cell by cell: smaller ones only where something stands at an offset that is no number.
pub(super) fn is_array(smg: &Smg, object: &Object) -> bool {
    let least = if object.content.runs().is_empty() { ARRAY_BYTES } else { INDEXED_BYTES };
    smg.context.terms.as_const(object.size).is_none_or(|size| size >= least)
}

/// Whether the object may be a structure with an array in it by its size, and `offset` that of a scalar beside the array.
pub(super) fn is_beside_array(smg: &Smg, object: &Object, offset: u64, hints: &Hints) -> bool {
    if hints.arrays.contains(&object.origin.site) {
        return false;
    }
    let size = smg.context.terms.as_const(object.size).and_then(|size| u64::try_from(size).ok());
    size.is_some_and(|size| hints.records.is_beside_array(size, offset))
}

/// Whether the object is declared as an array, or may be a structure with an array at `offset` by its size.
pub(super) fn is_in_array(smg: &Smg, object: &Object, offset: u64, hints: &Hints) -> bool {
    let size = smg.context.terms.as_const(object.size).and_then(|size| u64::try_from(size).ok());
    hints.arrays.contains(&object.origin.site) || size.is_some_and(|size| hints.records.is_in_array(size, offset))
}

/// Forgets the numbers in arrays of which more than `most` are known, but for those that stayed the same on all visits in `arrays`, the ends of texts,
/// and those beside the array in a structure: over-approximates, as any number may be there. In arrays of any length only numbers
/// count that something beside arrays speaks of, such as `roots`.
pub(super) fn forget_array_numbers(smg: &mut Smg, most: usize, roots: &[Term], arrays: &mut Arrays, hints: &Hints) {
    let context = smg.context.clone();
    let terms = &context.terms;
    let sizes = smg.objects.values().map(|object| object.size);
    let established: FxHashSet<SymId> =
        sizes.chain(roots.iter().copied()).flat_map(|term| terms.symbols_of(term).to_vec()).collect();
    let is_unknown = |edge: &Edge| match edge.cell {
        Cell::Value(value) => terms.symbols_of(value).iter().any(|symbol| !established.contains(symbol)),
        Cell::Uniform(_) | Cell::Forgotten => false,
    };
    let is_pointer = |memory: &Smg, edge: &Edge| match edge.cell {
        Cell::Value(value) => terms.symbols_of(value).iter().any(|symbol| memory.points_to.contains_key(symbol)),
        Cell::Uniform(_) | Cell::Forgotten => false,
    };
    let may_be_forgotten = |object: &Object| {
        let fixed = matches!(object.kind, BlockKind::Literal);
        let is_below = |bytes: u128| terms.as_const(object.size).is_some_and(|size| size < bytes);
        let is_array = hints.arrays.contains(&object.origin.site) || holds_bytes(object);
        let is_small = is_below(if is_array { WORD_BYTES } else { INDEXED_BYTES });
        !is_small && !fixed && object.valid && object.is_region()
    };
    let null = context.pointer_constant(0);
    let is_kept = |memory: &Smg, object: &Object, met: &Met, edge: &Edge| {
        met.steady.contains(edge)
            || is_pointer(memory, edge)
            || (met.has_pointers && edge.cell == Cell::Value(null))
            || (met.ends.len() <= MOST_ENDS
                && met.ends.contains(&edge.offset)
                && last_zero(&context, object) == Some(edge.offset))
            || is_beside_array(memory, object, edge.offset, hints)
    };
    let is_in_array = |object: &Object, edge: &Edge| is_in_array(smg, object, edge.offset, hints);
    let is_full = |memory: &Smg, object: &Object, met: &Met, is_filled: bool| {
        let numbers = || object.content.edges().iter().filter(|edge| !is_kept(memory, object, met, edge));
        if is_filled && numbers().any(|edge| is_in_array(object, edge)) {
            return true;
        }
        // Single cells of an array of any length are rarely what matters.
        let is_any_length = terms.as_const(object.size).is_none();
        let most = match is_any_length {
            true if numbers().any(is_unknown) => 0,
            true => most.min(1),
            false => most,
        };
        let numbers = numbers().count();
        numbers > most || (numbers > 0 && object.content.is_blurred())
    };
    let mut full: Vec<(BlockId, Vec<u64>)> = Vec::new();
    let mut tables: Vec<BlockId> = Vec::new();
    for (block, object) in smg.objects.iter().filter(|(_, object)| may_be_forgotten(object)) {
        let met = arrays.meet(&context, object, |edge| is_pointer(smg, edge), |edge| is_in_array(object, edge));
        // Null that was written is the null that was there at first.
        if met.has_pointers && object.content.is_zeroed() && hints.arrays.contains(&object.origin.site) {
            tables.push(*block);
        }
        // Cell by cell there are ever more.
        let is_filled = met.known.len() > most.max(MOST_FIELDS);
        let is_array = is_array(smg, object);
        let edges = object.content.edges();
        if (is_filled || is_array) && is_full(smg, object, met, is_filled) {
            let kept = edges.iter().filter(|edge| is_kept(smg, object, met, edge));
            full.push((*block, kept.map(|edge| edge.offset).collect()));
        } else if is_array && !object.content.is_zeroed() && edges.iter().any(|edge| edge.cell == Cell::Forgotten) {
            // Where what was lost ends says nothing: beside it anything may stand, too.
            let kept = edges.iter().filter(|edge| edge.cell != Cell::Forgotten);
            full.push((*block, kept.map(|edge| edge.offset).collect()));
        }
    }
    for block in tables {
        if let Some(object) = smg.object_mut(block) {
            object.content.without_plain_zeros(terms);
        }
    }
    for (block, kept) in full {
        if let Some(object) = smg.object_mut(block) {
            object.content.forget(&|edge| kept.contains(&edge.offset));
        }
    }
}

/// The zero in the last byte of a block stands where its size says, also where both are known to be numbers: texts that fill blocks of
/// different sizes are alike then.
pub(super) fn place_ends_by_sizes(smg: &mut Smg) {
    let context = smg.context.clone();
    let terms = &context.terms;
    let zero = terms.constant(0, 8);
    let may_be_filled = |object: &Object| {
        let is_block = object.valid && object.is_region() && object.kind == BlockKind::Heap;
        is_block && terms.as_const(object.size).is_none()
    };
    let ends = |object: &Object| {
        let edge = object.content.edges().last().filter(|edge| edge.bytes == 1 && edge.cell == Cell::Value(zero))?;
        let is_end = terms.eq(object.size, context.pointer_constant(edge.offset + 1));
        (smg.decide(is_end) != Some(false) && smg.supports(is_end)).then_some(edge.offset)
    };
    let found = smg.objects.iter().filter(|(_, object)| may_be_filled(object));
    let found: Vec<(BlockId, u64)> = found.filter_map(|(block, object)| Some((*block, ends(object)?))).collect();
    for (block, offset) in found {
        let Some(object) = smg.object_mut(block) else { continue };
        object.content.forget(&|edge| edge.offset != offset);
        let place = terms.add_constant(object.size, -1);
        let mut runs = smg.runs(block).to_vec();
        runs.push(Run::cell(&context, Layout::BYTES, place, zero, false));
        smg.set_runs(block, runs);
    }
}

/// Whether the object holds bytes side by side, as an array of characters does.
fn holds_bytes(object: &Object) -> bool {
    object.content.edges().windows(2).any(|pair| pair.iter().all(|edge| edge.bytes == 1))
}

/// Forgets single cells at offsets that are no numbers beyond the oldest few of each array, constants before others: a loop that
/// writes from the end of an array to its start would leave ever more of them behind.
pub(super) fn forget_cells(smg: &mut Smg) {
    let context = smg.context.clone();
    let blocks: Vec<BlockId> = smg.objects.keys().copied().collect();
    for block in blocks {
        let runs = smg.runs(block);
        let is_single = |index: &usize| runs[*index].has_facts() && runs[*index].is_single(&context.terms);
        let mut order: Vec<usize> = (0..runs.len()).filter(is_single).collect();
        if order.len() <= MOST_KNOWN_CELLS {
            continue;
        }
        let value = |index: usize| runs[index].single(&context).map(|(_, value)| value);
        order.sort_by_key(|index| (value(*index).is_none_or(|value| context.terms.as_const(value).is_none()), *index));
        order.truncate(MOST_KNOWN_CELLS);
        let kept = (0..runs.len()).filter(|index| !is_single(index) || order.contains(index));
        smg.set_runs(block, kept.map(|index| runs[index].clone()).collect());
    }
}
