//! A program restricted to the runs of a violation witness: the product with the witness's automaton.
//!
//! The segment a run is in is a global variable. At each place a waypoint speaks of, the run goes on into the next segment, stays,
//! or ends because it is none of the witness's; a violation counts at the target, in the last segment, only. So who proves that
//! nothing is violated has refuted the witness, and a run that violates confirms it. Behind the last segment of a cycle comes its
//! first one: a run that never ends, and passes waypoints for ever, is one of the witness's.

mod moves;
mod places;
mod target;

use std::sync::Arc;

use super::instrument::is_pure;
use super::sequence::{Waypoint, What, WitnessSequence};
use super::weave::{Start, Woven, starts, weave};
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Pos;
use crate::c::{self, SourceText};
use crate::cfa::{Content, Global, GlobalId, HaltKind, LowerOptions, Op, Program, lower_with_landmarks};
use crate::memory::Checks;
use crate::verdict::{Event, ViolatingRun};
use target::Target;

/// The global variable that holds a run's segment.
const SEGMENT: &str = "__witness_segment";
/// The file that what the product adds to the program stands in.
const PRELUDE_FILE: &str = "<witness>";
/// The file that the expressions of assumptions stand in.
const ASSUMPTION_FILE: &str = "<assumption>";

/// A program with a witness's restrictions.
#[derive(Debug)]
pub struct Product {
    /// The program: its runs are those that the witness allows.
    pub program: Program,
    /// Where a violation counts; `None`: in a round.
    target: Option<Target>,
    segments: usize,
}

/// Why there is no product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The witness speaks of something that the program does not have.
    Malformed(String),
    /// No run can pass one of its waypoints.
    Impossible(String),
    /// The tool cannot tell what the witness means.
    Unknown(String),
}

impl Product {
    /// Restricts the program of `source` to `witness`, for these checks.
    ///
    /// # Errors
    /// The program is none, or not supported; the inner result says where the witness does not fit it.
    pub fn new(
        source: &SourceText,
        witness: &WitnessSequence,
        checks: &Checks,
        options: &LowerOptions,
    ) -> Result<std::result::Result<Self, Mismatch>> {
        let unit = c::parse(source)?;
        let starts = starts(source, &unit);
        let woven = match woven(source, witness, &starts) {
            Ok(woven) => woven,
            Err(mismatch) => return Ok(Err(mismatch)),
        };
        let lowered = c::parse(&woven).and_then(|unit| lower_with_landmarks(&unit, options));
        let mut program = match lowered {
            Ok(program) => program,
            Err(error) => {
                return match &error.pos {
                    Some(pos) if &*pos.file == ASSUMPTION_FILE => Ok(Err(in_assumption(&error))),
                    _ => Err(error),
                };
            }
        };
        let Some(last) = witness.segments.last() else {
            return Err(Error::new(ErrorKind::Usage, "a witness without segments"));
        };
        let target = match (witness.cycle, checks.termination) {
            (None, _) => Target::new(&last.follow, &starts).map(Some),
            (Some(_), true) => Ok(None),
            (Some(_), false) => Err(Mismatch::Malformed("a run to a violation of this property has no cycle".into())),
        };
        let target = match target {
            Ok(target) => target,
            Err(mismatch) => return Ok(Err(mismatch)),
        };
        let resolved = match places::resolve(&program, &starts, &witness.segments) {
            Ok(resolved) => resolved,
            Err(mismatch) => return Ok(Err(mismatch)),
        };
        let segment = segment_variable(&mut program);
        // Only the target is distinguished by place, so everything else is quiet from the beginning.
        for location in program.functions.iter_mut().flat_map(|function| &mut function.locations) {
            location.quiet = true;
        }
        let segments = witness.segments.len();
        if let Some(target) = &target {
            target::listen(&mut program, target, checks, (segment, segments - 1));
        }
        moves::add(&mut program, resolved, segment, &|number| match witness.cycle {
            Some(first) if number + 1 == segments => first,
            _ => number + 1,
        });
        for function in &mut program.functions {
            crate::cfa::annotate(function);
            // What leads to a block that is not needed any more where a run leaves the witness is not lost by that.
            for location in &mut function.locations {
                if matches!(&location.edges[..], [edge] if matches!(edge.op, Op::Halt(HaltKind::Vanish))) {
                    location.dead_temporaries = Box::default();
                    location.dead_variables = Box::default();
                }
            }
        }
        Ok(Ok(Self { program, target, segments }))
    }

    /// Whether a violating run of the product is one of the witness's as far as segments tell: it has come to the last one, or passes
    /// waypoints of the cycle in its round.
    pub fn has_passed(&self, run: &ViolatingRun) -> bool {
        let is_move = |event: &&Event| match event {
            Event::Branch { pos, taken, .. } => *taken && &*pos.file == PRELUDE_FILE,
            _ => false,
        };
        let passed = run.trace.iter().filter(is_move).count();
        match (&self.target, run.round) {
            (Some(_), _) => passed + 1 == self.segments,
            (None, Some(round)) => passed >= self.segments && run.trace[round..].iter().any(|event| is_move(&event)),
            (None, None) => false,
        }
    }

    /// Whether a run, also one of the program itself, violates at the target.
    pub fn is_at_target(&self, trace: &[Event]) -> bool {
        let Some(target) = &self.target else { return true };
        let is_input = |pos: &&Pos| self.program.source.files.first() == Some(&pos.file);
        let Some(Event::Violation { pos, .. }) = trace.last() else { return false };
        // A violation outside of the input is reported where the run was last seen in it.
        let seen = || trace.iter().rev().filter_map(event_pos).find(is_input);
        let place = Some(pos).filter(is_input).or_else(seen);
        place.is_none_or(|pos| target.fits(pos))
    }
}

fn event_pos(event: &Event) -> Option<&Pos> {
    match event {
        Event::Branch { pos, .. } | Event::Case { pos, .. } => Some(pos),
        Event::Input { close, .. } | Event::Library { close, .. } => Some(close),
        Event::Enter { .. } | Event::Return { .. } | Event::Violation { .. } => None,
    }
}

fn in_assumption(error: &Error) -> Mismatch {
    match error.kind {
        ErrorKind::Unsupported => Mismatch::Unknown(format!("an assumption is not supported: {}", error.message)),
        _ => Mismatch::Malformed(format!("an assumption is no C expression over what is in scope: {}", error.message)),
    }
}

/// Moves the run as an assumption's value says: to its end (0), nowhere (1), or into the next segment (2).
fn prelude(witness: &WitnessSequence) -> String {
    let last = witness.segments.len().saturating_sub(1);
    let next = match witness.cycle {
        Some(first) => format!("{SEGMENT} = {SEGMENT} == {last}u ? {first}u : {SEGMENT} + 1"),
        None => format!("{SEGMENT}++"),
    };
    format!(
        "unsigned {SEGMENT}; \
         void __witness_move(int how) {{ if (how == 0) __builtin_unreachable(); if (how == 2) {next}; }}"
    )
}

/// A segment with what it avoids and follows before or after a statement.
type Assumed<'w> = (usize, Vec<&'w str>, Option<&'w str>);

/// The program with its assumptions, each statement's as one expression.
fn woven(
    source: &SourceText,
    witness: &WitnessSequence,
    starts: &[Start],
) -> std::result::Result<SourceText, Mismatch> {
    // For each statement, before and after it.
    let mut claimed: Vec<((usize, bool), Vec<Assumed>)> = Vec::new();
    for (number, segment) in witness.segments.iter().enumerate() {
        let avoided = segment.avoid.iter().map(|waypoint| (waypoint, false));
        for (waypoint, is_followed) in avoided.chain([(&segment.follow, true)]) {
            let (expression, is_after) = match &waypoint.what {
                What::Holds(expression) => (expression, false),
                What::HoldsAfter(expression) => (expression, true),
                _ => continue,
            };
            if !is_pure(expression) {
                let why = format!("`{expression}`, {}, is no expression without effects", waypoint.at);
                return Err(Mismatch::Malformed(why));
            }
            let start = match is_after {
                true => places::simple_at(starts, waypoint)?,
                false => places::start_at(starts, waypoint)?,
            };
            let index = claimed.iter().position(|(known, _)| *known == (start, is_after)).unwrap_or_else(|| {
                claimed.push(((start, is_after), Vec::new()));
                claimed.len() - 1
            });
            let here = &mut claimed[index].1;
            if here.last().is_none_or(|(known, ..)| *known != number) {
                here.push((number, Vec::new(), None));
            }
            if let Some((_, avoid, follow)) = here.last_mut() {
                if is_followed { *follow = Some(expression) } else { avoid.push(expression) }
            }
        }
    }
    let all = claimed.into_iter().map(|((start, is_after), here)| {
        let mut text = String::from("__witness_move(");
        for (number, avoid, follow) in here {
            let avoid: Vec<String> = avoid.iter().map(|expression| format!("({expression})")).collect();
            let avoid = if avoid.is_empty() { "0".to_owned() } else { avoid.join(" || ") };
            let follow = follow.map_or_else(|| "1".to_owned(), |expression| format!("(({expression}) ? 2 : 0)"));
            text += &format!("{SEGMENT} == {number}u ? ({avoid} ? 0 : {follow}) : ");
        }
        let (start, file) = (starts[start].clone(), ASSUMPTION_FILE.to_owned());
        Woven { start, is_after, expression: text + "1)", file }
    });
    Ok(weave(source, &all.collect::<Vec<_>>(), (&prelude(witness), PRELUDE_FILE)))
}

/// The variable of the run's segment; where no assumption uses it, it is new.
fn segment_variable(program: &mut Program) -> GlobalId {
    let known = program.globals.iter().position(|global| &*global.name == SEGMENT);
    let index = known.unwrap_or_else(|| {
        program.globals.push(Global {
            name: SEGMENT.into(),
            size: 4,
            align: 4,
            content: Content::Initialised(Vec::new()),
            read_only: false,
            span: crate::base::span::Span::default(),
            c_type: Arc::from("unsigned int"),
            scope: None,
        });
        program.globals.len() - 1
    });
    GlobalId::from_index(index)
}

/// For messages.
fn place(waypoint: &Waypoint) -> String {
    match waypoint.column {
        Some(column) => format!("line {}, column {column}", waypoint.line),
        None => format!("line {}", waypoint.line),
    }
}
