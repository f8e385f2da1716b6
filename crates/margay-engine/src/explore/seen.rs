//! What was seen of the numbers at one place, and how they relate to each other: what widening goes by.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::arrays::Arrays;
use super::canonical::Shape;
use super::filled::Filled;
use super::join::Joined;
use super::limits::{MOST_OF_ALL_SHAPES, MOST_OF_ALL_SHAPES_IN_REGISTERS};
use super::merge::Merging;
use super::orders::Orders;
use super::sums::Sums;
use super::texts::Ends;
use crate::heap::State;
use crate::memory::Site;
use crate::smt::{Term, Terms, gcd};

/// All that was seen at one place.
#[derive(Default)]
pub struct History {
    pub(super) numbers: Numbers,
    pub(super) filled: Filled,
    pub(super) ends: Ends,
    pub(super) constraints: Merging,
    pub(super) joined: Joined,
    /// The state that is being made to allow more, where it is looked at afterwards.
    pub(super) arrival: Option<State>,
    /// How many were left as they came.
    pub(super) unweakened: usize,
}

/// What was seen of numbers, by the shape of the states that held them; there by the order in which a walk meets them.
#[derive(Default)]
pub struct Numbers {
    pub(super) seen: FxHashMap<(Shape, Chosen), Met>,
    /// The values of variables that hold one of a few.
    pub(super) chosen: FxHashMap<Variable, FxHashSet<Term>>,
    pub(super) arrays: Arrays,
    /// What variables held in states of all shapes, pointers by where the blocks were made that they led into.
    pub(super) taken: FxHashMap<(Variable, Option<Site>), Taken>,
}

/// What one variable held.
#[derive(Default)]
pub(super) struct Taken {
    /// Its values, up to a few.
    values: FxHashSet<Term>,
    /// Signed bounds of all of them.
    bounds: Option<(i128, i128)>,
    /// One of its values, where all so far were known, and what divides the differences of the others from it.
    steps: Option<(i128, u128)>,
    /// The bounds that it is taken to have, once it took many values in states of some shape, or more than that in states of all.
    pub moving: Option<(i128, i128)>,
}

impl Taken {
    /// Adds a value; beyond `most`, the variable moves within the bounds that `rounded` makes of those of all values.
    pub fn add(
        &mut self,
        (value, bounds): (Term, (i128, i128)),
        most: usize,
        rounded: impl Fn((i128, i128)) -> (i128, i128),
    ) {
        if self.moving.is_some() {
            return;
        }
        if self.bounds.is_none() || self.steps.is_some() {
            let (first, step) = self.steps.unwrap_or((bounds.0, 0));
            self.steps = (bounds.0 == bounds.1).then(|| (first, gcd(step, bounds.0.abs_diff(first))));
        }
        let known = hull(self.bounds, bounds);
        self.bounds = Some(known);
        if self.values.len() <= most {
            self.values.insert(value);
        } else {
            self.moving = Some(rounded(known));
        }
    }

    /// By how much its values differ: what divides all differences; 0 where there was one only.
    pub fn step(&self) -> Option<u128> {
        self.steps.map(|(_, step)| step)
    }

    /// Whether it held more than one value.
    pub fn varies(&self) -> bool {
        self.values.len() > 1
    }

    /// It moves within these bounds, too.
    pub fn moves_within(&mut self, bounds: (i128, i128)) {
        self.moving = Some(hull(self.moving, bounds));
    }
}

/// The least bounds around both.
fn hull(known: Option<(i128, i128)>, bounds: (i128, i128)) -> (i128, i128) {
    known.map_or(bounds, |known| (known.0.min(bounds.0), known.1.max(bounds.1)))
}

/// A number that the program has a name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Variable {
    /// Frame and register by position.
    Register(usize, usize),
    /// So many bytes into an object that the program declares.
    Object(Site, u64),
}

impl Variable {
    /// So many values are distinguished in states of all shapes where `most` are in those of one.
    pub fn most_of_all_shapes(self, most: usize) -> usize {
        most.saturating_mul(match self {
            Variable::Object(..) => MOST_OF_ALL_SHAPES,
            Variable::Register(..) => MOST_OF_ALL_SHAPES_IN_REGISTERS,
        })
    }
}

/// What was seen of the numbers of one shape.
#[derive(Default)]
pub(super) struct Met {
    pub numbers: Vec<Seen>,
    /// The values that all numbers had together, up to a few.
    pub together: FxHashSet<Box<[Term]>>,
    pub orders: Orders,
    pub sums: Sums,
}

/// The constants that variables hold which hold one of a few, by position: what is true of the others depends on them (an index stays
/// below a length while an automaton is in one of its states).
pub(super) type Chosen = Box<[(usize, Term)]>;

/// The values of one number.
#[derive(Default)]
pub(super) struct Seen {
    pub values: FxHashSet<Term>,
    /// Signed bounds of all of them.
    pub bounds: Option<(i128, i128)>,
    /// Unsigned ones, which say more where a number may be on both sides of the sign.
    pub unsigned: Option<(u128, u128)>,
    /// How often the greatest of them passed a bound worth stopping at.
    pub climbs: usize,
    /// What all of them leave when divided by a power of two.
    pub remainder: Remainder,
    /// By how much values of the variable that holds it differ in states of all shapes.
    pub step: Option<u128>,
    /// That variable held more than one value.
    pub varies: bool,
    /// How they relate to other numbers.
    pub relations: Relations,
}

/// The lowest `bits` bits of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Remainder {
    pub bits: u32,
    pub value: u128,
}

impl Remainder {
    /// More bits are not worth it.
    const MOST_BITS: u32 = 8;

    /// What is known of the lowest bits of `number`.
    pub fn of(terms: &Terms, number: Term) -> Self {
        let (zeros, ones) = terms.known_bits(number);
        let bits = (zeros | ones).trailing_ones().min(terms.width(number)).min(Self::MOST_BITS);
        Self { bits, value: lowest(ones, bits) }
    }

    /// What two numbers have in common.
    pub fn common(self, other: Self) -> Self {
        let bits = self.bits.min(other.bits).min((self.value ^ other.value).trailing_zeros());
        Self { bits, value: lowest(self.value, bits) }
    }

    /// A number of `state` of which nothing else is known.
    pub fn forgotten(self, state: &mut State, width: u32) -> Term {
        // All bits of a number are no remainder of it.
        let bits = self.bits.min(width - 1);
        let multiple = state.memory.forgotten_aligned(width, bits);
        let terms = &state.memory.context().terms;
        terms.add(multiple, terms.constant(lowest(self.value, bits), width))
    }
}

/// The lowest `bits` bits, 0 to 127, of `value`.
fn lowest(value: u128, bits: u32) -> u128 {
    value & ((1 << bits) - 1)
}

impl Seen {
    /// More than one value was seen.
    pub fn has_changed(&self) -> bool {
        self.values.len() > 1
    }
}

/// How one number has related to the others of its shape so far.
#[derive(Default)]
pub(super) struct Relations {
    /// Its values on the last few visits that differed in some number, the last one first.
    pub past: VecDeque<Term>,
    pub follows: Follow,
    /// It is how many nodes a list has: what it follows is never negative.
    pub is_count: bool,
    /// It is where a run of cells begins or ends.
    pub is_end: bool,
    /// It is forgotten together with a number it changes with.
    pub tied: bool,
}

/// Whether a number follows another one.
#[derive(Clone, Copy, Default)]
pub(super) enum Follow {
    #[default]
    Untried,
    Of(LinearRelation),
    Nothing,
}

/// `slope * leader + rest`; a narrower leader is extended by its sign, or by zeros.
#[derive(Clone, Copy)]
pub(super) struct LinearRelation {
    pub leader: usize,
    pub slope: i128,
    pub rest: Term,
    pub is_signed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(values: &[(i128, i128)]) -> Taken {
        let terms = Terms::new();
        let mut taken = Taken::default();
        for bounds in values {
            let value = terms.signed_constant(bounds.0, 32);
            taken.add((value, *bounds), 8, |bounds| bounds);
        }
        taken
    }

    /// Constants are so far apart as what divides all their differences; what is not known has no step, then or later.
    #[test]
    fn steps_divide_all_differences() {
        let step = |values: &[i128]| taken(&values.iter().map(|value| (*value, *value)).collect::<Vec<_>>()).step();
        assert_eq!(step(&[7]), Some(0));
        assert_eq!(step(&[3, 7, 13]), Some(2));
        assert_eq!(step(&[-6, 0, 9, 0]), Some(3));
        assert_eq!(taken(&[(0, 0), (2, 4), (6, 6)]).step(), None);
        assert!(taken(&[(0, 0), (2, 2)]).varies() && !taken(&[(5, 5), (5, 5)]).varies());
    }
}
