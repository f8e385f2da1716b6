//! Proofs as files: written by an analysis, checked by any other.

use std::ffi::OsString;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::checks;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::limits::Limits;
use crate::c;
use crate::certificate::Certificate;
use crate::cfa::{self, Program};
use crate::check::{Keeps, Manner, check_alone};
use crate::evidence::{CheckReport, Refused};
use crate::memory::Checks;
use crate::smt::Effort;
use crate::task::{DataModel, PropertyFile, program_hash};

/// The first field of every file.
const FORMAT: &str = "margay proof 2";

/// A proof with what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateFile {
    format: String,
    /// For people.
    program: String,
    program_sha256: String,
    data_model: String,
    /// The property file's text.
    specification: String,
    malloc_may_fail: bool,
    /// The proof is about the program's [`skeleton`](cfa::skeleton), which is enough.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    skeleton: bool,
    proof: Certificate,
}

impl CertificateFile {
    /// A proof that the program in `file` has the property.
    ///
    /// # Errors
    /// The program cannot be read.
    pub fn new(
        file: &Path,
        model: DataModel,
        property: &PropertyFile,
        malloc_may_fail: bool,
        proof: Certificate,
    ) -> Result<Self> {
        Ok(Self {
            format: FORMAT.into(),
            program: file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            program_sha256: program_hash(file)?,
            data_model: model.name().into(),
            specification: property.specification(),
            malloc_may_fail,
            skeleton: false,
            proof,
        })
    }

    /// The same as a proof about the program's skeleton, or not.
    pub fn about_skeleton(self, skeleton: bool) -> Self {
        Self { skeleton, ..self }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// It cannot be put into words.
    pub fn to_text(&self) -> Result<String> {
        serde_json::to_string(self).map(|text| text + "\n").map_err(|error| malformed(&error.to_string()))
    }

    /// # Errors
    /// `Syntax`: the text is no proof.
    pub fn from_text(text: &str) -> Result<Self> {
        let file: Self = serde_json::from_str(text).map_err(|error| malformed(&error.to_string()))?;
        if file.format != FORMAT {
            return Err(malformed(&format!("its format is `{}`, not `{FORMAT}`", file.format)));
        }
        Ok(file)
    }

    /// What the proof claims, for people.
    ///
    /// # Errors
    /// `Syntax`: it claims nothing.
    pub fn claim(&self) -> Result<String> {
        let specification = self.property()?.specification();
        let allocation = if self.malloc_may_fail { "may fail" } else { "never fails" };
        Ok(format!("{specification}\nData model: {}; allocation {allocation}\n", self.model()?.name()))
    }

    fn model(&self) -> Result<DataModel> {
        let model = DataModel::from_name(&self.data_model);
        model.ok_or_else(|| malformed(&format!("there is no data model `{}`", self.data_model)))
    }

    fn property(&self) -> Result<PropertyFile> {
        let property = PropertyFile::from_specification(&self.specification)?;
        match property.unsupported() {
            Some(name) => Err(malformed(&format!("property {name} is not supported"))),
            None => Ok(property),
        }
    }

    /// Checks the certificate against the program in `file`, read with these options of the preprocessor; the inner result is the
    /// answer. It says of each state and each arrival what is needed: nothing is searched for. Call it inside [`c::with_big_stack`].
    ///
    /// # Errors
    /// The program cannot be read, or the certificate means nothing.
    pub fn check(
        &self,
        file: &Path,
        preprocessor: &[OsString],
        limits: &Limits,
        solving: Solving,
    ) -> Result<std::result::Result<CheckReport, Refused>> {
        let (model, property) = (self.model()?, self.property()?);
        if !self.program_sha256.eq_ignore_ascii_case(&program_hash(file)?) {
            return Ok(Err(Refused::new("it was made for another program")));
        }
        let checks = checks(&property.checks);
        let options = super::lowering(&checks, self.malloc_may_fail);
        let setup = c::Setup { preprocessor: preprocessor.to_vec(), ..c::Setup::default() };
        let program = cfa::lower(&c::parse(&c::load_program(file, &setup, model)?)?, &options)?;
        if self.skeleton {
            let Some(asked) = checks.of_skeleton() else {
                return Ok(Err(Refused::new("a skeleton tells of reachability and termination only")));
            };
            return self.check_program(&cfa::skeleton(&program, asked), checks, limits, solving);
        }
        self.check_program(&program, checks, limits, solving)
    }

    /// A certificate does not say whether accesses at several places were one state each or one for all: either will do.
    fn check_program(
        &self,
        program: &Program,
        checks: Checks,
        limits: &Limits,
        Solving { cores, plain }: Solving,
    ) -> Result<std::result::Result<CheckReport, Refused>> {
        let effort = Effort::PATIENT;
        let manner = Manner {
            shares: cores,
            cores,
            effort,
            places_by_values: false,
            endless_memory: false,
            keeps: Keeps::Nothing,
            plain,
        };
        let answer = check_alone(program, checks, &self.proof, limits, manner)?;
        match answer {
            Err(refused) if !refused.ran_out => {
                let manner = Manner { places_by_values: true, ..manner };
                Ok(check_alone(program, checks, &self.proof, limits, manner)?.map_err(|_| refused))
            }
            answer => Ok(answer),
        }
    }
}

/// How the queries of a check are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solving {
    /// How many threads may work on it; the answer does not depend on it.
    pub cores: usize,
    /// Each query goes to a new Z3 as it stands: slow, and nothing of it is our own.
    pub plain: bool,
}

fn malformed(why: &str) -> Error {
    Error::new(ErrorKind::Syntax, format!("this is no proof: {why}"))
}
