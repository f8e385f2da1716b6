//! A program as Horn clauses: what holds of the numbers at each place where loops begin, and how one pass through what lies between
//! changes them.
//!
//! Between two loop heads all paths are one formula, as [`Merging`] makes it; so the clauses say what [`crate::memory::step`] says,
//! and no second semantics is written. What a state is besides its numbers (where it stands, which objects there are, where pointers
//! lead, and how far into them where that is a constant) is told apart: each such [`Form`] has a predicate of its own. Where nothing can
//! be said of how runs go on, that counts as a violation.
//!
//! Source: large-block encoding (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, FMCAD'09); verification by Horn clauses (Grebenshchikov,
//! Lopes, Popeea, Rybalchenko, PLDI'12); the integer programs of "Arithmetic strengthening for shape analysis" (SAS'07), section 4.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::merging::{Merging, merged};
use crate::ats::{Arrival, Domain, Order};
use crate::base::limits::{Exhausted, Limits};
use crate::cfa::Program;
use crate::explore::{Hole, Shape, blind, forget_numbers_of_the_past};
use crate::heap::{Context, State, SymbolKind, values};
use crate::memory::Checks;
use crate::smt::{SymId, Term};

/// More predicates than this are more than a solver can be asked for.
const MOST_PREDICATES: usize = 400;

/// A shape, and the offsets of pointers that are constants in it, by the number of their hole.
type Form = (Shape, Vec<(usize, Term)>);

/// What holds when runs come to one place with one form.
pub struct Predicate {
    /// Its arguments: symbols that stand for the numbers such a state holds, in the order of [`blind`].
    pub arguments: Vec<Term>,
    /// The state, about whose numbers nothing is known.
    state: State,
}

/// `from(arguments) ∧ guard → to(values)`; without `from` where the program starts, without `to` a violation.
pub struct Clause {
    pub from: Option<usize>,
    pub guard: Vec<Term>,
    pub to: Option<(usize, Vec<Term>)>,
}

/// The clauses of a program.
pub struct Clauses {
    pub context: Rc<Context>,
    pub predicates: Vec<Predicate>,
    pub clauses: Vec<Clause>,
}

/// Why there are none.
#[derive(Clone, Debug)]
pub enum NoClauses {
    /// There is no end to the forms.
    TooMany,
    Exhausted(Exhausted),
}

impl std::fmt::Display for NoClauses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoClauses::TooMany => write!(f, "more than {MOST_PREDICATES} places and shapes of the heap at loop heads"),
            NoClauses::Exhausted(_) => f.write_str("out of time"),
        }
    }
}

impl Clauses {
    /// The clauses of a program, which starts in `start`.
    ///
    /// # Errors
    /// There are none, or time is up.
    pub fn of(program: &Program, checks: Checks, start: State, limits: &Limits) -> Result<Self, NoClauses> {
        let mut builder = Builder::new(program, checks, start);
        builder.run(limits)?;
        Ok(builder.made)
    }
}

/// Makes clauses, place by place.
struct Builder<'p> {
    merging: Merging<'p>,
    by_form: FxHashMap<Form, usize>,
    made: Clauses,
    /// The predicate whose block is being followed, `None` for the start.
    now: Option<usize>,
    /// The next one.
    next: usize,
    waiting: BTreeMap<(Order, u32), State>,
    arrived: u32,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program, checks: Checks, start: State) -> Self {
        let merging = Merging::new(program, checks);
        let context = start.memory.context().clone();
        let order = merging.order(&start);
        Self {
            merging,
            by_form: FxHashMap::default(),
            made: Clauses { context, predicates: Vec::new(), clauses: Vec::new() },
            now: None,
            next: 0,
            waiting: BTreeMap::from([((order, 0), start)]),
            arrived: 0,
        }
    }

    fn run(&mut self, limits: &Limits) -> Result<(), NoClauses> {
        loop {
            limits.check_time().map_err(NoClauses::Exhausted)?;
            if let Some((_, state)) = self.waiting.pop_first() {
                self.expand(&state)?;
                continue;
            }
            let Some(predicate) = self.made.predicates.get(self.next) else { return Ok(()) };
            self.now = Some(self.next);
            self.next += 1;
            let state = predicate.state.clone();
            self.expand(&state)?;
        }
    }

    fn expand(&mut self, state: &State) -> Result<(), NoClauses> {
        for (_, arrival) in self.merging.advance(state) {
            match arrival {
                Arrival::State(state) if self.merging.is_loop_head(&state) => self.arrive(state)?,
                Arrival::State(state) => self.wait(state),
                Arrival::Alarm(state, _) | Arrival::Stuck(state, _) | Arrival::Return(state) => {
                    let guard = self.guard(&state);
                    self.made.clauses.push(Clause { from: self.now, guard, to: None });
                }
                Arrival::Call { entry, .. } => self.wait(entry),
                Arrival::End => {}
            }
        }
        Ok(())
    }

    /// One more path to a place within the block.
    fn wait(&mut self, mut state: State) {
        self.merging.tidy(&mut state);
        let order = self.merging.order(&state);
        let mut beside = self.waiting.range((order.clone(), 0)..=(order.clone(), u32::MAX));
        let both = beside.find_map(|(turn, waiting)| Some((turn.clone(), merged(waiting, &state)?)));
        self.arrived += 1;
        match both {
            Some((turn, both)) => _ = self.waiting.insert(turn, both),
            None => _ = self.waiting.insert((order, self.arrived), state),
        }
    }

    /// The block ends at a loop's head.
    fn arrive(&mut self, mut state: State) -> Result<(), NoClauses> {
        let roots = values(&state);
        state.memory.forget_far_edges(&roots);
        // What is known of numbers that are gone tells which runs come here.
        state.memory.drop_dead_objects(&mut roots.iter());
        let guard = self.guard(&state);
        let (shape, mut holes) = blind(&state, false);
        let terms = &self.made.context.terms;
        let is_fixed = |hole: &Hole| hole.base.is_some() && terms.as_const(hole.number).is_some();
        let fixed = holes.iter().enumerate().filter(|(_, hole)| is_fixed(hole));
        let form: Form = (shape, fixed.map(|(index, hole)| (index, hole.number)).collect());
        holes.retain(|hole| !is_fixed(hole));
        let numbers: Vec<Term> = holes.iter().map(|hole| hole.number).collect();
        let predicate = match self.by_form.get(&form) {
            Some(known) => *known,
            None => {
                let predicate = self.made.predicates.len();
                if predicate == MOST_PREDICATES {
                    return Err(NoClauses::TooMany);
                }
                let arguments = forget(&mut state, &holes);
                self.by_form.insert(form, predicate);
                self.made.predicates.push(Predicate { arguments, state });
                predicate
            }
        };
        self.made.clauses.push(Clause { from: self.now, guard, to: Some((predicate, numbers)) });
        Ok(())
    }

    /// What is known of the numbers in a state; addresses are nothing that clauses speak of.
    fn guard(&self, state: &State) -> Vec<Term> {
        let context = &self.made.context;
        let speaks_of_numbers =
            |part: &Term| context.terms.symbols_of(*part).iter().all(|symbol| !is_address(context, *symbol));
        state.memory.facts().into_iter().filter(speaks_of_numbers).collect()
    }
}

/// Puts symbols nobody knows anything of where the numbers stand, and tells them.
fn forget(state: &mut State, holes: &[Hole]) -> Vec<Term> {
    let context = state.memory.context().clone();
    state.memory.weaken(&|part| context.terms.symbols_of(part).iter().all(|symbol| is_address(&context, *symbol)));
    let mut symbols = Vec::new();
    for hole in holes {
        let symbol = state.memory.forgotten(context.terms.width(hole.number));
        hole.put(state, symbol);
        symbols.push(symbol);
    }
    let roots = values(state);
    state.memory.collect_garbage(&mut roots.iter());
    forget_numbers_of_the_past(&mut state.memory, &roots);
    symbols
}

/// Whether the symbol stands for where an object or a function lies.
pub(super) fn is_address(context: &Context, symbol: SymId) -> bool {
    matches!(context.kind(symbol), Some(SymbolKind::Address(_) | SymbolKind::Function(_)))
}
