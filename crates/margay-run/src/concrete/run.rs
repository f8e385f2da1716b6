//! Runs of a program.

use std::rc::Rc;
use std::sync::Arc;

use super::compact::Compact;
use super::corpus::Branches;
use super::evidence::{Counterexample, Event, ViolatingRun};
use super::lasso::Lasso;
use super::memory::Concrete;
use super::source::Source;
use super::story::Story;
use super::trace::Trace;
use super::value::Value;
use super::world::{self, World};
use crate::base::limits::Limits;
use crate::base::work;
use crate::cfa::{Edge, Function, HaltKind, Location, Op, Program};
use crate::evidence::Obligation;
use crate::memory::{
    Addresses, Checks, Config, Fault, Frame, Gap, Inputs, Outcome as Step, Reason, Stuck, cross, find_leak, guard,
    initial, step,
};
use crate::task::Violation;

/// Steps after which a replay is given up.
const MAX_REPLAY_STEPS: u64 = 20_000_000;

/// A replay may ask for so many inputs beyond a few times what it is given.
const SPARE_INPUTS: usize = 4096;

/// Steps between two looks at the clock.
const STEPS_PER_CHECK: u64 = 4096;

/// Work of so many steps beyond their allocations.
const STEP_TICKS: u64 = 1;
/// As many steps of compact code are work of one tick.
const QUICK_STEPS_OF_TICK: u64 = 8;

/// How far a run may go.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// Edges taken.
    pub steps: u64,
    /// Whether to record [`Run::trace`].
    pub trace: bool,
    /// Whether to record [`Run::branches`], which takes each step by itself.
    pub branches: bool,
    /// Inputs asked for, which is looked at now and then.
    pub inputs: usize,
    /// Time and memory; [`Outcome::StepLimit`] where one is used up.
    pub within: Limits,
}

impl RunLimits {
    /// At most `steps` steps, any number of inputs, no clock, no trace.
    pub fn steps(steps: u64) -> Self {
        Self { steps, trace: false, branches: false, inputs: usize::MAX, within: Limits::none() }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The program ended, by the return from `main` with this status, or by `exit`, whose argument is not kept.
    Finished(Option<i32>),
    /// `abort`, a failed assertion.
    Aborted,
    /// One of the checked properties is violated.
    Violated(Fault),
    /// The program did something that C does not define and that was not asked about.
    Undefined(Rc<str>),
    /// The run cannot be continued exactly (an undefined function's pointer, the tool's own limits).
    Stuck(Rc<str>),
    /// A limit was reached, or would be: the run came back to a state it had been in.
    StepLimit,
    /// The path is of no interest (`__VERIFIER_assume(0)`).
    Vanished,
}

/// What happened in a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Empty unless asked for; ends with [`Event::Violation`] where the outcome is one.
    pub trace: Vec<Event>,
    /// Empty unless a trace was asked for.
    pub story: Story,
    /// Edges taken.
    pub steps: u64,
    /// What the run was given: a run on these is the same run.
    pub used_inputs: Inputs,
    /// How often the run got something other than an input that C leaves open: an unwritten byte, an unset register, the
    /// result of an undefined function. Only a run without is the same in every implementation.
    pub indeterminate: u64,
    /// The run went on after an access that led to no object of the program.
    pub outside: bool,
    /// The first library function whose result the run made up although its arguments decide it.
    pub approximated: Option<Rc<str>>,
    /// See [`ViolatingRun::round`]; only where a trace was asked for.
    pub round: Option<usize>,
    /// Empty unless asked for.
    pub(super) branches: Branches,
    /// How many values were given before each part of the input.
    pub(super) parts: Vec<usize>,
}

impl Run {
    /// What a run that violates shows, or how else it ended.
    ///
    /// # Errors
    /// It ended in another way.
    pub fn violating(self) -> Result<ViolatingRun, Outcome> {
        match self.outcome {
            Outcome::Violated(fault) => Ok(ViolatingRun {
                violation: fault.violation,
                detail: Arc::from(&*fault.detail),
                weakness: fault.weakness,
                trace: self.trace,
                inputs: self.used_inputs,
                story: self.story,
                outside: self.outside,
                round: self.round,
            }),
            other => Err(other),
        }
    }
}

/// Runs `program` from its start. Allocations that may fail do not.
///
/// A run that loses a block goes on: another violation later on is the one that counts, because what loses the block is
/// usually part of the same mistake (a link read out of a freed node). Only a run without another violation violates
/// `valid-memtrack`. With a trace its place is exact; otherwise leaks are looked for once, when the run ends: a lost block
/// stays lost.
pub fn run(program: &Program, checks: &Checks, source: Source, limits: &RunLimits) -> Run {
    run_watched(program, checks, source, limits, &mut |_, _| {})
}

/// [`run`] of a program that was lowered for its own [world](crate::cfa::LowerOptions::world): what became of it is with the run.
pub fn run_in(world: World, program: &Program, checks: &Checks, source: Source, limits: &RunLimits) -> (Run, World) {
    let mut memory = Concrete::new(program.model, source);
    memory.inner_mut().feed.world = Some(Box::new(world));
    let (run, world) = run_with(program, checks, memory, limits, &mut |_, _| {}, Compact::new());
    (run, world.unwrap_or_default())
}

/// Is called, after each event, with, how many there were, and what the program is at.
pub type Watch<'w> = dyn FnMut(usize, &Config<Concrete>) + 'w;

/// [`run`] with a watch; there are events only where a trace is asked for.
pub fn run_watched(
    program: &Program,
    checks: &Checks,
    source: Source,
    limits: &RunLimits,
    watch: &mut Watch<'_>,
) -> Run {
    run_with(program, checks, Concrete::new(program.model, source), limits, watch, Compact::new()).0
}

/// [`run_watched`] from an empty memory, made faster by `compact` where events are not wanted; with the memory's world.
pub(super) fn run_with(
    program: &Program,
    checks: &Checks,
    mut memory: Concrete,
    limits: &RunLimits,
    watch: &mut Watch<'_>,
    mut compact: Compact,
) -> (Run, Option<World>) {
    let mut trace = Trace::new(program, limits.trace);
    let has_world = memory.world().is_some();
    let mut config = match begin(program, checks, memory) {
        Ok(config) => config,
        Err(stuck) => return (nothing(Outcome::Stuck(stuck.why)), None),
    };
    let mut steps: u64 = 0;
    let mut leak = None;
    let mut lasso = Lasso::new(checks.termination);
    let mut branches = Branches::default();
    // How many events came before the state that the run is compared with.
    let mut before_round = 0;
    let mut round = None;
    // Steps of compact code since limits were looked at.
    let mut quick = 0;
    let outcome = loop {
        let is_at_check = steps.is_multiple_of(STEPS_PER_CHECK);
        if steps >= limits.steps
            || (is_at_check && config.memory.used_inputs().values.len() > limits.inputs)
            || (is_at_check && is_exhausted(limits, steps, std::mem::take(&mut quick)))
        {
            break Outcome::StepLimit;
        }
        let compared_with = lasso.kept();
        let closes = lasso.closes(program, checks, &config, steps);
        if lasso.kept() != compared_with {
            before_round = trace.events();
        }
        if closes {
            if !checks.termination {
                break Outcome::StepLimit;
            }
            round = trace.is_on().then_some(before_round);
            if let (true, Some(edge)) = (trace.is_on(), here(program, &config).1.edges.first()) {
                let place = trace.place(&config, edge);
                trace.violation(place);
                watch(trace.events(), &config);
            }
            break Outcome::Violated(Fault::new(
                Violation::Termination,
                "the run comes to a loop that it never leaves",
            ));
        }
        // Events need each step.
        if !trace.is_on() && !limits.branches {
            let until_check = STEPS_PER_CHECK - steps % STEPS_PER_CHECK;
            let unwatched = if compact.is_eager() { u64::MAX } else { lasso.unwatched(steps) };
            let budget = until_check.min(limits.steps - steps).min(unwatched);
            let taken = if budget > 0 { compact.run(program, checks, &mut config, budget) } else { 0 };
            if taken > 0 {
                steps += taken;
                quick += taken;
                continue;
            }
        }
        let (function, location) = here(program, &config);
        let Some(edge) = choose(&mut config, location) else {
            let is_assumption = matches!(location.edges.as_slice(), [Edge { op: Op::Assume(_), .. }]);
            break match exhausted(program, &config, location.edges.first()) {
                Some(outcome) => outcome,
                None if is_assumption => Outcome::Vanished,
                None => Outcome::Stuck(format!("control cannot go on in `{}`", function.name).into()),
            };
        };
        if let Some(outcome) = exhausted(program, &config, Some(edge)) {
            break outcome;
        }
        if limits.branches && location.edges.len() > 1 {
            branches.push(branch_id(config.top(), edge));
        }
        let function = config.top().function;
        if matches!(edge.op, Op::Nondet { .. }) {
            let at = config.top().at;
            config.memory.inner_mut().feed.place = u64::from(function.0) << 32 | u64::from(at.0);
        }
        let place = trace.is_on().then(|| trace.place(&config, edge));
        let seeks_leak = place.is_some() && checks.memtrack && leak.is_none();
        steps += 1;
        // Calls are frequent, and what is between them is not looked at.
        if place.is_none()
            && let Some(reason) = cross(program, &mut config, edge)
        {
            if has_world {
                world::watch(program, function, &edge.op, reason, &mut config);
            }
            continue;
        }
        let Some((next, went)) = take(program, checks, config, edge) else {
            return (Run { steps, ..nothing(Outcome::Stuck("a step without outcome".into())) }, None);
        };
        config = next;
        let reason = match went {
            Ok(reason) => reason,
            Err(end) => {
                if matches!(end, Outcome::Violated(_))
                    && let Some(place) = place
                {
                    trace.end(place, edge, &config);
                    trace.violation(place);
                    watch(trace.events(), &config);
                }
                break end;
            }
        };
        if has_world {
            world::watch(program, function, &edge.op, reason, &mut config);
        }
        if let Some(place) = place {
            if seeks_leak && let Some(fault) = find_leak(&config) {
                let mut until_here = trace.clone();
                until_here.violation(place);
                leak = Some((fault, until_here, steps));
            }
            let before = trace.events();
            trace.step(place, edge, reason, &config);
            if trace.events() > before {
                watch(trace.events(), &config);
            }
        }
        if let Reason::Halted(kind) = reason {
            break match kind {
                HaltKind::Exit => Outcome::Finished(exit_code(program, &config)),
                HaltKind::Abort => Outcome::Aborted,
                HaltKind::Vanish => Outcome::Vanished,
            };
        }
    };
    let world = config.memory.world().map(std::mem::take);
    let mut run = Run {
        outcome,
        trace: Vec::new(),
        story: Story::default(),
        steps,
        used_inputs: config.memory.used_inputs().clone(),
        indeterminate: config.memory.indeterminate(),
        outside: config.memory.went_outside(),
        approximated: config.memory.approximated().cloned(),
        round,
        branches,
        parts: config.memory.take_parts(),
    };
    // What follows a result that is not computed exactly may not happen in any real run.
    if let Some(name) = config.memory.approximated() {
        if matches!(run.outcome, Outcome::Violated(_)) {
            run.outcome = Outcome::Stuck(format!("the result of `{name}` is not computed exactly").into());
        }
        (run.trace, run.story) = trace.into_events(&config.memory);
        return (run, world);
    }
    if !matches!(run.outcome, Outcome::Violated(_)) && checks.memtrack {
        if let Some((fault, until_leak, steps)) = leak {
            let (trace, story) = until_leak.into_events(&config.memory);
            return (Run { outcome: Outcome::Violated(fault), trace, story, steps, ..run }, world);
        }
        if let Some(fault) = find_leak(&config) {
            run.outcome = Outcome::Violated(fault);
        }
    }
    (run.trace, run.story) = trace.into_events(&config.memory);
    (run, world)
}

/// A number for the branch that a frame takes.
fn branch_id(frame: &Frame<Value>, edge: &Edge) -> u64 {
    let place = u64::from(frame.function.0) << 40 | u64::from(frame.at.0) << 20 | u64::from(edge.target.0);
    place.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The start of a run.
///
/// # Errors
/// The program does not start.
pub(super) fn begin(program: &Program, checks: &Checks, mut memory: Concrete) -> Result<Config<Concrete>, Stuck> {
    if checks.only_reachability() {
        memory.open();
    }
    initial(program, memory)
}

/// Takes `edge`: where the run is then, and how it went on or ended. `None` where nothing comes of it:
/// [`choose`] leaves out the assumptions that fail, and every other op has an outcome.
pub(super) fn take(
    program: &Program,
    checks: &Checks,
    config: Config<Concrete>,
    edge: &Edge,
) -> Option<(Config<Concrete>, Result<Reason, Outcome>)> {
    let outcomes = step(program, checks, config, edge);
    // One, but that the run ends where the machine may trap.
    let (config, went) = match outcomes.into_iter().next()? {
        Step::Next(last, Reason::Trapped(trap)) => {
            let what = located(program, &last, Some(edge), trap.what());
            return Some((last, Err(Outcome::Undefined(what))));
        }
        Step::Next(next, reason) => (next, Ok(reason)),
        Step::Fault(last, fault) => (last, Err(Outcome::Violated(fault))),
        Step::Stuck(last, stuck) => {
            let end = match stuck.gap {
                Gap::Undefined => Outcome::Undefined(stuck.why),
                Gap::Foreign | Gap::Tool => Outcome::Stuck(stuck.why),
            };
            (last, Err(end))
        }
        Step::Miss(last, miss) => {
            return Some((last, Err(Outcome::Stuck(Stuck::from(miss).why))));
        }
    };
    let went = exhausted(program, &config, Some(edge)).map_or(went, Err);
    Some((config, went))
}

/// A run that ended before it began.
fn nothing(outcome: Outcome) -> Run {
    Run {
        outcome,
        trace: Vec::new(),
        story: Story::default(),
        steps: 0,
        used_inputs: Inputs::default(),
        indeterminate: 0,
        outside: false,
        approximated: None,
        round: None,
        branches: Branches::default(),
        parts: Vec::new(),
    }
}

/// Whether limits are hit after so many steps; `quick` of those since the last look were of compact code.
fn is_exhausted(limits: &RunLimits, steps: u64, quick: u64) -> bool {
    let slow = if steps == 0 { 0 } else { STEPS_PER_CHECK - quick };
    work::charge(slow * STEP_TICKS + quick / QUICK_STEPS_OF_TICK);
    limits.within.check_time().is_err()
        || (steps.is_multiple_of(STEPS_PER_CHECK << 8) && limits.within.check_memory().is_err())
}

pub(super) fn here<'p>(program: &'p Program, config: &Config<Concrete>) -> (&'p Function, &'p Location) {
    let top = config.top();
    let function = program.function(top.function);
    (function, function.location(top.at))
}

/// The edge to take: guards of several are exhaustive and disjoint, so the first that holds is the one.
pub(super) fn choose<'p>(config: &mut Config<Concrete>, location: &'p Location) -> Option<&'p Edge> {
    location.edges.iter().find(|edge| match &edge.op {
        Op::Assume(condition) => guard(config, condition).is_taken(),
        _ => true,
    })
}

/// The end of the run where one of the memory's limits was met, at `edge`.
pub(super) fn exhausted(program: &Program, config: &Config<Concrete>, edge: Option<&Edge>) -> Option<Outcome> {
    config.memory.exhausted().map(|limit| Outcome::Stuck(located(program, config, edge, limit)))
}

/// `what`, with the place of `edge` in the user's text.
fn located(program: &Program, config: &Config<Concrete>, edge: Option<&Edge>, what: &str) -> Rc<str> {
    let span = edge.map(|edge| edge.span).unwrap_or_default();
    let pos = program.source.pos(config.user_span(program, span).start);
    format!("{what} at {}:{}", pos.file, pos.line).into()
}

/// The register of the start function that receives the result of `main`.
const EXIT_CODE: &str = "exit_code";

fn exit_code(program: &Program, config: &Config<Concrete>) -> Option<i32> {
    let [frame] = config.frames.as_slice() else { return None };
    let regs = &program.function(frame.function).regs;
    let reg = regs.iter().position(|reg| reg.name.as_deref() == Some(EXIT_CODE))?;
    frame.regs[reg].map(|value| value.bits.signed() as i32)
}

/// Runs on `inputs` with exact leak positions: the violation they show.
///
/// # Errors
/// What happened instead.
pub fn replay(program: &Program, checks: &Checks, inputs: &Inputs) -> Result<Counterexample, String> {
    let mut run = shown(program, checks, inputs);
    // Whether it is shown may depend on where objects are.
    if matches!(run.outcome, Outcome::Finished(_) | Outcome::Aborted) && inputs.addresses == Addresses::Fresh {
        let again = Inputs { addresses: Addresses::Reused, ..inputs.clone() };
        let other = shown(program, checks, &again);
        if matches!(other.outcome, Outcome::Violated(_)) {
            run = other;
        }
    }
    match counterexample(run, Obligation::of(program, checks)) {
        Ok(found) => Ok(found),
        Err(outcome) => Err(match outcome {
            Outcome::Finished(_) => "the run ends without a violation".into(),
            Outcome::Aborted => "the run aborts".into(),
            Outcome::Undefined(what) => format!("the run has undefined behaviour: {what}"),
            Outcome::Stuck(why) => format!("the run cannot go on: {why}"),
            Outcome::StepLimit => "the run takes too long".into(),
            Outcome::Vanished | Outcome::Violated(_) => "the run is blocked by an assumption".into(),
        }),
    }
}

/// The run on `inputs`. Its events take far longer than its steps: they are recorded only where it shows a violation.
fn shown(program: &Program, checks: &Checks, inputs: &Inputs) -> Run {
    // Whether a run comes back to a state is looked for at other steps where events are recorded.
    if !checks.termination {
        // A run that asks for far more than it is given has long left what it was to show.
        let given = inputs.values.len().saturating_mul(4).saturating_add(SPARE_INPUTS);
        let limits = RunLimits { inputs: given, ..RunLimits::steps(MAX_REPLAY_STEPS) };
        let quick = run(program, checks, Source::Given(inputs.clone()), &limits);
        if !matches!(quick.outcome, Outcome::Violated(_)) {
            return quick;
        }
    }
    exact_run(program, checks, inputs, MAX_REPLAY_STEPS, &Limits::none())
}

/// [`replay`] of a run that takes so many steps at most; `None` where it shows nothing.
pub fn replay_of(program: &Program, checks: &Checks, inputs: &Inputs, steps: u64) -> Option<Counterexample> {
    let run = exact_run(program, checks, inputs, steps, &Limits::none());
    counterexample(run, Obligation::of(program, checks)).ok()
}

/// A run with a trace and exact leak positions.
pub(super) fn exact_run(program: &Program, checks: &Checks, inputs: &Inputs, steps: u64, within: &Limits) -> Run {
    let limits = RunLimits { trace: true, within: within.clone(), ..RunLimits::steps(steps) };
    run(program, checks, Source::Given(inputs.clone()), &limits)
}

/// The evidence that a violating [`exact_run`] of `asked` is, or how else it ended.
pub(super) fn counterexample(run: Run, asked: Obligation) -> Result<Counterexample, Outcome> {
    run.violating().map(|run| Counterexample::new(run, asked))
}
