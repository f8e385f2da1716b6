//! What of the special state a tree of the general one may be: its links say it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::objects::{Finding, Proposal, Scope, World};
use crate::certificate::TreePart;
use crate::heap::{Body, Form, Links, Tree};
use crate::memory::BlockId;
use crate::smt::Term;

/// A part of a tree with the scopes its nodes opened.
#[derive(Clone, Debug)]
pub(super) enum Branch {
    Nothing,
    Node(BlockId, usize, Vec<Branch>),
    Tree(BlockId, Vec<usize>),
    /// A path, and what it leads to.
    Path(BlockId, Vec<usize>, Box<Branch>),
}

impl Branch {
    pub fn root(&self) -> Option<BlockId> {
        match self {
            Branch::Nothing => None,
            Branch::Node(block, ..) | Branch::Tree(block, _) | Branch::Path(block, ..) => Some(*block),
        }
    }
}

impl Proposal<'_> {
    pub(super) fn tree_part(&self, branch: &Branch) -> TreePart {
        match branch {
            Branch::Nothing => TreePart::Nothing,
            Branch::Node(block, scope, children) => {
                let children = children.iter().map(|child| self.tree_part(child)).collect();
                TreePart::Node(*block, self.embedding(*scope), children)
            }
            Branch::Tree(block, scopes) => {
                TreePart::Tree(*block, scopes.iter().map(|scope| self.embedding(*scope)).collect())
            }
            Branch::Path(block, scopes, below) => {
                let cases = scopes.iter().map(|scope| self.embedding(*scope)).collect();
                TreePart::Path(*block, cases, Box::new(self.tree_part(below)))
            }
        }
    }

    /// The tree has no node: a link to it is one to a child that is not there.
    pub(super) fn no_tree(&mut self, (scope, general): (usize, BlockId), tree: &Tree) -> Option<()> {
        match self.scopes[scope].places.get(&general) {
            Some(Finding::Tree(Branch::Nothing)) => return Some(()),
            Some(_) => return None,
            None => {}
        }
        self.scopes[scope].places.insert(general, Finding::Tree(Branch::Nothing));
        if let Some(&(seen_from, address)) = self.values.get(&(scope, general))
            && self.scopes[seen_from].world == self.scopes[scope].world
        {
            let link = self.old.memory.context().terms.add_constant(address, i128::from(tree.links.head));
            self.queue.push_back((scope, tree.leaf, link));
        }
        Some(())
    }

    /// The tree's root is `special`, or that of a tree which begins there.
    pub(super) fn pair_tree(
        &mut self,
        (scope, general): (usize, BlockId),
        tree: &Tree,
        special: BlockId,
    ) -> Option<()> {
        match self.scopes[scope].places.get(&general) {
            Some(Finding::Tree(branch)) => return (branch.root() == Some(special)).then_some(()),
            Some(_) => return None,
            None => {}
        }
        let world = self.scopes[scope].world;
        if !self.may_be_tree_part(world, tree, special) {
            return if tree.min_len == 0 { self.no_tree((scope, general), tree) } else { None };
        }
        let up = match &self.worlds[world].memory.object(special)?.form {
            Form::Tree(own) => own.up,
            Form::First(own) => own.prev,
            _ => tree.links.parent.and_then(|parent| self.worlds[world].memory.field(special, parent)),
        };
        let branch = self.grow(scope, tree, special)?;
        self.scopes[scope].places.insert(general, Finding::Tree(branch));
        self.queue.extend(tree.up.zip(up).map(|(general, special)| (scope, general, special)));
        Some(())
    }

    /// Whether `block` of the special state is like a node of the tree.
    fn may_be_tree_part(&self, world: usize, tree: &Tree, block: BlockId) -> bool {
        let World { memory, first } = &self.worlds[world];
        let (Some(own), Some(node)) = (memory.object(block), tree.body.objects.first()) else { return false };
        let is_alike = match &own.form {
            Form::Tree(own) => own.links == tree.links,
            Form::First(own) => own.links == Links::from(tree.links),
            Form::Region => tree.links.offsets().iter().all(|offset| memory.field(block, *offset).is_some()),
            _ => false,
        };
        is_alike
            && block.0 >= *first
            && memory.is_live_heap(block)
            && own.size == node.size
            && !self.used.contains(&(world, block))
    }

    /// What begins at `block`, all below it included.
    fn grow(&mut self, scope: usize, tree: &Tree, block: BlockId) -> Option<Branch> {
        let world = self.scopes[scope].world;
        let (links, body) = (tree.links.offsets(), std::slice::from_ref(&tree.body));
        self.used.insert((world, block)).then_some(())?;
        let memory = self.worlds[world].memory.clone();
        match &memory.object(block)?.form {
            Form::Tree(own) => {
                self.queue.push_back((scope, tree.leaf, own.leaf));
                Some(Branch::Tree(block, self.cases(scope, (body, &links), (block, std::slice::from_ref(&own.body)))?))
            }
            Form::First(own) => {
                self.used.insert((world, own.last)).then_some(())?;
                self.queue.extend(own.leaf.map(|leaf| (scope, tree.leaf, leaf)));
                let cases = self.cases(scope, (body, &links), (block, &own.bodies))?;
                Some(Branch::Path(block, cases, Box::new(self.grow_child(scope, tree, own.next)?)))
            }
            _ => {
                let opened = self.open(scope, world, (body, &links), block)?;
                let mut children = Vec::new();
                for offset in tree.links.children {
                    children.push(self.grow_child(scope, tree, memory.field(block, offset)?)?);
                }
                Some(Branch::Node(block, opened, children))
            }
        }
    }

    /// What this link to a child leads to.
    pub(super) fn grow_child(&mut self, scope: usize, tree: &Tree, link: Term) -> Option<Branch> {
        let world = self.scopes[scope].world;
        let sentinel = self.target(scope, tree.leaf).and_then(|(home, block)| self.found(home, block));
        let child = self.special_target(world, link).filter(|child| Some(*child) != sentinel);
        match child.filter(|child| self.may_be_tree_part(world, tree, *child)) {
            Some(child) => self.grow(scope, tree, child),
            None => {
                self.queue.push_back((scope, tree.leaf, link));
                Some(Branch::Nothing)
            }
        }
    }

    /// What each node of the summary that begins at `first`, whose nodes look like `own`, may be as a node with one of `bodies`: scopes of
    /// their own. Where each of its bodies says the same as one of these, scopes without objects tell which, or none where there is one.
    pub(super) fn cases(
        &mut self,
        scope: usize,
        (bodies, links): (&[Rc<Body>], &[u64]),
        (first, own): (BlockId, &[Rc<Body>]),
    ) -> Option<Vec<usize>> {
        let world = self.scopes[scope].world;
        if let Some(kinds) = own.iter().map(|own| self.kind_like(scope, bodies, own)).collect::<Option<Vec<_>>>() {
            let mut cases = Vec::new();
            for (kind, outer) in kinds {
                self.queue.extend(outer.into_iter().map(|(general, special)| (scope, general, special)));
                if bodies.len() > 1 {
                    let (body, places) = (Some(bodies[kind].clone()), BTreeMap::new());
                    self.scopes.push(Scope { parent: Some(scope), world, body, kind, places });
                    cases.push(self.scopes.len() - 1);
                }
            }
            return Some(cases);
        }
        let mut scratch = self.worlds[world].memory.clone();
        let limit = scratch.next_block;
        let node = scratch.lone_node(first)?;
        let mut cases = Vec::new();
        let instances = own.iter().flat_map(|own| scratch.clone().instances_of(own, node, links));
        for memory in instances {
            self.worlds.push(World { memory, first: limit });
            let case = self.worlds.len() - 1;
            self.used.insert((case, node));
            cases.push(self.open(scope, case, (bodies, links), node)?);
        }
        // A node is something: no case at all would be a defect, and says that bodies are the same.
        (!cases.is_empty()).then_some(cases)
    }
}
