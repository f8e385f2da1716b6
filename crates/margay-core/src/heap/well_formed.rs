//! What every object of a graph has to fulfil before the graph means anything. Objects that heap operations make are like this by
//! construction; those read from a file may be anything.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::content::{Cell, Content};
use super::context::{Context, SymbolKind};
use super::forms::{Body, Role, Surroundings, Visitor, WellFormed};
use super::graph::{Object, Smg};
use super::run::Run;
use crate::base::error::ensure;
use crate::cfa::Program;
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// What an object of a memory has to fulfil on its own, and with the ends of its summary.
pub fn well_formed_object(memory: &Smg, block: BlockId, object: &Object) -> WellFormed {
    let context = memory.context();
    let symbol = context.terms.as_symbol(object.address);
    let is_own = symbol.is_some_and(|symbol| {
        context.kind(symbol) == Some(SymbolKind::Address(block)) && memory.points_to.get(&symbol) == Some(&block)
    });
    ensure(is_own, || "its address does not point to it".into())?;
    ensure(block.0 < memory.next_block, || "it is not born yet".into())?;
    well_formed_shape(context, object)?;
    well_formed_tables(memory, object)?;
    let lookup = |block: BlockId| memory.object(block).map(Rc::as_ref);
    well_formed_named_links(&Surroundings { context, lookup: &lookup, alone: true }, block, object)
}

/// Runs that speak of tables speak of one that is there, and of cells as wide as its own.
fn well_formed_tables(memory: &Smg, object: &Object) -> WellFormed {
    let terms = &memory.context().terms;
    object.content.runs().iter().try_for_each(|run| {
        let Some(block) = run.table else { return Ok(()) };
        let table = memory.table(block).ok_or("a run speaks of a table that is none")?;
        let width = table.body.objects.first().and_then(|cell| terms.as_const(cell.size));
        let end = run.layout.offset + run.layout.bytes();
        ensure(width == Some(run.layout.stride.into()) && end <= run.layout.stride && run.facts.is_empty(), || {
            "a run speaks of other cells than its table".into()
        })
    })
}

/// A further end belongs to the summary it says it belongs to, and a summary has the ends it says it has.
fn well_formed_named_links(around: &Surroundings, block: BlockId, object: &Object) -> WellFormed {
    if let Some(owner) = object.form.end_of() {
        let owner = (around.lookup)(owner).and_then(|owner| owner.form.summary());
        ensure(owner.is_some_and(|summary| summary.ends().contains(&block)), || "an end belongs to no segment".into())?;
    }
    let Some(summary) = object.form.summary() else { return Ok(()) };
    let mut ends = BTreeSet::from([block]);
    for end in summary.ends() {
        let is_own = (around.lookup)(*end).is_some_and(|object| object.form.end_of() == Some(block));
        ensure(is_own && ends.insert(*end), || "an end of a segment does not point back".into())?;
    }
    summary.well_formed(around, object)
}

/// The bodies of an object; symbols that stand in it outside of these, and those in them that are not bound, go to `free`.
pub fn well_formed_terms(context: &Context, object: &Object, free: &mut BTreeSet<SymId>) -> WellFormed {
    each_term_but_facts(object, &mut |term| free.extend(context.terms.symbols_of(term).iter().copied()));
    for fact in object.content.runs().iter().flat_map(|run| run.facts.iter()) {
        let is_free = |symbol: &SymId| !matches!(context.kind(*symbol), Some(SymbolKind::Cell { .. }));
        free.extend(context.terms.symbols_of(*fact).iter().copied().filter(is_free));
    }
    let mut terms = Terms { context, free, result: Ok(()) };
    object.form.summary().into_iter().for_each(|summary| summary.visit(&mut terms));
    terms.result
}

/// Every term of an object that stands neither in facts of its runs nor in bodies.
fn each_term_but_facts(object: &Object, visit: &mut dyn FnMut(Term)) {
    let ends = object.content.runs().iter().flat_map(|run| [run.first, run.last]);
    [object.size].into_iter().chain(object.content.cell_terms()).chain(ends).for_each(&mut *visit);
    object.form.summary().into_iter().for_each(|summary| summary.visit(&mut OuterTerms(visit)));
}

struct OuterTerms<'a>(&'a mut dyn FnMut(Term));

impl Visitor for OuterTerms<'_> {
    fn term(&mut self, _role: Role, term: Term) {
        (self.0)(term);
    }
}

/// Whether it speaks of what cells of a run hold, or of their numbers.
fn speaks_of_cells(context: &Context, term: Term) -> bool {
    let is_cell = |symbol: &SymId| matches!(context.kind(*symbol), Some(SymbolKind::Cell { .. }));
    context.terms.symbols_of(term).iter().any(is_cell)
}

struct Terms<'a> {
    context: &'a Context,
    free: &'a mut BTreeSet<SymId>,
    result: WellFormed,
}

impl Visitor for Terms<'_> {
    fn body(&mut self, body: &Body) {
        if self.result.is_ok() {
            self.result = well_formed_body(self.context, body, &[], self.free);
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
    ensure(object.form.has_content() || holds_nothing, || "the end of a segment has content of its own".into())?;
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
    for Run { layout, first, last, facts, table, text, .. } in content.runs() {
        let fits = layout.offset < layout.stride && layout.bits > 0 && layout.bits.is_multiple_of(8);
        let is_text = facts.is_empty() && table.is_none() && layout.offset + layout.bytes() <= layout.stride;
        ensure(!text || is_text, || "texts that end in cells stand in cells of other elements".into())?;
        ensure(fits && (*text || layout.bits <= 128) && layout.stride < 1 << 32, || {
            "cells of a run have no place".into()
        })?;
        let is_index = |term: &Term| terms.width(*term) == context.model.pointer_bits();
        ensure(is_index(first) && is_index(last), || "an end of a run is no pointer wide".into())?;
        ensure(facts.iter().all(|fact| terms.width(*fact) == 1), || "a fact of a run is no condition".into())?;
        let fits = |symbol: &SymId| match context.kind(*symbol) {
            Some(SymbolKind::Cell { index: false }) => terms.symbol_info(*symbol).width == layout.bits,
            _ => true,
        };
        let is_own = |fact: &Term| terms.symbols_of(*fact).iter().all(fits);
        ensure(facts.iter().all(is_own), || "a fact of a run speaks of cells of another width".into())?;
    }
    Ok(())
}

/// A body within bodies of these depths; the symbols in it that are not bound go to `free`.
fn well_formed_body(context: &Context, body: &Body, outer: &[u8], free: &mut BTreeSet<SymId>) -> WellFormed {
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
        ensure(object.content.runs().iter().all(|run| run.table.is_none()), || "a body has tables of its own".into())?;
        let mut speaks = false;
        each_term_but_facts(object, &mut |term| speaks |= speaks_of_cells(context, term));
        ensure(!speaks, || "a body speaks of the cells of a run outside of its facts".into())?;
        let lookup = |block: BlockId| body.objects.get(block.index());
        let around = Surroundings { context, lookup: &lookup, alone: false };
        well_formed_named_links(&around, BlockId::from_index(index), object)?;
        let bodies = object.form.summary().map_or(&[][..], |summary| summary.bodies());
        bodies.iter().try_for_each(|body| well_formed_body(context, body, &depths, free))?;
    }
    ensure(body.facts.iter().all(|fact| terms.width(*fact) == 1), || "a fact of a body is no condition".into())?;
    let speaks = body.facts.iter().any(|fact| speaks_of_cells(context, *fact));
    ensure(!speaks, || "a fact of a body speaks of the cells of a run".into())?;
    let mut unbound = false;
    for &symbol in body.symbols(terms) {
        match context.kind(symbol) {
            // Bodies inside look at their own ones.
            Some(SymbolKind::Bound { depth, class, .. }) => {
                unbound |= !(depths.contains(&depth) || depth < body.depth)
                    || (class == 0 && depth == body.depth && !addresses.contains(&symbol));
            }
            // They stand in facts of runs only.
            Some(SymbolKind::Cell { .. }) => {}
            _ => {
                free.insert(symbol);
            }
        }
    }
    ensure(!unbound, || "a symbol in a body is bound nowhere".into())
}

/// Whether segments that may be empty, and blocks that may be absent, lead to each other in a circle: then nothing says where a pointer to them leads when
/// all of them are.
pub fn has_empty_cycle(context: &Context, objects: &[Object]) -> bool {
    let mut leads: FxHashMap<SymId, Term> = FxHashMap::default();
    for (index, object) in objects.iter().enumerate() {
        let Some(summary) = object.form.summary().filter(|summary| summary.least() == 0) else { continue };
        for (end, value) in summary.empty(context, BlockId::from_index(index)) {
            let address = objects.get(end.index()).and_then(|end| context.terms.as_symbol(end.address));
            leads.extend(address.map(|address| (address, value)));
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

/// `symbol` may stand outside of bodies, and no step will make it anew.
pub fn well_formed_symbol(program: &Program, memory: &Smg, symbol: SymId) -> WellFormed {
    let context = memory.context();
    let info = context.terms.symbol_info(symbol);
    let is_pointer = info.width == context.model.pointer_bits();
    let fine = match context.kind(symbol) {
        None
        | Some(
            SymbolKind::Bound { .. } | SymbolKind::Canonical(..) | SymbolKind::Anchor(_) | SymbolKind::Cell { .. },
        ) => false,
        Some(SymbolKind::Function(function)) => is_pointer && function.index() < program.functions.len(),
        Some(SymbolKind::Address(block)) => is_pointer && block.0 < memory.next_block,
        Some(SymbolKind::Input(n) | SymbolKind::External(n)) => n < memory.next_input,
        Some(SymbolKind::Forgotten(n)) => n < memory.next_forgotten,
        Some(SymbolKind::Content { block, offset } | SymbolKind::ExternalContent { block, offset }) => {
            block.0 < memory.next_block && is_taken(memory, block, offset, info.width)
        }
    };
    ensure(fine, || format!("the symbol {} may not stand here", info.hint))
}

/// Whether the bytes a content symbol names are no longer open: a read of them would mean them by the same symbol again.
fn is_taken(memory: &Smg, block: BlockId, offset: u64, width: u32) -> bool {
    let Some(object) = memory.object(block) else { return true };
    let bytes = u64::from(width.div_ceil(8));
    let fits = offset.checked_add(bytes).is_some();
    let is_closed = |object: &Object| {
        let content = &object.content;
        fits && (content.is_zeroed() || content.is_blurred() || content.overlapping(offset, bytes).next().is_some())
    };
    if object.form.has_content() {
        return !object.valid || is_closed(object);
    }
    let Some((_, owner)) = memory.owner_of(block) else { return false };
    let bodies = owner.form.summary().map_or(&[][..], |summary| summary.bodies());
    !bodies.is_empty() && bodies.iter().all(|body| body.objects.first().is_some_and(is_closed))
}
