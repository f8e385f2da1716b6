//! Which kinds of nodes may stand one behind the other in a list.
//!
//! A local language over kinds: a list is a word of it if its first node is of a kind that may be the first, its last node of one that
//! may be the last, and of each two neighbours the kind of the right one may follow that of the left one. So "1, 2, 1, 2, …", "zeros,
//! then ones", and "two red nodes are never neighbours" are said; without order, each kind may follow each other one.

use std::fmt;

/// A set of kinds: bit `k` says whether kind `k` is in it.
pub type Kinds = u32;

/// More kinds than that cannot be put in order.
pub const MOST_ORDERED: usize = Kinds::BITS as usize;

/// Which kinds may be first, last, and follow each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Succession {
    /// The kinds that the first node may be of.
    pub first: Kinds,
    /// The kinds that the last node may be of.
    pub last: Kinds,
    /// By kind: what may come next.
    pub follows: Vec<Kinds>,
}

/// Whether the kind is in the set.
pub fn has(kinds: Kinds, kind: usize) -> bool {
    kinds & (1 << kind) != 0
}

/// The kinds in a set, ascending.
pub fn each(kinds: Kinds) -> impl Iterator<Item = usize> {
    (0..MOST_ORDERED).filter(move |kind| has(kinds, *kind))
}

impl Succession {
    /// Nodes of so many kinds, in any order.
    pub fn free(kinds: usize) -> Self {
        let all = all(kinds);
        Self { first: all, last: all, follows: vec![all; kinds] }
    }

    /// One node, of the only kind there is.
    pub fn one() -> Self {
        Self { first: 1, last: 1, follows: vec![0] }
    }

    /// No node, where there is one kind.
    pub fn nothing() -> Self {
        Self { first: 0, last: 0, follows: vec![0] }
    }

    /// Whether nodes may stand in any order.
    pub fn is_free(&self) -> bool {
        let all = all(self.follows.len());
        [self.first, self.last].iter().chain(&self.follows).all(|kinds| *kinds == all)
    }

    /// Whether it speaks of so many kinds only.
    pub fn is_of(&self, kinds: usize) -> bool {
        let all = all(kinds);
        self.follows.len() == kinds
            && kinds <= MOST_ORDERED
            && [self.first, self.last].iter().chain(&self.follows).all(|kinds| kinds & !all == 0)
    }

    /// What may come after any of these.
    pub fn after(&self, kinds: Kinds) -> Kinds {
        each(kinds).fold(0, |after, kind| after | self.follows[kind])
    }

    /// What may come before any of these.
    pub fn before(&self, kinds: Kinds) -> Kinds {
        (0..self.follows.len())
            .filter(|kind| self.follows[*kind] & kinds != 0)
            .fold(0, |before, kind| before | (1 << kind))
    }

    /// The kinds that nodes of some list are of.
    pub fn met(&self) -> Kinds {
        let closure = |from: Kinds, step: &dyn Fn(Kinds) -> Kinds| {
            let mut met = from;
            while step(met) & !met != 0 {
                met |= step(met);
            }
            met
        };
        closure(self.first, &|kinds| self.after(kinds)) & closure(self.last, &|kinds| self.before(kinds))
    }

    /// The same where each kind has become the one that `to` says, of so many; kinds without one are in no list.
    pub fn renamed(&self, to: &[Option<usize>], kinds: usize) -> Self {
        let image = |from: Kinds| each(from).filter_map(|kind| to[kind]).fold(0, |image, kind| image | (1 << kind));
        let mut follows = vec![0; kinds];
        for (kind, after) in self.follows.iter().enumerate() {
            if let Some(kind) = to[kind] {
                follows[kind] |= image(*after);
            }
        }
        Self { first: image(self.first), last: image(self.last), follows }
    }

    /// Lists of either, over the same kinds.
    pub fn either(&self, other: &Self) -> Self {
        let follows = self.follows.iter().zip(&other.follows).map(|(one, other)| one | other).collect();
        Self { first: self.first | other.first, last: self.last | other.last, follows }
    }

    /// A list of this and one of `next` behind it, over the same kinds; `may_be_empty` says which of them may have no node.
    pub fn then(&self, next: &Self, may_be_empty: [bool; 2]) -> Self {
        let mut both = self.either(next);
        for kind in each(self.last) {
            both.follows[kind] |= next.first;
        }
        if !may_be_empty[0] {
            both.first = self.first;
        }
        if !may_be_empty[1] {
            both.last = next.last;
        }
        both
    }
}

impl fmt::Display for Succession {
    /// Kinds are numbered from 1, as in pictures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |kinds: Kinds| match kinds {
            0 => "none".into(),
            _ => each(kinds).map(|kind| (kind + 1).to_string()).collect::<Vec<_>>().join(" or "),
        };
        write!(f, "kinds: first {}", text(self.first))?;
        for (kind, after) in self.follows.iter().enumerate() {
            write!(f, ", after {} {}", kind + 1, text(*after))?;
        }
        write!(f, ", last {}", text(self.last))
    }
}

fn all(kinds: usize) -> Kinds {
    if kinds >= MOST_ORDERED { Kinds::MAX } else { (1 << kinds) - 1 }
}

#[cfg(test)]
mod tests {
    use super::{Succession, each};

    /// All words of at most `longest` kinds, by the definition.
    fn words(order: &Succession, longest: usize) -> Vec<Vec<usize>> {
        let kinds = order.follows.len();
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        let mut found = Vec::new();
        for _ in 0..longest {
            let longer =
                |word: &Vec<usize>| (0..kinds).map(|kind| [word.clone(), vec![kind]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(longer).collect();
            let is_word = |word: &&Vec<usize>| {
                order.first & (1 << word[0]) != 0
                    && order.last & (1 << word[word.len() - 1]) != 0
                    && word.windows(2).all(|pair| order.follows[pair[0]] & (1 << pair[1]) != 0)
            };
            found.extend(all.iter().filter(is_word).cloned());
        }
        found.sort();
        found
    }

    /// 0, 1, 0, 1, … up to a last 2.
    fn alternating() -> Succession {
        Succession { first: 0b001, last: 0b100, follows: vec![0b110, 0b101, 0] }
    }

    #[test]
    fn words_are_those_of_first_last_and_neighbours() {
        assert_eq!(words(&alternating(), 4), [vec![0, 1, 0, 2], vec![0, 1, 2], vec![0, 2]]);
        assert_eq!(words(&Succession::one(), 3), [vec![0]]);
        assert_eq!(words(&Succession::free(2), 2).len(), 2 + 4);
    }

    #[test]
    fn one_behind_the_other_has_all_words_of_both_in_a_row() {
        let (left, right) = (alternating(), Succession { first: 0b010, last: 0b001, follows: vec![0b010, 0b001, 0] });
        let both = words(&left.then(&right, [false, false]), 5);
        for one in words(&left, 3) {
            for other in words(&right, 2) {
                assert!(both.contains(&[one.clone(), other].concat()), "{one:?}");
            }
            assert!(!both.contains(&one));
        }
        let maybe = words(&left.then(&right, [true, true]), 5);
        assert!(words(&left, 5).iter().chain(&words(&right, 5)).all(|word| maybe.contains(word)));
    }

    #[test]
    fn renaming_keeps_each_word() {
        let to = [Some(1), Some(0), Some(1)];
        let renamed = words(&alternating().renamed(&to, 2), 4);
        for word in words(&alternating(), 4) {
            let image: Vec<usize> = word.iter().filter_map(|kind| to[*kind]).collect();
            assert!(renamed.contains(&image), "{word:?}");
        }
        assert!(!renamed.contains(&vec![0]));
    }

    #[test]
    fn kinds_that_no_list_has_are_not_met() {
        let order = Succession { first: 0b0001, last: 0b0010, follows: vec![0b0110, 0, 0, 0b0010] };
        assert_eq!(each(order.met()).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(order.before(0b0010), 0b1001);
        assert_eq!(order.after(0b0001), 0b0110);
    }

    #[test]
    fn an_order_is_reported_in_words() {
        assert_eq!(alternating().to_string(), "kinds: first 1, after 1 2 or 3, after 2 1 or 3, after 3 none, last 3");
    }

    #[test]
    fn free_is_any_order() {
        assert!(Succession::free(1).is_free() && Succession::free(3).is_free());
        assert!(!Succession::one().is_free() && !alternating().is_free());
        assert!(alternating().is_of(3) && !alternating().is_of(2) && !alternating().is_of(4));
        assert!(!Succession { first: 0b1000, ..alternating() }.is_of(3));
    }
}
