//! The abstract member: lines of refinement, each of which begins with another precision.

use std::cell::OnceCell;

use super::attempt::Attempt;
use super::options::Options;
use super::outcome::{Outcome, Proved};
use super::record::Iteration;
use super::trees::trees;
use crate::base::limits::Limits;
use crate::base::work::{SECOND, done};
use crate::cfa::Program;
use crate::evidence::Refused;
use crate::fold::{Keep, Precision, TreeClass};
use crate::frame::Summarised;
use crate::memory::{Checks, Stuck};
use crate::sharing::Calls;

/// Why there is no proof.
#[derive(Debug)]
pub struct NotProved {
    /// One clause.
    pub reason: String,
    /// A limit was hit: more time or memory may help.
    pub ran_out: bool,
    /// Proofs that the checker did not accept: a defect of this tool, and the reason.
    pub refused: Option<Refused>,
}

/// The calls of one program, followed apart from their callers in each way.
pub struct Ways {
    shared: Calls,
    recursive: Calls,
    /// `None`: no function gets more than it follows.
    carrying: Option<Calls>,
    /// The trees that the program builds, once they were looked for.
    trees: OnceCell<Option<TreeClass>>,
}

impl Ways {
    /// Finds out which functions each way follows apart from their callers.
    pub fn new(program: &Program) -> Self {
        let recursive = Calls::new(program, Summarised::Recursive);
        let carrying = recursive.split_any().then(|| Calls::new(program, Summarised::Opaque));
        Self {
            shared: Calls::new(program, Summarised::Shared),
            recursive,
            carrying: carrying.filter(Calls::carries),
            trees: OnceCell::new(),
        }
    }

    /// How the line of this number follows calls; `carries`: functions are not given what they only carry the address of.
    fn of(&self, number: usize, carries: bool) -> (&Calls, Summarised) {
        match &self.carrying {
            _ if SHARED_LINES.contains(&number) => (&self.shared, Summarised::Shared),
            Some(carrying) if carries => (carrying, Summarised::Opaque),
            _ => (&self.recursive, Summarised::Recursive),
        }
    }
}

/// One line of refinement. It can be run again and again, for longer each time.
pub struct Line<'p> {
    program: &'p Program,
    checks: Checks,
    ways: &'p Ways,
    options: Options,
    /// From 0.
    number: usize,
    /// The precision it begins with.
    start: Precision,
    /// `None`: it is to begin.
    running: Option<Box<Attempt<'p>>>,
    /// Work that it has done.
    worked: u64,
    /// Trees were looked for.
    has_looked: bool,
    /// Functions are not given what they seem to carry only.
    carries: bool,
    /// Accesses that C leaves undefined are excluded, even where they are not asked for.
    excludes_undefined: bool,
}

/// The lines in which functions that are called from several places are followed once for all callers. In the first one there are so
/// few states that calls within their callers cost little and tell more; in the last ones they tell what the finer abstraction keeps.
const SHARED_LINES: std::ops::RangeInclusive<usize> = 1..=2;

/// The lines that look for trees; the others know lists only.
const TREE_LINES: usize = 2;

/// Lists that point both ways look like trees to types: what has an answer after so much work has no need of a look at its heaps.
const SOON: u64 = SECOND / 20;

/// So many values of a variable are distinguished where that is what a measure may need.
const VALUES: usize = 12;

/// Work of the first of growing turns.
const FIRST_TURN: u64 = SECOND / 4;

impl<'p> Line<'p> {
    /// How many lines there are.
    pub const COUNT: usize = Keep::STARTS.len();

    /// The line of this number, from 0: each begins with a finer abstraction than the one before. The first one begins with the
    /// precision of the options, if there is one.
    pub fn new(program: &'p Program, checks: &Checks, ways: &'p Ways, options: &Options, number: usize) -> Self {
        let given = options.precision.as_ref().filter(|_| number == 0).map(|given| given.read(program));
        let start = given.unwrap_or_else(|| Precision::uniform(start(checks, number)));
        Self {
            program,
            checks: *checks,
            ways,
            options: options.clone(),
            number,
            start,
            running: None,
            worked: 0,
            has_looked: false,
            carries: true,
            excludes_undefined: true,
        }
    }

    /// From 1, for people.
    pub fn number(&self) -> usize {
        self.number + 1
    }

    /// Goes on for as long as `limits` allow; a proof found in time is checked under `patience`. What was done is added to
    /// `rounds`.
    pub fn run(&mut self, limits: &Limits, patience: &Limits, rounds: &mut Vec<Iteration>) -> Outcome {
        let attempt = match self.running.take() {
            Some(attempt) => attempt,
            None => match self.attempt() {
                Ok(attempt) => Box::new(attempt),
                Err(stuck) => return Outcome::gave_up(stuck.to_string()),
            },
        };
        let begin = done();
        let outcome = self.running.insert(attempt).run(&self.options, limits, patience, rounds);
        self.worked += done() - begin;
        if matches!(outcome, Outcome::Paused) {
            self.look_for_trees(patience);
        }
        let outcome = match outcome {
            Outcome::Unranked(reason) => match self.running.as_ref().and_then(|attempt| apart(attempt.precision())) {
                Some(finer) => {
                    self.start = finer;
                    self.running = None;
                    return self.run(limits, patience, rounds);
                }
                None => {
                    rounds.push(Iteration::without_measure(self.number(), reason.clone()));
                    Outcome::gave_up(reason)
                }
            },
            outcome => outcome,
        };
        let is_stuck = matches!(outcome, Outcome::GaveUp { refused: None, .. });
        if is_stuck && self.expects_less() {
            self.running = None;
            return self.run(limits, patience, rounds);
        }
        outcome
    }

    fn attempt(&self) -> Result<Attempt<'p>, Stuck> {
        let calls = self.ways.of(self.number, self.carries);
        Attempt::new(self.program, (self.checks, self.explored_for()), calls, self.start.clone(), self.number())
    }

    /// Nothing is proved of runs with accesses that C leaves undefined, but that they end: so that they are excluded by refinement,
    /// it is explored as if they were violations.
    fn explored_for(&self) -> Checks {
        match self.excludes_undefined && !self.checks.at_most_termination() {
            true => Checks { deref: true, free: true, ..self.checks },
            false => self.checks,
        }
    }

    /// What was expected of the program did not lead to a proof: expects less, if that is possible.
    fn expects_less(&mut self) -> bool {
        // What a function seemed to carry only may be what it needs.
        if self.ways.of(self.number, self.carries).1 == Summarised::Opaque {
            self.carries = false;
            return true;
        }
        // Runs may go on after accesses that C leaves undefined.
        let is_more = self.explored_for() != self.checks;
        self.excludes_undefined = false;
        is_more
    }

    /// What has no answer soon may need trees: if there are any, the line begins anew with them.
    fn look_for_trees(&mut self, patience: &Limits) {
        let is_soon = self.worked < SOON;
        if is_soon || self.number >= TREE_LINES || self.has_looked || self.options.precision.is_some() {
            return;
        }
        self.has_looked = true;
        let class = *self.ways.trees.get_or_init(|| trees(&self.ways.recursive, &self.checks, patience));
        if let Some(class) = class {
            let start = start(&self.checks, self.number);
            self.start = Precision::uniform(Keep { trees: Some(class), ..start });
            self.running = None;
        }
    }
}

/// Keeps more states apart: what decreases in one phase of a loop need not decrease in the next one. `None`: there is no more to try.
fn apart(precision: &Precision) -> Option<Precision> {
    let known = precision.everywhere();
    let finer = match (known.choices, known.values) {
        (false, _) => precision.changed_everywhere(|keep| Keep { choices: true, ..keep }),
        (true, values) if values < VALUES => precision.changed_everywhere(|keep| Keep { values: VALUES, ..keep }),
        _ => return None,
    };
    Some(finer)
}

/// Where the line of this number begins.
fn start(checks: &Checks, number: usize) -> Keep {
    let starts: &[Keep] = if checks.termination { &Keep::COUNTING_STARTS } else { &Keep::STARTS };
    starts[number.min(starts.len() - 1)]
}

/// All lines of refinement of one program, one after the other.
pub struct Prover<'p> {
    /// `None`: it came to an end.
    lines: Vec<Option<Line<'p>>>,
    /// All rounds of all lines, in the order in which they happened.
    pub rounds: Vec<Iteration>,
    reason: Option<String>,
    refused: Option<Refused>,
}

impl<'p> Prover<'p> {
    /// All lines from their beginning; nothing is explored yet.
    pub fn new(program: &'p Program, checks: &Checks, ways: &'p Ways, options: &Options) -> Self {
        let lines = (0..Line::COUNT).map(|number| Some(Line::new(program, checks, ways, options, number))).collect();
        Self { lines, rounds: Vec::new(), reason: None, refused: None }
    }

    /// The first line begins with this precision.
    pub fn beginning_with(
        program: &'p Program,
        checks: &Checks,
        ways: &'p Ways,
        options: &Options,
        start: Precision,
    ) -> Self {
        let mut prover = Self::new(program, checks, ways, options);
        if let Some(Some(first)) = prover.lines.first_mut() {
            first.start = start;
        }
        prover
    }

    /// Goes on in growing turns for as long as `limits` allow: lines that have no answer at once may begin anew with trees.
    pub fn run_in_turns(&mut self, limits: &Limits) -> Outcome {
        let mut slice = FIRST_TURN;
        loop {
            match self.run(&limits.within_work(slice), limits) {
                Outcome::Paused if limits.check_time().is_ok() => slice = slice.saturating_mul(2),
                outcome => return outcome,
            }
        }
    }

    /// Goes on for as long as `limits` allow; a proof found in time is checked under `patience`.
    pub fn run(&mut self, limits: &Limits, patience: &Limits) -> Outcome {
        for index in 0..self.lines.len() {
            // A line that does not get to an end leaves half to finer ones.
            let is_last = self.lines[index + 1..].iter().all(Option::is_none);
            let Some(line) = &mut self.lines[index] else { continue };
            let share = if is_last { limits.clone() } else { limits.half() };
            match line.run(&share, patience, &mut self.rounds) {
                Outcome::Paused => {}
                Outcome::GaveUp { reason, refused } => {
                    self.lines[index] = None;
                    self.reason = Some(reason);
                    self.refused = refused.or(self.refused.take());
                }
                outcome => return outcome,
            }
        }
        if self.lines.iter().any(Option::is_some) {
            return Outcome::Paused;
        }
        let reason = self.reason.clone().unwrap_or_else(|| "no precision was tried".into());
        Outcome::GaveUp { reason, refused: self.refused.clone() }
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
    // What has no answer after a while may begin anew with trees.
    let outcome = match prover.run(&limits.half(), patience) {
        Outcome::Paused => prover.run(limits, patience),
        outcome => outcome,
    };
    match outcome {
        Outcome::Proved(proved) => Ok(*proved),
        Outcome::Refuted(found) => {
            Err(NotProved { reason: format!("a violation was found: {}", found.detail), ran_out: false, refused: None })
        }
        Outcome::Unranked(reason) => Err(NotProved { reason, ran_out: false, refused: None }),
        Outcome::GaveUp { reason, refused } => Err(NotProved { reason, ran_out: false, refused }),
        Outcome::Paused => Err(ran_out("the abstract exploration ran out of time")),
        Outcome::OutOfResources(_) => Err(ran_out("the abstract exploration ran out of resources")),
    }
}
