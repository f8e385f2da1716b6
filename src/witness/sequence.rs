//! What a witness says, whatever format it is written in and whoever wrote it.

use crate::task::DataModel;
use crate::verdict::Inputs;

/// What a witness is evidence of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessKind {
    Violation,
    Correctness,
}

/// The content of a witness.
#[derive(Clone, Debug, PartialEq)]
pub struct WitnessSequence {
    pub kind: WitnessKind,
    /// As it stands there: a formula or the text of a property file.
    pub specification: String,
    /// SHA-256 of the program, in hexadecimal.
    pub program_hash: Option<String>,
    pub model: Option<DataModel>,
    /// In order, for a violation.
    pub steps: Vec<Step>,
    /// All inputs of the run, where the witness is one of this tool and tells them apart from the steps.
    pub inputs: Option<Inputs>,
    /// For correctness.
    pub invariants: Vec<Invariant>,
}

/// Something the run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: Option<u32>,
    pub what: What,
}

/// The kinds of steps that can be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A call returns this constant (as the witness writes it).
    Returns(String),
    /// A variable has this value: where an input is read on the same line, its result, otherwise nothing.
    Suggests(String),
    /// A condition is true or false.
    Branch(bool),
    /// A case of a `switch` is chosen, `None` for the default.
    Case(Option<i128>),
    /// The violation.
    Target,
}

/// An invariant with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// From 1.
    pub line: u32,
    /// From 1, where the witness says it.
    pub column: Option<u32>,
    pub function: Option<String>,
    /// A C expression.
    pub value: String,
}

/// The constant in `… == constant`, without parentheses, casts and semicolon.
pub(super) fn equated_constant(expression: &str) -> Option<(&str, &str)> {
    let first = expression.split("&&").next().unwrap_or_default();
    let first = first.trim().trim_end_matches(';').trim();
    let (left, right) = first.split_once("==")?;
    Some((left.trim().trim_matches(['(', ')', ' ']), right.trim().trim_matches(['(', ')', ' '])))
}

/// The bits of a constant as C or ACSL writes it, for a result of `width` bits that may be a floating one.
pub(super) fn constant_bits(text: &str, width: u32, floating: bool) -> Option<u128> {
    let text = text.trim();
    if floating {
        let number: f64 = text.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok()?;
        return Some(if width == 32 { (number as f32).to_bits().into() } else { number.to_bits().into() });
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let number = match lower.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex.trim_end_matches(['u', 'l']), 16).ok()?,
        None => match lower.as_str() {
            "null" | "\\null" | "\\false" | "false" => 0,
            "\\true" | "true" => 1,
            decimal => decimal.trim_end_matches(['u', 'l']).parse().ok()?,
        },
    };
    Some(if negative { number.wrapping_neg() } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_many_writers() {
        let bits = |text: &str| constant_bits(text, 32, false);
        assert_eq!(bits("5"), Some(5));
        assert_eq!(bits("-1"), Some(u128::MAX));
        assert_eq!(bits("0x1FuL"), Some(31));
        assert_eq!(bits("4294967295U"), Some(0xffff_ffff));
        assert_eq!(bits("x"), None);
        assert_eq!(constant_bits("0.5", 64, true), Some(0.5f64.to_bits().into()));
        assert_eq!(constant_bits("-2", 32, true), Some((-2f32).to_bits().into()));
        assert_eq!(equated_constant("\\result == 3"), Some(("\\result", "3")));
        assert_eq!(equated_constant("n == (-7);"), Some(("n", "-7")));
        assert_eq!(equated_constant("(x == 1) && y == 2"), Some(("x", "1")));
        assert_eq!(equated_constant("x < 1"), None);
    }
}
