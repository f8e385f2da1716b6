//! Judgements of witnesses.

use super::program::Prepared;
use super::{Error, Limits, Program, Specification};
use crate::base::error::Error as Refusal;
use crate::base::limits::Limits as Bounds;
use crate::portfolio::{Job, Options};
use crate::task::program_hash;
use crate::validation::{Judgement, Validity, validate};
use crate::witness::{Question, WitnessSequence};

/// Judges a witness of any tool for a program of one file, read without options of the preprocessor.
#[derive(Clone, Debug)]
pub struct Validator {
    program: Program,
    witness: String,
    specification: Option<Specification>,
    malloc_may_fail: bool,
    limits: Limits,
}

impl Validator {
    /// The text of a witness in GraphML 1.0 or YAML 2.0 to 2.2, and the program that it should be about.
    pub fn new(program: Program, witness: impl Into<String>) -> Self {
        let witness = witness.into();
        Self { program, witness, specification: None, malloc_may_fail: false, limits: Limits::none() }
    }

    /// What was asked; by default what the witness says.
    pub fn property(self, property: impl Into<Specification>) -> Self {
        Self { specification: Some(property.into()), ..self }
    }

    /// Lets `malloc`, `calloc` and `realloc` return null as well, as for the answer that the witness belongs to.
    pub fn malloc_may_fail(self, may_fail: bool) -> Self {
        Self { malloc_may_fail: may_fail, ..self }
    }

    /// What it may cost.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Judges the witness. One that is none of this program is [malformed](Validity::Malformed).
    ///
    /// # Errors
    /// Input that is no C program, or has a construct that is not supported.
    pub fn validate(&self) -> Result<Judgement, Error> {
        if !self.program.is_plain() {
            let why = "witnesses are about programs of one file that is read without options";
            return Err(Error::Usage(why.to_owned()));
        }
        let program = self.program.prepare()?;
        let judged = self.limits.run(|bounds| self.judged(&program, bounds))?;
        let Judgement { validity, reported } = judged.map_err(|error| program.error(error))?;
        let validity = match validity {
            Validity::Confirmed => Validity::Confirmed,
            Validity::Rejected(why) => Validity::Rejected(program.named(&why)),
            Validity::Malformed(why) => Validity::Malformed(program.named(&why)),
            Validity::Unknown(why) => Validity::Unknown(program.named(&why)),
        };
        Ok(Judgement { validity, reported: reported.iter().map(|line| program.named(line)).collect() })
    }

    fn judged(&self, program: &Prepared, limits: &Bounds) -> Result<Judgement, Refusal> {
        let (file, _) = program.setup(None);
        let hash = program_hash(file)?;
        let property = self.specification.as_ref().map(Specification::file);
        let question = Question { file, hash: &hash, model: self.program.chosen_model(), property };
        let read = WitnessSequence::parse(&self.witness);
        let admitted = read.and_then(|witness| witness.admitted(&question).map(|admitted| (witness, admitted)));
        let (witness, (checks, model)) = match admitted {
            Ok(admitted) => admitted,
            Err(why) => return Ok(Judgement { validity: Validity::Malformed(why), reported: Vec::new() }),
        };
        let options = Options { malloc_may_fail: self.malloc_may_fail, ..Options::default() };
        validate(&Job { file, model, properties: &checks, limits, options: &options }, &witness)
    }
}
