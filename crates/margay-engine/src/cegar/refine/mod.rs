//! Refiners: each proposes a finer precision that excludes a spurious alarm.

mod down;
mod numbers;
mod patterns;
mod relevant;
mod thresholds;

use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashSet;

use super::diagnosis::Diagnosis;
use super::path::Path;
use crate::base::limits::Limits;
use crate::evidence::NodeId;
use crate::fold::{Place, Precision};
use crate::heap::Object;
use crate::memory::Site;

/// What a refiner gets to see.
pub struct Failure<'a, 'p> {
    pub path: &'a Path<'a, 'p>,
    pub diagnosis: Option<&'a Diagnosis>,
    /// How often a list threshold was raised in this line.
    pub raised: usize,
    /// The number of the line, from 1.
    pub line: usize,
    pub limits: &'a Limits,
}

/// What it proposes.
pub struct Proposal {
    pub precision: Precision,
    /// What is below this node has to be explored again.
    pub cut: NodeId,
    pub change: String,
    pub threshold: Option<usize>,
    pub candidates: Vec<usize>,
}

/// A way to make abstraction finer.
pub trait Refiner {
    /// A finer precision for which the path no longer leads to the violation, if this refiner has one.
    fn refine(&self, failure: &Failure) -> Option<Proposal>;
}

/// The refiners there are, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefinerName {
    /// Which numbers are followed: those that the path to the alarm depends on.
    Numbers,
    /// States that differ in how long lists are stay apart.
    Lengths,
    /// What folding keeps of each node. Before thresholds: a path that is too short for any folding says nothing of longer ones.
    Patterns,
    /// Nodes of trees with pointers of their own stay apart.
    Pointers,
    /// Links that lead from nodes of lists to lists below them.
    Down,
    /// What cells of arrays hold.
    Cells,
    /// Which numbers of nodes are greater or less than those that variables hold.
    Orders,
    /// Which values and which blocks below a node go together in nodes of lists.
    Kinds,
    /// Which kinds of nodes stand one behind the other in lists.
    Follows,
    /// How many nodes lists have is kept.
    Counts,
    /// The list threshold from candidate lengths.
    Candidates,
    /// The list threshold from the longest list.
    Naive,
    /// Nodes that variables point to stay apart.
    Separate,
    /// Which of a few values a variable holds.
    Choices,
    /// How many values of a variable are distinguished.
    Values,
    /// All numbers are followed.
    AllNumbers,
    /// What cells of arrays hold, everywhere.
    AllCells,
}

impl RefinerName {
    /// In the order in which they are tried.
    pub const ALL: [RefinerName; 17] = [
        RefinerName::Numbers,
        RefinerName::Lengths,
        RefinerName::Patterns,
        RefinerName::Pointers,
        RefinerName::Down,
        RefinerName::Cells,
        RefinerName::Orders,
        RefinerName::Kinds,
        RefinerName::Follows,
        RefinerName::Counts,
        RefinerName::Candidates,
        RefinerName::Naive,
        RefinerName::Separate,
        RefinerName::Choices,
        RefinerName::Values,
        RefinerName::AllNumbers,
        RefinerName::AllCells,
    ];

    /// As the command line writes it.
    pub fn name(self) -> &'static str {
        match self {
            RefinerName::Numbers => "numbers",
            RefinerName::Choices => "choices",
            RefinerName::Lengths => "lengths",
            RefinerName::Down => "down",
            RefinerName::Cells => "cells",
            RefinerName::Orders => "orders",
            RefinerName::Kinds => "kinds",
            RefinerName::Follows => "follows",
            RefinerName::Counts => "counts",
            RefinerName::Candidates => "candidates",
            RefinerName::Naive => "naive",
            RefinerName::Patterns => "patterns",
            RefinerName::Pointers => "pointers",
            RefinerName::Separate => "apart",
            RefinerName::Values => "values",
            RefinerName::AllNumbers => "all-numbers",
            RefinerName::AllCells => "all-cells",
        }
    }

    /// Whether it changes only what becomes of nodes that stand for several blocks, or of cells that lead to blocks of their own.
    pub(super) fn is_about_nodes(self) -> bool {
        match self {
            RefinerName::Patterns
            | RefinerName::Pointers
            | RefinerName::Down
            | RefinerName::Orders
            | RefinerName::Kinds
            | RefinerName::Follows
            | RefinerName::Candidates
            | RefinerName::Naive
            | RefinerName::Separate => true,
            RefinerName::Numbers
            | RefinerName::Lengths
            | RefinerName::Cells
            | RefinerName::Counts
            | RefinerName::Choices
            | RefinerName::Values
            | RefinerName::AllNumbers
            | RefinerName::AllCells => false,
        }
    }

    /// What refines under this name.
    pub(crate) fn refiner(self) -> &'static dyn Refiner {
        match self {
            RefinerName::Numbers => &relevant::Numbers,
            RefinerName::Choices => &numbers::Choices,
            RefinerName::Lengths => &numbers::Lengths,
            RefinerName::Down => &down::Down,
            RefinerName::Cells => &numbers::Cells,
            RefinerName::Orders => &numbers::Orders,
            RefinerName::Kinds => &numbers::Kinds,
            RefinerName::Follows => &numbers::Follows,
            RefinerName::Counts => &numbers::Counts,
            RefinerName::Candidates => &thresholds::Candidates,
            RefinerName::Naive => &thresholds::Naive,
            RefinerName::Patterns => &patterns::Patterns,
            RefinerName::Pointers => &numbers::Pointers,
            RefinerName::Separate => &numbers::Separate,
            RefinerName::Values => &numbers::Values,
            RefinerName::AllNumbers => &relevant::AllNumbers,
            RefinerName::AllCells => &numbers::AllCells,
        }
    }
}

impl fmt::Display for RefinerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A choice of refiners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refiners(Vec<RefinerName>);

impl Refiners {
    /// No refiner: every spurious alarm ends its line.
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    /// These, once each, in the order in which they are tried.
    pub fn of(names: &[RefinerName]) -> Self {
        let mut names = names.to_vec();
        names.sort_unstable();
        names.dedup();
        Self(names)
    }

    /// In the order in which they are tried.
    pub fn names(&self) -> &[RefinerName] {
        &self.0
    }
}

impl Default for Refiners {
    /// All but the naive one: candidate thresholds take its place.
    fn default() -> Self {
        let names: Vec<RefinerName> = RefinerName::ALL.into_iter().filter(|name| *name != RefinerName::Naive).collect();
        Self::of(&names)
    }
}

impl fmt::Display for Refiners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none");
        }
        let names: Vec<&str> = self.0.iter().map(|name| name.name()).collect();
        f.write_str(&names.join(","))
    }
}

impl FromStr for Refiners {
    type Err = String;

    /// `all`, `none`, or names with commas between them.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => return Ok(Self::of(&RefinerName::ALL)),
            "none" => return Ok(Self::none()),
            _ => {}
        }
        let name = |word: &str| {
            let known = RefinerName::ALL.into_iter().find(|name| name.name() == word.trim());
            let names = RefinerName::ALL.map(RefinerName::name).join(", ");
            known.ok_or_else(|| format!("there is no refiner `{word}`: expected all, none, or some of {names}"))
        };
        Ok(Self::of(&text.split(',').map(name).collect::<Result<Vec<_>, _>>()?))
    }
}

impl Failure<'_, '_> {
    /// Whether some state of the path has folded nodes or cells: where nothing was folded, how it is folded does not matter.
    pub(super) fn is_folded(&self) -> bool {
        let explorer = self.path.explorer;
        let mut states = self.path.nodes.iter().filter_map(|(_, node)| explorer.state(*node));
        states.any(|state| {
            let is_folded = |object: &Object| {
                object.valid && (!object.is_region() || object.content.runs().iter().any(|run| run.table.is_some()))
            };
            state.memory.blocks().any(|(_, object)| is_folded(object))
        })
    }

    /// Whether the whole path, followed with this precision, no longer leads to the violation.
    fn is_excluded_by(&self, precision: &Precision) -> bool {
        self.limits.check_time().is_ok() && matches!(self.path.abstractly(precision), crate::explore::Followed::Nowhere)
    }

    /// The first node of the path where states are abstracted.
    fn first_folding(&self) -> Option<(usize, NodeId)> {
        let explorer = self.path.explorer;
        let folds =
            |node: NodeId| explorer.state(node).is_some_and(|state| explorer.domain().folding_place(state).is_some());
        self.path.nodes.iter().copied().find(|(_, node)| folds(*node))
    }

    /// The arrays in states of the path, by where they are made, once each, and whether loops may fill them: those of the last states
    /// first.
    fn arrays(&self) -> Vec<(Site, bool)> {
        let explorer = self.path.explorer;
        let states = self.path.nodes.iter().rev().filter_map(|(_, node)| explorer.state(*node));
        let mut met: FxHashSet<(Site, bool)> = FxHashSet::default();
        let arrays = states.flat_map(|state| explorer.domain().arrays(state));
        arrays.filter(|array| met.insert(*array)).collect()
    }

    fn precision(&self) -> &Precision {
        self.path.explorer.domain().precision()
    }

    /// `main:13, main:20`.
    fn in_words(&self, places: &[Place]) -> String {
        let shapes = &self.path.explorer.domain().shapes;
        let words: Vec<String> = places
            .iter()
            .map(|place| {
                let name = &shapes.program.function(place.0).name;
                match super::diagnosis::pos_in(shapes.program, *place) {
                    Some(pos) => format!("{name}:{}", pos.line),
                    None => name.to_string(),
                }
            })
            .collect();
        words.join(", ")
    }
}
