//! What a witness says, whatever format it is written in, by any tool.

use crate::task::DataModel;
use crate::verdict::Inputs;

/// What a witness is evidence of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WitnessKind {
    /// There is a run that violates the property.
    Violation,
    /// The program has the property.
    Correctness,
}

/// The content of a witness.
#[derive(Clone, Debug, PartialEq)]
pub struct WitnessSequence {
    /// What it claims.
    pub kind: WitnessKind,
    /// As it stands there: a formula or the text of a property file.
    pub specification: String,
    /// Name of the program's file, as the witness has it.
    pub program_file: Option<String>,
    /// SHA-256 of the program, in hexadecimal.
    pub program_hash: Option<String>,
    /// The one it is about; `None`: the one that the user names, or LP64.
    pub model: Option<DataModel>,
    /// In order, for a violation; the last one ends with the target, or else the run passes those of a cycle again and again.
    pub segments: Vec<Segment>,
    /// The first segment of the cycle, in a witness of a run without end.
    pub cycle: Option<usize>,
    /// All inputs of the run, where the witness is one of this tool and distinguishes them from the segments.
    pub inputs: Option<Inputs>,
    /// For correctness: what holds whenever control stands at a loop's head.
    pub invariants: Vec<Invariant>,
    /// For correctness: what holds before a statement or declaration.
    pub locations: Vec<Invariant>,
    /// For correctness: what holds between each visit of a loop's head and every later one; a variable's value at the earlier one is
    /// `\at(x, AnyPrev)`.
    pub transitions: Vec<Invariant>,
    /// What it asks of a run that is not looked at: nothing is confirmed then. One clause each.
    pub open: Vec<String>,
}

/// A part of the run: it ends where the waypoint that is to be followed is evaluated, and passes none that is to be avoided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Waypoints that the run does not pass within the segment.
    pub avoid: Vec<Waypoint>,
    /// Where the segment ends.
    pub follow: Waypoint,
    /// The first evaluation of the waypoint has to pass it; otherwise (GraphML) a run may come by as often as it likes.
    pub is_strict: bool,
}

/// Something the run does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    /// From 1; 0 is anywhere (a target in GraphML).
    pub line: u32,
    /// From 1; otherwise the leftmost fitting position of the line, for targets any.
    pub column: Option<u32>,
    /// The function it is in, where the witness says so.
    pub function: Option<String>,
    /// What is to happen there.
    pub what: What,
    /// Where it stands in the witness, for people.
    pub at: String,
}

/// The kinds of waypoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Before a statement or declaration this C expression is true.
    Holds(String),
    /// After a declaration or expression statement, the only one that begins on the line, this C expression is true.
    HoldsAfter(String),
    /// A condition is true or false.
    Branch(bool),
    /// The value that a `switch` branches on, `None` for the default.
    Case(Option<i128>),
    /// The arguments of a call have been evaluated; of this function, where the witness names it.
    Enter(Option<String>),
    /// A call returns, of this function where the witness names it, with a value of that kind.
    Return(Option<String>, Option<Relation>),
    /// The violation.
    Target,
}

/// `\result OP constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// How the result compares with the constant.
    pub operator: Comparison,
    /// As the witness writes it.
    pub constant: String,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// Where an invariant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvariantKind {
    /// Whenever control stands at a loop's head.
    Loop,
    /// Before a statement or declaration.
    Location,
    /// Between two visits of a loop's head.
    Transition,
}

/// An invariant with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// From 1.
    pub line: u32,
    /// From 1, where the witness says it.
    pub column: Option<u32>,
    /// The function it is in, where the witness says so.
    pub function: Option<String>,
    /// A C expression.
    pub value: String,
}

impl WitnessSequence {
    /// The results of input functions that the witness gives, as if these were all of them: witnesses of this tool do. Those that
    /// are no integers are taken for floating ones of so many bits. Those of a cycle come again, up to `most` results.
    pub fn results(&self, float_bits: u32, most: usize) -> Vec<Option<u128>> {
        let bits = |constant: &String| {
            constant_bits(constant, u128::BITS, false).or_else(|| constant_bits(constant, float_bits, true))
        };
        let of = |segments: &[Segment]| -> Vec<Option<u128>> {
            let relations = segments.iter().filter_map(|segment| match &segment.follow.what {
                What::Return(_, Some(relation)) if relation.operator == Comparison::Equal => Some(&relation.constant),
                _ => None,
            });
            relations.map(bits).collect()
        };
        let (mut results, round) = match self.cycle {
            Some(cycle) => (of(&self.segments[..cycle]), of(&self.segments[cycle..])),
            None => (of(&self.segments), Vec::new()),
        };
        while !round.is_empty() && results.len() < most {
            results.extend(&round);
        }
        results
    }

    /// The waypoints that are to be followed, in order.
    pub fn followed(&self) -> impl DoubleEndedIterator<Item = &Waypoint> {
        self.segments.iter().map(|segment| &segment.follow)
    }
}

impl Relation {
    /// The relation in `\result OP constant`, in any number of parentheses.
    pub(super) fn parse(expression: &str) -> Option<Self> {
        let text = unwrapped(expression.trim().trim_end_matches(';'));
        let rest = unwrapped_prefix(text)?;
        use Comparison::*;
        let operators =
            [("==", Equal), ("!=", NotEqual), ("<=", LessEqual), (">=", GreaterEqual), ("<", Less), (">", Greater)];
        let (sign, operator) = operators.into_iter().find(|(sign, _)| rest.starts_with(sign))?;
        let constant = unwrapped(&rest[sign.len()..]).to_owned();
        (!constant.is_empty()).then_some(Self { operator, constant })
    }
}

/// What follows `\result`, which may stand in parentheses.
fn unwrapped_prefix(text: &str) -> Option<&str> {
    let depth = text.bytes().take_while(|byte| *byte == b'(').count();
    let mut rest = text[depth..].trim_start().strip_prefix("\\result")?.trim_start();
    for _ in 0..depth {
        rest = rest.strip_prefix(')')?.trim_start();
    }
    Some(rest)
}

/// Without white space and parentheses around all of it.
fn unwrapped(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    let closes_early = inner.bytes().any(|byte| {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        depth < 0
    });
    if closes_early { text } else { unwrapped(inner) }
}

/// The bits of a constant as C or ACSL writes it, for a result of `width` bits that may be a floating one.
pub(super) fn constant_bits(text: &str, width: u32, floating: bool) -> Option<u128> {
    let text = text.trim();
    if floating {
        let number: f64 = text.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok()?;
        return Some(if width == 32 { (number as f32).to_bits().into() } else { number.to_bits().into() });
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, unwrapped(rest)),
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
        assert_eq!(bits("-(1)"), Some(u128::MAX));
        assert_eq!(bits("0x1FuL"), Some(31));
        assert_eq!(bits("4294967295U"), Some(0xffff_ffff));
        assert_eq!(bits("x"), None);
        assert_eq!(constant_bits("0.5", 64, true), Some(0.5f64.to_bits().into()));
        assert_eq!(constant_bits("-2", 32, true), Some((-2f32).to_bits().into()));
    }

    #[test]
    fn relations_of_many_writers() {
        let read = |text: &str| Relation::parse(text).map(|relation| (relation.operator, relation.constant));
        use Comparison::*;
        assert_eq!(read("\\result == 3"), Some((Equal, "3".into())));
        assert_eq!(read("(\\result>=(-7));"), Some((GreaterEqual, "-7".into())));
        assert_eq!(read("((\\result)) != 1 + (2)"), Some((NotEqual, "1 + (2)".into())));
        assert_eq!(read("(\\result) < ((1) + (2))"), Some((Less, "(1) + (2)".into())));
        for text in ["x == 3", "\\result", "\\result = 3", "\\result ==", "3 == \\result", "((\\result) == 3"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
