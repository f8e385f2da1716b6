//! What an expression of a contract is for given values of its variables.

use super::contract::Expr;
use crate::cfa::Bits;

impl Expr {
    /// `None` where it divides by zero, names what `values` does not know, or is not well-formed.
    pub fn evaluate(&self, values: &dyn Fn(&Expr) -> Option<Bits>) -> Option<Bits> {
        let bit = |condition: bool| Bits::new(condition.into(), 1);
        Some(match self {
            Expr::Const { value, width } if (1..=128).contains(width) => Bits::new(value.parse().ok()?, *width),
            Expr::Const { .. } => return None,
            Expr::Var(_) | Expr::Static(_) | Expr::Function(_) => values(self)?,
            Expr::Not(of) => {
                let of = of.evaluate(values)?;
                Bits::new(!of.value, of.width)
            }
            Expr::Extract { of, high, low } => {
                let of = of.evaluate(values)?;
                if low > high || *high >= of.width {
                    return None;
                }
                Bits::new(of.value >> low, high - low + 1)
            }
            Expr::ZeroExtend { of, width } | Expr::SignExtend { of, width } => {
                let operand = of.evaluate(values)?;
                if *width > 128 || *width < operand.width {
                    return None;
                }
                let signed = matches!(self, Expr::SignExtend { .. });
                Bits::new(if signed { operand.signed() as u128 } else { operand.value }, *width)
            }
            Expr::Ite(parts) => {
                let (condition, yes, no) = parts.as_ref();
                if condition.evaluate(values)?.value == 1 { yes.evaluate(values)? } else { no.evaluate(values)? }
            }
            Expr::Op(parts) => {
                let (name, a, b) = parts.as_ref();
                let (a, b) = (a.evaluate(values)?, b.evaluate(values)?);
                let width = a.width;
                if name == "concat" {
                    return (width + b.width <= 128).then(|| Bits::new(a.value << b.width | b.value, width + b.width));
                }
                if width != b.width {
                    return None;
                }
                let shift = u32::try_from(b.value).ok().filter(|by| *by < width);
                let value = match name.as_str() {
                    "add" => a.value.wrapping_add(b.value),
                    "mul" => a.value.wrapping_mul(b.value),
                    "udiv" => a.value.checked_div(b.value)?,
                    "urem" => a.value.checked_rem(b.value)?,
                    "sdiv" => a.signed().checked_div(b.signed())? as u128,
                    "srem" => a.signed().checked_rem(b.signed())? as u128,
                    "and" => a.value & b.value,
                    "or" => a.value | b.value,
                    "xor" => a.value ^ b.value,
                    "shl" => shift.map_or(0, |by| a.value << by),
                    "lshr" => shift.map_or(0, |by| a.value >> by),
                    "ashr" => (a.signed() >> shift.unwrap_or(width - 1)) as u128,
                    "eq" => return Some(bit(a == b)),
                    "ult" => return Some(bit(a.value < b.value)),
                    "ule" => return Some(bit(a.value <= b.value)),
                    "slt" => return Some(bit(a.signed() < b.signed())),
                    "sle" => return Some(bit(a.signed() <= b.signed())),
                    _ => return None,
                };
                Bits::new(value, width)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: u128, width: u32) -> Expr {
        Expr::Const { value: value.to_string(), width }
    }

    fn op(name: &str, a: Expr, b: Expr) -> Option<u128> {
        Expr::Op(Box::new((name.to_owned(), a, b))).evaluate(&|_| None).map(|bits| bits.value)
    }

    #[test]
    fn operations_are_those_of_bit_vectors() {
        assert_eq!(op("add", number(250, 8), number(10, 8)), Some(4));
        assert_eq!(op("slt", number(255, 8), number(1, 8)), Some(1));
        assert_eq!(op("ult", number(255, 8), number(1, 8)), Some(0));
        assert_eq!(op("ashr", number(0x80, 8), number(3, 8)), Some(0xf0));
        assert_eq!(op("shl", number(1, 8), number(9, 8)), Some(0));
        assert_eq!(op("concat", number(1, 8), number(2, 4)), Some(0x12));
        assert_eq!(op("udiv", number(1, 8), number(0, 8)), None);
        assert_eq!(op("add", number(1, 8), number(1, 16)), None);
        let wide = Expr::SignExtend { of: Box::new(number(0x80, 8)), width: 16 };
        assert_eq!(wide.evaluate(&|_| None), Some(Bits::new(0xff80, 16)));
        let part = Expr::Extract { of: Box::new(number(0xabcd, 16)), high: 11, low: 4 };
        assert_eq!(part.evaluate(&|_| None), Some(Bits::new(0xbc, 8)));
    }
}
