//! The parts of a conjunction that share no symbol: each has a model exactly if it has one by itself.

use rustc_hash::FxHashMap;

use super::term::{SymId, Term, Terms};

/// `conjuncts` by what they share symbols with, directly or through others; in their order, and parts by their first conjunct.
pub(super) fn parts(terms: &Terms, conjuncts: &[Term]) -> Vec<Vec<Term>> {
    let mut leader: Vec<usize> = (0..conjuncts.len()).collect();
    let mut owner: FxHashMap<SymId, usize> = FxHashMap::default();
    for (index, conjunct) in conjuncts.iter().enumerate() {
        for symbol in terms.symbols_of(*conjunct).iter() {
            let other = *owner.entry(*symbol).or_insert(index);
            let (one, two) = (find(&mut leader, other), find(&mut leader, index));
            leader[one.max(two)] = one.min(two);
        }
    }
    let mut parts: Vec<Vec<Term>> = Vec::new();
    let mut place: FxHashMap<usize, usize> = FxHashMap::default();
    for (index, conjunct) in conjuncts.iter().enumerate() {
        let part = *place.entry(find(&mut leader, index)).or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[part].push(*conjunct);
    }
    parts
}

/// The first conjunct of the part.
fn find(leader: &mut [usize], mut index: usize) -> usize {
    while leader[index] != index {
        leader[index] = leader[leader[index]];
        index = leader[index];
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shares_symbols_through_others_is_one_part() {
        let terms = Terms::new();
        let symbols: Vec<Term> = (0..5).map(|_| terms.fresh_symbol(8, "n")).collect();
        let less = |one: usize, two: usize| terms.ult(symbols[one], symbols[two]);
        let alone = terms.ult(symbols[4], terms.constant(7, 8));
        let conjuncts = [less(0, 1), less(2, 3), alone, less(1, 2)];
        assert_eq!(parts(&terms, &conjuncts), [vec![less(0, 1), less(2, 3), less(1, 2)], vec![alone]]);
        assert_eq!(parts(&terms, &conjuncts[..3]), [vec![less(0, 1)], vec![less(2, 3)], vec![alone]]);
        assert_eq!(parts(&terms, &[]), Vec::<Vec<Term>>::new());
    }
}
