//! Bodies with their bound symbols numbered in the order of a walk, so that equal ones have equal codes.

use rustc_hash::FxHashMap;

use crate::heap::{Body, Context, Object, SymbolKind};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// A body of `objects`, the node first, in which the symbols of `classes` are bound. `None` if the walk misses an object.
pub(super) fn normalise(
    context: &Context,
    objects: &[Object],
    facts: &[Term],
    classes: &FxHashMap<SymId, u8>,
) -> Option<Body> {
    let depth = objects.iter().map(|object| object.form.depth()).max().unwrap_or(0);
    let owners: FxHashMap<SymId, usize> = objects
        .iter()
        .enumerate()
        .filter_map(|(index, object)| Some((context.terms.as_symbol(object.address)?, index)))
        .collect();
    let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
    let mut order: Vec<usize> = Vec::new();
    let meet_symbol = |symbol: SymId, by: &mut FxHashMap<SymId, Term>, order: &mut Vec<usize>| {
        if by.contains_key(&symbol) {
            return;
        }
        let Some(&class) = classes.get(&symbol) else { return };
        let info = context.terms.symbol_info(symbol);
        let kind = SymbolKind::Bound { depth, n: by.len() as u32, class };
        by.insert(symbol, context.symbol(kind, info.width, info.alignment));
        if let Some(&owner) = owners.get(&symbol) {
            order.push(owner);
        }
    };
    let address = |index: usize| context.terms.as_symbol(objects[index].address);
    meet_symbol(address(0)?, &mut by, &mut order);
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        next += 1;
        objects[index].each_term(&mut |term| {
            for &symbol in context.terms.symbols_of(term).iter() {
                meet_symbol(symbol, &mut by, &mut order);
            }
        });
        let mut tied = Vec::new();
        objects[index].form.each_tied(&mut |block| tied.push(block.index()));
        for index in tied {
            meet_symbol(address(index)?, &mut by, &mut order);
        }
    }
    if order.len() != objects.len() {
        return None;
    }
    let position =
        |block: BlockId| order.iter().position(|index| *index == block.index()).map_or(block, BlockId::from_index);
    let renamed = |term: Term| context.terms.substitute(term, &by);
    let objects =
        order.iter().map(|index| objects[*index].map(&mut |term| renamed(term)).map_blocks(&position)).collect();
    let is_about = |fact: &&Term| {
        let mut symbols = context.terms.symbols_of(**fact).iter().copied().collect::<Vec<_>>();
        symbols.retain(|symbol| classes.contains_key(symbol));
        !symbols.is_empty() && symbols.iter().all(|symbol| by.contains_key(symbol))
    };
    let mut facts: Vec<Term> = facts.iter().filter(is_about).map(|fact| renamed(*fact)).collect();
    facts.sort_unstable();
    facts.dedup();
    Some(Body::new(objects, facts, depth))
}
