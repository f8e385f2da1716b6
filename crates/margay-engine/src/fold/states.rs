//! The join of two states of one place: where one has a node and the other a list, or one a list and the other nothing, the result has
//! a list that may be as short.
//!
//! Over-approximates, as the join of nodes does, by whose walk it is found. Nothing is forgotten but how long lists are: states whose
//! numbers differ, or what they know of them, stay apart, but for what is known of numbers that only nodes of the heap hold: where
//! such a node becomes one of a list, its body says the same.

use std::collections::BTreeSet;
use std::rc::Rc;

use imbl::OrdSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::census::Census;
use super::join::{Correspondence, Folding, Join};
use super::join_content::join_content;
use super::join_refutation::have_no_join;
use super::join_side::Side;
use crate::heap::{Content, Context, Form, Object, Run, Smg, State, SymbolKind, has_empty_cycle, substituted, values};
use crate::memory::{BlockId, BlockKind};
use crate::smt::{SymId, Term, Terms};

/// One state for both, which are at one place with equal call stacks; `None` where there is none. `follows`: see [`Folding::follows`].
pub fn join_states(old: &State, new: &State, follows: bool) -> Option<State> {
    are_alike(old, new).then_some(())?;
    if have_no_join(old, new) {
        #[cfg(test)]
        assert!(joined(old, new, follows).is_none(), "a join that is not tried");
        return None;
    }
    joined(old, new, follows)
}

fn joined(old: &State, new: &State, follows: bool) -> Option<State> {
    let both = Both::new(old, new)?;
    let heap = |blocks: &mut dyn Iterator<Item = BlockId>| -> BTreeSet<BlockId> {
        blocks.filter(|block| both.memory.is_live_heap(*block)).collect()
    };
    let left = heap(&mut old.memory.objects.keys().copied());
    let right = heap(&mut new.memory.objects.keys().map(|block| both.renamed(*block)));
    let mut roots = values(old);
    roots.extend(values(new).into_iter().map(|value| both.term(value)));
    let thresholds = Default::default();
    let folding = Folding { roots: &roots, thresholds, downward: None, depth: 0, exact: true, ordered: false, follows };
    let mut join = Join::of(&both.memory, folding, (Side::whole(left), Side::whole(right)), &both.outer);
    let mut state = old.clone();
    for (frame, other) in state.frames.iter_mut().zip(&new.frames) {
        for (value, other) in Rc::make_mut(frame).regs.iter_mut().zip(&other.regs) {
            *value = match (*value, *other) {
                (Some(own), Some(other)) => Some(join.value(own, both.term(other))?),
                _ => None,
            };
        }
    }
    let mut contents = Vec::new();
    for &(block, other) in &both.pairs {
        let (a, b) = (both.memory.object(block)?.clone(), both.memory.object(other)?.clone());
        (a.valid == b.valid && a.size == b.size).then_some(())?;
        let mut content = join_content(&mut join, &a.content, &b.content, &[])?;
        content.set_runs(common_runs(&a.content, &b.content)?);
        contents.push((block, content));
    }
    let results = join.results()?;
    state.memory = both.put_together(old, new, results, &contents, &mut state.frames)?;
    state.memory.consistent().ok()?;
    Some(state)
}

/// What both know of cells in the same terms; `None` where they do not know the same of texts.
fn common_runs(left: &Content, right: &Content) -> Option<Vec<Run>> {
    let runs: Vec<Run> = left.runs().iter().filter(|run| right.runs().contains(run)).cloned().collect();
    let texts = |runs: &[Run]| runs.iter().filter(|run| run.text).count();
    (texts(left.runs()) == texts(&runs) && texts(right.runs()) == texts(&runs)).then_some(runs)
}

/// The two have the same frames with the same variables.
fn are_alike(old: &State, new: &State) -> bool {
    let frames = || old.frames.iter().zip(&new.frames);
    old.frames.len() == new.frames.len()
        && frames().all(|(a, b)| {
            a.function == b.function
                && a.at == b.at
                && a.result == b.result
                && a.regs.len() == b.regs.len()
                && a.allocas.len() == b.allocas.len()
                && a.slots.iter().zip(&b.slots).all(|(a, b)| a.is_some() == b.is_some())
        })
}

/// Both states in one memory.
struct Both {
    memory: Smg,
    /// The first of the new state's blocks there.
    first: u32,
    /// Addresses of the new state's objects there.
    by: FxHashMap<SymId, Term>,
    /// Blocks that are no heap blocks, which correspond.
    pairs: Vec<(BlockId, BlockId)>,
    outer: Vec<Correspondence>,
    /// Numbers of which the states do not know the same.
    differing: FxHashSet<SymId>,
}

impl Both {
    fn new(old: &State, new: &State) -> Option<Self> {
        let context = old.memory.context().clone();
        let named = named_alike(old, new);
        let differing = differing(old, new, &named)?;
        let first = old.memory.next_block.max(new.memory.next_block);
        let mut memory = old.memory.clone();
        memory.next_block = first.checked_mul(2)?;
        memory.next_forgotten = first_number(old, new);
        let mut both = Self { memory, first, by: named, pairs: Vec::new(), outer: Vec::new(), differing };
        let mut numbers: Vec<SymId> = both.differing.iter().copied().collect();
        numbers.sort_unstable();
        for symbol in numbers {
            let info = context.terms.symbol_info(symbol);
            let own = both.memory.forgotten_aligned(info.width, info.alignment);
            both.by.insert(symbol, own);
        }
        for (&block, object) in &new.memory.objects {
            let symbol = context.terms.as_symbol(object.address)?;
            let info = context.terms.symbol_info(symbol);
            let kind = SymbolKind::Address(both.renamed(block));
            both.by.insert(symbol, context.symbol(kind, info.width, info.alignment));
        }
        for (&block, object) in &new.memory.objects {
            let renamed = |block: BlockId| BlockId(block.0 + first);
            let own = substituted(&context, object, &both.by).map_blocks(&renamed);
            let own = Object { address: both.term(object.address), ..own };
            both.memory.points_to.insert(context.terms.as_symbol(own.address)?, renamed(block));
            both.memory.objects.insert(renamed(block), Rc::new(own));
        }
        if !both.differing.is_empty() {
            let mut all: Vec<Term> = old.memory.store.constraints().iter().copied().collect();
            all.extend(new.memory.store.constraints().iter().map(|constraint| both.term(*constraint)));
            both.memory.know(&all);
        }
        let slots = old.frames.iter().zip(&new.frames).flat_map(|(a, b)| {
            let slots = a.slots.iter().flatten().zip(b.slots.iter().flatten());
            slots.chain(a.allocas.iter().zip(&b.allocas)).map(|(a, b)| (*a, *b)).collect::<Vec<_>>()
        });
        let globals = old.globals.iter().zip(new.globals.iter()).map(|(a, b)| (*a, *b));
        for (own, other) in globals.chain(slots) {
            let other = both.renamed(other);
            let (a, b) = (both.memory.object(own)?.address, both.memory.object(other)?.address);
            both.pairs.push((own, other));
            both.outer.push((a, b, a));
        }
        // Nothing else that is alive and no heap block may be there.
        let live = |state: &State| {
            state.memory.objects.values().filter(|object| object.valid && object.kind != BlockKind::Heap).count()
        };
        let paired = both.pairs.iter().filter(|(own, _)| both.memory.object(*own).is_some_and(|object| object.valid));
        let paired = paired.count();
        (live(old) == paired && live(new) == paired).then_some(both)
    }

    fn renamed(&self, block: BlockId) -> BlockId {
        BlockId(block.0 + self.first)
    }

    fn term(&self, term: Term) -> Term {
        self.memory.context().terms.substitute(term, &self.by)
    }

    /// The memory of the old state with `results` in place of its heap, of which `ends` hold, and these contents.
    fn put_together(
        &self,
        old: &State,
        new: &State,
        (results, ends): (Vec<Object>, Vec<Term>),
        contents: &[(BlockId, crate::heap::Content)],
        frames: &mut [Rc<crate::memory::Frame<Term>>],
    ) -> Option<Smg> {
        let context = old.memory.context().clone();
        let terms = &context.terms;
        let is_drawn_out = longest_run(&context, &results) > LONGEST_RUN;
        if results.iter().any(|object| !is_alone(object)) || is_drawn_out || has_empty_cycle(&context, &results) {
            return None;
        }
        let mut memory = old.memory.clone();
        memory.next_block = self.first;
        memory.next_input = memory.next_input.max(new.memory.next_input);
        memory.next_forgotten = self.memory.next_forgotten;
        let heap: Vec<BlockId> = memory.objects.keys().copied().filter(|block| memory.is_live_heap(*block)).collect();
        heap.into_iter().for_each(|block| memory.remove_object(block));
        // Names of the join's own become the state's.
        let mut by: FxHashMap<SymId, Term> = FxHashMap::default();
        let mut blocks = Vec::new();
        for object in &results {
            let symbol = terms.as_symbol(object.address)?;
            let block = memory.add_like(object);
            by.insert(symbol, memory.object(block)?.address);
            blocks.push(block);
        }
        // Of what only the new state knows as dead no object is left: its address may be anything.
        let is_lost = |symbol: &SymId| self.memory.points_to.get(symbol).is_some_and(|block| block.0 >= self.first);
        let mut name = |memory: &mut Smg, term: Term| {
            for &symbol in terms.symbols_of(term).iter() {
                let is_new = context.kind(symbol).is_none() || is_lost(&symbol);
                if is_new && !by.contains_key(&symbol) {
                    let info = terms.symbol_info(symbol);
                    by.insert(symbol, memory.forgotten_aligned(info.width, info.alignment));
                }
            }
        };
        let mut found = Vec::new();
        results.iter().for_each(|object| object.each_term(&mut |term| found.push(term)));
        contents.iter().for_each(|(_, content)| found.extend(content.terms()));
        found.extend(frames.iter().flat_map(|frame| frame.regs.iter().flatten().copied()));
        found.into_iter().for_each(|term| name(&mut memory, term));
        let of = |index: BlockId| blocks.get(index.index()).copied().unwrap_or(index);
        for (index, object) in results.iter().enumerate() {
            let own = substituted(&context, object, &by).map_blocks(&of);
            let own = Object { address: memory.object(blocks[index])?.address, ..own };
            memory.objects.insert(blocks[index], Rc::new(own));
        }
        // Once only: the address of a result may be called as one that only the new state knew is called among both.
        for (block, content) in contents {
            memory.object_mut(*block)?.content = content.map(&mut |term| terms.substitute(term, &by));
        }
        for frame in frames {
            for value in Rc::make_mut(frame).regs.iter_mut().flatten() {
                *value = terms.substitute(*value, &by);
            }
        }
        memory.weaken(&|constraint| !mentions(terms, constraint, &self.differing));
        ends.into_iter().for_each(|bound| memory.store.assume(&context, terms.substitute(bound, &by)));
        blocks.iter().for_each(|block| memory.place_ends(*block));
        Some(memory)
    }
}

/// The first number of what is forgotten that neither state uses.
fn first_number(old: &State, new: &State) -> u32 {
    old.memory.next_forgotten.max(new.memory.next_forgotten)
}

fn mentions(terms: &Terms, term: Term, symbols: &FxHashSet<SymId>) -> bool {
    terms.symbols_of(term).iter().any(|symbol| symbols.contains(symbol))
}

/// Whether the symbol is a number that is distinguished by its name only.
fn is_number(context: &Context, symbol: SymId) -> bool {
    let kind = context.kind(symbol);
    matches!(kind, Some(SymbolKind::Input(_) | SymbolKind::Content { .. } | SymbolKind::Forgotten(_)))
}

/// Names of the old state for numbers that the new one has in the same variables.
fn named_alike(old: &State, new: &State) -> FxHashMap<SymId, Term> {
    let context = old.memory.context();
    let terms = &context.terms;
    let mut names: FxHashMap<SymId, Term> = FxHashMap::default();
    let mut used: FxHashSet<SymId> = FxHashSet::default();
    let frames = old.frames.iter().zip(&new.frames);
    let pairs = frames.flat_map(|(one, other)| one.regs.iter().zip(&other.regs));
    for (own, other) in pairs {
        let (Some(own), Some(other)) = (own, other) else { continue };
        let (Some(symbol), Some(renamed)) = (terms.as_symbol(*own), terms.as_symbol(*other)) else { continue };
        let fits = |a: SymId, b: SymId| {
            let (a, b) = (terms.symbol_info(a), terms.symbol_info(b));
            a.width == b.width && a.alignment == b.alignment
        };
        if [symbol, renamed].iter().all(|symbol| is_number(context, *symbol))
            && fits(symbol, renamed)
            && !names.contains_key(&renamed)
            && used.insert(symbol)
        {
            names.insert(renamed, *own);
        }
    }
    if names.iter().all(|(symbol, name)| terms.as_symbol(*name) == Some(*symbol)) {
        return FxHashMap::default();
    }
    // A name that the new state uses for something else would be two things.
    let mut is_used = false;
    let mut meet = |term: Term| {
        let symbols = terms.symbols_of(term);
        is_used |= symbols.iter().any(|symbol| used.contains(symbol) && !names.contains_key(symbol));
    };
    values(new).into_iter().for_each(&mut meet);
    new.memory.store.constraints().iter().copied().for_each(&mut meet);
    new.memory.objects.values().for_each(|object| object.each_term(&mut meet));
    if is_used { FxHashMap::default() } else { names }
}

/// The numbers of which the states do not know the same, with all that these have to do with; `None` where one of them is not held
/// by nodes of the heap alone. Those of the new state are called as `named` says.
fn differing(old: &State, new: &State, named: &FxHashMap<SymId, Term>) -> Option<FxHashSet<SymId>> {
    let context = old.memory.context();
    let terms = &context.terms;
    let mut found: FxHashSet<SymId> = FxHashSet::default();
    let (one, other) = (old.memory.store.constraints(), new.memory.store.constraints());
    let renamed = || other.iter().map(|constraint| terms.substitute(*constraint, named)).collect();
    let other: OrdSet<Term> = if named.is_empty() { other.clone() } else { renamed() };
    if *one == other {
        return Some(found);
    }
    let only = one.iter().filter(|own| !other.contains(*own)).chain(other.iter().filter(|own| !one.contains(*own)));
    only.for_each(|constraint| found.extend(terms.symbols_of(*constraint).iter().copied()));
    loop {
        let count = found.len();
        for &constraint in one.iter().chain(&other) {
            if mentions(terms, constraint, &found) {
                found.extend(terms.symbols_of(constraint).iter().copied());
            }
        }
        if found.len() == count {
            break;
        }
    }
    let is_held_by_nodes = |state: &State| {
        let roots = values(state);
        !roots.iter().any(|root| mentions(terms, *root, &found)) && {
            let census = Census::take(&state.memory, &roots);
            found.iter().all(|symbol| !census.is_rooted(&state.memory, *symbol))
        }
    };
    (found.iter().all(|symbol| is_number(context, *symbol)) && is_held_by_nodes(old) && is_held_by_nodes(new))
        .then_some(found)
}

/// So many lists that may be empty lead to each other in a row: more come from joins that put lists of different kinds one behind
/// the other, again and again.
const LONGEST_RUN: usize = 4;

/// How many of the objects, which refer to each other by their addresses, are lists in a row that may all be empty.
fn longest_run(context: &Context, objects: &[Object]) -> usize {
    let next = |object: &Object| match &object.form {
        Form::First(segment) if segment.min_len == 0 => {
            Some(context.terms.add_constant(segment.next, -i128::from(segment.links.head)))
        }
        _ => None,
    };
    let by_address: FxHashMap<Term, &Object> = objects.iter().map(|object| (object.address, object)).collect();
    let run = |object: &Object| {
        let mut at = next(object);
        let mut length = 0;
        while let Some(address) = at.filter(|_| length <= LONGEST_RUN) {
            length += 1;
            at = by_address.get(&address).and_then(|object| next(object));
        }
        length
    };
    objects.iter().map(run).max().unwrap_or(0)
}

/// Whether the object may stand outside of bodies.
fn is_alone(object: &Object) -> bool {
    match &object.form {
        Form::First(segment) => segment.empty.is_none(),
        Form::Region | Form::Last(_) | Form::Tree(_) | Form::Table(_) => true,
        Form::Optional(_) => false,
    }
}
