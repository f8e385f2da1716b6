//! How the numbers of nodes that lists have relate to each other and to other numbers: that what was visited and what is left
//! are all there was, that a list is as long as a counter says.

use super::canonical::Place;
use super::limits::MOST_COUNTED;
use super::orders::{Line, Order, is_below};
use crate::heap::Context;
use crate::smt::Term;

impl Line<'_> {
    /// Whether the number of a hole is that of a list's nodes.
    fn is_count(&self, index: usize) -> bool {
        matches!(self.place(index), Some(Place::Count(_)))
    }

    /// Whether numbers of nodes have to do with `order`, which speaks of no anchors.
    pub(super) fn is_about_counts(&self, order: Order) -> bool {
        let mut parts = parts(order);
        parts.clone().any(|part| self.is_count(part)) && parts.all(|part| self.place(part).is_some())
    }

    /// What `order` says of `numbers`; narrower ones are never negative where they have to do with nodes.
    pub(super) fn fact_about_counts(
        &self,
        context: &Context,
        numbers: &[Term],
        order: Order,
        strictly: bool,
    ) -> Option<Term> {
        let terms = &context.terms;
        let width = parts(order).map(|part| terms.width(numbers[part])).max()?;
        let wide = |part: usize| terms.zext(numbers[part], width);
        let sum = |(one, other): (usize, Option<usize>)| match other {
            Some(other) => terms.add(wide(one), wide(other)),
            None => wide(one),
        };
        is_below(context, sum(order.low), sum(order.high), strictly, false)
    }

    /// Sums of two numbers that are a third one, hole `index` being the number of nodes of a list and one of the three: as pairs of
    /// orders.
    pub(super) fn counts(&self, index: usize) -> Vec<[Order; 2]> {
        if !self.is_count(index) {
            return Vec::new();
        }
        let equal = |sum: (usize, usize), whole: usize| {
            let (sum, whole) = ((sum.0.min(sum.1), Some(sum.0.max(sum.1))), (whole, None));
            [Order { low: sum, high: whole }, Order { low: whole, high: sum }]
        };
        let others: Vec<usize> =
            (0..self.holes.len()).filter(|other| *other != index && self.is_index(*other)).collect();
        let mut sums = Vec::new();
        for (position, &one) in others.iter().enumerate() {
            for &other in &others[position + 1..] {
                sums.extend([equal((index, one), other), equal((index, other), one), equal((one, other), index)]);
            }
        }
        sums.truncate(MOST_COUNTED);
        sums
    }
}

/// The numbers that an order speaks of.
fn parts(order: Order) -> impl Iterator<Item = usize> + Clone {
    let Order { low, high } = order;
    [Some(low.0), low.1, Some(high.0), high.1].into_iter().flatten()
}
