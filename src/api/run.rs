//! Single runs of programs.

use super::program::Prepared;
use super::{Counterexample, Error, Limits, Program, Specification};
use crate::base::error::Error as Refusal;
use crate::base::limits::Limits as Bounds;
use crate::c;
use crate::cfa::{LowerOptions, lower};
use crate::concrete::{self, RunLimits, Source, Stream, World, run_in};
use crate::question::{checks, lowering};

/// Runs a program in the interpreter, which watches it for violations: of memory safety and calls of `reach_error`, if nothing else is
/// asked for. Files other than the standard streams cannot be opened.
#[derive(Clone, Debug)]
pub struct Runner {
    program: Program,
    specification: Specification,
    entry: Option<String>,
    arguments: Vec<Vec<u8>>,
    stdin: Vec<u8>,
    inputs: Vec<i128>,
    seed: Option<u64>,
    steps: u64,
    limits: Limits,
}

impl Runner {
    /// A run of this program.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            specification: Specification::of_runs(),
            entry: None,
            arguments: Vec::new(),
            stdin: Vec::new(),
            inputs: Vec::new(),
            seed: None,
            steps: u64::MAX,
            limits: Limits::none(),
        }
    }

    /// What counts as a violation.
    pub fn property(self, property: impl Into<Specification>) -> Self {
        Self { specification: property.into(), ..self }
    }

    /// Starts at this function, with any arguments, instead of at `main`.
    pub fn entry(self, function: impl Into<String>) -> Self {
        Self { entry: Some(function.into()), ..self }
    }

    /// The same with another argument of the program.
    pub fn argument(mut self, argument: impl Into<Vec<u8>>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Standard input; empty by default.
    pub fn stdin(self, bytes: impl Into<Vec<u8>>) -> Self {
        Self { stdin: bytes.into(), ..self }
    }

    /// What the `__VERIFIER_nondet` functions return, in order of the calls, cut to the widths of their results; zero by default.
    pub fn inputs(self, inputs: impl IntoIterator<Item = i128>) -> Self {
        Self { inputs: inputs.into_iter().collect(), ..self }
    }

    /// Chooses values that are not given pseudo-randomly, by this seed.
    pub fn random(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Gives up after so many steps of the automaton.
    pub fn steps(self, most: u64) -> Self {
        Self { steps: most, ..self }
    }

    /// What it may cost.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Runs it.
    ///
    /// # Errors
    /// Input that is no C program, or has a construct that is not supported.
    pub fn run(&self) -> Result<Execution, Error> {
        let program = self.program.prepare()?;
        let done = self.limits.run(|bounds| self.execution(&program, bounds))?;
        done.map_err(|error| program.error(error))
    }

    fn execution(&self, prepared: &Prepared, limits: &Bounds) -> Result<Execution, Refusal> {
        let (file, setup) = prepared.setup(self.entry.as_deref());
        let checks = checks(&self.specification.file().checks);
        let source = c::load_program(file, &setup, self.program.model())?;
        let program = lower(&c::parse(&source)?, &LowerOptions { world: true, ..lowering(&checks, false) })?;
        let name = prepared.named(&file.with_extension("").to_string_lossy()).into_bytes();
        let world = World::new(std::iter::once(name).chain(self.arguments.clone()).collect(), self.stdin.clone());
        let inputs = self.inputs.iter().map(|input| Some(*input as u128)).collect();
        let source = Source::Scripted { inputs, seed: self.seed };
        let run = |trace| {
            let limits = RunLimits { trace, within: limits.clone(), ..RunLimits::steps(self.steps) };
            run_in(world.clone(), &program, &checks, source.clone(), &limits)
        };
        let (mut run, after) = match run(false) {
            // Steps are recorded of runs that go wrong.
            (concrete::Run { outcome: concrete::Outcome::Violated(_), .. }, _) => run(true),
            done => done,
        };
        let written = |wanted| {
            let of = after.written.iter().filter(|(stream, _)| *stream == wanted);
            of.flat_map(|(_, bytes)| bytes.iter().copied()).collect()
        };
        let (stdout, stderr) = (written(Stream::Output), written(Stream::Errors));
        let (steps, approximated) = (run.steps, run.approximated.take().map(|name| name.to_string()));
        let outcome = match run.violating() {
            Ok(found) => Outcome::Violated(Counterexample::new(&found, prepared)),
            Err(ended) => Outcome::new(&ended, after.status, prepared),
        };
        Ok(Execution { outcome, stdout, stderr, steps, approximated })
    }
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Execution {
    /// How it ended.
    pub outcome: Outcome,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Steps of the automaton.
    pub steps: u64,
    /// The first library function whose result is not computed exactly: what follows from it may be otherwise.
    pub approximated: Option<String>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The program ended with this status, of which systems keep the lowest byte.
    Exited(i32),
    /// By `abort`, or a failed assertion.
    Aborted,
    /// The property is violated.
    Violated(Counterexample),
    /// It did something that C leaves undefined and that is not asked about.
    Undefined(String),
    /// It cannot be continued exactly, for this reason.
    Stuck(String),
    /// A limit of steps, time or memory is reached.
    GivenUp,
    /// An assumption does not hold: `__VERIFIER_assume(0)`.
    Blocked,
}

impl Outcome {
    fn new(outcome: &concrete::Outcome, status: Option<i32>, program: &Prepared) -> Self {
        match outcome {
            concrete::Outcome::Finished(returned) => Outcome::Exited(status.or(*returned).unwrap_or(0)),
            concrete::Outcome::Aborted => status.map_or(Outcome::Aborted, Outcome::Exited),
            concrete::Outcome::Violated(fault) => Outcome::Stuck(program.named(&fault.detail)),
            concrete::Outcome::Undefined(what) => Outcome::Undefined(program.named(what)),
            concrete::Outcome::Stuck(why) => Outcome::Stuck(program.named(why)),
            concrete::Outcome::StepLimit => Outcome::GivenUp,
            concrete::Outcome::Vanished => Outcome::Blocked,
        }
    }
}
