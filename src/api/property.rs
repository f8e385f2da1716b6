//! What is asked of a program.

use super::Error;
use crate::base::error::Error as Refusal;
use crate::base::span::Pos;
use crate::task::{Property as Check, PropertyFile};

/// A property that programs are verified for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Property {
    /// `reach_error` is never called.
    UnreachCall,
    /// The label `ERROR` is never reached.
    UnreachLabel,
    /// No assertion fails.
    Assertions,
    /// [`ValidDeref`](Property::ValidDeref), [`ValidFree`](Property::ValidFree) and [`ValidMemtrack`](Property::ValidMemtrack) at once.
    MemorySafety,
    /// Every access lies within a live object.
    ValidDeref,
    /// Only live blocks of the heap are freed, each once.
    ValidFree,
    /// No block of the heap is lost.
    ValidMemtrack,
    /// Every block of the heap is freed when the program ends.
    ValidMemcleanup,
    /// No signed integer operation overflows.
    NoOverflow,
    /// Every run ends.
    Termination,
}

impl Property {
    /// As the command line has it: `valid-memsafety` for [`Property::MemorySafety`].
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::UnreachLabel => "unreach-label",
            Property::Assertions => "assertions",
            Property::MemorySafety => "valid-memsafety",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::NoOverflow => "no-overflow",
            Property::Termination => "termination",
        }
    }
}

/// One or more properties that are answered together.
#[derive(Clone, Debug)]
pub struct Specification(PropertyFile);

impl Specification {
    /// The text of a property file (`.prp`): lines such as `CHECK( init(main()), LTL(G valid-free) )`. Or formulas
    /// as witnesses have them: `G valid-free && G valid-deref`.
    ///
    /// # Errors
    /// [`Error::Syntax`] where it is none, [`Error::Unsupported`] where it asks for what the tool does not answer.
    pub fn from_text(text: &str) -> Result<Self, Error> {
        let named = |pos| Pos { file: "specification".into(), ..pos };
        let file =
            PropertyFile::from_specification(text).map_err(|error| Refusal { pos: error.pos.map(named), ..error })?;
        match file.unsupported() {
            Some(name) => Err(Error::Unsupported { message: format!("property {name}"), position: None }),
            None => Ok(Self(file)),
        }
    }

    /// What a single run is watched for: memory safety, and calls of `reach_error`.
    pub(super) fn of_runs() -> Self {
        Self(PropertyFile::run_default())
    }

    pub(super) fn file(&self) -> &PropertyFile {
        &self.0
    }
}

impl From<Property> for Specification {
    fn from(property: Property) -> Self {
        let name = property.name();
        let known = PropertyFile::NAMES.iter().find(|(known, _)| *known == name);
        let checks: Vec<Check> = known.map_or_else(Vec::new, |(_, checks)| checks.to_vec());
        Self(PropertyFile { path: format!("{name}.prp").into(), checks })
    }
}
