//! Arithmetic against the machine's own.

use proptest::prelude::*;

use super::Bench;
use crate::cfa::{BinOp, Bits, Conversion, FloatBinOp, FloatCmp, FloatConversion, FloatFormat, FloatUnOp, UnOp};
use crate::concrete::{Trap, Value};
use crate::memory::{FloatOp, Memory};
use crate::task::DataModel::Lp64;

/// The result, or `None` where it is undefined.
fn compute(op: BinOp, width: u32, a: u128, b: u128) -> Option<u128> {
    let mut bench = Bench::new(Lp64);
    let result = bench.binary(op, Value::number(a, width), Value::number(b, width));
    assert_eq!(result.bits.width, if op.is_comparison() { 1 } else { width });
    match bench.memory().trap() {
        None => Some(result.bits.value),
        Some(Trap::Undefined(_)) => None,
        Some(other) => panic!("{other:?}"),
    }
}

macro_rules! against_machine {
    ($name:ident, $unsigned:ty, $signed:ty) => {
        fn $name(a: $unsigned, b: $unsigned) {
            let width = <$unsigned>::BITS;
            let (s, t) = (a as $signed, b as $signed);
            let unsigned = |value: Option<$unsigned>| value.map(|v| v as u128);
            let signed = |value: Option<$signed>| value.map(|v| v as $unsigned as u128);
            let shift = (b < <$unsigned>::from(width as u8)).then_some(b as u32);
            let expected = [
                (BinOp::Add, unsigned(Some(a.wrapping_add(b)))),
                (BinOp::Sub, unsigned(Some(a.wrapping_sub(b)))),
                (BinOp::Mul, unsigned(Some(a.wrapping_mul(b)))),
                (BinOp::UDiv, unsigned(a.checked_div(b))),
                (BinOp::URem, unsigned(a.checked_rem(b))),
                (BinOp::SDiv, signed(s.checked_div(t))),
                (BinOp::SRem, signed(s.checked_rem(t))),
                (BinOp::And, unsigned(Some(a & b))),
                (BinOp::Or, unsigned(Some(a | b))),
                (BinOp::Xor, unsigned(Some(a ^ b))),
                (BinOp::Shl, shift.map(|n| (a << n) as u128)),
                (BinOp::LShr, shift.map(|n| (a >> n) as u128)),
                (BinOp::AShr, shift.map(|n| (s >> n) as $unsigned as u128)),
                (BinOp::Eq, Some((a == b).into())),
                (BinOp::Ne, Some((a != b).into())),
                (BinOp::Ult, Some((a < b).into())),
                (BinOp::Ule, Some((a <= b).into())),
                (BinOp::Slt, Some((s < t).into())),
                (BinOp::Sle, Some((s <= t).into())),
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
let result = f64::from_bits(result.unwrap() as u64);
            // Which NaN comes out is not fixed.
            prop_assert!(result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan());
        }
        for (op, expected) in
            [(FloatCmp::Eq, a == b), (FloatCmp::Ne, a != b), (FloatCmp::Lt, a < b), (FloatCmp::Le, a <= b)]
        {
            let result = float(FloatOp::Compare(op, FloatFormat::Double), &[a.to_bits().into(), b.to_bits().into()]);
            prop_assert_eq!(result, Some(expected.into()));
        }
        let single = FloatConversion::Between { from: FloatFormat::Double, to: FloatFormat::Single };
        prop_assert_eq!(float(FloatOp::Convert(single), &[a.to_bits().into()]), Some((a as f32).to_bits().into()));
    }

    #[test]
    fn conversions_between_integers_and_doubles(n in any::<i64>(), x in -1e19..1e19f64) {
        let from = FloatConversion::FromInt { to: FloatFormat::Double, signed: true };
        prop_assert_eq!(float(FloatOp::Convert(from), &[n as u64 as u128]), Some((n as f64).to_bits().into()));
        let to = FloatConversion::ToInt { from: FloatFormat::Double, width: 32, signed: true };
        let fits = x > -2147483649.0 && x < 2147483648.0;
        let expected = fits.then_some(x as i32 as u32 as u128);
        prop_assert_eq!(float(FloatOp::Convert(to), &[x.to_bits().into()]), expected);
    }
}

/// Operands of the width the operation asks for; `None` where the result is undefined.
fn float(op: FloatOp, operands: &[u128]) -> Option<u128> {
    let width = match op {
        FloatOp::Convert(FloatConversion::FromInt { .. }) => 64,
        FloatOp::Unary(_, format) | FloatOp::Binary(_, format) | FloatOp::Compare(_, format) => format.bits(),
        FloatOp::Convert(FloatConversion::ToInt { from, .. } | FloatConversion::Between { from, .. }) => from.bits(),
    };
    let operands: Vec<_> = operands.iter().map(|v| Value::number(*v, width)).collect();
    let mut bench = Bench::new(Lp64);
    let result = bench.memory().float(op, &operands);
    bench.memory().trap().is_none().then_some(result.bits.value)
}

#[test]
fn floats_of_other_formats() {
    // 1.0L / 3.0L, as gcc's long double has it.
    let one = 0x3fff_8000_0000_0000_0000_u128;
    let three = 0x4000_c000_0000_0000_0000_u128;
    let third = 0x3ffd_aaaa_aaaa_aaaa_aaab_u128;
    assert_eq!(float(FloatOp::Binary(FloatBinOp::Div, FloatFormat::X87), &[one, three]), Some(third));
    let negated = float(FloatOp::Unary(FloatUnOp::Neg, FloatFormat::Single), &[0]);
    assert_eq!(negated, Some(0x8000_0000));
    let nan = f64::NAN.to_bits().into();
    assert_eq!(float(FloatOp::Compare(FloatCmp::Ne, FloatFormat::Double), &[nan, nan]), Some(1));
    assert_eq!(float(FloatOp::Compare(FloatCmp::Le, FloatFormat::Double), &[nan, nan]), Some(0));
}
