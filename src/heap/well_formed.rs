//! What every object of a graph has to fulfil before the graph means anything. Objects that heap operations make are like this by
//! construction; those read from a file may be anything.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::content::{Cell, Content};
use super::context::{Context, SymbolKind};
use super::graph::{Object, Smg};
use super::segment::{Body, Form, Links, Segment};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{SymId, Term};

/// Well-formed, or what is wrong.
pub(crate) type WellFormed = Result<(), String>;

/// # Errors
/// `why`, where the condition does not hold.
pub(crate) fn ensure(holds: bool, why: impl FnOnce() -> String) -> WellFormed {
    if holds { Ok(()) } else { Err(why()) }
}

pub(crate) fn well_formed_object(memory: &Smg, block: BlockId, object: &Object) -> WellFormed {
    let context = memory.context();
    let symbol = context.terms.as_symbol(object.address);
    let is_own = symbol.is_some_and(|symbol| {
        context.kind(symbol) == Some(SymbolKind::Address(block)) && memory.points_to.get(&symbol) == Some(&block)
    });
    ensure(is_own, || "its address does not point to it".into())?;
    ensure(block.0 < memory.next_block, || "it is not born yet".into())?;
    well_formed_shape(context, object)?;
    match &object.form {
        Form::Region => Ok(()),
        Form::Optional(_) => Err("a block outside of bodies may be absent".into()),
        Form::First(segment) => {
            ensure(segment.min_len >= 2, || "a segment may be shorter than two nodes".into())?;
            let last = memory.object(segment.last).ok_or("a segment has no last node")?;
            well_formed_ends(context, (block, object), (segment.last, last), segment)
        }
        Form::Last(first) => {
            let is_back = matches!(memory.object(*first).map(|object| &object.form),
                Some(Form::First(segment)) if segment.last == block);
            ensure(is_back, || "a last node belongs to no segment".into())
        }
    }
}

/// Everything about one object but its ties to others.
fn well_formed_shape(context: &Context, object: &Object) -> WellFormed {
    let terms = &context.terms;
    let bits = context.model.pointer_bits();
    ensure(terms.width(object.address) == bits && terms.width(object.size) == bits, || {
        "its address or size is no pointer wide".into()
    })?;
    ensure(!object.lost, || "it counts as lost".into())?;
    ensure(object.valid || object.is_region(), || "it is dead and no region".into())?;
    ensure(object.valid || object.content.edges().is_empty(), || "it is dead and has content".into())?;
    let holds_nothing = object.content.edges().is_empty() && !object.content.is_zeroed();
    let is_end = matches!(object.form, Form::First(_) | Form::Last(_));
    ensure(!is_end || holds_nothing, || "the end of a segment has content of its own".into())?;
    well_formed_content(context, &object.content, terms.as_const(object.size))
}

fn well_formed_content(context: &Context, content: &Content, size: Option<u128>) -> WellFormed {
    let terms = &context.terms;
    let mut end = 0u64;
    for edge in content.edges() {
        ensure(edge.bytes > 0 && edge.offset >= end, || "its cells overlap".into())?;
        end = edge.offset.checked_add(edge.bytes).ok_or("a cell does not fit the address space")?;
        ensure(size.is_none_or(|size| u128::from(end) <= size), || "a cell lies outside of it".into())?;
        let fits = match edge.cell {
            Cell::Value(value) => edge.bytes <= 16 && u64::from(terms.width(value)) == 8 * edge.bytes,
            Cell::Uniform(byte) => terms.width(byte) == 8,
            Cell::Forgotten => true,
        };
        ensure(fits, || "a cell holds a value of another width".into())?;
    }
    for edge in content.far() {
        let fits =
            terms.width(edge.offset) == context.model.pointer_bits() && terms.width(edge.value).is_multiple_of(8);
        ensure(fits, || "a cell at an unknown place holds a value of another width".into())?;
    }
    Ok(())
}

fn well_formed_ends(
    context: &Context,
    (block, first): (BlockId, &Object),
    (last_block, last): (BlockId, &Object),
    segment: &Segment,
) -> WellFormed {
    let terms = &context.terms;
    let bits = context.model.pointer_bits();
    let points_back = last_block != block && matches!(last.form, Form::Last(first) if first == block);
    ensure(points_back, || "the last node of a segment does not point back".into())?;
    let alignment = |object: &Object| terms.as_symbol(object.address).map(|symbol| terms.symbol_info(symbol).alignment);
    let node = segment.body.objects.first().ok_or("the body of a segment is empty")?;
    ensure(node.is_region(), || "the node of a body is no region".into())?;
    for other in [last, node] {
        let same = other.kind == first.kind
            && other.size == first.size
            && alignment(other) == alignment(first)
            && other.valid
            && first.kind == BlockKind::Heap;
        ensure(same, || "the ends and the nodes of a segment are not alike".into())?;
    }
    let Some(size) = terms.as_const(first.size) else { return Err("the nodes of a segment have no fixed size".into()) };
    let Links { head, next, prev } = segment.links;
    let width = u64::from(context.model.pointer_bytes());
    let fits = |offset: u64| offset.checked_add(width).is_some_and(|end| u128::from(end) <= size);
    let apart = prev.is_none_or(|prev| prev > next && prev - next >= width);
    ensure(u128::from(head) < size && fits(next) && prev.is_none_or(fits) && apart, || {
        "the links of a segment do not fit its nodes".into()
    })?;
    ensure(segment.empty.is_none_or(|empty| segment.min_len == 0 && terms.width(empty) == bits), || {
        "a segment that is never empty, or too narrowly, says where it leads then".into()
    })?;
    let wide = terms.width(segment.next) == bits && segment.prev.is_none_or(|prev| terms.width(prev) == bits);
    ensure(wide && segment.prev.is_some() == prev.is_some(), || "a segment is not linked as it says".into())
}

/// A body within bodies of these depths; the symbols in it that are not bound go to `free`.
pub(crate) fn well_formed_body(context: &Context, body: &Body, outer: &[u8], free: &mut BTreeSet<SymId>) -> WellFormed {
    let terms = &context.terms;
    ensure(outer.last().is_none_or(|outer| body.depth < *outer), || "a body lies within one of less depth".into())?;
    let mut depths = outer.to_vec();
    depths.push(body.depth);
    let mut addresses = BTreeSet::new();
    for (index, object) in body.objects.iter().enumerate() {
        let symbol = terms.as_symbol(object.address).ok_or("an address in a body is no symbol")?;
        let is_bound =
            matches!(context.kind(symbol), Some(SymbolKind::Bound { depth, class: 0, .. }) if depth == body.depth);
        ensure(is_bound && addresses.insert(symbol), || "an address in a body is not its own".into())?;
        well_formed_shape(context, object)?;
        let at = |block: BlockId| body.objects.get(block.index());
        let block = BlockId::from_index(index);
        match &object.form {
            Form::Region => {}
            Form::Optional(absent) => {
                ensure(terms.width(*absent) == terms.width(object.address), || {
                    "an absent address is too narrow".into()
                })?;
            }
            Form::First(segment) => {
                let last = at(segment.last).ok_or("a segment in a body has no last node")?;
                well_formed_ends(context, (block, object), (segment.last, last), segment)?;
                well_formed_body(context, &segment.body, &depths, free)?;
            }
            Form::Last(first) => {
                let is_back = matches!(at(*first).map(|object| &object.form),
                    Some(Form::First(segment)) if segment.last == block);
                ensure(is_back, || "a last node in a body belongs to no segment".into())?;
            }
        }
    }
    ensure(body.facts.iter().all(|fact| terms.width(*fact) == 1), || "a fact of a body is no condition".into())?;
    let mut unbound = false;
    body.each_term(&mut |term| {
        for &symbol in terms.symbols_of(term).iter() {
            match context.kind(symbol) {
                // Bodies inside look at their own ones.
                Some(SymbolKind::Bound { depth, class, .. }) => {
                    unbound |= !(depths.contains(&depth) || depth < body.depth)
                        || (class == 0 && depth == body.depth && !addresses.contains(&symbol));
                }
                _ => {
                    free.insert(symbol);
                }
            }
        }
    });
    ensure(!unbound, || "a symbol in a body is bound nowhere".into())
}

/// Whether segments that may be empty, and blocks that may be absent, lead to each other in a circle: then nothing says where a pointer to them leads when
/// all of them are.
pub(crate) fn has_empty_cycle(context: &Context, objects: &[Object]) -> bool {
    let mut leads: FxHashMap<SymId, Term> = FxHashMap::default();
    for object in objects {
        if let Form::Optional(absent) = object.form {
            leads.extend(context.terms.as_symbol(object.address).map(|own| (own, absent)));
        }
        let Form::First(segment) = &object.form else { continue };
        if segment.min_len > 0 {
            continue;
        }
        if let Some(empty) = segment.empty {
            let last = objects.get(segment.last.index()).map_or(object.address, |last| last.address);
            leads.extend([object.address, last].iter().filter_map(|end| Some((context.terms.as_symbol(*end)?, empty))));
            continue;
        }
        leads.extend(context.terms.as_symbol(object.address).map(|first| (first, segment.next)));
        if let (Some(last), Some(prev)) = (objects.get(segment.last.index()), segment.prev) {
            leads.extend(context.terms.as_symbol(last.address).map(|last| (last, prev)));
        }
    }
    leads.keys().any(|start| {
        let mut seen: Vec<SymId> = Vec::new();
        let mut work = vec![*start];
        while let Some(symbol) = work.pop() {
            let Some(value) = leads.get(&symbol) else { continue };
            for target in context.terms.symbols_of(*value).iter() {
                if target == start {
                    return true;
                }
                if !seen.contains(target) {
                    seen.push(*target);
                    work.push(*target);
                }
            }
        }
        false
    })
}
