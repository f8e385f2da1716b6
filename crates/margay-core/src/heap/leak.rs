//! Reachability of blocks: leaks and garbage.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::content::Cell;
use super::forms::{Body, Form, Held};
use super::graph::{Object, Smg};
use crate::memory::rules::keeps;
use crate::memory::{BlockId, BlockKind};
use crate::smt::{Node, SymId, Term};

impl Smg {
    /// The block a value was computed from, if that is known.
    pub fn provenance(&self, value: Term) -> Option<BlockId> {
        let terms = &self.context.terms;
        if terms.width(value) < self.context.model.pointer_bits() {
            return None;
        }
        match terms.node(value) {
            Node::Ite(_, then, otherwise) => {
                // Which of the two it is cannot be decided; only a block that both keep alive is surely alive.
                let then = self.provenance(then);
                (then == self.provenance(otherwise)).then_some(then).flatten()
            }
            _ => {
                let sum = terms.linear(value);
                let mut bases =
                    sum.parts.iter().filter(|(coefficient, _)| *coefficient == 1).filter_map(|(_, part)| {
                        terms.as_symbol(*part).and_then(|symbol| self.points_to.get(&symbol).copied())
                    });
                bases.next()
            }
        }
    }

    /// The block that `value` keeps tracked: it points into it, or one past its end, as far as the cheap bounds say.
    pub fn tracks(&self, value: Term) -> Option<BlockId> {
        let terms = &self.context.terms;
        // Most values are numbers or the address of a block itself.
        if let Some(symbol) = terms.as_symbol(value) {
            return self.points_to.get(&symbol).copied();
        }
        if terms.as_const(value).is_some() {
            return None;
        }
        let block = self.provenance(value)?;
        if let Node::Ite(_, then, otherwise) = terms.node(value) {
            return (self.tracks(then).is_some() && self.tracks(otherwise).is_some()).then_some(block);
        }
        let object = self.object(block)?;
        let offset = terms.sub(value, object.address);
        (self.decide(keeps(terms, offset, object.size)) == Some(true)).then_some(block)
    }

    /// All blocks that chains of pointers from `roots`, and from live static, stack and `alloca` blocks reach (those included).
    pub(super) fn reachable(&self, roots: &mut dyn Iterator<Item = &Term>) -> BTreeSet<BlockId> {
        self.held(roots, &BTreeSet::new())
    }

    /// [`Smg::reachable`] by chains of which only the last block may be among `border`.
    pub fn held(&self, roots: &mut dyn Iterator<Item = &Term>, border: &BTreeSet<BlockId>) -> BTreeSet<BlockId> {
        let mut reached = BTreeSet::new();
        let mut work: Vec<BlockId> = Vec::new();
        let visit = |block: BlockId, reached: &mut BTreeSet<BlockId>, work: &mut Vec<BlockId>| {
            if reached.insert(block) && !border.contains(&block) {
                work.push(block);
            }
        };
        let follow = |value: Term, reached: &mut BTreeSet<BlockId>, work: &mut Vec<BlockId>| {
            for block in self.tracked(value, border) {
                visit(block, reached, work);
            }
        };
        for root in roots {
            follow(*root, &mut reached, &mut work);
        }
        for (block, object) in &self.objects {
            if object.kind.is_root() && object.valid && !border.contains(block) {
                visit(*block, &mut reached, &mut work);
            }
        }
        while let Some(block) = work.pop() {
            let Some(object) = self.object(block) else { continue };
            for edge in object.content.edges() {
                if let Cell::Value(value) = edge.cell {
                    follow(value, &mut reached, &mut work);
                }
            }
            for run in object.content.runs() {
                // A run says nothing of cells behind the object's end.
                let value =
                    run.single(&self.context).map(|(_, value)| value).filter(|value| self.tracks(*value).is_some());
                let is_inside = || self.entails(run.layout.is_inside(&self.context.terms, run.first, object.size));
                if let Some(value) = value.filter(|_| is_inside()) {
                    follow(value, &mut reached, &mut work);
                }
            }
            let tables = self.tables_held_by(object);
            let (blocks, values) = self.reached_from_summary(block);
            tables.into_iter().for_each(|table| visit(table, &mut reached, &mut work));
            blocks.into_iter().for_each(|block| visit(block, &mut reached, &mut work));
            values.into_iter().for_each(|value| follow(value, &mut reached, &mut work));
        }
        reached
    }

    /// The blocks that `value` keeps tracked: that of the summary it is an address of, and what it is the address of if this has no node.
    fn tracked(&self, value: Term, border: &BTreeSet<BlockId>) -> Vec<BlockId> {
        let terms = &self.context.terms;
        let mut blocks: Vec<BlockId> = Vec::new();
        let mut value = value;
        while let Some(block) = self.tracks(value)
            && !blocks.contains(&block)
        {
            blocks.push(block);
            if border.contains(&block) || !self.may_be_nothing(block) {
                break;
            }
            let Some((owner, object)) = self.owner_of(block) else { break };
            let Some(summary) = object.form.summary() else { break };
            let empty = summary.empty(&self.context, owner).into_iter().find(|(end, _)| *end == block);
            let (Some((_, other)), Some(end)) = (empty, self.object(block)) else { break };
            value = terms.add(other, terms.sub(value, end.address));
        }
        blocks
    }

    /// What the nodes of the summary with this end lead to: blocks, and values of pointers.
    fn reached_from_summary(&self, end: BlockId) -> (Vec<BlockId>, Vec<Term>) {
        let Some((owner, object)) = self.owner_of(end) else { return (Vec::new(), Vec::new()) };
        let Some(summary) = object.form.summary() else { return (Vec::new(), Vec::new()) };
        let mut held = Held::default();
        summary.holds(owner, end, &mut held);
        if summary.least() == 0 {
            // What follows is held by the pointer itself if there is no node.
            return (held.blocks, Vec::new());
        }
        let inner = held.nodes.iter().flat_map(|kinds| self.held_by_all(kinds));
        let values = held.values.iter().copied().chain(inner).collect();
        (held.blocks, values)
    }

    /// What each node holds for sure, of whichever of these kinds it is.
    fn held_by_all(&self, kinds: &[Rc<Body>]) -> Vec<Term> {
        let mut kinds = kinds.iter().map(|body| self.surely_held(body));
        let Some(mut held) = kinds.next() else { return Vec::new() };
        kinds.for_each(|other| held.retain(|value| other.contains(value)));
        held
    }

    /// What each node with this body holds for sure, all that hangs below it included: nothing that only a list leads to which
    /// may be empty, or a block which may be absent.
    fn surely_held(&self, body: &Body) -> Vec<Term> {
        let terms = &self.context.terms;
        let mut held: Vec<Term> = Vec::new();
        let mut reached = BTreeSet::from([0]);
        let mut work = vec![0];
        while let Some(index) = work.pop() {
            let Some(object) = body.objects.get(index) else { continue };
            let known = held.len();
            if let Form::Region = object.form {
                held.extend(object.content.edges().iter().filter_map(|edge| match edge.cell {
                    Cell::Value(value) => Some(value),
                    Cell::Uniform(_) | Cell::Forgotten => None,
                }));
            }
            let at = BlockId::from_index(index);
            let owner = object.form.end_of().unwrap_or(at);
            if let Some(summary) = body.objects.get(owner.index()).and_then(|object| object.form.summary()) {
                let mut own = Held::default();
                summary.holds(owner, at, &mut own);
                held.extend(own.values);
                held.extend(own.nodes.iter().flat_map(|kinds| self.held_by_all(kinds)));
                work.extend(own.blocks.iter().map(|block| block.index()).filter(|index| reached.insert(*index)));
            }
            for value in &held[known..] {
                let symbols = terms.symbols_of(*value);
                let is_met =
                    |object: &Object| terms.as_symbol(object.address).is_some_and(|symbol| symbols.contains(&symbol));
                let met = body.objects.iter().enumerate().filter(|(_, object)| is_met(object));
                work.extend(met.map(|(index, _)| index).filter(|index| reached.insert(*index)));
            }
        }
        held
    }

    /// A live heap block that nothing reaches.
    pub fn leaked_block(&self, roots: &mut dyn Iterator<Item = &Term>) -> Option<Rc<str>> {
        let has_heap = self.objects.values().any(|object| object.kind.can_leak() && object.valid);
        if !has_heap {
            return None;
        }
        let reached = self.reachable(roots);
        let mut lost = self.objects.iter().filter(|(block, object)| {
            object.kind.can_leak() && object.valid && !object.lost && !reached.contains(block)
        });
        // A list that is counted may be known to have no node.
        lost.find(|(block, _)| !self.has_no_node(**block)).map(|(_, object)| object.origin.name.clone())
    }

    /// Remembers which blocks are lost, so that they are not reported again.
    pub fn mark_lost(&mut self, roots: &mut dyn Iterator<Item = &Term>) {
        let reached = self.reachable(roots);
        let lost: Vec<BlockId> = self.objects.keys().filter(|block| !reached.contains(block)).copied().collect();
        for block in lost {
            if let Some(object) = self.object_mut(block) {
                object.lost = true;
            }
        }
    }

    /// Drops dead objects and arguments of `main` that nothing points to any more, and all that is known only about what is gone.
    pub fn collect_garbage(&mut self, roots: &mut dyn Iterator<Item = &Term>) {
        let context = self.context.clone();
        let symbols = self.drop_dead_objects(roots);
        self.store.retain(&context, &symbols);
    }

    /// Drops dead objects and arguments of `main` that nothing points to any more; the symbols of what is left, ascending.
    pub fn drop_dead_objects(&mut self, roots: &mut dyn Iterator<Item = &Term>) -> Vec<SymId> {
        let context = self.context.clone();
        let mut symbols: Vec<SymId> = Vec::new();
        for root in roots {
            symbols.extend_from_slice(&context.terms.symbols_of(*root));
        }
        self.drop_unreached_arguments(&symbols);
        // Other live objects stay, reachable or not: they count at the end of the program.
        for object in self.objects.values().filter(|object| object.valid) {
            symbols.extend(context.terms.as_symbol(object.address));
            object.each_symbol(&context.terms, &mut |symbol| symbols.push(symbol));
        }
        symbols.sort_unstable();
        symbols.dedup();
        let dead: Vec<_> = self
            .objects
            .iter()
            .filter(|(_, object)| !object.valid)
            .filter_map(|(block, object)| Some((*block, context.terms.as_symbol(object.address)?)))
            .filter(|(_, symbol)| symbols.binary_search(symbol).is_err())
            .collect();
        for (block, symbol) in dead {
            self.objects.remove(&block);
            self.points_to.remove(&symbol);
        }
        symbols
    }

    /// Drops arguments of `main` whose addresses neither `roots` nor other objects hold: they neither leak nor are they freed, and no access
    /// finds them any more. Those that lead to what can leak stay.
    fn drop_unreached_arguments(&mut self, roots: &[SymId]) {
        let is_argument = |object: &Object| object.valid && object.kind == BlockKind::Argument;
        if !self.objects.values().any(|object| is_argument(object)) {
            return;
        }
        let terms = &self.context.terms;
        let is_kept = |object: &Object| {
            let mut leads_to_heap = false;
            object.each_symbol(terms, &mut |symbol| {
                let found = self.points_to.get(&symbol).and_then(|block| self.object(*block));
                leads_to_heap |= found.is_some_and(|object| object.kind.can_leak());
            });
            !is_argument(object) || leads_to_heap
        };
        let mut work: Vec<BlockId> =
            self.objects.iter().filter(|(_, object)| is_kept(object)).map(|(block, _)| *block).collect();
        work.extend(roots.iter().filter_map(|symbol| self.points_to.get(symbol)));
        let mut reached: BTreeSet<BlockId> = BTreeSet::new();
        while let Some(block) = work.pop() {
            let Some(object) = self.object(block).filter(|_| reached.insert(block)) else { continue };
            object.each_symbol(terms, &mut |symbol| work.extend(self.points_to.get(&symbol)));
            work.extend(object.content.runs().iter().filter_map(|run| run.table));
        }
        let unreached: Vec<BlockId> = self.objects.keys().filter(|block| !reached.contains(block)).copied().collect();
        unreached.into_iter().for_each(|block| self.remove_object(block));
    }
}

#[cfg(test)]
mod tests {
    use super::super::content::{Content, Edge};
    use super::super::context::Context;
    use super::*;
    use crate::base::limits::Limits;
    use crate::memory::{BlockSpec, Origin};
    use crate::smt::Z3Solver;
    use crate::task::DataModel;

    /// A block of eight bytes that holds `value`.
    fn block(memory: &mut Smg, kind: BlockKind, value: Option<BlockId>) -> BlockId {
        let size = memory.context.pointer_constant(8);
        let spec = BlockSpec { kind, size, align: 8, zeroed: false, origin: Origin::outside("block") };
        let block = memory.add_object(spec);
        let address = value.and_then(|value| memory.object(value)).map(|object| object.address);
        if let (Some(address), Some(object)) = (address, memory.object_mut(block)) {
            let edge = Edge { offset: 0, bytes: 8, cell: Cell::Value(address) };
            object.content = Content::from_edges(vec![edge], false, false);
        }
        block
    }

    /// Texts that arguments lead to are gone with what led there; other blocks stay, and so do arguments that lead to the heap.
    #[test]
    fn arguments_that_nothing_leads_to_are_gone() {
        let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
        let mut memory = Smg::new(context);
        let text = block(&mut memory, BlockKind::Argument, None);
        let arguments = block(&mut memory, BlockKind::Argument, Some(text));
        let heap = block(&mut memory, BlockKind::Heap, None);
        let owner = block(&mut memory, BlockKind::Argument, Some(heap));
        let other = block(&mut memory, BlockKind::Static, None);
        let left = |memory: &Smg| [text, arguments, heap, owner, other].map(|block| memory.object(block).is_some());
        let addresses: Vec<Term> = [text, arguments].map(|block| memory.object(block).expect("a block").address).into();
        let mut held = memory.clone();
        held.collect_garbage(&mut addresses[1..].iter());
        assert_eq!(left(&held), [true; 5]);
        let mut half = memory.clone();
        half.collect_garbage(&mut addresses[..1].iter());
        assert_eq!(left(&half), [true, false, true, true, true]);
        memory.collect_garbage(&mut std::iter::empty());
        assert_eq!(left(&memory), [false, false, true, true, true]);
        memory.consistent().expect("a consistent memory");
    }
}
