//! From an address to the object it points into.

use std::rc::Rc;

use super::context::SymbolKind;
use super::graph::Smg;
use crate::cfa::FunctionId;
use crate::memory::rules::{NULL_PAGE, NoObject};
use crate::memory::{BlockId, Stuck};
use crate::smt::{Node, SymId, Term};

/// Objects lie above this address.
const NO_ADDRESS: u128 = NULL_PAGE as u128;

/// Where an address leads.
#[derive(Clone, Debug)]
pub enum Target {
    /// Into an object, or beside it.
    Object {
        /// The object's block.
        block: BlockId,
        /// Bytes from its start: of pointer width, two's complement.
        offset: Term,
    },
    /// The start of a function.
    Function(FunctionId),
    /// The null pointer, or a small number cast to a pointer.
    Null,
    /// Some number without provenance: no valid object.
    Nowhere(Rc<str>),
    /// The analysis does not know; whatever is claimed from here on would be a guess.
    Unclear(Stuck),
}

impl Target {
    /// What the address is, if it leads to no object.
    pub(super) fn no_object(&self) -> NoObject<'_> {
        match self {
            Target::Null => NoObject::Null(None),
            Target::Function(_) => NoObject::Function,
            Target::Nowhere(what) => NoObject::Other(what),
            Target::Object { .. } | Target::Unclear(_) => NoObject::Other("an address that is not followed"),
        }
    }
}

impl Smg {
    /// The targets of `address`, each with the memory restricted to it.
    pub(super) fn resolve(self, address: Term) -> Vec<(Smg, Target)> {
        let context = self.context.clone();
        let terms = &context.terms;
        if let Node::Ite(condition, then, otherwise) = terms.node(address) {
            let mut targets = Vec::new();
            if let Some(memory) = self.clone().restrict(condition) {
                targets.extend(memory.resolve(then));
            }
            if let Some(memory) = self.restrict(terms.not(condition)) {
                targets.extend(memory.resolve(otherwise));
            }
            return targets;
        }
        let target = self.target(address);
        if let Target::Object { block, .. } = target
            && self.object(block).is_some_and(|object| !object.is_region())
        {
            let is_region = |memory: &Smg| memory.object(block).is_some_and(|object| object.is_region());
            let of = |memory: Smg| match is_region(&memory) {
                true => (memory, target.clone()),
                false => (memory, Target::Unclear(Stuck::tool("a list is used that may have no node"))),
            };
            return self.materialise(block).into_iter().map(of).collect();
        }
        // A number that may or may not be null is distinguished only for the message: both are faults for every user.
        vec![(self, target)]
    }

    /// Whether both addresses surely lie in live regions of their own, or right behind them.
    pub(super) fn lie_apart(&self, a: Term, b: Term) -> bool {
        let region = |address: Term| {
            let Target::Object { block, offset } = self.target(address) else { return None };
            let object = self.object(block).filter(|object| object.valid && object.is_region())?;
            self.entails(self.context.terms.ule(offset, object.size)).then_some(block)
        };
        matches!((region(a), region(b)), (Some(a), Some(b)) if a != b)
    }

    /// The target of an address that is no case distinction at its root.
    pub fn target(&self, address: Term) -> Target {
        let terms = &self.context.terms;
        if let Some(value) = terms.as_const(address) {
            return if value < NO_ADDRESS { Target::Null } else { Target::Nowhere("an integer constant".into()) };
        }
        let sum = terms.linear(address);
        let mut base = None;
        for &(coefficient, part) in &sum.parts {
            let Some(symbol) = terms.as_symbol(part) else { continue };
            if coefficient != 1 {
                continue;
            }
            let found = match self.context.kind(symbol) {
                Some(SymbolKind::Address(_)) => self.points_to.get(&symbol).map(|block| Base::Object(*block)),
                Some(SymbolKind::Function(function)) => Some(Base::Function(function)),
                _ => None,
            };
            match (found, base) {
                (None, _) => {}
                (Some(found), None) => base = Some((part, found)),
                (Some(_), Some(_)) => {
                    return Target::Unclear(Stuck::tool("the sum of two pointers is used as a pointer"));
                }
            }
        }
        let Some((part, base)) = base else { return self.without_base(address) };
        let offset = terms.sub(address, part);
        match base {
            Base::Object(block) => Target::Object { block, offset },
            Base::Function(function) if terms.as_const(offset) == Some(0) => Target::Function(function),
            Base::Function(_) => Target::Nowhere("inside a function's code".into()),
        }
    }

    /// Whether the analysis lost track of where `address` leads: to an object of the program, perhaps.
    pub(super) fn is_lost(&self, address: Term) -> bool {
        matches!(self.target(address), Target::Nowhere(_)) && self.is_forgotten(address)
    }

    /// Whether `value` may be an address that the analysis lost track of.
    pub(super) fn may_be_lost_address(&self, value: Term) -> bool {
        let context = &self.context;
        context.terms.width(value) >= context.model.pointer_bits()
            && self.is_forgotten(value)
            && self.store.range(context, value).1 >= NO_ADDRESS
    }

    fn is_forgotten(&self, value: Term) -> bool {
        const FORGOTTEN: u8 = SymbolKind::Forgotten(0).class();
        let is_forgotten = |symbol: &SymId| self.context.kind(*symbol).is_none_or(|kind| kind.class() == FORGOTTEN);
        self.context.terms.symbols_of(value).iter().any(is_forgotten)
    }

    fn without_base(&self, address: Term) -> Target {
        let symbols = self.context.terms.symbols_of(address);
        let mut kinds = symbols.iter().filter_map(|symbol| self.context.kind(*symbol));
        if kinds.clone().any(SymbolKind::is_external) {
            return Target::Unclear(Stuck::foreign("a pointer from an unknown function is used"));
        }
        if kinds.any(|kind| matches!(kind, SymbolKind::Address(_) | SymbolKind::Function(_))) {
            return Target::Unclear(Stuck::tool("a pointer is computed in a way that is not followed"));
        }
        if self.store.constant(&self.context, address) == Some(0) {
            return Target::Null;
        }
        Target::Nowhere("an indeterminate or arbitrary value".into())
    }
}

#[derive(Clone, Copy)]
enum Base {
    Object(BlockId),
    Function(FunctionId),
}
