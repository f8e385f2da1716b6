//! Whether a witness is one of the program and property at hand.

use std::path::Path;

use super::sequence::{WitnessKind, WitnessSequence};
use crate::task::{DataModel, Property, PropertyFile};

/// What a witness is held against.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The program's.
    pub file: &'a Path,
    /// SHA-256 of the program, in hexadecimal.
    pub hash: &'a str,
    /// Where the user names them.
    pub model: Option<DataModel>,
    /// `None`: the witness itself names what it is evidence of.
    pub property: Option<&'a PropertyFile>,
}

impl WitnessSequence {
    /// The properties that the witness is about, and the data model.
    ///
    /// # Errors
    /// It is one of another program, property or data model; a clause says how that shows.
    pub fn admitted(&self, question: &Question) -> Result<(Vec<Property>, DataModel), String> {
        let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let file = question.file.display().to_string();
        if let Some(claimed) = self.program_file.as_ref().filter(|claimed| name(claimed) != name(&file)) {
            return Err(format!("it is about the file `{claimed}`, not `{file}`"));
        }
        if self.program_hash.as_ref().is_some_and(|claimed| !claimed.eq_ignore_ascii_case(question.hash)) {
            return Err(format!("its hash is not that of `{file}`: it was made for another version of the file"));
        }
        let model = match (self.model, question.model) {
            (Some(claimed), Some(given)) if claimed != given => {
                return Err(format!("its data model is {}, not {}", claimed.name(), given.name()));
            }
            (claimed, given) => given.or(claimed).unwrap_or(DataModel::Lp64),
        };
        let claimed = PropertyFile::from_specification(&self.specification)
            .map_err(|error| format!("its specification is none: {error}"))?;
        if let Some(formula) = claimed.unsupported() {
            return Err(format!("its specification `{formula}` is not supported"));
        }
        let Some(asked) = question.property else { return Ok((claimed.checks, model)) };
        if let Some(other) = claimed.checks.iter().find(|check| !asked.checks.contains(check)) {
            return Err(format!("it is about `{}`, which the property does not ask", other.formula()));
        }
        match self.kind {
            WitnessKind::Violation => Ok((claimed.checks, model)),
            WitnessKind::Correctness => Ok((asked.checks.clone(), model)),
        }
    }
}
