//! A program as Horn clauses: what holds of the numbers at each place where loops begin, and how one pass through what lies between
//! changes them.
//!
//! Between two loop heads all paths are one formula, as [`Merging`] makes it; so the clauses say what [`crate::memory::step`] says,
//! and no second semantics is written. What a state is besides its numbers (where it stands, which objects there are, where pointers
//! lead, and how far into them where that is a constant) is distinguished: each such [`Form`] has a predicate of its own. Where nothing can
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
use crate::explore::{Hole, HolePlace, Shape, blind, forget_numbers_of_the_past};
use crate::heap::{Context, KeptCells, State, SymbolKind, values};
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
    /// What they are in the program, for people.
    pub meanings: Vec<String>,
    /// Where it is about: file, line and function.
    pub place: String,
    /// The state, about whose numbers nothing is known.
    pub(super) state: State,
}

/// `from(arguments) ∧ guard → to(values)`; without `from` where the program starts, without `to` a violation.
pub struct Clause {
    /// Position among [`Clauses::predicates`].
    pub from: Option<usize>,
    /// What holds of runs through the block: terms of one bit that are all 1.
    pub guard: Vec<Term>,
    /// Position among [`Clauses::predicates`], and the values of its arguments.
    pub to: Option<(usize, Vec<Term>)>,
}

/// The clauses of a program.
pub struct Clauses {
    /// The arena of all terms, and the solver.
    pub(crate) context: Rc<Context>,
    /// What holds at the heads of loops, form by form.
    pub(crate) predicates: Vec<Predicate>,
    /// How runs get from one to the next.
    pub(crate) clauses: Vec<Clause>,
    pub(super) start: State,
    by_form: FxHashMap<Form, usize>,
}

/// Why there are none.
#[derive(Clone, Debug)]
pub enum NoClauses {
    /// There is no end to the forms.
    TooMany,
    /// Time or memory is up.
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
        Ok(builder.finish())
    }

    /// The predicate that is about the form of a state at a loop's head.
    pub(super) fn predicate_of(&self, state: &State) -> Option<usize> {
        let (form, _) = form(&mut state.clone());
        self.by_form.get(&form).copied()
    }
}

/// The form of a state at a loop's head, after what no form tells was dropped, and the numbers that clauses speak of.
fn form(state: &mut State) -> (Form, Vec<Hole>) {
    let roots = values(state);
    state.memory.forget_cells(&roots, KeptCells::Written);
    // What is known of numbers that are gone tells which runs come here.
    state.memory.drop_dead_objects(&mut roots.iter());
    let (shape, mut holes) = blind(state, false);
    let context = state.memory.context();
    let is_fixed = |hole: &Hole| hole.base.is_some() && context.terms.as_const(hole.number).is_some();
    let fixed = holes.iter().enumerate().filter(|(_, hole)| is_fixed(hole));
    let form: Form = (shape, fixed.map(|(index, hole)| (index, hole.number)).collect());
    holes.retain(|hole| !is_fixed(hole));
    (form, holes)
}

/// Makes clauses, place by place.
pub struct Builder<'p> {
    program: &'p Program,
    merging: Merging<'p>,
    made: Clauses,
    /// The predicate whose block is being followed, `None` for the start.
    now: Option<usize>,
    /// The next one.
    next: usize,
    waiting: BTreeMap<(Order, u32), State>,
    arrived: u32,
}

impl<'p> Builder<'p> {
    /// Begins in `start`; no clause is made yet.
    pub fn new(program: &'p Program, checks: Checks, start: State) -> Self {
        let merging = Merging::new(program, checks);
        let context = start.memory.context().clone();
        let order = merging.order(&start);
        let by_form = FxHashMap::default();
        Self {
            program,
            merging,
            made: Clauses { context, predicates: Vec::new(), clauses: Vec::new(), start: start.clone(), by_form },
            now: None,
            next: 0,
            waiting: BTreeMap::from([((order, 0), start)]),
            arrived: 0,
        }
    }

    /// Goes on until all clauses are there. After a pause it may be called again.
    ///
    /// # Errors
    /// There are none, or time is up.
    pub fn run(&mut self, limits: &Limits) -> Result<(), NoClauses> {
        loop {
            limits.check_time().map_err(NoClauses::Exhausted)?;
            limits.check_memory().map_err(NoClauses::Exhausted)?;
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

    /// The clauses, once all are there.
    pub fn finish(self) -> Clauses {
        self.made
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
        let (form, holes) = form(&mut state);
        let guard = self.guard(&state);
        let numbers: Vec<Term> = holes.iter().map(|hole| hole.number).collect();
        let predicate = match self.made.by_form.get(&form) {
            Some(known) => *known,
            None => {
                let predicate = self.made.predicates.len();
                if predicate == MOST_PREDICATES {
                    return Err(NoClauses::TooMany);
                }
                let meanings = holes.iter().map(|hole| self.meaning(&state, hole)).collect();
                let place = self.place(&state);
                let arguments = forget(&mut state, &holes);
                self.made.by_form.insert(form, predicate);
                self.made.predicates.push(Predicate { arguments, meanings, place, state });
                predicate
            }
        };
        self.made.clauses.push(Clause { from: self.now, guard, to: Some((predicate, numbers)) });
        Ok(())
    }

    fn place(&self, state: &State) -> String {
        let top = state.top();
        let function = self.program.function(top.function);
        let span = function.location(top.at).edges.first().map(|edge| edge.span).unwrap_or_default();
        let pos = self.program.source.pos(state.user_span(self.program, span).start);
        format!("{}:{} in {}", pos.file, pos.line, function.name)
    }

    /// What stands at a place, in the program's words.
    fn meaning(&self, state: &State, hole: &Hole) -> String {
        match hole.place {
            HolePlace::Register(frame, reg) => {
                let function = self.program.function(state.frames[frame].function);
                let name = function.regs.get(reg).and_then(|decl| decl.name.clone());
                name.map_or_else(|| format!("a value of {}", function.name), |name| name.to_string())
            }
            HolePlace::Cell(block, offset) => {
                let name = state.memory.object(block).map_or_else(String::new, |object| object.origin.name.to_string());
                if offset == 0 { name } else { format!("{name}+{offset}") }
            }
            HolePlace::Size(_) | HolePlace::Count(_) | HolePlace::First(..) | HolePlace::Last(..) => {
                "a number of the heap".into()
            }
        }
    }

    /// What is known of the numbers in a state; addresses are nothing that clauses speak of.
    fn guard(&self, state: &State) -> Vec<Term> {
        let context = &self.made.context;
        let speaks_of_numbers =
            |part: &Term| context.terms.symbols_of(*part).iter().all(|symbol| !is_address(context, *symbol));
        state.memory.facts().into_iter().filter(speaks_of_numbers).collect()
    }
}

/// Puts symbols about which nothing is known where the numbers stand, and tells them.
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
