//! What a witness says, whatever format it is written in and whoever wrote it.

use std::path::Path;

use super::{read_graphml, read_yaml};
use crate::base::error::{Error, ErrorKind, Result};
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

impl WitnessSequence {
    /// Reads a witness of either format, told apart by its text.
    ///
    /// # Errors
    /// `Io`, or `Syntax` for what is no witness.
    pub fn read(path: &Path) -> Result<Self> {
        let io = |e| Error::new(ErrorKind::Io, format!("cannot read {}: {e}", path.display()));
        let bytes = std::fs::read(path).map_err(io)?;
        let text = String::from_utf8_lossy(&bytes);
        Self::parse(&text)
            .map_err(|message| Error::new(ErrorKind::Syntax, format!("{}: not a witness: {message}", path.display())))
    }

    /// The witness in `text`; an error is a clause for people.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        if text.trim_start().starts_with('<') { read_graphml::parse(text) } else { read_yaml::parse(text) }
    }
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

    proptest::proptest! {
        #[test]
        fn damaged_witnesses_are_read_or_refused(at in 0usize..900, length in 0usize..40, by in "[ -~\\n]{0,6}") {
            let graphml = "<?xml version='1.0'?><graphml><key id='entry'/><graph edgedefault='directed'><data key='witness-type'>\
                violation_witness</data><node id='a'><data key='entry'>true</data></node><node id='v'><data key='violation'>\
                true</data></node><edge source='a' target='v'><data key='startline'>5</data><data key='assumption'>\
                \\result == 3 &amp;&amp; x</data></edge></graph></graphml>";
            let yaml = "- entry_type: violation_sequence\n  metadata:\n    task: {specification: G, input_file_hashes: {a: b}}\n  \
                content:\n  - segment:\n    - waypoint: {type: function_return, action: follow, location: {line: 1, column: 2}, \
                constraint: {value: '\\result == 3'}}\n";
            for text in [graphml, yaml] {
                let whole = WitnessSequence::parse(text).unwrap();
                proptest::prop_assert!(!whole.steps.is_empty());
                let at = at % text.len();
                let end = (at + length).min(text.len());
                // No panic; what is made of the rest does not matter.
                let _ = WitnessSequence::parse(&format!("{}{by}{}", &text[..at], &text[end..]));
            }
        }
    }

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
