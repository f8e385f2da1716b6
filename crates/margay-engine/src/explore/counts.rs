//! Orders in which the numbers of nodes take part that lists have.

use super::canonical::Place;
use super::limits::MOST_WITHIN;
use super::orders::{Line, Order, is_below};
use crate::heap::Context;
use crate::smt::Term;

impl Line<'_> {
    /// Whether the number of a hole is that of a list's nodes.
    pub(super) fn is_count(&self, index: usize) -> bool {
        matches!(self.place(index), Some(Place::Count(_)))
    }

    /// That other numbers are not greater than how many nodes two lists have together, one of which hole `index` counts: what was
    /// visited of a list and what is left.
    pub(super) fn within(&self, index: usize) -> Vec<Order> {
        if !self.is_count(index) {
            return Vec::new();
        }
        let holes = || (0..self.holes.len()).filter(|other| *other != index);
        let orders = holes().filter(|other| self.is_count(*other)).flat_map(|other| {
            let high = (index.min(other), Some(index.max(other)));
            let lows = holes().filter(|low| !self.is_count(*low) && self.is_index(*low));
            lows.map(move |low| Order::of_sums((low, None), high))
        });
        orders.take(MOST_WITHIN).collect()
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
}

/// The numbers that an order speaks of.
fn parts(order: Order) -> impl Iterator<Item = usize> + Clone {
    let Order { low, high, .. } = order;
    [Some(low.0), low.1, Some(high.0), high.1].into_iter().flatten()
}
