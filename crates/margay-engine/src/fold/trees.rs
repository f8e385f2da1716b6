//! Where trees are, and folding them from the leaves on: a node whose children are trees of its kind, or are not there, is a tree.
//!
//! Over-approximates: a tree has any number of nodes, each of which is an instance of one body.

use super::discover::exact_target;
use super::extract::{extract, nested};
use super::paths::{body_with_tree, close_path, hidden_tree};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::census::{Census, Holder};
use super::join::Folding;
use super::precision::Keep;
use crate::cfa::Allocation;
use crate::heap::{Body, Branches, Cell, Form, Object, Smg, Tree, no_content};
use crate::memory::{BlockId, BlockKind, Site};
use crate::smt::{SymId, Term, Terms};

/// Heap blocks of one size that are nodes of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeClass {
    /// Bytes of a node.
    pub size: u64,
    /// Where nodes hold their links.
    pub links: Branches,
    /// Where nodes are made, if that tells them from other blocks of that size.
    #[serde(default)]
    pub sites: Option<Sites>,
}

/// A few allocations of a program, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sites([Option<(u32, u32)>; 6]);

impl Sites {
    fn number(site: Site) -> Option<(u32, u32)> {
        match site {
            Site::Made(function, Allocation::At(at) | Allocation::Before(at)) => {
                Some((function.index() as u32, at.index() as u32))
            }
            Site::Global(_) | Site::Slot(..) | Site::Outside => None,
        }
    }

    fn has(&self, site: Site) -> bool {
        Self::number(site).is_some_and(|number| self.0.contains(&Some(number)))
    }

    /// Adds one; `None` where there are too many.
    fn with(mut self, site: Site) -> Option<Self> {
        let number = Self::number(site)?;
        if !self.has(site) {
            *self.0.iter_mut().find(|place| place.is_none())? = Some(number);
            self.0.sort_unstable_by_key(|place| place.map_or((1, 0, 0), |(function, at)| (0, function, at)));
        }
        Some(self)
    }
}

/// What is below a node: trees, or nothing.
struct Below {
    trees: Vec<BlockId>,
    up: Option<Term>,
}

impl TreeClass {
    /// Whether a list linked at this offset of blocks like `object` would run along the branches of a tree.
    pub(super) fn has_link(&self, terms: &Terms, object: &Object, offset: u64) -> bool {
        self.is_made(terms, object) && self.links.offsets().contains(&offset)
    }

    /// Whether the size of `object`, and where it was made, are those of a node.
    fn is_made(&self, terms: &Terms, object: &Object) -> bool {
        terms.as_const(object.size) == Some(self.size.into())
            && self.sites.is_none_or(|sites| sites.has(object.origin.site))
    }
}

/// Makes a tree of one node or path and what is below it; whether there was one.
pub(super) fn fold_tree(smg: &mut Smg, folding: Folding, class: &TreeClass, keep: &Keep) -> bool {
    let is_path = |block: &BlockId| smg.object(*block).is_some_and(|object| object.form.summary().is_some());
    let (paths, rest): (Vec<BlockId>, Vec<BlockId>) = smg.objects.keys().copied().partition(is_path);
    let nodes: Vec<BlockId> = rest.into_iter().filter(|block| is_node(smg, *block, class)).collect();
    if nodes.is_empty() && paths.is_empty() {
        return false;
    }
    let census = Census::take(smg, folding.roots);
    let is_worked_on =
        |memory: &Smg, node: BlockId| keep.apart && census.of_block(memory, node).contains(&Holder::Root);
    nodes
        .into_iter()
        .any(|node| !is_worked_on(smg, node) && fold_at(smg, folding, &census, (class, keep), node).is_some())
        || paths.into_iter().any(|first| close_path(smg, folding, &census, class, first).is_some())
}

pub(super) fn is_node(smg: &Smg, block: BlockId, class: &TreeClass) -> bool {
    let is_one = |object: &Object| object.is_region() && class.is_made(&smg.context.terms, object);
    smg.is_live_heap(block) && smg.object(block).is_some_and(|object| is_one(object))
}

fn fold_at(
    smg: &mut Smg,
    folding: Folding,
    census: &Census,
    (class, keep): (&TreeClass, &Keep),
    node: BlockId,
) -> Option<()> {
    let links = class.links.offsets();
    let leaf = smg.context.pointer_constant(0);
    let below = below(smg, census, class, node)?;
    let own = Rc::new(extract(smg, census, node, &links)?);
    let join = |body: Rc<Body>, child: &BlockId| body_with_tree(smg, folding, &body, *child);
    let body = below.trees.iter().try_fold(own.clone(), join)?;
    if keep.own_pointers && !has_pointers_of(smg, &body, &own) {
        return None;
    }
    let tree = Tree { links: class.links, min_len: 1, leaf, up: below.up, body };
    let gone = nested(smg, census, node, &links);
    let mut folded = smg.clone();
    gone.into_iter().chain(below.trees).for_each(|block| folded.remove_object(block));
    let object = folded.object_mut(node)?;
    object.form = Form::Tree(Rc::new(tree));
    object.content = no_content();
    folded.place_ends(node);
    folded.consistent().ok()?;
    *smg = folded;
    Some(())
}

/// Whether all nodes of a body hold the pointers to blocks outside of it, and the null pointers, that a node like `own` holds.
fn has_pointers_of(smg: &Smg, body: &Body, own: &Body) -> bool {
    let context = &smg.context;
    let leads_out = |term: Term| {
        let is_pointer = context.terms.width(term) == context.model.pointer_bits();
        let is_address = |symbol: &SymId| smg.points_to.contains_key(symbol);
        is_pointer && (context.terms.as_const(term) == Some(0) || context.terms.symbols_of(term).iter().any(is_address))
    };
    let (Some(all), Some(node)) = (body.objects.first(), own.objects.first()) else { return false };
    let mut pointers =
        node.content.edges().iter().filter(|edge| matches!(edge.cell, Cell::Value(term) if leads_out(term)));
    pointers.all(|edge| all.content.edges().contains(edge))
}

/// What is below a node whose children are held nowhere else.
fn below(smg: &Smg, census: &Census, class: &TreeClass, node: BlockId) -> Option<Below> {
    let up = match class.links.parent {
        Some(parent) => Some(smg.field(node, parent)?),
        None => None,
    };
    let mut trees = Vec::new();
    for offset in class.links.children {
        trees.extend(hidden_tree(smg, census, node, offset, class.links.into())?);
    }
    Some(Below { trees, up })
}

/// The branches by which a block leads to two others of its kind that only it leads to.
fn branches_at(smg: &Smg, node: BlockId, is_meant: &dyn Fn(&TreeClass, Site) -> bool) -> Option<TreeClass> {
    let object = smg.object(node).filter(|object| smg.is_live_heap(node) && object.is_region())?;
    let size = smg.context.terms.as_const(object.size)?;
    let is_alike = |block: BlockId| {
        let other = smg.object(block);
        block != node
            && smg.is_live_heap(block)
            && other.is_some_and(|other| other.is_region() && other.size == object.size)
    };
    let targets: Vec<(u64, BlockId, u64)> = object
        .content
        .edges()
        .iter()
        .filter_map(|edge| {
            let (block, head) = exact_target(smg, smg.field(node, edge.offset)?)?;
            is_alike(block).then_some((edge.offset, block, head))
        })
        .collect();
    for (index, &(left, a, head)) in targets.iter().enumerate() {
        for &(right, b, other) in &targets[index + 1..] {
            let link = smg.context.terms.add_constant(object.address, i128::from(head));
            let back = |block: BlockId| -> Vec<u64> {
                let Some(object) = smg.object(block) else { return Vec::new() };
                let edges = object.content.edges().iter();
                edges.filter(|edge| smg.field(block, edge.offset) == Some(link)).map(|edge| edge.offset).collect()
            };
            let parent = match (&back(a)[..], &back(b)[..]) {
                ([], []) => None,
                ([parent], [same]) if parent == same && ![left, right].contains(parent) => Some(*parent),
                _ => continue,
            };
            let holds_links =
                |block: BlockId| [left, right].into_iter().chain(parent).all(|at| smg.field(block, at).is_some());
            let is_led_to_once = |block: BlockId| {
                let leads = |other: BlockId, object: &crate::heap::Object| {
                    let edges = object.content.edges().iter().filter(|edge| Some(edge.offset) != parent);
                    let fields = edges.filter_map(|edge| smg.field(other, edge.offset));
                    fields.filter(|value| exact_target(smg, *value).is_some_and(|(to, _)| to == block)).count()
                };
                let heap = smg.objects.iter().filter(|(other, _)| smg.is_live_heap(**other));
                heap.map(|(other, object)| leads(*other, object)).sum::<usize>() == 1
            };
            let fits =
                a != b && head == other && holds_links(a) && holds_links(b) && is_led_to_once(a) && is_led_to_once(b);
            let class = TreeClass {
                size: u64::try_from(size).ok()?,
                links: Branches { head, children: [left, right], parent },
                sites: None,
            };
            if fits && is_meant(&class, object.origin.site) {
                return Some(class);
            }
        }
    }
    None
}

/// A kind of trees that one of these memories of single blocks shows and that `is_meant`, by a node that is made at that site. Where
/// other blocks may have the size of its nodes, by what is seen or as `has_size_alone` says, it is recognised by where nodes are made.
///
/// Source: shape classes chosen from explicit heaps, after the CAV'12 paper on counterexample-guided shape refinement.
pub fn tree_class<'a>(
    memories: impl Iterator<Item = &'a Smg> + Clone,
    is_meant: &dyn Fn(&TreeClass, Site) -> bool,
    has_size_alone: &dyn Fn(&TreeClass) -> bool,
) -> Option<TreeClass> {
    let root = |memory: &'a Smg| {
        memory
            .objects
            .iter()
            .find_map(|(block, object)| Some((branches_at(memory, *block, is_meant)?, object.origin.site)))
    };
    let (class, site) = memories.clone().find_map(root)?;
    let sites = Sites::default().with(site).and_then(|sites| class.made_at(memories, sites));
    let sites = sites.filter(|(_, others)| *others || !has_size_alone(&class)).map(|(sites, _)| sites);
    Some(TreeClass { sites, ..class })
}

impl TreeClass {
    /// Where nodes are made: these sites, and those of what is below nodes that are made there; and whether others have the size of a
    /// node. `None` where sites are many.
    fn made_at<'a>(&self, memories: impl Iterator<Item = &'a Smg> + Clone, mut sites: Sites) -> Option<(Sites, bool)> {
        loop {
            let (before, mut others) = (sites, false);
            for memory in memories.clone() {
                for (block, object) in memory.objects.iter().filter(|(block, _)| memory.is_live_heap(**block)) {
                    let is_sized = memory.context.terms.as_const(object.size) == Some(self.size.into());
                    if !is_sized || !sites.has(object.origin.site) {
                        others |= is_sized;
                        continue;
                    }
                    let children = self.links.children.iter().filter_map(|offset| memory.field(*block, *offset));
                    for (child, _) in children.filter_map(|value| exact_target(memory, value)) {
                        // A leaf may be a variable.
                        let is_node = |child: &&Rc<Object>| child.size == object.size && child.kind == BlockKind::Heap;
                        let child = memory.object(child).filter(is_node);
                        sites = child.map_or(Some(sites), |child| sites.with(child.origin.site))?;
                    }
                }
            }
            if sites == before {
                return Some((sites, others));
            }
        }
    }
}
