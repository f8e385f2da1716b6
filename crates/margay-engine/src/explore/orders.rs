//! Which numbers were never greater than others: an index and a length, a place that is written and one that is read, the sum
//! of two indices and the length of what both run through, the room that is left behind two pointers.
//!
//! Orders are tried when one of their numbers is forgotten for the first time, and given up for good when they do not hold in
//! the state at hand, so there are ever fewer of them. What the cells that end arrays tell of an index is tried as soon as it
//! changes, because later it is not known what was read.

use rustc_hash::FxHashSet;

use super::canonical::{Hole, Place};
use super::limits::{LEAST_BITS, MOST_RELATIONS, MOST_ROOMS, MOST_SUMS, MOST_TIMES};
use super::seen::Seen;
use super::widen::Hints;
use crate::cfa::{FunctionId, Reg};
use crate::heap::{Context, State};
use crate::memory::BlockId;
use crate::smt::{SymId, Term, Terms, gcd};

/// One number, or the sum of two, is not greater than a multiple of another one, or another sum, and a constant: by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Order {
    pub low: (usize, Option<usize>),
    pub high: (usize, Option<usize>),
    /// As unsigned numbers.
    pub unsigned: bool,
    /// The multiple.
    pub times: u8,
    /// The constant.
    pub rest: i64,
    /// Of an index and a size: elements are as large as the greatest factor of the size.
    pub whole: bool,
}

/// The orders that were always true so far.
#[derive(Default)]
pub(super) struct Orders {
    /// With whether they were always strict.
    kept: Vec<(Order, bool)>,
    tried: FxHashSet<Order>,
    /// The numbers that were forgotten and compared with all others.
    compared: FxHashSet<usize>,
}

/// The numbers of a state: those of its holes, then the anchors that pointers have to do with.
pub(super) struct Line<'a> {
    pub state: &'a State,
    pub holes: &'a [Hole],
    pub anchors: &'a [(BlockId, Term)],
    /// All of them, as they are in the state.
    pub numbers: &'a [Term],
    /// Numbers of holes that are related to nothing.
    pub is_data: &'a [bool],
    /// What was seen of the numbers of the holes.
    pub seen: &'a [Seen],
    pub hints: &'a Hints,
}

impl Order {
    fn of(low: usize, high: usize) -> Self {
        Self::of_sums((low, None), (high, None))
    }

    /// The same with a greater constant; that ends soon.
    fn weaker(self) -> Option<Self> {
        let most = 2 * i64::from(self.times);
        (self.times > 1 && self.rest < most).then_some(Self { rest: (self.rest + 1).max(0), ..self })
    }

    /// Of signed numbers.
    pub(super) fn of_sums(low: (usize, Option<usize>), high: (usize, Option<usize>)) -> Self {
        Self { low, high, unsigned: false, times: 1, rest: 0, whole: false }
    }
}

impl Orders {
    /// Gives up the orders that are not true in the state, and tries others with the numbers that are forgotten now.
    pub fn update(&mut self, line: &Line, widened: &[bool]) {
        let context = line.state.memory.context();
        let holds = |order: Order, strictly: bool| {
            line.fact(context, line.numbers, order, strictly).is_some_and(|fact| line.state.memory.supports(fact))
        };
        self.kept.retain_mut(|(order, strictly)| {
            *strictly = *strictly && holds(*order, true);
            let weaker = |order: Order| order.weaker().filter(|weaker| holds(*weaker, false));
            *strictly || holds(*order, false) || weaker(*order).map(|weaker| *order = weaker).is_some()
        });
        let is_compared = |index: &usize| !line.is_data[*index] && !line.is_size(*index);
        for index in (0..line.holes.len()).filter(is_compared) {
            let orders = if !widened[index] {
                if line.is_counter(index) { line.ends(index) } else { Vec::new() }
            } else if self.compared.insert(index) {
                let simple = line.above(index).into_iter().chain(line.below(index)).chain(line.ends(index));
                let more = line.sums(index).into_iter().chain(line.rooms(index)).chain(line.within(index));
                let more = more.chain(line.scaled(index));
                simple.chain(more).chain(line.unsigned(index)).collect()
            } else {
                Vec::new()
            };
            for order in orders {
                let is_weaker =
                    |known: &Order| order.rest >= known.rest && Order { rest: order.rest, ..*known } == order;
                if order.times > 1 && self.kept.iter().any(|(known, _)| is_weaker(known)) {
                    continue;
                }
                if self.tried.insert(order) && holds(order, false) {
                    self.kept.push((order, holds(order, true)));
                }
            }
        }
    }

    /// Whether a number that may be any large one was never less than that of hole `index`.
    pub fn bound(&self, index: usize, holes: &[Hole], state: &State) -> bool {
        let context = state.memory.context();
        let is_open = |high: usize| {
            holes.get(high).is_some_and(|hole| {
                let most = i128::MAX >> (128 - context.terms.width(hole.number));
                state.memory.store.signed_range(context, hole.number).1 >= most / 2
            })
        };
        let bounds = |order: &Order| {
            let is_plain = order.low == (index, None) && order.high.1.is_none() && order.times == 1;
            is_plain && !order.unsigned && order.high.0 != index && is_open(order.high.0)
        };
        self.kept.iter().any(|(order, _)| bounds(order))
    }

    /// What the orders say of `replaced`, the numbers that take the place of those in the state, and their bounds do not.
    pub fn facts(&self, line: &Line, replaced: &[Term]) -> Vec<Term> {
        let context = line.state.memory.context();
        let constant = |index: usize| context.terms.as_signed_const(replaced[index]);
        let bounds = |index: usize| line.seen.get(index).and_then(|seen| seen.bounds);
        let is_plain = |order: &Order, strictly: bool| {
            if order.unsigned || order.times != 1 {
                return false;
            }
            let (low, high) = match (order.low, order.high) {
                ((low, None), (high, None)) => match (constant(low), constant(high)) {
                    (Some(low), None) => (Some(low), bounds(high).map(|bounds| bounds.0)),
                    (None, Some(high)) => (bounds(low).map(|bounds| bounds.1), Some(high)),
                    _ => return false,
                },
                _ => return false,
            };
            low.zip(high).is_some_and(|(low, high)| low < high || (low == high && !strictly))
        };
        // A sum is not less than one of its parts if the other one is not negative.
        let is_part = |order: &Order, strictly: bool| {
            let (one, Some(other)) = order.high else { return false };
            let is_kept = |high: usize| {
                let mut kept = self.kept.iter();
                kept.any(|(part, is_strict)| {
                    part.low == order.low
                        && part.high == (high, None)
                        && part.unsigned == order.unsigned
                        && *is_strict >= strictly
                })
            };
            let is_positive = |index: usize| bounds(index).is_some_and(|bounds| bounds.0 >= 0);
            !order.unsigned
                && order.low.1.is_none()
                && ((is_kept(one) && is_positive(other)) || (is_kept(other) && is_positive(one)))
        };
        let established =
            self.kept.iter().filter(|(order, strictly)| !is_plain(order, *strictly) && !is_part(order, *strictly));
        established.filter_map(|(order, strictly)| line.fact(context, replaced, *order, *strictly)).collect()
    }
}

impl Line<'_> {
    /// What `order` says of `numbers`, where they can be compared.
    fn fact(&self, context: &Context, numbers: &[Term], order: Order, strictly: bool) -> Option<Term> {
        let terms = &context.terms;
        if self.is_about_counts(order) {
            return self.fact_about_counts(context, numbers, order, strictly);
        }
        // There may be fewer anchors than when the order was found.
        let number = |index: usize| numbers.get(index).copied();
        let sum = |(one, other): (usize, Option<usize>)| match (number(one)?, other) {
            (one, Some(other)) => {
                let other = number(other)?;
                let width = terms.width(one).max(terms.width(other));
                Some(terms.add(terms.sext(one, width), terms.sext(other, width)))
            }
            (one, None) => Some(one),
        };
        let (low, high) = (sum(order.low)?, sum(order.high)?);
        if order.times != 1 {
            let most = terms.scale(high, order.times.into());
            let rest = terms.signed_constant(order.rest.into(), terms.width(high));
            return is_below(context, low, terms.add(most, rest), strictly, false);
        }
        if order.unsigned {
            return is_below(context, low, high, strictly, true);
        }
        if order.whole {
            let low = terms.scale(terms.sext(low, terms.width(high)), whole_stride(terms, high)?);
            return is_below(context, low, high, strictly, false);
        }
        let is_offset = self.holes.get(order.low.0).is_none_or(|hole| hole.base.is_some());
        if is_offset || order.high.0 < self.holes.len() || terms.width(low) > terms.width(high) {
            return is_below(context, low, high, strictly, is_offset);
        }
        // An index counts elements, an anchor bytes.
        let stride = 1u128 << terms.trailing_zeros(high).min(16);
        let low = terms.scale(terms.sext(low, terms.width(high)), stride);
        is_below(context, low, high, strictly, false)
    }

    /// Whether the program adds these two.
    fn are_added(&self, one: usize, other: usize) -> bool {
        self.variables(one, other).is_some_and(|pair| self.hints.sums.contains(&pair))
    }

    /// Whether the program compares these two, or they stand in one object.
    fn may_be_compared(&self, one: usize, other: usize) -> bool {
        if let (Some(Place::Cell(block, _)), Some(Place::Cell(same, _))) = (self.place(one), self.place(other)) {
            return block == same && self.width(one) == self.width(other);
        }
        self.variables(one, other).is_some_and(|pair| self.hints.compared.contains(&pair))
    }

    /// Whether it is the size of a block in bytes: those are anchors as well. A number of cells is compared as counters are.
    pub(super) fn is_size(&self, index: usize) -> bool {
        matches!(self.place(index), Some(Place::Size(_, 1)))
    }

    pub(super) fn place(&self, index: usize) -> Option<Place> {
        self.holes.get(index).map(|hole| hole.place)
    }

    /// The variables of one function that hold these two, as hints name them.
    fn variables(&self, one: usize, other: usize) -> Option<(FunctionId, Reg, Reg)> {
        match (self.place(one)?, self.place(other)?) {
            (Place::Register(frame, left), Place::Register(same, right)) if frame == same => {
                let function = self.state.frames[frame].function;
                Some((function, Reg(left.min(right) as u32), Reg(left.max(right) as u32)))
            }
            _ => None,
        }
    }

    /// The block that the number of a hole leads into.
    fn block(&self, index: usize) -> Option<BlockId> {
        self.holes.get(index)?.block(&self.state.memory)
    }

    /// Whether the number of a hole is no pointer and has changed.
    fn is_counter(&self, index: usize) -> bool {
        self.is_index(index) && self.seen[index].has_changed()
    }

    /// Whether the number of a hole may be an index or a length.
    pub(super) fn is_index(&self, index: usize) -> bool {
        self.holes[index].base.is_none()
            && !self.is_data[index]
            && !self.is_size(index)
            && self.width(index) >= LEAST_BITS
    }

    fn width(&self, index: usize) -> u32 {
        self.state.memory.context().terms.width(self.numbers[index])
    }

    /// The anchors that are sizes, or those that are not.
    fn anchors(&self, sizes: bool) -> impl Iterator<Item = usize> {
        let is_size = move |(block, anchor): &(BlockId, Term)| {
            self.state.memory.object(*block).is_some_and(|object| object.size == *anchor)
        };
        (0..self.anchors.len()).filter(move |anchor| is_size(&self.anchors[*anchor]) == sizes)
    }

    /// Orders with what may bound the number of hole `index`: first what its own block says, then other numbers, then other blocks.
    fn above(&self, index: usize) -> Vec<Order> {
        let terms = &self.state.memory.context().terms;
        let own = self.block(index);
        let is_own = |anchor: usize| Some(self.anchors[anchor].0) == own;
        let count = self.holes.len();
        // Bytes bound an index where no number that stays tells what they are made of.
        let steady = (0..count).filter(|other| !self.seen[*other].has_changed() && !self.is_size(*other));
        let established: Vec<SymId> = steady.flat_map(|other| terms.symbols_of(self.numbers[other]).to_vec()).collect();
        let is_reported =
            |anchor: usize| terms.symbols_of(self.anchors[anchor].1).iter().all(|own| established.contains(own));
        let is_scaled = |anchor: usize| terms.trailing_zeros(self.anchors[anchor].1) > 0;
        let may_relate =
            |anchor: &usize| self.holes[index].base.is_some() || !is_scaled(*anchor) || !is_reported(*anchor);
        let anchors = || (0..self.anchors.len()).filter(may_relate);
        let first = anchors().filter(|anchor| is_own(*anchor)).map(|anchor| count + anchor);
        let last = anchors().filter(|anchor| !is_own(*anchor)).map(|anchor| count + anchor);
        // A table ends where an array does that was filled by a narrower counter.
        let ends_table = self.ends_table(index);
        // A constant that never changed bounds nothing that the bounds do not say, unless it changes later: then nothing else says
        // of the order any more. How many cells a block has is no bound worth stopping at by itself.
        let may_bound = |other: &usize| {
            let is_fixed = terms.as_const(self.numbers[*other]).is_some();
            *other != index
                && !self.is_data.get(*other).copied().unwrap_or(false)
                && !self.is_size(*other)
                && (self.width(*other) >= self.width(index) || ends_table)
                && (!is_fixed
                    || self.seen.get(*other).is_some_and(Seen::has_changed)
                    || matches!(self.place(*other), Some(Place::Size(..)))
                    || self.may_be_compared(index, *other))
        };
        // Pointers are compared with pointers into the same block.
        let is_beside = |other: &usize| own.is_some() && self.block(*other) == own;
        let holes = (0..count).filter(is_beside).chain((0..count).filter(|other| !is_beside(other)));
        let others = first.chain(holes).chain(last).filter(may_bound);
        let is_whole = |other: &usize| {
            let is_size = *other >= count || matches!(self.place(*other), Some(Place::Size(..)));
            is_size
                && self.holes[index].base.is_none()
                && self.width(index) <= terms.width(self.numbers[*other])
                && whole_stride(terms, self.numbers[*other]).is_some()
        };
        let orders = |other: usize| {
            let order = Order::of(index, other);
            is_whole(&other).then_some(Order { whole: true, ..order }).into_iter().chain([order])
        };
        others.flat_map(orders).take(MOST_RELATIONS).collect()
    }

    /// Whether the hole is the number behind the last cell of a table.
    fn ends_table(&self, index: usize) -> bool {
        let Some(Place::Last(block, run)) = self.place(index) else { return false };
        self.state.memory.runs(block).get(run).is_some_and(|run| run.table.is_some())
    }

    /// Orders with counters that the number of hole `index` may stay above, though they may have begun to change only later.
    fn below(&self, index: usize) -> Vec<Order> {
        let own = self.block(index);
        let is_offset = self.holes[index].base.is_some();
        let may_stay = |other: &usize| {
            *other != index
                && !self.is_data[*other]
                && !self.is_size(*other)
                && self.width(*other) >= LEAST_BITS
                && self.width(*other) <= self.width(index)
                && self.block(*other) == own
                && self.holes[*other].base.is_some() == is_offset
        };
        if self.width(index) < LEAST_BITS {
            return Vec::new();
        }
        let others = (0..self.holes.len()).filter(may_stay);
        others.take(MOST_RELATIONS).map(|other| Order::of(other, index)).collect()
    }

    /// Orders as unsigned numbers with variables that the program compares so with that of hole `index`.
    fn unsigned(&self, index: usize) -> Vec<Order> {
        let is_compared = |other: &usize| {
            self.width(*other) == self.width(index)
                && self.variables(index, *other).is_some_and(|pair| self.hints.unsigned.contains(&pair))
        };
        let others = (0..self.holes.len()).filter(|other| *other != index).filter(is_compared);
        let both = others.flat_map(|other| [Order::of(index, other), Order::of(other, index)]);
        both.map(|order| Order { unsigned: true, ..order }).collect()
    }

    /// Orders of an index, its sums with others, and places so far behind pointers, with cells that are known to end arrays.
    fn ends(&self, index: usize) -> Vec<Order> {
        if !self.is_index(index) {
            return Vec::new();
        }
        let others = (0..self.holes.len()).filter(|other| *other != index && self.are_added(index, *other));
        let (pointers, others): (Vec<usize>, Vec<usize>) = others.partition(|other| self.holes[*other].base.is_some());
        let others = others.into_iter().filter(|other| self.is_counter(*other));
        let others = others.filter(|other| self.width(*other) == self.width(index));
        let with = |other: usize| (index.min(other), Some(index.max(other)));
        let lows: Vec<_> = std::iter::once((index, None)).chain(others.map(with)).collect();
        let ends = || self.anchors(false).map(|end| (end, self.holes.len() + end));
        let indices = ends().flat_map(|(_, high)| lows.iter().map(move |low| Order::of_sums(*low, (high, None))));
        let behind = pointers.iter().flat_map(|pointer| {
            let own = ends().filter(|(end, _)| Some(self.anchors[*end].0) == self.block(*pointer));
            own.map(|(_, high)| Order::of_sums((*pointer, Some(index)), (high, None)))
        });
        indices.chain(behind).take(MOST_SUMS).collect()
    }

    /// Orders with multiples of counters, one of which is that of hole `index`: what goes up by two stays below twice what goes up by one
    /// or more.
    fn scaled(&self, index: usize) -> Vec<Order> {
        let rooms = self.room_for_each();
        let others = (0..self.holes.len()).filter(|other| *other != index);
        let both = others.flat_map(|other| [(index, other), (other, index)]).map(|pair| self.multiples(pair, &rooms));
        both.flatten().take(MOST_RELATIONS).collect()
    }

    /// That the number of hole `low` is not greater than a multiple of that of hole `high`, where its steps or what blocks have room for
    /// suggest so; it may be one step ahead.
    fn multiples(&self, (low, high): (usize, usize), rooms: &[u8]) -> Vec<Order> {
        let may_lead = !self.is_data[high] && !self.is_size(high) && !self.is_count(high) && self.seen[high].varies;
        if !may_lead || !self.is_index(low) || !self.seen[low].varies || self.width(low) != self.width(high) {
            return Vec::new();
        }
        let step = self.seen[low].step.and_then(|step| u8::try_from(step).ok()).filter(|step| *step > 1);
        let times = step.map_or_else(|| rooms.to_vec(), |step| vec![step]);
        let times = times.into_iter().filter(|times| *times <= MOST_TIMES);
        times.flat_map(|times| self.within_multiple(low, high, times)).collect()
    }

    /// How many bytes blocks have for each unit of what their sizes are made of, where these are no elements of a common width.
    fn room_for_each(&self) -> Vec<u8> {
        let terms = &self.state.memory.context().terms;
        let sizes = self.anchors(true).map(|size| terms.linear(self.anchors[size].1));
        let factors = sizes.flat_map(|size| size.parts).filter_map(|(factor, _)| u8::try_from(factor).ok());
        let mut factors: Vec<u8> = factors.filter(|factor| (2..=3).contains(factor)).collect();
        factors.sort_unstable();
        factors.dedup();
        factors
    }

    fn within_multiple(&self, low: usize, high: usize, times: u8) -> Vec<Order> {
        let terms = &self.state.memory.context().terms;
        let rest = terms.sub(self.numbers[low], terms.scale(self.numbers[high], times.into()));
        let rest = terms.as_signed_const(rest).and_then(|rest| i64::try_from(rest).ok());
        let rests = rest.map_or_else(|| vec![0, times.into()], |rest| vec![rest]);
        rests.into_iter().map(|rest| Order { times, rest, ..Order::of(low, high) }).collect()
    }

    /// Orders of one index and the sum of two, one of which is that of hole `index`.
    fn sums(&self, index: usize) -> Vec<Order> {
        if !self.is_index(index) {
            return Vec::new();
        }
        let terms = &self.state.memory.context().terms;
        let alike = (0..self.holes.len()).filter(|other| *other != index && self.is_index(*other));
        let alike: Vec<usize> = alike.filter(|other| self.width(*other) == self.width(index)).collect();
        let counters: Vec<usize> = alike.iter().copied().filter(|other| self.is_counter(*other)).collect();
        let sum = |one: usize, other: usize| (one.min(other), Some(one.max(other)));
        // A block as long as two others is filled with what these hold.
        let mut sizes = self.anchors(true);
        let is_sum = sizes.any(|size| terms.symbols_of(self.anchors[size].1).len() > 1);
        let mut orders = Vec::new();
        for (position, &one) in counters.iter().enumerate() {
            for &other in counters[position + 1..].iter().filter(|_| is_sum) {
                orders.push(Order::of_sums((index, None), sum(one, other)));
                orders.push(Order::of_sums((one, None), sum(index, other)));
                orders.push(Order::of_sums((other, None), sum(index, one)));
            }
            let lengths = alike.iter().filter(|length| **length != one && self.are_added(index, one));
            let lengths = lengths.filter(|length| terms.as_const(self.numbers[**length]).is_none());
            orders.extend(lengths.map(|length| Order::of_sums(sum(index, one), (*length, None))));
        }
        orders.truncate(MOST_SUMS);
        orders
    }

    /// That behind the pointer of hole `index` there is as much room as behind pointers into other blocks, or the other way round.
    fn rooms(&self, index: usize) -> Vec<Order> {
        let count = self.holes.len();
        let size = |block: Option<BlockId>| {
            self.anchors(true).find(|anchor| Some(self.anchors[*anchor].0) == block).map(|anchor| count + anchor)
        };
        let own = self.block(index);
        let Some(own_size) = size(own) else { return Vec::new() };
        let others = (0..count).filter(|other| self.seen[*other].has_changed() && self.block(*other) != own);
        let rooms = others.filter_map(|other| Some((other, size(self.block(other))?)));
        let orders = rooms.flat_map(|(other, other_size)| {
            let (own, other) = ((index, other_size), (other, own_size));
            [(own, other), (other, own)].map(|(low, high)| Order::of_sums((low.0, Some(low.1)), (high.0, Some(high.1))))
        });
        orders.take(MOST_ROOMS).collect()
    }
}

/// The greatest factor of a size, where it is no power of two: of elements of 28 bytes there are as many as a counter says.
fn whole_stride(terms: &Terms, size: Term) -> Option<u128> {
    let sum = terms.linear(size);
    let factors = sum.parts.iter().map(|(factor, _)| *factor).chain([sum.constant]);
    let greatest = factors.fold(0, gcd);
    (!sum.parts.is_empty() && greatest < 1 << 16 && !greatest.is_power_of_two()).then_some(greatest)
}

/// `number < bound` or `number <= bound`, where they can be compared.
pub(super) fn is_below(context: &Context, number: Term, bound: Term, strictly: bool, unsigned: bool) -> Option<Term> {
    let terms = &context.terms;
    let (width, wanted) = (terms.width(number), terms.width(bound));
    let (number, bound) = match width.cmp(&wanted) {
        std::cmp::Ordering::Equal => (number, bound),
        std::cmp::Ordering::Less if !unsigned => (terms.sext(number, wanted), bound),
        std::cmp::Ordering::Greater if !unsigned => (number, terms.sext(bound, width)),
        _ => return None,
    };
    Some(match (unsigned, strictly) {
        (true, true) => terms.ult(number, bound),
        (true, false) => terms.ule(number, bound),
        (false, true) => terms.slt(number, bound),
        (false, false) => terms.sle(number, bound),
    })
}
