//! Ways through what was explored: the path to a node, and all walks to an ending as a slice.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::explore::{Arrival, Domain, Ending, Explorer};
use super::slice::{Slice, SliceEdge};
use crate::evidence::NodeId;

/// What is left to write of a path, from its end.
enum Part<M> {
    /// The moves to a node, from the start or from the entry of its context.
    To(NodeId, Option<NodeId>),
    Move(M, NodeId),
}

impl<D: Domain> Explorer<D> {
    /// The moves from the initial node to the end of `at`, each with the node it leads to (the last one to none). What a call
    /// that is followed once for all callers does is written out.
    pub fn path(&self, at: &Ending<D::Move>) -> Vec<(D::Move, Option<NodeId>)> {
        let mut found = Vec::new();
        let mut work = vec![Part::To(at.from, None)];
        if let Some(exit) = at.after {
            work.push(Part::Move(at.by.clone(), at.from));
            work.push(Part::To(exit, Some(self.entry_of(exit))));
        } else {
            found.push((at.by.clone(), None));
        }
        while let Some(part) = work.pop() {
            match part {
                Part::Move(by, to) => found.push((by, Some(to))),
                Part::To(node, stop) => {
                    let Some((parent, by)) = &self.nodes[node.index()].parent else { continue };
                    if stop == Some(node) {
                        continue;
                    }
                    work.push(Part::To(*parent, stop));
                    work.push(Part::Move(by.clone(), node));
                    work.extend(self.nodes[node.index()].after.map(|exit| Part::To(exit, Some(self.entry_of(exit)))));
                }
            }
        }
        found.reverse();
        if at.after.is_some()
            && let Some(last) = found.last_mut()
        {
            last.1 = None;
        }
        found
    }

    /// The entry of the context that `node` belongs to.
    fn entry_of(&self, node: NodeId) -> NodeId {
        self.contexts[self.nodes[node.index()].context.index()].entry
    }

    /// All walks from the initial node to an ending, through coverings too.
    pub fn slice(&self, endings: &[Ending<D::Move>]) -> Slice<D::Move> {
        let stands_for = |node: NodeId| self.nodes[node.index()].covered_by.unwrap_or(node);
        let mut edges: Vec<(NodeId, D::Move, Option<NodeId>)> = Vec::new();
        let mut leave: FxHashMap<NodeId, Vec<(NodeId, D::Move)>> = FxHashMap::default();
        for index in 0..self.nodes.len() {
            let node = NodeId::from_index(index);
            if let (Some((parent, by)), false) = (&self.nodes[index].parent, self.nodes[index].removed) {
                leave.entry(stands_for(node)).or_default().push((*parent, by.clone()));
            }
        }
        // What goes on after a call is reached from wherever the function is left.
        let before = |from: NodeId, by: &D::Move, after: Option<NodeId>| match after {
            Some(exit) => leave.get(&exit).cloned().unwrap_or_default(),
            None => vec![(from, by.clone())],
        };
        for (index, node) in self.nodes.iter().enumerate() {
            let (Some((parent, by)), false) = (&node.parent, node.removed) else { continue };
            if self.entry_of(NodeId::from_index(index)).index() == index {
                continue;
            }
            let to = Some(stands_for(NodeId::from_index(index)));
            edges.extend(before(*parent, by, node.after).into_iter().map(|(from, by)| (from, by, to)));
        }
        for context in self.contexts.iter().filter(|context| !self.nodes[context.entry.index()].removed) {
            edges.extend(context.waiters.iter().map(|call| (call.at, call.label.clone(), Some(context.entry))));
        }
        for at in endings {
            edges.extend(before(at.from, &at.by, at.after).into_iter().map(|(from, by)| (from, by, None)));
        }
        self.backwards(edges)
    }

    /// The part of the graph from which an edge without a target is reached, numbered from the initial node on.
    fn backwards(&self, edges: Vec<(NodeId, D::Move, Option<NodeId>)>) -> Slice<D::Move> {
        let mut into: FxHashMap<Option<NodeId>, Vec<usize>> = FxHashMap::default();
        for (index, (_, _, to)) in edges.iter().enumerate() {
            into.entry(*to).or_default().push(index);
        }
        let mut useful = vec![false; edges.len()];
        let mut work: VecDeque<Option<NodeId>> = VecDeque::from([None]);
        let mut seen = vec![false; self.nodes.len()];
        while let Some(to) = work.pop_front() {
            for &index in into.get(&to).map_or(&[][..], Vec::as_slice) {
                useful[index] = true;
                let from = edges[index].0;
                if !std::mem::replace(&mut seen[from.index()], true) {
                    work.push_back(Some(from));
                }
            }
        }
        let mut numbers: FxHashMap<NodeId, usize> = FxHashMap::from_iter([(NodeId(0), 0)]);
        let mut number = |node: NodeId| {
            let next = numbers.len();
            *numbers.entry(node).or_insert(next)
        };
        let edges: Vec<SliceEdge<D::Move>> = edges
            .into_iter()
            .zip(useful)
            .filter(|(_, useful)| *useful)
            .map(|((from, by, to), _)| SliceEdge { from: number(from), by, to: to.map(&mut number) })
            .collect();
        Slice { nodes: numbers.len(), initial: 0, edges }
    }

    /// The moves of the run to the end of `at`, of which `holds` tells whether it is in a state; `None`: it does not get there.
    pub fn run_to(&self, at: &Ending<D::Move>, holds: &dyn Fn(&D::State) -> bool) -> Option<Vec<D::Move>> {
        let mut children: FxHashMap<NodeId, VecDeque<NodeId>> = FxHashMap::default();
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some((parent, _)) = &node.parent {
                children.entry(*parent).or_default().push_back(NodeId::from_index(index));
            }
        }
        let mut moves = Vec::new();
        let mut node = NodeId(0);
        let mut state = self.state(node)?.clone();
        // A run comes by each node once: it takes turns in their order.
        for _ in 0..self.nodes.len() {
            let mut next = None;
            let mut children = children.remove(&node).unwrap_or_default();
            for (by, arrival) in self.domain().advance(&state) {
                match arrival {
                    Arrival::State(arrives) => {
                        let child = children.pop_front()?;
                        if next.is_none() && holds(&arrives) {
                            next = Some((by, child, arrives));
                        }
                    }
                    Arrival::Alarm(arrives, _) if node == at.from && holds(&arrives) => {
                        moves.push(by);
                        return Some(moves);
                    }
                    _ => {}
                }
            }
            let (by, child, arrives) = next?;
            moves.push(by);
            node = self.nodes[child.index()].covered_by.unwrap_or(child);
            state = self.state(node).cloned().unwrap_or_else(|| Rc::new(arrives));
        }
        None
    }
}
