//! Rankings of loops, for witnesses and reports: what decreases from each visit of a loop's head to every later one, whatever lies
//! between. Measures of states do not say that: they are over symbols of one state, and begin with numbers of components.

use std::collections::{BTreeMap, BTreeSet};

use super::expressions::{Expression, Sign, Step, decreasing};
use super::slots::{Slot, Variable};
use super::{Edge, edges};
use crate::base::limits::{Exhausted, Limits};
use crate::certificate::Proof;
use crate::cfa::{FunctionId, Loc, Program, Scalar, live};
use crate::heap::State;
use crate::names::{self, Place};

/// Edges of one loop that are looked at: beyond, the search is long and what it finds is long to read.
const MOST_EDGES: usize = 4000;

/// What decreases, lexicographically, from one visit of a loop's head to any later one.
#[derive(Clone, Debug)]
pub struct LoopRanking {
    /// The function of the loop.
    pub function: FunctionId,
    /// Its head.
    pub at: Loc,
    /// Over variables of that function and global ones.
    pub tuple: Vec<Expression>,
}

/// Rankings of the loops of `proof` that have one over what can be named there. The proof has its edges with what arrives along them.
pub fn loop_rankings(program: &Program, proof: &Proof, limits: &Limits) -> Vec<LoopRanking> {
    let edges = edges(proof);
    let mut found = Vec::new();
    for ((function, at), states) in loop_heads(program, proof) {
        if proof.passed.contains(&(function, at)) {
            continue;
        }
        let head = Head { proof, edges: &edges, states };
        match head.tuple(program, (function, at), limits) {
            Ok(Some(tuple)) if !tuple.is_empty() => found.push(LoopRanking { function, at, tuple }),
            Ok(_) => {}
            Err(_) => break,
        }
    }
    found
}

/// The positions of the states of `proof` that stand at heads of loops of the user's text, by head.
pub fn loop_heads(program: &Program, proof: &Proof) -> BTreeMap<(FunctionId, Loc), Vec<usize>> {
    let mut heads: BTreeMap<(FunctionId, Loc), Vec<usize>> = BTreeMap::new();
    for (index, state) in proof.states.iter().enumerate() {
        let top = state.top();
        // Exits of functions that were followed apart stand outside of the program.
        let Some(function) = program.functions.get(top.function.index()) else { continue };
        let location = function.location(top.at);
        if location.loop_head && location.loop_span.is_some() && !function.library {
            heads.entry((top.function, top.at)).or_default().push(index);
        }
    }
    heads
}

/// The states at one head.
struct Head<'a> {
    proof: &'a Proof,
    edges: &'a [Edge<'a>],
    states: Vec<usize>,
}

impl Head<'_> {
    /// `None` where none was found.
    fn tuple(
        &self,
        program: &Program,
        (function, at): (FunctionId, Loc),
        limits: &Limits,
    ) -> Result<Option<Vec<Expression>>, Exhausted> {
        let steps = self.edges.iter().enumerate().map(|(index, edge)| Step::new(index, edge.before, edge.after));
        let mut left = self.between(steps.collect());
        let Some(depth) = self.states.first().map(|state| self.proof.states[*state].frames.len() - 1) else {
            return Ok(None);
        };
        // A register is the same variable where its frame is one of this function.
        let is_ours = |state: &State| state.frames.get(depth).is_some_and(|frame| frame.function == function);
        let all_ours = left.iter().all(|step| is_ours(step.before) && is_ours(step.after));
        if left.len() > MOST_EDGES || !all_ours {
            return Ok(None);
        }
        let named = named(program, (function, at), depth);
        let mut tuple = Vec::new();
        while !left.is_empty() {
            let ends = left.iter().flat_map(|step| [self.edges[step.edge].from, self.edges[step.edge].to]);
            let states: BTreeSet<usize> = ends.collect();
            let states: Vec<&State> = states.into_iter().map(|state| &*self.proof.states[state]).collect();
            let Some((expression, rest)) = decreasing(&states, &left, Some(&named), limits)? else { return Ok(None) };
            tuple.push(expression);
            left = self.between(rest);
        }
        Ok(Some(tuple))
    }

    /// Those of these steps that lie on a path along them from a visit of the head to another one.
    fn between<'b>(&self, mut steps: Vec<Step<'b>>) -> Vec<Step<'b>> {
        let forward = self.reached(&steps, |edge| (edge.from, edge.to));
        let backward = self.reached(&steps, |edge| (edge.to, edge.from));
        steps.retain(|step| {
            let Edge { from, to, .. } = &self.edges[step.edge];
            forward.contains(from) && backward.contains(to)
        });
        steps
    }

    /// The states that the head's lead to along these steps, in the direction that `ends` gives them; themselves included.
    fn reached(&self, steps: &[Step], ends: impl Fn(&Edge) -> (usize, usize)) -> BTreeSet<usize> {
        let mut leaving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for step in steps {
            let (from, to) = ends(&self.edges[step.edge]);
            leaving.entry(from).or_default().push(to);
        }
        let mut reached: BTreeSet<usize> = self.states.iter().copied().collect();
        let mut open: Vec<usize> = self.states.clone();
        while let Some(state) = open.pop() {
            for next in leaving.get(&state).into_iter().flatten() {
                if reached.insert(*next) {
                    open.push(*next);
                }
            }
        }
        reached
    }
}

/// Integer variables of the function whose frame is at `depth`, and global ones, that C text names at this head.
fn named(program: &Program, (function, at): (FunctionId, Loc), depth: usize) -> BTreeMap<Slot, Sign> {
    let function = program.function(function);
    let Some(span) = function.location(at).loop_span else { return BTreeMap::new() };
    let variables = names::variables(program, function, &live(function), at, span.start);
    let named = variables.iter().filter_map(|variable| {
        let sign = if variable.scalar == Scalar::Signed { Sign::Signed } else { Sign::Unsigned };
        Some((Slot::of(variable, depth)?, sign))
    });
    named.collect()
}

impl Slot {
    /// Where an integer variable stands that a function names whose frame is at `depth`; members are not meant.
    pub fn of(variable: &names::Variable, depth: usize) -> Option<Self> {
        let is_integer = matches!(variable.scalar, Scalar::Signed | Scalar::Unsigned | Scalar::Bool);
        let is_variable = variable.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let slot = match &variable.place {
            Place::Register(register) => Self::Register(depth, register.index()),
            Place::Slot(slot, bytes) => Self::Cell(Variable::Local(depth, slot.index()), bytes.offset, bytes.size),
            Place::Global(index, bytes) => Self::Cell(Variable::Global(*index), bytes.offset, bytes.size),
            Place::Pointed(..) => return None,
        };
        (is_integer && is_variable).then_some(slot)
    }
}
