//! Terms that are quotients or remainders of a number by a constant, and what whole numbers say of these.

use super::fold::to_signed;
use super::term::{Node, Op, Term, Terms};

/// `number = rounded(dividend / divisor)`, or what is left of the dividend.
pub(super) struct Division {
    pub dividend: Term,
    /// At least 2.
    pub divisor: i64,
    /// As which the dividend is read.
    pub signed: bool,
    /// Towards zero; down otherwise.
    pub truncates: bool,
    /// The quotient, where the term is the remainder.
    pub quotient: Option<Term>,
}

impl Division {
    /// What `term` is, read as a signed or as an unsigned number.
    pub fn of(terms: &Terms, term: Term, signed: bool) -> Option<Self> {
        match terms.node(term) {
            Node::Bin(op @ (Op::UDiv | Op::URem | Op::SDiv | Op::SRem), dividend, by) => {
                let width = terms.width(term);
                let is_signed = matches!(op, Op::SDiv | Op::SRem);
                let divisor = i64::try_from(to_signed(terms.as_const(by)?, width)).ok().filter(|by| *by >= 2)?;
                // By two or more, an unsigned quotient has no highest bit, nor has a remainder by such a constant.
                (!is_signed || signed).then_some(())?;
                let quotient = match op {
                    Op::URem => Some(terms.udiv(dividend, by)),
                    Op::SRem => Some(terms.sdiv(dividend, by)),
                    _ => None,
                };
                Some(Self { dividend, divisor, signed: is_signed, truncates: is_signed, quotient })
            }
            Node::Extract { hi, lo, of } => {
                let top = terms.width(of) - 1;
                let power = |bits: u32| 1i64.checked_shl(bits).filter(|power| *power >= 2);
                if hi == top && lo > 0 {
                    let divisor = power(lo)?;
                    return Some(Self { dividend: of, divisor, signed, truncates: false, quotient: None });
                }
                (lo == 0 && hi < top && !signed).then_some(())?;
                let quotient = Some(terms.extract(of, top, hi + 1));
                Some(Self { dividend: of, divisor: power(hi + 1)?, signed: false, truncates: false, quotient })
            }
            _ => None,
        }
    }
}
