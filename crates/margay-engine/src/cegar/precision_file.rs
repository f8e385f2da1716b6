//! Precisions as files: what refinement came to, to begin with the next time.

use serde::{Deserialize, Serialize};

use super::diagnosis::pos_in;
use crate::base::error::{Error, ErrorKind, Result};
use crate::cfa::{Function, FunctionId, Loc, Program};
use crate::fold::{Keep, Place, Precision};

/// The first field of every file.
const FORMAT: &str = "margay precision 1";

/// A precision in words that outlive small changes of the program: places are named by their function and the number of the
/// loop in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenPrecision {
    format: String,
    everywhere: Keep,
    places: Vec<WrittenPlace>,
}

/// A place where something else is kept than elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlace {
    function: String,
    /// The n-th loop of the function, from 1; 0: its entry.
    #[serde(rename = "loop")]
    number: usize,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    keep: Keep,
}

impl WrittenPrecision {
    /// A precision in written form; places that are neither loop heads nor entries are left out.
    pub fn new(program: &Program, precision: &Precision) -> Self {
        let precision = &precision.without_single_arrays();
        let written = |(place, keep): (&Place, &Keep)| {
            let function = program.functions.get(place.0.index())?;
            let number = heads(function).iter().position(|head| *head == place.1).map(|index| index + 1);
            let is_entry = place.1 == function.entry;
            Some(WrittenPlace {
                function: function.name.to_string(),
                number: number.or(is_entry.then_some(0))?,
                line: pos_in(program, *place).map(|pos| pos.line),
                keep: *keep,
            })
        };
        let places = precision.places().iter().filter_map(written).collect();
        Self { format: FORMAT.into(), everywhere: *precision.everywhere(), places }
    }

    /// The same everywhere.
    pub fn uniform(everywhere: Keep) -> Self {
        Self { format: FORMAT.into(), everywhere, places: Vec::new() }
    }

    /// The precision for this program; places it does not have are left out.
    pub fn read(&self, program: &Program) -> Precision {
        self.places.iter().fold(Precision::uniform(self.everywhere), |precision, place| match found(program, place) {
            Some(found) => precision.changed([found], |_| place.keep),
            None => precision,
        })
    }

    /// The text of a file.
    ///
    /// # Errors
    /// It cannot be put into words.
    pub fn to_text(&self) -> Result<String> {
        serde_json::to_string_pretty(self).map(|text| text + "\n").map_err(|error| malformed(&error.to_string()))
    }

    /// # Errors
    /// `Syntax`: the text is no precision, or one that makes no sense.
    pub fn from_text(text: &str) -> Result<Self> {
        let file: Self = serde_json::from_str(text).map_err(|error| malformed(&error.to_string()))?;
        if file.format != FORMAT {
            return Err(malformed(&format!("its format is `{}`, not `{FORMAT}`", file.format)));
        }
        let keeps = file.places.iter().map(|place| &place.keep).chain([&file.everywhere]);
        for keep in keeps {
            if keep.equal_nodes < 2 || keep.unequal_nodes < 2 || keep.foreign_nodes < 2 {
                return Err(malformed("a threshold is below 2: single nodes are no list"));
            }
        }
        Ok(file)
    }
}

/// The heads of the loops of a function, in order.
fn heads(function: &Function) -> Vec<Loc> {
    let all = function.locations.iter().enumerate();
    all.filter(|(_, location)| location.loop_head).map(|(index, _)| Loc::from_index(index)).collect()
}

fn found(program: &Program, place: &WrittenPlace) -> Option<Place> {
    let index = program.functions.iter().position(|function| *function.name == *place.function)?;
    let function = &program.functions[index];
    let at = match place.number.checked_sub(1) {
        Some(number) => *heads(function).get(number)?,
        None => function.entry,
    };
    Some((FunctionId::from_index(index), at))
}

fn malformed(why: &str) -> Error {
    Error::new(ErrorKind::Syntax, format!("this is no precision: {why}"))
}
