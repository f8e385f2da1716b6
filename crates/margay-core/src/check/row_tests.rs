//! Rows of nodes and lists, judged by the words that they have: a wrong answer of the check is no proof, wherever it comes from.

use std::collections::BTreeSet;

use super::row::{Later, Row};
use crate::base::limits::Limits;
use crate::heap::{Context, Kinds, Links, Segment, Succession, each};
use crate::memory::BlockId;
use crate::smt::Z3Solver;
use crate::task::DataModel;

/// So many kinds there are on both sides.
const KINDS: usize = 2;
/// Long enough for each two neighbours that a list of two kinds may have, between a first and a last node.
const LONGEST: usize = 4;

type Word = Vec<usize>;

/// A part of a row, and in which kinds of the general state each of its own results.
#[derive(Clone, Debug)]
enum Part {
    Node(usize),
    List { order: Succession, min_len: u32, kinds: Vec<Kinds> },
}

/// The lists of an order with so many nodes at least, by the definition.
fn words(order: &Succession, min_len: u32) -> Vec<Word> {
    let mut all: Vec<Word> = vec![Vec::new()];
    let mut found: Vec<Word> = if min_len == 0 { all.clone() } else { Vec::new() };
    for length in 1..=LONGEST {
        all = all.iter().flat_map(|word| (0..KINDS).map(|kind| [word.as_slice(), &[kind]].concat())).collect();
        let words = all.iter().filter(|word| length >= min_len as usize && is_word(order, word));
        found.extend(words.cloned());
    }
    found
}

fn is_word(order: &Succession, word: &[usize]) -> bool {
    let (Some(first), Some(last)) = (word.first(), word.last()) else { return true };
    order.first & (1 << first) != 0
        && order.last & (1 << last) != 0
        && word.windows(2).all(|pair| order.follows[pair[0]] & (1 << pair[1]) != 0)
}

/// What the nodes of a part may be in the general state.
fn images(part: &Part) -> BTreeSet<Word> {
    let (order, min_len, kinds) = match part {
        Part::Node(kind) => return [vec![*kind]].into(),
        Part::List { order, min_len, kinds } => (order, *min_len, kinds),
    };
    let mut images = BTreeSet::new();
    for word in words(order, min_len) {
        let all = word.iter().fold(vec![Vec::new()], |images: Vec<Word>, own| {
            let longer =
                |image: &Word| each(kinds[*own]).map(|kind| [image.as_slice(), &[kind]].concat()).collect::<Vec<_>>();
            images.iter().flat_map(longer).collect()
        });
        images.extend(all);
    }
    images
}

/// All that the parts may be in a row.
fn rows(parts: &[Part]) -> BTreeSet<Word> {
    parts.iter().fold([Vec::new()].into(), |rows: BTreeSet<Word>, part| {
        let images = images(part);
        rows.iter().flat_map(|row| images.iter().map(move |image| [row.as_slice(), image].concat())).collect()
    })
}

fn check(context: &Context, general: &Succession, parts: &[Part]) -> bool {
    let links = Links { head: 0, next: 0, branching: None, prev: None };
    let (mut row, mut later) = (Row::new(general), Vec::new());
    for part in parts {
        match part {
            Part::Node(kind) => row.node(*kind),
            Part::List { order, min_len, kinds } => {
                let (last, next, order) = (BlockId(1), context.pointer_constant(0), order.clone());
                let (count, prev, empty, leaf, bodies) = (None, None, None, None, Vec::new());
                let min_len = *min_len;
                row.list(&Segment { last, links, min_len, count, next, prev, empty, leaf, bodies, order }, later.len());
                let (bodies, own, links, kinds) = (Vec::new(), Vec::new(), Vec::new(), kinds.clone());
                later.push(Later { scope: 0, bodies, first: BlockId(0), own, links, cases: &[], kinds });
            }
        }
    }
    row.check(&later).is_ok()
}

/// Draws the same numbers each time.
struct Draw(u64);

impl Draw {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

fn some(random: &mut Draw) -> Kinds {
    random.pick(&[0b01, 0b10, 0b11])
}

fn any_order(random: &mut Draw) -> Succession {
    let follows = (0..KINDS).map(|_| random.pick(&[0b00, 0b01, 0b10, 0b11])).collect();
    Succession { first: some(random), last: some(random), follows }
}

/// A node, or a list with words of each of its kinds.
fn any_part(random: &mut Draw) -> Part {
    if random.below(3) == 0 {
        return Part::Node(random.below(KINDS));
    }
    let order = loop {
        let order = any_order(random);
        if order.met() == 0b11 {
            break order;
        }
    };
    Part::List { order, min_len: random.pick(&[0, 1]), kinds: (0..KINDS).map(|_| some(random)).collect() }
}

/// The check is exact where each kind of node is met, so that a demand left out shows as well as one too many.
#[test]
fn a_row_is_accepted_where_all_its_words_are_of_the_order() {
    let context = Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none());
    let mut answers = [0, 0];
    let mut random = Draw(1);
    for _ in 0..4000 {
        let parts: Vec<Part> = (0..=random.below(3)).map(|_| any_part(&mut random)).collect();
        let mut general = any_order(&mut random);
        let rows = rows(&parts);
        if random.below(2) == 0 {
            // The least order of them all, and then often one thing less.
            general = Succession { first: 0, last: 0, follows: vec![0; KINDS] };
            for row in &rows {
                let (Some(first), Some(last)) = (row.first(), row.last()) else { continue };
                general.first |= 1 << first;
                general.last |= 1 << last;
                row.windows(2).for_each(|pair| general.follows[pair[0]] |= 1 << pair[1]);
            }
            match random.below(6) {
                0 => general.first &= some(&mut random),
                1 => general.last &= some(&mut random),
                2 => general.follows[0] &= some(&mut random),
                3 => general.follows[1] &= some(&mut random),
                _ => {}
            }
        }
        let is_within = rows.iter().all(|row| is_word(&general, row));
        assert_eq!(check(&context, &general, &parts), is_within, "{parts:?} in a row within {general:?}");
        answers[usize::from(is_within)] += 1;
    }
    assert!(answers.iter().all(|answers| *answers > 400), "rows of both sorts are met: {answers:?}");
}

/// Where a list has no node, what stands before and behind it are neighbours, and the first or the last of the row.
#[test]
fn a_list_that_may_be_empty_hides_nothing() {
    let context = Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none());
    let one = |kind: usize, min_len: u32| {
        let order = Succession { first: 0b01, last: 0b01, follows: vec![0; KINDS] };
        Part::List { order, min_len, kinds: vec![1 << kind; KINDS] }
    };
    let turns = |first: Kinds, last: Kinds| Succession { first, last, follows: vec![0b10, 0b01] };
    for min_len in [0, 1] {
        let rows = [
            (turns(0b11, 0b11), vec![Part::Node(0), one(1, min_len), Part::Node(0)]),
            (turns(0b11, 0b10), vec![Part::Node(0), one(1, min_len)]),
            (turns(0b01, 0b11), vec![one(0, min_len), Part::Node(1)]),
        ];
        for (general, parts) in rows {
            assert_eq!(check(&context, &general, &parts), min_len == 1, "{parts:?} in a row within {general:?}");
        }
    }
}

/// What is said of a list's nodes has to fit it: a proof from a file may say anything.
#[test]
fn kinds_that_nothing_knows_are_refused() {
    let context = Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none());
    let free = Succession::free(KINDS);
    let list = |kinds: &[Kinds]| Part::List { order: Succession::free(KINDS), min_len: 1, kinds: kinds.to_vec() };
    assert!(check(&context, &free, &[list(&[0b01, 0b11])]), "kinds that fit are fine");
    for part in [list(&[0b01]), list(&[0b01, 0b10, 0b10]), list(&[0b01, 0b100]), Part::Node(KINDS), Part::Node(32)] {
        assert!(!check(&context, &free, std::slice::from_ref(&part)), "{part:?}");
    }
}
