//! What of a node is kept when it becomes part of a segment: patterns, from the whole node down to its links.
//!
//! Source: the patterns that refinement activates in section 6 of the CAV'12 paper on counterexample-guided shape refinement.

use super::extract::nested;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::census::Census;
use super::discover::Pair;
use crate::heap::{Cell, Smg, no_content};
use crate::memory::BlockId;
use crate::smt::SymId;

/// What is kept of a node beside its links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Objects that hang below it.
    pub nested: bool,
    /// Numbers.
    pub values: bool,
    /// That two of its fields hold one and the same number.
    pub equalities: bool,
    /// Pointers to what others point to as well.
    pub shared: bool,
    /// For tests of the diagnosis: a field at this offset is forgotten whatever the rest says. `None` in all other uses.
    #[serde(skip)]
    pub planted_fault: Option<u64>,
}

impl Pattern {
    /// Everything.
    pub const ALL: Pattern =
        Pattern { nested: true, values: true, equalities: true, shared: true, planted_fault: None };
    /// The links only.
    pub const LINKS: Pattern =
        Pattern { nested: false, values: false, equalities: false, shared: false, planted_fault: None };

    /// Keeps all that `other` keeps.
    pub fn is_at_least(self, other: Pattern) -> bool {
        self.nested >= other.nested
            && self.values >= other.values
            && self.equalities >= other.equalities
            && self.shared >= other.shared
            && (self.planted_fault.is_none() || self.planted_fault == other.planted_fault)
    }

    /// The names of what is kept, in the order in which refinement tries them.
    pub const NAMES: [&'static str; 4] = ["nested", "shared", "values", "equalities"];

    /// Whether the part with this name is kept.
    pub fn keeps(self, name: &str) -> bool {
        match name {
            "nested" => self.nested,
            "shared" => self.shared,
            "values" => self.values,
            _ => self.equalities,
        }
    }

    /// The same with or without the part with this name.
    pub fn with(self, name: &str, kept: bool) -> Pattern {
        match name {
            "nested" => Pattern { nested: kept, ..self },
            "shared" => Pattern { shared: kept, ..self },
            "values" => Pattern { values: kept, ..self },
            _ => Pattern { equalities: kept, ..self },
        }
    }
}

/// Makes the regions of a pair forget what the pattern does not keep; whether there was anything. Over-approximates: what is
/// forgotten may be anything. Blocks that only forgotten pointers led to are lost, for all to see.
pub(super) fn forget_beyond(smg: &mut Smg, census: &Census, pair: &Pair, pattern: Pattern) -> bool {
    let mut forgets = false;
    // What is beside the nodes of a path is as it is.
    let sides = [pair.left, pair.right].into_iter().filter(|_| pair.links.branching.is_none());
    for side in sides {
        if smg.object(side).is_some_and(|object| object.is_region()) {
            let nested = nested(smg, census, side, &pair.links.offsets());
            forgets |= forget_fields(smg, side, pair, &nested, pattern);
        }
    }
    forgets
}

fn forget_fields(smg: &mut Smg, node: BlockId, pair: &Pair, nested: &BTreeSet<BlockId>, pattern: Pattern) -> bool {
    let context = smg.context.clone();
    let terms = &context.terms;
    let Some(object) = smg.object(node).cloned() else { return false };
    let mut forgets = false;
    let is_link = |offset: u64| offset == pair.links.next || Some(offset) == pair.links.prev;
    let mut met: BTreeSet<SymId> = BTreeSet::new();
    for edge in object.content.edges().iter().filter(|edge| !is_link(edge.offset)) {
        let symbols = match edge.cell {
            Cell::Value(value) => terms.symbols_of(value),
            Cell::Uniform(_) | Cell::Forgotten => continue,
        };
        let target = symbols.iter().find_map(|symbol| smg.points_to.get(symbol).copied());
        let is_kept = match target {
            Some(block) if nested.contains(&block) => pattern.nested,
            Some(block) if block == node => true,
            Some(_) => pattern.shared,
            None => {
                let is_new = symbols.iter().all(|symbol| met.insert(*symbol));
                pattern.values && (pattern.equalities || is_new)
            }
        };
        if !is_kept || pattern.planted_fault == Some(edge.offset) {
            smg.write_cell(node, edge.offset, edge.bytes, Cell::Forgotten);
            forgets = true;
        }
    }
    if forgets && !pattern.nested {
        // What they point to no longer counts: it cannot be reached.
        for block in nested {
            if let Some(object) = smg.object_mut(*block).filter(|object| object.is_region()) {
                object.content = no_content();
            }
        }
    }
    forgets
}
