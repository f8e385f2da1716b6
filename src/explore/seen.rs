//! What was seen of the numbers at one place, and how they relate to each other: what widening goes by.

use rustc_hash::{FxHashMap, FxHashSet};

use super::arrays::Arrays;
use super::canonical::Shape;
use super::join::Joined;
use super::merge::Merging;
use super::orders::Orders;
use crate::smt::Term;

/// All that was seen at one place.
#[derive(Default)]
pub struct History {
    pub(super) numbers: Numbers,
    pub(super) constraints: Merging,
    pub(super) joined: Joined,
}

/// What was seen of numbers, by the shape of the states that held them; there by the order in which a walk meets them.
#[derive(Default)]
pub(crate) struct Numbers {
    pub(super) seen: FxHashMap<Shape, Met>,
    pub(super) arrays: Arrays,
}

/// What was seen of the numbers of one shape.
#[derive(Default)]
pub(super) struct Met {
    pub numbers: Vec<Seen>,
    pub orders: Orders,
}

/// The values of one number.
#[derive(Default)]
pub(super) struct Seen {
    pub values: FxHashSet<Term>,
    /// Signed bounds of all of them.
    pub bounds: Option<(i128, i128)>,
    /// So many low bits of all of them are zero.
    pub alignment: u32,
    /// How they relate to other numbers.
    pub relations: Relations,
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
    /// Its value on the last visit.
    pub last: Option<Term>,
    pub follows: Follow,
    /// It is forgotten together with a number it changes with.
    pub tied: bool,
}

/// Whether a number follows another one.
#[derive(Clone, Copy, Default)]
pub(super) enum Follow {
    #[default]
    Untried,
    Of(Law),
    Nobody,
}

/// `slope * leader + rest`; a narrower leader is sign-extended.
#[derive(Clone, Copy)]
pub(super) struct Law {
    pub leader: usize,
    pub slope: i128,
    pub rest: Term,
}
