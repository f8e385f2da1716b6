//! Paths down trees: nodes above each other whose other children are whole trees, and what becomes of a path that ends in a tree.
//!
//! Over-approximates, as lists and trees do.

use super::discover::exact_target;
use std::rc::Rc;

use super::census::{Census, Holder};
use super::discover::Pair;
use super::join::{Folding, join_nodes};
use super::named_links::Ports;
use super::trees::TreeClass;
use crate::heap::{Body, Form, Links, Smg, Tree, no_content};
use crate::memory::BlockId;
use crate::smt::Term;

/// How a region goes on as a node of a path.
pub(super) struct Onward {
    pub next: Term,
    /// The tree that its other link leads to.
    pub aside: Option<BlockId>,
}

/// How the region `node` goes on as a node of a path with these links: one child is a tree that is held nowhere else, or not
/// there, and the other child is something else.
pub(super) fn onward(smg: &Smg, census: &Census, node: BlockId, links: Links) -> Option<Onward> {
    let branches = links.branches()?;
    let [left, right] = branches.children;
    let of = |offset: u64| Some((smg.field(node, offset)?, hidden_tree(smg, census, node, offset, links)));
    match (of(left)?, of(right)?) {
        ((next, None), (_, Some(aside))) | ((_, Some(aside)), (next, None)) => Some(Onward { next, aside }),
        _ => None,
    }
}

/// Whether the link of `node` at `offset` leads to no child, or to a tree that is held nowhere else; which one.
pub(super) fn hidden_tree(
    smg: &Smg,
    census: &Census,
    node: BlockId,
    offset: u64,
    links: Links,
) -> Option<Option<BlockId>> {
    let leaf = smg.context.pointer_constant(0);
    let value = smg.field(node, offset)?;
    only_tree(smg, census, (value, &Holder::Field(node, offset)), smg.link_to(node, links), links, leaf)
}

/// Whether `value` is no child, or leads to a tree that only `holder` holds and whose parent link holds `parent`; which
/// one.
fn only_tree(
    smg: &Smg,
    census: &Census,
    (value, holder): (Term, &Holder),
    parent: Option<Term>,
    links: Links,
    leaf: Term,
) -> Option<Option<BlockId>> {
    if value == leaf {
        return Some(None);
    }
    let (child, at) = exact_target(smg, value)?;
    let Form::Tree(tree) = &smg.object(child)?.form else { return None };
    let is_like = Links::from(tree.links) == links && tree.leaf == leaf;
    let fits = at == links.head
        && is_like
        && (links.prev.is_none() || tree.up == parent)
        && census.of_block(smg, child).iter().all(|other| other == holder);
    fits.then_some(Some(child))
}

/// A body that allows `body`, which is that of what is left and right, and those of the trees beside them.
pub(super) fn with_trees_aside(
    smg: &Smg,
    folding: Folding,
    census: &Census,
    pair: &Pair,
    body: Rc<Body>,
) -> Option<Rc<Body>> {
    let asides = [pair.left, pair.right].into_iter().filter_map(|side| aside(smg, census, side, pair.links));
    asides.into_iter().try_fold(body, |body, aside| body_with_tree(smg, folding, &body, aside))
}

/// The same for all kinds of nodes: there are trees only beside nodes of one.
pub(super) fn all_with_trees_aside(
    smg: &Smg,
    folding: Folding,
    census: &Census,
    pair: &Pair,
    bodies: Vec<Rc<Body>>,
) -> Option<Vec<Rc<Body>>> {
    match bodies.as_slice() {
        [body] => Some(vec![with_trees_aside(smg, folding, census, pair, body.clone())?]),
        _ => Some(bodies),
    }
}

/// The tree beside a region that is a node of a path.
pub(super) fn aside(smg: &Smg, census: &Census, block: BlockId, links: Links) -> Option<BlockId> {
    smg.object(block).filter(|object| object.is_region())?;
    onward(smg, census, block, links)?.aside
}

/// A body that allows this one and that of the tree `root`.
pub(super) fn body_with_tree(smg: &Smg, folding: Folding, body: &Rc<Body>, root: BlockId) -> Option<Rc<Body>> {
    let Form::Tree(tree) = &smg.object(root)?.form else { return None };
    if tree.body.code() == body.code() {
        return Some(body.clone());
    }
    let mut scratch = smg.clone();
    let like = Tree { body: body.clone(), ..tree.as_ref().clone() };
    let nodes = (scratch.node_of_tree(root, &like)?, scratch.node_of_tree(root, tree)?);
    let ports = Ports { links: tree.links.offsets(), onward: None };
    join_nodes(&scratch, folding, nodes, ports, &[]).map(Rc::new)
}

/// The path that begins at `first` becomes a tree, where it leads to one that is held nowhere else, or to nothing.
pub(super) fn close_path(
    smg: &mut Smg,
    folding: Folding,
    census: &Census,
    class: &TreeClass,
    first: BlockId,
) -> Option<()> {
    let Form::First(path) = smg.object(first)?.form.clone() else { return None };
    let leaf = path.leaf.filter(|_| path.links == Links::from(class.links))?;
    let held = (path.next, &Holder::Next(first));
    let below = only_tree(smg, census, held, smg.link_to(path.last, path.links), path.links, leaf)?;
    let is_hidden = |holder: &Holder| below.is_some_and(|child| *holder == Holder::Prev(child));
    census.of_block(smg, path.last).iter().all(is_hidden).then_some(())?;
    let mut tree = path.subtree(path.prev)?;
    tree.min_len = path.min_len.min(1);
    if let Some(child) = below {
        let Form::Tree(other) = smg.object(child)?.form.clone() else { return None };
        tree.min_len = tree.min_len.max(other.min_len);
        tree.body = body_with_tree(smg, folding, path.only_body()?, child)?;
    }
    let mut closed = smg.clone();
    below.into_iter().chain([path.last]).for_each(|block| closed.remove_object(block));
    let object = closed.object_mut(first)?;
    object.form = Form::Tree(Rc::new(tree));
    object.content = no_content();
    closed.place_ends(first);
    closed.consistent().ok()?;
    *smg = closed;
    Some(())
}
