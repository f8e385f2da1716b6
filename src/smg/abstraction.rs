//! The abstract member: proves programs that build and walk lists of any length. It says `TRUE` or nothing.

use std::cell::RefCell;
use std::collections::BTreeSet;

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::callgraph::{Apart, Calls};
use super::calls::Caller;
use super::canonical::{Constraints, Shape, canonical};
use super::check::{Proof, check};
use super::context::Context;
use super::domain::{Alarm, Arrival, Moves, Shapes, State, Step, values};
use super::fold::Precision;
use super::graph::Smg;
use super::merge::Merging;
use super::widen::Widening;
use crate::ats::{CheckReport, Checked, Complete, Domain, Explorer, Finding, Refused, Summaries};
use crate::base::limits::{Exhausted, Limits};
use crate::cfa::{Program, Reg};
use crate::memory::{Checks, find_leak, initial};
use crate::smt::{SymId, Term, Z3Solver};

/// A completed exploration whose proof was accepted.
pub struct Proved {
    pub complete: Complete,
    pub checked: Checked,
    pub nodes: usize,
    /// Functions followed once for several calls.
    pub summaries: Summaries,
    /// The initial state, then the uncovered ones where runs meet.
    pub proof: Proof,
    pub report: CheckReport,
    /// How long the check took.
    pub checking: Duration,
}

/// Precisions in the order they are tried: coarse ones first, as they are the fastest.
pub(super) const PRECISIONS: [Precision; 5] = [
    Precision { equal_nodes: 2, unequal_nodes: 2, foreign_nodes: 4, values: 3, apart: false },
    Precision { equal_nodes: 2, unequal_nodes: 2, foreign_nodes: 4, values: 3, apart: true },
    Precision { equal_nodes: 2, unequal_nodes: 4, foreign_nodes: 4, values: 3, apart: false },
    Precision { equal_nodes: 3, unequal_nodes: 5, foreign_nodes: 5, values: 6, apart: false },
    Precision { equal_nodes: 5, unequal_nodes: 8, foreign_nodes: 8, values: 12, apart: false },
];

/// Why there is no proof.
#[derive(Debug)]
pub struct NotProved {
    pub reason: String,
    /// A limit was hit: more time or memory may help.
    pub ran_out: bool,
    /// Proofs that the checker did not accept: a defect of this tool, and the reason.
    pub refused: Option<Refused>,
}

/// Tries to prove that `program` violates nothing of `checks`, for as long as `limits` allow. A proof found in time is
/// checked under `patience`.
///
/// # Errors
/// Why there is no proof; this says nothing about whether there is a violation.
pub fn prove(program: &Program, checks: &Checks, limits: &Limits, patience: &Limits) -> Result<Proved, NotProved> {
    let mut reason = "no precision was tried".to_string();
    let mut ran_out = false;
    let mut refused: Option<Refused> = None;
    for (index, precision) in PRECISIONS.into_iter().enumerate() {
        // A precision that does not get to an end leaves half of the time to finer ones.
        let share = if index + 1 < PRECISIONS.len() { limits.remaining().map(|time| time / 2) } else { None };
        let limits = &share.map_or_else(|| limits.clone(), |share| limits.within(share));
        // What callers and functions know of each other is kept where lists are few; otherwise a call within its caller tells more.
        let apart = if index < 3 { Apart::Shared } else { Apart::Recursive };
        let calls = Calls::new(program, apart);
        let context = Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), limits.clone()));
        let config = initial(calls.program(), Smg::new(context)).map_err(|stuck| NotProved {
            reason: stuck.why.to_string(),
            ran_out: false,
            refused: None,
        })?;
        let mut explorer = Explorer::new(Abstract::new(&calls, *checks, precision), config);
        match explorer.run(limits) {
            Finding::Complete(complete) => {
                let (nodes, proof, started) = (explorer.nodes().len(), Proof::of(&explorer, apart), Instant::now());
                match check(program, *checks, &proof, patience) {
                    Ok((checked, report)) => {
                        let (checking, summaries) = (started.elapsed(), explorer.summaries());
                        return Ok(Proved { complete, checked, nodes, summaries, proof, report, checking });
                    }
                    Err(why) => {
                        reason = format!("the proof was not accepted: {why}");
                        refused = Some(why);
                    }
                }
            }
            Finding::Exhausted(Exhausted::Timeout) => {
                reason = "the abstract exploration ran out of time".into();
                ran_out = true;
            }
            Finding::Exhausted(_) => {
                let reason = "the abstract exploration ran out of resources".into();
                return Err(NotProved { reason, ran_out: true, refused });
            }
            Finding::Incomplete(why) => reason = why.to_string(),
            Finding::Alarm { alarm, .. } => {
                let pos = program.source.pos(alarm.span.start);
                reason = format!("{} at {}:{} could not be excluded", alarm.fault.detail, pos.file, pos.line);
            }
        }
    }
    Err(NotProved { reason, ran_out, refused })
}

/// The shape domain with abstraction at loop heads.
pub(super) struct Abstract<'p> {
    shapes: Shapes<'p>,
    calls: &'p Calls,
    precision: Precision,
    widening: RefCell<Widening>,
    merging: RefCell<Merging>,
}

impl<'p> Abstract<'p> {
    pub fn new(calls: &'p Calls, checks: Checks, precision: Precision) -> Self {
        let widening = RefCell::new(Widening::new(calls.program(), precision));
        let merging = RefCell::new(Merging::new(precision.values));
        Self { shapes: Shapes::apart(calls, checks), calls, precision, widening, merging }
    }
}

impl Domain for Abstract<'_> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = Alarm;
    type Key = Shape;
    type Facts = Constraints;
    type Frame = Caller;

    fn advance(&self, state: &State) -> Moves {
        self.shapes.advance(state)
    }

    fn abstraction(&self, state: &mut State) -> Option<(Shape, Constraints)> {
        if !self.shapes.is_meeting_point(state) {
            return None;
        }
        let top = state.top();
        let location = self.shapes.program.function(top.function).location(top.at);
        let folds = location.loop_head;
        Some(self.abstracted(state, folds))
    }

    fn boundary(&self, state: &mut State) -> (Shape, Constraints) {
        // Without it recursion would not come to an end.
        let folds = self.calls.is_recursive(state.top().function);
        self.abstracted(state, folds)
    }

    fn resume(&self, caller: &Caller, exit: &State) -> Vec<Arrival> {
        self.shapes.resume(caller, exit)
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        new.entail(old)
    }
}

impl Abstract<'_> {
    fn abstracted(&self, state: &mut State, folds: bool) -> (Shape, Constraints) {
        forget_unread_pointers(self.shapes.program, &self.shapes.checks, state);
        let roots = values(state);
        state.memory.collect_garbage(&mut roots.iter());
        state.memory.forget_far_edges(&roots);
        if folds {
            let mut widening = self.widening.borrow_mut();
            state.memory.fold(&roots, &self.precision, widening.thresholds());
            widening.widen(state);
        }
        let roots = values(state);
        state.memory.collect_garbage(&mut roots.iter());
        state.memory.forget_numbers_of_the_past(&roots);
        if folds {
            return self.merging.borrow_mut().merge(state);
        }
        canonical(state, true)
    }
}

/// Drops pointers that nobody reads any more where something else keeps their blocks tracked. What they point to may count
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

impl Smg {
    /// Drops constraints on symbols that no value speaks of any more: over-approximates, and lets states meet that differ in
    /// their past only.
    pub(super) fn forget_numbers_of_the_past(&mut self, roots: &[Term]) {
        let context = self.context.clone();
        let mut live: BTreeSet<SymId> = BTreeSet::new();
        let mut visit = |term: Term| live.extend(context.terms.symbols_of(term).iter().copied());
        roots.iter().copied().for_each(&mut visit);
        for object in self.objects.values() {
            visit(object.address);
            object.each_term(&mut visit);
        }
        let keep = |constraint: Term| context.terms.symbols_of(constraint).iter().all(|symbol| live.contains(symbol));
        self.weaken(&keep);
    }

    /// Keeps only the constraints that `keep` accepts.
    pub(super) fn weaken(&mut self, keep: &dyn Fn(Term) -> bool) {
        let context = self.context.clone();
        let objects: Vec<(SymId, Term)> = self
            .objects
            .values()
            .filter_map(|object| Some((context.terms.as_symbol(object.address)?, object.size)))
            .collect();
        self.store.weaken(&context, &objects, keep);
    }
}
