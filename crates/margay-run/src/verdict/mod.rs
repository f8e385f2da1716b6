//! Answers and their evidence: data that knows no heap and no analysis. A definite answer is made of evidence only: of a `Proof`
//! from `evidence`, or of a `Counterexample` from `concrete`.

use crate::base::error::Error;
use crate::base::limits::Exhausted;
pub use crate::concrete::{Counterexample, Event, Story, ViolatingRun};
pub use crate::evidence::{LoopInvariant, Proof};
pub use crate::memory::Inputs;

/// The answer to one property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The property holds of all runs.
    True(Proof),
    /// A run violates it.
    False(Counterexample),
    /// There is no definite answer.
    Unknown(Why),
}

/// What an answer takes for granted about the program's surroundings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// Unknown functions without a definition, by name: any of them returns any value and changes no memory.
    pub harmless: Vec<String>,
    /// Functions without a definition, each with the library function that it is said to act like.
    pub acting: Vec<(String, String)>,
    /// How memory that the text does not show is taken.
    pub memory: Vec<OutsideMemory>,
    /// Floating numbers are rounded to their types after each operation, though the data model's machine may compute with more digits.
    pub rounding: bool,
    /// Of a function that the program begins at: clauses that say which arguments it is given.
    pub arguments: Vec<String>,
}

/// Something taken for granted of memory that the program's text does not show, or of accesses that C leaves undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutsideMemory {
    /// No access leads to an object whose address the program does not use as a value.
    Separate,
    /// Pointers that the program did not make lead to valid memory of their own; accesses that C leaves undefined change nothing.
    OfItsOwn,
    /// No access and no `free` is one that C leaves undefined, where it is only asked whether the program ends.
    Defined,
}

impl std::fmt::Display for OutsideMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            OutsideMemory::Separate => "no pointer leads to a variable whose address is never taken",
            OutsideMemory::OfItsOwn => "pointers from outside lead to valid memory of their own",
            OutsideMemory::Defined => "no access and no `free` is one that C leaves undefined",
        })
    }
}

impl Assumptions {
    /// Nothing is taken for granted.
    pub fn is_empty(&self) -> bool {
        self.harmless.is_empty()
            && self.acting.is_empty()
            && self.memory.is_empty()
            && !self.rounding
            && self.arguments.is_empty()
    }
}

impl std::fmt::Display for Assumptions {
    /// One clause; empty where nothing is taken for granted.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut clauses = match &self.harmless[..] {
            [] => Vec::new(),
            [name] => vec![format!("{name} changes no memory")],
            names => vec![format!("{} change no memory", names.join(", "))],
        };
        clauses.extend(self.acting.iter().map(|(name, model)| format!("{name} acts like {model}")));
        if self.rounding {
            clauses.push("floating numbers have no digits beyond those of their types".to_owned());
        }
        clauses.extend(self.arguments.iter().cloned());
        clauses.extend(self.memory.iter().map(|memory| memory.to_string()));
        if clauses.is_empty() {
            return Ok(());
        }
        write!(f, "assuming that {}", joined(&clauses))
    }
}

/// Clauses as one.
fn joined(clauses: &[String]) -> String {
    match clauses {
        [first @ .., last] if first.len() > 1 => format!("{}, and that {last}", first.join(", that ")),
        few => few.join(", and that "),
    }
}

/// Why there is no definite answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A limit of time or of work was reached.
    Timeout,
    /// The limit of memory was reached.
    OutOfMemory,
    /// The answer is no longer asked for.
    Cancelled,
    /// A construct outside what the tool handles.
    Unsupported(Error),
    /// The analysis ended without a proof or a confirmed violation.
    NotProved(String),
    /// A defect of the tool.
    Internal(String),
}

impl From<Exhausted> for Why {
    fn from(exhausted: Exhausted) -> Self {
        match exhausted {
            Exhausted::Timeout | Exhausted::Work => Why::Timeout,
            Exhausted::Memory => Why::OutOfMemory,
            Exhausted::Cancelled => Why::Cancelled,
        }
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Timeout => f.write_str("timeout"),
            Why::OutOfMemory => f.write_str("out of memory"),
            Why::Cancelled => f.write_str("cancelled"),
            Why::Unsupported(error) => match &error.pos {
                Some(pos) => write!(f, "unsupported: {} at {}:{}", error.message, pos.file, pos.line),
                None => write!(f, "unsupported: {}", error.message),
            },
            Why::NotProved(why) => write!(f, "not proved: {why}"),
            Why::Internal(what) => write!(f, "internal: {what}"),
        }
    }
}

impl std::fmt::Display for Verdict {
    /// What stands after `Verification result: `.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::True(_) => f.write_str("TRUE"),
            Verdict::False(counterexample) => write!(f, "FALSE({})", counterexample.violation.name()),
            Verdict::Unknown(why) => write!(f, "UNKNOWN ({why})"),
        }
    }
}
