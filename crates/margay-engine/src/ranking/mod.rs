//! Ranking functions: for each state of a proof a measure that decreases along every edge, so that the program ends. What is found
//! here is checked with the proof and need not be trusted.
//!
//! Strongly connected components of the proof's graph are ordered by a number each. Within a component one expression over the
//! program's variables is looked for that no edge increases and some edge decreases; what remains without the edges that it
//! decreases is ordered in the same way (lexicographic ranking: Bradley, Manna, Sipma, CAV'05; Ben-Amram, Genaim, JACM'14). Of a step
//! that is decreased in part what is left is where the expression stays equal: this is how loops with phases are ordered.

mod expressions;
mod flows;
mod guards;
mod linear;
mod loops;
mod slots;
mod steps;

pub use expressions::{Expression, Sign};
pub use linear::{Linear, Number};
pub use loops::{LoopRanking, loop_heads, loop_rankings};
pub use slots::{Slot, Variable};

use std::collections::BTreeSet;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::base::limits::{Exhausted, Limits};
use crate::certificate::{Order, Proof};
use crate::heap::State;
use crate::smt::Term;
use expressions::Step;

/// Bits of the number of a component.
const LEVEL_BITS: u32 = 32;

/// Why there is no measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unranked {
    /// None was found for the component that this state belongs to.
    Component(usize),
    /// Time or memory ran out.
    Exhausted(Exhausted),
}

/// An edge of a proof's graph with what arrives along it.
struct Edge<'a> {
    from: usize,
    to: usize,
    before: &'a State,
    after: &'a State,
}

/// A measure for each state of `proof`, which has its edges with what arrives along them.
///
/// # Errors
/// None was found.
pub fn measures(proof: &Proof, limits: &Limits) -> Result<Vec<Vec<(Term, Order)>>, Unranked> {
    let edges = edges(proof);
    let steps: Vec<Step> =
        edges.iter().enumerate().map(|(index, edge)| Step::new(index, edge.before, edge.after)).collect();
    let mut ranking = Ranking { proof, limits, edges: &edges, measures: vec![Vec::new(); proof.states.len()] };
    let states: Vec<usize> = (0..proof.states.len()).collect();
    ranking.order(&states, &steps)?;
    Ok(ranking.measures)
}

fn edges(proof: &Proof) -> Vec<Edge<'_>> {
    let edges = proof.cover_edges.iter().enumerate().flat_map(|(from, edges)| {
        let before = &*proof.states[from];
        edges
            .iter()
            .filter_map(move |edge| Some(Edge { from, to: edge.target, before, after: edge.arrival.as_deref()? }))
    });
    edges.collect()
}

struct Ranking<'a> {
    proof: &'a Proof,
    limits: &'a Limits,
    edges: &'a [Edge<'a>],
    measures: Vec<Vec<(Term, Order)>>,
}

impl<'a> Ranking<'a> {
    /// Makes the measures of these states decrease along these steps, which lie between them.
    fn order(&mut self, states: &[usize], steps: &[Step<'a>]) -> Result<(), Unranked> {
        let mut graph: DiGraph<usize, ()> = DiGraph::new();
        let mut position = std::collections::BTreeMap::new();
        for state in states {
            position.insert(*state, graph.add_node(*state));
        }
        for step in steps {
            let Edge { from, to, .. } = self.edges[step.edge];
            graph.add_edge(position[&from], position[&to], ());
        }
        // Those that are reached come first.
        for (level, component) in tarjan_scc(&graph).into_iter().enumerate() {
            let members: BTreeSet<usize> = component.iter().map(|node: &NodeIndex| graph[*node]).collect();
            for state in &members {
                let terms = &self.proof.states[*state].memory.context().terms;
                self.measures[*state].push((terms.constant(level as u128, LEVEL_BITS), Order::Falls));
            }
            let is_within = |step: &&Step| {
                let Edge { from, to, .. } = self.edges[step.edge];
                members.contains(&from) && members.contains(&to)
            };
            let within: Vec<Step> = steps.iter().filter(is_within).cloned().collect();
            if !within.is_empty() {
                self.decrease(&members, &within)?;
            }
        }
        Ok(())
    }

    /// The same for a strongly connected component.
    fn decrease(&mut self, members: &BTreeSet<usize>, steps: &[Step<'a>]) -> Result<(), Unranked> {
        let states: Vec<&State> = members.iter().map(|state| &*self.proof.states[*state]).collect();
        let found = expressions::decreasing(&states, steps, None, self.limits).map_err(Unranked::Exhausted)?;
        let first = members.iter().next().copied().unwrap_or_default();
        let (expression, left) = found.ok_or(Unranked::Component(first))?;
        for state in members {
            let value = expression.value(&self.proof.states[*state]).ok_or(Unranked::Component(first))?;
            self.measures[*state].push((value, expression.order()));
        }
        let states: Vec<usize> = members.iter().copied().collect();
        self.order(&states, &left)
    }
}
