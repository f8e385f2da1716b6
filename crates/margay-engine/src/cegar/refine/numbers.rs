//! Refiners that try values of one parameter until the path is excluded.

use super::relevant::site_in_words;
use super::{Failure, Proposal, Refiner};
use crate::fold::Keep;
use crate::memory::Site;

/// Distinguishes more values of a variable.
pub struct Values;

/// Distinguishes the values of variables that hold one of a few, as runs show.
pub struct Choices;

/// Keeps nodes that variables point to out of segments of unequal nodes.
pub struct Separate;

/// Keeps states apart that differ in how long lists are.
pub struct Lengths;

/// Keeps how many nodes lists have, and what that has to do with other numbers.
pub struct Counts;

/// Keeps nodes of different kinds apart within segments.
pub struct Kinds;

/// Keeps which kinds of nodes follow each other in lists.
pub struct Follows;

/// Keeps which numbers of nodes are greater or less than those that variables hold.
pub struct Orders;

/// Keeps nodes out of trees that hold pointers of their own.
pub struct Pointers;

/// Keeps what cells of arrays hold.
pub struct Cells;

/// Keeps what cells of all arrays hold, at all places: where the path is excluded by nothing, its states may be what was forgotten before.
pub struct AllCells;

/// Arrays that are tried one by one.
const MOST_ARRAYS: usize = 8;

/// How many values are tried.
const VALUES: [usize; 4] = [6, 12, 24, 48];

impl Refiner for Values {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        VALUES.into_iter().find_map(|values| {
            let change = |keep: Keep| Keep { values: keep.values.max(values), ..keep };
            everywhere(failure, change, &format!("{values} values of each variable"))
        })
    }
}

impl Refiner for Choices {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        everywhere(failure, |keep| Keep { choices: true, ..keep }, "which of a few values variables hold")
    }
}

impl Refiner for Separate {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        everywhere(failure, |keep| Keep { apart: true, ..keep }, "nodes being worked on apart")
    }
}

impl Refiner for Counts {
    /// Not in lines that begin with thresholds of their own, or have raised one: there the first few nodes are distinguished from the others.
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        if failure.raised > 0 || failure.precision().everywhere().equal_nodes > Keep::LEAST.equal_nodes {
            return None;
        }
        everywhere(failure, |keep| Keep { counted: true, joined: false, ..keep }, "nodes of lists counted")
    }
}

impl Refiner for Kinds {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        everywhere(failure, |keep| Keep { kinds: true, ..keep }, "kinds of list nodes apart")
    }
}

impl Refiner for Follows {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let change = |keep: Keep| Keep { kinds: true, follows: true, ..keep };
        everywhere(failure, change, "which kinds of list nodes follow each other")
    }
}

impl Refiner for Orders {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        everywhere(failure, |keep| Keep { ordered: true, ..keep }, "numbers of list nodes compared with variables")
    }
}

impl Refiner for Cells {
    /// In every second line only where more values of variables do not help: contents are not what every proof needs.
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let arrays = failure.arrays();
        if arrays.is_empty() {
            return None;
        }
        let is_second = failure.line.is_multiple_of(2) && failure.precision().everywhere().all_numbers;
        if is_second && Values.refine(failure).is_some() {
            return None;
        }
        // Where nothing more is needed for this path by itself, it does not say which array matters.
        let is_telling = !failure.is_excluded_by(failure.precision());
        let filled = arrays.into_iter().filter(|(_, may_be_filled)| is_telling && *may_be_filled);
        let one = filled.take(MOST_ARRAYS).find_map(|(array, _)| one_array(failure, array));
        let all = || everywhere(failure, |keep| Keep { cells: true, ..keep }, "what cells of arrays hold");
        let proposal = one.or_else(all)?;
        // What a loop fills is seen by what was there before it: the first visit of its head counts, too.
        let (_, cut) = *failure.path.nodes.first()?;
        Some(Proposal { cut, ..proposal })
    }
}

impl Refiner for AllCells {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let precision = failure.precision().changed_everywhere(|keep| Keep { cells: true, ..keep });
        if failure.arrays().is_empty() || !precision.is_finer_than(failure.precision()) {
            return None;
        }
        let (_, cut) = *failure.path.nodes.first()?;
        let change = "what cells of arrays hold everywhere".to_owned();
        Some(Proposal { precision, cut, change, threshold: None, candidates: Vec::new() })
    }
}

impl Refiner for Pointers {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        let change = |keep: Keep| Keep { own_pointers: keep.trees.is_some(), ..keep };
        everywhere(failure, change, "nodes of trees with pointers of their own apart")
    }
}

impl Refiner for Lengths {
    fn refine(&self, failure: &Failure) -> Option<Proposal> {
        everywhere(failure, |keep| Keep { joined: false, ..keep }, "states with lists of different lengths apart")
    }
}

/// What the cells of this array hold, if that excludes the path.
fn one_array(failure: &Failure, array: Site) -> Option<Proposal> {
    let precision = failure.precision().following_cells(array);
    if !precision.is_finer_than(failure.precision()) || !failure.is_excluded_by(&precision) {
        return None;
    }
    let cut = failure.first_folding()?.1;
    let program = failure.path.explorer.domain().shapes.program;
    let change = format!("what cells of {} hold", site_in_words(program, array));
    Some(Proposal { precision, cut, change, threshold: None, candidates: Vec::new() })
}

/// The change at all places of the path, if that excludes it.
pub(super) fn everywhere(failure: &Failure, change: impl Fn(Keep) -> Keep, what: &str) -> Option<Proposal> {
    let places = failure.path.places(0);
    let precision = failure.precision().changed(places.iter().copied(), change);
    if !precision.is_finer_than(failure.precision()) || !failure.is_excluded_by(&precision) {
        return None;
    }
    let cut = failure.first_folding()?.1;
    let change = format!("{what} at {}", failure.in_words(&places));
    Some(Proposal { precision, cut, change, threshold: None, candidates: Vec::new() })
}
