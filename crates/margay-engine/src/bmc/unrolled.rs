//! The unrolled encoding: one layer a step, with the nodes that runs of exactly so many edges can stand at.
//!
//! Runs that meet at a node of a layer are joined by if-then-else; after each layer the solver is asked whether one of the
//! faults met in it can happen. Facts only grow, so that the solver keeps what it learnt.

use std::collections::BTreeMap;

use super::execute::{Stack, State, execute, stack};
use super::join::join;
use super::path::{End, follow};
use super::start::begin;
use super::world::{Moment, World};
use super::{Answer, Encoding, Question};
use crate::base::work::{self, SECOND};
use crate::cfa::Step;
use crate::smt::{Effort, Model, Sat, Solver, Term, Terms, Z3Solver};

/// See the head of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unrolled;

/// A node of the slice and a call stack there.
type Point = (usize, Stack);

/// An edge taken in a layer.
struct Taken {
    from: Point,
    edge: usize,
    to: Point,
    guard: Term,
}

/// A fault met in a layer, or an end where blocks may be lost: after how many steps of which edge.
struct Met {
    from: Point,
    edge: usize,
    steps: usize,
    guard: Term,
}

/// Terms that are made in a second.
const TERMS_OF_A_SECOND: u64 = 500_000;
/// Terms beyond which the question is too large.
const MAX_TERMS: usize = 4_000_000;
/// Paths of one layer along which leaks are looked for; where there are more the answer is open.
const MAX_LEAK_PATHS: usize = 64;
/// Nodes of one layer beyond which the question is too large.
const MAX_LAYER: usize = 4_000;

impl Encoding for Unrolled {
    fn name(&self) -> &'static str {
        "unrolled"
    }

    fn feasible(&self, question: &Question) -> Answer {
        let world = World::new(question.program.model, question.placement);
        match begin(question, &world) {
            Ok(begun) => Unrolling::new(question).run(&world, begun.state),
            Err(stuck) => Answer::Unclear(stuck.to_string()),
        }
    }
}

struct Unrolling<'a> {
    question: &'a Question<'a>,
    /// The edges that leave each node.
    leaving: Vec<Vec<usize>>,
    layers: Vec<Vec<Taken>>,
    solver: Z3Solver,
    /// Runs about which nothing is said, and why not of the first.
    stuck: Vec<Term>,
    why: Option<String>,
    /// Why leaks are not excluded.
    open: Option<String>,
}

impl<'a> Unrolling<'a> {
    fn new(question: &'a Question<'a>) -> Self {
        let mut leaving = vec![Vec::new(); question.slice.nodes];
        for (index, edge) in question.slice.edges.iter().enumerate() {
            leaving[edge.from].push(index);
        }
        Self {
            question,
            leaving,
            layers: Vec::new(),
            solver: Z3Solver::new(),
            stuck: Vec::new(),
            why: None,
            open: None,
        }
    }

    fn run(mut self, world: &World, state: State) -> Answer {
        let question = self.question;
        let mut layer = BTreeMap::from([((question.slice.initial, stack(&state)), state)]);
        for time in 1..=question.bound {
            if question.limits.check_time().and_then(|()| question.limits.check_memory()).is_err() {
                return Answer::Unclear(format!("out of resources after {} of {} steps", time - 1, question.bound));
            }
            if world.terms.len() > MAX_TERMS || layer.len() > MAX_LAYER {
                return Answer::Unclear(format!("too large after {} steps", time - 1));
            }
            let known = world.terms.len();
            let (next, met, ends) = self.advance(layer, time);
            work::charge((world.terms.len() - known) as u64 * SECOND / TERMS_OF_A_SECOND);
            if let Some(answer) = self.ask(world, &met).or_else(|| self.ask_for_leaks(world, &ends)) {
                return answer;
            }
            layer = next;
            if layer.is_empty() {
                return self.nothing_found(world, time, true);
            }
        }
        self.nothing_found(world, question.bound, false)
    }

    /// One more layer, the faults on the way to it, and the ends at which leaks are to be looked for.
    fn advance(&mut self, layer: BTreeMap<Point, State>, time: u32) -> (BTreeMap<Point, State>, Vec<Met>, Vec<Met>) {
        let Question { program, checks, slice, .. } = *self.question;
        let mut next: BTreeMap<Point, State> = BTreeMap::new();
        let mut taken = Vec::new();
        let mut met = Vec::new();
        let mut ends = Vec::new();
        for (from, mut state) in layer {
            state.memory.now = Moment { time, count: 0 };
            let edges = self.leaving[from.0].clone();
            for &index in &edges {
                let edge = &slice.edges[index];
                let mut state = state.clone();
                if self.is_ambiguous(index, &edges) {
                    state = chosen(state, index, &edges);
                }
                let effects = execute(program, checks, state, &edge.by);
                for (steps, guard, _) in effects.faults {
                    met.push(Met { from: from.clone(), edge: index, steps, guard });
                }
                for (guard, why) in effects.stuck {
                    self.stuck.push(guard);
                    self.why.get_or_insert_with(|| why.to_string());
                }
                let Some(node) = edge.to else {
                    let arrivals = effects.arrivals.iter().filter(|_| checks.memtrack);
                    ends.extend(arrivals.map(|arrival| Met {
                        from: from.clone(),
                        edge: index,
                        steps: edge.by.len(),
                        guard: arrival.memory.guard,
                    }));
                    continue;
                };
                for arrival in effects.arrivals {
                    let to = (node, stack(&arrival));
                    taken.push(Taken { from: from.clone(), edge: index, to: to.clone(), guard: arrival.memory.guard });
                    let joined = match next.remove(&to) {
                        Some(earlier) => join(earlier, &arrival),
                        None => arrival,
                    };
                    next.insert(to, joined);
                }
            }
        }
        self.layers.push(taken);
        (next, met, ends)
    }

    /// Whether a run can take this edge and another one alike.
    fn is_ambiguous(&self, index: usize, edges: &[usize]) -> bool {
        let steps = |index: usize| &self.question.slice.edges[index].by;
        let mine = steps(index);
        edges.iter().any(|&other| other != index && (steps(other).starts_with(mine) || mine.starts_with(steps(other))))
    }

    /// The answer where one of the faults can happen.
    fn ask(&mut self, world: &World, met: &[Met]) -> Option<Answer> {
        let terms = &world.terms;
        let guards: Vec<Term> = met.iter().map(|met| met.guard).collect();
        let any = terms.disjunction(&guards);
        if terms.is_false(any) {
            return None;
        }
        match self.solve(world, any) {
            Sat::Sat(model) => {
                let Some((path, _)) = self.path(terms, &model, met) else {
                    return Some(Answer::Unclear("the model follows no path".into()));
                };
                Some(follow(self.question, path, End::Fault))
            }
            Sat::Unsat => None,
            Sat::Unknown(why) => Some(Answer::Unclear(format!("no answer after {} steps: {why}", self.layers.len()))),
        }
    }

    /// The answer where a block is lost on a path to one of the ends: one path after the other, because only on a path all blocks
    /// are known by themselves.
    fn ask_for_leaks(&mut self, world: &World, ends: &[Met]) -> Option<Answer> {
        let terms = &world.terms;
        let mut goal = terms.disjunction(&ends.iter().map(|end| end.guard).collect::<Vec<_>>());
        for _ in 0..MAX_LEAK_PATHS {
            let model = match self.solve(world, goal) {
                Sat::Sat(model) => model,
                Sat::Unsat => return None,
                Sat::Unknown(why) => return self.leave_open(why),
            };
            let Some((path, guards)) = self.path(terms, &model, ends) else {
                return self.leave_open("the model follows no path".into());
            };
            match follow(self.question, path, End::Leak) {
                Answer::Infeasible { .. } => {}
                Answer::Unclear(why) => _ = self.leave_open(why),
                found => return Some(found),
            }
            goal = terms.bool_and(goal, terms.not(terms.conjunction(&guards)));
        }
        self.leave_open("too many paths to look for leaks on each".into())
    }

    /// Something else may still be found, but nothing excluded.
    fn leave_open(&mut self, why: String) -> Option<Answer> {
        self.open.get_or_insert(why);
        None
    }

    fn solve(&mut self, world: &World, goal: Term) -> Sat {
        let mut query = world.facts.borrow().clone();
        query.push(goal);
        let effort = Effort { rlimit: 0, timeout: None }.within(self.question.limits);
        self.solver.check(&world.terms, &query, effort)
    }

    /// The steps that a model takes to one of the faults or ends, and the guards that only runs along this path fulfil.
    fn path(&self, terms: &Terms, model: &Model, met: &[Met]) -> Option<(Vec<Step>, Vec<Term>)> {
        let holds = |guard: Term| model.evaluate(terms, guard) == 1;
        let edges = &self.question.slice.edges;
        let last = met.iter().find(|met| holds(met.guard))?;
        let mut parts = vec![&edges[last.edge].by[..last.steps]];
        let mut guards = vec![last.guard];
        let mut at = &last.from;
        for layer in self.layers[..self.layers.len() - 1].iter().rev() {
            let taken = layer.iter().find(|taken| &taken.to == at && holds(taken.guard))?;
            parts.push(&edges[taken.edge].by);
            guards.push(taken.guard);
            at = &taken.from;
        }
        parts.reverse();
        Some((parts.concat(), guards))
    }

    fn nothing_found(&mut self, world: &World, bound: u32, exhaustive: bool) -> Answer {
        if let Some(why) = self.open.take() {
            return Answer::Unclear(why);
        }
        let stuck = world.terms.disjunction(&self.stuck);
        match self.why.take() {
            Some(why) if !self.solve(world, stuck).is_unsat() => Answer::Unclear(why),
            _ => Answer::Infeasible { bound, exhaustive },
        }
    }
}

/// The state on the runs that take the edge `index` of several like it.
fn chosen(mut state: State, index: usize, edges: &[usize]) -> State {
    const CHOICE_BITS: u32 = 16;
    let choice = state.memory.unknown(CHOICE_BITS);
    let terms = &state.memory.world.clone().terms;
    let position = edges.iter().position(|edge| *edge == index).unwrap_or(0);
    let here = terms.eq(choice, terms.constant(position as u128, CHOICE_BITS));
    state.memory.guard = terms.bool_and(state.memory.guard, here);
    state
}
