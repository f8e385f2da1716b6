//! The check that an embedding is one: every memory of the special state is one of the general state.
//!
//! Objects correspond as the embedding says; what cells hold on both sides gives equations; once it is known what the general
//! state's symbols stand for, every equation, constraint and fact of the general state must follow from the constraints of the
//! special one. What the general state says nothing of may be anything. Nothing is searched for here: what the embedding does
//! not say of symbols, an untrusted `settle` may choose before everything is checked.

use std::collections::BTreeMap;

use super::binding::Binding;
use super::gather::{Scope, Symbols, gather};
use super::mismatch::{Mismatch, Reason};
use crate::certificate::{Embedding, Link, Place, TablePart, TreePart};
use crate::heap::State;

/// Whether `embedding` shows that every memory of `new` is one of `old`: `embedding` with its symbols, if so.
pub fn verify(
    old: &State,
    new: &State,
    embedding: &Embedding,
    settle: &dyn Fn(&mut Binding) -> bool,
) -> Result<Embedding, Mismatch> {
    Ok(verified(old, new, embedding, settle)?.0)
}

/// The same, with what the symbols of the general state stand for, addresses included.
pub(super) fn verified(
    old: &State,
    new: &State,
    embedding: &Embedding,
    settle: &dyn Fn(&mut Binding) -> bool,
) -> Result<(Embedding, Symbols), Mismatch> {
    let mut binding = Binding::new(gather(old, new, embedding)?)?;
    Reason::Unsettled.unless(settle(&mut binding))?;
    binding.check()?;
    let filled = filled(embedding, binding.scopes());
    Ok((filled, binding.into_symbols()))
}

/// The embedding with the symbols that were settled.
fn filled(embedding: &Embedding, scopes: &[Scope]) -> Embedding {
    let scope = scopes.iter().find(|scope| scope.given.is_some_and(|given| std::ptr::eq(given, embedding)));
    let symbols = scope.map_or_else(BTreeMap::new, |scope| {
        let own = scope.symbols.iter().filter(|(symbol, _)| !scope.addresses.contains(symbol));
        own.map(|(symbol, term)| (*symbol, *term)).collect()
    });
    let link = |link: &Link| match link {
        Link::Node(block, inner) => Link::Node(*block, filled(inner, scopes)),
        Link::Branching(block, inner, second, aside) => {
            Link::Branching(*block, filled(inner, scopes), *second, filled_tree_part(aside, scopes))
        }
        Link::Segment(block, cases) => Link::Segment(*block, cases.iter().map(|inner| filled(inner, scopes)).collect()),
    };
    let table_part = |part: &TablePart| match part {
        TablePart::Cell(index, inner) => TablePart::Cell(*index, filled(inner, scopes)),
        TablePart::Nulls(ends, inner) => TablePart::Nulls(*ends, filled(inner, scopes)),
        TablePart::Table(block, cases) => {
            TablePart::Table(*block, cases.iter().map(|inner| filled(inner, scopes)).collect())
        }
    };
    let places = embedding.places.iter().map(|(block, place)| match place {
        Place::Chain(links) => (*block, Place::Chain(links.iter().map(link).collect())),
        Place::Tree(tree_part) => (*block, Place::Tree(filled_tree_part(tree_part, scopes))),
        Place::Table(parts) => (*block, Place::Table(parts.iter().map(table_part).collect())),
        Place::Block(_) | Place::Absent => (*block, place.clone()),
    });
    Embedding { places: places.collect(), symbols, kind: embedding.kind }
}

fn filled_tree_part(tree_part: &TreePart, scopes: &[Scope]) -> TreePart {
    match tree_part {
        TreePart::Nothing => TreePart::Nothing,
        TreePart::Node(block, inner, children) => {
            let children = children.iter().map(|child| filled_tree_part(child, scopes)).collect();
            TreePart::Node(*block, filled(inner, scopes), children)
        }
        TreePart::Tree(block, cases) => {
            TreePart::Tree(*block, cases.iter().map(|inner| filled(inner, scopes)).collect())
        }
        TreePart::Path(block, cases, below) => {
            let cases = cases.iter().map(|inner| filled(inner, scopes)).collect();
            TreePart::Path(*block, cases, Box::new(filled_tree_part(below, scopes)))
        }
    }
}
