//! What happened in each round of the loop: plain data for figures, traces and people.

use std::time::Duration;

use serde::Serialize;

use super::diagnosis::Diagnosis;
use super::refine::RefinerName;
use crate::cfa::Program;
use crate::show::Picture;

/// One round: an alarm and what came of it.
#[derive(Clone)]
pub struct Iteration {
    /// The line of refinement, counted from 1: each begins with a coarser or finer abstraction.
    pub line: usize,
    /// What could not be excluded, and where.
    pub error: String,
    /// How the alarm was judged.
    pub feasibility: Feasibility,
    /// Where abstraction let the alarm in; `None`: that was not asked, or not found.
    pub diagnosis: Option<Diagnosis>,
    /// What was refined; `None` ends the line.
    pub refinement: Option<Refinement>,
    /// Nodes that had been explored.
    pub nodes: usize,
    /// All of the round but the exploration.
    pub time: Duration,
}

impl Iteration {
    /// A line that ends because nothing shows that a loop does, for this reason.
    pub fn without_measure(line: usize, reason: String) -> Self {
        let feasibility = Feasibility::default();
        let (diagnosis, refinement, nodes, time) = (None, None, 0, Duration::ZERO);
        Self { line, error: reason, feasibility, diagnosis, refinement, nodes, time }
    }
}

/// How an alarm was judged.
#[derive(Clone, Debug, Default)]
pub struct Feasibility {
    /// Of the alarm's own path, followed symbolically.
    pub answer: String,
    pub path_time: Duration,
    /// The alarm is real.
    pub confirmed: bool,
    /// Of the slice, where it was asked.
    pub encoding: Option<&'static str>,
    pub slice_answer: String,
    pub bound: u32,
    pub slice_edges: usize,
    pub slice_time: Duration,
}

/// A step to a finer precision.
#[derive(Clone, Debug)]
pub struct Refinement {
    /// The refiner that changed the precision.
    pub refiner: RefinerName,
    /// What changed, for people: `list threshold 6 at main:13, main:20`.
    pub change: String,
    /// The list threshold chosen, where it is about one.
    pub threshold: Option<usize>,
    /// The other thresholds that were considered, ascending.
    pub candidates: Vec<usize>,
    /// Nodes left when those below the cut were removed.
    pub kept_nodes: usize,
}

/// A round as plain data, for trace files and people. Times in seconds.
#[derive(Clone, Debug, Serialize)]
pub struct RoundReport {
    /// As in [`Iteration::line`].
    pub line: usize,
    /// As in [`Iteration::error`].
    pub error: String,
    /// As in [`Iteration::nodes`].
    pub nodes: usize,
    /// What following the alarm's own path gave.
    pub path: String,
    /// Of following the path, without the search for inputs and the replay.
    pub path_time: f64,
    /// A run was found and replayed: the alarm is a violation.
    pub confirmed: bool,
    /// `None`: the slice was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slice: Option<SliceReport>,
    /// `None`: there is no diagnosis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discontinuity: Option<DiscontinuityReport>,
    /// `None` ends the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinement: Option<RefinementReport>,
    /// All of the round but the exploration.
    pub time: f64,
}

/// What the slice was asked and answered.
#[derive(Clone, Debug, Serialize)]
pub struct SliceReport {
    /// As in [`Encoding::name`](crate::bmc::Encoding::name).
    pub encoding: &'static str,
    /// Of the slice.
    pub edges: usize,
    /// Edges of the slice that a run may take.
    pub bound: u32,
    /// What came of the slice, as text.
    pub answer: String,
    /// Of cutting the slice, solving and the replay.
    pub time: f64,
}

/// Where abstraction let the violation in.
#[derive(Clone, Debug, Serialize)]
pub struct DiscontinuityReport {
    /// The function and the position, as text.
    pub place: String,
    /// A heap was found that shows it.
    pub doomed_state: bool,
    /// On bytes, too.
    pub confirmed_on_bytes: bool,
    /// The line of the place in the program's file.
    #[serde(skip)]
    pub line: Option<u32>,
    /// The states that show it, with titles, where they are asked for.
    #[serde(skip)]
    pub pictures: Vec<(String, Picture)>,
}

/// What became finer.
#[derive(Clone, Debug, Serialize)]
pub struct RefinementReport {
    /// As in [`RefinerName::name`].
    pub refiner: &'static str,
    /// As in [`Refinement::change`].
    pub change: String,
    /// As in [`Refinement::threshold`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<usize>,
    /// As in [`Refinement::candidates`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<usize>,
    /// As in [`Refinement::kept_nodes`].
    pub kept_nodes: usize,
}

impl Iteration {
    /// As plain data; with pictures where `draw` says so.
    pub fn report(&self, program: &Program, draw: bool) -> RoundReport {
        let Feasibility { answer, path_time, confirmed, encoding, slice_answer, bound, slice_edges, slice_time } =
            self.feasibility.clone();
        let time = slice_time.as_secs_f64();
        RoundReport {
            line: self.line,
            error: self.error.clone(),
            nodes: self.nodes,
            path: answer,
            path_time: path_time.as_secs_f64(),
            confirmed,
            slice: encoding.map(|encoding| SliceReport {
                encoding,
                edges: slice_edges,
                bound,
                answer: slice_answer,
                time,
            }),
            discontinuity: self.diagnosis.as_ref().map(|found| DiscontinuityReport {
                place: found.place_in(program),
                doomed_state: found.doomed.is_some(),
                confirmed_on_bytes: found.doomed.as_ref().is_some_and(|doomed| doomed.confirmed),
                line: found.pos.as_ref().map(|pos| pos.line),
                pictures: if draw { found.pictures(program) } else { Vec::new() },
            }),
            refinement: self.refinement.as_ref().map(|found| RefinementReport {
                refiner: found.refiner.name(),
                change: found.change.clone(),
                threshold: found.threshold,
                candidates: found.candidates.clone(),
                kept_nodes: found.kept_nodes,
            }),
            time: self.time.as_secs_f64(),
        }
    }
}
