//! Rankings of loops in C, as relations between a visit of the head and a later one.

use super::values::{constant, hull, type_bounds};
use crate::certificate::Order;
use crate::cfa::Scalar;
use crate::heap::State;
use crate::names::Variable;
use crate::ranking::{Expression, Linear, Number, Sign, Slot};

/// That `tuple` decreases lexicographically; `None` where something in it has no name. Each disjunct is well-founded by itself.
pub(super) fn transition(
    tuple: &[Expression],
    depth: usize,
    states: &[&State],
    variables: &[Variable],
) -> Option<String> {
    let naming = Naming { depth, states, variables };
    let relations: Vec<Relations> = tuple.iter().map(|entry| naming.relations(entry)).collect::<Option<_>>()?;
    let disjuncts = relations.iter().enumerate().map(|(index, relation)| {
        let unchanged = relations[..index].iter().map(|before| before.not_increased.clone());
        unchanged.chain([relation.decreased.clone()]).collect::<Vec<_>>().join(" && ")
    });
    let disjuncts: Vec<String> = disjuncts.collect();
    match &disjuncts[..] {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(several.iter().map(|disjunct| format!("({disjunct})")).collect::<Vec<_>>().join(" || ")),
    }
}

/// How an expression's values at two visits compare.
struct Relations {
    decreased: String,
    not_increased: String,
}

/// The names of what stands in slots.
struct Naming<'a> {
    /// Of the frame of the loop's function.
    depth: usize,
    /// Those at the head.
    states: &'a [&'a State],
    variables: &'a [Variable],
}

impl Naming<'_> {
    fn relations(&self, expression: &Expression) -> Option<Relations> {
        Some(match expression {
            Expression::Number(slot, order) => {
                let variable = self.variable(slot)?;
                let (sign, rises) = match order {
                    Order::Falls => (Sign::Unsigned, false),
                    Order::Rises => (Sign::Unsigned, true),
                    Order::FallsSigned => (Sign::Signed, false),
                    Order::RisesSigned => (Sign::Signed, true),
                    Order::Nodes => return None,
                };
                let (before, now) = visits(variable, sign);
                let (sign, bound) = if rises { ("<", self.most(variable)) } else { (">", self.least(variable)) };
                // Tools that read variables as integers want a bound.
                let bound = bound.map_or(String::new(), |bound| format!(" && {bound}"));
                Relations {
                    decreased: format!("{before} {sign} {now}{bound}"),
                    not_increased: format!("{before} {sign}= {now}"),
                }
            }
            Expression::Distance(a, b) => {
                let (a, b) = (self.variable(a)?, self.variable(b)?);
                let c_type = type_of(a.width, Sign::Unsigned)?;
                let ((old_a, new_a), (old_b, new_b)) = (visits(a, Sign::Unsigned), visits(b, Sign::Unsigned));
                let (before, now) =
                    (format!("({c_type})({old_a} - {old_b})"), format!("({c_type})({new_a} - {new_b})"));
                Relations { decreased: format!("{before} > {now}"), not_increased: format!("{before} >= {now}") }
            }
            Expression::Excess(a, b, sign) => {
                let (a, b) = (self.variable(a)?, self.variable(b)?);
                let ((old_a, new_a), (old_b, new_b)) = (visits(a, *sign), visits(b, *sign));
                let wide = wide(a.width);
                let (before, now) = (format!("{wide}{old_a} - {old_b}"), format!("{wide}{new_a} - {new_b}"));
                Relations {
                    decreased: format!("{old_a} >= {old_b} && {before} > {now}"),
                    not_increased: format!("({before} >= {now} || {new_a} < {new_b})"),
                }
            }
            Expression::Linear(Linear { within: Some(_), .. }) => return None,
            Expression::Linear(Linear { parts, sign, least, within: None }) => {
                let (before, now): (Vec<String>, Vec<String>) = parts
                    .iter()
                    .map(|(factor, number)| {
                        let (old, new) = self.number(number, *sign)?;
                        Some((format!("{old} * {factor}"), format!("{new} * {factor}")))
                    })
                    .collect::<Option<_>>()?;
                let (before, now) = (before.join(" + "), now.join(" + "));
                match least {
                    None => Relations {
                        decreased: format!("{before} > {now}"),
                        not_increased: format!("{before} >= {now}"),
                    },
                    Some(least) => Relations {
                        decreased: format!("{before} > {least} && {before} > {now}"),
                        not_increased: format!("({before} >= {now} || {now} <= {least})"),
                    },
                }
            }
            Expression::Guard(..) => return None,
            Expression::Steps(..) => return None,
            Expression::Sum(a, b, sign) => {
                let (a, b) = (self.variable(a)?, self.variable(b)?);
                let ((old_a, new_a), (old_b, new_b)) = (visits(a, *sign), visits(b, *sign));
                let wide = wide(a.width);
                let (before, now) = (format!("{wide}{old_a} + {old_b}"), format!("{wide}{new_a} + {new_b}"));
                Relations {
                    decreased: format!("{before} > 0 && {before} > {now}"),
                    not_increased: format!("({before} >= {now} || {now} <= 0)"),
                }
            }
        })
    }

    /// A number of a sum at both visits, in a type in which sums are what they are among integers.
    fn number(&self, number: &Number, sign: Sign) -> Option<(String, String)> {
        let wide = |slot: &Slot| {
            let variable = self.variable(slot)?;
            let (old, new) = visits(variable, sign);
            Some((format!("{}{old}", wide(variable.width)), format!("{}{new}", wide(variable.width))))
        };
        let (first, second) = number.slots();
        let ((old, new), (other_old, other_new)) = (wide(first)?, second.map_or(Some(Default::default()), wide)?);
        let written = |a: String, b: String| match number {
            Number::Of(_) => a,
            Number::Magnitude(_) => format!("({a} < 0 ? -{a} : {a})"),
            Number::Lesser(..) => format!("({a} < {b} ? {a} : {b})"),
            Number::Greater(..) => format!("({a} < {b} ? {b} : {a})"),
        };
        Some((written(old, other_old), written(new, other_new)))
    }

    fn variable(&self, slot: &Slot) -> Option<&Variable> {
        self.variables.iter().find(|variable| Slot::of(variable, self.depth).as_ref() == Some(slot))
    }

    /// The least value at the head, where it is more than the type's.
    fn least(&self, variable: &Variable) -> Option<String> {
        let (least, _) = hull(self.states, variable)?;
        (least > type_bounds(variable).0)
            .then(|| constant(variable, least).map(|least| format!("{} >= {least}", variable.name)))?
    }

    /// The greatest value at the head, where it is less than the type's.
    fn most(&self, variable: &Variable) -> Option<String> {
        let (_, most) = hull(self.states, variable)?;
        (most < type_bounds(variable).1)
            .then(|| constant(variable, most).map(|most| format!("{} <= {most}", variable.name)))?
    }
}

/// The value at the earlier visit and at the later one, read with this sign.
fn visits(variable: &Variable, sign: Sign) -> (String, String) {
    let is_of = matches!(variable.scalar, Scalar::Signed) == (sign == Sign::Signed);
    let cast = match type_of(variable.width, sign) {
        Some(c_type) if !is_of => format!("({c_type})"),
        _ => String::new(),
    };
    let name = &variable.name;
    (format!("{cast}\\at({name}, AnyPrev)"), format!("{cast}{name}"))
}

fn type_of(width: u32, sign: Sign) -> Option<&'static str> {
    Some(match (width, sign) {
        (8, Sign::Signed) => "signed char",
        (8, Sign::Unsigned) => "unsigned char",
        (16, Sign::Signed) => "short",
        (16, Sign::Unsigned) => "unsigned short",
        (32, Sign::Signed) => "int",
        (32, Sign::Unsigned) => "unsigned int",
        (64, Sign::Signed) => "long long",
        (64, Sign::Unsigned) => "unsigned long long",
        _ => return None,
    })
}

/// A cast to a type in which the sum and the difference of two values of so many bits are what they are among integers.
fn wide(width: u32) -> &'static str {
    if width <= 32 { "(long long)" } else { "(__int128)" }
}
