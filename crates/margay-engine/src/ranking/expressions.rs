//! Expressions over numbers of a state, and those among them that a component's edges decrease.

use std::collections::{BTreeMap, BTreeSet};

use super::flows::flows;
use super::guards::{self, Guard};
use super::linear::{self, Linear, at_least};
use super::slots::{Slot, slots};
use super::steps;
use crate::base::limits::{Exhausted, Limits};
use crate::certificate::Order;
use crate::check::decreases;
use crate::heap::State;
use crate::smt::{Effort, Term, Terms};

/// Expressions that are tried for one component.
const MOST_TRIED: usize = 2_000;

/// How hard the solver tries to show that one expression decreases along one edge: at first not hard, because most do not.
const EFFORTS: [Effort; 2] = [Effort { rlimit: 50_000, timeout: None }, Effort { rlimit: 1_000_000, timeout: None }];

/// How numbers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// From zero.
    Unsigned,
    /// In two's complement.
    Signed,
}

impl Sign {
    fn other(self) -> Self {
        match self {
            Self::Unsigned => Self::Signed,
            Self::Signed => Self::Unsigned,
        }
    }
}

/// An expression over the numbers of a state.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A number, in an order in which it may decrease.
    Number(Slot, Order),
    /// By how much the first exceeds the second, modulo the width.
    Distance(Slot, Slot),
    /// The same plus one, as it is among integers; zero where the first one is less.
    Excess(Slot, Slot, Sign),
    /// The sum of both among integers; zero where it is negative.
    Sum(Slot, Slot, Sign),
    /// A sum of multiples among integers.
    Linear(Linear),
    /// 1 where another step can follow, 0 where none can.
    Guard(Guard),
    /// How many steps of an odd length it takes, modulo the width, from the first number to the second, or to zero: the distance times
    /// the inverse of the length.
    Steps(Slot, Option<Slot>, u128),
}

impl Expression {
    /// Its value in a state.
    pub fn value(&self, state: &State) -> Option<Term> {
        let terms = &state.memory.context().terms;
        match self {
            Expression::Number(slot, _) => slot.value(state),
            Expression::Distance(a, b) => {
                let (a, b) = both(terms, a.value(state)?, b.value(state)?)?;
                Some(terms.sub(a, b))
            }
            Expression::Excess(a, b, sign) => {
                let (a, b) = both(terms, a.value(state)?, b.value(state)?)?;
                let (a, b) = (wider(terms, a, SUM_BITS, *sign)?, wider(terms, b, SUM_BITS, *sign)?);
                Some(at_least(terms, terms.add_constant(terms.sub(a, b), 1), 0))
            }
            Expression::Sum(a, b, sign) => {
                let (a, b) = both(terms, a.value(state)?, b.value(state)?)?;
                let sum = terms.add(wider(terms, a, SUM_BITS, *sign)?, wider(terms, b, SUM_BITS, *sign)?);
                Some(if *sign == Sign::Signed { at_least(terms, sum, 0) } else { sum })
            }
            Expression::Linear(linear) => linear.value(state),
            Expression::Guard(guard) => guard.value(state),
            Expression::Steps(from, to, inverse) => {
                let from = from.value(state)?;
                let to = match to {
                    Some(to) => to.value(state)?,
                    None => terms.constant(0, terms.width(from)),
                };
                let (from, to) = both(terms, from, to)?;
                Some(terms.mul(terms.sub(to, from), terms.constant(*inverse, terms.width(from))))
            }
        }
    }

    /// The order in which it is to decrease.
    pub fn order(&self) -> Order {
        match self {
            Expression::Number(_, order) => *order,
            Expression::Linear(..) => Order::FallsSigned,
            Expression::Distance(..)
            | Expression::Excess(..)
            | Expression::Sum(..)
            | Expression::Guard(..)
            | Expression::Steps(..) => Order::Falls,
        }
    }
}

/// Bits beyond a number's for a sum and a sign.
const SUM_BITS: u32 = 2;

fn both(terms: &Terms, a: Term, b: Term) -> Option<(Term, Term)> {
    (terms.width(a) == terms.width(b)).then_some((a, b))
}

/// With so many bits more.
pub(super) fn wider(terms: &Terms, number: Term, bits: u32, sign: Sign) -> Option<Term> {
    let width = terms.width(number) + bits;
    let fits = width <= 128;
    fits.then(|| match sign {
        Sign::Unsigned => terms.zext(number, width),
        Sign::Signed => terms.sext(number, width),
    })
}

/// A step of a component, as far as the entries before leave it equal.
#[derive(Clone)]
pub struct Step<'a> {
    /// The edge that it is of.
    pub edge: usize,
    /// The state that it begins in.
    pub before: &'a State,
    /// What arrives, in symbols of the same state.
    pub after: &'a State,
    /// That the entries before are equal along it.
    pub equal: Term,
    /// Entries of those that only part of some steps decreases.
    pub parts: usize,
}

impl<'a> Step<'a> {
    /// A whole edge.
    pub fn new(edge: usize, before: &'a State, after: &'a State) -> Self {
        let equal = after.memory.context().terms.true_();
        Self { edge, before, after, equal, parts: 0 }
    }

    /// What is known of it where it is not excluded by the entries before.
    pub fn facts(&self) -> Vec<Term> {
        let mut facts = self.after.memory.facts();
        facts.push(self.equal);
        facts
    }

    /// Whether the condition holds along what is left of it.
    pub fn entails(&self, condition: Term) -> bool {
        let terms = &self.after.memory.context().terms;
        self.after.memory.entails(terms.bool_or(terms.not(self.equal), condition))
    }
}

/// An expression, and what is left of the steps that it was to decrease.
pub type Decreasing<'a> = (Expression, Vec<Step<'a>>);

/// Entries of a measure that decrease only part of some steps.
const MOST_PARTS: usize = 4;

/// An expression that none of `steps` increases and some decrease, as many as possible, and what is left of them. It has a value in
/// all of `states`, and is over these numbers only, if they are given, preferably as their variables' types read them.
///
/// # Errors
/// Time or memory ran out.
pub fn decreasing<'a>(
    states: &[&State],
    steps: &[Step<'a>],
    named: Option<&BTreeMap<Slot, Sign>>,
    limits: &Limits,
) -> Result<Option<Decreasing<'a>>, Exhausted> {
    let mut common = slots(states);
    match named {
        Some(named) => common.retain(|slot| named.contains_key(slot)),
        None => common.extend(flows(states, steps)),
    }
    let changes = |slot: &Slot| steps.iter().any(|step| slot.value(step.before) != slot.value(step.after));
    let sign = |slot: &Slot| named.and_then(|named| named.get(slot)).copied().unwrap_or(Sign::Signed);
    let changing: Vec<Slot> = common.iter().filter(|slot| changes(slot)).cloned().collect();
    for effort in EFFORTS {
        if let Some(state) = states.first() {
            state.memory.context().set_effort(effort);
        }
        let mut best: Option<Decreasing> = None;
        // Where one of the others will do, steps are not looked at.
        let by_steps = std::iter::once_with(|| steps::candidates(&changing, &common, steps)).flatten();
        for expression in candidates(&changing, &common, &sign).take(MOST_TRIED).chain(by_steps) {
            limits.check_time()?;
            let Some(left) = left_by(&expression, steps) else { continue };
            if left.is_empty() {
                return Ok(Some((expression, left)));
            }
            let is_better = best.as_ref().is_none_or(|(_, rest)| left.len() < rest.len());
            if left.len() < steps.len() && is_better {
                best = Some((expression, left));
            }
        }
        if best.is_some() {
            return Ok(best);
        }
    }
    if steps.iter().any(|step| step.parts >= MOST_PARTS) {
        return Ok(None);
    }
    if steps.iter().all(|step| step.parts == 0)
        && let Some(guard) = guards::guard(steps, &common)
    {
        let expression = Expression::Guard(guard);
        if let Some(left) = left_by(&expression, steps) {
            return Ok(Some((expression, in_part(left))));
        }
    }
    Ok(linear::found(&changing, &common, steps, limits)?.map(|(expression, left)| (expression, in_part(left))))
}

fn in_part(mut steps: Vec<Step>) -> Vec<Step> {
    for step in &mut steps {
        step.parts += 1;
    }
    steps
}

/// Those over numbers that change; as `sign` reads them first.
fn candidates<'a>(
    changing: &'a [Slot],
    common: &'a BTreeSet<Slot>,
    sign: &'a dyn Fn(&Slot) -> Sign,
) -> impl Iterator<Item = Expression> + 'a {
    const ORDERS: [Order; 4] = [Order::FallsSigned, Order::RisesSigned, Order::Falls, Order::Rises];
    let orders = move |slot: &Slot| {
        let mut orders = ORDERS;
        orders.rotate_left(if sign(slot) == Sign::Signed { 0 } else { 2 });
        orders
    };
    let is_length = |slot: &&Slot| matches!(slot, Slot::Length(..));
    let lengths = changing.iter().filter(is_length).map(|slot| Expression::Number(slot.clone(), Order::Nodes));
    let is_number = move |slot: &&Slot| !is_length(slot);
    let numbers = changing.iter().filter(is_number);
    let single =
        numbers.clone().flat_map(move |slot| orders(slot).map(|order| Expression::Number(slot.clone(), order)));
    let pairs = numbers.flat_map(move |a| {
        // A pair of two that change comes up once in each order.
        let one = move |b: &Slot| {
            let (a, b) = (a.clone(), b.clone());
            let mut both = vec![Expression::Distance(a.clone(), b.clone()), Expression::Distance(b.clone(), a.clone())];
            let own = sign(&a);
            for sign in [own, own.other()] {
                both.push(Expression::Excess(a.clone(), b.clone(), sign));
                both.push(Expression::Excess(b.clone(), a.clone(), sign));
                both.push(Expression::Sum(a.clone(), b.clone(), sign));
            }
            both
        };
        common.iter().filter(is_number).filter(move |b| *b != a).flat_map(one)
    });
    single.chain(lengths).chain(pairs)
}

/// What `expression` leaves of the steps, those on which it stays equal; `None` if it increases on some, or has no value.
pub fn left_by<'a>(expression: &Expression, steps: &[Step<'a>]) -> Option<Vec<Step<'a>>> {
    let mut left = Vec::new();
    for step in steps {
        let (old, new) = (expression.value(step.before)?, expression.value(step.after)?);
        let terms = &step.after.memory.context().terms;
        if old == new {
            left.push(step.clone());
        } else if !step.entails(decreases(terms, expression.order(), new, old)) {
            if !step.entails(terms.not(decreases(terms, expression.order(), old, new))) {
                return None;
            }
            let equal = terms.bool_and(step.equal, terms.eq(old, new));
            left.push(Step { equal, ..step.clone() });
        }
    }
    Some(left)
}
