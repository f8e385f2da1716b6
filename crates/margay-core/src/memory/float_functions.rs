//! Functions of floating numbers, computed (C11 7.12), and how `printf` writes such numbers (C11 7.21.6.1).

use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, Round};

use crate::cfa::{ElementaryFunction, ExactFunction, FloatFormat, FloatFunction, PrintedForm, Side};

/// Units in the last place by which libraries may differ from each other.
const DIFFERENCE: u32 = 8;

/// The result's bits; `None` for formats that are not computed.
pub fn float_function(function: FloatFunction, format: FloatFormat, [x, y]: [u128; 2]) -> Option<u128> {
    if function == FloatFunction::IsKnown {
        return whole(1, format);
    }
    match format {
        FloatFormat::Double => {
            let (x, y) = (f64::from_bits(x as u64), f64::from_bits(y as u64));
            match function {
                FloatFunction::Exact(exact) => exact_double(exact, x, y),
                FloatFunction::Elementary(elementary, side) => {
                    let result = elementary_double(elementary, x, y);
                    // Somewhat below the argument it is the same: no library has a finite number here.
                    let is_sure = elementary_double(elementary, x * (1.0 - 1e-9), y).to_bits() == result.to_bits();
                    match !result.is_finite() && is_sure || is_exact(elementary, x, y) {
                        true => Some(result),
                        false => Some(beside(result, side, f64::next_down, f64::next_up)),
                    }
                }
                FloatFunction::PrintedLength => Some(printed(x, PrintedForm::unpack(y as u64))?.len() as f64),
                FloatFunction::Printed => {
                    let (index, form) = (y as u64 / PrintedForm::STEP, y as u64 % PrintedForm::STEP);
                    let text = printed(x, PrintedForm::unpack(form))?;
                    Some(text.as_bytes().get(index as usize).copied().unwrap_or(0).into())
                }
                FloatFunction::IsKnown => None,
            }
            .map(|result| result.to_bits().into())
        }
        FloatFormat::Single => {
            let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            match function {
                FloatFunction::Exact(exact) => exact_single(exact, x, y),
                FloatFunction::Elementary(elementary, side) => {
                    let result = elementary_single(elementary, x, y);
                    let is_sure = elementary_single(elementary, x * (1.0 - 1e-4), y).to_bits() == result.to_bits();
                    match !result.is_finite() && is_sure || is_exact(elementary, x.into(), y.into()) {
                        true => Some(result),
                        false => Some(beside(result, side, f32::next_down, f32::next_up)),
                    }
                }
                _ => None,
            }
            .map(|result| result.to_bits().into())
        }
        _ => None,
    }
}

/// A whole number of the format.
fn whole(number: u32, format: FloatFormat) -> Option<u128> {
    match format {
        FloatFormat::Double => Some(f64::from(number).to_bits().into()),
        FloatFormat::Single => Some((number as f32).to_bits().into()),
        _ => None,
    }
}

/// Whether C says what the result is (C11 F.10).
fn is_exact(function: ElementaryFunction, x: f64, y: f64) -> bool {
    use ElementaryFunction as E;
    match function {
        E::Log | E::Log2 | E::Log10 | E::Acos => x == 1.0,
        E::Pow => x == 1.0 || y == 0.0,
        E::Atan2 | E::Hypot => false,
        _ => x == 0.0,
    }
}

fn beside<F: Copy>(mut result: F, side: Side, below: fn(F) -> F, above: fn(F) -> F) -> F {
    let step = match side {
        Side::Below => below,
        Side::Machine => return result,
        Side::Above => above,
    };
    for _ in 0..DIFFERENCE {
        result = step(result);
    }
    result
}

macro_rules! functions {
    ($exact:ident, $elementary:ident, $type:ty, $soft:ty) => {
        fn $exact(function: ExactFunction, x: $type, y: $type) -> Option<$type> {
            use ExactFunction as X;
            let soft = |number: $type| <$soft>::from_bits(number.to_bits().into());
            let hard = |number: $soft| <$type>::from_bits(number.to_bits() as _);
            Some(match function {
                X::Sqrt => x.sqrt(),
                X::Rint => hard(soft(x).round_to_integral(Round::NearestTiesToEven).value),
                X::Fmod => x % y,
                X::Remainder => hard(soft(x).ieee_rem(soft(y)).value),
                X::NextAfter if x.is_nan() || y.is_nan() => x + y,
                X::NextAfter if x == y => y,
                X::NextAfter => {
                    if x < y {
                        x.next_up()
                    } else {
                        x.next_down()
                    }
                }
                X::Scale => hard(soft(x).scalbn(y.clamp(-10_000.0, 10_000.0) as i32)),
                X::Logb if x == 0.0 => <$type>::NEG_INFINITY,
                X::Logb if x.is_infinite() => <$type>::INFINITY,
                X::Logb if x.is_nan() => x,
                X::Logb => soft(x).ilogb() as $type,
            })
        }

        fn $elementary(function: ElementaryFunction, x: $type, y: $type) -> $type {
            use ElementaryFunction as E;
            match function {
                E::Exp => x.exp(),
                E::Exp2 => x.exp2(),
                E::Expm1 => x.exp_m1(),
                E::Log => x.ln(),
                E::Log2 => x.log2(),
                E::Log10 => x.log10(),
                E::Log1p => x.ln_1p(),
                E::Sin => x.sin(),
                E::Cos => x.cos(),
                E::Tan => x.tan(),
                E::Asin => x.asin(),
                E::Acos => x.acos(),
                E::Atan => x.atan(),
                E::Sinh => x.sinh(),
                E::Cosh => x.cosh(),
                E::Tanh => x.tanh(),
                E::Cbrt => x.cbrt(),
                E::Pow => x.powf(y),
                E::Atan2 => x.atan2(y),
                E::Hypot => x.hypot(y),
            }
        }
    };
}

functions!(exact_double, elementary_double, f64, Double);
functions!(exact_single, elementary_single, f32, Single);

/// What `printf` prints of the number without its sign, before it is padded; `None` for forms that are not computed.
fn printed(number: f64, form: PrintedForm) -> Option<String> {
    let precision = form.precision as usize;
    if form.precision > PrintedForm::MOST_PRECISION {
        return None;
    }
    let size = number.abs();
    let text = match form.letter.to_ascii_lowercase() {
        _ if size.is_nan() => "nan".into(),
        _ if size.is_infinite() => "inf".into(),
        b'f' => with_point(format!("{size:.precision$}"), form.alternate),
        b'e' => with_exponent(size, precision, form.alternate).0,
        b'g' => general(size, precision.max(1), form.alternate),
        _ => return None,
    };
    Some(if form.letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text })
}

/// The digits with a point behind them, where one has to be there.
fn with_point(digits: String, always: bool) -> String {
    if always && !digits.contains('.') { digits + "." } else { digits }
}

/// As `%e` prints it, and its exponent.
fn with_exponent(size: f64, precision: usize, alternate: bool) -> (String, i32) {
    let text = format!("{size:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    let digits = with_point(digits.into(), alternate);
    (format!("{digits}e{sign}{:02}", exponent.unsigned_abs()), exponent)
}

/// As `%g` prints it, with so many significant digits.
fn general(size: f64, digits: usize, alternate: bool) -> String {
    let (text, exponent) = with_exponent(size, digits - 1, alternate);
    let is_plain = (-4..digits as i32).contains(&exponent);
    let (number, rest) = if is_plain {
        let behind = (digits as i32 - 1 - exponent) as usize;
        (with_point(format!("{size:.behind$}"), alternate), String::new())
    } else {
        let at = text.find('e').unwrap_or(text.len());
        (text[..at].to_owned(), text[at..].to_owned())
    };
    let number = match number.contains('.') && !alternate {
        true => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => number,
    };
    number + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(number: f64, letter: u8, precision: u32) -> String {
        printed(number, PrintedForm { letter, alternate: false, precision }).expect("computed")
    }

    /// Texts are those that glibc's `printf` prints.
    #[test]
    fn numbers_are_printed_as_c_does() {
        assert_eq!(print(1.0, b'f', 6), "1.000000");
        assert_eq!(print(-2.5, b'f', 0), "2");
        assert_eq!(print(3.5, b'f', 0), "4");
        assert_eq!(print(1234.5, b'e', 6), "1.234500e+03");
        assert_eq!(print(0.0, b'e', 2), "0.00e+00");
        assert_eq!(print(1e-300, b'E', 0), "1E-300");
        assert_eq!(print(100000.0, b'g', 6), "100000");
        assert_eq!(print(1000000.0, b'g', 6), "1e+06");
        assert_eq!(print(0.0001, b'g', 6), "0.0001");
        assert_eq!(print(0.00001, b'g', 6), "1e-05");
        assert_eq!(print(9.9999999, b'g', 6), "10");
        assert_eq!(print(0.1, b'g', 17), "0.10000000000000001");
        assert_eq!(print(f64::INFINITY, b'F', 6), "INF");
        assert_eq!(printed(1.0, PrintedForm { letter: b'g', alternate: true, precision: 3 }).as_deref(), Some("1.00"));
        assert_eq!(printed(1.0, PrintedForm { letter: b'f', alternate: true, precision: 0 }).as_deref(), Some("1."));
    }

    #[test]
    fn forms_are_packed_and_unpacked() {
        let form = PrintedForm { letter: b'g', alternate: true, precision: PrintedForm::MOST_PRECISION };
        assert!(form.pack() < PrintedForm::STEP);
        assert_eq!(PrintedForm::unpack(form.pack()), form);
    }

    #[test]
    fn exact_functions_are_those_of_ieee_754() {
        let of = |function, x: f64, y: f64| exact_double(function, x, y).expect("computed");
        assert_eq!(of(ExactFunction::Fmod, -7.5, 2.0), -1.5);
        assert_eq!(of(ExactFunction::Remainder, 7.0, 4.0), -1.0);
        assert_eq!(of(ExactFunction::Rint, 2.5, 0.0), 2.0);
        assert_eq!(of(ExactFunction::NextAfter, 1.0, 2.0), 1.0 + f64::EPSILON);
        assert_eq!(of(ExactFunction::NextAfter, 0.0, -1.0), -5e-324);
        assert_eq!(of(ExactFunction::NextAfter, f64::MAX, f64::INFINITY), f64::INFINITY);
        assert_eq!(of(ExactFunction::Scale, 0.75, 4.0), 12.0);
        assert_eq!(of(ExactFunction::Logb, 10.0, 0.0), 3.0);
    }

    #[test]
    fn bounds_enclose_what_the_machine_computes() {
        let of = |side| {
            let function = FloatFunction::Elementary(ElementaryFunction::Log, side);
            let bits = float_function(function, FloatFormat::Double, [6f64.to_bits().into(), 0]).expect("computed");
            f64::from_bits(bits as u64)
        };
        assert!(of(Side::Below) < of(Side::Machine) && of(Side::Machine) < of(Side::Above));
        assert!((of(Side::Machine) - 1.791_759_469_228_055).abs() < 1e-15);
    }
}
