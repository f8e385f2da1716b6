//! What every state of a proof has to fulfil before it means anything: ids that exist, graphs that are consistent, symbols where
//! they may stand. States of an exploration are like this by construction; states read from a file may be anything.

use std::collections::BTreeSet;

use super::callgraph::Calls;
use super::content::{Cell, Content};
use super::context::{Context, SymbolKind};
use super::domain::State;
use super::graph::{Object, Smg};
use super::segment::{Body, Form, Links, Segment};
use crate::cfa::Program;
use crate::memory::{BlockId, BlockKind, Frame};
use crate::smt::{SymId, Term};

type Lawful = Result<(), String>;

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Lawful {
    if holds { Ok(()) } else { Err(why()) }
}

/// Whether `state` is one of `program` that the transfer functions can go on from.
///
/// # Errors
/// What is wrong with it.
pub(super) fn lawful(calls: &Calls, state: &State) -> Lawful {
    let program = calls.program();
    let memory = &state.memory;
    let context = memory.context();
    let numbers = [memory.next_block, memory.next_input, memory.next_forgotten];
    ensure(numbers.iter().all(|number| *number < u32::MAX / 2), || "it counts too far".into())?;
    ensure(!state.frames.is_empty(), || "there is no frame".into())?;
    ensure(state.globals.len() == program.globals.len(), || "the globals are not the program's".into())?;
    let known = |block: &BlockId| memory.object(*block).is_some();
    ensure(state.globals.iter().all(known), || "a global has no object".into())?;
    let mut symbols: BTreeSet<SymId> = BTreeSet::new();
    for (index, frame) in state.frames.iter().enumerate() {
        let caller = index.checked_sub(1).map(|index| state.frames[index].as_ref());
        let is_outside = index == 0 && calls.is_outside(frame.function);
        lawful_frame(program, memory, frame, caller, is_outside)?;
        for value in frame.regs.iter().flatten() {
            symbols.extend(context.terms.symbols_of(*value).iter().copied());
        }
    }
    for (&block, object) in &memory.objects {
        lawful_object(memory, block, object).map_err(|why| format!("{why} (object {})", block.0))?;
        object.each_term(&mut |term| {
            if !matches!(object.form, Form::First(_)) {
                symbols.extend(context.terms.symbols_of(term).iter().copied());
            }
        });
        if let Form::First(segment) = &object.form {
            symbols.extend(context.terms.symbols_of(segment.next).iter().copied());
            symbols.extend(segment.prev.iter().flat_map(|prev| context.terms.symbols_of(*prev).to_vec()));
            lawful_body(context, &segment.body, &[], &mut symbols)
                .map_err(|why| format!("{why} (object {})", block.0))?;
        }
    }
    for (symbol, block) in &memory.points_to {
        let owns = memory.object(*block).is_some_and(|object| context.terms.as_symbol(object.address) == Some(*symbol));
        ensure(owns, || format!("a points-to edge leads to object {}, whose address is another one", block.0))?;
    }
    for constraint in memory.store.constraints() {
        ensure(context.terms.width(*constraint) == 1, || "a constraint is no condition".into())?;
        symbols.extend(context.terms.symbols_of(*constraint).iter().copied());
    }
    symbols.iter().try_for_each(|symbol| lawful_symbol(program, memory, *symbol))
}

fn lawful_frame(
    program: &Program,
    memory: &Smg,
    frame: &Frame<Term>,
    caller: Option<&Frame<Term>>,
    is_outside: bool,
) -> Lawful {
    let function = program
        .functions
        .get(frame.function.index())
        .ok_or_else(|| format!("there is no function {}", frame.function.0))?;
    ensure(frame.at.index() < function.locations.len(), || {
        format!("`{}` has no location {}", function.name, frame.at.0)
    })?;
    // The outside of a function shares values besides the result.
    let has_registers =
        frame.regs.len() == function.regs.len() || (is_outside && frame.regs.len() > function.regs.len());
    ensure(has_registers && frame.slots.len() == function.slots.len(), || {
        format!("a frame of `{}` has other variables", function.name)
    })?;
    let terms = &memory.context().terms;
    for (value, decl) in frame.regs.iter().zip(&function.regs) {
        ensure(value.is_none_or(|value| terms.width(value) == decl.width), || {
            format!("a variable of `{}` has a value of another width", function.name)
        })?;
    }
    let mut blocks = frame.slots.iter().flatten().chain(&frame.allocas);
    ensure(blocks.all(|block| memory.object(*block).is_some()), || "a variable has no object".into())?;
    match (frame.result, caller) {
        (None, _) => Ok(()),
        (Some(reg), Some(caller)) => {
            let count = program.functions.get(caller.function.index()).map_or(0, |function| function.regs.len());
            ensure(reg.index() < count, || "a result goes to no variable".into())
        }
        (Some(_), None) => Err("the outermost frame has a caller".into()),
    }
}

pub(super) fn lawful_object(memory: &Smg, block: BlockId, object: &Object) -> Lawful {
    let context = memory.context();
    let symbol = context.terms.as_symbol(object.address);
    let is_own = symbol.is_some_and(|symbol| {
        context.kind(symbol) == Some(SymbolKind::Address(block)) && memory.points_to.get(&symbol) == Some(&block)
    });
    ensure(is_own, || "its address does not point to it".into())?;
    ensure(block.0 < memory.next_block, || "it is not born yet".into())?;
    lawful_shape(context, object)?;
    match &object.form {
        Form::Region => Ok(()),
        Form::Optional(_) => Err("a block outside of bodies may be absent".into()),
        Form::First(segment) => {
            ensure(segment.min_len >= 2, || "a segment may be shorter than two nodes".into())?;
            let last = memory.object(segment.last).ok_or("a segment has no last node")?;
            lawful_ends(context, (block, object), (segment.last, last), segment)
        }
        Form::Last(first) => {
            let is_back = matches!(memory.object(*first).map(|object| &object.form),
                Some(Form::First(segment)) if segment.last == block);
            ensure(is_back, || "a last node belongs to no segment".into())
        }
    }
}

/// Everything about one object but its ties to others.
fn lawful_shape(context: &Context, object: &Object) -> Lawful {
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
    lawful_content(context, &object.content, terms.as_const(object.size))
}

fn lawful_content(context: &Context, content: &Content, size: Option<u128>) -> Lawful {
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

fn lawful_ends(
    context: &Context,
    (block, first): (BlockId, &Object),
    (last_block, last): (BlockId, &Object),
    segment: &Segment,
) -> Lawful {
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
pub(super) fn lawful_body(context: &Context, body: &Body, outer: &[u8], free: &mut BTreeSet<SymId>) -> Lawful {
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
        lawful_shape(context, object)?;
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
                lawful_ends(context, (block, object), (segment.last, last), segment)?;
                lawful_body(context, &segment.body, &depths, free)?;
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

/// `symbol` may stand outside of bodies, and no step will make it anew.
fn lawful_symbol(program: &Program, memory: &Smg, symbol: SymId) -> Lawful {
    let context = memory.context();
    let info = context.terms.symbol_info(symbol);
    let is_pointer = info.width == context.model.pointer_bits();
    let fine = match context.kind(symbol) {
        None | Some(SymbolKind::Bound { .. } | SymbolKind::Canonical(..)) => false,
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
    let content = match &object.form {
        Form::Region | Form::Optional(_) if !object.valid => return true,
        Form::Region | Form::Optional(_) => &object.content,
        Form::First(segment) => match segment.body.objects.first() {
            Some(node) => &node.content,
            None => return false,
        },
        Form::Last(first) => match memory.object(*first).map(|object| &object.form) {
            Some(Form::First(segment)) if !segment.body.objects.is_empty() => &segment.body.objects[0].content,
            _ => return false,
        },
    };
    let bytes = u64::from(width.div_ceil(8));
    offset.checked_add(bytes).is_some()
        && (content.is_zeroed() || content.is_blurred() || content.overlapping(offset, bytes).next().is_some())
}
