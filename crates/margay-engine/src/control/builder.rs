//! Makes the clauses of a program.
//!
//! Between two loop heads all paths are one formula, as [`Merging`] makes it; so the clauses say what [`crate::memory::step`] says,
//! and no second semantics is written. Which predicate a state at a loop's head belongs to, and what its arguments are there, say
//! [`Heads`]. Where nothing can be said of how runs go on, that counts as a violation.
//!
//! Source: large-block encoding (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani, FMCAD'09).

use std::collections::BTreeMap;

use super::clauses::{Clause, Clauses, NoClauses, Predicate, is_address};
use super::heads::{Heads, drop_lost, place};
use super::merging::{Merging, merged};
use rustc_hash::FxHashMap;

use crate::ats::{Arrival, Domain, Order};
use crate::base::limits::Limits;
use crate::cfa::Program;
use crate::heap::State;
use crate::memory::Checks;
use crate::smt::Term;
use crate::task::Violation;

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
    /// Begins in `start`, with a predicate for each form of states that comes up; no clause is made yet.
    pub fn new(program: &'p Program, checks: Checks, start: State) -> Self {
        Self::with(program, checks, start, (Heads::Forms(FxHashMap::default()), Vec::new()))
    }

    /// The same with these predicates.
    pub(super) fn with(
        program: &'p Program,
        checks: Checks,
        start: State,
        (heads, predicates): (Heads, Vec<Predicate>),
    ) -> Self {
        let merging = Merging::new(program, checks);
        let context = start.memory.context().clone();
        let order = merging.order(&start);
        Self {
            program,
            merging,
            made: Clauses { context, predicates, clauses: Vec::new(), start: start.clone(), heads, merges: true },
            now: None,
            next: 0,
            waiting: BTreeMap::from([((order, 0), start)]),
            arrived: 0,
        }
    }

    /// Every path has a clause of its own: numbers that decide what becomes of lists are not one for several paths.
    pub(super) fn without_merging(mut self) -> Self {
        self.made.merges = false;
        self
    }

    /// Whether states that meet between loop heads become one.
    pub(super) fn merges(&self) -> bool {
        self.made.merges
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
                Arrival::State(state) => match keeping_all(state) {
                    Some(state) if self.merging.is_loop_head(&state) => self.arrive(state)?,
                    Some(state) => self.wait(state),
                    None => {}
                },
                Arrival::Alarm(state, alarm) => {
                    let guard = self.guard(&state);
                    let losing = (alarm.fault.violation == Violation::ValidMemtrack).then(|| loses(state));
                    let guard = guard.into_iter().chain(losing).collect();
                    self.made.clauses.push(Clause { from: self.now, guard, to: None });
                }
                Arrival::Stuck(state, _) | Arrival::Return(state) => {
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
        let both = both.filter(|_| self.made.merges);
        self.arrived += 1;
        match both {
            Some((turn, both)) => _ = self.waiting.insert(turn, both),
            None => _ = self.waiting.insert((order, self.arrived), state),
        }
    }

    /// The block ends at a loop's head.
    fn arrive(&mut self, mut state: State) -> Result<(), NoClauses> {
        let mut guard = self.guard(&state);
        let landed = Heads::land(&mut self.made, self.program, &mut state)?;
        let Some(to) = landed else {
            // Where the solver was not asked, it may stand for nothing.
            let is_possible = state.memory.is_possible();
            return if is_possible { Err(NoClauses::Outside(place(self.program, &state))) } else { Ok(()) };
        };
        // What was dropped says which runs come here, what was added what is known of the values.
        let known = self.guard(&state);
        guard.extend(known.into_iter().filter(|part| !guard.contains(part)).collect::<Vec<_>>());
        self.made.clauses.push(Clause { from: self.now, guard, to: Some(to) });
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

/// The conditions that summaries that nothing leads to have no node; `None` for what is a block for sure.
fn lost(state: &State) -> Vec<Option<Term>> {
    let memory = &state.memory;
    let lost = memory.blocks().filter(|(_, object)| object.lost && object.valid && object.kind.can_leak());
    let emptiness = |block| {
        let (_, owner) = memory.owner_of(block)?;
        owner.form.summary()?.emptiness(memory.context())
    };
    lost.map(|(block, _)| emptiness(block)).collect()
}

/// The condition that blocks were lost: a list that nothing leads to has nodes.
fn loses(mut state: State) -> Term {
    let mut roots = state.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
    state.memory.mark_lost(&mut roots);
    let terms = &state.memory.context().terms;
    let lost = lost(&state);
    let has_nodes = |empty: &Option<Term>| empty.map_or(terms.true_(), |empty| terms.not(empty));
    match lost.is_empty() {
        true => terms.true_(),
        false => terms.disjunction(&lost.iter().map(has_nodes).collect::<Vec<_>>()),
    }
}

/// The state of the runs that lost nothing so far, if there are any.
fn keeping_all(mut state: State) -> Option<State> {
    let lost: Option<Vec<Term>> = lost(&state).into_iter().collect();
    let lost = lost?;
    if lost.is_empty() {
        return Some(state);
    }
    for empty in lost {
        state.memory = state.memory.restrict(empty)?;
    }
    drop_lost(&mut state);
    Some(state)
}
