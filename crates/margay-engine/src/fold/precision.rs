//! What abstraction keeps, place by place: immutable values, from which refinement makes finer ones.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::patterns::Pattern;
use super::trees::TreeClass;
use crate::cfa::{FunctionId, Loc};
use crate::heap::Object;
use crate::memory::{BlockKind, Site};

/// What abstraction keeps at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keep {
    /// So many equal nodes in a row become a segment; at least two.
    pub equal_nodes: usize,
    /// From so many neighbours in a row on (nodes or segments), unequal ones are folded too.
    pub unequal_nodes: usize,
    /// From so many neighbours in a row on, even blocks of different origin are taken for nodes of one list.
    pub foreign_nodes: usize,
    /// So many values of one variable are distinguished before only bounds are kept.
    pub values: usize,
    /// All numbers are followed, not only those that [`Precision::numbers`] names.
    #[serde(default = "all")]
    pub all_numbers: bool,
    /// Values of variables that hold one of a few are all distinguished: states of automata, modes, depths. Runs tell which ones do.
    #[serde(default)]
    pub choices: bool,
    /// Nodes that a variable points to are only folded with equal ones: they are being worked on.
    pub apart: bool,
    /// States that differ only in how long lists are become one.
    #[serde(default)]
    pub joined: bool,
    /// Lists count their nodes, and what that has to do with other numbers.
    #[serde(default)]
    pub counted: bool,
    /// Nodes of different kinds stay of different kinds when they become part of one segment: which values and which blocks below a
    /// node go together.
    #[serde(default)]
    pub kinds: bool,
    /// Where nodes are of several kinds: which of them stand one behind the other.
    #[serde(default)]
    pub follows: bool,
    /// Which numbers of nodes are never greater, or never less, than numbers that variables hold.
    #[serde(default)]
    pub ordered: bool,
    /// What cells of arrays hold that loops fill: runs, and how their ends relate to other numbers.
    #[serde(default)]
    pub cells: bool,
    /// The links at this offset in blocks of this size lead down from one list to another: no list is made along them.
    #[serde(default)]
    pub down: Option<(u64, u64)>,
    /// Blocks that are nodes of trees, and become trees.
    #[serde(default)]
    pub trees: Option<TreeClass>,
    /// A node with a pointer that not all nodes of the trees below it hold does not become a tree with them.
    #[serde(default)]
    pub own_pointers: bool,
    /// What of a node is kept when it becomes part of a segment.
    pub pattern: Pattern,
}

/// Files that do not say which numbers are followed follow all.
fn all() -> bool {
    true
}

impl Keep {
    /// The least that is kept of lists, with all that nodes hold: where refinement begins.
    pub const LEAST: Keep = Keep {
        equal_nodes: 2,
        unequal_nodes: 2,
        foreign_nodes: 4,
        values: 3,
        all_numbers: true,
        choices: false,
        apart: false,
        joined: false,
        counted: false,
        kinds: false,
        follows: false,
        ordered: false,
        cells: false,
        down: None,
        trees: None,
        own_pointers: false,
        pattern: Pattern::ALL,
    };

    /// Where lines of refinement begin, coarse ones first, as they are the fastest; the last one follows no number before an alarm
    /// depends on it.
    pub const STARTS: [Keep; 6] = [
        Keep { joined: true, ..Keep::LEAST },
        Keep { joined: true, apart: true, ..Keep::LEAST },
        Keep { unequal_nodes: 4, ..Keep::LEAST },
        Keep { equal_nodes: 3, unequal_nodes: 5, foreign_nodes: 5, values: 6, ..Keep::LEAST },
        Keep { equal_nodes: 5, unequal_nodes: 8, foreign_nodes: 8, values: 12, ..Keep::LEAST },
        Keep { joined: true, all_numbers: false, choices: true, ..Keep::LEAST },
    ];

    /// The same where it is asked whether the program ends: what decreases in a loop may be a number, or that of a list's nodes.
    pub const COUNTING_STARTS: [Keep; 3] = [
        Keep { counted: true, ..Keep::LEAST },
        Keep { counted: true, apart: true, ..Keep::LEAST },
        Keep { counted: true, ordered: true, cells: true, unequal_nodes: 4, values: 6, ..Keep::LEAST },
    ];

    /// The least that is kept, and how many nodes lists have.
    pub const COUNTED: Keep = Keep { counted: true, ..Keep::LEAST };

    /// Everything: nothing becomes a list or a tree.
    pub const ALL: Keep = Keep {
        equal_nodes: usize::MAX,
        unequal_nodes: usize::MAX,
        foreign_nodes: usize::MAX,
        values: usize::MAX,
        ..Keep::LEAST
    };

    /// The same where fewer than `nodes` nodes in a row stay as they are.
    pub fn with_threshold(self, nodes: usize) -> Keep {
        Keep {
            equal_nodes: self.equal_nodes.max(nodes),
            unequal_nodes: self.unequal_nodes.max(nodes),
            foreign_nodes: self.foreign_nodes.max(nodes),
            joined: false,
            ..self
        }
    }

    /// Keeps all that `other` keeps.
    pub fn is_at_least(&self, other: &Keep) -> bool {
        self.equal_nodes >= other.equal_nodes
            && self.unequal_nodes >= other.unequal_nodes
            && self.foreign_nodes >= other.foreign_nodes
            && self.values >= other.values
            && self.all_numbers >= other.all_numbers
            && self.choices >= other.choices
            && self.apart >= other.apart
            && (other.joined || !self.joined)
            && self.counted >= other.counted
            && self.kinds >= other.kinds
            && self.follows >= other.follows
            && self.ordered >= other.ordered
            && self.cells >= other.cells
            && (self.down == other.down || other.down.is_none())
            && self.trees == other.trees
            && self.own_pointers >= other.own_pointers
            && self.pattern.is_at_least(other.pattern)
    }
}

/// A place where states are abstracted: the head of a loop, or the entry of a function that calls itself.
pub type Place = (FunctionId, Loc);

/// Where a number stands, for all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A register of a function, by position.
    Register(FunctionId, usize),
    /// So many bytes into blocks that were made there.
    Cell(Site, u64),
}

/// What abstraction keeps. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precision {
    everywhere: Keep,
    places: Rc<BTreeMap<Place, Keep>>,
    numbers: Rc<FxHashSet<Number>>,
    /// The arrays whose cells are followed everywhere, by where they are made.
    arrays: Rc<FxHashSet<Site>>,
}

impl Precision {
    /// The same everywhere.
    pub fn uniform(everywhere: Keep) -> Self {
        Self { everywhere, places: Rc::default(), numbers: Rc::default(), arrays: Rc::default() }
    }

    /// What is kept at this place.
    pub(crate) fn at(&self, place: Place) -> &Keep {
        self.places.get(&place).unwrap_or(&self.everywhere)
    }

    /// What is kept where nothing else is said.
    pub fn everywhere(&self) -> &Keep {
        &self.everywhere
    }

    /// Whether folding keeps less than whole nodes somewhere.
    pub fn forgets(&self) -> bool {
        self.places.values().chain([&self.everywhere]).any(|keep| keep.pattern != Pattern::ALL)
    }

    /// Whether nodes of lists are of kinds somewhere.
    pub fn has_kinds(&self) -> bool {
        self.places.values().chain([&self.everywhere]).any(|keep| keep.kinds)
    }

    /// Whether something is kept of cells of arrays somewhere, beside those of the arguments of `main`.
    pub(crate) fn keeps_cells(&self) -> bool {
        !self.arrays.is_empty() || self.keeps_all_cells()
    }

    fn keeps_all_cells(&self) -> bool {
        self.places.values().chain([&self.everywhere]).any(|keep| keep.cells)
    }

    /// Whether it is followed at `place` what the cells of `array` hold. The arguments of `main` are cells of an array that a loop
    /// fills: these always are.
    pub(crate) fn follows_cells(&self, place: Place, array: &Object) -> bool {
        self.at(place).cells || self.is_chosen(array)
    }

    /// The same at some place.
    pub(crate) fn follows_cells_somewhere(&self, array: &Object) -> bool {
        self.keeps_all_cells() || self.is_chosen(array)
    }

    fn is_chosen(&self, array: &Object) -> bool {
        array.kind == BlockKind::Argument || self.arrays.contains(&array.origin.site)
    }

    /// The same, or more, without single arrays whose cells are followed: these have no names that outlive changes of a program.
    pub(crate) fn without_single_arrays(&self) -> Self {
        if self.arrays.is_empty() {
            return self.clone();
        }
        let all = self.changed_everywhere(|keep| Keep { cells: true, ..keep });
        Self { arrays: Rc::default(), ..all }
    }

    /// The same with the cells of this array followed, too.
    pub(crate) fn following_cells(&self, array: Site) -> Self {
        let arrays = self.arrays.iter().copied().chain([array]).collect();
        Self { arrays: Rc::new(arrays), ..self.clone() }
    }

    /// The numbers that are followed where not all are.
    pub(crate) fn numbers(&self) -> &FxHashSet<Number> {
        &self.numbers
    }

    /// The same with these numbers followed, too.
    pub(crate) fn following(&self, numbers: impl IntoIterator<Item = Number>) -> Self {
        let numbers = self.numbers.iter().copied().chain(numbers).collect();
        Self { numbers: Rc::new(numbers), ..self.clone() }
    }

    /// The places where something else is said.
    pub fn places(&self) -> &BTreeMap<Place, Keep> {
        &self.places
    }

    /// The same but for what `change` makes of it at these places.
    pub fn changed(&self, places: impl IntoIterator<Item = Place>, change: impl Fn(Keep) -> Keep) -> Self {
        let mut changed = self.places.as_ref().clone();
        for place in places {
            changed.insert(place, change(*self.at(place)));
        }
        changed.retain(|_, keep| *keep != self.everywhere);
        Self { places: Rc::new(changed), ..self.clone() }
    }

    /// The same but for what `change` makes of it, at all places.
    pub fn changed_everywhere(&self, change: impl Fn(Keep) -> Keep) -> Self {
        let places = self.places.iter().map(|(place, keep)| (*place, change(*keep)));
        Self { everywhere: change(self.everywhere), places: Rc::new(places.collect()), ..self.clone() }
    }

    /// Keeps more than `other` somewhere, and nowhere less.
    pub fn is_finer_than(&self, other: &Precision) -> bool {
        let places = || self.places.keys().chain(other.places.keys());
        self.everywhere.is_at_least(&other.everywhere)
            && places().all(|place| self.at(*place).is_at_least(other.at(*place)))
            && self.numbers.is_superset(&other.numbers)
            && self.arrays.is_superset(&other.arrays)
            && (self.numbers != other.numbers
                || self.arrays != other.arrays
                || self.everywhere != other.everywhere
                || places().any(|place| self.at(*place) != other.at(*place)))
    }
}

impl From<Keep> for Precision {
    fn from(keep: Keep) -> Self {
        Self::uniform(keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::GlobalId;

    /// An array more is finer; what is written of it follows all arrays.
    #[test]
    fn arrays_are_followed_one_by_one() {
        let coarse = Precision::uniform(Keep::LEAST);
        let [one, other] = [0, 1].map(|global| Site::Global(GlobalId(global)));
        let (finer, both) = (coarse.following_cells(one), coarse.following_cells(one).following_cells(other));
        assert!(finer.is_finer_than(&coarse) && both.is_finer_than(&finer));
        assert!(!coarse.is_finer_than(&finer) && !finer.is_finer_than(&coarse.following_cells(other)));
        assert!(finer.keeps_cells() && !coarse.keeps_cells());
        assert!(both.without_single_arrays() == Precision::uniform(Keep { cells: true, ..Keep::LEAST }));
        assert!(coarse.without_single_arrays() == coarse);
    }
}
