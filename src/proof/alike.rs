//! Two bodies that say the same, each in the terms of its state: no node of a summary has to be looked at where those of another
//! one are described in the same words.

use crate::heap::{Body, Context, Naming, SymbolKind, encode_body};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// What the general state says of things outside of a node, with what the special one says in its place: where each pair is equal,
/// `special` describes no node that `general` does not. `None`: their words differ.
///
/// What a body says of its own (the addresses and values that are bound in it) has to be the same term in both.
pub(crate) fn alike(context: &Context, general: &Body, special: &Body) -> Option<Vec<(Term, Term)>> {
    let (one, other) = (Words::of(general)?, Words::of(special)?);
    (one.code == other.code && one.terms.len() == other.terms.len()).then_some(())?;
    let is_bound = |symbol: &SymId| match context.kind(*symbol) {
        Some(SymbolKind::Bound { depth, .. }) => depth <= general.depth,
        _ => false,
    };
    let mut outer = Vec::new();
    for (a, b) in one.terms.into_iter().zip(other.terms) {
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

/// What is written of a body, and the terms in it, in the order in which they are.
#[derive(Default)]
struct Words {
    code: Vec<u32>,
    terms: Vec<Term>,
}

/// Stands for a term in the code: no offset, size or number of nodes is that large.
const TERM: u32 = u32::MAX - 9;

impl Words {
    /// `None` where the code does not tell all.
    fn of(body: &Body) -> Option<Self> {
        let mut words = Self::default();
        words.tell_facts(body)?;
        let mut code = std::mem::take(&mut words.code);
        encode_body(body, &mut words, &mut code);
        Some(Self { code, ..words })
    }

    /// How many facts each body has, which else is told of the terms only.
    fn tell_facts(&mut self, body: &Body) -> Option<()> {
        self.code.push(u32::try_from(body.facts.len()).ok()?);
        body.objects.iter().try_for_each(|object| {
            (object.valid && !object.lost && object.content.far().is_empty()).then_some(())?;
            let bodies = object.form.summary().map_or(&[][..], |summary| summary.bodies());
            bodies.iter().try_for_each(|inner| self.tell_facts(inner))
        })
    }
}

impl Naming for Words {
    fn value(&mut self, value: Term) -> u32 {
        self.terms.push(value);
        TERM
    }

    fn block(&mut self, block: BlockId) -> u32 {
        block.0
    }

    fn length(&mut self, min_len: u32) -> u32 {
        min_len
    }
}
