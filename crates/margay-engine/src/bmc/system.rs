//! The slice as a transition relation on terms: generic states at its points, and what each edge makes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Question;
use super::blocks::{self, BlocksId};
use super::content::{self, ContentId};
use super::execute::{Stack, State, execute, stack};
use super::memory::Flat;
use super::start::begin;
use super::world::{Moment, World};
use crate::cfa::{FunctionId, Step};
use crate::memory::{BlockId, Stuck};
use crate::smt::{SymId, Term};

/// A part of the state that changes with time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variable {
    /// A register of the frame at a depth.
    Register {
        depth: usize,
        function: FunctionId,
        reg: usize,
    },
    SlotBase {
        depth: usize,
        function: FunctionId,
        slot: usize,
    },
    SlotSize {
        depth: usize,
        function: FunctionId,
        slot: usize,
    },
    /// Behind all blocks made so far.
    Frontier,
}

/// A node of the slice and a call stack there.
type Point = (usize, Stack);

/// Where a transition leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Point(usize),
    /// The sink of violations.
    Error,
    /// The sink of runs about which nothing is said.
    Stuck,
}

/// One way to take an edge, for `t - 1` to `t`.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub from: usize,
    pub to: Target,
    /// All of these hold.
    pub conditions: Vec<Term>,
    pub updates: Vec<(Variable, Term)>,
    pub content: ContentId,
    pub blocks: BlocksId,
    pub steps: Vec<Step>,
}

/// All transitions of a slice, points numbered in the order in which they were met (the initial one is 0).
pub(super) struct System {
    pub world: Rc<World>,
    /// The state at time 0, its facts and memory.
    pub initial: State,
    pub initial_facts: Vec<Term>,
    pub points: usize,
    pub transitions: Vec<Transition>,
    pub variables: BTreeMap<Variable, Term>,
    /// Symbols that have one value for all times.
    pub constants: BTreeSet<SymId>,
    pub initial_updates: Vec<(Variable, Term)>,
    /// Runs get to where leaks are asked for.
    pub may_leak: bool,
}

/// Points after which a slice counts as too large for this encoding.
const MAX_POINTS: usize = 200;

struct Builder<'a> {
    question: &'a Question<'a>,
    world: Rc<World>,
    variables: BTreeMap<Variable, Term>,
    ids: BTreeMap<Point, usize>,
    points: Vec<Point>,
    /// By point: the generic state there.
    states: Vec<State>,
    template: State,
    may_leak: bool,
}

/// # Errors
/// What this encoding does not handle.
pub(super) fn system(question: &Question) -> Result<System, Stuck> {
    let world = World::new(question.program.model, question.placement);
    *world.applications.borrow_mut() = Some(Default::default());
    let start = begin(question, &world)?.state;
    let initial_facts = world.facts.take();
    let constants = (0..world.terms.symbol_count()).map(SymId::from_index).collect();
    world.roots_are_functions.set(true);
    let mut builder = Builder {
        question,
        world: world.clone(),
        variables: BTreeMap::new(),
        ids: BTreeMap::new(),
        points: Vec::new(),
        states: Vec::new(),
        template: start.clone(),
        may_leak: false,
    };
    let mut work = BTreeSet::new();
    builder.arrive(question.slice.initial, &start, &mut work)?;
    while let Some(point) = work.pop_first() {
        if builder.points.len() > MAX_POINTS || question.limits.check_time().is_err() {
            return Err(Stuck::tool("the slice is too large for the quantified encoding"));
        }
        builder.expand(point, &mut work)?;
    }
    let mut transitions = Vec::new();
    for point in 0..builder.points.len() {
        builder.transitions(point, &mut transitions);
    }
    let initial_updates = builder.updates(&start, 0);
    Ok(System {
        world,
        initial: start,
        initial_facts,
        points: builder.points.len(),
        transitions,
        variables: builder.variables,
        constants,
        initial_updates,
        may_leak: builder.may_leak,
    })
}

impl Builder<'_> {
    fn variable(&mut self, variable: Variable, width: u32) -> Term {
        *self.variables.entry(variable).or_insert_with(|| self.world.terms.fresh_symbol(width, "x"))
    }

    /// Makes the generic state at a point general enough for `arrival`.
    fn arrive(&mut self, node: usize, arrival: &State, work: &mut BTreeSet<usize>) -> Result<(), Stuck> {
        if arrival.frames.iter().any(|frame| !frame.allocas.is_empty()) {
            return Err(Stuck::tool("the quantified encoding does not handle `alloca`"));
        }
        let point = (node, stack(arrival));
        let id = match self.ids.get(&point) {
            Some(id) => *id,
            None => {
                let id = self.points.len();
                self.ids.insert(point.clone(), id);
                self.points.push(point);
                let generic = self.generic(arrival);
                self.states.push(generic);
                work.insert(id);
                id
            }
        };
        let pointer = self.world.model.pointer_bits();
        for (depth, frame) in arrival.frames.iter().enumerate() {
            let function = frame.function;
            for (reg, value) in frame.regs.iter().enumerate() {
                if let (Some(value), None) = (value, self.states[id].frames[depth].regs[reg]) {
                    let width = self.world.terms.width(*value);
                    let variable = self.variable(Variable::Register { depth, function, reg }, width);
                    Rc::make_mut(&mut self.states[id].frames[depth]).regs[reg] = Some(variable);
                    work.insert(id);
                }
            }
            for (slot, block) in frame.slots.iter().enumerate() {
                if let (Some(_), None) = (block, self.states[id].frames[depth].slots[slot]) {
                    let base = self.variable(Variable::SlotBase { depth, function, slot }, pointer);
                    let size = self.variable(Variable::SlotSize { depth, function, slot }, pointer);
                    let state = &mut self.states[id];
                    let table = Rc::make_mut(&mut state.memory.table);
                    table.push((base, size));
                    let block = BlockId::from_index(table.len() - 1);
                    Rc::make_mut(&mut state.frames[depth]).slots[slot] = Some(block);
                    work.insert(id);
                }
            }
        }
        Ok(())
    }

    /// The frames of `like` with nothing set, on any memory.
    fn generic(&mut self, like: &State) -> State {
        let pointer = self.world.model.pointer_bits();
        let frontier = self.variable(Variable::Frontier, pointer);
        let mut state = like.clone();
        for frame in &mut state.frames {
            let frame = Rc::make_mut(frame);
            frame.regs.iter_mut().for_each(|reg| *reg = None);
            frame.slots.iter_mut().for_each(|slot| *slot = None);
        }
        let globals = self.template.memory.table[..state.globals.len()].to_vec();
        state.memory = Flat {
            guard: self.world.terms.true_(),
            content: content::ROOT,
            blocks: blocks::ROOT,
            frontier,
            table: Rc::new(globals),
            now: Moment { time: 1, count: 0 },
            world: self.world.clone(),
        };
        state
    }

    fn edges(&self, point: usize) -> Vec<usize> {
        let node = self.points[point].0;
        let edges = self.question.slice.edges.iter().enumerate();
        edges.filter(|(_, edge)| edge.from == node).map(|(index, _)| index).collect()
    }

    fn expand(&mut self, point: usize, work: &mut BTreeSet<usize>) -> Result<(), Stuck> {
        let Question { program, checks, slice, .. } = *self.question;
        for index in self.edges(point) {
            let edge = &slice.edges[index];
            let arrivals = execute(program, checks, self.states[point].clone(), &edge.by).arrivals;
            let Some(node) = edge.to else {
                self.may_leak |= checks.memtrack && !arrivals.is_empty();
                continue;
            };
            for arrival in arrivals {
                self.arrive(node, &arrival, work)?;
            }
        }
        self.world.facts.take();
        Ok(())
    }

    fn transitions(&self, from: usize, transitions: &mut Vec<Transition>) {
        let Question { program, checks, slice, .. } = *self.question;
        for index in self.edges(from) {
            let edge = &slice.edges[index];
            let effects = execute(program, checks, self.states[from].clone(), &edge.by);
            let facts = self.world.facts.take();
            let nowhere = |guard: Term, to: Target, steps: &[Step]| Transition {
                from,
                to,
                conditions: facts.iter().copied().chain([guard]).collect(),
                updates: Vec::new(),
                content: content::ROOT,
                blocks: blocks::ROOT,
                steps: steps.to_vec(),
            };
            for (steps, guard, _) in &effects.faults {
                transitions.push(nowhere(*guard, Target::Error, &edge.by[..*steps]));
            }
            for (guard, _) in &effects.stuck {
                transitions.push(nowhere(*guard, Target::Stuck, &edge.by));
            }
            let Some(node) = edge.to else { continue };
            for arrival in effects.arrivals {
                let Some(&to) = self.ids.get(&(node, stack(&arrival))) else { continue };
                transitions.push(Transition {
                    updates: self.updates(&arrival, to),
                    content: arrival.memory.content,
                    blocks: arrival.memory.blocks,
                    ..nowhere(arrival.memory.guard, Target::Point(to), &edge.by)
                });
            }
        }
    }

    /// The variables that the generic state at `to` speaks of, with their values in `arrival`; those it never set are arbitrary.
    fn updates(&self, arrival: &State, to: usize) -> Vec<(Variable, Term)> {
        let mut updates = vec![(Variable::Frontier, arrival.memory.frontier)];
        for (depth, (frame, generic)) in arrival.frames.iter().zip(&self.states[to].frames).enumerate() {
            let function = frame.function;
            for (reg, value) in frame.regs.iter().enumerate() {
                if let (Some(value), Some(_)) = (value, generic.regs[reg]) {
                    updates.push((Variable::Register { depth, function, reg }, *value));
                }
            }
            for (slot, block) in frame.slots.iter().enumerate() {
                if generic.slots[slot].is_some() {
                    let none = (self.world.pointer(0), self.world.pointer(0));
                    let (base, size) = block.map_or(none, |block| arrival.memory.table[block.index()]);
                    updates.push((Variable::SlotBase { depth, function, slot }, base));
                    updates.push((Variable::SlotSize { depth, function, slot }, size));
                }
            }
        }
        updates
    }
}
