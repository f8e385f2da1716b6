//! Contracts with what they rest on as a file: written with `--proof`, checked by `margay check-proof`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::api::units::{Unit, load, lowering, sources};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::limits::Limits;
use crate::open::{FunctionProofs, FunctionReport, Linked, RefusedContract, check_contracts};
use crate::task::DataModel;
use crate::task::program_hash;

/// The first field of every file.
const FORMAT: &str = "margay contract proofs 1";

/// All contracts of one analysis.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractProofs {
    format: String,
    data_model: String,
    malloc_may_fail: bool,
    files: Vec<FileProofs>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileProofs {
    file: String,
    sha256: String,
    functions: Vec<FunctionProofs>,
}

/// The one field by which such files are distinguished from others.
#[derive(Deserialize)]
struct Header {
    format: String,
}

impl ContractProofs {
    /// # Errors
    /// A file cannot be read again.
    pub fn of(
        units: &[Unit],
        reports: &[Vec<FunctionReport>],
        model: DataModel,
        malloc_may_fail: bool,
    ) -> Result<Self> {
        let files = units.iter().zip(reports).map(|(unit, reports)| {
            Ok(FileProofs {
                file: unit.path.display().to_string(),
                sha256: program_hash(&unit.path)?,
                functions: reports
                    .iter()
                    .map(FunctionProofs::of)
                    .filter(|proofs| !proofs.contracts.is_empty())
                    .collect(),
            })
        });
        let files = files.collect::<Result<_>>()?;
        Ok(Self { format: FORMAT.into(), data_model: model.name().into(), malloc_may_fail, files })
    }

    /// # Errors
    /// It cannot be put into words.
    pub fn to_text(&self) -> Result<String> {
        serde_json::to_string(self).map(|text| text + "\n").map_err(|error| malformed(&error.to_string()))
    }

    /// `None` where the text is something else.
    ///
    /// # Errors
    /// `Syntax`: the text wants to be one and is not.
    pub fn from_text(text: &str) -> Result<Option<Self>> {
        match serde_json::from_str::<Header>(text) {
            Ok(header) if header.format == FORMAT => {}
            _ => return Ok(None),
        }
        serde_json::from_str(text).map(Some).map_err(|error| malformed(&error.to_string()))
    }

    /// What is claimed, for people.
    pub fn claim(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            let contracts: usize = file.functions.iter().map(|function| function.contracts.len()).sum();
            text.push_str(&format!("{}: {contracts} contracts of {} functions\n", file.file, file.functions.len()));
        }
        let allocation = if self.malloc_may_fail { "may fail" } else { "never fails" };
        text + &format!("Data model: {}; allocation {allocation}\n", self.data_model)
    }

    /// Checks all contracts against the texts in `files`, each read with its options of the preprocessor; how many there are, or why one is refused.
    ///
    /// # Errors
    /// A text cannot be read, or there are more or fewer than the proof speaks of.
    pub fn check(
        &self,
        files: &[(PathBuf, Vec<OsString>)],
        limits: &Limits,
    ) -> Result<std::result::Result<usize, String>> {
        let model = DataModel::from_name(&self.data_model);
        let model = model.ok_or_else(|| malformed(&format!("there is no data model `{}`", self.data_model)))?;
        if files.len() != self.files.len() {
            let why = format!("the proof is one of {} files, not of {}", self.files.len(), files.len());
            return Err(Error::new(ErrorKind::Usage, why));
        }
        let mut units = Vec::new();
        for (text, proofs) in files.iter().zip(&self.files) {
            let path = &text.0;
            if !proofs.sha256.eq_ignore_ascii_case(&program_hash(path)?) {
                return Ok(Err(format!("it was made for another text than {}", path.display())));
            }
            // Objects of other files are called by the names that the files had.
            units.push(Unit {
                path: Path::new(&proofs.file).to_owned(),
                ..load(text, &[], model, lowering(self.malloc_may_fail))?
            });
        }
        let sources = sources(&units);
        let mut linked = Linked::default();
        for (index, (unit, proofs)) in units.iter().zip(&self.files).enumerate() {
            let shared = proofs.functions.iter().filter(|proofs| sources.get(&proofs.name) == Some(&Some(index)));
            let shared: Vec<(Arc<str>, _)> = shared.map(|proofs| (proofs.name.clone(), proofs.claims())).collect();
            linked.add(&unit.open, &proofs.file, &shared);
        }
        let mut checked = 0;
        for (unit, proofs) in units.iter().zip(&self.files) {
            match check_contracts(&unit.open, &linked, &proofs.functions, limits) {
                Ok(count) => checked += count,
                Err(RefusedContract { function, contract, why }) => {
                    let at = unit.open.program.source.pos(why.span.start);
                    let number = contract + 1;
                    return Ok(Err(format!("contract {number} of `{function}`: {why} ({}:{})", at.file, at.line)));
                }
            }
        }
        Ok(Ok(checked))
    }
}

fn malformed(why: &str) -> Error {
    Error::new(ErrorKind::Syntax, format!("these are no contracts: {why}"))
}
