//! What is known of cells of arrays, and what accesses make of it.
//!
//! Runs are true facts on top of what the other edges over-approximate, so dropping one is always sound; a write keeps the parts
//! of a run that it cannot overlap (array segmentation: Cousot, Cousot, Logozzo, POPL'11; summaries of cells: Gopan, Reps,
//! Sagiv, POPL'05).

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::content::{Cell, Content, Found};
use super::context::{Context, SymbolKind};
use super::graph::{Object, Smg};
use super::limits::{MOST_ENTRIES, MOST_SINGLE_CELLS, MOST_STRETCHES, MOST_ZERO_RUNS, WIDEST_SYMBOL};
use super::run::{Layout, Run};
use crate::memory::BlockId;
use crate::smt::{Node, SymId, Term, Terms, gcd, mask, to_signed};

/// What is kept of what is known of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptCells {
    /// Single cells that were written at places that do not change from turn to turn, and zeros that end texts.
    Written,
    /// Those, and runs without the facts that speak of what nothing else speaks of: what lasts from turn to turn.
    Runs,
    /// Runs, and single cells that were written or read anywhere: within a turn.
    All,
}

/// Numbers of cells, first and last, that all hold one value.
type Stretch = (u64, u64, Term);

impl Content {
    /// Places where zeros were written, which texts end at.
    pub fn ends_of_texts(&self, context: &Context) -> impl Iterator<Item = Term> {
        self.runs().iter().filter(|run| run.is_end_of_text(context) && !run.read).map(|run| run.first)
    }

    /// The known values of cells that begin in `low..=high` and lie before `end`, ascending, neighbours that are equal as one stretch.
    /// `None` where these are too many.
    fn stretches(&self, terms: &Terms, layout: Layout, (low, high): (u64, u64), end: u64) -> Option<Vec<Stretch>> {
        let end = end.min(high.saturating_add(layout.bytes()));
        let known = self.overlapping(low, end.saturating_sub(low)).filter(|edge| edge.cell != Cell::Forgotten);
        let mut parts: Vec<(u64, u64, bool)> =
            known.map(|edge| (edge.offset, edge.offset + edge.bytes, matches!(edge.cell, Cell::Uniform(_)))).collect();
        if self.is_zeroed() {
            parts.extend(self.gaps(low, end.saturating_sub(low)).into_iter().map(|(from, to)| (from, to, true)));
            parts.sort_unstable();
        }
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut examined = 0;
        let mut next = layout.within(low, end)?.0;
        let mut add = |first: u64, last: u64| {
            let Found::Value(value) = self.read(terms, layout.offset + layout.stride * first, layout.bytes()) else {
                return true;
            };
            match stretches.last_mut() {
                Some(stretch) if stretch.1 + 1 == first && stretch.2 == value => stretch.1 = last,
                _ => stretches.push((first, last, value)),
            }
            stretches.len() <= MOST_STRETCHES
        };
        for (from, to, is_uniform) in parts {
            // Cells that begin before this part and reach into it, then those within it.
            let inner = layout.within(from.max(low), to.min(end));
            let number = |place: u64| place.saturating_sub(layout.offset).div_ceil(layout.stride);
            let before = inner.map_or_else(|| number(to), |inner| inner.0);
            next = next.max(number((from + 1).saturating_sub(layout.bytes())));
            while next < before {
                examined += 1;
                let place = layout.offset + layout.stride * next;
                if place + layout.bytes() <= end && (examined > MOST_ENTRIES || !add(next, next)) {
                    return None;
                }
                next += 1;
            }
            let Some((first, last)) = inner.filter(|inner| inner.1 >= next) else { continue };
            let first = first.max(next);
            if is_uniform {
                if !add(first, last) {
                    return None;
                }
            } else {
                for index in first..=last {
                    examined += 1;
                    if examined > MOST_ENTRIES || !add(index, index) {
                        return None;
                    }
                }
            }
            next = last + 1;
        }
        Some(stretches)
    }
}

impl Smg {
    /// What is known of the cells of a block on top of its other edges.
    pub fn runs(&self, block: BlockId) -> Rc<Vec<Run>> {
        self.object(block).map_or_else(Rc::default, |object| object.content.shared_runs())
    }

    /// Replaces what is known of cells on top of the other edges.
    pub fn set_runs(&mut self, block: BlockId, runs: Vec<Run>) {
        if self.object(block).is_some_and(|object| object.content.runs() != runs.as_slice())
            && let Some(object) = self.object_mut(block)
        {
            object.content.set_runs(runs);
        }
    }

    /// The number of the cell of `layout` that begins at `offset`, a place in an object; `None` where none is known to begin there.
    pub fn index_of(&self, layout: Layout, offset: Term) -> Option<Term> {
        let terms = &self.context.terms;
        let distance = terms.add_constant(offset, -i128::from(layout.offset));
        let width = terms.width(offset);
        let quotient = terms.divided_by(distance, layout.stride);
        let exists = |index: &Term| self.entails(terms.ule(*index, terms.constant(layout.most(width), width)));
        if let Some(index) = quotient.filter(exists) {
            return Some(self.by_signs(index));
        }
        let bits = layout.stride.trailing_zeros();
        let is_multiple = layout.stride.is_power_of_two() && terms.trailing_zeros(distance) >= bits;
        is_multiple.then(|| terms.lshr(distance, terms.constant(bits.into(), width)))
    }

    /// The same number of a cell under one name, whether the variables that make it are signed or not, and whichever is added first.
    pub fn by_signs(&self, index: Term) -> Term {
        let terms = &self.context.terms;
        let sum = terms.linear(index);
        let start = terms.constant(sum.constant, sum.width);
        sum.parts.iter().fold(start, |total, (factor, part)| {
            let extended = match terms.node(*part) {
                Node::ZeroExt(inner) if self.store.signed_range(&self.context, inner).0 >= 0 => {
                    self.extended(inner, sum.width)
                }
                Node::SignExt(inner) => self.extended(inner, sum.width),
                _ => *part,
            };
            terms.add(total, terms.mul(extended, terms.constant(*factor, sum.width)))
        })
    }

    /// `number` extended by its sign to `width` bits: as a sum where it is known to be one that does not wrap around.
    fn extended(&self, number: Term, width: u32) -> Term {
        let terms = &self.context.terms;
        let sum = terms.linear(number);
        if let [(1, part)] = sum.parts[..]
            && part != number
        {
            let added = to_signed(sum.constant, sum.width);
            let (low, high) = self.store.signed_range(&self.context, part);
            let most = (mask(sum.width) >> 1) as i128;
            if low.saturating_add(added) >= -most && high.saturating_add(added) <= most {
                return terms.add_constant(terms.sext(part, width), added);
            }
        }
        terms.sext(number, width)
    }

    /// The cell of `bytes` bytes at `offset`, of an array as the offset suggests it.
    pub fn cell_at(&self, offset: Term, bytes: u64) -> (Layout, Term) {
        let terms = &self.context.terms;
        let bits = 8 * bytes as u32;
        let sum = terms.linear(offset);
        let width = sum.width;
        let size = |coefficient: u128| (coefficient & mask(width)).min(mask(width) - coefficient + 1);
        let stride = sum.parts.iter().fold(0, |stride, (coefficient, _)| gcd(stride, size(*coefficient)));
        let stride = if stride == 0 { bytes.into() } else { stride };
        let stride = u64::try_from(stride).ok().filter(|stride| *stride >= bytes && *stride < 1 << 32);
        let layout = stride.map(|stride| Layout { offset: (sum.constant % u128::from(stride)) as u64, stride, bits });
        let found = layout.and_then(|layout| Some((layout, self.index_of(layout, offset)?)));
        found.unwrap_or((Layout { bits, ..Layout::BYTES }, offset))
    }

    /// The runs that a write of `bytes` bytes at `offset` leaves, be it that it writes what is true of a run.
    pub(super) fn runs_left(&self, block: BlockId, offset: Term, bytes: u64, written: Option<Term>) -> Vec<Run> {
        let mut left = Vec::new();
        for run in self.runs(block).iter() {
            self.run_left(run, (offset, bytes), written, &mut left);
        }
        left
    }

    fn run_left(&self, run: &Run, (offset, bytes): (Term, u64), written: Option<Term>, left: &mut Vec<Run>) {
        let context = &self.context;
        let terms = &context.terms;
        let layout = run.layout;
        if run.text {
            return self.texts_left(run, (offset, context.pointer_constant(bytes)), written, left);
        }
        let is_dense = layout.stride == layout.bytes() && bytes.is_multiple_of(layout.stride);
        let count = match bytes == layout.bytes() && layout.stride >= bytes {
            true => Some(1),
            false => is_dense.then(|| bytes / layout.stride),
        };
        let grid = count.and_then(|count| Some((self.index_of(layout, offset)?, count)));
        let Some((index, count)) = grid else {
            if self.is_beside_cells(run, (offset, context.pointer_constant(bytes))) {
                left.push(run.clone());
            }
            return;
        };
        let contains = run.contains(terms, index);
        let is_same = |value: Term| {
            let facts = run.facts_of(context, value, index);
            run.table.is_none()
                && terms.width(value) == layout.bits
                && facts.iter().all(|fact| self.entails(terms.implies(contains, *fact)))
        };
        let next = terms.add_constant(index, count.into());
        if self.entails(is_apart(terms, run, (index, next))) || (count == 1 && written.is_some_and(is_same)) {
            left.push(run.clone());
            return;
        }
        self.cut_run(run, (index, next), left);
    }

    /// The parts of a run that lie before the cell `index` and from the cell `next` on.
    pub(super) fn cut_run(&self, run: &Run, (index, next): (Term, Term), left: &mut Vec<Run>) {
        let terms = &self.context.terms;
        if run.is_single(terms) {
            return;
        }
        // Both parts lie within the run, and may be empty.
        let choose = |condition: Term, then: Term, otherwise: Term| match self.entails(condition) {
            true => then,
            false => terms.ite(condition, then, otherwise),
        };
        let before = (run.first, choose(terms.ule(index, run.last), index, run.last));
        let behind = (choose(terms.ule(run.first, next), next, run.first), run.last);
        for (first, last) in [before, behind] {
            if self.decide(terms.ult(first, last)) != Some(false) {
                left.push(run.of(first, last));
            }
        }
    }

    /// `[offset, offset + bytes)` does not overlap the run. It lies in one object, so no sum wraps around.
    pub(super) fn are_apart(&self, run: &Run, offset: Term, bytes: Term) -> Term {
        let terms = &self.context.terms;
        let width = terms.width(offset);
        let exists = terms.ule(run.last, terms.constant(run.layout.most(width), width));
        let before = terms.ule(terms.add(offset, bytes), run.layout.place(terms, run.first));
        let final_cell = run.layout.place(terms, terms.add_constant(run.last, -1));
        let after = terms.ule(terms.add_constant(final_cell, run.layout.bytes().into()), offset);
        let is_empty = terms.ule(run.last, run.first);
        terms.bool_and(exists, terms.bool_or(is_empty, terms.bool_or(before, after)))
    }

    /// The value at `offset`, which is `value` as far as the other edges say: what the runs say of it is assumed. Nothing else speaks of
    /// `fresh`, which is how far behind its origin the value lies where cells lead into an object.
    pub(super) fn read_runs(&mut self, block: BlockId, offset: Term, (value, fresh): (Term, Term)) -> Term {
        let context = self.context.clone();
        let terms = &context.terms;
        let mut value = value;
        let width = terms.width(value);
        let runs: Vec<Run> = self.runs(block).iter().filter(|run| run.layout.bits == width).cloned().collect();
        for run in runs {
            let Some(index) = self.index_of(run.layout, offset) else { continue };
            let contains = run.contains(terms, index);
            let is_in =
                self.decide(contains).or_else(|| (!run.is_single(terms) && self.entails(contains)).then_some(true));
            if is_in == Some(false) {
                continue;
            }
            let known = run.value_at(&context, index);
            // A place in an object is what the cell holds, not only what it is compared with.
            let place = || run.origin(&context).map(|origin| terms.add(origin, fresh));
            let own = known.or_else(place);
            if known.is_none() {
                for fact in run.facts_of(&context, own.unwrap_or(value), index) {
                    let fact = if is_in == Some(true) { fact } else { terms.implies(contains, fact) };
                    if self.decide(fact).is_none() {
                        self.store.assume(&context, fact);
                    }
                }
            }
            if let Some(own) = own {
                value = if is_in == Some(true) { own } else { terms.ite(contains, own, value) };
            }
        }
        // Null in each of several runs: together they may be all cells that this one can be.
        let null = self.context.pointer_constant(0);
        let is_choice = matches!(terms.node(value), Node::Ite(..)) && width == terms.width(null);
        if is_choice && self.entails(terms.eq(value, null)) { null } else { value }
    }

    /// The value of `bytes` bytes at an offset in `low..=high` as far as cells at known offsets give it: a case distinction over stretches
    /// of equal ones, and `otherwise` elsewhere. `None` where nothing is known or there are too many cases.
    pub(super) fn read_stretches(
        &self,
        block: BlockId,
        (low, high): (u64, u64),
        offset: Term,
        otherwise: Term,
    ) -> Option<Term> {
        let terms = &self.context.terms;
        let width = terms.width(otherwise);
        let bytes = u64::from(width / 8);
        let object = self.object(block).filter(|object| object.is_region())?;
        let bits = terms.trailing_zeros(offset).min(16);
        let stride = 1u64 << bits;
        if stride < bytes {
            return None;
        }
        let layout = Layout { offset: 0, stride, bits: width };
        let stretches = object.content.stretches(terms, layout, (low, high), u64::MAX / 2)?;
        let (first, last) = (low.div_ceil(stride), high / stride);
        let known: u64 = stretches.iter().map(|(from, to, _)| to - from + 1).sum();
        let is_whole = last.checked_sub(first).and_then(|more| more.checked_add(1)) == Some(known);
        let (end, rest) = stretches.split_last()?;
        let place = |index: u64| self.context.pointer_constant(stride * index);
        if is_whole {
            return Some(
                rest.iter()
                    .rev()
                    .fold(end.2, |value, (_, to, own)| terms.ite(terms.ule(offset, place(*to)), *own, value)),
            );
        }
        let within = |from: u64, to: u64| is_between(terms, offset, (place(from), place(to)));
        Some(stretches.iter().fold(otherwise, |value, (from, to, own)| terms.ite(within(*from, *to), *own, value)))
    }

    /// All that is known of cell `index`, which holds `value`, where it lies in the object: conditions that are true of it.
    pub fn cell_facts(&self, block: BlockId, layout: Layout, index: Term, value: Term) -> Vec<Term> {
        let context = &self.context;
        let terms = &context.terms;
        let Some(object) = self.object(block).filter(|object| object.is_region()) else { return Vec::new() };
        let number = |index: u64| context.pointer_constant(index);
        let mut facts = Vec::new();
        let end = terms.as_const(object.size).and_then(|size| u64::try_from(size).ok()).unwrap_or(u64::MAX / 2);
        for (first, last, own) in object.content.stretches(terms, layout, (0, end), end).unwrap_or_default() {
            let is_in = is_between(terms, index, (number(first), number(last)));
            facts.push(terms.implies(is_in, terms.eq(value, own)));
        }
        for run in object.content.runs().iter().filter(|run| run.layout.bits == layout.bits) {
            let same_grid = run.layout.stride == layout.stride && run.layout.offset == layout.offset;
            let own = if same_grid { Some(index) } else { self.index_of(run.layout, layout.place(terms, index)) };
            let Some(own) = own else { continue };
            let contains = run.contains(terms, own);
            facts.extend(run.facts_of(context, value, own).into_iter().map(|fact| terms.implies(contains, fact)));
        }
        let is_inside = layout.is_inside(terms, index, object.size);
        facts.iter().map(|fact| terms.implies(is_inside, *fact)).collect()
    }

    /// A value of its own for a cell of a block of which nothing but its number is known: the number, the value, and what holds of them.
    pub fn any_cell(&mut self, block: BlockId, layout: Layout) -> (Term, Term, Vec<Term>) {
        let index = self.forgotten(self.context.model.pointer_bits());
        let value = self.forgotten(layout.bits);
        let facts = self.cell_facts(block, layout, index, value);
        (index, value, facts)
    }

    /// Adds what is known of a cell. Of too many single cells the oldest are forgotten, those first that were only read.
    pub(super) fn add_cell(&mut self, block: BlockId, offset: Term, value: Term, read: bool) {
        let context = self.context.clone();
        let (layout, index) = self.cell_at(offset, u64::from(context.terms.width(value) / 8));
        let run = Run::cell(&context, layout, index, value, read);
        let mut runs = self.runs(block).to_vec();
        if runs.iter().any(|old| old.single(&context) == Some((offset, value))) {
            return;
        }
        runs.push(run);
        let is_single = |run: &Run| run.is_single(&context.terms);
        if runs.iter().filter(|run| is_single(run)).count() > MOST_SINGLE_CELLS {
            let read = runs.iter().position(|run| is_single(run) && run.read);
            let oldest = read.or_else(|| runs.iter().position(is_single)).unwrap_or(0);
            runs.remove(oldest);
        }
        self.set_runs(block, runs);
    }

    /// Cells that reach into `low..=high` become runs where they are zero: a write at a place that is not known would else make all of them
    /// unknown.
    pub fn zeros_as_run(&mut self, block: BlockId, (low, high): (u64, u64), layout: Layout) {
        let context = self.context.clone();
        let terms = &context.terms;
        let Some(object) = self.object(block).filter(|_| layout.bytes() <= WIDEST_SYMBOL) else { return };
        let end = high.saturating_add(layout.bytes());
        let size = terms.as_const(object.size).and_then(|size| u64::try_from(size).ok());
        let is_met = |(from, to): &(u64, Option<u64>)| *from < end && to.is_none_or(|to| low < to);
        let stretches = object.content.zero_stretches(terms, size).into_iter();
        let met: Vec<(u64, Option<u64>)> = stretches.filter(is_met).take(MOST_ZERO_RUNS + 1).collect();
        if met.len() > MOST_ZERO_RUNS {
            return;
        }
        let width = context.model.pointer_bits();
        let zero = terms.eq(context.cell_value(layout.bits), terms.constant(0, layout.bits));
        let mut runs = self.runs(block).to_vec();
        for (from, to) in met {
            let first = from.saturating_sub(layout.offset).div_ceil(layout.stride);
            let last = match to {
                None => terms.constant(layout.most(width), width),
                Some(to) => match layout.within(from, to) {
                    Some((_, last)) => context.pointer_constant(last + 1),
                    None => continue,
                },
            };
            let first = context.pointer_constant(first);
            runs.push(Run { layout, first, last, facts: [zero].into(), read: false, table: None, text: false });
        }
        self.set_runs(block, runs);
    }

    /// Whether the run is one cell where the size of a live block is measured from, or all before it: the end of a text that fills the
    /// block, or that was measured to make room for it, and the text. It stays for as long as the block does.
    pub fn is_measured(&self, run: &Run) -> bool {
        let terms = &self.context.terms;
        let end = if run.is_single(terms) { run.first } else { run.last };
        let symbols = terms.symbols_of(end);
        let is_size = |symbol: &SymId| {
            let mut live = self.objects.values().filter(|object| object.valid);
            live.any(|object| terms.symbols_of(object.size).contains(symbol))
        };
        terms.as_const(end).is_none() && symbols.iter().all(is_size)
    }

    /// Whether a block is found at `value` that nothing but pointers says is there.
    pub(super) fn leads_to_own(&self, value: Term) -> bool {
        self.tracks(value).is_some_and(|block| self.can_hang(block))
    }

    /// Drops what `kept` does not keep of each object, and single cells at places that nothing else speaks of, but for constants: where
    /// the zero of a string stands is known by no other name.
    pub fn forget_cells(&mut self, roots: &[Term], kept: impl Fn(&Object) -> KeptCells) {
        if self.objects.values().all(|object| object.content.runs().is_empty()) {
            return;
        }
        let context = self.context.clone();
        let terms = &context.terms;
        let mut live: FxHashSet<SymId> = FxHashSet::default();
        let mut visit = |term: Term| live.extend(terms.symbols_of(term).iter().copied());
        roots.iter().copied().for_each(&mut visit);
        for object in self.objects.values() {
            visit(object.size);
            visit(object.address);
            let mut near = object.as_ref().clone();
            near.content.set_runs(Vec::new());
            near.each_term(&mut visit);
            // Ends of texts stay, whatever is followed.
            object.content.ends_of_texts(&context).for_each(&mut visit);
        }
        let is_cell = |symbol: &SymId| matches!(context.kind(*symbol), Some(SymbolKind::Cell { .. }));
        let blocks: Vec<BlockId> = self.objects.keys().copied().collect();
        for block in blocks {
            let mut runs = self.runs(block).to_vec();
            let Some(kept) = self.object(block).map(|object| kept(object)) else { continue };
            let owns = |run: &Run| run.single(&context).is_some_and(|(_, value)| self.leads_to_own(value));
            let owns_some = runs.iter().any(|run| run.table.is_some() || (!run.read && owns(run)));
            runs.retain_mut(|run| {
                let lives =
                    |term: Term| terms.symbols_of(term).iter().all(|symbol| live.contains(symbol) || is_cell(symbol));
                if !run.has_facts() {
                    return true;
                }
                if !run.is_single(terms) {
                    let facts = run.facts.iter().copied().filter(|fact| kept == KeptCells::All || lives(*fact));
                    run.facts = facts.collect::<Vec<Term>>().into();
                    // Cells that lead somewhere are followed whether numbers are or not, and nulls beside those of blocks of their own.
                    let is_null = run.value(&context).is_some_and(|value| terms.as_const(value) == Some(0));
                    return (owns_some && is_null)
                        || (kept != KeptCells::Written && !run.facts.is_empty())
                        || run.origin(&context).is_some();
                }
                let constant = run.single(&context).and_then(|(_, value)| terms.as_const(value));
                let is_constant = constant.is_some();
                let ends_text = constant == Some(0) && run.layout == Layout::BYTES && !run.read;
                if ends_text || (is_constant && self.is_measured(run)) {
                    return true;
                }
                // Without it a block of the cell's own is lost, or that a cell between those of tables has none.
                let is_live = || terms.symbols_of(run.first).iter().all(|symbol| live.contains(symbol));
                let is_between = owns_some && constant == Some(0);
                if !run.read && (owns(run) || (is_between && is_live())) {
                    return true;
                }
                let lasts = |symbol: &SymId| {
                    (kept == KeptCells::All || !context.is_made_up(*symbol)) && (is_constant || live.contains(symbol))
                };
                (!run.read || kept == KeptCells::All) && terms.symbols_of(run.first).iter().all(lasts)
            });
            self.set_runs(block, runs);
        }
    }
}

/// That the cells of a run are none of those from `index` on that lie before `next`.
pub(super) fn is_apart(terms: &Terms, run: &Run, (index, next): (Term, Term)) -> Term {
    match run.is_single(terms) && terms.add_constant(index, 1) == next {
        true => terms.not(terms.eq(index, run.first)),
        false => terms.bool_or(terms.ule(run.last, index), terms.ule(next, run.first)),
    }
}

/// That `number` is one of `first..=last`.
fn is_between(terms: &Terms, number: Term, (first, last): (Term, Term)) -> Term {
    match first == last {
        true => terms.eq(number, first),
        false => terms.bool_and(terms.ule(first, number), terms.ule(number, last)),
    }
}
