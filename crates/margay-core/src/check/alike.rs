//! Two bodies that say the same, each in the terms of its state: no node of a summary has to be looked at where those of another
//! one are described in the same words.

use crate::heap::{Body, Context, Naming, SymbolKind, encode_body};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// What the general state says of things outside of a node, with what the special one says in its place: where each pair is equal,
/// `special` describes no node that `general` does not. `None`: their words differ.
///
/// What a body says of its own (the addresses and values that are bound in it) has to be the same term in both.
pub fn alike(context: &Context, general: &Body, special: &Body) -> Option<Vec<(Term, Term)>> {
    let ((code, terms), (other_code, other_terms)) = (words(general)?, words(special)?);
    (code == other_code && terms.len() == other_terms.len()).then_some(())?;
    let is_bound = |symbol: &SymId| match context.kind(*symbol) {
        Some(SymbolKind::Bound { depth, .. }) => depth <= general.depth,
        // In facts of runs: what each cell has for itself.
        Some(SymbolKind::Cell { .. }) => true,
        _ => false,
    };
    let mut outer = Vec::new();
    for (a, b) in terms.into_iter().zip(other_terms) {
        let symbols = [context.terms.symbols_of(a), context.terms.symbols_of(b)];
        let mut all = symbols.iter().flat_map(|symbols| symbols.iter());
        if all.clone().all(is_bound) {
            (a == b).then_some(())?;
        } else if all.any(is_bound) {
            return None;
        } else {
            outer.push((a, b));
        }
    }
    outer.sort_unstable();
    outer.dedup();
    Some(outer)
}

/// Stands for a term in the code: no offset, size or number of nodes is that large.
const TERM: u32 = u32::MAX - 9;

/// What is written of a body, and the terms in it, in the order in which they are. `None` where the code does not tell all.
fn words(body: &Body) -> Option<(Vec<u32>, Vec<Term>)> {
    let (mut code, mut terms) = (Vec::new(), TermList(Vec::new()));
    add_facts(body, &mut code)?;
    encode_body(body, &mut terms, &mut code);
    Some((code, terms.0))
}

/// How many facts each body has, which else is recorded of the terms only.
fn add_facts(body: &Body, code: &mut Vec<u32>) -> Option<()> {
    code.push(u32::try_from(body.facts.len()).ok()?);
    body.objects.iter().try_for_each(|object| {
        (object.valid && !object.lost && object.content.runs().iter().all(|run| run.table.is_none())).then_some(())?;
        let bodies = object.form.summary().map_or(&[][..], |summary| summary.bodies());
        bodies.iter().try_for_each(|inner| add_facts(inner, code))
    })
}

/// Terms are kept apart from the code.
struct TermList(Vec<Term>);

impl Naming for TermList {
    fn value(&mut self, value: Term) -> u32 {
        self.0.push(value);
        TERM
    }

    fn block(&mut self, block: BlockId) -> u32 {
        block.0
    }

    fn length(&mut self, min_len: u32) -> u32 {
        min_len
    }
}
