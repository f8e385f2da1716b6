//! The meaning of every operator on constants (SMT-LIB's theory of fixed-size bit-vectors): the one definition that
//! constant folding and evaluation share.

use super::term::Op;

/// All ones in the lowest `width` bits (1 to 128).
pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The greatest common divisor; of a number and 0 that number.
pub fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// `value` modulo 2^`width`.
pub fn truncate(value: u128, width: u32) -> u128 {
    value & mask(width)
}

/// `value`, a bit pattern of `width` bits, read as a two's complement number.
pub fn to_signed(value: u128, width: u32) -> i128 {
    let shift = 128 - width;
    ((value << shift) as i128) >> shift
}

/// The least and the greatest number of `width` bits, at most 64 where it has no sign.
pub(super) fn bounds(width: u32, signed: bool) -> (i128, i128) {
    match signed {
        true => (to_signed(1 << (width - 1), width), (mask(width) >> 1) as i128),
        false => (0, mask(width) as i128),
    }
}

/// The result of a binary operator on operands of `width` bits ([`Op::Concat`] is not one of them).
/// Comparisons return 0 or 1.
pub(super) fn fold(op: Op, a: u128, b: u128, width: u32) -> u128 {
    let m = mask(width);
    let signed = |v| to_signed(v, width);
    match op {
        Op::Add => a.wrapping_add(b) & m,
        Op::Mul => a.wrapping_mul(b) & m,
        Op::UDiv => a.checked_div(b).unwrap_or(m),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => signed_division(signed(a), signed(b)) as u128 & m,
        Op::SRem => signed(a).checked_rem(signed(b)).unwrap_or(if b == 0 { signed(a) } else { 0 }) as u128 & m,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => shift_amount(b, width).map_or(0, |n| (a << n) & m),
        Op::LShr => shift_amount(b, width).map_or(0, |n| a >> n),
        Op::AShr => (signed(a) >> shift_amount(b, width).unwrap_or(width - 1)) as u128 & m,
        Op::Eq => u128::from(a == b),
        Op::Ult => u128::from(a < b),
        Op::Ule => u128::from(a <= b),
        Op::Slt => u128::from(signed(a) < signed(b)),
        Op::Sle => u128::from(signed(a) <= signed(b)),
        Op::Concat => unreachable!("operands of a concatenation differ in width"),
    }
}

/// Division that truncates; by zero it is −1 or 1, against the sign of the dividend.
fn signed_division(a: i128, b: i128) -> i128 {
    match b {
        0 if a >= 0 => -1,
        0 => 1,
        _ => a.wrapping_div(b),
    }
}

/// The shift distance, `None` when all bits leave.
fn shift_amount(b: u128, width: u32) -> Option<u32> {
    (b < u128::from(width)).then_some(b as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_follows_smt_lib() {
        assert_eq!(fold(Op::UDiv, 7, 0, 8), 255);
        assert_eq!(fold(Op::URem, 7, 0, 8), 7);
        assert_eq!(fold(Op::SDiv, 7, 0, 8), 255);
        assert_eq!(fold(Op::SDiv, 0xf9, 0, 8), 1);
        assert_eq!(fold(Op::SRem, 0xf9, 0, 8), 0xf9);
    }

    #[test]
    fn extreme_widths() {
        assert_eq!(mask(128), u128::MAX);
        assert_eq!(to_signed(1, 1), -1);
        assert_eq!(fold(Op::SDiv, 1 << 127, u128::MAX, 128), 1 << 127);
        assert_eq!(fold(Op::SRem, 1 << 127, u128::MAX, 128), 0);
        assert_eq!(fold(Op::SDiv, 0x80, 0xff, 8), 0x80);
        assert_eq!(fold(Op::Shl, 1, 128, 128), 0);
        assert_eq!(fold(Op::AShr, 0x80, 200, 8), 0xff);
    }
}
