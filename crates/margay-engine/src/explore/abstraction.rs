//! The abstract domain: shapes that are folded and widened at loop heads, as precisely as it is asked to.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::arrays::{is_array, is_in_array, place_ends_by_sizes};
use super::canonical::{Constraints, Hole, Place as HolePlace, Shape, canonical};
use super::cursors::{name_ends, name_sums};
use super::domain::{Alarm, Arrival, Moves, Shapes};
use super::filled::fold_runs;
use super::free::forget_unfollowed;
use super::guards::Guards;
use super::limits::{ARRAY_BYTES, INDEXED_BYTES, MOST_BRIDGES, MOST_OWNED, MOST_UNWEAKENED};
use super::nest::{Nest, nests};
use super::overwritten::Overwritten;
use super::past::{forget_numbers_of_the_past, live_symbols};
use super::places::origin;
use super::samples::Sampler;
use super::seen::History;
use super::texts::forget_ends;
use super::widen::{Hints, widen};
use crate::ats::{CutPoint, Domain, Order};
use crate::cfa::{FunctionId, Loc, Program, Reg, Step};
use crate::evidence::Obligation;
use crate::fold::{Place, Precision, fold, fold_tables, realign};
use crate::frame::Rest;
use crate::heap::{Cell, Edge, KeptCells, Object, Run, Semantics, Smg, State, SymbolKind, values, without_empty_lists};
use crate::hints::covers;
use crate::memory::{BlockId, BlockKind, Checks, Frame, Site, find_leak};
use crate::sharing::Calls;
use crate::smt::{Node, Op, SymId, Term, Terms, mask};

/// The shape domain with abstraction at loop heads.
pub struct Abstract<'p> {
    /// What steps mean.
    pub(crate) shapes: Shapes<'p>,
    calls: &'p Calls,
    precision: Precision,
    hints: Hints,
    /// What loops compare with.
    guards: Guards,
    /// What is filled anew before it is read.
    overwritten: Overwritten,
    /// Where states wait for loops to end, by function and location: where they stand in the loops around them.
    nests: Option<Vec<Vec<Nest>>>,
    /// Numbers written to the heap that are one of a few are distinguished.
    splits_choices: bool,
    /// Something is kept of cells of arrays somewhere.
    keeps_cells: bool,
    /// What runs show of variables.
    samples: Option<Rc<dyn Sampler + 'p>>,
    /// A state is only made to allow more where it is then found to lie within what it became.
    compares_arrivals: bool,
}

impl<'p> Abstract<'p> {
    /// Keeps what `precision` says; `calls` has the functions that are followed apart from their callers.
    pub fn new(calls: &'p Calls, checks: Checks, precision: Precision) -> Self {
        let mut hints = Hints::of(calls.program());
        if checks.termination {
            hints.keep_from_wrapping(calls.program());
        }
        // What comes out of earlier rounds of a loop mostly lies within what comes out of later ones. One of the lines that join keeps to
        // the order in which runs come by.
        let everywhere = precision.everywhere();
        let waits = everywhere.joined && !everywhere.apart;
        let nests = waits.then(|| calls.program().functions.iter().map(nests).collect());
        let (splits_choices, keeps_cells) = choices_and_cells(calls.program(), &precision, &hints);
        let shapes = Shapes::apart(calls, checks);
        Self {
            shapes: if checks.termination { shapes.entering() } else { shapes },
            calls,
            precision,
            hints,
            guards: Guards::default(),
            overwritten: Overwritten::default(),
            nests,
            splits_choices,
            keeps_cells,
            samples: None,
            compares_arrivals: false,
        }
    }

    /// The same with what runs show.
    pub fn sampled_by(self, samples: Option<Rc<dyn Sampler + 'p>>) -> Self {
        Self { samples, ..self }
    }

    /// What runs show.
    pub(crate) fn samples(&self) -> Option<Rc<dyn Sampler + 'p>> {
        self.samples.clone()
    }

    /// What is kept at each place.
    pub(crate) fn precision(&self) -> &Precision {
        &self.precision
    }

    /// From now on this much is kept.
    pub fn set_precision(&mut self, precision: Precision) {
        (self.splits_choices, self.keeps_cells) = choices_and_cells(self.calls.program(), &precision, &self.hints);
        self.precision = precision;
    }

    /// The same, with nothing seen yet, where states are only made to allow more if they are then found to lie within what they became: a
    /// proof was refused in which one does not.
    pub fn comparing_arrivals(&self) -> Self {
        let again = Self::new(self.calls, self.shapes.checks, self.precision.clone());
        Self { compares_arrivals: true, ..again.sampled_by(self.samples.clone()) }
    }

    /// Makes steps from `state` as precise as states are kept.
    pub fn prepare(&self, state: &mut State) {
        state.memory.semantics = self.kept(state.memory.semantics);
    }

    /// `semantics`, as precise as states are kept.
    fn kept(&self, semantics: Semantics) -> Semantics {
        let (splits_choices, cells_by_number) = (self.splits_choices, self.keeps_cells);
        Semantics { splits_choices, cells_by_number, finds_at_once: true, ..semantics }
    }

    /// The arrays of the state, by where they are made, and whether loops may fill them: what those of constants hold is known, and
    /// arguments are always followed.
    pub(crate) fn arrays(&self, state: &State) -> Vec<(Site, bool)> {
        let memory = &state.memory;
        let is_an_array = |object: &Object| {
            let is_declared = self.hints.arrays.contains(&object.origin.site);
            object.valid && object.is_region() && (is_declared || is_array(memory, object))
        };
        let may_be_filled = |object: &Object| !matches!(object.kind, BlockKind::Argument | BlockKind::Literal);
        let arrays = memory.blocks().filter(|(_, object)| is_an_array(object));
        arrays.map(|(_, object)| (object.origin.site, may_be_filled(object))).collect()
    }

    /// Whether the number is one of many in an array.
    pub(crate) fn is_in_array(&self, state: &State, hole: &Hole) -> bool {
        let HolePlace::Cell(block, offset) = hole.place else { return false };
        let Some(object) = state.memory.object(block) else { return false };
        let size = state.memory.context().terms.as_const(object.size);
        size.is_none_or(|size| size >= INDEXED_BYTES) && is_in_array(&state.memory, object, offset, &self.hints)
    }

    /// Whether the object is an array of texts, or of structures with a text: what its cells hold is followed from the start.
    fn holds_texts(&self, object: &Object) -> bool {
        self.hints.arrays.are_texts(&object.origin.site)
    }

    /// Arrays of which cells lead somewhere, whatever is followed, because there are ever more of them: first those with more cells that lead
    /// to blocks of their own than are kept apart, then those with cells that lead into other objects. Small arrays that are declared have
    /// few cells, which are distinguished by their places.
    fn crowded(&self, state: &State) -> [BTreeSet<BlockId>; 2] {
        let memory = &state.memory;
        let context = memory.context();
        let is_large = |object: &Object| context.terms.as_const(object.size).is_none_or(|size| size >= ARRAY_BYTES);
        let is_declared = |object: &Object| self.hints.arrays.contains(&object.origin.site);
        let may_be = |object: &Object| is_declared(object) && (object.kind == BlockKind::Heap || is_large(object));
        let is_own = |value: Term| memory.tracks(value).is_some_and(|block| memory.can_hang(block));
        let is_place = |value: Term| !context.is_number(value) && origin(memory, value).is_some();
        let has_more = |object: &Object, most: usize, leads: &dyn Fn(Term) -> bool| {
            let edges = object.content.edges().iter();
            let leads = |edge: &&Edge| matches!(edge.cell, Cell::Value(value) if leads(value));
            edges.filter(leads).nth(most).is_some()
        };
        let has_run = |object: &Object, is_it: &dyn Fn(&Run) -> bool| object.content.runs().iter().any(is_it);
        // In small ones, too, that cell has no place of its own which an input has chosen.
        let owns_somewhere = |run: &Run| {
            let single = run.single(context);
            single.is_some_and(|(place, value)| context.terms.as_const(place).is_none() && is_own(value))
        };
        let owning = |object: &Object| {
            is_declared(object) && has_run(object, &|run| run.table.is_some() || owns_somewhere(run))
                || may_be(object) && has_more(object, MOST_OWNED, &is_own)
        };
        let leading =
            |object: &Object| has_run(object, &|run| run.origin(context).is_some()) || has_more(object, 0, &is_place);
        let all = |is_crowded: &dyn Fn(&Object) -> bool| {
            memory.blocks().filter(|(_, object)| is_crowded(object)).map(|(block, _)| block).collect()
        };
        [all(&owning), all(&|object| may_be(object) && leading(object))]
    }

    /// Where `state` is abstracted, if runs that go on as it does may meet and their states are then made to allow more.
    pub fn folding_place(&self, state: &State) -> Option<Place> {
        self.cut_point(state).filter(|at| at.weakens).map(|at| at.place)
    }
}

impl Domain for Abstract<'_> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = Alarm;
    type Key = Shape;
    type Facts = Constraints;
    type Frame = Rest;
    type Place = Place;
    type History = History;

    fn obligation(&self) -> Obligation {
        self.shapes.obligation()
    }

    fn passed(&self) -> Vec<(FunctionId, Loc)> {
        self.shapes.passed()
    }

    fn advance(&self, state: &State) -> Moves {
        if state.memory.semantics == self.kept(state.memory.semantics) {
            return self.shapes.advance(state);
        }
        let mut state = state.clone();
        self.prepare(&mut state);
        self.shapes.advance(&state)
    }

    fn cut_point(&self, state: &State) -> Option<CutPoint<Place>> {
        let place = place(state);
        let is_head = self.shapes.program.function(place.0).location(place.1).loop_head;
        self.shapes.is_cut_point(state).then_some(CutPoint { place, weakens: is_head })
    }

    fn boundary(&self, state: &State) -> CutPoint<Place> {
        let place = place(state);
        // Without it recursion would not come to an end.
        CutPoint { place, weakens: self.calls.is_recursive(place.0) }
    }

    fn form(&self, state: &mut State) -> (Shape, Constraints) {
        self.forget_unread(state);
        let is_followed = |object: &Object| self.precision.follows_cells_somewhere(object) || self.holds_texts(object);
        forget_unread_cells(state, |object| if is_followed(object) { KeptCells::All } else { KeptCells::Written });
        forget_the_past(state);
        canonical(state, true)
    }

    fn widen(&self, history: &mut History, state: &mut State) {
        let compares_arrivals = self.compares_arrivals && history.unweakened < MOST_UNWEAKENED;
        history.arrival = compares_arrivals.then(|| state.clone());
        let at = place(state);
        let keep = self.precision.at(at);
        let is_followed = |object: &Object| self.precision.follows_cells(at, object) || self.holds_texts(object);
        self.forget_unread(state);
        let [owning, leading] = self.crowded(state);
        if self.keeps_cells || !owning.is_empty() || !leading.is_empty() {
            place_ends_by_sizes(&mut state.memory);
            let roots = values(state);
            fold_tables(&mut state.memory, &roots, keep, self.hints.suggested(), is_followed, &owning);
            let is_filled = |block: BlockId, object: &Object| is_followed(object) || leading.contains(&block);
            fold_runs(state, &mut history.filled, &self.hints, is_filled);
        }
        forget_ends(state, &mut history.ends, &self.hints, is_followed);
        forget_unread_cells(state, |object| if is_followed(object) { KeptCells::Runs } else { KeptCells::Written });
        // So that nodes are alike whose texts end somewhere.
        name_ends(state);
        if !keep.all_numbers {
            forget_unfollowed(state, self.precision.numbers());
        }
        // Where states are joined anyway; other lines keep what they know of addresses.
        if keep.joined {
            realign(state);
        }
        let roots = values(state);
        fold(&mut state.memory, &roots, keep, self.hints.suggested());
        // Where no number is followed, none is a choice.
        let has_choices = keep.choices && (keep.all_numbers || !self.precision.numbers().is_empty());
        let samples = self.samples.as_deref().filter(|_| has_choices);
        let near = self.guards.thresholds(self.shapes.program, state, &self.hints.thresholds);
        let thresholds = near.as_ref().unwrap_or(&self.hints.thresholds);
        widen(state, &mut history.numbers, (&self.hints, thresholds), keep, samples);
    }

    fn join(&self, history: &mut History, state: &mut State) -> (Shape, Constraints) {
        let keep = self.precision.at(place(state));
        let joins = keep.joined && self.cut_point(state).is_some_and(|at| at.weakens);
        if joins {
            history.joined.promote(state);
        }
        forget_the_past(state);
        if joins {
            history.joined.join(state, keep.follows);
        }
        let form = history.constraints.merge(state, keep.values);
        match history.arrival.take().filter(|arrival| covers(state, arrival).is_none()) {
            None => form,
            Some(arrival) => {
                history.unweakened += 1;
                *state = arrival;
                self.form(state)
            }
        }
    }

    fn subsumed_by_newer(&self, history: &History, state: &State) -> Option<(Shape, Constraints)> {
        self.precision.at(place(state)).joined.then(|| history.joined.overtaking(state))?
    }

    fn allows(&self, general: &State, special: &State) -> bool {
        covers(general, special).is_some()
    }

    fn order(&self, state: &State) -> Order {
        let Some(nests) = &self.nests else { return Order::Found };
        let nest = |frame: &Rc<Frame<Term>>| nests[frame.function.index()][frame.at.index()].clone();
        Order::Nested(state.frames.iter().flat_map(nest).collect())
    }

    fn resume(&self, caller: &Rest, exit: &State) -> Vec<Arrival> {
        self.shapes.resume(caller, exit)
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        new.entail(old)
    }
}

impl Abstract<'_> {
    /// Drops pointers that the program no longer looks at, bytes that it overwrites first, and lists without nodes.
    fn forget_unread(&self, state: &mut State) {
        // Before the numbers are gone that tell of it.
        if let Some(without) = without_empty_lists(state) {
            *state = without;
        }
        forget_unread_pointers(self.shapes.program, &self.shapes.checks, state);
        self.overwritten.forget(self.shapes.program, state);
    }
}

/// Whether kinds of nodes are kept apart, and whether something is kept of cells of arrays: of the arguments of `main` and arrays of texts
/// always.
fn choices_and_cells(program: &Program, precision: &Precision, hints: &Hints) -> (bool, bool) {
    (precision.has_kinds(), precision.keeps_cells() || program.reads_arguments() || hints.arrays.have_texts())
}

/// Drops blocks and cells that the program no longer looks at.
fn forget_unread_cells(state: &mut State, kept: impl Fn(&Object) -> KeptCells) {
    let roots = values(state);
    state.memory.collect_garbage(&mut roots.iter());
    state.memory.forget_cells(&roots, kept);
}

/// Where the state stands.
fn place(state: &State) -> Place {
    (state.top().function, state.top().at)
}

/// Drops what nothing in the state speaks of any more.
fn forget_the_past(state: &mut State) {
    let mut roots = values(state);
    state.memory.collect_garbage(&mut roots.iter());
    let is_named = name_ends(state);
    if name_sums(state) || is_named {
        roots = values(state);
    }
    let bridges = bridges(&state.memory, &roots);
    roots.extend(bridges);
    forget_numbers_of_the_past(&mut state.memory, &roots);
}

/// Numbers that no value speaks of, but conditions that relate two or more numbers of today to them, and so to each other: inputs, and
/// those that a number of today is a multiple of, such as the capacity of a block that has eight bytes for each of its cells.
fn bridges(memory: &Smg, roots: &[Term]) -> Vec<Term> {
    let context = memory.context();
    let terms = &context.terms;
    let live = live_symbols(memory, roots);
    let mut related: BTreeMap<SymId, BTreeSet<SymId>> = BTreeMap::new();
    let mut measuring: BTreeSet<SymId> = BTreeSet::new();
    for constraint in memory.store.constraints() {
        let symbols = terms.symbols_of(*constraint);
        let mut gone = symbols.iter().filter(|symbol| !live.contains(symbol));
        let (Some(symbol), None) = (gone.next(), gone.next()) else { continue };
        if matches!(context.kind(*symbol), Some(SymbolKind::Input(_))) || is_multiplied(terms, *constraint, *symbol) {
            measuring.insert(*symbol);
        }
        related.entry(*symbol).or_default().extend(symbols.iter().filter(|other| *other != symbol));
    }
    let relating = related.into_iter().filter(|(symbol, others)| others.len() > 1 && measuring.contains(symbol));
    relating.take(MOST_BRIDGES).map(|(symbol, _)| terms.symbol_term(symbol)).collect()
}

/// Whether the condition is an equation with a multiple of the symbol.
fn is_multiplied(terms: &Terms, constraint: Term, symbol: SymId) -> bool {
    let Node::Bin(Op::Eq, left, right) = terms.node(constraint) else { return false };
    let sum = terms.linear(terms.sub(left, right));
    let is_multiple = |factor: u128| factor != 1 && factor != mask(sum.width);
    sum.parts.iter().any(|(factor, part)| terms.as_symbol(*part) == Some(symbol) && is_multiple(*factor))
}

/// Drops pointers that are not read any more where something else keeps their blocks tracked. What they point to may count
/// as lost too early later: an alarm, never a missed one.
fn forget_unread_pointers(program: &Program, checks: &Checks, state: &mut State) {
    for index in 0..state.frames.len() {
        let frame = &state.frames[index];
        let location = program.function(frame.function).location(frame.at);
        let unread: Vec<Reg> = location.dead_variables.to_vec();
        for reg in unread {
            let Some(value) = state.frames[index].regs[reg.index()] else { continue };
            Rc::make_mut(&mut state.frames[index]).regs[reg.index()] = None;
            if checks.memtrack && find_leak(state).is_some() {
                Rc::make_mut(&mut state.frames[index]).regs[reg.index()] = Some(value);
            }
        }
    }
}
