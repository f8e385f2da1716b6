//! What can be chosen about the refinement loop.

use super::precision_file::WrittenPrecision;
use super::refine::Refiners;
use crate::bmc::Choice;
use crate::claims::Checking;

/// How the loop goes about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which encoding asks the slices of alarms for runs; without one only the alarms' own paths are followed.
    pub slices: Option<Choice>,
    /// What may exclude spurious alarms; with none of them the first one ends a line.
    pub refiners: Refiners,
    /// Whether each spurious alarm is diagnosed, even where no refiner needs it.
    pub diagnoses: bool,
    /// How the proof is checked.
    pub checking: Checking,
    /// Where refinement begins; otherwise where it does by default.
    pub precision: Option<WrittenPrecision>,
}
