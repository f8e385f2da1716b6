//! Nodes of which more than the link leads to the next one: in a skip list, the list below a node of an upper level ends in the next
//! node of that level.
//! ```text
//!        ┌──────┐          link          ┌──────┐
//!        │ node ├───────────────────────▶│ next │
//!        └──┬───┘                        └──────┘
//!           └─────▶ below ─▶ below ─▶ … ────┘
//! ```
//! What the link holds is a name in the body then: the node holds it there, and the rest of the body says it where it leads on.

use super::discover::exact_target;
use super::extract::nested;
use std::collections::BTreeSet;

use super::census::{Census, Holder};
use super::join::Join;
use crate::heap::{Cell, Context, Form, Links, Object, Smg, SymbolKind};
use crate::memory::BlockId;
use crate::smt::{SymId, Term, Terms};

/// Where nodes that are joined have their links.
pub(super) struct Ports {
    pub links: Vec<u64>,
    /// The link to the following node, where all of them have it at one place.
    pub onward: Option<u64>,
}

impl Ports {
    pub fn of(links: Links) -> Self {
        Self { links: links.offsets(), onward: links.onward() }
    }
}

/// What the links onwards of two nodes hold, and what stands for both.
pub(super) struct Tie {
    at: u64,
    pub left: Term,
    pub right: Term,
    pub both: Term,
}

impl Tie {
    /// What stands for two values that lie equally far from what the links hold.
    pub fn of_both(&self, terms: &Terms, left: Term, right: Term) -> Option<Term> {
        let both = self.of_one(terms, true, left)?;
        (self.of_one(terms, false, right)? == both).then_some(both)
    }

    /// What stands for a value of one side that lies at a known distance from what its link holds.
    pub fn of_one(&self, terms: &Terms, on_left: bool, value: Term) -> Option<Term> {
        let own = if on_left { self.left } else { self.right };
        (terms.width(own) == terms.width(value)).then_some(())?;
        let distance = terms.sub(value, own);
        terms.as_const(distance).map(|_| terms.add(self.both, distance))
    }

    /// The node, the first of these, says what its link holds if one of them speaks of it.
    pub fn say(&self, context: &Context, objects: &mut [Object]) {
        let terms = &context.terms;
        let Some(symbol) = terms.as_symbol(self.both) else { return };
        let mut is_stated = false;
        let mut look = |term: Term| is_stated |= terms.symbols_of(term).contains(&symbol);
        objects.iter().for_each(|object| object.each_term(&mut look));
        if let Some(node) = objects.first_mut().filter(|_| is_stated) {
            let width = u64::from(context.model.pointer_bytes());
            node.content.write(terms, self.at, width, Cell::Value(self.both));
        }
    }
}

/// What the links of two nodes hold.
pub(super) struct Ends {
    at: u64,
    left: Term,
    right: Term,
}

impl Join<'_> {
    /// What the links onwards hold has a name.
    pub(super) fn tie(&mut self, ends: &Ends) {
        let &Ends { at, left, right } = ends;
        let context = self.context.clone();
        let terms = &context.terms;
        let alignment = terms.trailing_zeros(left).min(terms.trailing_zeros(right));
        let both = terms.fresh_aligned_symbol(terms.width(left), alignment, "link");
        let class = SymbolKind::Forgotten(0).class();
        self.classes.extend(terms.as_symbol(both).map(|symbol| (symbol, class)));
        for (side, link) in [(&mut self.left, left), (&mut self.right, right)] {
            if let Some(base) = base_of(self.memory, link) {
                let distance = terms.sub(link, terms.symbol_term(base));
                side.to_result.insert(base, terms.sub(both, distance));
            }
        }
        self.tie = Some(Tie { at, left, right, both });
    }
}

/// Where a walk along one field ended: block, offset (that of the field, or none for what follows a list), and what stands there.
type End = (BlockId, Option<u64>, Term);

/// The symbol from which `value` lies at a known distance.
pub(super) fn base_of(smg: &Smg, value: Term) -> Option<SymId> {
    let terms = &smg.context.terms;
    let sum = terms.linear(value);
    match sum.parts.as_slice() {
        [(1, part)] => terms.as_symbol(*part),
        _ => None,
    }
}

/// Whether the region `node`, or what hangs below it, speaks of what the link at `next` leads to besides that link.
pub(super) fn has_named_link(smg: &Smg, census: &Census, node: BlockId, links: &[u64], next: u64) -> bool {
    let Some(base) = smg.field(node, next).and_then(|link| base_of(smg, link)) else { return false };
    let holders = census.of(base);
    if holders.iter().all(|holder| *holder == Holder::Field(node, next)) {
        return false;
    }
    let nested = nested(smg, census, node, links);
    let is_own = |block: BlockId| block == node || nested.contains(&block);
    let is_inner = smg.points_to.get(&base).is_some_and(|block| is_own(*block));
    !is_inner && holders.iter().any(|holder| *holder != Holder::Field(node, next) && holder.block().is_some_and(is_own))
}

/// What the links onwards of two nodes hold, where one of them is tied, and, where it differs, the memory in which this can be
/// seen: the last node of a list may lead to null, and so does what hangs below it, for the same reason.
pub(super) fn tied(
    smg: &Smg,
    census: &Census,
    (left, right): (BlockId, BlockId),
    ports: &Ports,
) -> Option<(Option<Smg>, Ends)> {
    let at = ports.onward?;
    let has_named_link = |node: BlockId| has_named_link(smg, census, node, &ports.links, at);
    let ends = |memory: &Smg| {
        let (left, right) = (memory.field(left, at)?, memory.field(right, at)?);
        (base_of(memory, left).is_some() && base_of(memory, right).is_some()).then_some(Ends { at, left, right })
    };
    let (of_left, of_right) = (has_named_link(left), has_named_link(right));
    if !of_left && !of_right {
        return None;
    }
    if let Some(ends) = ends(smg) {
        return Some((None, ends));
    }
    let (tied, other) = if of_left { (left, right) } else { (right, left) };
    let memory = with_named_end(smg, census, tied, other, ports)?;
    let ends = ends(&memory)?;
    Some((Some(memory), ends))
}

/// The memory in which the link of `other` has a name, and what ends where it does if that of `tied` does likewise.
fn with_named_end(smg: &Smg, census: &Census, tied: BlockId, other: BlockId, ports: &Ports) -> Option<Smg> {
    let at = ports.onward?;
    let (link, end) = (smg.field(tied, at)?, smg.field(other, at)?);
    let terms = &smg.context.terms;
    terms.as_const(end)?;
    let mut memory = smg.clone();
    let alignment = terms.trailing_zeros(link).min(terms.trailing_zeros(end));
    let name = memory.forgotten_aligned(terms.width(end), alignment);
    let width = u64::from(smg.context.model.pointer_bytes());
    let below = [tied, other].map(|node| nested(smg, census, node, &ports.links));
    let offsets: Vec<u64> = smg.object(tied)?.content.edges().iter().map(|edge| edge.offset).collect();
    for offset in offsets.into_iter().filter(|offset| !ports.links.contains(offset)) {
        let leads_on = end_of_walk(smg, tied, offset, &below[0]).is_some_and(|(_, _, value)| value == link);
        let Some((block, cell, value)) = end_of_walk(smg, other, offset, &below[1]) else { continue };
        if !leads_on || value != end {
            continue;
        }
        let object = memory.object_mut(block)?;
        match (cell, &mut object.form) {
            (Some(cell), _) => object.content.write(terms, cell, width, Cell::Value(name)),
            (None, Form::First(segment)) => std::rc::Rc::make_mut(segment).next = name,
            _ => {}
        }
    }
    memory.object_mut(other)?.content.write(terms, at, width, Cell::Value(name));
    Some(memory)
}

/// The end of a walk along the field at `offset`, from `node` through what is `below` it.
fn end_of_walk(smg: &Smg, node: BlockId, offset: u64, below: &BTreeSet<BlockId>) -> Option<End> {
    let width = u64::from(smg.context.model.pointer_bytes());
    let (mut at, mut met) = (node, BTreeSet::new());
    while met.insert(at) {
        let object = smg.object(at)?;
        let end = match &object.form {
            Form::First(segment) if segment.links.next == offset => (at, None, segment.next),
            form if form.has_content() => {
                let edge = object.content.edges().iter().find(|edge| edge.offset == offset && edge.bytes == width)?;
                let Cell::Value(value) = edge.cell else { return None };
                (at, Some(offset), value)
            }
            _ => return None,
        };
        match exact_target(smg, end.2) {
            Some((block, _)) if below.contains(&block) => at = block,
            _ => return Some(end),
        }
    }
    None
}
