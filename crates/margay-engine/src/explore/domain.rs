//! The glue from graphs to exploration.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::canonical::{Constraints, Shape, canonical};
use super::limits::{FEW_WALKS, LONGEST_CHAIN, LONGEST_PASSAGE};
use super::nest::{Nest, nests};
use crate::ats::{Arrival as AtsArrival, ArrivalOf, CutPoint, Domain};
use crate::base::span::Span;
use crate::cfa::{FunctionId, Loc, Program, Step};
use crate::evidence::Obligation;
use crate::frame::Rest;
use crate::heap::{KeptCells, State, outermost, split_among, values};
use crate::memory::{
    Checks, Fault, Frame, Memory, Outcome, Reason, Stuck, Way, fault_span, find_leak, go_straight, step_by_cases,
};
use crate::sharing::{Calls, Plan, Unsplit};
use crate::smt::Term;

/// The shape domain of one program.
pub struct Shapes<'p> {
    /// The program; with outside functions where some are followed apart from their callers.
    pub(crate) program: &'p Program,
    /// What counts as a violation.
    pub(crate) checks: Checks,
    /// The functions that are followed apart from their callers.
    calls: Option<&'p Calls>,
    /// Where runs meet need not be a node.
    passing: Option<Passing>,
}

/// Where walks went on without a node although runs meet there.
struct Passing {
    passes: Passes,
    passed: RefCell<BTreeSet<(FunctionId, Loc)>>,
}

/// Which walks do so.
enum Passes {
    /// Long straight ones, after so many walks: comparing large states in each round of a loop would cost more than the rounds. The
    /// first ones pass nothing: small programs keep a state for each round.
    Straight(Cell<usize>),
    /// Those that enter a loop within another one, by function and location where they stand in the loops around them: what the outer
    /// loop knows decides what the first round does, and that there is one.
    Entering(Vec<Vec<Nest>>),
}

impl<'p> Shapes<'p> {
    /// Every call is followed within its caller.
    pub fn new(program: &'p Program, checks: Checks) -> Self {
        Self { program, checks, calls: None, passing: None }
    }

    /// Every call is followed within its caller, and long straight walks go on where runs meet.
    pub fn passing(program: &'p Program, checks: Checks) -> Self {
        Self { passing: Some(Passes::Straight(Cell::default()).into()), ..Self::new(program, checks) }
    }

    /// Some functions are followed apart from their callers.
    pub fn apart(calls: &'p Calls, checks: Checks) -> Self {
        Self { program: calls.program(), checks, calls: Some(calls), passing: None }
    }

    /// Walks that enter an inner loop go on through its first round.
    pub fn entering(self) -> Self {
        let nests = self.program.functions.iter().map(nests).collect();
        Self { passing: Some(Passes::Entering(nests).into()), ..self }
    }
}

impl From<Passes> for Passing {
    fn from(passes: Passes) -> Self {
        Self { passes, passed: RefCell::default() }
    }
}

impl Passes {
    /// Whether a walk that begins in one state may pass any of the places where runs meet.
    fn begins_at(&self, is_cut_point: bool) -> bool {
        match self {
            Passes::Straight(walks) => {
                walks.set(walks.get() + 1);
                // After a branch the next state where runs meet is compared.
                walks.get() > FEW_WALKS && is_cut_point
            }
            Passes::Entering(_) => true,
        }
    }

    /// Whether a walk goes on after a branch.
    fn branches(&self) -> bool {
        matches!(self, Passes::Entering(_))
    }

    /// Whether the walk from `start` goes on from where it has come to.
    fn goes_on(&self, start: &[Rc<Frame<Term>>], steps: &[Step], now: &[Rc<Frame<Term>>]) -> bool {
        let Passes::Entering(nests) = self else { return steps.len() < LONGEST_PASSAGE };
        let Some(top) = now.last() else { return false };
        let nest = |frame: &Frame<Term>| &nests[frame.function.index()][frame.at.index()];
        let [outer @ .., head, own] = nest(top).as_slice() else { return false };
        let was_within = start.get(now.len() - 1).is_some_and(|frame| {
            frame.function == top.function && nest(frame).len() > outer.len() + 1 && nest(frame)[outer.len()] == *own
        });
        let is_new = || !steps.iter().any(|step| (step.function, step.at) == (top.function, top.at));
        head == own && !outer.is_empty() && !was_within && is_new()
    }
}

/// A possible violation and where.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// What is violated.
    pub fault: Fault,
    /// In the user's text.
    pub span: Span,
}

pub(super) type Arrival = AtsArrival<State, Alarm, Rest>;
pub(super) type Moves = Vec<(Rc<[Step]>, Arrival)>;

/// Where one step leads, before it is looked at as a node.
pub(super) enum Arriving {
    Within(State),
    /// A function that is followed apart from its callers was entered.
    Entered(State),
    /// Such a function was left.
    Left(State, Span),
    Other(Box<Arrival>),
}

impl Domain for Shapes<'_> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = Alarm;
    type Key = Shape;
    type Facts = Constraints;
    type Frame = Rest;
    type Place = ();
    type History = ();

    fn obligation(&self) -> Obligation {
        let program = self.calls.map_or_else(|| self.program.fingerprint(), Calls::fingerprint);
        Obligation::new(program, self.checks)
    }

    fn advance(&self, state: &State) -> Moves {
        self.walk(state, &mut |_| ())
    }

    fn cut_point(&self, state: &State) -> Option<CutPoint<()>> {
        self.is_cut_point(state).then(|| self.boundary(state))
    }

    fn boundary(&self, _state: &State) -> CutPoint<()> {
        CutPoint { place: (), weakens: false }
    }

    fn form(&self, state: &mut State) -> (Shape, Constraints) {
        let top = state.top();
        if self.program.function(top.function).location(top.at).loop_head {
            state.memory.forget_cells(&values(state), |_| KeptCells::Written);
        }
        state.memory.collect_garbage(&mut values(state).iter());
        canonical(state, false)
    }

    fn entails(&self, new: &Constraints, old: &Constraints) -> bool {
        new.entail(old)
    }

    fn passed(&self) -> Vec<(FunctionId, Loc)> {
        self.passing.iter().flat_map(|passing| passing.passed.borrow().clone()).collect()
    }

    fn resume(&self, caller: &Rest, exit: &State) -> Vec<ArrivalOf<Self>> {
        let Some(calls) = self.calls else { return vec![Arrival::Stuck(exit.clone(), "no call".into())] };
        match caller.combine(calls.program(), exit) {
            Ok(Some(state)) => {
                let mut moves = Moves::new();
                self.arrive(Rc::default(), state, &mut moves);
                moves.into_iter().map(|(_, arrival)| arrival).collect()
            }
            Ok(None) => Vec::new(),
            Err(why) => vec![Arrival::Stuck(exit.clone(), why.into())],
        }
    }
}

impl Shapes<'_> {
    /// [`Domain::advance`], with a look at the state before each step.
    pub(super) fn walk(&self, state: &State, visit: &mut dyn FnMut(&State)) -> Moves {
        let mut moves = Moves::new();
        let passing = self.passing.as_ref().filter(|passing| passing.passes.begins_at(self.is_cut_point(state)));
        self.walk_on(passing, state, (Vec::new(), state.clone()), visit, &mut moves);
        moves
    }

    /// Goes on with a walk that has come from `start` by these steps to this state.
    fn walk_on(
        &self,
        passing: Option<&Passing>,
        start: &State,
        (mut steps, mut current): (Vec<Step>, State),
        visit: &mut dyn FnMut(&State),
        moves: &mut Moves,
    ) {
        let passed = Cell::new(false);
        let passes = |steps: &[Step], now: &State| match passing {
            Some(passing) if passing.passes.goes_on(&start.frames, steps, &now.frames) => {
                let top = now.top();
                passing.passed.borrow_mut().insert((top.function, top.at));
                passed.set(true);
                true
            }
            _ => false,
        };
        while steps.len() < LONGEST_CHAIN {
            visit(&current);
            let top = current.top();
            let (function, at) = (top.function, top.at);
            let location = self.program.function(function).location(at);
            let possible = match go_straight(self.program, &self.checks, &mut current, location) {
                Way::Taken(edge) => {
                    steps.push(Step { function, at, edge });
                    if self.is_cut_point(&current) && !passes(&steps, &current) {
                        self.arrive(steps.into(), current, moves);
                        return;
                    }
                    continue;
                }
                Way::Open(possible) => possible,
            };
            // All guards of a branch failing would drop runs without a word; a single assumption may block.
            let stuck = (location.edges.len() != 1).then(|| current.clone());
            let mut arrivals = Vec::new();
            let mut trapped = false;
            let mut rest = Some(current);
            for (position, &index) in possible.iter().enumerate() {
                let edge = &location.edges[index as usize];
                // The last edge takes the state itself, so that straight-line code never copies it.
                let last = position + 1 == possible.len();
                let Some(config) = (if last { rest.take() } else { rest.clone() }) else { break };
                let taken = Step { function, at, edge: index };
                for outcome in step_by_cases(self.program, &self.checks, config, edge) {
                    let traps = matches!(outcome, Outcome::Next(_, Reason::Trapped(_)));
                    match self.arriving(outcome, edge) {
                        // Runs that trap need no node, and those that do not still go straight.
                        Arriving::Other(end) if traps && matches!(*end, Arrival::End) => trapped = true,
                        arriving => arrivals.push((taken, arriving)),
                    }
                }
            }
            if arrivals.is_empty() && trapped {
                return;
            }
            if arrivals.is_empty()
                && let Some(mut state) = stuck
            {
                if !state.memory.has_runs() {
                    return;
                }
                moves.push((steps.into(), Arrival::Stuck(state, "control cannot go on".into())));
                return;
            }
            let goes_straight = matches!(arrivals.as_slice(), [(_, Arriving::Within(_))]);
            match arrivals.pop() {
                Some((taken, Arriving::Within(successor))) if goes_straight => {
                    steps.push(taken);
                    if self.is_cut_point(&successor) && !passes(&steps, &successor) {
                        self.arrive(steps.into(), successor, moves);
                        return;
                    }
                    current = successor;
                }
                last => {
                    arrivals.extend(last);
                    for (taken, arriving) in arrivals {
                        let path: Vec<Step> = steps.iter().copied().chain([taken]).collect();
                        if passed.get() {
                            self.leak_before(&path, &arriving, moves);
                        }
                        match arriving {
                            Arriving::Within(state)
                                if passing.is_some_and(|passing| passing.passes.branches())
                                    && self.is_cut_point(&state)
                                    && passes(&path, &state) =>
                            {
                                self.walk_on(passing, start, (path, state), visit, moves);
                            }
                            arriving => self.land(path.into(), arriving, moves),
                        }
                    }
                    return;
                }
            }
        }
        self.arrive(steps.into(), current, moves);
    }

    pub(super) fn is_cut_point(&self, state: &State) -> bool {
        let top = state.top();
        let location = self.program.function(top.function).location(top.at);
        location.loop_head || location.join
    }

    pub(super) fn arriving(&self, outcome: Outcome<State, Reason>, edge: &crate::cfa::Edge) -> Arriving {
        match outcome {
            Outcome::Next(state, Reason::Halted(_) | Reason::Trapped(_)) => {
                Arriving::Other(Box::new(self.ended(state, edge)))
            }
            Outcome::Next(state, Reason::Entered(function)) if self.plan_of(function).is_some() => {
                Arriving::Entered(state)
            }
            Outcome::Next(state, Reason::Returned(_)) if self.is_outside(&state) => Arriving::Left(state, edge.span),
            Outcome::Next(state, _) => Arriving::Within(state),
            Outcome::Fault(state, fault) => {
                let span = fault_span(self.program, &state, edge);
                Arriving::Other(Box::new(Arrival::Alarm(state, Alarm { fault, span })))
            }
            Outcome::Stuck(state, stuck) => self.stuck(state, &stuck, edge),
            Outcome::Miss(state, miss) => self.stuck(state, &miss.into(), edge),
        }
    }

    fn stuck(&self, state: State, stuck: &Stuck, edge: &crate::cfa::Edge) -> Arriving {
        let pos = self.program.source.pos(fault_span(self.program, &state, edge).start);
        let why = format!("{stuck} at {}:{}", pos.file, pos.line);
        Arriving::Other(Box::new(Arrival::Stuck(state, why.into())))
    }

    fn plan_of(&self, function: FunctionId) -> Option<(&Calls, &Plan)> {
        let calls = self.calls?;
        Some((calls, calls.plan_of(function)?))
    }

    fn is_outside(&self, state: &State) -> bool {
        self.calls.is_some_and(|calls| calls.is_outside(state.top().function))
    }

    fn land(&self, path: Rc<[Step]>, mut arriving: Arriving, moves: &mut Moves) {
        if let Arriving::Entered(state) | Arriving::Left(state, _) = &mut arriving
            && !state.memory.has_runs()
        {
            return;
        }
        match arriving {
            Arriving::Within(state) => self.arrive(path, state, moves),
            // What a function and its callers share has to be the address of one thing.
            Arriving::Entered(state) => match self.shared_apart(&state) {
                Some(cases) => {
                    cases.into_iter().for_each(|case| self.land(path.clone(), Arriving::Entered(case), moves))
                }
                None => {
                    let state = self.without_leak(&path, state, None, moves);
                    moves.push((path, self.entered(state)));
                }
            },
            Arriving::Left(state, span) => match split_among(&state, &outermost(&state)) {
                Some(cases) => {
                    cases.into_iter().for_each(|case| self.land(path.clone(), Arriving::Left(case, span), moves));
                }
                None => {
                    let state = self.without_leak(&path, state, Some(span), moves);
                    moves.push((path, Arrival::Return(state)));
                }
            },
            Arriving::Other(arrival) => moves.push((path, *arrival)),
        }
    }

    /// The cases of a state that has just entered a function which have to be distinguished before it is split.
    fn shared_apart(&self, state: &State) -> Option<Vec<State>> {
        let (calls, _) = self.plan_of(state.top().function)?;
        let values: Vec<Term> = calls.shared(&self.checks, state)?.iter().map(|shared| shared.value).collect();
        split_among(state, &values)
    }

    /// The state in which a function was entered, split where it is followed apart from its callers.
    fn entered(&self, state: State) -> Arrival {
        let function = state.top().function;
        let Some((calls, plan)) = self.plan_of(function) else { return Arrival::State(state) };
        match calls.split(&self.checks, plan, state.clone()) {
            Ok((entry, frame)) => Arrival::Call { entry, frame },
            Err(Unsplit::Untracked | Unsplit::Refused(_)) => Arrival::State(state),
            Err(Unsplit::TooManyShared) => {
                let name = &self.program.function(function).name;
                Arrival::Stuck(state, format!("too many callers of `{name}` hold addresses of what it works on").into())
            }
        }
    }

    pub(super) fn leak(&self, state: &State) -> Option<Fault> {
        if self.checks.memtrack { find_leak(state) } else { None }
    }

    /// Adds the alarm of a block that was lost before something else happens. Where walks pass no cut points there is a node for it.
    fn leak_before(&self, path: &[Step], arriving: &Arriving, moves: &mut Moves) {
        let Arriving::Other(arrival) = arriving else { return };
        if let Arrival::Alarm(state, Alarm { span, .. }) = &**arrival
            && let Some(fault) = self.leak(state)
        {
            moves.push((path.into(), Arrival::Alarm(state.clone(), Alarm { fault, span: *span })));
        }
    }

    fn ended(&self, state: State, edge: &crate::cfa::Edge) -> Arrival {
        match self.leak(&state) {
            Some(fault) => {
                let span = fault_span(self.program, &state, edge);
                Arrival::Alarm(state, Alarm { fault, span })
            }
            None => Arrival::End,
        }
    }

    /// Makes a node of `state`. Leaks are looked for here: a lost block stays lost, and the replay finds the exact place.
    /// The run goes on without the block, because another violation later on would count more.
    fn arrive(&self, path: Rc<[Step]>, mut state: State, moves: &mut Moves) {
        if !state.memory.has_runs() {
            return;
        }
        let state = self.without_leak(&path, state, None, moves);
        moves.push((path, Arrival::State(state)));
    }

    /// The state, after an alarm if it lost a block; `span` is where, if that is not where the state stands.
    fn without_leak(&self, path: &Rc<[Step]>, state: State, span: Option<Span>, moves: &mut Moves) -> State {
        let mut state = state;
        if let Some(fault) = self.leak(&state) {
            let span = span.unwrap_or_else(|| {
                let top = state.top();
                let location = self.program.function(top.function).location(top.at);
                let span = location.edges.first().map(|edge| edge.span).unwrap_or_default();
                state.user_span(self.program, span)
            });
            moves.push((path.clone(), Arrival::Alarm(state.clone(), Alarm { fault, span })));
            let mut roots = state.frames.iter().flat_map(|frame| frame.regs.iter().flatten());
            state.memory.mark_lost(&mut roots);
        }
        state
    }
}
