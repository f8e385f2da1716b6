//! One step of an open function: ops by [`crate::memory::step`], calls by contract.

use std::rc::Rc;
use std::sync::Arc;

use super::calls::{Applied, Calls};
use super::contract::{Contract, Formula};
use super::heap::{SymbolicHeap, World};
use super::matching::Mode;
use super::terms::Reader;
use crate::base::span::Span;
use crate::cfa::{Edge, Expr, FunctionId, NondetKind, Op, Program, Reg};
use crate::memory::{Checks, Config, Fault, Frame, Memory, Miss, Outcome, Reason, Stuck, Successors, fault_span, step};
use crate::smt::Term;

/// What is known of the functions a function calls.
pub(super) trait Callees {
    /// `None` where the function is to be followed within its caller: a model of the library.
    fn contracts(&self, function: FunctionId) -> Option<Arc<[Contract]>>;

    /// Its contracts cover all of its paths, as far as is known.
    fn is_covered(&self, _function: FunctionId) -> bool {
        true
    }

    /// Its text is elsewhere, and it has no contract: it returns something and changes nothing.
    fn is_foreign(&self, function: FunctionId) -> bool;

    /// A step is taken within it.
    fn follows(&self, _function: FunctionId) {}
}

pub(super) type State = Config<SymbolicHeap>;

/// What becomes of a state by one edge.
pub(super) enum Step {
    Next(State),
    /// The function ends, with its result; `None` for the state where the whole program ends.
    End(State, Option<Term>),
    Exit(State),
    Fault(State, Fault, Span),
    Miss(Miss, Span),
    Stuck(Stuck, Span),
}

pub(super) struct Follower<'a> {
    pub program: &'a Program,
    pub world: Rc<World>,
    pub callees: &'a dyn Callees,
    pub mode: Mode,
    /// Functions are followed within their callers rather than by contract, where they do not recur.
    pub inline: bool,
}

/// Wrong accesses and frees; leaks are looked for at the end, and overflow is not asked about.
const CHECKS: Checks = Checks {
    reach_call: false,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: false,
    memcleanup: false,
    overflow: false,
    termination: false,
};

impl Follower<'_> {
    /// `function` where its precondition holds, over the contract's variables `vars`, which are the first ones of `heap`: what
    /// is there is its caller's. `None` where the precondition cannot hold.
    pub fn begin(&self, function: FunctionId, heap: SymbolicHeap, vars: &[Term], pre: &Formula) -> Option<State> {
        let reader = Reader { world: &self.world, program: self.program, vars: vars.to_vec() };
        let mut heap = reader.add(pre, heap)?;
        Rc::make_mut(&mut heap.segments).iter_mut().for_each(|segment| segment.foreign = true);
        Rc::make_mut(&mut heap.blocks).iter_mut().for_each(|block| block.foreign = true);
        Some(self.start(function, heap, vars))
    }

    /// `function` at its entry over a heap; the last register is for its result.
    pub fn start(&self, function: FunctionId, heap: SymbolicHeap, args: &[Term]) -> State {
        let mut frame = Frame::new(self.program, function, None, Span::default());
        for (param, arg) in self.program.function(function).params.iter().zip(args) {
            frame.regs[param.index()] = Some(*arg);
        }
        frame.regs.push(None);
        let globals = (0..self.program.globals.len()).map(crate::memory::BlockId::from_index).collect();
        Config { memory: heap, frames: vec![Rc::new(frame)], globals }
    }

    /// All that may follow.
    pub fn expand(&self, state: &State) -> Vec<Step> {
        let top = state.top();
        self.callees.follows(top.function);
        let location = self.program.function(top.function).location(top.at);
        let mut steps = Vec::new();
        for edge in &location.edges {
            if let (Op::Return { value }, 1) = (&edge.op, state.frames.len()) {
                self.end(state, edge, value.as_ref(), &mut steps);
                continue;
            }
            self.sort(state, edge, step(self.program, &CHECKS, state.clone(), edge), &mut steps);
        }
        steps
    }

    fn sort(&self, before: &State, edge: &Edge, successors: Successors<SymbolicHeap>, steps: &mut Vec<Step>) {
        let span = fault_span(self.program, before, edge);
        for successor in successors {
            match successor {
                Outcome::Next(state, Reason::Entered(function)) => self.entered(before, edge, state, function, steps),
                Outcome::Next(state, Reason::Halted(kind)) => {
                    if kind != crate::cfa::HaltKind::Vanish {
                        steps.push(Step::Exit(state));
                    }
                }
                Outcome::Next(_, Reason::Trapped(_)) => {}
                Outcome::Next(state, _) => steps.push(Step::Next(state)),
                Outcome::Fault(state, fault) => steps.push(Step::Fault(state, fault, span)),
                Outcome::Miss(_, miss) => steps.push(Step::Miss(miss, span)),
                Outcome::Stuck(_, stuck) => steps.push(Step::Stuck(stuck, span)),
            }
        }
    }

    fn entered(&self, before: &State, edge: &Edge, state: State, function: FunctionId, steps: &mut Vec<Step>) {
        if self.inline && self.may_inline(&state, function) {
            steps.push(Step::Next(state));
        } else if let Some(contracts) = self.callees.contracts(function) {
            let calls = Calls { world: &self.world, program: self.program };
            let Applied { successors, inside, asks } = calls.apply(state, &contracts, self.mode);
            if asks && !self.callees.is_covered(function) {
                self.world.narrowed.borrow_mut().insert(function);
            }
            self.sort(before, edge, successors, steps);
            steps.extend(inside.into_iter().map(Step::Next));
        } else if self.callees.is_foreign(function) {
            let mut state = state;
            let name = self.program.function(function).name.clone();
            let frame = state.frames.pop();
            let args = frame.iter().flat_map(|frame| frame.regs.iter().flatten()).copied().collect();
            state.memory.handed_over(args);
            if let Some(dst) = frame.and_then(|frame| frame.result) {
                let width = self.program.function(state.top().function).regs[dst.index()].width;
                let value = state.memory.nondet(&NondetKind::External(name), width);
                state.top_mut().regs[dst.index()] = Some(value);
            } else {
                self.world.assumed.borrow_mut().insert(name);
            }
            steps.push(Step::Next(state));
        } else if state.frames.len() > MAX_INLINED {
            let why = "functions of the library call each other too deep";
            steps.push(Step::Stuck(Stuck::tool(why), fault_span(self.program, before, edge)));
        } else {
            steps.push(Step::Next(state));
        }
    }

    fn may_inline(&self, state: &State, function: FunctionId) -> bool {
        let depth = state.frames.len();
        depth < MAX_INLINED
            && !self.program.function(function).is_stub()
            && state.frames[..depth - 1].iter().all(|frame| frame.function != function)
    }

    /// The function returns: its result is evaluated where its objects still live, then these die.
    fn end(&self, state: &State, edge: &Edge, value: Option<&Expr>, steps: &mut Vec<Step>) {
        let mut ready = Vec::new();
        match value {
            None => ready.push((state.clone(), None)),
            Some(value) => {
                let result = Reg::from_index(self.program.function(state.top().function).regs.len());
                let target = state.top().at;
                let op = Op::Assign { dst: result, value: value.clone() };
                let assign = Edge { op, target, span: edge.span, note: edge.note };
                for outcome in step(self.program, &CHECKS, state.clone(), &assign) {
                    if let Outcome::Next(state, Reason::Plain) = outcome {
                        let value = state.top().regs[result.index()].map(|value| state.memory.norm(value));
                        ready.push((state, value));
                    }
                }
            }
        }
        for (mut state, value) in ready {
            let frame = state.frames[0].clone();
            for block in frame.slots.iter().flatten().chain(&frame.allocas) {
                state.memory.invalidate(*block);
            }
            steps.push(Step::End(state, value));
        }
    }
}

const MAX_INLINED: usize = 24;

/// The same activations but for the values in them.
pub(super) fn same_frames(a: &[Rc<Frame<Term>>], b: &[Rc<Frame<Term>>]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            a.function == b.function
                && a.at == b.at
                && a.result == b.result
                && a.regs.len() == b.regs.len()
                && a.regs.iter().zip(&b.regs).all(|(a, b)| a.is_some() == b.is_some())
                && a.slots.iter().zip(&b.slots).all(|(a, b)| a.is_some() == b.is_some())
                && a.allocas.len() == b.allocas.len()
        })
}
