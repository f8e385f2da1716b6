//! Where runs through a function meet again.
//!
//! Source: Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001), on the edges turned round.

use super::super::ir::{Function, Loc};
use super::super::postorder::{postorder, turned};

/// Immediate postdominators: of each location the first one that every way from there to the end of the function comes through.
///
/// Ways end at returns and at halts. A loop that nothing leads out of is taken to end at its head, which counts as a branch then.
pub struct Postdominators {
    /// Beyond the locations stands the end.
    next: Vec<usize>,
    heads: Vec<bool>,
}

impl Postdominators {
    pub fn new(function: &Function) -> Self {
        let end = function.locations.len();
        let mut successors: Vec<Vec<usize>> = Vec::with_capacity(end);
        for location in &function.locations {
            let is_end = location.edges.is_empty() || location.edges.iter().any(|edge| edge.op.is_end());
            let targets = location.edges.iter().map(|edge| edge.target.index()).collect();
            successors.push(if is_end { vec![end] } else { targets });
        }
        let heads = endless_heads(&successors, end);
        for (loc, _) in heads.iter().enumerate().filter(|(_, is_head)| **is_head) {
            successors[loc].push(end);
        }
        let predecessors = turned(&successors, end + 1);
        let (order, number) = postorder(&predecessors, end);
        let mut next = vec![usize::MAX; end + 1];
        next[end] = end;
        let mut changed = true;
        while changed {
            changed = false;
            for &loc in order.iter().rev().filter(|loc| **loc != end) {
                let mut known = successors[loc].iter().copied().filter(|to| next[*to] != usize::MAX);
                let Some(first) = known.next() else { continue };
                let meet = known.fold(first, |a, b| intersect(&next, &number, a, b));
                changed |= std::mem::replace(&mut next[loc], meet) != meet;
            }
        }
        Self { next, heads }
    }

    /// `None` is the end of the function.
    pub fn of(&self, loc: Loc) -> Option<Loc> {
        let next = self.next[loc.index()];
        (next < self.next.len() - 1).then(|| Loc::from_index(next))
    }

    /// The heads of loops that nothing leads out of.
    pub fn endless(&self) -> impl Iterator<Item = Loc> {
        self.heads.iter().enumerate().filter(|(_, is_head)| **is_head).map(|(index, _)| Loc::from_index(index))
    }

    /// For each location the branches that decide whether it is come to.
    pub fn deciders(&self, function: &Function) -> Vec<Vec<Loc>> {
        let mut deciders: Vec<Vec<Loc>> = vec![Vec::new(); function.locations.len()];
        for (index, location) in function.locations.iter().enumerate() {
            if location.edges.len() < 2 && !self.heads[index] {
                continue;
            }
            let branch = Loc::from_index(index);
            let meet = self.next[index];
            for edge in &location.edges {
                let mut at = edge.target.index();
                while at != meet && at < function.locations.len() {
                    if deciders[at].last() != Some(&branch) {
                        deciders[at].push(branch);
                    }
                    at = self.next[at];
                }
            }
        }
        deciders
    }
}

/// Among the locations from which there is no way to the end: those that a search meets again on its way.
fn endless_heads(successors: &[Vec<usize>], end: usize) -> Vec<bool> {
    let predecessors = turned(successors, end + 1);
    let mut reaches = vec![false; end + 1];
    let mut open = vec![end];
    while let Some(loc) = open.pop() {
        if !std::mem::replace(&mut reaches[loc], true) {
            open.extend(&predecessors[loc]);
        }
    }
    let mut heads = vec![false; end];
    let (mut seen, mut on_path) = (vec![false; end], vec![false; end]);
    for root in (0..end).filter(|loc| !reaches[*loc]) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        on_path[root] = true;
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            match successors[node].get(*next) {
                Some(&to) => {
                    *next += 1;
                    heads[to] |= on_path[to];
                    if !std::mem::replace(&mut seen[to], true) {
                        on_path[to] = true;
                        path.push((to, 0));
                    }
                }
                None => {
                    on_path[node] = false;
                    path.pop();
                }
            }
        }
    }
    heads
}

fn intersect(next: &[usize], number: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        while number[a] < number[b] {
            a = next[a];
        }
        while number[b] < number[a] {
            b = next[b];
        }
    }
    a
}
