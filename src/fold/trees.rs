//! Where trees are, and folding them from the leaves on: a node whose children are trees of its kind, or are not there, is a tree.
//!
//! Over-approximates: a tree has any number of nodes, each of which is an instance of one body.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::census::{Census, Holder};
use super::join::Scene;
use crate::heap::{Branches, Form, Smg, Tree, no_content};
use crate::memory::BlockId;
use crate::smt::Term;

/// Heap blocks of one size that are nodes of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeClass {
    /// Bytes of a node.
    pub size: u64,
    pub links: Branches,
}

/// What is below a node: trees, or nothing.
struct Below {
    trees: Vec<BlockId>,
    up: Option<Term>,
}

impl TreeClass {
    /// Whether a list linked at this offset of such blocks would run along the branches of a tree.
    pub(super) fn has_link(&self, size: Option<u128>, offset: u64) -> bool {
        size == Some(self.size.into()) && self.links.offsets().contains(&offset)
    }
}

impl Smg {
    /// Makes a tree of one node or path and what is below it; whether there was one. With `apart`, nodes that a variable points to
    /// stay as they are.
    pub(super) fn fold_tree(&mut self, scene: Scene, class: &TreeClass, apart: bool) -> bool {
        let is_path = |block: &BlockId| self.object(*block).is_some_and(|object| object.form.summary().is_some());
        let (paths, rest): (Vec<BlockId>, Vec<BlockId>) = self.objects.keys().copied().partition(is_path);
        let nodes: Vec<BlockId> = rest.into_iter().filter(|block| self.is_node(*block, class)).collect();
        if nodes.is_empty() && paths.is_empty() {
            return false;
        }
        let census = Census::take(self, scene.roots);
        let is_worked_on =
            |memory: &Self, node: BlockId| apart && census.of_block(memory, node).contains(&Holder::Root);
        nodes.into_iter().any(|node| !is_worked_on(self, node) && self.fold_at(scene, &census, class, node).is_some())
            || paths.into_iter().any(|first| self.close_path(scene, &census, class, first).is_some())
    }

    pub(super) fn is_node(&self, block: BlockId, class: &TreeClass) -> bool {
        let size = |block| self.object(block).and_then(|object| self.context.terms.as_const(object.size));
        self.is_live_heap(block)
            && self.object(block).is_some_and(|object| object.is_region())
            && size(block) == Some(class.size.into())
    }

    fn fold_at(&mut self, scene: Scene, census: &Census, class: &TreeClass, node: BlockId) -> Option<()> {
        let links = class.links.offsets();
        let leaf = self.context.pointer_constant(0);
        let below = self.below(census, class, node)?;
        let body = Rc::new(self.extract(census, node, &links)?);
        let body = below.trees.iter().try_fold(body, |body, child| self.body_with_tree(scene, &body, *child))?;
        let tree = Tree { links: class.links, min_len: 1, leaf, up: below.up, body };
        let gone = self.nested(census, node, &links);
        let mut folded = self.clone();
        gone.into_iter().chain(below.trees).for_each(|block| folded.remove_object(block));
        let object = folded.object_mut(node)?;
        object.form = Form::Tree(Rc::new(tree));
        object.content = no_content();
        folded.place_ends(node);
        folded.consistent().ok()?;
        *self = folded;
        Some(())
    }

    /// What is below a node whose children nobody else speaks of.
    fn below(&self, census: &Census, class: &TreeClass, node: BlockId) -> Option<Below> {
        let up = match class.links.parent {
            Some(parent) => Some(self.field(node, parent)?),
            None => None,
        };
        let mut trees = Vec::new();
        for offset in class.links.children {
            trees.extend(self.hidden_tree(census, node, offset, class.links.into())?);
        }
        Some(Below { trees, up })
    }

    /// The branches by which a block leads to two others of its kind that only it leads to.
    fn branches_at(&self, node: BlockId, is_meant: &dyn Fn(&TreeClass) -> bool) -> Option<TreeClass> {
        let object = self.object(node).filter(|object| self.is_live_heap(node) && object.is_region())?;
        let size = self.context.terms.as_const(object.size)?;
        let is_alike = |block: BlockId| {
            let other = self.object(block);
            block != node
                && self.is_live_heap(block)
                && other.is_some_and(|other| other.is_region() && other.size == object.size)
        };
        let targets: Vec<(u64, BlockId, u64)> = object
            .content
            .edges()
            .iter()
            .filter_map(|edge| {
                let (block, head) = self.exact_target(self.field(node, edge.offset)?)?;
                is_alike(block).then_some((edge.offset, block, head))
            })
            .collect();
        for (index, &(left, a, head)) in targets.iter().enumerate() {
            for &(right, b, other) in &targets[index + 1..] {
                let link = self.context.terms.add_constant(object.address, i128::from(head));
                let back = |block: BlockId| -> Vec<u64> {
                    let Some(object) = self.object(block) else { return Vec::new() };
                    let edges = object.content.edges().iter();
                    edges.filter(|edge| self.field(block, edge.offset) == Some(link)).map(|edge| edge.offset).collect()
                };
                let parent = match (&back(a)[..], &back(b)[..]) {
                    ([], []) => None,
                    ([parent], [same]) if parent == same && ![left, right].contains(parent) => Some(*parent),
                    _ => continue,
                };
                let holds_links =
                    |block: BlockId| [left, right].into_iter().chain(parent).all(|at| self.field(block, at).is_some());
                let is_led_to_once = |block: BlockId| {
                    let leads = |other: BlockId, object: &crate::heap::Object| {
                        let edges = object.content.edges().iter().filter(|edge| Some(edge.offset) != parent);
                        let fields = edges.filter_map(|edge| self.field(other, edge.offset));
                        fields.filter(|value| self.exact_target(*value).is_some_and(|(to, _)| to == block)).count()
                    };
                    let heap = self.objects.iter().filter(|(other, _)| self.is_live_heap(**other));
                    heap.map(|(other, object)| leads(*other, object)).sum::<usize>() == 1
                };
                let fits = a != b
                    && head == other
                    && holds_links(a)
                    && holds_links(b)
                    && is_led_to_once(a)
                    && is_led_to_once(b);
                let class = TreeClass {
                    size: u64::try_from(size).ok()?,
                    links: Branches { head, children: [left, right], parent },
                };
                if fits && is_meant(&class) {
                    return Some(class);
                }
            }
        }
        None
    }
}

/// A kind of trees that a memory of single blocks shows and that `is_meant`.
///
/// Source: shape classes chosen from explicit heaps, after the CAV'12 paper on counterexample-guided shape refinement.
pub fn tree_class(memory: &Smg, is_meant: &dyn Fn(&TreeClass) -> bool) -> Option<TreeClass> {
    memory.objects.keys().find_map(|block| memory.branches_at(*block, is_meant))
}
