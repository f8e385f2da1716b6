//! Shapes of binary trees, for the definition of what trees and paths stand for.

use super::{Branches, Lead, Piece, Tree};
use crate::smt::Term;

/// A node, and which of its links to children.
pub(super) type Hole = (usize, usize);

/// There are too many larger shapes to try them all.
const MOST_TRIED: u32 = 5;

/// All binary trees of so many nodes, as long as these are few: the children of each node, the root first.
pub(super) fn shapes(nodes: u32) -> Vec<Vec<[Option<usize>; 2]>> {
    if nodes == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for left in (0..nodes).filter(|_| nodes <= MOST_TRIED) {
        for a in &shapes(left) {
            for b in &shapes(nodes - 1 - left) {
                let first = |shape: &[[Option<usize>; 2]], at: usize| (!shape.is_empty()).then_some(at);
                let moved = |shape: &[[Option<usize>; 2]], by: usize| -> Vec<[Option<usize>; 2]> {
                    shape.iter().map(|children| children.map(|child| child.map(|child| child + by))).collect()
                };
                let mut shape = vec![[first(a, 1), first(b, 1 + a.len())]];
                shape.extend(moved(a, 1));
                shape.extend(moved(b, 1 + a.len()));
                found.push(shape);
            }
        }
    }
    found
}

/// What stands at `address`: the nodes that links to children lead to, the children of each, and where the link is at which the walk
/// was stopped.
pub(super) fn seen(
    links: Branches,
    leaf: u128,
    address: u128,
    cut: Option<(u128, usize)>,
    read: &dyn Fn(u128) -> Option<u128>,
) -> (Vec<u128>, Vec<[Option<usize>; 2]>, Option<Hole>) {
    let (mut met, mut shape, mut hole) = (vec![address], Vec::new(), None);
    while let Some(&node) = met.get(shape.len()) {
        let mut children = [None; 2];
        for (side, offset) in links.children.into_iter().enumerate() {
            if cut == Some((node, side)) {
                hole = Some((shape.len(), side));
                continue;
            }
            let link = read(node + u128::from(offset)).filter(|link| *link != leaf);
            if let Some(to) = link.and_then(|link| link.checked_sub(links.head.into()))
                && !met.contains(&to)
            {
                children[side] = Some(met.len());
                met.push(to);
            }
        }
        shape.push(children);
    }
    (met, shape, hole)
}

/// The nodes of a tree of this shape, with something else in place of one link.
pub(super) fn branched(tree: &Tree, shape: &[[Option<usize>; 2]], hole: Option<(Hole, Term)>) -> Vec<Piece> {
    let mut parents = vec![None; shape.len()];
    for (index, children) in shape.iter().enumerate() {
        children.iter().flatten().for_each(|child| parents[*child] = Some(index));
    }
    let head = tree.links.head;
    let piece = |index: usize| {
        let down =
            tree.links.children.iter().zip(shape[index]).enumerate().map(|(side, (offset, child))| match child {
                _ if hole.is_some_and(|(hole, _)| hole == (index, side)) => {
                    (*offset, 0, Lead::Value(hole.map_or(tree.leaf, |(_, value)| value)))
                }
                Some(child) => (*offset, head, Lead::Node(child)),
                None => (*offset, 0, Lead::Value(tree.leaf)),
            });
        let up = tree.links.parent.zip(tree.up).map(|(offset, up)| match parents[index] {
            Some(parent) => (offset, head, Lead::Node(parent)),
            None => (offset, 0, Lead::Value(up)),
        });
        Piece { bodies: vec![tree.body.clone()], links: down.chain(up).collect() }
    };
    (0..shape.len()).map(piece).collect()
}
