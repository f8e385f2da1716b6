//! The abstract member: lines of refinement that share the time.

use super::attempt::Attempt;
use super::options::Options;
use super::outcome::{Outcome, Proved};
use super::record::Iteration;
use crate::ats::Refused;
use crate::base::limits::Limits;
use crate::calls::{Apart, Calls};
use crate::cfa::Program;
use crate::fold::{Keep, Precision};
use crate::memory::Checks;

/// Why there is no proof.
#[derive(Debug)]
pub struct NotProved {
    pub reason: String,
    /// A limit was hit: more time or memory may help.
    pub ran_out: bool,
    /// Proofs that the checker did not accept: a defect of this tool, and the reason.
    pub refused: Option<Refused>,
}

/// The calls of one program, followed apart from their callers in either way.
pub struct Ways {
    shared: Calls,
    recursive: Calls,
}

impl Ways {
    pub fn new(program: &Program) -> Self {
        Self { shared: Calls::new(program, Apart::Shared), recursive: Calls::new(program, Apart::Recursive) }
    }
}

/// The lines of refinement of one program. It can be run again and again, for longer each time.
pub struct Prover<'p> {
    program: &'p Program,
    checks: Checks,
    ways: &'p Ways,
    options: Options,
    lines: Vec<Line<'p>>,
    /// All rounds of all lines, in the order in which they happened.
    pub rounds: Vec<Iteration>,
    reason: Option<String>,
    refused: Option<Refused>,
}

enum Line<'p> {
    /// To begin with this precision.
    Waiting(Precision),
    Running(Box<Attempt<'p>>),
    Done,
}

/// What callers and functions know of each other is kept where lists are few; in later lines a call within its caller tells
/// more.
const SHARED_LINES: usize = 3;

impl<'p> Prover<'p> {
    pub fn new(program: &'p Program, checks: &Checks, ways: &'p Ways, options: &Options) -> Self {
        let given = options.precision.as_ref().map(|given| given.read(program));
        let start = given.unwrap_or_else(|| Keep::STARTS[0].into());
        Self::beginning_with(program, checks, ways, options, start)
    }

    /// The first line begins with this precision.
    pub fn beginning_with(
        program: &'p Program,
        checks: &Checks,
        ways: &'p Ways,
        options: &Options,
        start: Precision,
    ) -> Self {
        let further = Keep::STARTS[1..].iter().map(|keep| Precision::uniform(*keep));
        let lines = std::iter::once(start).chain(further).map(Line::Waiting).collect();
        Self {
            program,
            checks: *checks,
            ways,
            options: options.clone(),
            lines,
            rounds: Vec::new(),
            reason: None,
            refused: None,
        }
    }

    /// Goes on for as long as `limits` allow; a proof found in time is checked under `patience`.
    pub fn run(&mut self, limits: &Limits, patience: &Limits) -> Outcome {
        for index in 0..self.lines.len() {
            if matches!(self.lines[index], Line::Done) {
                continue;
            }
            // A line that does not get to an end leaves half of the time to finer ones.
            let is_last = self.lines[index + 1..].iter().all(|line| matches!(line, Line::Done));
            let share = if is_last { None } else { limits.remaining().map(|time| time / 2) };
            let limits = &share.map_or_else(|| limits.clone(), |share| limits.within(share));
            match self.run_line(index, limits, patience) {
                Outcome::Paused => {}
                Outcome::GaveUp { reason, refused } => {
                    self.lines[index] = Line::Done;
                    self.reason = Some(reason);
                    self.refused = refused.or(self.refused.take());
                }
                Outcome::OutOfResources => {
                    self.lines.iter_mut().for_each(|line| *line = Line::Done);
                    return Outcome::OutOfResources;
                }
                outcome => return outcome,
            }
        }
        if self.lines.iter().any(|line| !matches!(line, Line::Done)) {
            return Outcome::Paused;
        }
        let reason = self.reason.clone().unwrap_or_else(|| "no precision was tried".into());
        Outcome::GaveUp { reason, refused: self.refused.clone() }
    }

    fn run_line(&mut self, index: usize, limits: &Limits, patience: &Limits) -> Outcome {
        if let Line::Waiting(start) = &self.lines[index] {
            let calls = if index < SHARED_LINES {
                (&self.ways.shared, Apart::Shared)
            } else {
                (&self.ways.recursive, Apart::Recursive)
            };
            match Attempt::new(self.program, self.checks, calls, start.clone(), index + 1) {
                Ok(attempt) => self.lines[index] = Line::Running(Box::new(attempt)),
                Err(stuck) => return Outcome::gave_up(stuck.to_string()),
            }
        }
        match &mut self.lines[index] {
            Line::Running(attempt) => attempt.run(&self.options, limits, patience, &mut self.rounds),
            Line::Waiting(_) | Line::Done => Outcome::Paused,
        }
    }
}

/// Tries to prove that `program` violates nothing of `checks`, for as long as `limits` allow. A proof found in time is
/// checked under `patience`.
///
/// # Errors
/// Why there is no proof; this says nothing about whether there is a violation.
pub fn prove(program: &Program, checks: &Checks, limits: &Limits, patience: &Limits) -> Result<Proved, NotProved> {
    let ways = Ways::new(program);
    let mut prover = Prover::new(program, checks, &ways, &Options::default());
    let ran_out = |reason: &str| NotProved { reason: reason.into(), ran_out: true, refused: None };
    match prover.run(limits, patience) {
        Outcome::Proved(proved) => Ok(*proved),
        Outcome::Refuted(found) => {
            Err(NotProved { reason: format!("a violation was found: {}", found.detail), ran_out: false, refused: None })
        }
        Outcome::GaveUp { reason, refused } => Err(NotProved { reason, ran_out: false, refused }),
        Outcome::Paused => Err(ran_out("the abstract exploration ran out of time")),
        Outcome::OutOfResources => Err(ran_out("the abstract exploration ran out of resources")),
    }
}
