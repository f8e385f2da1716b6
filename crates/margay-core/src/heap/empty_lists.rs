//! Summaries outside of bodies that may have no node, or whose two ends may be one node: the addresses of their ends are values like
//! any other until an op looks at one. Only then are the cases distinguished.
//!
//! | summary | what is not known of its ends |
//! | --- | --- |
//! | of no node or more | their addresses are those of what follows and precedes if there is none, so nothing is known of them |
//! | of one node or more | they are addresses of live blocks, perhaps of the same |

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::forms::{SHORTEST, Segment, Summary};
use super::graph::{Object, Smg};
use super::numeric::Store;
use super::state::State;
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

impl Smg {
    /// Whether `block` is an end of a summary that may have no node.
    pub fn may_be_nothing(&self, block: BlockId) -> bool {
        self.least_of(block).is_some_and(|(_, least)| least == 0)
    }

    /// Whether `block` is an end of a summary that is known to have no node.
    pub fn has_no_node(&self, block: BlockId) -> bool {
        let Some((_, object)) = self.owner_of(block) else { return false };
        let emptiness = object.form.summary().and_then(|summary| summary.emptiness(&self.context));
        emptiness.is_some_and(|emptiness| self.entails(emptiness))
    }

    /// Whether these two objects are ends of a summary that may have one node only.
    pub fn may_be_one(&self, a: BlockId, b: BlockId) -> bool {
        match (self.least_of(a), self.least_of(b)) {
            (Some((owner, least)), Some((other, _))) => a != b && owner == other && least < SHORTEST,
            _ => false,
        }
    }

    /// The owner of the summary one of whose ends is `block`, and its least number of nodes.
    fn least_of(&self, block: BlockId) -> Option<(BlockId, u32)> {
        let (owner, object) = self.owner_of(block)?;
        Some((owner, object.form.summary()?.least()))
    }

    /// Address symbols and sizes of the objects that are there for sure.
    pub fn placed(&self) -> Vec<(SymId, Term)> {
        let placed = self.objects.iter().filter(|(block, _)| !self.may_be_nothing(**block));
        placed.filter_map(|(_, object)| Some((self.context.terms.as_symbol(object.address)?, object.size))).collect()
    }

    /// What goes without saying of the addresses of `owner` and of the other ends of its summary, and of the number of its nodes.
    pub fn place_ends(&mut self, owner: BlockId) {
        let context = self.context.clone();
        let Some(object) = self.object(owner).cloned() else { return };
        let summary = object.form.summary();
        if let Some(count) = summary.and_then(Summary::count) {
            self.assume_nodes(summary.map_or(0, Summary::least), count);
        }
        let ends = summary.map_or(&[][..], Summary::ends);
        for end in [owner].iter().chain(ends) {
            let Some(object) = self.object(*end) else { continue };
            let Some(symbol) = context.terms.as_symbol(object.address) else { continue };
            match self.may_be_nothing(*end) {
                true => self.store.displace(&context, symbol),
                false => {
                    let size = object.size;
                    self.store.place_object(&context, symbol, size);
                }
            }
        }
    }

    /// What goes without saying of the numbers of nodes.
    pub fn assume_counts(&mut self) {
        let established =
            |object: &Object| object.form.summary().and_then(|summary| Some((summary.least(), summary.count()?)));
        let counts: Vec<(u32, Term)> = self.objects.values().filter_map(|object| established(object)).collect();
        counts.into_iter().for_each(|(least, count)| self.assume_nodes(least, count));
    }

    /// There are `count` nodes somewhere, at least `least`: as many as memory has room for, if it has an end.
    pub fn assume_nodes(&mut self, least: u32, count: Term) {
        if self.semantics.endless_memory {
            return;
        }
        let context = self.context.clone();
        let terms = &context.terms;
        let bits = context.model.pointer_bits();
        let most = (1u128 << bits) / u128::from(context.model.pointer_bytes());
        let bounds =
            [terms.ule(terms.constant(least.into(), bits), count), terms.ule(count, terms.constant(most, bits))];
        for bound in bounds {
            if self.decide(bound) != Some(true) {
                self.store.assume(&context, bound);
            }
        }
    }

    /// Whether the addresses of the ends of `owner`'s summary can be those of what is there instead when it has no node: these are
    /// not aligned worse.
    pub(super) fn may_have_no_node(&self, owner: BlockId, summary: &dyn Summary) -> bool {
        let terms = &self.context.terms;
        summary.empty(&self.context, owner).into_iter().all(|(end, value)| {
            let symbol = self.object(end).and_then(|end| terms.as_symbol(end.address));
            symbol.is_some_and(|symbol| terms.trailing_zeros(value) >= terms.symbol_info(symbol).alignment)
        })
    }
}

impl Smg {
    /// The memory in which a summary with this `count` has `nodes` nodes exactly, or at least so many; `None` where it has not.
    fn with_nodes(self, count: Option<Term>, nodes: u32, exactly: bool) -> Option<Smg> {
        let Some(count) = count else { return Some(self) };
        let terms = &self.context.terms;
        let nodes = terms.constant(nodes.into(), terms.width(count));
        let condition = if exactly { terms.eq(count, nodes) } else { terms.ule(nodes, count) };
        self.restrict(condition)
    }
}

/// A summary, and what of it has to be distinguished.
enum Open {
    /// Whether it has a node.
    Emptiness(BlockId),
    /// Whether it has one node, or more.
    Loneliness(BlockId),
}

/// The cases that have to be distinguished before an op looks at `value`; `None` where there are none. With `accessed` it is the address
/// of an access.
pub(super) fn split_cases(state: &State, value: Term, accessed: bool) -> Option<Vec<State>> {
    let ends = state.memory.ends_in(&[value]);
    let lonely = || ends.iter().find(|end| accessed && is_lonely(state, **end)).map(|end| Open::Loneliness(*end));
    let open = state.memory.open_among(&ends).or_else(lonely)?;
    Some(cases(state, &open))
}

/// The cases that have to be distinguished before different ends of summaries in `values` are different blocks; `None` where there are none.
pub fn split_among(state: &State, values: &[Term]) -> Option<Vec<State>> {
    let ends = state.memory.ends_in(values);
    Some(cases(state, &state.memory.open_among(&ends)?))
}

impl Smg {
    /// Whether different ends of summaries in `values` are different blocks.
    pub fn is_split(&self, values: &[Term]) -> bool {
        self.open_among(&self.ends_in(values)).is_none()
    }

    /// The ends of summaries that these values speak of.
    fn ends_in(&self, values: &[Term]) -> Vec<BlockId> {
        let mut ends = Vec::new();
        for value in values {
            let symbols = self.context.terms.symbols_of(*value);
            let blocks = symbols.iter().filter_map(|symbol| self.points_to.get(symbol).copied());
            ends.extend(blocks.filter(|block| self.object(*block).is_some_and(|object| !object.is_region())));
        }
        ends
    }

    /// A summary whose ends may not be nodes of their own.
    fn open_of_all(&self) -> Option<Open> {
        self.objects.iter().find_map(|(block, object)| {
            let summary = object.form.summary().filter(|summary| summary.has_addresses())?;
            match summary.least() {
                0 => Some(Open::Emptiness(*block)),
                1 if !summary.ends().is_empty() => Some(Open::Loneliness(*block)),
                _ => None,
            }
        })
    }

    fn open_among(&self, ends: &[BlockId]) -> Option<Open> {
        let nothing = ends.iter().find(|end| self.may_be_nothing(**end)).map(|end| Open::Emptiness(*end));
        let one = || ends.iter().find(|end| ends.iter().any(|other| self.may_be_one(**end, *other)));
        nothing.or_else(|| one().map(|end| Open::Loneliness(*end)))
    }
}

/// The cases of `state` in which the ends of each summary are nodes of their own.
pub fn all_split(state: State) -> Vec<State> {
    cases_at_most(state, usize::MAX)
}

/// The cases of `state` in which the ends of each summary are nodes of their own; where there would be more than `most`, some
/// summaries are left as they are.
pub fn cases_at_most(state: State, most: usize) -> Vec<State> {
    let mut done = Vec::new();
    let mut work = VecDeque::from([state]);
    while let Some(state) = work.pop_front() {
        let is_many = work.len() + done.len() + 2 > most;
        match state.memory.open_of_all().filter(|_| !is_many) {
            None => done.push(state),
            Some(open) => work.extend(cases(&state, &open)),
        }
    }
    done
}

/// Whether an access to the end `block` of a list of one node or more has to know whether it is its only node: what follows the node
/// could not be said otherwise.
fn is_lonely(state: &State, block: BlockId) -> bool {
    let memory = &state.memory;
    let Some((first, segment)) = memory.segment_of(block) else { return false };
    if segment.min_len != 1 {
        return false;
    }
    if !memory.may_be_split(first, &segment, block) {
        return true;
    }
    // The last node of a singly linked list that has none is nothing in particular.
    let last = memory.object(segment.last).and_then(|last| memory.context.terms.as_symbol(last.address));
    let speaks = |term: Term| last.is_some_and(|last| memory.context.terms.symbols_of(term).contains(&last));
    let is_held = || {
        let mut found = state.frames.iter().flat_map(|frame| frame.regs.iter().flatten()).any(|value| speaks(*value));
        memory.objects.values().for_each(|object| object.each_term(&mut |term| found |= speaks(term)));
        found
    };
    block == first && segment.prev.is_none() && is_held()
}

fn cases(state: &State, open: &Open) -> Vec<State> {
    let with = |memory: Smg| State { memory, frames: state.frames.clone(), globals: state.globals.clone() };
    match *open {
        Open::Emptiness(end) => {
            let Some((owner, object)) = state.memory.owner_of(end) else { return vec![state.clone()] };
            let Some(summary) = object.form.summary() else { return vec![state.clone()] };
            let count = summary.count();
            let longer = summary.nonempty().and_then(|form| {
                // Asked before it goes without saying.
                let mut memory = state.memory.clone().with_nodes(count, 1, false)?;
                memory.object_mut(owner)?.form = form;
                memory.place_ends(owner);
                Some(memory)
            });
            let without = state.memory.clone().with_nodes(count, 0, true);
            let without = without.and_then(|memory| emptied(with(memory), owner, summary));
            without.into_iter().chain(longer.map(with)).collect()
        }
        Open::Loneliness(end) => {
            let Some((first, segment)) = state.memory.segment_of(end) else { return vec![state.clone()] };
            let longer = segment.may_have(SHORTEST).then(|| {
                let mut memory = state.memory.clone();
                memory.set_segment(first, Segment { min_len: SHORTEST, ..segment.as_ref().clone() });
                memory
            });
            let longer = longer.and_then(|memory| memory.with_nodes(segment.count, SHORTEST, false));
            let by = state.memory.address_of(segment.last).zip(state.memory.object(first));
            let by: FxHashMap<SymId, Term> = by.map(|(last, first)| (last, first.address)).into_iter().collect();
            let alone = state.memory.clone().with_nodes(segment.count, 1, true);
            let alone = alone.map_or_else(Vec::new, |memory| segment.single(memory, first));
            let alone = alone.into_iter().filter_map(|memory| renamed(with(memory), &by));
            alone.chain(longer.map(with)).collect()
        }
    }
}

/// The state without the lists that are known to have no node; `None` where there are none. Exact.
pub fn without_empty_lists(state: &State) -> Option<State> {
    let counted = state.memory.objects.iter().filter(|(_, object)| object.form.summary().is_some_and(is_countable));
    let owners: Vec<BlockId> = counted.map(|(owner, _)| *owner).collect();
    let mut found: Option<State> = None;
    for owner in owners {
        let state = found.as_ref().unwrap_or(state);
        let Some(object) = state.memory.object(owner).filter(|_| state.memory.has_no_node(owner)) else { continue };
        if let Some(without) = object.form.summary().and_then(|summary| emptied(state.clone(), owner, summary)) {
            found = Some(without);
        }
    }
    found
}

/// Whether the summary may have no node and tells how many it has.
fn is_countable(summary: &dyn Summary) -> bool {
    summary.least() == 0 && summary.count().is_some()
}

/// The state in which the summary has no node: its ends' addresses are what it says they are then.
fn emptied(mut state: State, owner: BlockId, summary: &dyn Summary) -> Option<State> {
    let context = state.memory.context.clone();
    let mut by = state.memory.ends_of_nothing(owner, summary)?;
    for end in [owner].iter().chain(summary.ends()) {
        let symbol = state.memory.address_of(*end)?;
        by.entry(symbol).or_insert_with(|| state.memory.forgotten(context.model.pointer_bits()));
        state.memory.remove_object(*end);
    }
    state.memory.substitute_everywhere(&by);
    renamed(state, &by)
}

/// The state with these symbols replaced in what is known of numbers, and in what frames hold; `None` if it stands for nothing then.
fn renamed(mut state: State, by: &FxHashMap<SymId, Term>) -> Option<State> {
    let context = state.memory.context.clone();
    let terms = &context.terms;
    let speaks = |term: Term| terms.symbols_of(term).iter().any(|symbol| by.contains_key(symbol));
    if state.memory.store.constraints().iter().any(|constraint| speaks(*constraint)) {
        let constraints: Vec<Term> = state.memory.store.constraints().iter().copied().collect();
        let (changed, kept): (Vec<Term>, Vec<Term>) =
            constraints.into_iter().partition(|constraint| speaks(*constraint));
        let placed = state.memory.placed();
        state.memory.store = Store::of(&context, &placed, &kept);
        for constraint in changed {
            state.memory = state.memory.restrict(terms.substitute(constraint, by))?;
        }
    }
    for frame in &mut state.frames {
        if frame.regs.iter().flatten().any(|value| speaks(*value)) {
            for value in Rc::make_mut(frame).regs.iter_mut().flatten() {
                *value = terms.substitute(*value, by);
            }
        }
    }
    Some(state)
}

impl Smg {
    /// The address symbol of `block`.
    fn address_of(&self, block: BlockId) -> Option<SymId> {
        self.context.terms.as_symbol(self.object(block)?.address)
    }

    /// Whether `block`, which is an end of a list of one node or more, can be taken from it with a list of no node or more left.
    pub(super) fn may_be_split(&self, first: BlockId, segment: &Segment, block: BlockId) -> bool {
        let (Some(node), terms) = (self.object(first), &self.context.terms) else { return false };
        let head = self.context.pointer_constant(segment.links.head);
        let outer = if block == first { Some(segment.next) } else { segment.prev };
        let alignment = terms.as_symbol(node.address).map_or(u32::MAX, |symbol| terms.symbol_info(symbol).alignment);
        outer.is_none_or(|outer| terms.trailing_zeros(terms.sub(outer, head)) >= alignment)
    }
}
