//! Arithmetic against the machine's own.

use proptest::prelude::*;

use super::Bench;
use crate::cfa::{BinOp, Bits, Conversion, FloatBinOp, FloatCmp, FloatConversion, FloatFormat, FloatUnOp, UnOp};
use crate::concrete::Value;
use crate::memory::{FloatOp, Memory};
use crate::task::DataModel::Lp64;

fn compute(op: BinOp, width: u32, a: u128, b: u128) -> u128 {
    let result = Bench::new(Lp64).binary(op, Value::number(a, width), Value::number(b, width));
    assert_eq!(result.bits.width, if op.is_comparison() { 1 } else { width });
    result.bits.value
}

macro_rules! against_machine {
    ($name:ident, $unsigned:ty, $signed:ty) => {
        fn $name(a: $unsigned, b: $unsigned) {
            let width = <$unsigned>::BITS;
            let (s, t) = (a as $signed, b as $signed);
            let unsigned = |value: Option<$unsigned>| value.map_or(0, |v| v as u128);
            let signed = |value: $signed| value as $unsigned as u128;
            // Shifts go by the amount modulo the width, and a quotient by zero is not asked for.
            let (by_zero, shift) = (b == 0, b as u32);
            let expected = [
                (BinOp::Add, unsigned(Some(a.wrapping_add(b)))),
                (BinOp::Sub, unsigned(Some(a.wrapping_sub(b)))),
                (BinOp::Mul, unsigned(Some(a.wrapping_mul(b)))),
                (BinOp::UDiv, unsigned(a.checked_div(b))),
                (BinOp::URem, unsigned(a.checked_rem(b))),
                (BinOp::SDiv, if by_zero { 0 } else { signed(s.wrapping_div(t)) }),
                (BinOp::SRem, if by_zero { 0 } else { signed(s.wrapping_rem(t)) }),
                (BinOp::And, unsigned(Some(a & b))),
                (BinOp::Or, unsigned(Some(a | b))),
                (BinOp::Xor, unsigned(Some(a ^ b))),
                (BinOp::Shl, a.wrapping_shl(shift) as u128),
                (BinOp::LShr, a.wrapping_shr(shift) as u128),
                (BinOp::AShr, signed(s.wrapping_shr(shift))),
                (BinOp::Eq, (a == b).into()),
                (BinOp::Ne, (a != b).into()),
                (BinOp::Ult, (a < b).into()),
                (BinOp::Ule, (a <= b).into()),
                (BinOp::Slt, (s < t).into()),
                (BinOp::Sle, (s <= t).into()),
            ];
            for (op, value) in expected {
                assert_eq!(compute(op, width, a as u128, b as u128), value, "{op:?} {a:#x} {b:#x} at {width} bits");
            }
            let mut bench = Bench::new(Lp64);
            let x = Value::number(a as u128, width);
            assert_eq!(bench.memory().unary(UnOp::Neg, &x).bits.value, a.wrapping_neg() as u128);
            assert_eq!(bench.memory().unary(UnOp::Not, &x).bits.value, !a as u128);
            let convert = |to, conversion| Bench::new(Lp64).memory().convert(conversion, to, &x).bits;
            assert_eq!(convert(8, Conversion::Truncate), Bits::new((a as u8).into(), 8));
            assert_eq!(convert(128, Conversion::ZeroExtend), Bits::new(a as u128, 128));
            assert_eq!(convert(128, Conversion::SignExtend), Bits::new(s as i128 as u128, 128));
        }
    };
}

against_machine!(at_8_bits, u8, i8);
against_machine!(at_16_bits, u16, i16);
against_machine!(at_32_bits, u32, i32);
against_machine!(at_64_bits, u64, i64);
against_machine!(at_128_bits, u128, i128);

/// Numbers near which things change.
fn interesting() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        0..80u128,
        (0..8u128).prop_map(u128::wrapping_neg),
        (0..128u32, -1..2i128).prop_map(|(bit, off)| (1u128 << bit).wrapping_add(off as u128)),
    ]
}

proptest! {
    #[test]
    fn integers_agree_with_the_machine(a in interesting(), b in interesting()) {
        at_8_bits(a as u8, b as u8);
        at_16_bits(a as u16, b as u16);
        at_32_bits(a as u32, b as u32);
        at_64_bits(a as u64, b as u64);
        at_128_bits(a, b);
    }

    #[test]
    fn doubles_agree_with_the_machine(a in any::<f64>(), b in any::<f64>()) {
        for (op, expected) in [
            (FloatBinOp::Add, a + b),
            (FloatBinOp::Sub, a - b),
            (FloatBinOp::Mul, a * b),
            (FloatBinOp::Div, a / b),
        ] {
            let result = float(FloatOp::Binary(op, FloatFormat::Double), &[a.to_bits().into(), b.to_bits().into()]);
            let result = f64::from_bits(result as u64);
            // Which NaN comes out is not fixed.
            prop_assert!(result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan());
        }
        for (op, expected) in
            [(FloatCmp::Eq, a == b), (FloatCmp::Ne, a != b), (FloatCmp::Lt, a < b), (FloatCmp::Le, a <= b)]
        {
            let result = float(FloatOp::Compare(op, FloatFormat::Double), &[a.to_bits().into(), b.to_bits().into()]);
            prop_assert_eq!(result, expected.into());
        }
        let single = FloatConversion::Between { from: FloatFormat::Double, to: FloatFormat::Single };
        prop_assert_eq!(float(FloatOp::Convert(single), &[a.to_bits().into()]), (a as f32).to_bits().into());
    }

    #[test]
    fn conversions_between_integers_and_doubles(n in any::<i64>(), x in -1e19..1e19f64) {
        let from = FloatConversion::FromInt { to: FloatFormat::Double, signed: true };
        prop_assert_eq!(float(FloatOp::Convert(from), &[n as u64 as u128]), (n as f64).to_bits().into());
        let to = FloatConversion::ToInt { from: FloatFormat::Double, width: 32, signed: true };
        let fits = x > -2147483649.0 && x < 2147483648.0;
        let expected = if fits { x as i32 as u32 } else { 1 << 31 };
        prop_assert_eq!(float(FloatOp::Convert(to), &[x.to_bits().into()]), expected.into());
    }
}

/// Operands of the width the operation asks for.
fn float(op: FloatOp, operands: &[u128]) -> u128 {
    let width = match op {
        FloatOp::Convert(FloatConversion::FromInt { .. }) => 64,
        FloatOp::Unary(_, format) | FloatOp::Binary(_, format) | FloatOp::Compare(_, format) => format.bits(),
        FloatOp::Convert(FloatConversion::ToInt { from, .. } | FloatConversion::Between { from, .. }) => from.bits(),
    };
    let operands: Vec<_> = operands.iter().map(|v| Value::number(*v, width)).collect();
    let mut bench = Bench::new(Lp64);
    bench.memory().float(op, &operands).bits.value
}

/// What gcc 12 prints on x86-64 for conversions whose operand a `volatile double` holds.
#[test]
fn numbers_that_no_integer_holds() {
    let convert = |value: f64, width, signed| {
        let to = FloatConversion::ToInt { from: FloatFormat::Double, width, signed };
        float(FloatOp::Convert(to), &[value.to_bits().into()])
    };
    assert_eq!(convert(300.0, 8, true), 44);
    assert_eq!(convert(-1.0, 8, false), 255);
    assert_eq!(convert(5e9, 16, false), 0);
    assert_eq!(convert(5e9, 32, false), 705_032_704);
    assert_eq!(convert(-1.0, 32, false), 0xffff_ffff);
    assert_eq!(convert(1e30, 32, false), 0);
    assert_eq!(convert(f64::NAN, 32, true), 1 << 31);
    assert_eq!(convert(-1e30, 64, true), 1 << 63);
    assert_eq!(convert(-1.0, 64, false), u64::MAX.into());
    assert_eq!(convert(1e30, 64, false), 0);
    assert_eq!(convert(f64::NAN, 64, false), 1 << 63);
}

#[test]
fn floats_of_other_formats() {
    // 1.0L / 3.0L, as gcc's long double has it.
    let one = 0x3fff_8000_0000_0000_0000_u128;
    let three = 0x4000_c000_0000_0000_0000_u128;
    let third = 0x3ffd_aaaa_aaaa_aaaa_aaab_u128;
    assert_eq!(float(FloatOp::Binary(FloatBinOp::Div, FloatFormat::X87), &[one, three]), third);
    let negated = float(FloatOp::Unary(FloatUnOp::Neg, FloatFormat::Single), &[0]);
    assert_eq!(negated, 0x8000_0000);
    let nan = f64::NAN.to_bits().into();
    assert_eq!(float(FloatOp::Compare(FloatCmp::Ne, FloatFormat::Double), &[nan, nan]), 1);
    assert_eq!(float(FloatOp::Compare(FloatCmp::Le, FloatFormat::Double), &[nan, nan]), 0);
}
