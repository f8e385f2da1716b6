//! Evidence in the exchange formats of software verification: GraphML 1.0 and YAML 2.0 witnesses, written and read, and
//! contracts of functions in YAML 2.1.

mod admit;
mod claims;
mod graphml;
mod instrument;
mod place;
mod product;
mod read;
mod read_graphml;
mod read_yaml;
mod sequence;
mod subject;
mod weave;
mod yaml;

pub use admit::Question;
pub use claims::Checked;
pub use instrument::{Check, Instrumented, instrument};
pub use product::{Mismatch, Product};
pub use sequence::{
    Comparison, Invariant, InvariantKind, Relation, Segment, Waypoint, What, WitnessKind, WitnessSequence,
};
pub use subject::Subject;

use crate::base::error::Result;
use crate::verdict::{LoopInvariant, Verdict, ViolatingRun};
use place::Text;

/// One answer's evidence in both formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witnesses {
    /// In GraphML, version 1.0 of the format.
    pub graphml: String,
    /// In YAML, version 2.0 of the format.
    pub yaml: String,
}

/// The evidence of a definite answer; `None` for `UNKNOWN`.
///
/// # Errors
/// `Io` where the program cannot be read again.
pub fn witnesses(subject: &Subject, verdict: &Verdict) -> Result<Option<Witnesses>> {
    match verdict {
        Verdict::True(proof) => correctness(subject, proof.invariants()).map(Some),
        Verdict::False(counterexample) => violation(subject, counterexample).map(Some),
        Verdict::Unknown(_) => Ok(None),
    }
}

/// A violation witness in both formats.
///
/// # Errors
/// `Io` where the program cannot be read again.
pub fn violation(subject: &Subject, counterexample: &ViolatingRun) -> Result<Witnesses> {
    let text = Text::read(subject.file)?;
    Ok(Witnesses {
        graphml: graphml::violation(subject, &text, counterexample),
        yaml: yaml::violation(subject, &text, counterexample),
    })
}

/// A correctness witness in both formats; no invariants at all are fine.
///
/// # Errors
/// `Io` where the program cannot be read again.
pub fn correctness(subject: &Subject, invariants: &[LoopInvariant]) -> Result<Witnesses> {
    let text = Text::read(subject.file)?;
    Ok(Witnesses {
        graphml: graphml::correctness(subject, &text, invariants),
        yaml: yaml::correctness(subject, &text, invariants),
    })
}

/// A contract of a function: callers that see to the one find the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionContract {
    /// Where the function's definition begins; columns count from 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// The function's name.
    pub function: std::sync::Arc<str>,
    /// In ACSL, over parameters and globals.
    pub requires: String,
    /// What holds where the function returns: in ACSL, too.
    pub ensures: String,
}

/// Contracts of functions as a set of invariants in YAML 2.1.
///
/// # Errors
/// `Io` where the program cannot be read again.
pub fn contracts(subject: &Subject, contracts: &[FunctionContract]) -> Result<String> {
    Ok(yaml::contracts(subject, &Text::read(subject.file)?, contracts))
}
