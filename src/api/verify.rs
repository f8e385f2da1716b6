//! Verification of programs.

use std::fmt;

use super::program::Prepared;
use super::{Counterexample, Error, Limits, Program, Property, Specification};
use crate::base::error::Error as Refusal;
use crate::base::limits::Limits as Bounds;
use crate::base::span::Pos;
use crate::entry::entry;
use crate::evidence::LoopInvariant;
use crate::portfolio::{self, Job, Options};
use crate::question::CertificateFile;
use crate::verdict::{self, Assumptions, Why};
use crate::witness::{Subject, Witnesses, witnesses};

/// Verifies that a program has a property: memory safety, if no other is asked for.
#[derive(Clone, Debug)]
pub struct Verifier {
    program: Program,
    specification: Specification,
    entry: Option<String>,
    malloc_may_fail: bool,
    seed: u64,
    cores: usize,
    certificate: bool,
    limits: Limits,
}

impl Verifier {
    /// For this program.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            specification: Property::MemorySafety.into(),
            entry: None,
            malloc_may_fail: false,
            seed: 0,
            cores: 1,
            certificate: false,
            limits: Limits::none(),
        }
    }

    /// What is asked.
    pub fn property(self, property: impl Into<Specification>) -> Self {
        Self { specification: property.into(), ..self }
    }

    /// Starts at this function, with any arguments, instead of at `main`.
    pub fn entry(self, function: impl Into<String>) -> Self {
        Self { entry: Some(function.into()), ..self }
    }

    /// Lets `malloc`, `calloc` and `realloc` return null as well; by default allocation never fails.
    pub fn malloc_may_fail(self, may_fail: bool) -> Self {
        Self { malloc_may_fail: may_fail, ..self }
    }

    /// Seed of every random choice; 0 by default.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// How many engines work at a time, one by default; the answer does not depend on it.
    pub fn cores(self, cores: usize) -> Self {
        Self { cores: cores.max(1), ..self }
    }

    /// Whether a `TRUE` comes with its certificate. The program must be a single file without options of the preprocessor.
    pub fn certificate(self, wanted: bool) -> Self {
        Self { certificate: wanted, ..self }
    }

    /// What it may cost.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Answers, which may take long without a limit of time.
    ///
    /// # Errors
    /// Input that is no C program. What is not supported is an answer.
    pub fn verify(&self) -> Result<Answer, Error> {
        if self.certificate && (!self.program.is_plain() || self.entry.is_some()) {
            let why = "certificates are about programs of one file, read without options, that start at `main`";
            return Err(Error::Usage(why.to_owned()));
        }
        let program = self.program.prepare()?;
        let answer = self.limits.run(|bounds| self.answer(&program, bounds))?;
        answer.map_err(|error| program.error(error))
    }

    fn answer(&self, program: &Prepared, limits: &Bounds) -> Result<Answer, Refusal> {
        let (file, setup) = program.setup(self.entry.as_deref());
        let (model, property) = (self.program.model(), self.specification.file());
        let has_witness = setup.further.is_empty() && setup.entry.is_none();
        let options = Options {
            setup,
            malloc_may_fail: self.malloc_may_fail,
            seed: self.seed,
            cores: self.cores,
            write_proof: self.certificate,
            ..Options::default()
        };
        let entry = entry(file, &options.setup, model)?;
        let options = match &entry {
            Some(entry) => Options { setup: entry.setup.clone(), ..options },
            None => options,
        };
        let job = Job { file, model, properties: &property.checks, limits, options: &options };
        let found = portfolio::verify(&job)?;
        let found = match &entry {
            Some(entry) => entry.answer(found),
            None => found,
        };
        let subject = Subject { file, model, property, assumptions: &found.assumptions };
        let written = if has_witness { witnesses(&subject, &found.verdict)? } else { None };
        let certificate = found.proof.map(|proof| {
            let file = CertificateFile::new(file, model, property, self.malloc_may_fail, proof)?;
            file.about_skeleton(found.of_skeleton).to_text()
        });
        Ok(Answer {
            verdict: Verdict::new(&found.verdict, program),
            witnesses: written.map(|Witnesses { graphml, yaml }| Witnesses {
                graphml: program.named(&graphml),
                yaml: program.named(&yaml),
            }),
            certificate: certificate.transpose()?,
            assumptions: found.assumptions,
            statistics: found.stats,
        })
    }
}

/// An answer with its evidence.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// What is known.
    pub verdict: Verdict,
    /// The evidence of a definite verdict in the exchange formats. There is none for programs of several files, and for those that do not
    /// start at `main`.
    pub witnesses: Option<Witnesses>,
    /// The certificate of a `TRUE` if it was asked for: the text of a file that `margay-check` accepts.
    pub certificate: Option<String>,
    /// What a definite verdict takes for granted.
    pub assumptions: Assumptions,
    /// Figures about the analysis: what, and how much.
    pub statistics: Vec<(String, String)>,
}

/// Whether the program has the property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds of all runs; an independent check has accepted the proof.
    True {
        /// What holds at the heads of loops, as far as C can express it.
        invariants: Vec<LoopInvariant>,
    },
    /// A run violates it.
    False(Counterexample),
    /// There is no definite answer.
    Unknown(Reason),
}

impl Verdict {
    fn new(verdict: &verdict::Verdict, program: &Prepared) -> Self {
        match verdict {
            verdict::Verdict::True(proof) => {
                let invariants = proof
                    .invariants()
                    .iter()
                    .map(|invariant| LoopInvariant { pos: program.position(&invariant.pos), ..invariant.clone() });
                Verdict::True { invariants: invariants.collect() }
            }
            verdict::Verdict::False(run) => Verdict::False(Counterexample::new(run, program)),
            verdict::Verdict::Unknown(why) => Verdict::Unknown(Reason::new(why, program)),
        }
    }
}

impl fmt::Display for Verdict {
    /// As the command line writes it: `TRUE`, `FALSE(valid-deref)`, `UNKNOWN (timeout)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True { .. } => f.write_str("TRUE"),
            Verdict::False(run) => write!(f, "FALSE({})", run.violation.name()),
            Verdict::Unknown(reason) => write!(f, "UNKNOWN ({reason})"),
        }
    }
}

/// Why there is no definite answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The time is used up, or the engines have done all that they do.
    Timeout,
    /// The memory is used up.
    OutOfMemory,
    /// A [`Cancellation`](super::Cancellation) ended it.
    Cancelled,
    /// The program has something that the tool does not handle.
    Unsupported {
        /// One clause.
        message: String,
        /// Where the construct stands, if it is known.
        position: Option<Pos>,
    },
    /// There is neither a proof nor a violation that was confirmed.
    NotProved(String),
    /// A defect of this tool.
    Internal(String),
}

impl Reason {
    fn new(why: &Why, program: &Prepared) -> Self {
        match why {
            Why::Timeout => Reason::Timeout,
            Why::OutOfMemory => Reason::OutOfMemory,
            Why::Cancelled => Reason::Cancelled,
            Why::Unsupported(error) => Reason::Unsupported {
                message: program.named(&error.message),
                position: error.pos.as_ref().map(|pos| program.position(pos)),
            },
            Why::NotProved(why) => Reason::NotProved(program.named(why)),
            Why::Internal(what) => Reason::Internal(program.named(what)),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("timeout"),
            Reason::OutOfMemory => f.write_str("out of memory"),
            Reason::Cancelled => f.write_str("cancelled"),
            Reason::Unsupported { message, position: Some(pos) } => {
                write!(f, "unsupported: {message} at {}:{}", pos.file, pos.line)
            }
            Reason::Unsupported { message, position: None } => write!(f, "unsupported: {message}"),
            Reason::NotProved(why) => write!(f, "not proved: {why}"),
            Reason::Internal(what) => write!(f, "internal: {what}"),
        }
    }
}
