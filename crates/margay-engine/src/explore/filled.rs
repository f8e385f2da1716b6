//! What loops fill arrays with: cells that appear turn by turn become runs, and neighbouring runs become one.
//!
//! ```text
//!   before the turn:   [0 .. i): cell == 42                      after it:   [0 .. i+1): cell == 42
//!   in the turn:       [0 .. i): cell == 42,  a[i] = 42
//! ```
//!
//! The ends of runs are numbers of the state like counters: widening finds how they relate. What is said of the cells of a run
//! only becomes less from visit to visit. Over-approximates: all a run says was true of the state.

use rustc_hash::{FxHashMap, FxHashSet};

use super::arrays::{is_array, is_beside_array};
use super::limits::{INDEXED_BYTES, LEAST_BITS, MOST_CELLS, MOST_RUNS, MOST_TERMS, MOST_VARIANTS, TEXT_BYTES};
use super::places::{origin, within};
use super::texts::{fold_texts, speakers};
use super::widen::Hints;
use crate::heap::{Cell, Context, Edge, Layout, Object, Run, Smg, State, SymbolKind};
use crate::memory::{BlockId, BlockKind, Site};
use crate::smt::{SymId, Term, Terms};

/// What was seen of arrays at one loop head, by where they were made.
#[derive(Default)]
pub(super) struct Filled(FxHashMap<Site, Met>);

/// What was seen of one.
#[derive(Default)]
struct Met {
    /// The cells that were known on the first visit: variables, not what a loop fills.
    first: Vec<(u64, u64)>,
    /// How many others were known on each visit.
    counts: FxHashSet<usize>,
    /// What held of runs: a few different sets of facts.
    facts: FxHashMap<Layout, Vec<Vec<SharedFact>>>,
    /// The sequences of runs that it had: by layout, and whether they are single cells and say what each cell holds.
    variants: FxHashSet<Vec<(Layout, bool, bool)>>,
    /// The fewest runs of each sort that one visit had, of those that had any.
    fewest: FxHashMap<Sort, usize>,
}

/// What sort of run it is: its layout, whether it is a single cell, whether it begins at a cell with a fixed number, and its facts,
/// without those that change from state to state.
type Sort = (Layout, [bool; 2], Vec<Option<Term>>);

impl Met {
    /// Keeps of each sort the first runs only, as many as each visit had that had any, where the visit is one of too many that differ: the
    /// others are left from turns that are over.
    fn thin(&mut self, context: &Context, runs: &mut Vec<Run>, coarse: bool) {
        let sorts: Vec<Sort> = runs.iter().map(|run| sort(context, run)).collect();
        let mut counts: FxHashMap<&Sort, usize> = FxHashMap::default();
        let mut kept = Vec::new();
        for own in &sorts {
            let count = counts.entry(own).or_default();
            let is_few = || self.fewest.get(own).is_some_and(|fewest| *count < *fewest);
            // What one cell holds for now is not what the loop fills the others with.
            let is_passing = own.1[0] && own.2.contains(&None);
            kept.push(!coarse || (is_few() && !is_passing));
            *count += 1;
        }
        for (own, count) in counts {
            match self.fewest.get_mut(own) {
                Some(fewest) => *fewest = count.min(*fewest),
                None if !coarse => drop(self.fewest.insert(own.clone(), count)),
                None => {}
            }
        }
        let mut kept = kept.into_iter();
        runs.retain(|_| kept.next().unwrap_or(true));
    }
}

/// See [`Sort`].
fn sort(context: &Context, run: &Run) -> Sort {
    let is_cell = |symbol: &SymId| matches!(context.kind(*symbol), Some(SymbolKind::Cell { .. }));
    let lasts = |fact: &Term| context.terms.symbols_of(*fact).iter().all(is_cell);
    let mut facts: Vec<Option<Term>> = run.facts.iter().map(|fact| Some(*fact).filter(lasts)).collect();
    facts.sort_unstable();
    facts.dedup();
    (run.layout, [run.is_single(&context.terms), context.terms.as_const(run.first).is_some()], facts)
}

/// A fact of a run, as states of one place share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SharedFact {
    /// It speaks of nothing that changes.
    Plain(Term),
    /// Each cell is compared with what a variable holds, by frame and register.
    Compared(Comparison, (usize, usize)),
}

/// How a cell compares with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Less,
    AtMost,
    AtLeast,
}

impl Comparison {
    const ALL: [Comparison; 4] = [Comparison::Equal, Comparison::Less, Comparison::AtMost, Comparison::AtLeast];

    fn fact(self, terms: &Terms, cell: Term, number: Term) -> Term {
        match self {
            Comparison::Equal => terms.eq(cell, number),
            Comparison::Less => terms.slt(cell, number),
            Comparison::AtMost => terms.sle(cell, number),
            Comparison::AtLeast => terms.sle(number, cell),
        }
    }
}

/// Cells of one layout that stand side by side, and what holds of each.
struct Piece {
    run: Run,
    /// The number and the value of the only cell, if it is one.
    cell: Option<(Term, Term)>,
}

/// Makes runs of what a loop fills the arrays with of which `is_followed` holds.
pub(super) fn fold_runs(
    state: &mut State,
    filled: &mut Filled,
    hints: &Hints,
    is_followed: impl Fn(BlockId, &Object) -> bool,
) {
    let roots = variables(state);
    let may_be_filled = |block: BlockId, object: &Object, memory: &Smg| {
        let least = if hints.arrays.size(&object.origin.site) == Some(1) { TEXT_BYTES } else { INDEXED_BYTES };
        let is_large = memory.context.terms.as_const(object.size).is_none_or(|size| size >= least);
        is_large
            && object.valid
            && object.is_region()
            && object.kind != BlockKind::Literal
            && is_followed(block, object)
    };
    let memory = &state.memory;
    let arrays: Vec<BlockId> = memory
        .blocks()
        .filter(|(block, object)| may_be_filled(*block, object, memory))
        .map(|(block, _)| block)
        .collect();
    let held = speakers(state);
    for block in arrays {
        fold_texts(&mut state.memory, block, &held, hints);
        let Some(object) = state.memory.object(block).cloned() else { continue };
        let met = filled.0.entry(object.origin.site).or_insert_with(|| Met {
            first: object
                .content
                .edges()
                .iter()
                .filter(|edge| may_be_filled_in(&state.memory, edge))
                .map(|edge| (edge.offset, edge.bytes))
                .collect(),
            ..Met::default()
        });
        let is_new = |edge: &&Edge| {
            may_be_filled_in(&state.memory, edge)
                && !met.first.contains(&(edge.offset, edge.bytes))
                && !is_beside_array(&state.memory, &object, edge.offset, hints)
        };
        let cells: Vec<Edge> = object.content.edges().iter().filter(is_new).copied().collect();
        met.counts.insert(cells.len());
        let grows = met.counts.iter().filter(|count| **count > 0).count() > 1 || is_array(&state.memory, &object);
        if object.content.runs().is_empty() && (!grows || cells.is_empty()) {
            continue;
        }
        let coarse = met.variants.len() > MOST_VARIANTS;
        Folding { memory: &mut state.memory, block, roots: &roots, coarse, hints }.fold(met, &cells);
    }
}

/// Whether the cell may be one of a run: it holds a number, or a place in an object.
fn may_be_filled_in(memory: &Smg, edge: &Edge) -> bool {
    matches!(edge.cell, Cell::Value(value) if memory.context.is_number(value) || origin(memory, value).is_some())
}

/// The numbers that variables hold, those of the innermost function first, by frame and register.
fn variables(state: &State) -> Vec<((usize, usize), Term)> {
    let context = state.memory.context();
    let frames = state.frames.iter().enumerate().rev();
    let registers = frames.flat_map(|(frame, own)| {
        own.regs.iter().enumerate().filter_map(move |(register, value)| Some(((frame, register), (*value)?)))
    });
    registers.filter(|(_, value)| context.terms.as_const(*value).is_none() && context.is_number(*value)).collect()
}

struct Folding<'a> {
    memory: &'a mut Smg,
    block: BlockId,
    /// Values of variables.
    roots: &'a [((usize, usize), Term)],
    /// Neighbours become one whatever holds of them.
    coarse: bool,
    hints: &'a Hints,
}

impl Folding<'_> {
    fn fold(&mut self, met: &mut Met, cells: &[Edge]) {
        let context = self.memory.context.clone();
        let terms = &context.terms;
        let place = |term: Term| terms.as_const(term).unwrap_or(u128::MAX);
        let old = self.memory.runs(self.block).to_vec();
        let mut others: Vec<Run> = Vec::new();
        let mut pieces: Vec<Piece> = Vec::new();
        for run in old {
            match run.single(&context) {
                _ if !run.has_facts() => others.push(run),
                Some((_, value)) if terms.as_const(value).is_some() && self.memory.is_measured(&run) => {
                    others.push(run)
                }
                Some((_, value))
                    if !(context.is_number(value) || origin(self.memory, value).is_some())
                        || run.layout.stride < run.layout.bytes() =>
                {
                    others.push(run)
                }
                Some((_, value)) => pieces.push(Piece { cell: Some((run.first, value)), run }),
                // What a search has passed is not what a loop fills.
                None if run.read && self.memory.is_measured(&run) => others.push(run),
                None => pieces.push(Piece { run, cell: None }),
            }
        }
        let folded = self.known_cells(cells, &mut pieces);
        pieces.extend(self.zeros(&folded));
        pieces = self.without_contained(pieces);
        let mut layouts: Vec<Layout> = pieces.iter().map(|piece| piece.run.layout).collect();
        layouts.sort_unstable();
        layouts.dedup();
        let mut runs: Vec<Run> = Vec::new();
        for layout in layouts {
            let (own, rest) = pieces.into_iter().partition(|piece: &Piece| piece.run.layout == layout);
            pieces = rest;
            let mut joined = self.joined(own);
            joined.sort_by_key(|piece| place(piece.run.first));
            for (index, piece) in joined.into_iter().enumerate() {
                runs.push(self.settled(met, index, piece));
            }
        }
        runs.retain(|run| !run.facts.is_empty() && !run.read);
        // Where texts end is kept first.
        runs.sort_by_key(|run| (!run.is_end_of_text(&context), run.layout, place(run.first), place(run.last)));
        met.thin(&context, &mut runs, self.coarse);
        runs.truncate(MOST_RUNS);
        let variant = runs.iter().map(|run| (run.layout, run.is_single(terms), run.value(&context).is_some()));
        met.variants.insert(variant.collect());
        self.forget(&folded);
        runs.extend(others);
        self.memory.set_runs(self.block, runs);
    }

    /// Cells at known offsets as pieces; those that became some.
    fn known_cells(&self, cells: &[Edge], pieces: &mut Vec<Piece>) -> Vec<(u64, Layout)> {
        let context = self.memory.context.clone();
        let mut folded = Vec::new();
        for edge in cells {
            let Cell::Value(value) = edge.cell else { continue };
            let bits = 8 * edge.bytes as u32;
            let fits = |layout: &Layout| {
                layout.bits == bits
                    && edge.offset >= layout.offset
                    && (edge.offset - layout.offset).is_multiple_of(layout.stride)
            };
            let layout = pieces.iter().map(|piece| piece.run.layout).find(fits);
            let layout = layout.unwrap_or(Layout { offset: edge.offset % edge.bytes, stride: edge.bytes, bits });
            let index = context.pointer_constant((edge.offset - layout.offset) / layout.stride);
            let run = Run::cell(&context, layout, index, value, false);
            pieces.push(Piece { run, cell: Some((index, value)) });
            folded.push((edge.offset, layout));
        }
        folded
    }

    /// Without single cells of which a run says something: a write would have split it.
    fn without_contained(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let (cells, runs): (Vec<Piece>, Vec<Piece>) = pieces.into_iter().partition(|piece| piece.cell.is_some());
        let is_in = |cell: &Piece, run: &Piece| {
            let contains = run.run.contains(&self.memory.context.terms, cell.run.first);
            run.run.layout == cell.run.layout && self.memory.entails(contains)
        };
        let open: Vec<Piece> = cells.into_iter().filter(|cell| !runs.iter().any(|run| is_in(cell, run))).collect();
        runs.into_iter().chain(open).collect()
    }

    /// What is zero before and behind these cells, which are about to be forgotten with all that is open.
    fn zeros(&mut self, folded: &[(u64, Layout)]) -> Vec<Piece> {
        let before = self.memory.runs(self.block).len();
        let (Some((low, _)), Some((high, layout))) = (folded.first(), folded.last()) else { return Vec::new() };
        if let Some(below) = low.checked_sub(layout.stride) {
            self.memory.zeros_as_run(self.block, (0, below), *layout);
        }
        self.memory.zeros_as_run(self.block, (high + layout.bytes(), u64::MAX / 4), *layout);
        let runs = self.memory.runs(self.block);
        runs.iter().skip(before).map(|run| Piece { run: run.clone(), cell: None }).collect()
    }

    /// The known cells at these offsets are forgotten.
    fn forget(&mut self, folded: &[(u64, Layout)]) {
        if folded.is_empty() {
            return;
        }
        if let Some(object) = self.memory.object_mut(self.block) {
            object.content.forget(&|edge| folded.iter().all(|(offset, _)| *offset != edge.offset));
        }
    }

    /// Neighbours as one: first those of which the same holds, then single cells, at last cells that would else be forgotten and runs,
    /// of which then less holds.
    fn joined(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let mut pieces = pieces;
        while let Some((left, right, both)) = self.next_pair(&pieces) {
            pieces[left] = both;
            pieces.remove(right);
        }
        pieces
    }

    /// Two neighbours that become one, by position, and that one.
    fn next_pair(&self, pieces: &[Piece]) -> Option<(usize, usize, Piece)> {
        let positions = || (0..pieces.len()).flat_map(|left| (0..pieces.len()).map(move |right| (left, right)));
        let ends: Vec<bool> = pieces.iter().map(|piece| self.ends_text(piece, pieces)).collect();
        let may_join = |left: usize, right: usize| left != right && !ends[left] && !ends[right];
        let neighbours: Vec<(usize, usize)> = positions()
            .filter(|(left, right)| may_join(*left, *right))
            .filter(|(left, right)| self.are_neighbours(&pieces[*left].run, &pieces[*right].run))
            .collect();
        let many = pieces.iter().filter(|piece| piece.cell.is_some()).count() > MOST_CELLS;
        let is_lost = |piece: &Piece| piece.cell.is_some_and(|(index, _)| many || self.is_made_up(index));
        let same = neighbours.iter().find(|(left, right)| self.hold_same(&pieces[*left], &pieces[*right]));
        if let Some(&(left, right)) = same {
            let (one, other) = (&pieces[left], &pieces[right]);
            let facts = if one.cell.is_some() { &other.run.facts } else { &one.run.facts };
            return Some((left, right, joined(one, other, facts.to_vec())));
        }
        let cells =
            neighbours.iter().filter(|(left, right)| pieces[*left].cell.is_some() && pieces[*right].cell.is_some());
        let is_weak =
            |piece: &Piece, cell: &Piece| piece.run.value(&self.memory.context).is_none() && cell.cell.is_some();
        let weak = neighbours.iter().filter(|(left, right)| {
            is_weak(&pieces[*left], &pieces[*right]) || is_weak(&pieces[*right], &pieces[*left])
        });
        let lost = neighbours.iter().filter(|(left, right)| is_lost(&pieces[*left]) || is_lost(&pieces[*right]));
        let all = neighbours.iter().filter(|_| self.coarse);
        cells
            .chain(weak)
            .chain(lost)
            .chain(all)
            .find_map(|&(left, right)| Some((left, right, self.both(&pieces[left], &pieces[right])?)))
    }

    /// Whether a text ends there: with a zero behind a run of bytes that are not all zero, at a place that no variable counts.
    fn ends_text(&self, piece: &Piece, pieces: &[Piece]) -> bool {
        let context = &self.memory.context;
        let terms = &context.terms;
        let Some((index, value)) = piece.cell.filter(|_| piece.run.layout == Layout::BYTES) else { return false };
        let is_counted = self.roots.iter().any(|(_, root)| match terms.as_const(index) {
            Some(index) => terms.as_const(*root).is_some_and(|root| root == index || root == index + 1),
            None => terms.symbols_of(*root).iter().any(|symbol| terms.symbols_of(index).contains(symbol)),
        });
        let is_zero = terms.eq(context.cell_value(8), terms.constant(0, 8));
        let are_bytes = |left: &&Piece| left.run.layout == Layout::BYTES && left.cell.is_none();
        let mut before = pieces.iter().filter(are_bytes).filter(|left| self.are_neighbours(&left.run, &piece.run));
        terms.as_const(value) == Some(0) && !is_counted && before.any(|left| !self.holds(left, is_zero))
    }

    /// Whether what is said of the one is true of the other, and the one is no single cell.
    fn hold_same(&self, left: &Piece, right: &Piece) -> bool {
        let hold = |one: &Piece, other: &Piece| {
            one.cell.is_none() && one.run.facts.iter().all(|fact| self.holds(other, *fact))
        };
        match (left.cell, right.cell) {
            (None, None) => hold(left, right) && hold(right, left),
            _ => hold(left, right) || hold(right, left),
        }
    }

    /// Whether a number of the state is one that a loop made up: it changes from turn to turn.
    fn is_made_up(&self, index: Term) -> bool {
        let context = &self.memory.context;
        context.terms.symbols_of(index).iter().any(|symbol| context.is_made_up(*symbol))
    }

    /// Whether `right` begins where `left` ends.
    fn are_neighbours(&self, left: &Run, right: &Run) -> bool {
        self.memory.are_equal(left.last, right.first)
    }

    /// Both as one piece, with what is found to hold of both.
    fn both(&self, left: &Piece, right: &Piece) -> Option<Piece> {
        let context = &self.memory.context;
        let mut facts: Vec<Term> = Vec::new();
        let known = left.run.facts.iter().chain(right.run.facts.iter()).copied();
        for fact in known.chain(self.guesses(left, right)) {
            let is_new = context.terms.as_const(fact).is_none() && !facts.contains(&fact);
            if !is_new || !self.holds(left, fact) || !self.holds(right, fact) {
                continue;
            }
            facts.push(fact);
            // What holds a term over its number needs nothing else, and of places the nearest limit is enough.
            let own = Run { facts: [fact].into(), ..left.run.clone() };
            if own.value(context).is_some() || own.origin(context).is_some() {
                break;
            }
        }
        (!facts.is_empty()).then(|| joined(left, right, facts))
    }

    /// What may hold of the cells of both pieces.
    fn guesses(&self, left: &Piece, right: &Piece) -> Vec<Term> {
        let context = &self.memory.context;
        let terms = &context.terms;
        let bits = left.run.layout.bits;
        let cell = context.cell_value(bits);
        let mut guesses = Vec::new();
        if let (Some(one), Some(other)) = (left.cell, right.cell) {
            guesses.extend(self.line(bits, one, other));
        }
        match (self.origin(left), self.origin(right)) {
            (None, None) => {}
            (one, other) => {
                let own = one.filter(|_| one == other);
                guesses.extend(own.into_iter().flat_map(|origin| within(self.memory, cell, origin)));
                return guesses;
            }
        }
        let (low, high) = (self.bounds(left), self.bounds(right));
        let (low, high) = self.hints.thresholds.snap((low.0.min(high.0), low.1.max(high.1)), bits);
        guesses.push(terms.sle(terms.signed_constant(low, bits), cell));
        guesses.push(terms.sle(cell, terms.signed_constant(high, bits)));
        guesses.push(terms.not(terms.eq(cell, terms.constant(0, bits))));
        let numbers = self.numbers(bits);
        guesses
            .extend(numbers.iter().flat_map(|(_, number)| Comparison::ALL.map(|how| how.fact(terms, cell, *number))));
        guesses
    }

    /// The address of the object that all cells of the piece lead into.
    fn origin(&self, piece: &Piece) -> Option<Term> {
        match piece.cell {
            Some((_, value)) => origin(self.memory, value),
            None => piece.run.origin(&self.memory.context),
        }
    }

    /// The numbers of variables that cells of this width are compared with.
    fn numbers(&self, bits: u32) -> Vec<((usize, usize), Term)> {
        let fits = |(_, number): &&((usize, usize), Term)| {
            bits >= LEAST_BITS && self.memory.context.terms.width(*number) == bits
        };
        self.roots.iter().filter(fits).take(MOST_TERMS).copied().collect()
    }

    /// `fact` as states of one place share it.
    fn shared(&self, bits: u32, fact: Term) -> Vec<SharedFact> {
        let terms = &self.memory.context.terms;
        let cell = self.memory.context.cell_value(bits);
        let compared = self.numbers(bits).into_iter().flat_map(|(place, number)| {
            let same = Comparison::ALL.into_iter().filter(move |how| how.fact(terms, cell, number) == fact);
            same.map(move |how| SharedFact::Compared(how, place))
        });
        let compared: Vec<SharedFact> = compared.collect();
        if compared.is_empty() { vec![SharedFact::Plain(fact)] } else { compared }
    }

    /// A shared fact, of the numbers of this state.
    fn instance(&self, bits: u32, shared: SharedFact) -> Option<Term> {
        let (how, place) = match shared {
            SharedFact::Plain(fact) => return Some(fact),
            SharedFact::Compared(how, place) => (how, place),
        };
        let (_, number) = self.roots.iter().find(|(other, _)| *other == place)?;
        Some(how.fact(&self.memory.context.terms, self.memory.context.cell_value(bits), *number))
    }

    /// The value as a linear term over the number of the cell, by two cells.
    fn line(&self, bits: u32, (index, value): (Term, Term), (other, next): (Term, Term)) -> Option<Term> {
        let context = &self.memory.context;
        let terms = &context.terms;
        let step = terms.as_signed_const(terms.sub(other, index)).filter(|step| *step != 0)?;
        let rise = terms.as_signed_const(terms.sub(next, value))?;
        let slope = (rise % step == 0).then(|| rise / step)?;
        let as_value = |index: Term| match terms.width(index) >= bits {
            true => terms.truncate(index, bits),
            false => terms.zext(index, bits),
        };
        let scaled = |index: Term| terms.mul(as_value(index), terms.signed_constant(slope, bits));
        let rest = terms.sub(value, scaled(index));
        Some(terms.eq(context.cell_value(bits), terms.add(scaled(context.cell_index()), rest)))
    }

    /// Signed bounds of what the cells of a piece hold.
    fn bounds(&self, piece: &Piece) -> (i128, i128) {
        let context = &self.memory.context;
        if let Some((_, value)) = piece.cell {
            return self.memory.store.signed_range(context, value);
        }
        let cell = context.cell_value(piece.run.layout.bits);
        let mut known = self.memory.store.clone();
        for fact in piece.run.facts.iter().copied().chain([piece.run.contains(&context.terms, context.cell_index())]) {
            known.assume(context, fact);
        }
        known.signed_range(context, piece.run.value(context).unwrap_or(cell))
    }

    /// Whether `fact` is true of each cell of the piece.
    fn holds(&self, piece: &Piece, fact: Term) -> bool {
        if piece.run.facts.contains(&fact) {
            return true;
        }
        let context = &self.memory.context;
        if let Some((index, value)) = piece.cell {
            let run = Run { facts: [fact].into(), ..piece.run.clone() };
            return run.facts_of(context, value, index).into_iter().all(|fact| self.memory.entails(fact));
        }
        let terms = &context.terms;
        let mut known = piece.run.facts.to_vec();
        known.push(piece.run.contains(terms, context.cell_index()));
        self.memory.entails(terms.implies(terms.conjunction(&known), fact))
    }

    /// The run of a piece, with what was said of another run before where that is true of it: only a few different things are said.
    fn settled(&self, met: &mut Met, index: usize, piece: Piece) -> Run {
        // Where cells lead to is said of what ends there, which is another number in each state.
        if piece.cell.is_some() || piece.run.origin(&self.memory.context).is_some() {
            return piece.run;
        }
        let bits = piece.run.layout.bits;
        let known = met.facts.entry(piece.run.layout).or_default();
        let instances = |facts: &[SharedFact]| {
            facts.iter().map(|shared| self.instance(bits, *shared)).collect::<Option<Vec<Term>>>()
        };
        let holds = |facts: &Vec<Term>| facts.iter().all(|fact| self.holds(&piece, *fact));
        if let Some(mut facts) = known.iter().find_map(|facts| instances(facts).filter(holds)) {
            facts.dedup();
            return Run { facts: facts.into(), ..piece.run };
        }
        let all_shared =
            |facts: &[Term]| facts.iter().flat_map(|fact| self.shared(bits, *fact)).collect::<Vec<SharedFact>>();
        if known.len() < MOST_RUNS {
            known.push(all_shared(&piece.run.facts));
            return piece.run;
        }
        let index = index.min(known.len() - 1);
        let before: Vec<Term> = known[index].iter().filter_map(|shared| self.instance(bits, *shared)).collect();
        let before = Piece { run: Run { facts: before.into(), ..piece.run.clone() }, cell: None };
        let facts = self.both(&before, &piece).map_or_else(|| [].into(), |both| both.run.facts);
        known[index] = all_shared(&facts);
        Run { facts, ..piece.run }
    }
}

/// Two neighbours with what holds of both.
fn joined(left: &Piece, right: &Piece, facts: Vec<Term>) -> Piece {
    let (first, last) = (left.run.first, right.run.last);
    Piece {
        run: Run { layout: left.run.layout, first, last, facts: facts.into(), read: false, table: None, text: false },
        cell: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::limits::Limits;
    use crate::smt::Z3Solver;
    use crate::task::DataModel;

    #[test]
    fn runs_of_turns_that_are_over_go_once_visits_differ_too_much() {
        let context = Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none());
        let terms = &context.terms;
        let start = context.pointer_constant(0);
        let [line, older] = ["line", "older"].map(|hint| terms.fresh_symbol(context.model.pointer_bits(), hint));
        let zero = terms.constant(0, 8);
        let not_zero = terms.not(terms.eq(context.cell_value(8), zero));
        let run = |first: Term, last: Term| {
            let facts = [not_zero].into();
            Run { layout: Layout::BYTES, first, last, facts, read: false, table: None, text: false }
        };
        let cell = |index: Term, value: Term| Run::cell(&context, Layout::BYTES, index, value, false);
        let text = vec![run(start, line), cell(line, zero)];
        let passing = cell(start, terms.fresh_symbol(8, "letter"));
        let rest = run(line, older);
        let all = vec![text[0].clone(), rest.clone(), passing, text[1].clone(), cell(older, zero)];

        let mut met = Met::default();
        let mut visit = |runs: &[Run], coarse: bool| {
            let mut runs = runs.to_vec();
            met.thin(&context, &mut runs, coarse);
            runs
        };
        assert_eq!(visit(&text, false), text);
        assert_eq!(visit(&all, false), all);
        // The end of the older text goes, and the letter; a rest was seen, so one stays.
        assert_eq!(visit(&all, true), [text[0].clone(), rest.clone(), text[1].clone()]);
        // What was never seen before is not kept any more.
        assert_eq!(visit(&[text[0].clone(), cell(start, zero)], true), [text[0].clone()]);
    }
}
