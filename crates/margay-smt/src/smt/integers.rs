//! A query as one about integers, for what compares sums: a solver that counts bits needs long for what one that adds sees at once.
//!
//! Exact, not an approximation: each sum is the integer that its bits stand for, which is the sum of integers but for a multiple
//! of the modulus.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::fold::to_signed;
use super::term::{Node, Op, SymId, Term, Terms};

/// Wider values are not written.
const WIDEST: u32 = 64;

/// SMT-LIB text that has a model just where the conjuncts have one; `None` where they say more than how sums compare. In a model
/// the integer [`integer_name`] is the signed value of a symbol.
pub(super) fn as_integers(terms: &Terms, conjuncts: &[Term]) -> Option<String> {
    let mut writer = Writer { terms, declared: BTreeSet::new(), text: String::new() };
    for &conjunct in conjuncts {
        let condition = writer.condition(conjunct)?;
        _ = writeln!(writer.text, "(assert {condition})");
    }
    Some(writer.text)
}

/// What a symbol is called in the text.
pub(super) fn integer_name(symbol: SymId) -> String {
    format!("x{}", symbol.0)
}

struct Writer<'t> {
    terms: &'t Terms,
    /// Terms that have an integer of their own.
    declared: BTreeSet<Term>,
    text: String,
}

impl Writer<'_> {
    fn condition(&mut self, t: Term) -> Option<String> {
        let text = match self.terms.node(t) {
            Node::Const(value) => (value == 1).to_string(),
            Node::Not(inner) => format!("(not {})", self.condition(inner)?),
            Node::Bin(op, left, right) => {
                let is_condition = self.terms.width(left) == 1;
                let (name, is_unsigned) = match op {
                    Op::And if is_condition => ("and", false),
                    Op::Or if is_condition => ("or", false),
                    Op::Eq => ("=", false),
                    Op::Slt if !is_condition => ("<", false),
                    Op::Sle if !is_condition => ("<=", false),
                    Op::Ult if !is_condition => ("<", true),
                    Op::Ule if !is_condition => ("<=", true),
                    _ => return None,
                };
                let mut operand = |t| match (is_condition, is_unsigned) {
                    (true, _) => self.condition(t),
                    (false, true) => self.unsigned(t),
                    (false, false) => self.signed(t),
                };
                let (left, right) = (operand(left)?, operand(right)?);
                format!("({name} {left} {right})")
            }
            _ => return None,
        };
        Some(text)
    }

    fn unsigned(&mut self, t: Term) -> Option<String> {
        let (value, modulus) = (self.signed(t)?, modulus(self.terms.width(t)));
        Some(format!("(ite (< {value} 0) (+ {value} {modulus}) {value})"))
    }

    /// The signed value of `t`.
    fn signed(&mut self, t: Term) -> Option<String> {
        let width = self.terms.width(t);
        (1 < width && width <= WIDEST).then_some(())?;
        match self.terms.node(t) {
            Node::Const(value) => Some(number(to_signed(value, width))),
            Node::SignExt(inner) => self.signed(inner),
            Node::ZeroExt(inner) => self.unsigned(inner),
            Node::Sym(symbol) => {
                let name = integer_name(symbol);
                (self.terms.symbol_info(symbol).alignment == 0).then_some(())?;
                if self.declared.insert(t) {
                    self.declare(&name, width);
                }
                Some(name)
            }
            _ => {
                let name = format!("s{}", t.0);
                if self.declared.contains(&t) {
                    return Some(name);
                }
                let sum = self.terms.linear(t);
                let mut parts = vec![number(to_signed(sum.constant, width))];
                for (factor, part) in sum.parts {
                    // What is no sum.
                    (part != t).then_some(())?;
                    parts.push(format!("(* {} {})", number(to_signed(factor, width)), self.signed(part)?));
                }
                self.declared.insert(t);
                self.declare(&name, width);
                let (sum, modulus) = (parts.join(" "), modulus(width));
                _ = writeln!(self.text, "(declare-const w{name} Int)");
                _ = writeln!(self.text, "(assert (= {name} (+ {sum} (* {modulus} w{name}))))");
                Some(name)
            }
        }
    }

    /// An integer of so many bits.
    fn declare(&mut self, name: &str, width: u32) {
        let half = modulus(width - 1);
        _ = writeln!(self.text, "(declare-const {name} Int)");
        _ = writeln!(self.text, "(assert (and (<= (- {half}) {name}) (< {name} {half})))");
    }
}

fn modulus(width: u32) -> u128 {
    1 << width
}

fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::random_tests::picks;
    use super::super::z3solver::replay_smtlib;
    use super::*;

    /// Conditions on sums that wrap around, against all values of their symbols.
    #[test]
    fn agrees_with_all_values() {
        let t = Terms::new();
        let (x, y, z) = (t.fresh_symbol(4, "x"), t.fresh_symbol(4, "y"), t.fresh_symbol(2, "z"));
        let [two, three, nine] = [2, 3, 9].map(|value| t.constant(value, 4));
        let sums = [
            x,
            y,
            nine,
            t.add(x, y),
            t.sub(x, y),
            t.sub(t.mul(x, two), y),
            t.add(t.mul(x, three), t.add(t.mul(y, nine), two)),
            t.sub(t.zext(z, 4), x),
            t.add(t.sext(z, 4), y),
        ];
        let mut pick = picks(7);
        let mut answers = [0, 0];
        for _ in 0..600 {
            let mut conjuncts = Vec::new();
            for _ in 0..3 {
                let mut atom = || {
                    let op = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle][pick(5)];
                    t.binary(op, sums[pick(sums.len())], sums[pick(sums.len())])
                };
                let (one, other) = (atom(), atom());
                conjuncts.push(match pick(3) {
                    0 => one,
                    1 => t.not(one),
                    _ => t.binary(Op::Or, t.not(one), other),
                });
            }
            // Normal forms that are no sums.
            let Some(text) = as_integers(&t, &conjuncts) else { continue };
            let holds = |value: u128| {
                let value_of = |symbol: SymId| match t.symbol_term(symbol) {
                    s if s == x => value & 15,
                    s if s == y => value >> 4 & 15,
                    _ => value >> 8,
                };
                conjuncts.iter().all(|conjunct| t.evaluate(*conjunct, &value_of) == 1)
            };
            let expected = (0..1 << 10).any(holds);
            assert_eq!(replay_smtlib(&text), Some(expected), "{text}");
            answers[usize::from(expected)] += 1;
        }
        assert!(answers.iter().all(|count| *count > 50), "{answers:?}");
    }

    #[test]
    fn what_is_no_sum_is_left_alone() {
        let t = Terms::new();
        let (x, y) = (t.fresh_symbol(32, "x"), t.fresh_symbol(32, "y"));
        let (wide, aligned) = (t.fresh_symbol(128, "w"), t.fresh_aligned_symbol(64, 3, "p"));
        for part in [
            t.eq(t.mul(x, y), t.constant(7, 32)),
            t.ult(t.xor(x, y), t.constant(7, 32)),
            t.ult(t.constant(7, 128), wide),
            t.ult(t.constant(7, 64), aligned),
        ] {
            assert_eq!(as_integers(&t, &[t.ult(x, y), part]), None, "{}", t.display(part));
        }
    }
}
